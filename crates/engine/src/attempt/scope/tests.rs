//! Tests: what is left out of a candidate and what is put back.

use super::*;

const OLD: &str = "pub fn f() -> u8 { 1 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() { assert_eq!(super::f(), 2); }\n}\n";

fn put(new: &str) -> Option<String> {
    with_test_regions("src/lib.rs", OLD.as_bytes(), new.as_bytes()).map(|t| String::from_utf8(t).unwrap())
}

#[test]
fn weakened_inline_tests_are_put_back_and_the_code_stays() {
    let weakened = OLD.replace("{ 1 }", "{ 3 }").replace("super::f(), 2", "super::f(), 3");
    let back = put(&weakened).unwrap();
    assert_eq!(back, OLD.replace("{ 1 }", "{ 3 }"));
}

#[test]
fn deleted_inline_tests_come_back_at_the_end() {
    let back = put("pub fn f() -> u8 { 3 }\n").unwrap();
    assert!(back.starts_with("pub fn f() -> u8 { 3 }\n"), "{back}");
    assert!(back.contains("assert_eq!(super::f(), 2)"), "{back}");
}

#[test]
fn tests_that_were_cut_into_pieces_cannot_be_put_back() {
    let pieces = format!("{OLD}\n#[cfg(test)]\nmod more {{\n    #[test]\n    fn t() {{}}\n}}\n");
    assert_eq!(put(&pieces), None);
}

#[test]
fn a_turn_that_leaves_nothing_failed_by_its_frozen_files_first() {
    let list = |paths: &[&str]| paths.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
    let scoped = |paths: &[&str], frozen: &[&str]| ScopedChange {
        tree: Oid::new(&"1".repeat(40)).unwrap(),
        left_out: LeftOut { paths: list(paths), frozen: list(frozen) },
    };
    assert_eq!(scoped(&["a"], &[]).nothing_left().kind(), "out-of-scope");
    assert_eq!(scoped(&["a"], &["t"]).nothing_left().kind(), "frozen-changed");
}

fn change(path: &str, kind: ChangeKind) -> PathChange {
    PathChange { path: path.to_owned(), kind, old: None, new: None }
}

#[test]
fn a_move_is_half_if_the_task_owns_only_what_went_away() {
    use ChangeKind::{Added, Deleted, Modified};
    type MoveRow<'a> = (&'a [(&'a str, ChangeKind)], Option<(&'a str, &'a str)>);
    let table: [MoveRow<'_>; 5] = [
        (&[("mine/a", Deleted), ("b", Added)], Some(("mine/a", "b"))),
        (&[("mine/a", Deleted), ("mine/b", Added)], None),
        (&[("mine/a", Deleted), ("b", Modified)], None),
        (&[("a", Deleted), ("b", Added)], None),
        (&[("mine/a", Modified), ("b", Added)], None),
    ];
    let may_change = |path: &str| path.starts_with("mine/");
    for (changes, expected) in table {
        let changes: Vec<PathChange> = changes.iter().map(|(path, kind)| change(path, *kind)).collect();
        let outside: Vec<&PathChange> = changes.iter().filter(|c| !may_change(&c.path)).collect();
        let found = half_a_move(&changes, &outside, &may_change, &|_, _| Ok(true)).unwrap();
        assert_eq!(found.as_ref().map(|(from, to)| (from.as_str(), to.as_str())), expected);
    }
}

/// A file that may go and a stray beside it are no move, unless the stray has what was in the file.
#[test]
fn a_move_keeps_half_of_the_lines() {
    let table = [
        ("a\nb\nc\nd\n", "a\nb\nc\nd\n", true),
        ("a\nb\nc\nd\n", "x\n  a\n\tb\n", true),
        ("a\nb\nc\nd\n", "a\nx\ny\nz\n", false),
        ("a\n", "junk\n", false),
        ("\n\n", "\n", false),
        ("", "a\n", false),
    ];
    for (gone, added, expected) in table {
        assert_eq!(is_moved(Some(gone.into()), Some(added.into())), expected, "{gone:?} {added:?}");
    }
    assert!(!is_moved(Some("a".into()), None));
    let changes = [change("mine/a", ChangeKind::Deleted), change("stray", ChangeKind::Added)];
    let (outside, mine) = ([&changes[1]], |path: &str| path.starts_with("mine/"));
    assert_eq!(half_a_move(&changes, &outside, &mine, &|_, _| Ok(false)).unwrap(), None);
}

#[test]
fn a_change_is_undone_by_its_old_side() {
    let blob = Oid::new(&"2".repeat(40)).unwrap();
    let mut modified = change("a", ChangeKind::Modified);
    modified.old = Some((0o100_755, blob.clone()));
    assert_eq!(restored(&modified), TreeEdit { path: "a".into(), new: Some((0o100_755, blob)) });
    assert_eq!(restored(&change("n", ChangeKind::Added)), TreeEdit { path: "n".into(), new: None });
}

#[test]
fn a_language_without_test_regions_has_nothing_to_put_back() {
    for (path, old, new) in [
        ("a.sh", "echo 1\n", "echo 2\n"),
        ("src/lib.rs", "pub fn f() {}\n", "pub fn g() {}\n"),
        ("src/lib.rs", "", ""),
    ] {
        assert_eq!(with_test_regions(path, old.as_bytes(), new.as_bytes()), None, "{path} {old}");
    }
}
