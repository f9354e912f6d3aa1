//! The jobs of a place, as tables.

use serde::de::DeserializeOwned;
use windlass_core::event::{LeftOut, RedKind, RedTests, TestAuthor};
use windlass_core::failure::Gate;
use windlass_core::schedule::Conversation;

use super::*;
use windlass_planner::brief::ChangedSentence;

fn oid(digit: char) -> Oid {
    Oid::new(&digit.to_string().repeat(40)).unwrap()
}

fn task(id: &str) -> TaskId {
    TaskId::new(id).unwrap()
}

fn frozen() -> FrozenTests {
    FrozenTests {
        commit: oid('1'),
        base: oid('2'),
        red: RedKind::Assertion,
        tests: vec!["tests/test_a.py::test_x".into()],
        conditional: vec!["tests/test_a.py::test_windows".into()],
        seen: RedTests::default(),
        files: Vec::new(),
        author: TestAuthor::Agent,
    }
}

fn work() -> Work {
    Work {
        frozen: Some(frozen()),
        held: None,
        reopened: None,
        links: Vec::new(),
        mutants: Vec::new(),
        answers: Vec::new(),
        left_out: LeftOut { paths: vec!["README.md".into()], frozen: Vec::new() },
        candidate: Some(oid('3')),
        base: Some(oid('2')),
        granted: vec!["src/b.py".into()],
        session: Some(("claude".into(), "abc".into())),
        summary: Some("half done".into()),
    }
}

/// The job after a trip through JSON.
fn sent<T: Serialize + DeserializeOwned>(job: &T) -> T {
    serde_json::from_slice(&serde_json::to_vec(job).unwrap()).unwrap()
}

#[test]
fn every_job_is_plain_data() {
    let failure = Failure::TestsFailed {
        gate: Gate::Tests,
        failed: vec!["t".into()],
        summary: "one failed".into(),
        excerpt: "E assert 1 == 2".into(),
    };
    let attempt = AttemptJob {
        task: task("T1"),
        attempt: AttemptNo(2),
        rung: Rung::BugHunter(1),
        agent: "claude".into(),
        tier: Tier::Large,
        test_writer: Some("codex".into()),
        base: oid('a'),
        beginning: Beginning {
            conversation: Conversation::Fork("abc".into()),
            before: vec![(task("T0"), "made the table".into())],
        },
        work: work(),
        history: vec![(Rung::First, failure)],
        changed: Some(ChangedTask {
            sentences: vec![ChangedSentence { criterion: "AC-1".into(), was: "a".into(), now: "b".into() }],
            superseded: vec!["tests/test_a.py::test_a".into()],
        }),
    };
    assert_eq!(sent(&attempt), attempt);
    let review = ReviewJob {
        task: task("T1"),
        attempt: AttemptNo(2),
        agent: "gemini".into(),
        tier: Tier::Small,
        onto: oid('b'),
        merge: oid('c'),
        work: work(),
        rejections: vec!["no tests".into()],
        others: vec![(task("T0"), "The table".into())],
    };
    assert_eq!(sent(&review), review);
    let verify = VerifyJob {
        task: task("T1"),
        attempt: AttemptNo(2),
        round: 7,
        onto: oid('b'),
        candidate: oid('d'),
        frozen: Some(frozen()),
        held: None,
        granted: vec!["src/b.py".into()],
        neighbours: vec![(task("T0"), vec!["test_y".into()])],
        unfinished: vec![task("T2")],
    };
    assert_eq!(sent(&verify), verify);
    let close = ClosingJob {
        tree: oid('e'),
        tasks: vec![task("T0"), task("T1")],
        verified: vec![task("T1")],
        passed: vec!["make check".into()],
    };
    assert_eq!(sent(&close), close);
}

#[test]
fn everything_that_is_sent_to_another_machine_comes_back_as_it_was() {
    let attempt = AttemptJob {
        task: task("a"),
        attempt: AttemptNo(2),
        rung: Rung::First,
        agent: "claude".into(),
        tier: Tier::Medium,
        test_writer: Some("codex".into()),
        base: oid('4'),
        beginning: Beginning::default(),
        work: work(),
        history: Vec::new(),
        changed: None,
    };
    let verify = VerifyJob {
        task: task("a"),
        attempt: AttemptNo(2),
        round: 7,
        onto: oid('5'),
        candidate: oid('3'),
        frozen: Some(frozen()),
        held: None,
        granted: Vec::new(),
        neighbours: Vec::new(),
        unfinished: vec![task("b")],
    };
    let merged = MergedCandidate {
        merge: oid('6'),
        tree: oid('7'),
        doubt: Some("`verify.repeat` is on".into()),
        findings: vec!["a finding".into()],
    };
    let closing =
        ClosingJob { tree: oid('7'), tasks: vec![task("a")], verified: Vec::new(), passed: Vec::new() };
    let all = [
        (SentWork::Attempt(Box::new(attempt)), vec!['4', '2', '3', '2', '1'], 2),
        (SentWork::Verify(Box::new(TrustedJob { job: verify, merged })), vec!['5', '6', '2', '1'], 0),
        (
            SentWork::Close(ClosingShare { commit: oid('8'), job: closing, scripts: vec!["true".into()] }),
            vec!['8'],
            0,
        ),
    ];
    for (work, commits, agents) in all {
        assert_eq!(sent(&work), work);
        assert_eq!(work.task(), Some(&task("a")));
        assert_eq!(work.commits(), commits.into_iter().map(oid).collect::<Vec<_>>());
        assert_eq!(work.agents().len(), agents, "{work:?}");
    }
}
