//! Reads a journal, while it is being written if need be; writes nothing.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _};

use super::chain::{GENESIS, hash_of};
use super::error::JournalError;
use super::schema::{format_of, from_sql, to_sql};
use super::{Point, Record};

/// Number of the last record folded, its hash, and the fold.
pub type CachedFold = (u64, Vec<u8>, Vec<u8>);

/// How many records are checked at a time.
const CHECK_BATCH: usize = 4096;

/// A record and its hash.
type Row = (Record, [u8; 32]);

/// A reader of a journal.
#[derive(Debug)]
pub struct JournalReader {
    path: PathBuf,
    source: Database,
}

#[derive(Debug)]
enum Database {
    /// The journal has a log: what a writer adds is seen.
    Live(Connection),
    /// It had no log when it was opened: reopened for each query, as an immutable file.
    AtRest,
}

impl JournalReader {
    /// Opens the journal at `path`; `None` if there is none yet.
    pub fn open(path: &Path) -> Result<Option<Self>, JournalError> {
        let size = std::fs::metadata(path);
        match size {
            // Empty: a writer was killed before it made the tables.
            Ok(meta) if meta.len() == 0 && !has_log(path) => return Ok(None),
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => {
                return Err(JournalError::Io { what: "cannot read", path: path.to_owned(), source });
            }
        }
        let connection = connect(path)?;
        let format = format_of(&connection).map_err(|source| JournalError::of_sqlite(path, source))?;
        let source = if has_log(path) { Database::Live(connection) } else { Database::AtRest };
        Ok((format != 0).then(|| Self { path: path.to_owned(), source }))
    }

    /// At most `limit` records after number `seq`, in order, each checked against the one before it.
    pub fn read_after(&self, seq: u64, limit: usize) -> Result<Vec<Record>, JournalError> {
        self.with(|connection| {
            let Some(mut previous) = self.hash_at(connection, seq)? else {
                return Ok(Vec::new());
            };
            let rows = self.rows_after(connection, seq, limit)?;
            let mut records = Vec::with_capacity(rows.len());
            for (expected, row) in (seq + 1..).zip(rows) {
                let broken = JournalError::Broken { path: self.path.clone(), seq: expected };
                let Some((record, hash)) = row else { return Err(broken) };
                if record.seq != expected || hash_of(&previous, &record) != hash {
                    return Err(broken);
                }
                previous = hash;
                records.push(record);
            }
            Ok(records)
        })
    }

    /// The number of the last record, 0 if there is none.
    pub fn last_seq(&self) -> Result<u64, JournalError> {
        self.with(|connection| {
            let last =
                connection.query_row("SELECT ifnull(max(seq), 0) FROM event", [], |row| from_sql(row, 0));
            last.map_err(|source| self.failed(source))
        })
    }

    /// The chain at a record; `None` if there is no such record.
    pub fn point(&self, seq: u64) -> Result<Option<Point>, JournalError> {
        self.with(|connection| {
            let (first, hash) = (self.hash_at(connection, 1)?, self.hash_at(connection, seq)?);
            Ok(first.zip(hash).map(|(first, hash)| Point { first, seq, hash }))
        })
    }

    /// Checks every record against the one before it.
    pub fn verify_chain(&self) -> Result<(), JournalError> {
        let mut seq = 0;
        loop {
            match self.read_after(seq, CHECK_BATCH)?.last() {
                Some(last) => seq = last.seq,
                None => return Ok(()),
            }
        }
    }

    /// The kept fold, if it is undamaged and belongs to this journal's records.
    pub fn cached_fold(&self) -> Result<Option<CachedFold>, JournalError> {
        self.kept("fold.payload, fold.checksum")
    }

    /// The first line of the kept fold, read without the rest of it.
    pub fn cached_head(&self) -> Result<Option<CachedFold>, JournalError> {
        self.kept("fold.head, fold.head_checksum")
    }

    /// The stored glance, which is newer than the fold; `None` if there is none.
    pub fn cached_glance(&self) -> Result<Option<CachedFold>, JournalError> {
        let made = self.with(|connection| {
            let query = "SELECT count(*) FROM sqlite_master WHERE name = 'glance'";
            let made: rusqlite::Result<i64> = connection.query_row(query, [], |row| row.get(0));
            made.map_err(|source| self.failed(source))
        })?;
        if made == 0 { Ok(None) } else { self.kept_in("glance", "glance.payload, glance.checksum") }
    }

