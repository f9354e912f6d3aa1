//! The two verdicts: red for the right reason, and green.
//!
//! An exit code cannot tell a missing function from a misspelt test, so red is read from the report and from the output
//! of the tools, language by language. What is not understood is neither red nor green.

mod classify;
mod errors;
mod green;
mod owned;
mod seen;
mod verdict;

pub use classify::classify;
pub(crate) use errors::{Errors, Wrong, quoted};
pub use green::green;
pub(crate) use owned::OwnedFiles;
pub use seen::red_tests;
pub use verdict::{Green, GreenFailure, GreenInput, NotRed, Red, RedInput, RunExit, Strength};
