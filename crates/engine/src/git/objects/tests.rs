//! Tests: reading blobs from a batch.

use super::*;

const A: &str = "1111111111111111111111111111111111111111";

#[test]
fn a_batch_is_read_entry_by_entry() {
    let oid = Oid::new(A).unwrap();
    let out = format!("{A} blob 5\nhello\n{A} blob 0\n\n{A} blob 3\na\nb\n");
    let mut rest = out.as_bytes();
    let mut blobs = Vec::new();
    while !rest.is_empty() {
        let (blob, after) = parse_batch_entry(rest, &oid).unwrap();
        blobs.push(String::from_utf8_lossy(blob).into_owned());
        rest = after;
    }
    assert_eq!(blobs, ["hello", "", "a\nb"]);
}

#[test]
fn what_is_no_blob_is_an_error() {
    let oid = Oid::new(A).unwrap();
    let missing = format!("{A} missing\n");
    assert!(matches!(parse_batch_entry(missing.as_bytes(), &oid), Err(GitError::ObjectMissing { .. })));
    for out in
        [format!("{A} tree 3\nabc\n"), format!("{A} blob 9\nshort\n"), format!("{A} blob x\n"), String::new()]
    {
        assert!(matches!(parse_batch_entry(out.as_bytes(), &oid), Err(GitError::Unreadable { .. })), "{out}");
    }
}
