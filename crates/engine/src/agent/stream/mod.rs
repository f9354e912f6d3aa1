//! What agents print while they work, in one vocabulary.
//!
//! Each command line agent has a stream of its own making: JSON, an event a line. One file per agent reads a line into
//! entries; everything after that knows only entries. All of it is pure: bytes in, entries out. Nothing here knows
//! processes, exit codes or what a verdict leads to.

mod claude;
mod codex;
mod entry;
mod gemini;
mod lines;
mod opencode;
mod problem;
mod qwen;
mod reader;
mod told;
mod words;

pub use entry::{Entry, Outcome, Part, Span, Weight};
pub use lines::{Line, Lines};
pub use problem::Problem;
pub use reader::{Heard, StreamReader};
pub use told::Told;
