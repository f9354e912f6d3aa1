//! Tests of `cargo`.

use super::*;
use crate::repo::MemoryTree;

#[test]
fn packages_of_cargo() {
    let tree = MemoryTree::new([
        ("Cargo.toml", "[workspace]\nmembers = ['*']\n[workspace.package]\nedition = '2024'\n"),
        ("a/Cargo.toml", "[package]\nname = 'a'\nedition = '2018'\n"),
        ("b/Cargo.toml", "[package]\nname = 'b'\nedition.workspace = true\n"),
        ("c/Cargo.toml", "[package]\nname = 'c'\n"),
        ("bad/Cargo.toml", "["),
    ]);
    for (file, name, edition) in
        [("a/src/x/y.rs", "a", "2018"), ("b/build.rs", "b", "2024"), ("c/src/lib.rs", "c", "2015")]
    {
        let package = cargo_package(&tree, file).unwrap();
        assert_eq!((package.name.as_str(), package.edition.as_str()), (name, edition), "{file}");
    }
    assert!(cargo_package(&tree, "bad/src/lib.rs").is_none());
}

/// Cargo starts where the workspace of a package is, and an excluded package has none.
#[test]
fn where_cargo_is_started() {
    let tree = MemoryTree::new([
        ("Cargo.toml", "[workspace]\nmembers = ['crates/*', 'tools/kept']\nexclude = ['./tools', 'fuzz/']\n"),
        ("crates/a/Cargo.toml", "[package]\nname = 'a'\n"),
        ("tools/gen/Cargo.toml", "[package]\nname = 'gen'\n"),
        ("tools/kept/Cargo.toml", "[package]\nname = 'kept'\n"),
        ("fuzz/Cargo.toml", "[package]\nname = 'fuzz'\n"),
        ("fuzzy/Cargo.toml", "[package]\nname = 'fuzzy'\n"),
    ]);
    for (file, root) in [
        ("crates/a/src/lib.rs", ""),
        ("tools/gen/src/lib.rs", "tools/gen"),
        ("tools/kept/src/lib.rs", ""),
        ("fuzz/src/lib.rs", "fuzz"),
        ("fuzzy/src/lib.rs", ""),
        ("src/lib.rs", ""),
    ] {
        assert_eq!(cargo_root(&tree, file).as_deref(), Some(root), "{file}");
    }
}
