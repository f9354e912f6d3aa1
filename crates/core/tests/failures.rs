//! Every failure: its name, its wording, whether it leaves a verdict, and what the ladder does first.

use windlass_core::failure::{BlindSign, Budget, Failure, Gate, Stance};
use windlass_core::policy::{Ladder, Next, Rung, next_rung};
use windlass_core::team::{Issue, IssueSeverity};

fn issue(severity: IssueSeverity, message: &str) -> Issue {
    Issue { criterion: None, severity, message: message.into(), file: None, against: None }
}

fn tests_failed(gate: Gate, failed: &[&str], summary: &str) -> Failure {
    Failure::TestsFailed {
        gate,
        failed: failed.iter().map(|t| (*t).to_owned()).collect(),
        summary: summary.into(),
        excerpt: "expected 2, found 3".into(),
    }
}

fn paths(all: &[&str]) -> Vec<String> {
    all.iter().map(|p| (*p).to_owned()).collect()
}

/// The failure, its kind, its wording, and what follows when it is the first: a rung, `person` or `fail`.
fn table() -> Vec<(Failure, &'static str, &'static str, &'static str)> {
    vec![
        (
            Failure::Spawn { message: "no such file".into() },
            "spawn",
            "the agent could not be started: no such file",
            "same agent again 1",
        ),
        (
            Failure::AgentError { message: "out of words".into() },
            "agent-error",
            "the agent ended with an error: out of words",
            "same agent again 1",
        ),
        (
            Failure::RateLimited { agent: "claude".into(), retry_after_seconds: Some(3), outage: None },
            "rate-limited",
            "`claude` is rate-limited",
            "same agent again 1",
        ),
        (
            Failure::ProviderRefused {
                agent: "claude".into(),
                reason: "Claude Code is not logged in".into(),
            },
            "provider-refused",
            "Claude Code is not logged in",
            "same agent again 1",
        ),
        (
            Failure::NoBite {
                test: "tests/test_a.py::test_adds".into(),
                place: "tests/test_a.py:9".into(),
                was: "6".into(),
                now: "4".into(),
                sign: BlindSign::AnyValue,
                excerpt: String::new(),
            },
            "no-bite",
            "`tests/test_a.py::test_adds` still passes when tests/test_a.py:9 expects `4` in place of `6`: the assertion is reached and passes with either value",
            "bug-hunter 1",
        ),
        (
            Failure::OnlyWords { stance: Stance::Question, words: "Which one?".into() },
            "question",
            "the agent changed nothing and asked: Which one?",
            "same agent again 1",
        ),
        (
            Failure::OnlyWords { stance: Stance::Refusal, words: "No.".into() },
            "refusal",
            "the agent changed nothing and declined: No.",
            "same agent again 1",
        ),
        (
            Failure::OnlyWords { stance: Stance::Remark, words: "All is well.".into() },
            "no-change",
            "the agent changed nothing and said: All is well.",
            "same agent again 1",
        ),
        (Failure::NoChange, "no-change", "the agent changed nothing", "same agent again 1"),
        (
            Failure::OutOfScope { paths: paths(&["a", "b", "c", "d", "e", "f"]) },
            "out-of-scope",
            "changed outside its files: `a`, `b`, `c`, `d` and 2 more",
            "same agent again 1",
        ),
        (
            Failure::MovedOut { from: "a".into(), to: "b".into() },
            "out-of-scope",
            "moved its file `a` to `b`, which is not one of its files",
            "same agent again 1",
        ),
        (
            Failure::NeverTaken { things: vec!["`a` (a symbolic link)".into()] },
            "never-taken",
            "left what is never taken in: `a` (a symbolic link)",
            "same agent again 1",
        ),
        (
            Failure::CodeBeforeTests { paths: paths(&["a.py"]) },
            "code-before-tests",
            "more than tests in the turn for tests: `a.py`",
            "same agent again 1",
        ),
        (
            Failure::NotRed {
                reason: "it passes".into(),
                by_plan: false,
                passing: true,
                without_tests: false,
            },
            "not-red",
            "the test is not red: it passes",
            "same agent again 1",
        ),
        (
            Failure::NotRed {
                reason: "it passes".into(),
                by_plan: true,
                passing: true,
                without_tests: false,
            },
            "not-red",
            "the test is not red: it passes",
            "person",
        ),
        (
            Failure::WrongRed { reason: "a typo".into(), by_plan: false, environment: false, skipped: false },
            "red-for-the-wrong-reason",
            "the test is red for the wrong reason: a typo",
            "same agent again 1",
        ),
        (
            Failure::WrongRed { reason: "a typo".into(), by_plan: true, environment: false, skipped: false },
            "red-for-the-wrong-reason",
            "the test is red for the wrong reason: a typo",
            "person",
        ),
        (
            Failure::WrongRed {
                reason: "no pytest".into(),
                by_plan: false,
                environment: true,
                skipped: false,
            },
            "red-for-the-wrong-reason",
            "no test could be run: no pytest",
            "same agent again 1",
        ),
        (
            tests_failed(Gate::Tests, &["adds"], "1 failed"),
            "tests-failed",
            "tests: `adds` failed",
            "bug-hunter 1",
        ),
        (
            tests_failed(Gate::Purity, &[], "changed `a`"),
            "tests-failed",
            "purity: changed `a`",
            "bug-hunter 1",
        ),
        (
            Failure::CannotRun { gate: Gate::Tests, summary: "no pytest".into(), excerpt: String::new() },
            "cannot-run",
            "tests: nothing could be run: no pytest",
            "bug-hunter 1",
        ),
        (
            Failure::WrongTest {
                reason: "`f` is not defined".into(),
                excerpt: String::new(),
                by_agent: true,
            },
            "wrong-test",
            "a frozen test is wrong in itself: `f` is not defined",
            "same agent again 1",
        ),
        (
            Failure::WrongTest {
                reason: "`f` is not defined".into(),
                excerpt: String::new(),
                by_agent: false,
            },
            "wrong-test",
            "a frozen test is wrong in itself: `f` is not defined",
            "person",
        ),
        (
            Failure::FrozenChanged { paths: paths(&["t.py"]) },
            "frozen-changed",
            "changed frozen tests: `t.py`",
            "same agent again 1",
        ),
        (
            Failure::Timeout { budget: Budget::Attempt, seconds: 60 },
            "timeout",
            "the attempt ran longer than 60 s",
            "same agent again 1",
        ),
        (
            Failure::Timeout { budget: Budget::Step, seconds: 60 },
            "timeout",
            "a step ran longer than 60 s",
            "same agent again 1",
        ),
        (
            Failure::Timeout { budget: Budget::Verification, seconds: 60 },
            "timeout",
            "the verification ran longer than 60 s",
            "same agent again 1",
        ),
        (
            Failure::Conflict { paths: paths(&["x.py"]) },
            "conflict",
            "conflicts with what was merged: `x.py`",
            "same agent again 1",
        ),
        (
            Failure::SpecContradiction { reason: "two truths".into() },
            "spec-contradiction",
            "the agent is blocked: two truths",
            "person",
        ),
        (
            Failure::NeedsFiles { files: vec![("x.py".into(), "owned by A".into())] },
            "needs-files",
            "needs files it may not have: `x.py (owned by A)`",
            "person",
        ),
        (Failure::Environment { message: "no compiler".into() }, "environment", "no compiler", "person"),
        (
            Failure::Rejected { issues: vec![issue(IssueSeverity::Low, "a name")] },
            "rejected",
            "rejected in review: low: a name",
            "bug-hunter 1",
        ),
        (
            Failure::Rejected { issues: vec![issue(IssueSeverity::High, "a hole")] },
            "rejected",
            "rejected in review: high: a hole",
            "person",
        ),
    ]
}

