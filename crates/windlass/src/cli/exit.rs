//! Exit codes. They are public: scripts and CI depend on them.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Fine.
    Fine,
    /// There are findings, or tasks failed.
    Findings,
    /// Wrong usage, or input that cannot be read.
    Usage,
    /// A person is needed.
    Blocked,
    /// The environment lacks something: git, a sandbox, disk.
    Environment,
    /// Stopped by a signal.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Fine => 0,
            Exit::Findings => 1,
            Exit::Usage => 2,
            Exit::Blocked => 3,
            Exit::Environment => 4,
            Exit::Interrupted => 130,
        })
    }
}
