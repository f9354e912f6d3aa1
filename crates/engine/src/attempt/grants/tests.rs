//! Tests: which files a task gets without a person.

use super::*;

fn verdict(open: Option<&[&str]>, path: &str) -> Option<&'static str> {
    let exists = |path: &str| ["src/old.py", "src/lib.rs", "pkg/core.py", "README.md"].contains(&path);
    let imported = open.map(|files| files.iter().map(|f| (*f).to_owned()).collect());
    let owned = if open.is_some() { Vec::new() } else { vec!["src/new.py".to_owned()] };
    GrantGround { exists: &exists, owned: &owned, imported, untested: false }.needs_person(path)
}

#[test]
fn a_task_with_files_gets_new_source_beside_them() {
    for (path, free) in [
        ("src/helper.py", true),
        ("src/deep/helper.py", true),
        ("other/helper.py", false),
        ("src2/helper.py", false),
        ("src/old.py", false),
        ("src/data.bin", false),
        ("src/cache.pyc", false),
        ("src/notes.md", false),
        ("src/test_new.py", false),
        ("src/tests/__init__.py", false),
        ("src/conftest.py", false),
        ("src/.eslintrc.js", false),
        ("src/.hidden/x.py", false),
        ("src/eslint.config.js", false),
        ("src/build.rs", false),
        ("windlass.toml", false),
        ("Makefile", false),
        ("crates/a/build.rs", false),
        (".cargo/config.toml", false),
    ] {
        assert_eq!(verdict(None, path).is_none(), free, "{path}: {:?}", verdict(None, path));
    }
}

#[test]
fn a_task_without_files_gets_new_source_and_what_its_tests_import() {
    let open: Option<&[&str]> = Some(&["src/old.py"]);
    for (path, free) in [
        ("anywhere/new.py", true),
        ("src/old.py", true),
        ("pkg/core.py", false),
        ("README.md", false),
        (".vscode/tasks.json", false),
        (".gitattributes", false),
        ("tests/helper.py", false),
        ("noxfile.py", false),
    ] {
        assert_eq!(verdict(open, path).is_none(), free, "{path}: {:?}", verdict(open, path));
    }
}

#[test]
fn a_path_in_a_text_is_a_whole_word() {
    for (text, named) in [
        ("sh ./a.sh", true),
        ("sh ../a.sh x", true),
        ("$(cat a.sh)", true),
        ("sh aa.sh", false),
        ("sh a.shell", false),
        ("sh x-a.sh", false),
    ] {
        assert_eq!(names_path(text, "a.sh"), named, "{text}");
    }
}

#[test]
fn data_of_a_test_stands_below_it_and_is_named_by_it() {
    let test = ("tests/unit/test_sum.py".to_owned(), b"CASES = HERE / 'data' / 'sums.json'".to_vec());
    for (path, wanted) in [
        ("tests/unit/data/sums.json", true),
        ("tests/unit/data/deep/other.txt", true),
        ("tests/unit/sums.csv", true),
        ("tests/unit/__snapshots__/test_sum.ambr", true),
        ("tests/unit/other.json", false),
        ("tests/data/sums.json", false),
        ("src/data/sums.json", false),
        ("tests/unit/data/sums.py", false),
        ("tests/unit/data/conftest.py", false),
        ("tests/unit/data/package.json", false),
        ("tests/unit/data/.env", false),
        ("tests/unit/../data/sums.json", false),
    ] {
        assert_eq!(is_data_of(path, &test), wanted, "{path}");
    }
    let at_root = ("a_test.go".to_owned(), b"os.ReadFile(\"testdata/in.txt\")".to_vec());
    assert!(is_data_of("testdata/in.txt", &at_root));
    assert!(!is_data_of("in.txt", &at_root), "not among tests");
}
