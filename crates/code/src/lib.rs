//! What a repository *says*: bytes and lists of paths in, plain data out.
//!
//! Test runners and how to hear them by name, formatters, gates, lock files, symbols, test items, and the verdicts
//! red and green. Nothing here touches a file, a process, the environment or the clock: whoever calls reads the
//! bytes and runs the commands.

pub mod detect;
pub mod excerpt;
pub mod red;
pub mod repo;
pub mod report;
pub mod script;
pub mod syntax;
mod text;
