//! How much of the code the tests reach: how each runner measures it, and how its report is read.
//!
//! A script in, a script and variables out; a report's bytes in, counts by file out. A tool that is not installed shows
//! when the script runs.

mod ask;
mod read;

pub(crate) use ask::{CoverageFacts, MeasuringScript, append_to_last};
pub use ask::{CoverageFormat, CoveragePlan, ask};
pub use read::{LineCoverage, read};
