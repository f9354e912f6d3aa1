//! Journals that were damaged, cut off, rewritten or written by a newer program, and readers beside a writer.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use windlass_engine::journal::{JournalError, JournalReader, JournalWriter};

/// A journal with five records, written out of its log into the database file.
fn five() -> (tempfile::TempDir, PathBuf) {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("journal.db");
    let items: Vec<(String, String)> =
        (1..=5).map(|n| ("kind".to_owned(), format!("{{\"n\":{n}}}"))).collect();
    JournalWriter::open(&path).unwrap().append("t", &items).unwrap();
    Connection::open(&path).unwrap().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    (temp, path)
}

fn reader(path: &Path) -> JournalReader {
    JournalReader::open(path).unwrap().unwrap()
}

/// Changes the records behind the back of the triggers.
fn tamper(path: &Path, change: &str) {
    let raw = Connection::open(path).unwrap();
    raw.execute_batch("DROP TRIGGER event_is_not_updated; DROP TRIGGER event_is_not_deleted").unwrap();
    raw.execute_batch(change).unwrap();
}

#[test]
fn the_chain_breaks_at_the_first_record_that_does_not_fit() {
    let table = [
        ("a first record less", "DELETE FROM event WHERE seq = 1", Some(1)),
        ("a gap", "DELETE FROM event WHERE seq = 4", Some(4)),
        (
            "a gap that was closed",
            "DELETE FROM event WHERE seq = 3; UPDATE event SET seq = seq - 1 WHERE seq > 3",
            Some(3),
        ),
        (
            "two records exchanged",
            "UPDATE event SET seq = -1 WHERE seq = 2; UPDATE event SET seq = 2 WHERE seq = 3;
             UPDATE event SET seq = 3 WHERE seq = -1",
            Some(2),
        ),
        ("another kind", "UPDATE event SET kind = 'other' WHERE seq = 5", Some(5)),
        (
            "a record more, with a hash of its own",
            "INSERT INTO event VALUES (6, 't', 'kind', '{}', randomblob(32))",
            Some(6),
        ),
        (
            "a copy of the last record",
            "INSERT INTO event SELECT 6, at, kind, json, hash FROM event WHERE seq = 5",
            Some(6),
        ),
        ("nothing", "SELECT 1", None),
    ];
    for (what, change, expected) in table {
        let (_temp, path) = five();
        tamper(&path, change);
        let broken = match reader(&path).verify_chain() {
            Ok(()) => None,
            Err(JournalError::Broken { seq, path: named }) => {
                assert_eq!(named, path, "{what}");
                Some(seq)
            }
            Err(other) => panic!("{what}: {other:?}"),
        };
        assert_eq!(broken, expected, "{what}");
    }
}

#[test]
fn a_journal_cut_off_at_its_end_is_found_by_a_point_that_was_kept() {
    let (_temp, path) = five();
    let kept = reader(&path).point(5).unwrap().unwrap();
    assert_eq!(JournalWriter::open(&path).unwrap().point().unwrap(), Some(kept.clone()));
    tamper(&path, "DELETE FROM event WHERE seq > 3");
    let cut = reader(&path);
    cut.verify_chain().unwrap();
    assert_eq!(cut.last_seq().unwrap(), 3, "what is left is a chain of its own");
    assert_eq!(cut.point(5).unwrap(), None, "the kept point is not in it");

    // Written on after the cut, there is a record with that number again, and it is another one.
    let items: Vec<(String, String)> = (4..=5).map(|n| ("kind".to_owned(), format!("other {n}"))).collect();
    JournalWriter::open(&path).unwrap().append("t", &items).unwrap();
    let forged = reader(&path).point(5).unwrap().unwrap();
    assert_eq!(forged.first, kept.first);
    assert_ne!(forged.hash, kept.hash);
}

#[test]
fn two_journals_with_the_same_number_of_records_have_different_points() {
    let (one_dir, two_dir) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let point = |dir: &Path, json: &str| {
        let mut writer = JournalWriter::open(&dir.join("j.db")).unwrap();
        assert_eq!(writer.point().unwrap(), None, "an empty journal has none");
        writer.append("t", &[("k".to_owned(), json.to_owned())]).unwrap();
        writer.point().unwrap().unwrap()
    };
    assert_ne!(point(one_dir.path(), "{}").first, point(two_dir.path(), "[]").first);
}

