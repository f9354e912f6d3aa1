//! Appends to a journal; durable when it returns.

use std::path::Path;

use super::error::JournalError;

/// The one writer of a journal.
#[derive(Debug)]
pub struct JournalWriter;

impl JournalWriter {
    /// Opens the journal at `path`, making it and its directory if absent.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let _ = path;
        todo!()
    }

    /// Appends records (kind, JSON) in one transaction and returns the number of the last. They are on disk when
    /// this returns.
    pub fn append(&mut self, at: &str, items: &[(String, String)]) -> Result<u64, JournalError> {
        let _ = (at, items);
        todo!()
    }

    /// The number of the last record, 0 if there is none.
    pub fn last_seq(&self) -> u64 {
        todo!()
    }

    /// Keeps a fold of the records up to `seq`.
    pub fn store_fold(&mut self, seq: u64, payload: &[u8]) -> Result<(), JournalError> {
        let _ = (seq, payload);
        todo!()
    }
}