#[test]
fn each_failure_has_its_name_and_its_words() {
    for (failure, kind, words, _) in table() {
        assert_eq!(failure.kind(), kind);
        assert_eq!(failure.summary(), words);
    }
}

#[test]
fn each_failure_leads_to_its_rung() {
    let ladder = Ladder::default();
    for (failure, kind, _, expected) in table() {
        let next = match next_rung(&ladder, &[(Rung::First, failure)]) {
            Next::Try(rung) => rung.label(),
            Next::Fail(_) => "fail".into(),
            Next::Ask(_) => "person".into(),
        };
        assert_eq!(next, expected, "after `{kind}`");
    }
}

#[test]
fn a_bug_hunter_follows_exactly_the_failures_that_leave_a_verdict() {
    for (failure, kind, _, expected) in table() {
        if expected != "person" {
            assert_eq!(failure.is_verdict(), expected == "bug-hunter 1", "`{kind}`");
        }
    }
}

#[test]
fn details_add_the_output_of_the_command_and_sameness_ignores_it() {
    let one = tests_failed(Gate::Tests, &["adds"], "1 failed");
    assert_eq!(one.details(), "tests: `adds` failed\n\nexpected 2, found 3");
    let mut other = one.clone();
    if let Failure::TestsFailed { excerpt, .. } = &mut other {
        *excerpt = "took 3.2 s".into();
    }
    assert!(one.same_as(&other));
    assert!(!one.same_as(&tests_failed(Gate::Tests, &["subtracts"], "1 failed")));
    assert!(!one.same_as(&tests_failed(Gate::Lint, &["adds"], "1 failed")));
    assert!(!one.same_as(&Failure::NoChange));
    assert_eq!(Failure::NoChange.details(), "the agent changed nothing");
}

