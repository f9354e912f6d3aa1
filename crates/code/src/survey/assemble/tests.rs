//! Which files a survey reads.

use super::*;
use crate::repo::MemoryTree;

#[test]
fn files_that_are_worth_reading() {
    let table = [
        ("src/cart.py", true),
        ("src/cart.ts", true),
        ("README.md", false),
        ("Makefile", false),
        // Generated and compiled.
        ("src/app.min.js", false),
        ("types/cart.d.ts", false),
        ("api/cart.pb.go", false),
        ("api/cart_pb2.py", false),
        // Installed or third-party, at any depth.
        ("node_modules/a/index.js", false),
        ("web/node_modules/a/index.js", false),
        (".venv/lib/a.py", false),
        ("target/debug/build/a.rs", false),
        // Names that only look like it.
        ("src/vendors/a.py", true),
        ("builder/a.py", true),
    ];
    for (path, expected) in table {
        assert_eq!(worth_reading(path), expected, "{path}");
    }
}

#[test]
fn why_a_file_is_not_read() {
    assert!(read_facts("a.py", b"x = 1\n").is_ok());
    assert!(read_facts("a.py", b"").is_ok());
    assert_eq!(read_facts("a.py", b"x\0y").unwrap_err(), Unread::NotText);
    assert_eq!(read_facts("a.txt", b"x").unwrap_err(), Unread::NotText);
    assert_eq!(read_facts("a.py", &vec![b'\n'; MAX_BYTES + 1]).unwrap_err(), Unread::TooLarge);
    assert!(!Unread::too_large(MAX_BYTES as u64) && Unread::too_large(MAX_BYTES as u64 + 1));
    assert_eq!(Unread::Gone.to_string(), "it cannot be read");
}

#[test]
fn paths_are_sorted_and_sources_are_positions() {
    let tree = MemoryTree::new([("b.py", "x = 1\n"), ("README.md", ""), ("a.py", "import b\n")]);
    let survey = survey(&tree);
    assert_eq!(*survey.paths, ["README.md", "a.py", "b.py"]);
    assert_eq!(survey.sources, [1, 2]);
    assert_eq!(survey.importers_of("b.py", 9), ["a.py"]);
    assert_eq!(survey.importers_of("b.py", 0), [""; 0]);
    assert_eq!(survey.importers_of("README.md", 9), [""; 0]);
}
