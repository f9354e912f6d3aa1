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
