//! What can go wrong with a journal or a request database.

use std::io;
use std::path::PathBuf;

/// A failure of a journal or a request database.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
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
    /// The file is damaged or is something else.
    #[error("`{}` is damaged or is not a Windlass database: {why}", .path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        why: String,
    },
    /// A newer Windlass wrote it: it may be read, not written.
    #[error("`{}` has format {found}, this program writes format {ours}", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The format found.
        found: u32,
        /// The format this program writes.
        ours: u32,
    },
    /// A record is not what was written.
    #[error("the journal's chain is broken at record {seq}")]
    Broken {
        /// The first record that does not fit.
        seq: u64,
    },
    /// Somebody else wrote to it while we held it.
    #[error("`{}` was written by another process", .path.display())]
    ForeignWriter {
        /// The file.
        path: PathBuf,
    },
    /// Any other failure of the database.
    #[error("database `{}`", .path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
}
