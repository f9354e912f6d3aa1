//! Tests of `verify/closing`.

use super::{one_after_another, sorted_out};

#[test]
fn only_what_has_not_passed_on_this_tree_is_run() {
    let own = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    type Words = &'static [&'static str];
    type Case = (Words, Words, Words, Option<&'static str>, usize, Words);
    let cases: [Case; 9] = [
        (&["a"], &["a"], &[], None, 1, &[]),
        (&["a", "b"], &["b"], &[], None, 1, &["a"]),
        (&["a", "b", "a"], &[], &[], None, 0, &["a", "b"]),
        (&["a", "b"], &["b"], &[], Some("all"), 2, &["a"]),
        (&["a", "b"], &[], &[], Some("all"), 0, &["a", "b", "all"]),
        (&["a", "all"], &[], &[], Some("all"), 0, &["a", "all"]),
        (&["a", "b"], &["b"], &["a", "of no task"], None, 2, &[]),
        (&["a", "b"], &[], &["a"], Some("all"), 1, &["b", "all"]),
        (&["a", "b"], &[], &["all"], Some("all"), 1, &["a", "b"]),
    ];
    for (tasks, verified, passed, suite, before, left) in cases {
        let found = sorted_out(own(tasks), own(verified), &own(passed), suite.map(str::to_owned));
        assert_eq!(found, (before, own(left)), "{tasks:?} {verified:?} {passed:?} {suite:?}");
    }
}

#[test]
fn one_command_runs_all_and_names_the_first_that_fails() {
    let ends = |scripts: &[&str]| {
        let all = one_after_another(scripts.iter().copied());
        let run = std::process::Command::new("bash").args(["-e", "-c", &all]).status();
        run.unwrap().code().unwrap()
    };
    assert_eq!(ends(&["true", "cd / && test \"$PWD\" = /", "[ 'a b' = \"a b\" ]"]), 0);
    assert_eq!(ends(&["cd /", "[ \"$PWD\" != / ]\nfalse\ntrue"]), 2, "each stops at its first failure");
    assert_eq!(ends(&["exit 0", "exit 7", "true"]), 2);
}
