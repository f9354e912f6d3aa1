//! Appends to a journal; durable when it returns.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::chain::{GENESIS, hash_of};
use super::error::JournalError;
use super::schema;
use super::{Point, Record};

/// The one writer of a journal.
#[derive(Debug)]
pub struct JournalWriter {
    path: PathBuf,
    connection: Connection,
    last: Last,
    has_glance: bool,
}

/// The end of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Last {
    seq: u64,
    hash: [u8; 32],
}

impl JournalWriter {
    /// Opens the journal at `path`, making it and its directory if absent.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let connection = schema::open_for_writing(path, schema::JOURNAL)?;
        let last = read_last(&connection).map_err(|source| JournalError::of_sqlite(path, source))?;
        Ok(Self { path: path.to_owned(), connection, last, has_glance: false })
    }

    /// Appends records (kind, JSON) in one transaction and returns the number of the last. They are on disk when
    /// this returns; after an error none of them is in the journal.
    pub fn append(&mut self, at: &str, items: &[(String, String)]) -> Result<u64, JournalError> {
        if items.is_empty() {
            return Ok(self.last.seq);
        }
        let path = self.path.as_path();
        let failed = |source| JournalError::of_sqlite(path, source);
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        if read_last(&transaction).map_err(failed)? != self.last {
            return Err(JournalError::ForeignWriter { path: self.path.clone() });
        }
        let last = insert(&transaction, self.last, at, items).map_err(failed)?;
        transaction.commit().map_err(failed)?;
        self.last = last;
        Ok(last.seq)
    }

    /// Stores a glance at the records up to the last one, bound to its hash. It is short, so that it can be stored often.
    pub fn store_glance(&mut self, payload: &[u8]) -> Result<(), JournalError> {
        let path = self.path.as_path();
        let failed = |source| JournalError::of_sqlite(path, source);
        if !self.has_glance {
            self.connection.execute_batch(schema::GLANCE).map_err(failed)?;
            self.has_glance = true;
        }
        let checksum = blake3::hash(payload);
        let values = params![schema::to_sql(self.last.seq), self.last.hash, payload, checksum.as_bytes()];
        self.connection
            .execute(
                "INSERT OR REPLACE INTO glance(id, seq, hash, payload, checksum) VALUES (1, ?1, ?2, ?3, ?4)",
                values,
            )
            .map_err(failed)?;
        Ok(())
    }

    /// The end of the chain; `None` if there is no record yet.
    pub fn point(&self) -> Result<Option<Point>, JournalError> {
        let first = self.connection.query_row("SELECT hash FROM event WHERE seq = 1", [], |row| row.get(0));
        let first = first.optional().map_err(|source| JournalError::of_sqlite(&self.path, source))?;
        Ok(first.map(|first| Point { first, seq: self.last.seq, hash: self.last.hash }))
    }

    /// The number of the last record, 0 if there is none.
    pub fn last_seq(&self) -> u64 {
        self.last.seq
    }

    /// Keeps a fold of the records up to `seq`, bound to that record's hash. Its first line can be read back alone.
    pub fn store_fold(&mut self, seq: u64, payload: &[u8]) -> Result<(), JournalError> {
        let path = self.path.as_path();
        let failed = |source| JournalError::of_sqlite(path, source);
        let head = payload.split_inclusive(|b| *b == b'\n').next().unwrap_or_default();
        let (head_checksum, checksum) = (blake3::hash(head), blake3::hash(payload));
        let stored = self.connection.execute(
            "INSERT OR REPLACE INTO fold(id, seq, hash, head, head_checksum, checksum, payload)
             SELECT 1, seq, hash, ?2, ?3, ?4, ?5 FROM event WHERE seq = ?1",
            params![schema::to_sql(seq), head, head_checksum.as_bytes(), checksum.as_bytes(), payload],
        );
        match stored.map_err(failed)? {
            0 => Err(JournalError::NoSuchRecord { path: self.path.clone(), seq }),
            _ => Ok(()),
        }
    }
}

fn insert(
    transaction: &Transaction<'_>,
    mut last: Last,
    at: &str,
    items: &[(String, String)],
) -> rusqlite::Result<Last> {
    let mut statement = transaction
        .prepare_cached("INSERT INTO event(seq, at, kind, json, hash) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for (kind, json) in items {
        let seq = last.seq + 1;
        let record = Record { seq, at: at.to_owned(), kind: kind.clone(), json: json.clone() };
        let hash = hash_of(&last.hash, &record);
        statement.execute(params![schema::to_sql(seq), record.at, record.kind, record.json, hash])?;
        last = Last { seq, hash };
    }
    Ok(last)
}

fn read_last(connection: &Connection) -> rusqlite::Result<Last> {
    let row = connection
        .query_row("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1", [], |row| {
            Ok(Last { seq: schema::from_sql(row, 0)?, hash: row.get(1)? })
        })
        .optional()?;
    Ok(row.unwrap_or(Last { seq: 0, hash: GENESIS }))
}
