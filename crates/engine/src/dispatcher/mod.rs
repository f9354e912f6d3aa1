//! The loop that owns the truth: it asks the scheduler, journals the intent, acts, journals the result, and asks again.
//!
//! It is the only writer of the journal. Everything else reads it, or sends the dispatcher messages: only this module
//! sees the methods of [`Ledger`] that write.

mod act;
mod closing;
mod ledger;
mod looping;
mod messages;
mod packing;
mod plan_review;
mod recover;
mod start;
mod sync;
mod wishes;

pub(crate) use ledger::Ledger;
pub use ledger::{NoSink, Sink};
pub(crate) use looping::Dispatcher;
pub(crate) use start::SealedPlan;
