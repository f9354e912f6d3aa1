//! Is this run green?

use super::verdict::{Green, GreenFailure, GreenInput, RunExit, Strength};

/// Judges a run on the candidate tree.
pub fn green(input: &GreenInput<'_>) -> Green {
    match input.exit {
        RunExit::Code(0) => Green::Passed { tests: Vec::new(), strength: Strength::ExitOnly },
        RunExit::Code(code @ (126 | 127)) => Green::Failed(GreenFailure::CommandNotFound(code)),
        RunExit::Code(code) => Green::Failed(GreenFailure::Exit(code)),
        RunExit::Signal(signal) => Green::Failed(GreenFailure::Signal(signal)),
        RunExit::TimedOut => Green::Failed(GreenFailure::TimedOut),
        RunExit::NotStarted => Green::Failed(GreenFailure::NotStarted),
    }
}