#[test]
fn files_that_are_no_longer_a_journal_are_errors_with_a_hint() {
    type Damage = fn(&Path);
    let table: [(&str, Damage); 3] = [
        ("another header", |path| {
            let mut bytes = fs::read(path).unwrap();
            bytes[..16].copy_from_slice(b"no such database");
            fs::write(path, bytes).unwrap();
        }),
        ("text", |path| fs::write(path, "lorem ipsum ".repeat(1000)).unwrap()),
        ("cut in the middle", |path| {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        }),
    ];
    for (what, damage) in table {
        let (_temp, path) = five();
        for log in ["journal.db-wal", "journal.db-shm"] {
            let _ = fs::remove_file(path.with_file_name(log));
        }
        damage(&path);
        let read = JournalReader::open(&path).and_then(|r| r.map_or(Ok(()), |r| r.verify_chain()));
        let error = read.expect_err(what);
        assert!(
            matches!(&error, JournalError::Corrupt { path: named, .. } if *named == path),
            "{what}: {error:?}"
        );
        assert!(error.hint().unwrap().contains("windlass audit"), "{what}");
    }
}

/// The records of a journal; why it cannot be read otherwise.
fn all_of(path: &Path) -> Result<Vec<String>, JournalError> {
    let Some(reader) = JournalReader::open(path)? else { return Ok(Vec::new()) };
    let records = reader.read_after(0, usize::MAX)?;
    Ok(records.into_iter().map(|r| format!("{} {} {} {}", r.seq, r.at, r.kind, r.json)).collect())
}

#[test]
fn no_flipped_bit_becomes_another_record() {
    // Bits all over the file, among them those of SQLite's own pages; the records fill several of them.
    const FLIPS: usize = 2000;
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("journal.db");
    let mut writer = JournalWriter::open(&path).unwrap();
    for n in 1..=120 {
        let json = format!("{{\"n\":{n},\"text\":\"{}\"}}", "word ".repeat(n % 40));
        writer.append("2026-11-17T12:00:00Z", &[("merged".to_owned(), json)]).unwrap();
    }
    drop(writer);
    Connection::open(&path).unwrap().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let (whole, records) = (fs::read(&path).unwrap(), all_of(&path).unwrap());
    assert_eq!(records.len(), 120);
    let (mut detected, mut harmless, mut shorter) = (0, 0, 0);
    for flip in 0..FLIPS {
        let damaged = temp.path().join(format!("{flip}.db"));
        let bit = (flip * whole.len() * 8 / FLIPS) + flip % 8;
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&damaged, bytes).unwrap();
        match all_of(&damaged) {
            Err(_) => detected += 1,
            Ok(same) if same == records => harmless += 1,
            Ok(some) => {
                // The end is gone, as after a crash: a chain of its own, and the points that evidence keeps are not in it.
                assert_eq!(some, records[..some.len()], "bit {bit}: records that nobody wrote");
                shorter += 1;
            }
        }
        fs::remove_file(&damaged).unwrap();
    }
    assert!(
        detected > FLIPS / 2 && shorter < 10,
        "{detected} detected, {harmless} harmless, {shorter} cut off"
    );
}

#[test]
fn a_newer_journal_is_named_with_both_formats() {
    for (found, refused) in [(1, false), (2, true), (99, true)] {
        let (_temp, path) = five();
        Connection::open(&path).unwrap().pragma_update(None, "user_version", found).unwrap();
        assert_eq!(reader(&path).read_after(0, 10).unwrap().len(), 5, "it can be read");
        match JournalWriter::open(&path) {
            Ok(_) => assert!(!refused, "format {found}"),
            Err(error) => {
                assert!(refused, "format {found}: {error:?}");
                let text = format!("has format {found}, this program writes format 1");
                assert!(error.to_string().ends_with(&text), "{error}");
                assert_eq!(error.hint(), Some("use the newer Windlass that wrote it"));
            }
        }
    }
}

#[test]
fn every_text_comes_back_as_it_was_written() {
    let huge = "x".repeat(1 << 20);
    let texts = ["", " ", "{\"a\":1}", "line\nline\r\n", "tab\tquote\"'", "ünï 🦀", "nul\0inside", &huge];
    let (_temp, path) = five();
    let mut writer = JournalWriter::open(&path).unwrap();
    for text in texts {
        let seq = writer.append(text, &[(text.to_owned(), text.to_owned())]).unwrap();
        let read = reader(&path).read_after(seq - 1, 1).unwrap();
        let short: String = text.chars().take(20).collect();
        assert!(read[0].at == text && read[0].kind == text && read[0].json == text, "{short:?}");
    }
    reader(&path).verify_chain().unwrap();
}

