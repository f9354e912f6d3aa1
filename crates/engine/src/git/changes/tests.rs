//! Tests: reading the differences that git prints.

use super::*;

const A: &str = "1111111111111111111111111111111111111111";
const B: &str = "2222222222222222222222222222222222222222";
const ZERO: &str = "0000000000000000000000000000000000000000";

fn oid(text: &str) -> Oid {
    Oid::new(text).unwrap()
}

#[test]
fn a_raw_line_is_one_change() {
    let table = [
        (format!(":000000 100644 {ZERO} {B} A"), ChangeKind::Added, None, Some((0o100_644, oid(B)))),
        (
            format!(":100644 100755 {A} {B} M"),
            ChangeKind::Modified,
            Some((0o100_644, oid(A))),
            Some((0o100_755, oid(B))),
        ),
        (format!(":100644 000000 {A} {ZERO} D"), ChangeKind::Deleted, Some((0o100_644, oid(A))), None),
        (
            format!(":100644 120000 {A} {B} T"),
            ChangeKind::TypeChanged,
            Some((0o100_644, oid(A))),
            Some((0o120_000, oid(B))),
        ),
    ];
    for (header, kind, old, new) in table {
        let change = parse_change(header.as_bytes(), b"a b.txt").unwrap();
        assert_eq!(change, PathChange { path: "a b.txt".into(), kind, old, new }, "{header}");
    }
}

#[test]
fn a_line_of_another_shape_is_an_error() {
    for header in [
        "",
        ":100644 100644",
        &format!(":100644 100644 {A} {B} R100"),
        &format!(":100644 100644 {A} {B}"),
        &format!(":10x644 100644 {A} {B} M"),
        ":100644 100644 xyz abc M",
    ] {
        assert!(parse_change(header.as_bytes(), b"a").is_err(), "{header}");
    }
    let header = format!(":000000 100644 {ZERO} {B} A");
    assert!(matches!(parse_change(header.as_bytes(), b"\xff"), Err(GitError::PathNotUtf8 { .. })));
}

#[test]
fn line_counts_are_read_and_binary_files_have_none() {
    let table = [
        ("3\t1\tsrc/a.rs", ("src/a.rs", 3, 1)),
        ("-\t-\tlogo.png", ("logo.png", 0, 0)),
        ("0\t7\twith\ttab", ("with\ttab", 0, 7)),
    ];
    for (record, (path, added, removed)) in table {
        assert_eq!(parse_line_count(record.as_bytes()).unwrap(), (path.to_owned(), added, removed));
    }
    for record in ["", "3", "3\t1"] {
        assert!(parse_line_count(record.as_bytes()).is_err(), "{record}");
    }
}
