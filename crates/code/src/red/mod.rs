//! The two verdicts: red for the right reason, and green.
//!
//! An exit code cannot tell a missing function from a misspelt test, so red is read from the report and from what the
//! tools printed, language by language. Whatever is not understood is not red, and not green.

mod c_errors;
mod classify;
mod errors;
mod go_errors;
mod green;
mod java_errors;
mod owned;
mod php_errors;
mod python_errors;
mod ruby_errors;
mod rust_errors;
mod script_errors;
mod seen;
mod verdict;

pub use classify::classify;
pub use green::green;
pub use seen::red_tests;
pub use verdict::{Green, GreenFailure, GreenInput, NotRed, Red, RedInput, RunExit, Strength};
