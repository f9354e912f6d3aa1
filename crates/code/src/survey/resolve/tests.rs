//! Relative paths and the roots of sources.

use super::*;

#[test]
fn dots_are_resolved_inside_the_tree() {
    let table = [
        ("a/b", "../c", Some("a/c")),
        ("a/b", "./c", Some("a/b/c")),
        ("a/b", "c/./d", Some("a/b/c/d")),
        ("a//b", "c", Some("a/b/c")),
        ("", "c", Some("c")),
        ("a", "", Some("a")),
        ("a", "..", Some("")),
        // Climbing out of the tree is no path.
        ("a", "../../c", None),
        ("", "..", None),
    ];
    for (dir, relative, expected) in table {
        assert_eq!(resolve_dots(dir, relative).as_deref(), expected, "{dir} + {relative}");
    }
}

#[test]
fn roots_go_up_from_the_nearest() {
    assert_eq!(roots("a/b/c.py", &["src"]), ["a/b", "a/b/src", "a", "a/src", "", "src"]);
    assert_eq!(roots("c.py", &[]), [""]);
}
