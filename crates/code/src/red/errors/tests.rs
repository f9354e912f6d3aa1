//! Errors of a run.

use super::*;

#[test]
fn text_between_quotes() {
    let table = [
        ("no module named 'a'", "named", Some("a")),
        ("no module named \"a\"", "named", Some("a")),
        ("no module named `a`", "named", Some("a")),
        ("named 'a' from 'b'", "from", Some("b")),
        ("named \\'a'", "named", Some("a")),
        ("named ''", "named", Some("")),
        ("named 'a", "named", None),
        ("named a", "named", None),
        ("'a'", "named", None),
        ("named", "named", None),
    ];
    for (text, before, expected) in table {
        assert_eq!(quoted(text, before), expected, "{text}");
    }
}

/// Each error once, and not without end.
#[test]
fn errors_are_kept_once() {
    let mut errors = Errors::default();
    errors.missing("a");
    errors.missing("a");
    for number in 0..50 {
        errors.wrong(Wrong::Other(format!("{}", number / 2)));
    }
    assert_eq!(errors.missing, ["a"]);
    assert_eq!(errors.wrong.len(), 20);
    assert_eq!(errors.wrong[19].line(), "19");
}

/// The runner says which languages can speak; without one, the test files do.
#[test]
fn languages_by_runner_and_by_file() {
    let files =
        |paths: &[&str]| paths.iter().map(|path| ((*path).to_owned(), Vec::new())).collect::<Vec<_>>();
    let fences = |runner, paths: &[&str]| {
        languages_of(runner, &files(paths)).into_iter().map(Language::fence).collect::<Vec<_>>()
    };
    assert_eq!(fences(Some(Runner::Pytest), &["a.rs"]), ["python"]);
    assert_eq!(fences(Some(Runner::Nextest), &[]), ["rust"]);
    assert_eq!(fences(Some(Runner::Jest), &[]).len(), 1);
    assert_eq!(fences(Some(Runner::Ctest), &[]).len(), 1);
    assert_eq!(fences(None, &["a.py", "b.py", "c.go"]), ["python", "go"]);
    assert_eq!(fences(None, &["a.ts", "b.js"]).len(), 1);
    assert!(fences(None, &["a.sh", "Makefile"]).is_empty());
    assert!(fences(None, &[]).is_empty());
}
