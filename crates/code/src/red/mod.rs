//! The two verdicts: red for the right reason, and green.
//!
//! An exit code cannot tell a missing function from a misspelt test, so red is read from the report and from the output
//! of the tools, language by language. What is not understood is neither red nor green.

mod awaited;
mod awaited_imports;
mod classify;
mod declared;
mod errors;
mod green;
mod linked;
mod owned;
mod seen;
mod verdict;
mod wrong_test;

pub use awaited::{AwaitedTests, awaited, cases_of_the_code, not_run, wants_stand_ins};
pub use awaited_imports::awaited_imports;
pub use classify::classify;
pub use declared::declared_names;
pub(crate) use errors::{Errors, Wrong, quoted};
pub use green::green;
pub use linked::{LinkInput, LinkedTests, linked};
#[cfg(test)]
pub(crate) use owned::tests::with_owned;
pub(crate) use owned::{OwnedFiles, ends_with_path};
pub use seen::red_tests;
pub use verdict::{Green, GreenFailure, GreenInput, NotRed, Red, RedInput, RunExit, Strength};
pub(crate) use wrong_test::{FaultGround, FaultKind, TestFault, has_word};
pub use wrong_test::{WrongTestInput, wrong_test};
