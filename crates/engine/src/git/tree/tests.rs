//! Tests: paths and prefixes in trees.

use super::*;

#[test]
fn a_prefix_ends_at_a_slash() {
    let cases = [
        ("plans/a", "plans/", true),
        ("plans/a", "plans", true),
        ("plans", "plans/", true),
        ("plansx/a", "plans", false),
        ("a/plans/b", "plans", false),
    ];
    for (path, prefix, expected) in cases {
        assert_eq!(is_below(path, prefix), expected, "{path} {prefix}");
    }
}

#[test]
fn paths_that_cannot_be_in_a_tree_are_refused() {
    for bad in ["", "/a", "a//b", "a/../b", "./a", ".git/config", "a/.GIT", "a/"] {
        assert!(check_path(bad).is_err(), "{bad}");
    }
    for good in ["a", "a b/c\td", ".github/x", "é\n"] {
        assert!(check_path(good).is_ok(), "{good}");
    }
}

#[test]
fn entries_are_found_by_path_and_by_directory() {
    let oid = Oid::new(&"1".repeat(40)).unwrap();
    let entry = |path: &str| TreeEntry { mode: 0o100_644, oid: oid.clone(), path: path.to_owned() };
    let entries = ["a", "a-b/c", "a.d", "dir/b", "dir0"].map(entry);
    let entries = SortedEntries(&entries);
    assert!(["a", "a-b/c", "dir0"].iter().all(|path| entries.has(path)));
    assert!(["", "dir", "dir/", "a-b", "z"].iter().all(|path| !entries.has(path)));
    assert!(entries.has_below("dir") && entries.has_below("a-b"));
    assert!(["a", "a-", "dir/b", "dir0", "d", "z"].iter().all(|dir| !entries.has_below(dir)));
}
