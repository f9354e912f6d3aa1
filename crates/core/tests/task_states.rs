//! The table of moves: which event takes a task from which state to which.
#![expect(clippy::unwrap_used, reason = "a test whose data is wrong must fail")]

use windlass_core::event::{
    AttemptEnd, AttemptStarted, BlockReason, Claim, PersonAnswer, RedKind, RedTests, Role, StepResult,
};
use windlass_core::event::{TaskEvent, TestAuthor, TurnEnded, Usage};
use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::{AttemptNo, BlobName, Oid};
use windlass_core::plan::{Action, Tier};
use windlass_core::policy::Rung;
use windlass_core::state::TaskState;
use windlass_core::team::Verdict;

/// One row per event; one column per state before it, in the order of [`TaskState::ALL`]. `-` is a move that no task
/// can make, `=` leaves the state as it is.
const MOVES: &str = "
event              pending     in_progress testing     test_failed completed  failed   blocked   skipped
attempt_started    in_progress -           -           in_progress -          -        -         -
process_started    =           =           =           =           =          =        =         =
step_started       =           =           =           =           =          =        =         =
step_ended         =           =           =           =           =          =        =         =
heartbeat          =           =           =           =           =          =        =         =
turn_ended         =           =           =           =           =          =        =         =
tests_frozen       =           =           =           =           =          =        =         =
files_granted      =           =           =           =           =          =        =         =
finding            =           =           =           =           =          =        =         =
candidate_made     -           testing     -           -           -          -        -         -
verify_intended    -           -           testing     -           -          -        -         -
verify_started     -           -           testing     -           -          -        -         -
verify_abandoned   -           -           testing     -           -          -        -         -
verified           -           -           testing     -           -          -        -         -
review_started     -           -           testing     -           -          -        -         -
reviewed           -           -           testing     -           -          -        -         -
review_abandoned   -           -           testing     -           -          -        -         -
merge_intended     -           -           testing     -           -          -        -         -
merged             completed   completed   completed   completed   -          -        completed -
refused            -           test_failed test_failed -           -          -        -         -
failed             -           pending     pending     -           -          -        -         -
interrupted        -           pending     pending     -           -          -        -         -
lost               -           pending     pending     -           -          -        -         -
task_failed        failed      -           -           failed      -          -        -         -
task_blocked       blocked     -           blocked     blocked     -          -        -         -
task_skipped       skipped     -           -           skipped     -          skipped  skipped   -
task_cancelled     =           -           -           =           -          -        -         -
task_reset         =           -           -           pending     pending    pending  pending   pending
approved           -           -           -           -           -          -        testing   -
answered           =           -           -           -           -          pending  pending   -
";