#[test]
fn every_failure_survives_its_json() {
    for (failure, kind, ..) in table() {
        let json = serde_json::to_string(&failure).unwrap();
        assert_eq!(serde_json::from_str::<Failure>(&json).unwrap(), failure, "{kind}: {json}");
    }
}

#[test]
fn every_gate_has_a_name_of_its_own() {
    let gates = [
        Gate::Setup,
        Gate::TypeCheck,
        Gate::Tests,
        Gate::Lint,
        Gate::Contract,
        Gate::Coverage,
        Gate::Neighbours,
        Gate::Suite,
        Gate::Purity,
        Gate::Rules,
        Gate::HeldOut,
        Gate::Canaries,
        Gate::Mutants,
    ];
    let mut names: Vec<&str> = gates.iter().map(|g| g.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), gates.len());
}

/// A ladder, the failures in a row, and the rungs climbed until it ends.
#[test]
fn the_ladder_is_climbed_within_its_limits() {
    let default = Ladder::default;
    type Climb<'a> = (&'a str, Ladder, fn(usize) -> Failure, &'a [&'a str], &'a str);
    let table: Vec<Climb<'_>> = vec![
        (
            "changing verdicts use the whole ladder",
            default(),
            |n| tests_failed(Gate::Tests, &[&format!("t{n}")], ""),
            &[
                "bug-hunter 1",
                "bug-hunter 2",
                "bug-hunter 3",
                "same agent again 1",
                "same agent again 2",
                "fresh agent 1",
                "one tier up 1",
            ],
            "fail",
        ),
        (
            "without a verdict no bug-hunter",
            default(),
            |n| Failure::AgentError { message: format!("{n}") },
            &["same agent again 1", "same agent again 2", "fresh agent 1", "one tier up 1"],
            "fail",
        ),
        (
            "a limit of zero leaves a rung out",
            Ladder { bug_hunter: 0, fresh_agent: 0, ..default() },
            |n| tests_failed(Gate::Tests, &[&format!("t{n}")], ""),
            &["same agent again 1", "same agent again 2", "one tier up 1"],
            "fail",
        ),
        (
            "a ladder without rungs fails at once",
            Ladder { bug_hunter: 0, same_agent: 0, fresh_agent: 0, tier_up: 0, ..default() },
            |_| Failure::NoChange,
            &[],
            "fail",
        ),
        (
            "the same rejection again and again is a question",
            default(),
            |_| Failure::Rejected { issues: vec![issue(IssueSeverity::Medium, "x")] },
            &["bug-hunter 1", "bug-hunter 2"],
            "person",
        ),
        (
            "identical failures may be allowed",
            Ladder { identical: 0, rounds_without_progress: 0, ..default() },
            |_| tests_failed(Gate::Tests, &["t"], ""),
            &[
                "bug-hunter 1",
                "bug-hunter 2",
                "bug-hunter 3",
                "same agent again 1",
                "same agent again 2",
                "fresh agent 1",
                "one tier up 1",
            ],
            "fail",
        ),
    ];
    for (what, ladder, failure, expected, end) in table {
        let mut history = vec![(Rung::First, failure(0))];
        let mut climbed = Vec::new();
        let ended = loop {
            match next_rung(&ladder, &history) {
                Next::Try(rung) => {
                    climbed.push(rung.label());
                    history.push((rung, failure(history.len())));
                }
                Next::Fail(_) => break "fail",
                Next::Ask(_) => break "person",
            }
        };
        assert_eq!(
            (climbed.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), ended),
            (expected, end),
            "{what}"
        );
    }
}

