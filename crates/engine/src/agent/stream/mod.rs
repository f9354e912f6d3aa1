//! What agents print while they work, in one vocabulary.
//!
//! Each command line agent has a stream of its own making: JSON, an event a line. One file per agent reads a line into
//! entries; everything after that knows only entries. All of it is pure: bytes in, entries out. Nothing here knows
//! processes, exit codes or what a verdict leads to.

mod acp;
pub(super) mod claude;
pub(super) mod codex;
mod entry;
pub(super) mod gemini;
mod json_text;
mod line_splitter;
pub(super) mod opencode;
mod problem;
pub(super) mod qwen;
mod reader;
mod summary;

pub use entry::{ClaimedEnd, ErrorWeight, MessagePart, StreamEntry, UsageSpan};
pub use line_splitter::{LineSplitter, StreamLine};
pub use problem::Problem;
pub use reader::{LineContent, StreamReader};
pub use summary::StreamSummary;
