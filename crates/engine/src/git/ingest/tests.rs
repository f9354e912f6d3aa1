//! Tests: deletions and edits found when a directory is taken in.

use std::collections::BTreeSet;

use super::*;

const A: &str = "1111111111111111111111111111111111111111";
const B: &str = "2222222222222222222222222222222222222222";

fn entry(path: &str, oid: &str) -> TreeEntry {
    let mode = if path.starts_with("sub") { GITLINK } else { 0o100_644 };
    TreeEntry { mode, oid: Oid::new(oid).unwrap(), path: path.into() }
}

fn found(untouched: &[&str], to_read: &[&str], refused: &[&str]) -> WalkResult {
    WalkResult {
        to_read: to_read.iter().map(|p| (*p).to_owned()).collect::<BTreeSet<_>>(),
        untouched: untouched.iter().map(|p| (*p).to_owned()).collect(),
        refused: refused
            .iter()
            .map(|p| Refusal { path: (*p).to_owned(), why: RefusalKind::Symlink })
            .collect(),
    }
}

fn paths(edits: &[TreeEdit]) -> Vec<&str> {
    let mut paths: Vec<&str> = edits.iter().map(|edit| edit.path.as_str()).collect();
    paths.sort_unstable();
    paths
}

#[test]
fn a_file_is_deleted_only_if_it_was_checked_out_and_is_gone() {
    let base = [entry("a", A), entry("b/c", A), entry("hidden", A), entry("kept", A), entry("submodule", A)];
    let laid = [entry("a", A), entry("b/c", A), entry("kept", A), entry("submodule", A)];
    let (base, laid) = (SortedEntries(&base), SortedEntries(&laid));
    let gone = |found: &WalkResult| paths(&deletions(found, base, laid)).join(" ");
    assert_eq!(gone(&found(&["kept"], &[], &[])), "a b/c");
    assert_eq!(gone(&found(&["kept", "b/c"], &["a"], &[])), "", "read files are not gone");
    assert_eq!(gone(&found(&["kept"], &[], &["b"])), "a", "nothing is known below a refused path");
    assert_eq!(gone(&found(&["kept"], &[], &["a", "b/c"])), "");
}

#[test]
fn an_untouched_file_that_the_base_has_otherwise_is_an_edit() {
    let base = [entry("other", A), entry("same", A)];
    let laid = [entry("new", B), entry("other", B), entry("same", A)];
    let (base, laid) = (SortedEntries(&base), SortedEntries(&laid));
    let edits = untouched_but_not_base(&found(&["same", "other", "new"], &[], &[]), base, laid);
    assert_eq!(paths(&edits), ["new", "other"]);
    assert!(edits.iter().all(|edit| edit.new == Some((0o100_644, Oid::new(B).unwrap()))));
}

#[test]
fn an_index_entry_has_mode_id_stage_and_path() {
    let read = parse_stage(format!("100755 {A} 0\tbin/run it").as_bytes()).unwrap();
    assert_eq!(read, TreeEntry { mode: 0o100_755, oid: Oid::new(A).unwrap(), path: "bin/run it".into() });
    for record in ["", "100644", &format!("100644 {A} 0"), "odd x 0\ta", &format!("9 {A} 0\ta")] {
        assert!(parse_stage(record.as_bytes()).is_err(), "{record}");
    }
}