fn event(name: &str) -> TaskEvent {
    let (attempt, oid, blob) = (AttemptNo(1), Oid::new(&"a".repeat(40)).unwrap(), BlobName::of(b""));
    let ended = |end| TaskEvent::AttemptEnded { attempt, end, output: None };
    match name {
        "attempt_started" => TaskEvent::AttemptStarted(AttemptStarted {
            attempt,
            rung: Rung::First,
            agent: "x".into(),
            tier: Tier::Small,
            test_writer: None,
            place: None,
            base: oid,
        }),
        "process_started" => TaskEvent::ProcessStarted { attempt, pid: 1, started: 1 },
        "step_started" => TaskEvent::StepStarted { attempt, step: 0, action: Action::Implement },
        "step_ended" => TaskEvent::StepEnded {
            attempt,
            step: 0,
            action: Action::Implement,
            result: StepResult::Passed,
            millis: 1,
            output: None,
        },
        "heartbeat" => TaskEvent::Heartbeat { attempt, bytes: 1, progress: None },
        "turn_ended" => TaskEvent::TurnEnded(TurnEnded {
            attempt,
            role: Role::Implementer,
            agent: "x".into(),
            millis: 1,
            claim: Claim::Done,
            usage: Usage::default(),
            model: None,
            session: None,
            summary: None,
            brief: blob.clone(),
            output: blob,
        }),
        "tests_frozen" => TaskEvent::TestsFrozen {
            attempt,
            commit: oid,
            red: RedKind::Assertion,
            tests: Vec::new(),
            conditional: Vec::new(),
            seen: RedTests::new(),
            files: Vec::new(),
            author: TestAuthor::Agent,
        },
        "files_granted" => TaskEvent::FilesGranted { files: Vec::new() },
        "finding" => TaskEvent::Finding { message: "x".into() },
        "candidate_made" => TaskEvent::CandidateMade { attempt, commit: oid, added: 0, removed: 0 },
        "verify_intended" => TaskEvent::VerifyIntended { attempt, onto: oid, place: None },
        "verify_started" => TaskEvent::VerifyStarted { attempt, merge: oid.clone(), tree: oid },
        "verify_abandoned" => TaskEvent::VerifyAbandoned { attempt },
        "verified" => TaskEvent::Verified { attempt, tree: oid, proof: blob },
        "review_started" => TaskEvent::ReviewStarted { attempt, agent: "x".into() },
        "reviewed" => TaskEvent::Reviewed { attempt, verdict: Verdict::Approved { issues: Vec::new() } },
        "review_abandoned" => TaskEvent::ReviewAbandoned { attempt },
        "merge_intended" => TaskEvent::MergeIntended { attempt, commit: oid },
        "merged" => TaskEvent::Merged {
            attempt,
            commit: oid.clone(),
            tree: oid.clone(),
            evidence: oid,
            criteria: Vec::new(),
            weak: Vec::new(),
        },
        "refused" => ended(AttemptEnd::Failed {
            failure: Failure::TestsFailed {
                gate: Gate::Tests,
                failed: Vec::new(),
                summary: String::new(),
                excerpt: String::new(),
            },
        }),
        "failed" => ended(AttemptEnd::Failed { failure: Failure::NoChange }),
        "interrupted" => ended(AttemptEnd::Interrupted),
        "lost" => ended(AttemptEnd::Lost),
        "task_failed" => TaskEvent::TaskFailed { reason: "x".into() },
        "task_blocked" => TaskEvent::TaskBlocked { block: BlockReason::AwaitingApproval },
        "task_skipped" => TaskEvent::TaskSkipped { because: None },
        "task_cancelled" => TaskEvent::TaskCancelled,
        "task_reset" => TaskEvent::TaskReset,
        "approved" => TaskEvent::Approved,
        "answered" => TaskEvent::Answered(PersonAnswer { question: String::new(), answer: "x".into() }),
        other => panic!("no event `{other}`"),
    }
}

#[test]
fn every_event_moves_every_state_as_the_table_says() {
    let mut rows = MOVES.lines().filter(|l| !l.is_empty());
    let states: Vec<&str> = rows.next().unwrap().split_whitespace().skip(1).collect();
    assert_eq!(states, TaskState::ALL.map(TaskState::as_str));
    for row in rows {
        let mut cells = row.split_whitespace();
        let name = cells.next().unwrap();
        for (before, cell) in TaskState::ALL.into_iter().zip(cells) {
            let after = match before.after(&event(name)) {
                Ok(state) if state == before && cell == "=" => "=",
                Ok(state) => state.as_str(),
                Err(illegal) => {
                    assert_eq!(illegal.from, before);
                    "-"
                }
            };
            assert_eq!(after, cell, "`{name}` in state `{}`", before.as_str());
        }
    }
}

#[test]
fn an_end_is_left_only_by_a_person_or_by_the_branch() {
    for before in TaskState::ALL.into_iter().filter(|s| s.is_end()) {
        for row in MOVES.lines().filter(|l| !l.is_empty()).skip(1) {
            let name = row.split_whitespace().next().unwrap();
            let moved = before.after(&event(name)).is_ok_and(|after| after != before);
            let may = ["task_reset", "approved", "answered", "task_skipped", "merged"].contains(&name);
            assert!(!moved || may, "`{name}` moves a task that is `{}`", before.as_str());
        }
    }
}
