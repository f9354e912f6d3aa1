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
