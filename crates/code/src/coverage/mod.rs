//! How much of the code the tests reach: how to ask each runner for it, and how to read what it answers.
//!
//! Pure: a script in, a script and variables out; a report's bytes in, counts by file out. Whether the tool is installed is
//! seen by whoever runs it.

mod ask;
mod read;

pub use ask::{CoverageFormat, CoveragePlan, ask};
pub use read::{Covered, read};
