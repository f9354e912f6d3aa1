//! Wishes of front ends (pause, retry, …) on their way to the dispatcher.
//!
//! Many may write at once; what a wish means is the caller's.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};

use crate::journal::{JournalError, open_for_writing};

const TABLES: &str = "
    CREATE TABLE request(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        json TEXT NOT NULL,
        done INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX request_open ON request(id) WHERE done = 0;
";

/// The request database of one plan.
#[derive(Debug)]
pub struct Requests {
    path: PathBuf,
    connection: Connection,
}

impl Requests {
    /// Opens the database at `path`, making it if absent.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        Ok(Self { path: path.to_owned(), connection: open_for_writing(path, TABLES)? })
    }

    /// Leaves a wish; it is on disk when this returns.
    pub fn submit(&self, at: &str, json: &str) -> Result<i64, JournalError> {
        let insert = "INSERT INTO request(at, json) VALUES (?1, ?2) RETURNING id";
        self.connection.query_row(insert, params![at, json], |row| row.get(0)).map_err(|e| self.failed(e))
    }

    /// The wishes not yet marked done, oldest first.
    pub fn pending(&self) -> Result<Vec<(i64, String)>, JournalError> {
        let read = || {
            let query = "SELECT id, json FROM request WHERE done = 0 ORDER BY id";
            let mut statement = self.connection.prepare_cached(query)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|e| self.failed(e))
    }

    /// Marks a wish as done; one that is already done stays so.
    pub(crate) fn mark_done(&self, id: i64) -> Result<(), JournalError> {
        let update = "UPDATE request SET done = 1 WHERE id = ?1";
        self.connection.execute(update, [id]).map(drop).map_err(|e| self.failed(e))
    }

    fn failed(&self, source: rusqlite::Error) -> JournalError {
        JournalError::of_sqlite(&self.path, source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_come_back_in_order_until_they_are_done() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("plan/requests.db");
        let requests = Requests::open(&path).unwrap();
        let first = requests.submit("t1", "{\"a\":1}").unwrap();
        let second = requests.submit("t2", "{\"b\":2}").unwrap();
        assert_eq!(
            requests.pending().unwrap(),
            [(first, "{\"a\":1}".to_owned()), (second, "{\"b\":2}".to_owned())]
        );
        requests.mark_done(first).unwrap();
        requests.mark_done(first).unwrap();
        assert_eq!(Requests::open(&path).unwrap().pending().unwrap(), [(second, "{\"b\":2}".to_owned())]);
    }

    #[test]
    fn many_write_at_once() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("requests.db");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    let requests = Requests::open(path).unwrap();
                    for n in 0..10 {
                        requests.submit("t", &format!("{writer}-{n}")).unwrap();
                    }
                });
            }
        });
        let pending = Requests::open(&path).unwrap().pending().unwrap();
        assert_eq!(pending.len(), 80);
        let ids: std::collections::BTreeSet<_> = pending.iter().map(|(id, _)| id).collect();
        assert_eq!(ids.len(), 80);
    }
}
