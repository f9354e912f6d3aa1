//! Failures in JSON, in words, and what is the same to the ladder. The whole table is in `tests/failures.rs`.

use serde_json::json;

use super::*;
use crate::team::IssueSeverity;

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|n| (*n).to_owned()).collect()
}

fn red(gate: Gate, failed: &[&str], summary: &str, excerpt: &str) -> Failure {
    Failure::TestsFailed { gate, failed: names(failed), summary: summary.into(), excerpt: excerpt.into() }
}

fn issue(severity: IssueSeverity, criterion: Option<&str>, message: &str) -> Issue {
    Issue {
        criterion: criterion.map(str::to_owned),
        severity,
        message: message.into(),
        file: None,
        against: None,
    }
}

#[test]
fn the_tag_in_json_names_the_failure() {
    let table = [
        (json!({"failure": "no-change"}), "no-change"),
        (json!({"failure": "spawn", "message": "x"}), "spawn"),
        (json!({"failure": "rate-limited", "agent": "a", "retry_after_seconds": 3}), "rate-limited"),
        (json!({"failure": "rate-limited", "agent": "a"}), "rate-limited"),
        (json!({"failure": "not-red", "reason": "x"}), "not-red"),
        // The tag and the name in statistics differ: the tag is as old as the journals.
        (json!({"failure": "wrong-red", "reason": "x"}), "red-for-the-wrong-reason"),
        (json!({"failure": "timeout", "budget": "verification", "seconds": 9, "later": 1}), "timeout"),
        (json!({"failure": "needs-files", "files": [["a", "T-1"]]}), "needs-files"),
    ];
    for (value, kind) in table {
        let failure: Failure =
            serde_json::from_value(value.clone()).unwrap_or_else(|e| panic!("{value}: {e}"));
        assert_eq!(failure.kind(), kind, "{value}");
    }
    let bad = [
        json!({}),
        json!({"failure": "bored"}),
        json!({"failure": "spawn"}),
        json!({"failure": "timeout", "budget": "lunch", "seconds": 9}),
        json!({"failure": "timeout", "budget": "idle", "seconds": -9}),
        json!("no-change"),
    ];
    for value in bad {
        assert!(serde_json::from_value::<Failure>(value.clone()).is_err(), "{value}");
    }
}

#[test]
fn a_test_of_an_old_journal_was_not_written_by_the_plan() {
    let old: Failure = serde_json::from_value(json!({"failure": "not-red", "reason": "x"})).unwrap();
    assert_eq!(
        old,
        Failure::NotRed { reason: "x".into(), by_plan: false, passing: false, without_tests: false }
    );
}

#[test]
fn every_budget_is_named_in_its_timeout() {
    let table = [
        (Budget::Attempt, "attempt", "the attempt ran longer than 7 s"),
        (Budget::Step, "step", "a step ran longer than 7 s"),
        (Budget::Verification, "verification", "the verification ran longer than 7 s"),
        (Budget::Build, "build", "the build of the tests ran longer than 7 s"),
        (Budget::Idle, "idle", "the agent, silent, ran longer than 7 s"),
    ];
    for (budget, file, summary) in table {
        assert_eq!(serde_json::to_value(budget).unwrap(), file);
        assert_eq!(Failure::Timeout { budget, seconds: 7 }.summary(), summary);
    }
}

#[test]
fn long_lists_are_cut_after_four() {
    let table = [
        (names(&[]), ""),
        (names(&["a"]), "`a`"),
        (names(&["a", "b", "c", "d"]), "`a`, `b`, `c`, `d`"),
        (names(&["a", "b", "c", "d", "e"]), "`a`, `b`, `c`, `d` and 1 more"),
        (names(&["a", "b", "c", "d", "e", "f", "g"]), "`a`, `b`, `c`, `d` and 3 more"),
    ];
    for (items, expected) in table {
        assert_eq!(list(&items), expected);
    }
}

#[test]
fn the_same_failure_is_recognised_behind_other_output() {
    let rejected = |criterion, message| Failure::Rejected {
        issues: vec![issue(IssueSeverity::Medium, criterion, message)],
    };
    let out = |paths: &[&str]| Failure::OutOfScope { paths: names(paths) };
    let table = [
        (red(Gate::Tests, &["t"], "s", "0.1 s"), red(Gate::Tests, &["t"], "s", "0.2 s"), true),
        (red(Gate::Tests, &["t"], "s", ""), red(Gate::Suite, &["t"], "s", ""), false),
        (red(Gate::Tests, &["t"], "s", ""), red(Gate::Tests, &["t", "u"], "s", ""), false),
        (red(Gate::Tests, &["t"], "s", ""), red(Gate::Tests, &["t"], "z", ""), false),
        (rejected(Some("AC-1"), "no output"), rejected(Some("AC-1"), "prints nothing"), true),
        (rejected(None, "No  output"), rejected(None, "no output"), true),
        (rejected(None, "no output"), rejected(None, "prints nothing"), false),
        (out(&["a"]), out(&["a"]), true),
        (out(&["a"]), out(&["b"]), false),
        (out(&["a"]), Failure::FrozenChanged { paths: names(&["a"]) }, false),
        (Failure::NoChange, Failure::NoChange, true),
    ];
    for (a, b, same) in table {
        assert_eq!(a.same_as(&b), same, "{a:?}\n{b:?}");
        assert_eq!(b.same_as(&a), same, "the other way round");
    }
}

