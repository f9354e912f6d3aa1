//! Accepted and refused names.

use super::*;

#[test]
fn names_follow_the_rule() {
    for good in ["001", "001a", "TASK-042", "IMPL-3.1", "BITE-L1-001", "a", "x_y"] {
        assert!(TaskId::new(good).is_ok(), "{good}");
    }
    for bad in
        ["", ".a", "-a", "a..b", "a.lock", "A.LOCK", "a/b", "a b", "a\nb", "é", "a.", "$(x)", "a@{b", "a~1"]
    {
        assert!(TaskId::new(bad).is_err(), "{bad}");
    }
    assert!(TaskId::new(&"x".repeat(64)).is_ok());
    assert_eq!(TaskId::new(&"x".repeat(65)), Err(IdError::TooLong(65)));
}

#[test]
fn a_name_cannot_be_smuggled_in_by_deserialising() {
    assert!(serde_json::from_str::<TaskId>("\"../x\"").is_err());
    assert!(serde_json::from_str::<Oid>("\"ABC\"").is_err());
}

#[test]
fn a_refused_name_says_what_is_wrong_and_where() {
    let bad = |found: &str, at| IdError::BadCharacter { found: found.into(), at };
    let table = [
        ("", IdError::Empty),
        (" ", bad(" ", 1)),
        ("-rf", bad("-", 1)),
        ("_a", bad("_", 1)),
        (".git", bad(".", 1)),
        (".lock", bad(".", 1)),
        ("../../etc/passwd", bad(".", 1)),
        ("refs/heads/x", bad("/", 5)),
        ("a\\b", bad("\\\\", 2)),
        ("a:b", bad(":", 2)),
        ("a b", bad(" ", 2)),
        ("a\tb", bad("\\t", 2)),
        ("a\r\n", bad("\\r", 2)),
        ("a\0", bad("\\0", 2)),
        ("a\u{1b}[31m", bad("\\u{1b}", 2)),
        ("a\u{202e}b", bad("\\u{202e}", 2)),
        ("Grün", bad("ü", 3)),
        ("٣", bad("٣", 1)),
        ("a..b", IdError::BadSequence("..")),
        ("a..lock", IdError::BadSequence("..")),
        ("index.lock", IdError::BadSequence(".lock")),
        ("index.LoCk", IdError::BadSequence(".lock")),
        ("v1.", IdError::BadSequence("a final `.`")),
    ];
    for (text, expected) in table {
        assert_eq!(TaskId::new(text), Err(expected.clone()), "{text:?}");
        assert_eq!(PlanName::new(text), Err(expected), "{text:?}");
    }
}

#[test]
fn names_that_only_look_odd_are_accepted() {
    let table = ["0", "a-", "a_", "a--b", "a.b.c", "x.lock.y", "locked", "block", "CON", "HEAD"];
    for text in table {
        assert_eq!(TaskId::new(text).unwrap().as_str(), text);
    }
}

#[test]
fn a_bad_character_is_reported_before_the_length() {
    assert_eq!(TaskId::new(&"x".repeat(1_000_000)), Err(IdError::TooLong(1_000_000)));
    let text = format!("{}/", "x".repeat(100));
    assert_eq!(TaskId::new(&text), Err(IdError::BadCharacter { found: "/".into(), at: 101 }));
}

#[test]
fn errors_are_one_line_for_people() {
    let table = [
        ("", "the id is empty"),
        (
            "a/b",
            "`/` is not allowed at position 2: use letters, digits, `.`, `_`, `-`, starting with a letter or digit",
        ),
        ("a..b", "`..` is not allowed in an id"),
    ];
    for (text, expected) in table {
        assert_eq!(TaskId::new(text).unwrap_err().to_string(), expected);
    }
    assert_eq!(IdError::TooLong(65).to_string(), "the id is 65 characters long, the limit is 64");
}

#[test]
fn an_object_id_is_whole_and_lowercase() {
    let digits = "0123456789abcdef";
    let sha1 = digits.repeat(3)[..40].to_owned();
    let sha256 = digits.repeat(4);
    for good in [&sha1, &sha256] {
        assert_eq!(Oid::new(good).unwrap().short(), "01234567");
    }
    let bad = [
        String::new(),
        "HEAD".to_owned(),
        sha1[..39].to_owned(),
        format!("{sha1}0"),
        sha256[..63].to_owned(),
        sha1.to_uppercase(),
        sha1.replace('a', "g"),
        sha1.replace('0', " "),
        format!("{}\n", &sha1[..39]),
    ];
    for text in bad {
        assert_eq!(Oid::new(&text), Err(IdError::NotAnOid), "{text:?}");
    }
}

#[test]
fn names_are_plain_strings_in_json() {
    let id: TaskId = serde_json::from_str(r#""T-1""#).unwrap();
    assert_eq!(serde_json::to_string(&id).unwrap(), r#""T-1""#);
    for bad in ["7", "null", r#"["T-1"]"#, r#"{"id":"T-1"}"#, r#""a/b""#, r#""""#] {
        assert!(serde_json::from_str::<TaskId>(bad).is_err(), "{bad}");
    }
}

#[test]
fn names_are_found_by_text_sorted_as_text_and_padded_like_text() {
    let ids: std::collections::BTreeSet<TaskId> =
        ["T-2", "T-10", "T-1"].into_iter().map(|t| t.parse().unwrap()).collect();
    assert!(ids.contains("T-10") && !ids.contains("T-3"));
    assert_eq!(ids.iter().map(TaskId::as_str).collect::<Vec<_>>(), ["T-1", "T-10", "T-2"]);
    let id: TaskId = "ab".parse().unwrap();
    assert_eq!(format!("{id:<4}|{id:>4}|{id:?}"), "ab  |  ab|ab");
    assert_eq!(format!("{:>3}", AttemptNo(7)), "  7");
}

#[test]
fn a_blob_name_is_the_hash_of_its_bytes() {
    let empty = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
    assert_eq!(BlobName::of(b"").checked(), Some(empty));
    assert_eq!(BlobName::of(b"x"), BlobName::from_hash(&blake3::hash(b"x")));
    assert_ne!(BlobName::of(b"x"), BlobName::of(b"x\n"));
}

#[test]
fn a_blob_name_from_a_journal_is_checked_before_it_becomes_a_path() {
    let table = [
        ("a".repeat(64), true),
        ("A1".repeat(32), true),
        ("a".repeat(63), false),
        ("a".repeat(65), false),
        ("g".repeat(64), false),
        (format!("../{}", "a".repeat(61)), false),
        (String::new(), false),
    ];
    for (text, good) in table {
        let name: BlobName = serde_json::from_value(text.clone().into()).unwrap();
        assert_eq!(name.checked(), good.then_some(text.as_str()), "{text}");
    }
}
