//! Tests: the patterns of formatters.

use super::matches;

#[test]
fn patterns_match_names_and_paths() {
    for (pattern, path, expected) in [
        ("*.py", "a/b.py", true),
        ("*.py", "a/b.pyc", false),
        ("src/*.rs", "src/x.rs", true),
        ("b?.c", "a/b1.c", true),
        ("", "x", false),
    ] {
        assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
    }
}
