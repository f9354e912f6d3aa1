//! The steps of a derived task: the template of its mode with the commands for its files.
//!
//! Commands and snippets come from the repository. The file that is written is the file that is verified.

mod detail;
mod make;

pub(crate) use detail::adapted;
pub use detail::{Adaptive, History, StepDetail, TaskEnd};
pub(crate) use make::steps_for;
