//! The journal of a plan's runs: an append-only, hash-chained list of records in SQLite.
//!
//! Records are text; callers interpret them. One writer, any number of concurrent readers.

mod chain;
mod error;
mod reader;
mod schema;
mod writer;

pub use error::JournalError;
pub use reader::{CachedFold, JournalReader};
pub use schema::newer_format;
pub(crate) use schema::open_for_writing;
pub use writer::JournalWriter;

/// A point of a journal's chain: it shows whether any record before it was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// The hash of the first record: which journal it is.
    pub first: [u8; 32],
    /// The number of the record at this point.
    pub seq: u64,
    /// Its hash, which covers every record before it.
    pub hash: [u8; 32],
}

/// One acknowledged record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its number, from 1, without gaps.
    pub seq: u64,
    /// When it was written, as the writer said.
    pub at: String,
    /// What kind it is, as the writer said.
    pub kind: String,
    /// Its content.
    pub json: String,
}
