//! A journal of ten thousand tasks can be looked at.

use windlass_core::event::{AttemptStarted, Event, RunEnd, RunEvent, RunStarted, SealedTask, TaskEvent};
use windlass_core::ids::{AttemptNo, Oid, TaskId};
use windlass_core::plan::{Action, Mode, Tier};
use windlass_core::policy::{Rung, Settings};
use windlass_engine::chronicle::{to_record, to_time};
use windlass_engine::journal::JournalWriter;

use crate::world::empty;

const TASKS: usize = 10_000;

fn id(n: usize) -> TaskId {
    TaskId::new(&format!("T-{n:05}")).unwrap()
}

fn sealed(n: usize) -> SealedTask {
    SealedTask {
        id: id(n),
        title: format!("Task number {n}"),
        hash: String::new(),
        mode: Mode::Tdd,
        tier: Tier::Small,
        agent: None,
        deps: if n < 100 { Vec::new() } else { vec![id(n - 100)] },
        parents: Vec::new(),
        priority: 0,
        steps: vec![Action::Implement, Action::VerifyPass, Action::Commit],
        pools: Vec::new(),
        needs: Vec::new(),
        needs_approval: false,
        criteria: Vec::new(),
    }
}

fn finished(n: usize, oid: &Oid) -> Vec<Event> {
    let (task, attempt) = (id(n), AttemptNo(1));
    vec![
        TaskEvent::AttemptStarted(AttemptStarted {
            attempt,
            rung: Rung::First,
            agent: "x".into(),
            tier: Tier::Small,
            test_writer: None,
            place: None,
            base: oid.clone(),
        })
        .of(task.clone()),
        TaskEvent::CandidateMade { attempt, commit: oid.clone(), added: 3, removed: 1 }.of(task.clone()),
        TaskEvent::VerifyIntended { attempt, onto: oid.clone(), place: None }.of(task.clone()),
        TaskEvent::VerifyStarted { attempt, merge: oid.clone(), tree: oid.clone() }.of(task.clone()),
        TaskEvent::Verified { attempt, tree: oid.clone(), proof: windlass_core::ids::BlobName::of(b"proof") }
            .of(task.clone()),
        TaskEvent::MergeIntended { attempt, commit: oid.clone() }.of(task.clone()),
        TaskEvent::Merged {
            attempt,
            commit: oid.clone(),
            tree: oid.clone(),
            evidence: oid.clone(),
            criteria: Vec::new(),
            weak: Vec::new(),
        }
        .of(task),
    ]
}

#[test]
fn ten_thousand_tasks_fit_on_a_screen() {
    let repo = empty().file("README.md", "hello\n").committed();
    let oid = Oid::new(&repo.git(&["rev-parse", "HEAD"])).unwrap();
    let mut events = vec![
        Event::Run(RunEvent::RunStarted(RunStarted {
            version: "0".into(),
            pid: 1,
            pid_started: 1,
            branch: "windlass/big".into(),
            tip: oid.clone(),
            base: oid.clone(),
            settings: Box::new(Settings::default()),
            only: Vec::new(),
            sandbox: String::new(),
            source: String::new(),
        })),
        Event::Run(RunEvent::PlanSealed {
            hash: "x".into(),
            text: None,
            tasks: (0..TASKS).map(sealed).collect(),
            pools: Vec::new(),
        }),
    ];
    events.extend((0..TASKS / 2).flat_map(|n| finished(n, &oid)));
    events.push(TaskEvent::TaskFailed { reason: "the ladder is used up".into() }.of(id(TASKS - 1)));
    events.push(Event::Run(RunEvent::RunEnded { end: RunEnd::Stuck }));
    let records: Vec<(String, String)> = events.iter().map(|e| to_record(e).unwrap()).collect();
    let mut journal = JournalWriter::open(&repo.path(".git/windlass/plans/big/journal.db")).unwrap();
    journal.append(&to_time(1_700_000_000_000), &records).unwrap();

    let status = repo.windlass(&["status"]).ends(0).says("5000 of 10000 completed");
    assert!(status.stdout.lines().count() < 100, "a screen, not a list\n{status}");
    let screen = status.screen();
    let lines: Vec<&str> = screen.lines().collect();
    insta::assert_snapshot!([&lines[..6], &["…"], &lines[lines.len() - 5..]].concat().join("\n"), @r"
    plan big · stuck · branch windlass/big at [oid]
    ███████████████░░░░░░░░░░░░░░░ 5000 of 10000 completed · 1 failed · 4999 pending (100 ready)
    [time] · 2 jobs

      · T-05000  pending            Task number 5000
      · T-05001  pending            Task number 5001
    …
                                    the ladder is used up
                                    next: `windlass show T-09999`
      … and 9940 more; `windlass status --all` lists every task

    next: `windlass show T-09999`, then `windlass retry T-09999` or `windlass skip T-09999`
    ");
    let all = repo.windlass(&["status", "--all"]).ends(0);
    assert!(
        all.stdout.lines().filter(|l| l.contains("T-")).count() >= TASKS,
        "every task is listed on request"
    );
    repo.windlass(&["show", "T-04999"]).ends(0).says("Task number 4999");
}
