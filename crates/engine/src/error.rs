//! Errors that end a run and are not failures of the work.

use std::path::PathBuf;

use windlass_core::ids::TaskId;
use windlass_core::schedule::ApplyError;

use crate::git::GitError;
use crate::journal::JournalError;
use crate::lock::LockError;
use crate::output::OutputError;
use crate::sandbox::SandboxUnavailable;
use crate::slot::SlotError;

/// Why the engine could not go on.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Git.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The journal. Nothing may go on that cannot be written down.
    #[error("the journal cannot be used")]
    Journal(#[from] JournalError),
    /// The store of outputs.
    #[error("an output cannot be kept")]
    Output(#[from] OutputError),
    /// A slot.
    #[error("a slot cannot be used")]
    Slot(#[from] SlotError),
    /// The coordinator's lock.
    #[error("the coordinator's lock cannot be taken")]
    Lock(#[from] LockError),
    /// A file.
    #[error("cannot {what} `{}`", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another Windlass is at work in this repository.
    #[error("another `windlass run` is at work in this repository: {note}")]
    AlreadyRunning {
        /// The holder's note.
        note: String,
    },
    /// The repository has no commit to start from.
    #[error("the repository has no commits yet")]
    NoCommits,
    /// Git knows no name to commit under.
    #[error("git has no user name and address to commit under")]
    NoIdentity,
    /// A journal that says what cannot be.
    #[error("the journal at `{}` cannot be followed", path.display())]
    Unfoldable {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        source: ApplyError,
    },
    /// An event the journal holds cannot be read.
    #[error("event {seq} of the journal cannot be read: {message}")]
    Unreadable {
        /// Its number.
        seq: u64,
        /// What is wrong.
        message: String,
    },
    /// An invariant would be violated; the run stops instead.
    #[error("invariant {name} would not hold for task `{task}`: {message}")]
    Invariant {
        /// Which one.
        name: &'static str,
        /// The task.
        task: TaskId,
        /// What is wrong.
        message: String,
    },
    /// The branch cannot be used.
    #[error("{message}")]
    Branch {
        /// What is wrong.
        message: String,
        /// What to do.
        hint: String,
    },
    /// An agent that no specification names.
    #[error("there is no agent called `{name}`")]
    UnknownAgent {
        /// The name.
        name: String,
    },
    /// The sandbox that was asked for cannot be had.
    #[error(transparent)]
    Sandbox(#[from] SandboxUnavailable),
    /// An agent would run without a sandbox.
    #[error("the agent `{agent}` would run without a sandbox here: {why}")]
    Unfenced {
        /// The agent.
        agent: String,
        /// What stands in the way of each rung.
        why: String,
    },
    /// The disk that work is carried out on is nearly full.
    #[error("there is no room for work in `{}`: {missing}", dir.display())]
    NoRoom {
        /// The cache directory.
        dir: PathBuf,
        /// What is missing.
        missing: String,
    },
    /// A worker panicked.
    #[error("a worker ended unexpectedly: {0}")]
    WorkerDied(String),
}

impl EngineError {
    /// What to do next, where that is known.
    pub fn hint(&self) -> Option<String> {
        match self {
            EngineError::Git(e) => e.hint(),
            EngineError::AlreadyRunning { .. } => {
                Some("wait for it, or stop it with `windlass cancel`".into())
            }
            EngineError::NoCommits => {
                Some("make a first commit, for example `git commit --allow-empty`".into())
            }
            EngineError::NoIdentity => {
                Some("set them with `git config user.name` and `git config user.email`, or with `GIT_AUTHOR_NAME`, `GIT_AUTHOR_EMAIL`, `GIT_COMMITTER_NAME` and `GIT_COMMITTER_EMAIL`".into())
            }
            EngineError::Branch { hint, .. } => Some(hint.clone()),
            EngineError::UnknownAgent { .. } => {
                Some("use `mechanical`, `replay:DIR`, `cmd:COMMAND`, or a name from `[agents]`".into())
            }
            EngineError::NoRoom { .. } => Some(
                "make room, or set `XDG_CACHE_HOME` to a directory on another disk; the next `windlass run` goes on".into(),
            ),
            EngineError::Sandbox(_) => Some("`windlass doctor` lists what is available".into()),
            EngineError::Unfenced { .. } => {
                Some("install bubblewrap, or accept that with `--allow-unsandboxed`".into())
            }
            EngineError::Journal(_)
            | EngineError::Output(_)
            | EngineError::Slot(_)
            | EngineError::Lock(_)
            | EngineError::Io { .. }
            | EngineError::Unfoldable { .. }
            | EngineError::Unreadable { .. }
            | EngineError::Invariant { .. }
            | EngineError::WorkerDied(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
