//! What can go wrong with a journal or a request database.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

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
    #[error("the chain of `{}` is broken at record {seq}", .path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The first record that does not fit.
        seq: u64,
    },
    /// Another process wrote to it while this one held it.
    #[error("`{}` was written by another process", .path.display())]
    ForeignWriter {
        /// The file.
        path: PathBuf,
    },
    /// A fold was offered for a record that does not exist.
    #[error("`{}` has no record {seq} to keep a fold for", .path.display())]
    NoSuchRecord {
        /// The file.
        path: PathBuf,
        /// The record.
        seq: u64,
    },
    /// The disk is full.
    #[error("no space left to write `{}`", .path.display())]
    DiskFull {
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

impl JournalError {
    /// Sorts an error of SQLite into the kinds a caller may act on.
    pub(crate) fn of_sqlite(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Corrupt { path, why: source.to_string() }
            }
            Some(ErrorCode::DiskFull) => Self::DiskFull { path },
            _ if found_no_room(&source) => Self::DiskFull { path },
            _ => Self::Database { path, source },
        }
    }

    /// The next step a person could take, where there is one.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Newer { .. } => Some("use the newer Windlass that wrote it"),
            Self::Corrupt { .. } | Self::Broken { .. } => {
                Some("keep a copy of the file: `windlass audit` rebuilds what the commits prove")
            }
            Self::DiskFull { .. } => Some("make room and run again: the run resumes by itself"),
            Self::Io { .. }
            | Self::ForeignWriter { .. }
            | Self::NoSuchRecord { .. }
            | Self::Database { .. } => None,
        }
    }
}

/// Whether the database could not grow its shared-memory file. On a full disk this is the first error, and SQLite reports
/// it as an I/O error.
fn found_no_room(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|e| e.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE)
}