#[test]
fn an_outage_is_told_apart_from_a_rate_limit() {
    let limited = |outage: Option<&str>| Failure::RateLimited {
        agent: "claude".into(),
        retry_after_seconds: None,
        outage: outage.map(|why| ProviderOutage::Faulty(why.to_owned())),
    };
    assert_eq!(limited(None).summary(), "`claude` is rate-limited");
    assert_eq!(limited(Some("503")).summary(), "the provider of `claude` is unavailable: 503");
    assert!(!limited(None).same_as(&limited(Some("503"))));
}

#[test]
fn a_connection_that_nothing_accepts_is_answered_with_services() {
    let lost = [
        "E   ConnectionRefusedError: [Errno 111] Connection refused",
        "Error: connect ECONNREFUSED 127.0.0.1:5432",
        "dial tcp 127.0.0.1:6379: connect: connection refused",
        "redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379.",
    ];
    for said in lost {
        let at_red =
            Failure::WrongRed { reason: said.to_owned(), by_plan: true, environment: false, skipped: false }
                .remedy("a");
        let at_green = red(Gate::Tests, &["t"], "failed", said).remedy("a");
        assert!(at_red.contains("[[verify.services]]") && at_green == at_red, "{said}: {at_red}");
    }
    assert!(!red(Gate::Tests, &["t"], "failed", "AssertionError").remedy("a").contains("services"));
}

#[test]
fn a_host_that_cannot_be_found_is_answered_with_the_network_of_tests() {
    let lost = [
        "not ok 6 - Error: getaddrinfo EAI_AGAIN example.com",
        "socket.gaierror: [Errno -3] Temporary failure in name resolution",
        "failed to lookup address information: Name or service not known",
        "dial tcp: lookup example.com: no such host",
    ];
    for said in lost {
        let at_red =
            Failure::WrongRed { reason: said.to_owned(), by_plan: true, environment: true, skipped: false }
                .remedy("a");
        let at_green = red(Gate::Tests, &["t"], "failed", said).remedy("a");
        assert!(at_red.contains("verify_network") && at_green == at_red, "{said}: {at_red}");
    }
    assert!(!red(Gate::Tests, &["t"], "failed", "AssertionError").remedy("a").contains("network"));
}

#[test]
fn skipped_tests_are_known_by_their_field_and_not_by_words() {
    let wrong = |skipped: bool| Failure::WrongRed {
        reason: "tests were skipped: t.py::test_a".into(),
        by_plan: false,
        environment: true,
        skipped,
    };
    assert!(wrong(true).remedy("a").contains("[[verify.services]]"));
    assert!(!wrong(false).remedy("a").contains("[[verify.services]]"));
}

/// The line that says what is wrong, and whether it says more than the failure does.
#[test]
fn the_telling_line_of_test_runners() {
    let rust = "warning: unexpected `cfg`\n\nfailures:\n\n---- tests::a stdout ----\n\nthread 'tests::a' (7) panicked at src/lib.rs:3:9:\n\
        assertion `left == right` failed\n  left: 1\n right: 2\nstack backtrace:\n\ntest result: FAILED. 1 passed\n\n\
        error: test failed, to rerun pass `--lib`\nerror: 1 target failed:\n    `--lib`\n";
    let unbuilt = "error[E0425]: cannot find function `f` in this scope\n --> a.rs:1:1\nerror: aborting due to 1 previous error\n\
        error: could not compile `a` (lib test) due to 1 previous error\n";
    let go = "=== RUN   TestA\n--- FAIL: TestA (0.00s)\n    a_test.go:9: got 3, want 4\nFAIL\nFAIL\texample.com/a\t0.002s\n";
    let pytest = ">       assert f() == 4\nE       assert 3 == 4\nE        +  where 3 = f()\n\nt.py:3: AssertionError\n1 failed in 0.02s\n";
    let jest = "● adds\n\n    expect(received).toBe(expected)\n\n    Expected: 4\n    Received: 3\n\nRan all test suites.\n";
    let rspec = "Failures:\n  1) adds\n       expected: 4\n            got: 3\n\n1 example, 1 failure\n";
    let phpunit = "1) ATest::testA\nFailed asserting that 3 matches expected 4.\n\nFAILURES!\n";
    let table = [
        (rust, "assertion `left == right` failed; left: 1; right: 2"),
        (unbuilt, "error[E0425]: cannot find function `f` in this scope"),
        (go, "a_test.go:9: got 3, want 4"),
        (pytest, "assert 3 == 4"),
        (jest, "Expected: 4; Received: 3"),
        (rspec, "expected: 4; got: 3"),
        (phpunit, "Failed asserting that 3 matches expected 4."),
        ("ok 1 - a\nthe last line\n", "the last line"),
    ];
    for (output, expected) in table {
        let failure = red(Gate::Tests, &["a"], "`a` failed", output);
        assert_eq!(failure.evidence().as_deref(), Some(expected), "{output}");
    }
}

#[test]
fn the_telling_line_of_package_managers() {
    let pnpm = " ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with \"frozen-lockfile\"\n\n    Failure reason:\n    specifiers differ\n";
    let table = [
        (
            "failed",
            "Collecting x\nERROR: No matching distribution for x\n",
            Some("ERROR: No matching distribution for x"),
        ),
        ("failed: No matching distribution for x", "ERROR: No matching distribution for x\n", None),
        (
            "failed",
            "npm error code E404\nnpm error 404 not found\nnpm error A log\n",
            Some("npm error 404 not found"),
        ),
        (
            "failed",
            "\u{2009}ERROR\u{2009} packages field missing\nFor help, run: pnpm help install\n",
            Some("ERROR\u{2009} packages field missing"),
        ),
        ("failed", pnpm, Some("ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with \"frozen-lockfile\"")),
    ];
    for (summary, output, expected) in table {
        assert_eq!(red(Gate::Setup, &[], summary, output).evidence().as_deref(), expected, "{output}");
    }
}
