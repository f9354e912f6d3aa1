//! One coordinator per repository: a lock file that says who holds it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The lock file could not be used.
#[derive(Debug, thiserror::Error)]
#[error("{what} the lock file `{}`", .path.display())]
pub struct LockError {
    /// What was being done.
    pub what: &'static str,
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

/// Somebody else holds the lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldBy {
    /// What they wrote about themselves.
    pub note: String,
}

/// The lock, held until dropped; also released when the process dies.
#[derive(Debug)]
pub struct CoordinatorLock {
    file: File,
}

impl CoordinatorLock {
    /// Takes the lock and leaves `note` in the file, or says who has it.
    pub fn acquire(path: &Path, note: &str) -> Result<Result<Self, HeldBy>, LockError> {
        let _ = (path, note);
        todo!()
    }
}
