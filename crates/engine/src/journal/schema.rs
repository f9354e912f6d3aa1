//! The shape of the databases on disk: how one is made, opened and kept private.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Row};

use super::error::JournalError;

/// The format this program writes.
pub(super) const FORMAT: u32 = 1;

/// The journal's tables. The triggers guard against mistakes of this program; the chain detects changes by any other.
pub(super) const JOURNAL: &str = "
    CREATE TABLE event(
        seq INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        json TEXT NOT NULL,
        hash BLOB NOT NULL
    ) STRICT;
    CREATE TRIGGER event_is_not_updated BEFORE UPDATE ON event
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
    CREATE TRIGGER event_is_not_deleted BEFORE DELETE ON event
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
    CREATE TABLE fold(
        id INTEGER PRIMARY KEY CHECK (id = 1),
        seq INTEGER NOT NULL,
        hash BLOB NOT NULL,
        head BLOB NOT NULL,
        head_checksum BLOB NOT NULL,
        checksum BLOB NOT NULL,
        payload BLOB NOT NULL
    ) STRICT;
";

/// A glance at a long run, stored more often than the fold. Older programs ignore the table.
pub(super) const GLANCE: &str = "
    CREATE TABLE IF NOT EXISTS glance(
        id INTEGER PRIMARY KEY CHECK (id = 1),
        seq INTEGER NOT NULL,
        hash BLOB NOT NULL,
        payload BLOB NOT NULL,
        checksum BLOB NOT NULL
    ) STRICT;
";

/// Opens a database for writing, making it with `tables` if it is new.
pub(crate) fn open_for_writing(path: &Path, tables: &str) -> Result<Connection, JournalError> {
    make_private_file(path)?;
    let failed = |source| JournalError::of_sqlite(path, source);
    let mut connection = Connection::open(path).map_err(failed)?;
    connection.busy_timeout(Duration::from_secs(10)).map_err(failed)?;
    refuse_newer(path, &connection)?;
    use_wal(&connection).map_err(failed)?;
    connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
    // The log stays when we close: a reader that opens later then has nothing to create.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(failed)?;
    make_tables(&mut connection, tables).map_err(failed)?;
    Ok(connection)
}

/// Turns the write-ahead log on. Where two programs do so at once, SQLite tells one of them that the file is busy without
/// waiting: it would be a deadlock.
fn use_wal(connection: &Connection) -> rusqlite::Result<()> {
    let mut tries = 0;
    loop {
        let done = connection.pragma_update(None, "journal_mode", "WAL");
        let is_busy =
            matches!(&done, Err(e) if e.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy));
        if !is_busy || tries == 500 {
            return done;
        }
        tries += 1;
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Makes the tables if there are none, all or nothing, even if two programs start at once.
fn make_tables(connection: &mut Connection, tables: &str) -> rusqlite::Result<()> {
    if format_of(connection)? != 0 {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    if format_of(&transaction)? == 0 {
        transaction.execute_batch(tables)?;
        transaction.pragma_update(None, "user_version", FORMAT)?;
    }
    transaction.commit()
}

/// The format a database says it has; 0 before its tables were made.
pub(super) fn format_of(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// The format of a database that a newer program wrote, and ours; `None` if this program can write it, or it cannot be read.
pub fn newer_format(path: &Path) -> Option<(u32, u32)> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
    let found = format_of(&connection).ok()?;
    (found > FORMAT).then_some((found, FORMAT))
}

fn refuse_newer(path: &Path, connection: &Connection) -> Result<(), JournalError> {
    let found = format_of(connection).map_err(|source| JournalError::of_sqlite(path, source))?;
    if found > FORMAT {
        return Err(JournalError::Newer { path: path.to_owned(), found, ours: FORMAT });
    }
    Ok(())
}

/// Creates the file and its directories, readable by the user only; SQLite gives its other files the same mode.
fn make_private_file(path: &Path) -> Result<(), JournalError> {
    let failed = |source| JournalError::Io { what: "cannot make", path: path.to_owned(), source };
    if let Some(dir) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(failed)?;
    }
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => sync_dir(path).map_err(failed),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(failed(error)),
    }
}

/// Makes a new name durable.
fn sync_dir(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(dir) => fs::File::open(dir)?.sync_all(),
        None => Ok(()),
    }
}

/// A record's number as SQLite keeps it.
pub(super) fn to_sql(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

/// A record's number from a column; a negative one is damage and fits nothing.
pub(super) fn from_sql(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).map(|seq| u64::try_from(seq).unwrap_or(u64::MAX))
}