#[test]
fn what_no_attempt_can_help_goes_to_a_person_at_the_second_time() {
    let red = || tests_failed(Gate::Tests, &["adds"], "1 failed");
    let setup = || tests_failed(Gate::Setup, &[], "npm failed");
    let unrun =
        || Failure::CannotRun { gate: Gate::Tests, summary: "no pytest".into(), excerpt: String::new() };
    let foreign =
        || Failure::WrongRed { reason: "no yaml".into(), by_plan: false, environment: true, skipped: false };
    let passing = || Failure::NotRed {
        reason: "they pass".into(),
        by_plan: false,
        passing: true,
        without_tests: false,
    };
    let silent = || Failure::NotRed {
        reason: "no test ran".into(),
        by_plan: false,
        passing: false,
        without_tests: false,
    };
    let none_found = |command: &str| Failure::NotRed {
        reason: format!("no test ran: `{command}` found none"),
        by_plan: false,
        passing: false,
        without_tests: true,
    };
    let wrong = || Failure::WrongTest { reason: "typo".into(), excerpt: String::new(), by_agent: true };
    let says = |stance| Failure::OnlyWords { stance, words: "Hm.".into() };
    let remark = || says(Stance::Remark);
    let table: [(Vec<Failure>, bool); 17] = [
        (vec![setup(), unrun()], true),
        (vec![foreign(), foreign()], true),
        // Something of the task ran in between: the ladder goes on.
        (vec![unrun(), red(), unrun()], false),
        (vec![passing(), passing()], true),
        (vec![passing(), Failure::NoChange, passing()], true),
        (vec![passing(), wrong()], true),
        (vec![wrong(), red()], false),
        (vec![silent(), silent()], false),
        (vec![none_found("a"), none_found("a")], true),
        (vec![none_found("a"), none_found("b")], false),
        (vec![red(), red()], false),
        // Words instead of work: a person reads a second question or refusal, and a third of any other kind.
        (vec![says(Stance::Refusal), says(Stance::Question)], true),
        (vec![says(Stance::Refusal)], false),
        (vec![remark(), remark()], false),
        (vec![remark(), says(Stance::Question), remark()], true),
        (vec![remark(), red(), remark(), remark()], false),
        (vec![red(), Failure::NoChange, Failure::NoChange, Failure::NoChange], false),
    ];
    for (failures, asks) in table {
        let history: Vec<(Rung, Failure)> = failures.into_iter().map(|f| (Rung::First, f)).collect();
        let next = next_rung(&Ladder::default(), &history);
        assert_eq!(matches!(next, Next::Ask(_)), asks, "{history:?}");
    }
}

#[test]
fn where_the_ladder_has_no_rung_left_the_trouble_with_tests_is_a_question() {
    let none = Ladder { bug_hunter: 0, same_agent: 0, fresh_agent: 0, tier_up: 0, ..Ladder::default() };
    let passing =
        Failure::NotRed { reason: "they pass".into(), by_plan: false, passing: true, without_tests: false };
    let unrun = Failure::CannotRun { gate: Gate::Tests, summary: "x".into(), excerpt: String::new() };
    for failure in [passing, unrun] {
        assert!(matches!(next_rung(&none, &[(Rung::First, failure)]), Next::Ask(_)));
    }
    assert!(matches!(next_rung(&none, &[(Rung::First, Failure::NoChange)]), Next::Fail(_)));
}

#[test]
fn every_failure_has_a_next_step_and_rules_name_their_key() {
    for (failure, kind, _, _) in table() {
        assert!(!failure.remedy("A").is_empty(), "{kind}");
    }
    let rules = tests_failed(Gate::Rules, &["patches"], "a.py:3: patches [patches]");
    assert_eq!(
        rules.remedy("A"),
        "if the change is honest, set `patches = \"warning\"` in `[verify.rules]`, then `windlass retry A`"
    );
    assert_eq!(rules.summary(), "rules: a.py:3: patches [patches]");
}

#[test]
fn the_evidence_is_the_line_that_says_the_most() {
    let shown = |excerpt: &str| {
        let (gate, summary) = (Gate::Tests, "exit code 1".to_owned());
        Failure::CannotRun { gate, summary, excerpt: excerpt.into() }.evidence()
    };
    let table = [
        (
            "a\nE   ModuleNotFoundError: No module named 'x'\nb\n",
            Some("ModuleNotFoundError: No module named 'x'"),
        ),
        (
            "warning: w\nerror[E0432]: unresolved import\n  --> a.rs\n",
            Some("error[E0432]: unresolved import"),
        ),
        ("first\nlast\n\n", Some("last")),
        ("exit code 1", None),
        ("", None),
    ];
    for (excerpt, expected) in table {
        assert_eq!(shown(excerpt).as_deref(), expected, "{excerpt}");
    }
    let setup = Failure::Environment { message: "the set-up failed\n\nerror: no network".into() };
    assert_eq!(
        (setup.summary().as_str(), setup.evidence().as_deref()),
        ("the set-up failed", Some("error: no network"))
    );
}
