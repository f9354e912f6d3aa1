//! The two verdicts: red for the right reason, and green.

mod classify;
mod green;
mod verdict;

pub use classify::classify;
pub use green::green;
pub use verdict::{Green, GreenFailure, GreenInput, NotRed, Red, RedInput, RunExit, Strength};
