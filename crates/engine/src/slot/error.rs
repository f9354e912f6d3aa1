//! What can go wrong with a slot or an export.

use std::io;
use std::path::{Path, PathBuf};

use crate::git::GitError;

/// A failure of a slot or an export.
#[derive(Debug, thiserror::Error)]
pub enum SlotError {
    /// A file operation failed.
    #[error("{what} `{}`", .path.display())]
    Io {
        /// What was being done.
        what: &'static str,
        /// To which path.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Git failed.
    #[error("cannot check out the files of the slot")]
    Git(#[from] GitError),
}

impl SlotError {
    pub(super) fn io(what: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { what, path: path.to_owned(), source }
    }
}
