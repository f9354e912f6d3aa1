//! Commands that a repository shows.

use super::*;
use windlass_code::survey::survey;

#[test]
fn build_files_that_find_tests_themselves() {
    let table = [
        ("tests/CMakeLists.txt", "file(GLOB files *_test.c)\nadd_test(NAME a COMMAND a)\n", true),
        ("tests/CMakeLists.txt", "file(GLOB f *.cpp)\r\ngtest_discover_tests(t)\r\n", true),
        ("tests/CMakeLists.txt", "file(GLOB f *.cpp)\ncatch_discover_tests(t)\n", true),
        // A glob of sources adds no tests, and a named test finds no other.
        ("tests/CMakeLists.txt", "file(GLOB f *.cpp)\nadd_library(a ${f})\n", false),
        ("tests/CMakeLists.txt", "add_test(NAME a COMMAND a)\n", false),
        ("tests/CMakeLists.txt", "", false),
        ("tests/Makefile", "GLOB add_test(", false),
    ];
    for (path, text, expected) in table {
        let tree = MemoryTree::new([(path, text)]);
        assert_eq!(Repository::new(&tree, Survey::default()).finds_tests(path), expected, "{path}: {text}");
    }
    assert!(!Repository::empty().finds_tests("tests/CMakeLists.txt"));
}

#[test]
fn commands_run_from_the_root() {
    let argv = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let table: [(&str, &[&str], &str); 4] = [
        ("", &["ruff", "format", "a.py"], "ruff format a.py"),
        ("web", &["npx", "eslint"], "(cd web && npx eslint)"),
        ("my app", &["npx", "eslint", "a b.ts"], "(cd 'my app' && npx eslint 'a b.ts')"),
        ("", &["echo", "$(rm -rf x)"], "echo '$(rm -rf x)'"),
    ];
    for (dir, words, expected) in table {
        assert_eq!(shell(dir, &argv(words)), expected);
    }
}

#[test]
fn a_repository_without_files_has_no_commands() {
    let empty = Repository::empty();
    let files = vec!["src/cart.xyz".to_owned()];
    assert!(empty.format_commands(&files).is_empty());
    assert!(empty.gate_commands(&files).is_empty());
    assert!(empty.test_command("tests/cart.xyz").is_none());
    assert!(empty.survey().paths.is_empty());
}

/// The survey stays that of the first tree; commands come from the second.
#[test]
fn commands_of_another_tree() {
    let (old, new) =
        (MemoryTree::new([("a.py", "")]), MemoryTree::new([("pyproject.toml", "[tool.ruff]\n")]));
    let files = vec!["a.py".to_owned()];
    let repository = Repository::new(&old, survey(&old));
    assert!(repository.format_commands(&files).is_empty());
    let over = repository.over(&new);
    assert!(over.survey().has("a.py"));
    assert_eq!(over.format_commands(&files).last().map(String::as_str), Some("ruff format -- a.py"));
}