    fn kept(&self, columns: &str) -> Result<Option<CachedFold>, JournalError> {
        self.kept_in("fold", columns)
    }

    fn kept_in(&self, table: &str, columns: &str) -> Result<Option<CachedFold>, JournalError> {
        let query = format!(
            "SELECT {table}.seq, {table}.hash, {columns} FROM {table}
             JOIN event ON event.seq = {table}.seq AND event.hash = {table}.hash"
        );
        self.with(|connection| {
            let row = connection
                .query_row(&query, [], |row| {
                    let checksum: [u8; 32] = row.get(3)?;
                    Ok(((from_sql(row, 0)?, row.get(1)?, row.get::<_, Vec<u8>>(2)?), checksum))
                })
                .optional();
            match row {
                Ok(Some((fold, checksum))) if blake3::hash(&fold.2) == checksum => Ok(Some(fold)),
                // A fold can be rebuilt from the records, so a damaged one is ignored.
                Ok(_)
                | Err(
                    rusqlite::Error::InvalidColumnType(..) | rusqlite::Error::FromSqlConversionFailure(..),
                ) => Ok(None),
                Err(source) => Err(self.failed(source)),
            }
        })
    }

    fn with<T>(&self, ask: impl FnOnce(&Connection) -> Result<T, JournalError>) -> Result<T, JournalError> {
        match &self.source {
            Database::Live(connection) => ask(connection),
            Database::AtRest => ask(&connect(&self.path)?),
        }
    }

    /// The hash of a record; `None` if there is no such record.
    fn hash_at(&self, connection: &Connection, seq: u64) -> Result<Option<[u8; 32]>, JournalError> {
        if seq == 0 {
            return Ok(Some(GENESIS));
        }
        let hash =
            connection.query_row("SELECT hash FROM event WHERE seq = ?1", [to_sql(seq)], |row| row.get(0));
        match hash.optional() {
            Err(rusqlite::Error::InvalidColumnType(..) | rusqlite::Error::FromSqlConversionFailure(..)) => {
                Err(JournalError::Broken { path: self.path.clone(), seq })
            }
            other => other.map_err(|source| self.failed(source)),
        }
    }

    /// Rows with their hashes; `None` for a row that does not even have the right types.
    fn rows_after(
        &self,
        connection: &Connection,
        seq: u64,
        limit: usize,
    ) -> Result<Vec<Option<Row>>, JournalError> {
        let query = "SELECT seq, at, kind, json, hash FROM event WHERE seq > ?1 ORDER BY seq LIMIT ?2";
        let read = || {
            let mut statement = connection.prepare_cached(query)?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut rows = statement.query(rusqlite::params![to_sql(seq), limit])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                found.push(read_row(row).ok());
            }
            Ok(found)
        };
        read().map_err(|source| self.failed(source))
    }

    fn failed(&self, source: rusqlite::Error) -> JournalError {
        JournalError::of_sqlite(&self.path, source)
    }
}

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    let record = Record { seq: from_sql(row, 0)?, at: row.get(1)?, kind: row.get(2)?, json: row.get(3)? };
    Ok((record, row.get(4)?))
}

/// Whether the journal's log exists: a writer makes it and leaves it.
fn has_log(path: &Path) -> bool {
    let mut log = OsString::from(path);
    log.push("-wal");
    Path::new(&log).exists()
}

/// Opens without the right to write. Without a log SQLite would make one; told that the file does not change, it
/// makes nothing.
fn connect(path: &Path) -> Result<Connection, JournalError> {
    let failed = |source| JournalError::of_sqlite(path, source);
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mode = if has_log(path) { "mode=ro" } else { "mode=ro&immutable=1" };
    let connection = Connection::open_with_flags(format!("file:{}?{mode}", uri_path(path)), flags);
    let connection = connection.map_err(failed)?;
    connection.busy_timeout(Duration::from_secs(10)).map_err(failed)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(failed)?;
    Ok(connection)
}

/// The path with everything escaped that means something in a URI.
fn uri_path(path: &Path) -> String {
    let mut text = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                text.push(char::from(*byte));
            }
            other => {
                // Writing to a string cannot fail.
                let _ = write!(text, "%{other:02X}");
            }
        }
    }
    text
}
