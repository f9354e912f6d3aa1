//! The one linear loop that owns the truth. It asks the scheduler, writes the intent down, acts, writes the result
//! down, and asks again. It is the only writer of the journal; everybody else sends it messages.

mod act;
mod hear;
mod ledger;
mod looping;
mod recover;
mod wishes;

pub(crate) use ledger::{Ledger, now};
pub use ledger::{NoSink, Sink};
pub(crate) use looping::Dispatcher;
pub(crate) use recover::{find_branch, recover};
pub(crate) use wishes::drop_stale;
