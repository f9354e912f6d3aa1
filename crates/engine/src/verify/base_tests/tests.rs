//! What two runs on a base amount to, in names and in words.

use super::*;

fn names(all: &[&str]) -> Vec<String> {
    all.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn tests_that_fail_in_one_run_of_two_are_flaky() {
    let seen = BaseFailures::of_runs(&names(&["a", "b"]), &names(&["b", "c"]));
    assert_eq!(seen, BaseFailures { always: names(&["b"]), sometimes: names(&["a", "c"]) });
    assert_eq!(seen.names(), ["b", "a", "c"]);
    assert_eq!(
        seen.in_words("pytest\n").unwrap(),
        "`pytest` fails on the base: `b`, and is flaky on the base: `a`, `c`; these tests may fail; every other one must pass"
    );
}

#[test]
fn tests_of_the_task_are_never_among_them() {
    let seen = BaseFailures::of_runs(&names(&["own::a", "b"]), &names(&["own::a", "b"]));
    assert_eq!(seen.without(&|name| name.starts_with("own")).names(), ["b"]);
    assert_eq!(seen.without(&|_| true).in_words("pytest"), None);
}

#[test]
fn long_lists_are_cut() {
    let many: Vec<String> = (0..8).map(|n| format!("t{n}")).collect();
    let words = BaseFailures::of_runs(&many, &many).in_words("x").unwrap();
    assert!(words.contains("`t4` and 3 more"), "{words}");
}

#[test]
fn what_a_plug_in_says_about_a_file_is_no_test_function() {
    for (rest, expected) in [
        ("::ruff", true),
        ("::ruff::format", true),
        ("::mypy-status", true),
        ("::test_add", false),
        ("::TestCalc::test_add[1-2]", false),
        // The file itself, which could not be loaded.
        ("", false),
    ] {
        assert_eq!(is_file_check("tests/test_a.py", rest), expected, "{rest}");
    }
    assert!(!is_file_check("test/a.js", "::ruff"));
}
