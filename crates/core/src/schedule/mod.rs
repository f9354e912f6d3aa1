//! What to do next. Two functions: [`Scheduler::apply`] is the only writer, [`Scheduler::decide`] only reads.
//!
//! The scheduler knows tasks as they were sealed, states, limits and the merge train. It knows nothing of
//! processes, git, files or clocks: the time is passed in, and everything it has learnt came as an event. A live
//! run, a resumed run, a replay and a simulation therefore decide alike.
//!
//! **The merge train.** Candidates that wait to be merged form a queue. Each car is merged onto the one before it
//! and verified there, all at once; when the first is green, the branch moves to it, and the next is already
//! verified on exactly that tree. A car that fails leaves the line, and those behind it begin again.

mod apply;
mod decide;
mod placement;
mod session;
mod task_record;
mod team;
mod train;

pub use apply::ApplyError;
pub use decide::Command;
pub use session::{Beginning, Conversation};
pub use task_record::{FrozenTests, Scheduler, TaskRecord, Work};

#[cfg(test)]
mod tests;
