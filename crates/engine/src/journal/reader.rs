//! Reads a journal, while it is being written if need be; writes nothing.

use std::path::Path;

use super::Record;
use super::error::JournalError;

/// Number of the last record folded, its hash, and the fold.
pub type CachedFold = (u64, Vec<u8>, Vec<u8>);

/// A reader of a journal.
#[derive(Debug)]
pub struct JournalReader;

impl JournalReader {
    /// Opens the journal at `path`; `None` if there is none yet.
    pub fn open(path: &Path) -> Result<Option<Self>, JournalError> {
        let _ = path;
        todo!()
    }

    /// At most `limit` records after number `seq`, in order, each checked against the one before it.
    pub fn read_after(&self, seq: u64, limit: usize) -> Result<Vec<Record>, JournalError> {
        let _ = (seq, limit);
        todo!()
    }

    /// The number of the last record, 0 if there is none.
    pub fn last_seq(&self) -> Result<u64, JournalError> {
        todo!()
    }

    /// Checks every record against the one before it.
    pub fn verify_chain(&self) -> Result<(), JournalError> {
        todo!()
    }

    /// The kept fold, if it belongs to this journal's records.
    pub fn cached_fold(&self) -> Result<Option<CachedFold>, JournalError> {
        todo!()
    }
}
