//! Paths seen from directories, and the configuration files near a path.

use super::*;
use crate::repo::MemoryTree;

#[test]
fn paths_and_directories() {
    for (dir, path, relative_path, below) in [
        ("", "a/b", "a/b", true),
        ("a", "a/b", "b", true),
        ("a", "ab/c", "ab/c", false),
        ("a", "a", "a", false),
        ("a/b", "a/b/c/d", "c/d", true),
        ("b", "a/b", "a/b", false),
    ] {
        assert_eq!(relative(dir, path), relative_path, "{dir} {path}");
        assert_eq!(is_below(dir, path), below, "{dir} {path}");
    }
    assert_eq!((in_dir("", "x"), in_dir("a", "x")), ("x".to_owned(), "a/x".to_owned()));
    assert_eq!(from_dir("", "x"), "x");
    assert_eq!(from_dir("a b", "x"), "cd 'a b' && x");
    assert_eq!(upwards("a/b/c").collect::<Vec<_>>(), ["a/b", "a", ""]);
    assert_eq!(upwards("c").collect::<Vec<_>>(), [""]);
}

#[test]
fn the_nearest_file() {
    let tree = MemoryTree::new([("x", ""), ("y", ""), ("a/y", ""), ("a/b/z", "")]);
    let table = [
        ("a/b/f", &["x", "y"][..], Some("a/y")),
        ("a/b/f", &["x"], Some("x")),
        ("f", &["y", "x"], Some("y")),
        ("a/b/f", &["z", "y"], Some("a/b/z")),
        ("a/f", &["z"], None),
        ("a/f", &[], None),
    ];
    for (path, names, expected) in table {
        assert_eq!(nearest(&tree, path, names).as_deref(), expected, "{path} {names:?}");
    }
}

/// A file that does not parse counts as none.
#[test]
fn content() {
    let tree = MemoryTree::new([
        ("a.toml", "[a.b]\nc = 1\n"),
        ("bad.toml", "["),
        ("a.json", "{}"),
        ("bad.json", "{"),
    ]);
    assert!(toml(&tree, "bad.toml").is_none() && toml(&tree, "gone.toml").is_none());
    assert!(json(&tree, "bad.json").is_none() && json(&tree, "a.json").is_some());
    let table = toml(&tree, "a.toml").unwrap();
    for (keys, expected) in [
        (&["a"][..], true),
        (&["a", "b"], true),
        (&["a", "b", "c"], true),
        (&["a", "b", "c", "d"], false),
        (&["a", "c"], false),
        (&["x"], false),
        (&[], true),
    ] {
        assert_eq!(has_key(&table, keys), expected, "{keys:?}");
    }
}

#[test]
fn dependencies_of_any_kind() {
    for kind in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
        let text = format!(r#"{{"{kind}":{{"x":"1"}}}}"#);
        let package: Value = serde_json::from_str(&text).unwrap();
        assert!(depends_on(&package, "x") && !depends_on(&package, "y"), "{kind}");
        let tree = MemoryTree::new([("package.json", text.as_str()), ("a/package.json", "{}")]);
        assert!(any_depends_on(&tree, "a/b.ts", &["y", "x"]) && !any_depends_on(&tree, "a/b.ts", &["y"]));
    }
}

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
