//! Wishes of front ends (pause, retry, …) on their way to the dispatcher.
//!
//! Many may write at once; what a wish means is the caller's.

use std::path::Path;

use crate::journal::JournalError;

/// The request database of one plan.
#[derive(Debug)]
pub struct Requests;

impl Requests {
    /// Opens the database at `path`, making it if absent.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let _ = path;
        todo!()
    }

    /// Leaves a wish; it is on disk when this returns.
    pub fn submit(&self, at: &str, json: &str) -> Result<i64, JournalError> {
        let _ = (at, json);
        todo!()
    }

    /// The wishes not yet marked done, oldest first.
    pub fn pending(&self) -> Result<Vec<(i64, String)>, JournalError> {
        todo!()
    }

    /// Marks a wish as done.
    pub fn mark_done(&self, id: i64) -> Result<(), JournalError> {
        let _ = id;
        todo!()
    }
}
