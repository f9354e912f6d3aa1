//! Is this run red for the right reason?

use super::verdict::{NotRed, Red, RedInput, RunExit};

/// Judges a run on base + tests.
pub fn classify(input: &RedInput<'_>) -> Red {
    match input.exit {
        RunExit::Code(0) => Red::NotRed(NotRed::Passed),
        RunExit::Code(code @ (126 | 127)) => Red::NotRed(NotRed::CommandNotFound(code)),
        RunExit::Code(code) => Red::ExitOnly { code },
        RunExit::Signal(signal) => Red::NotRed(NotRed::Signal(signal)),
        RunExit::TimedOut => Red::NotRed(NotRed::TimedOut),
        RunExit::NotStarted => Red::NotRed(NotRed::NotStarted),
    }
}
