//! Tests: judging a test run.

use windlass_core::report::{Runner, TestOutcome, TestReport};

use windlass_core::failure::Budget;

use super::*;
use crate::process::{LimitHit, TimeLimit};

fn run(exit: ProcessExit, report: Option<TestReport>) -> ScriptRun {
    ScriptRun {
        exit,
        runner: report.as_ref().map(|r| r.runner),
        report: Ok(report),
        raw: Vec::new(),
        output: windlass_core::ids::BlobName::of(b""),
        excerpt: "the end".into(),
        millis: 1,
        build_millis: None,
        build_over: None,
        left: Vec::new(),
        over: None,
    }
}

fn report(tests: &[(&str, TestOutcome)]) -> TestReport {
    TestReport {
        tests: tests.iter().map(|(n, o)| ((*n).to_owned(), *o)).collect(),
        ..TestReport::new(Runner::Pytest)
    }
}

fn judged(run: &ScriptRun, required: &[&str]) -> Result<ProofStrength, String> {
    let required: Vec<String> = required.iter().map(|n| (*n).to_owned()).collect();
    let held = HeldAgainst { required: &required, ..HeldAgainst::default() };
    judge(Gate::Tests, run, held, Duration::from_mins(1)).map_err(|end| match end {
        EarlyEnd::Failed { failure, .. } => failure.summary(),
        EarlyEnd::Interrupted => "interrupted".into(),
        EarlyEnd::Broken(e) => panic!("{e}"),
    })
}

#[test]
fn a_pass_is_named_where_names_are_known() {
    let both = report(&[("a", TestOutcome::Passed), ("b", TestOutcome::Passed)]);
    assert_eq!(judged(&run(ProcessExit::Code(0), Some(both.clone())), &["a"]), Ok(ProofStrength::Named));
    assert_eq!(judged(&run(ProcessExit::Code(0), None), &[]), Ok(ProofStrength::ExitCode));
    let missing = judged(&run(ProcessExit::Code(0), Some(both)), &["c"]).unwrap_err();
    assert!(missing.contains('c'), "{missing}");
}

#[test]
fn a_failure_says_what_failed() {
    let one = report(&[("a", TestOutcome::Passed), ("b", TestOutcome::Failed)]);
    let failed = judged(&run(ProcessExit::Code(1), Some(one)), &["a"]).unwrap_err();
    assert!(failed.contains('b'), "{failed}");
    assert!(judged(&run(ProcessExit::Code(3), None), &[]).unwrap_err().contains('3'));
    assert_eq!(judged(&run(ProcessExit::Cancelled, None), &[]), Err("interrupted".into()));
    let over = ScriptRun { over: Some(LimitHit::Memory), ..run(ProcessExit::Signal(9), None) };
    assert!(judged(&over, &[]).unwrap_err().contains("memory"), "a limit explains the signal");
}

const LIMIT: Duration = Duration::from_mins(1);

/// The line that names the missing server is in the failure, so that the advice fits, however long the output is.
#[test]
fn a_server_that_is_missing_is_in_the_excerpt() {
    let mut one = report(&[("a", TestOutcome::Failed)]);
    one.messages.insert("a".into(), "def a():\n  E  ConnectionRefusedError: [Errno 111]".into());
    let run = run(ProcessExit::Code(1), Some(one));
    let end = judge(Gate::Tests, &run, HeldAgainst::default(), LIMIT);
    let Err(EarlyEnd::Failed { failure, .. }) = end else { panic!() };
    assert!(failure.remedy("a").contains("[[verify.services]]"), "{}", failure.remedy("a"));
}

#[test]
fn a_timeout_is_a_timeout_whatever_the_report_says() {
    let clock = TimeLimit::Wall(Duration::from_mins(1));
    let timed_out = run(ProcessExit::TimedOut(clock), None);
    let end = judge(Gate::Tests, &timed_out, HeldAgainst::default(), Duration::from_mins(1));
    let Err(EarlyEnd::Failed { failure, output }) = end else { panic!() };
    assert_eq!(failure, Failure::Timeout { budget: Budget::Verification, seconds: 60 });
    assert!(output.is_some());
    let built =
        ScriptRun { build_over: Some(Duration::from_mins(30)), ..run(ProcessExit::TimedOut(clock), None) };
    let end = judge(Gate::Tests, &built, HeldAgainst::default(), Duration::from_mins(1));
    let Err(EarlyEnd::Failed { failure, .. }) = end else { panic!() };
    assert_eq!(
        failure,
        Failure::Timeout { budget: Budget::Build, seconds: 1800 },
        "the build has its own limit"
    );
}

#[test]
fn values_of_variables_are_quoted() {
    let env = [("A".to_owned(), "x y; rm z".to_owned()), ("B".to_owned(), "1".to_owned())];
    assert_eq!(with_env(&env, "pytest"), "export A='x y; rm z'\nexport B=1\npytest");
    assert_eq!(with_env(&[], "pytest"), "pytest");
}

/// A fixture or a test without its server is no verdict on the code; a failure beside it is.
#[test]
fn a_server_that_is_not_there_is_named() {
    let mut seen = report(&[("a", TestOutcome::Errored), ("b", TestOutcome::Passed)]);
    for outcome in [TestOutcome::Errored, TestOutcome::Failed] {
        seen.tests.insert("a".into(), outcome);
        seen.messages.insert("a".into(), "ConnectionRefusedError: [Errno 111] Connection refused".into());
        let end =
            judge(Gate::Tests, &run(ProcessExit::Code(1), Some(seen.clone())), HeldAgainst::default(), LIMIT);
        let Err(EarlyEnd::Failed { failure, .. }) = end else { panic!() };
        assert!(failure.no_code_ran(), "it is asked for at the second occurrence");
        assert!(failure.summary().contains("have no server to connect to"), "{}", failure.summary());
    }
    seen.tests.insert("b".into(), TestOutcome::Failed);
    let said = judged(&run(ProcessExit::Code(1), Some(seen)), &["a"]).unwrap_err();
    assert!(!said.contains("server"), "{said}");
}
