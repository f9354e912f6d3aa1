//! What a run can amount to.

use windlass_core::event::TestAuthor;
use windlass_core::report::{Runner, TestReport};

/// The first of these names, and how many more there are.
fn few(names: &[String]) -> String {
    const TOLD: usize = 4;
    let told = names.iter().take(TOLD).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(TOLD) {
        0 => told,
        more => format!("{told} and {more} more"),
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunExit {
    /// It exited with this code.
    Code(i32),
    /// A signal killed it.
    Signal(i32),
    /// It was stopped after its time was up.
    TimedOut,
    /// It could not be started.
    NotStarted,
}

/// A run on base + tests, to be judged.
#[derive(Debug, Clone, Copy)]
pub struct RedInput<'a> {
    /// How it ended.
    pub exit: RunExit,
    /// Its structured report, if any.
    pub report: Option<&'a TestReport>,
    /// The runner that the script calls, if known.
    pub runner: Option<Runner>,
    /// Standard output and error in one stream.
    pub output: &'a [u8],
    /// The task's test files as they were run; an empty list means that there is none to look at.
    pub test_files: &'a [(String, Vec<u8>)],
    /// The author of those files.
    pub author: TestAuthor,
    /// The files that the task is to provide.
    pub owned: &'a [String],
    /// Names that the task's contract exports; may be empty.
    pub provides: &'a [String],
    /// Names that the files of the task declare in the tree that was run; may be empty.
    pub declared: &'a [String],
    /// The files of the tree that was run.
    pub present: &'a [String],
}

/// Whether a run is red, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Red {
    /// Named tests ran and failed.
    Assertion {
        /// Those that failed.
        failed: Vec<String>,
        /// All that ran.
        all: Vec<String>,
    },
    /// Nothing but code that the task is to provide is missing.
    MissingCode {
        /// The tests in the test files, `path::name`.
        names: Vec<String>,
        /// What is missing.
        missing: Vec<String>,
    },
    /// An unknown runner exited non-zero: weaker, no name is known.
    ExitOnly {
        /// The exit code.
        code: i32,
    },
    /// Not red.
    NotRed(NotRed),
}

/// Why a run is not red.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRed {
    /// Everything passed before any work was done.
    #[error("the tests pass already")]
    Passed,
    /// The command failed although every test that ran passed.
    #[error("the command failed but no test did")]
    NoneFailed {
        /// The tests that passed.
        passed: Vec<String>,
    },
    /// No test ran.
    #[error("no test ran")]
    NoTests,
    /// A test file is not there.
    #[error("a test file is missing")]
    TestFileMissing,
    /// A test file does not parse.
    #[error("`{file}` does not parse: line {line}, column {column}")]
    SyntaxError {
        /// The file.
        file: String,
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
    },
    /// The shell could not find or start the command (127 or 126).
    #[error("the command was not found or cannot be executed (exit code {0})")]
    CommandNotFound(i32),
    /// A signal ended the run.
    #[error("the run was ended by signal {0}")]
    Signal(i32),
    /// The run ran out of time.
    #[error("the run ran out of time")]
    TimedOut,
    /// The run could not be started.
    #[error("the run could not be started")]
    NotStarted,
    /// A module, package or program of the environment is missing: no code of the task ran.
    #[error("the tests need something that neither the environment nor the task provides: {}", evidence.join("; "))]
    Environment {
        /// The lines with the errors.
        evidence: Vec<String>,
    },
    /// It failed for a reason that the task cannot fix.
    #[error("the tests fail for the wrong reason: {}", evidence.join("; "))]
    WrongReason {
        /// The lines with the errors.
        evidence: Vec<String>,
    },
    /// Tests were skipped.
    #[error("tests were skipped: {}", few(names))]
    Skipped {
        /// Those tests.
        names: Vec<String>,
    },
}

impl NotRed {
    /// Whether the tests ran and every one of them passed.
    pub fn all_passed(&self) -> bool {
        matches!(self, NotRed::Passed)
    }

    /// Whether something of the environment is missing, so that no code of the task ran.
    pub fn is_environment(&self) -> bool {
        matches!(self, NotRed::Environment { .. } | NotRed::CommandNotFound(_) | NotRed::NotStarted)
    }

    /// Whether tests are what is missing, so that writing some helps.
    pub fn lacks_tests(&self) -> bool {
        match self {
            NotRed::Passed | NotRed::NoTests | NotRed::TestFileMissing | NotRed::Skipped { .. } => true,
            NotRed::NoneFailed { .. }
            | NotRed::SyntaxError { .. }
            | NotRed::CommandNotFound(_)
            | NotRed::Signal(_)
            | NotRed::TimedOut
            | NotRed::NotStarted
            | NotRed::Environment { .. }
            | NotRed::WrongReason { .. } => false,
        }
    }
}

/// A run on the candidate tree, to be judged.
#[derive(Debug, Clone, Copy)]
pub struct GreenInput<'a> {
    /// How it ended.
    pub exit: RunExit,
    /// Its structured report, if any.
    pub report: Option<&'a TestReport>,
    /// The runner that the script calls, if known.
    pub runner: Option<Runner>,
    /// The names seen at red; empty when red was by exit code only or there was none.
    pub required: &'a [String],
    /// Tests that fail without the change as well. They may fail, unless they are required.
    pub failing_before: &'a [String],
    /// Required tests whose cases the code of the task lists itself (see [`cases_of_the_code`](super::cases_of_the_code)).
    pub listed_by_code: &'a [String],
}

/// How much a pass is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// Every test is known by name.
    Named,
    /// Only the exit code is known.
    ExitOnly,
}

/// Whether a run is green.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Green {
    /// The run is green.
    Passed {
        /// The tests that passed.
        tests: Vec<String>,
        /// How much that is worth.
        strength: Strength,
    },
    /// The run is not green.
    Failed(GreenFailure),
}

/// Why a run is not green.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GreenFailure {
    /// Tests failed.
    #[error("tests failed: {}", failed.join(", "))]
    Tests {
        /// Those tests.
        failed: Vec<String>,
    },
    /// The command failed.
    #[error("the command exited with code {0}")]
    Exit(i32),
    /// A signal ended the run.
    #[error("the run was ended by signal {0}")]
    Signal(i32),
    /// The run ran out of time.
    #[error("the run ran out of time")]
    TimedOut,
    /// The run could not be started.
    #[error("the run could not be started")]
    NotStarted,
    /// The runner is known but left no report.
    #[error("the runner left no report")]
    NoReport,
    /// No test ran.
    #[error("no test ran")]
    NoTests,
    /// Tests seen at red are gone.
    #[error("tests seen at red did not run: {}", names.join(", "))]
    Missing {
        /// Those tests.
        names: Vec<String>,
    },
    /// Tests were skipped.
    #[error("tests were skipped: {}", few(names))]
    Skipped {
        /// Those tests.
        names: Vec<String>,
    },
    /// The shell could not find or start the command (127 or 126).
    #[error("the command was not found or cannot be executed (exit code {0})")]
    CommandNotFound(i32),
}
