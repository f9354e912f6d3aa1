//! Lists that units have to change.

use super::*;
use windlass_code::repo::MemoryTree;
use windlass_code::survey::survey;

#[test]
fn lists_stand_above_a_file() {
    assert_eq!(upwards("src/a/b.cpp"), ["src/a/CMakeLists.txt", "src/CMakeLists.txt", "CMakeLists.txt"]);
    assert_eq!(upwards("b.cpp"), ["CMakeLists.txt"]);
    assert!(Language::is_compiled("a.cc") && !Language::is_compiled("a.hpp"));
}

/// The units of one unit that creates these files, as title and paths.
fn declared(lists: &[(&str, &str)], files: &[&str]) -> Vec<String> {
    let tree = MemoryTree::new(lists.iter().copied());
    let file = |path: &&str| UnitFile {
        path: (*path).to_owned(),
        operation: Operation::Create,
        kind: FileKind::of(path),
        note: String::new(),
        lines: None,
    };
    let mut units =
        vec![Unit { title: "cart".to_owned(), files: files.iter().map(file).collect(), ..Unit::default() }];
    declare(&mut units, &Repository::new(&tree, survey(&tree)));
    let paths = |unit: &Unit| unit.files.iter().map(|f| f.path.clone()).collect::<Vec<_>>().join(" ");
    units.iter().map(|unit| format!("{}: {}", unit.title, paths(unit))).collect()
}

#[test]
fn lists_of_sources_and_tests() {
    let root = ("CMakeLists.txt", "project(shop)\n");
    let tests = ("tests/CMakeLists.txt", "add_test(NAME a COMMAND a)\n");
    let globs = ("tests/CMakeLists.txt", "file(GLOB t *_test.cpp)\nadd_test(NAME a COMMAND a)\n");
    // The list at the root builds the source; a new list finds the tests of its folder.
    assert_eq!(
        declared(&[root], &["src/cart.cpp", "tests/cart_test.cpp"]),
        [
            "Configure CMake to find the tests in tests: tests/CMakeLists.txt CMakeLists.txt",
            "cart: src/cart.cpp tests/cart_test.cpp CMakeLists.txt",
        ]
    );
    // A list of tests is changed by the unit, unless it finds tests itself.
    assert_eq!(
        declared(&[root, tests], &["src/cart.cpp", "tests/cart_test.cpp"]),
        ["cart: src/cart.cpp tests/cart_test.cpp CMakeLists.txt tests/CMakeLists.txt"]
    );
    assert_eq!(
        declared(&[root, globs], &["src/cart.cpp", "tests/cart_test.cpp"]),
        ["cart: src/cart.cpp tests/cart_test.cpp CMakeLists.txt"]
    );
    // Without a list at all, the project is not built with CMake.
    assert_eq!(
        declared(&[], &["src/cart.cpp", "tests/cart_test.cpp"]),
        ["cart: src/cart.cpp tests/cart_test.cpp"]
    );
}
