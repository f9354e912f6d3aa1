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

impl Exit {
    /// What an exit code of this program means.
    pub(crate) fn of_code(code: i32) -> Self {
        match code {
            0 => Exit::Fine,
            1 => Exit::Findings,
            2 => Exit::Usage,
            3 => Exit::Blocked,
            130 => Exit::Interrupted,
            _ => Exit::Environment,
        }
    }
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
