//! Tests: the store of held-out tests and their commands.

use super::*;

#[test]
fn a_command_for_another_file() {
    let table = [
        (
            "cd a\npytest -q tests/test_x.py",
            "a/tests/test_x.py",
            "a/tests/test_y.py",
            "cd a\npytest -q tests/test_y.py",
        ),
        ("node --test t/x.test.js", "t/x.test.js", "t/y.test.js", "node --test t/y.test.js"),
        ("cargo test --test x", "tests/x.rs", "tests/y.rs", "cargo test --test y"),
    ];
    for (script, own, other, expected) in table {
        assert_eq!(in_place_of(script, own, other).as_deref(), Some(expected));
    }
    assert_eq!(in_place_of("cargo test", "tests/x.rs", "tests/y.rs"), None);
    assert_eq!(in_place_of("pytest tests/x.py", "tests/x.py", "tests/y;rm z.py"), None, "it needs quotes");
    assert_eq!(in_place_of("pytest tests/test_xy.py", "tests/test_x.py", "tests/test_y.py"), None);
}

#[test]
fn what_is_kept_is_found_by_its_hash_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let store = HeldOutStore::at(dir.path().join("held-out"));
    let hash = store.keep(b"assert 1\n").unwrap();
    assert_eq!(store.read(&hash).as_deref(), Some(&b"assert 1\n"[..]));
    assert_eq!(store.read(&hash.to_uppercase()).as_deref(), Some(&b"assert 1\n"[..]));
    assert_eq!(store.read("../held-out"), None);
    std::fs::write(dir.path().join("held-out").join(&hash), "assert 2\n").unwrap();
    assert_eq!(store.read(&hash), None, "it is not what its name says");
}