#[test]
fn a_page_ends_where_the_caller_says() {
    let (_temp, path) = five();
    let reader = reader(&path);
    let seqs = |after, limit| -> Vec<u64> {
        reader.read_after(after, limit).unwrap().iter().map(|r| r.seq).collect()
    };
    let table: [(u64, usize, &[u64]); 7] = [
        (0, 2, &[1, 2]),
        (2, 2, &[3, 4]),
        (4, 2, &[5]),
        (5, 2, &[]),
        (0, 0, &[]),
        (6, 10, &[]),
        (0, usize::MAX, &[1, 2, 3, 4, 5]),
    ];
    for (after, limit, expected) in table {
        assert_eq!(seqs(after, limit), expected, "{limit} after {after}");
    }
    assert!(reader.read_after(u64::MAX, 1).unwrap().is_empty());
}

#[test]
fn a_glance_is_used_only_undamaged_and_with_its_record() {
    let (_temp, path) = five();
    assert_eq!(reader(&path).cached_glance().unwrap(), None, "an older program kept none");
    let mut writer = JournalWriter::open(&path).unwrap();
    writer.store_glance(b"look").unwrap();
    let reader = reader(&path);
    let (seq, _, payload) = reader.cached_glance().unwrap().unwrap();
    assert_eq!((seq, payload.as_slice()), (5, b"look".as_slice()));
    writer.append("t", &[("k".into(), "{}".into())]).unwrap();
    assert_eq!(reader.cached_glance().unwrap().unwrap().0, 5, "older than the last record, and still true");
    writer.store_glance(b"later").unwrap();
    assert_eq!(reader.cached_glance().unwrap().unwrap().0, 6);
    let raw = Connection::open(&path).unwrap();
    for damage in [
        "UPDATE glance SET payload = CAST('Later' AS BLOB)",
        "UPDATE glance SET checksum = zeroblob(32)",
        "UPDATE glance SET checksum = zeroblob(1)",
        "UPDATE glance SET hash = zeroblob(32)",
        "UPDATE glance SET seq = 5",
        "UPDATE glance SET seq = 77",
        "DELETE FROM glance",
    ] {
        writer.store_glance(b"later").unwrap();
        assert!(reader.cached_glance().unwrap().is_some());
        raw.execute(damage, []).unwrap();
        assert_eq!(reader.cached_glance().unwrap(), None, "{damage}");
    }
}

#[test]
fn readers_beside_a_writer_see_whole_batches_in_order() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("journal.db");
    let mut writer = JournalWriter::open(&path).unwrap();
    let batch: Vec<(String, String)> = (0..3).map(|n| ("k".to_owned(), n.to_string())).collect();
    writer.append("t", &batch).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let reader = reader(&path);
                let mut seen = 0;
                while seen < 120 {
                    let last = reader.last_seq().unwrap();
                    assert_eq!(last % 3, 0, "half a batch is never seen");
                    for record in reader.read_after(seen, 1000).unwrap() {
                        assert_eq!(record.seq, seen + 1);
                        seen = record.seq;
                    }
                    assert!(seen >= last);
                }
            });
        }
        for _ in 1..40 {
            writer.append("t", &batch).unwrap();
        }
    });
    assert_eq!(writer.last_seq(), 120);
}

#[test]
fn a_writer_that_lost_its_place_writes_nothing() {
    let (_temp, path) = five();
    let mut stale = JournalWriter::open(&path).unwrap();
    let item = |n: u32| [("k".to_owned(), n.to_string())];
    JournalWriter::open(&path).unwrap().append("t", &item(6)).unwrap();
    for _ in 0..2 {
        let error = stale.append("t", &item(7)).unwrap_err();
        assert!(matches!(error, JournalError::ForeignWriter { .. }), "{error:?}");
    }
    assert_eq!(reader(&path).last_seq().unwrap(), 6);
    assert_eq!(
        JournalWriter::open(&path).unwrap().append("t", &item(7)).unwrap(),
        7,
        "opened anew it goes on"
    );
}
