//! Tests: other spellings of paths.

use super::*;

#[test]
fn other_spellings_of_what_is_there_are_found() {
    let paths: Vec<String> =
        ["README.md", "src/name.rs", "src/caf\u{e9}.rs", "SRC/new.rs", "src/Name.rs", "src/cafe\u{301}.rs"]
            .map(str::to_owned)
            .to_vec();
    let added =
        |path: &str| PathChange { path: path.to_owned(), kind: ChangeKind::Added, old: None, new: None };
    let found = |new: &[&str]| twins(&new.iter().map(|p| added(p)).collect::<Vec<_>>(), &paths);
    assert_eq!(
        found(&["src/Name.rs"]),
        ["src (another spelling of SRC)", "src/Name.rs (another spelling of src/name.rs)"]
    );
    assert_eq!(found(&["src/cafe\u{301}.rs"]).len(), 2);
    assert_eq!(found(&["SRC/new.rs"]), ["SRC (another spelling of src)"]);
    assert_eq!(found(&["README.md"]), [""; 0]);
    let changed = PathChange { kind: ChangeKind::Modified, ..added("src/Name.rs") };
    assert_eq!(twins(&[changed], &paths), [""; 0], "what was there before is nobody's doing");
}

#[test]
fn spellings_are_compared_as_whole_names() {
    let paths: Vec<String> =
        ["src/names.rs", "src/name.rs.bak", "SRC", "lib/A/B/c.rs", "lib/a/b.rs", "na\u{ef}ve/x"]
            .map(str::to_owned)
            .to_vec();
    let added =
        |path: &str| PathChange { path: path.to_owned(), kind: ChangeKind::Added, old: None, new: None };
    let found = |new: &str| twins(&[added(new)], &paths).join("; ");
    for (new, expected) in [
        ("src/name.rs", "src (another spelling of SRC)"),
        ("source/name.rs", ""),
        ("lib/a/c.rs", "lib/a (another spelling of lib/A)"),
        ("LIB/x", "LIB (another spelling of lib)"),
        ("lib/a/B.RS", "lib/a (another spelling of lib/A); lib/a/B.RS (another spelling of lib/a/b.rs)"),
        ("NA\u{ef}VE/y", "NA\u{ef}VE (another spelling of na\u{ef}ve)"),
        ("na\u{ef}", ""),
    ] {
        assert_eq!(found(new), expected, "{new}");
    }
}
