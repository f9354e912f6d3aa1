//! The steps of a derived task: the template of its mode with the real commands for the task's real files.
//!
//! Asks the repository for commands and snippets; knows no language and no runner. The file that is written is the file
//! that is verified.

mod detail;
mod make;

pub use detail::{Adaptive, History, StepDetail, TaskEnd, adapted};
pub use make::steps_for;
