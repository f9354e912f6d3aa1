//! The folds as tables: events in, what people see out.

mod one_task;

pub(crate) mod testing;

use super::{
    Liveness, Outputs, RunState, StatusDoc, TaskHistory, TurnDoc, View, ViewError, decode, decode_glance,
    encode,
};
use crate::event::{
    AttemptEnd, BlockReason, Claim, Event, OutdatedTask, PlanJudged, Role, RunEnd, RunEvent, Stamped, Synced,
    TaskEvent, TurnEnded, Usage,
};
use crate::ids::{AttemptNo, BlobName};
use crate::plan::Action;
use crate::policy::Rung;
use crate::state::TaskState;
use crate::team::{Issue, IssueSeverity, Verdict};
use testing::{
    candidate, ended, fold, id, merged, oid, plan_sealed, refused, run_started, sealed, stamp, started,
    step_ended, step_started,
};

fn two() -> Vec<Event> {
    vec![run_started(), plan_sealed(&[sealed("a", &[], &["P"]), sealed("b", &["a"], &["P"])])]
}

fn with(more: &[Event]) -> View {
    let mut events = two();
    events.extend(more.iter().cloned());
    fold(&events)
}

#[test]
fn a_frozen_file_that_the_user_changed_makes_its_task_stale_until_it_is_merged_again() {
    let outdated = vec![OutdatedTask { task: id("a"), files: vec!["tests/a.py".into()] }];
    let synced =
        Synced { branch: "main".into(), from: oid('7'), commit: oid('8'), evidence: oid('9'), outdated };
    let done = [started("a", 1, Rung::First), candidate("a", 1), merged("a", 1)];
    let after = |more: &[Event]| with(&[&done[..], more].concat());
    let intended = Event::Run(RunEvent::SyncIntended(synced.clone()));
    assert!(
        !after(std::slice::from_ref(&intended)).task("a").unwrap().is_stale(),
        "an intent changes nothing"
    );
    let synced = Event::Run(RunEvent::Synced(synced));
    let view = after(&[intended.clone(), synced.clone()]);
    let task = view.task("a").unwrap();
    assert!(task.is_stale() && task.state == TaskState::Completed);
    assert_eq!(view.run.as_ref().unwrap().tip, oid('8'));
    assert_eq!(
        view.why(task).unwrap().to_string(),
        "`tests/a.py` changed after it was completed; `windlass retry` carries it out again"
    );
    let again = [
        synced,
        TaskEvent::TaskReset.of(id("a")),
        started("a", 2, Rung::First),
        candidate("a", 2),
        merged("a", 2),
    ];
    assert!(!after(&again).task("a").unwrap().is_stale());
}

#[test]
fn why_a_task_stands_where_it_stands() {
    let blocked = |block| TaskEvent::TaskBlocked { block }.of(id("a"));
    let failed = TaskEvent::TaskFailed { reason: "every try\nfailed".into() }.of(id("a"));
    let skip = |task: &str, because| TaskEvent::TaskSkipped { because }.of(id(task));
    let needs = BlockReason::NeedsFiles { files: vec![("src/x.rs".into(), "b".into())] };
    let table: Vec<(&str, Vec<Event>, TaskState, Option<&str>)> = vec![
        ("a", vec![], TaskState::Pending, None),
        ("b", vec![], TaskState::Pending, Some("waits for `a`")),
        ("a", vec![started("a", 1, Rung::First)], TaskState::InProgress, None),
        (
            "a",
            vec![started("a", 1, Rung::First), candidate("a", 1), refused("a", 1)],
            TaskState::TestFailed,
            Some("tests: `adds` failed"),
        ),
        (
            "a",
            vec![started("a", 1, Rung::First), ended("a", 1, AttemptEnd::Lost)],
            TaskState::Pending,
            Some("Windlass ended while it ran; the next run continues it"),
        ),
        ("a", vec![failed.clone()], TaskState::Failed, Some("every try failed")),
        (
            "a",
            vec![blocked(needs)],
            TaskState::Blocked,
            Some("needs files beyond its own: `src/x.rs (b)`; `windlass approve --files` gives them"),
        ),
        (
            "a",
            vec![blocked(BlockReason::AwaitingApproval)],
            TaskState::Blocked,
            Some("verified; waits for `windlass approve`"),
        ),
        (
            "b",
            vec![failed, skip("b", Some(id("a")))],
            TaskState::Skipped,
            Some("needs `a`, which did not complete"),
        ),
        ("b", vec![skip("b", None)], TaskState::Skipped, Some("a person skipped it")),
        (
            "a",
            vec![started("a", 1, Rung::First), candidate("a", 1), merged("a", 1)],
            TaskState::Completed,
            None,
        ),
    ];
    for (task, events, state, why) in table {
        let view = with(&events);
        let task = view.task(task).unwrap();
        assert_eq!(
            (task.state, view.why(task).map(|w| w.to_string()).as_deref()),
            (state, why),
            "{events:?}"
        );
    }
}

#[test]
fn time_is_counted_while_somebody_works() {
    let view = with(&[started("a", 1, Rung::First)]);
    let task = view.task("a").unwrap();
    assert_eq!((task.worked, task.worked_until(10_000)), (0, 7_000));

    let lost = with(&[
        started("a", 1, Rung::First),
        TaskEvent::Heartbeat { attempt: AttemptNo(1), bytes: 5, progress: None }.of(id("a")),
        Event::Run(RunEvent::Paused),
        ended("a", 1, AttemptEnd::Lost),
        started("a", 2, Rung::First),
        candidate("a", 2),
        merged("a", 2),
    ]);
    // One second until the last sign of the lost attempt, two seconds for the one that was merged.
    assert_eq!(lost.task("a").unwrap().worked_until(99_000), 3_000);
    assert_eq!(lost.run.as_ref().unwrap().tip, oid('d'));
}

#[test]
fn a_plan_sealed_again_keeps_what_happened() {
    let done = [started("a", 1, Rung::First), candidate("a", 1), merged("a", 1)];
    let edited = |hash: &str| {
        let mut a = sealed("a", &[], &[]);
        a.hash = hash.into();
        a
    };
    let reseal = |tasks: &[crate::event::SealedTask]| [&done[..], &[plan_sealed(tasks)]].concat();

    let stale = with(&reseal(&[edited("other"), sealed("b", &["a"], &["Q"])]));
    let a = stale.task("a").unwrap();
    assert!(a.is_stale() && a.state == TaskState::Completed);
    assert_eq!(stale.counts().stale, 1);
    assert_eq!(stale.parents_of(stale.task("b").unwrap()).map(|p| p.id.as_str()).collect::<Vec<_>>(), ["Q"]);

    let mut twice = reseal(&[edited("other")]);
    twice.push(plan_sealed(&[edited("hash of a")]));
    assert!(!with(&twice).task("a").unwrap().is_stale(), "the old text came back");

    let mut reset = reseal(&[edited("other")]);
    reset.push(TaskEvent::TaskReset.of(id("a")));
    let reset = with(&reset);
    let a = reset.task("a").unwrap();
    assert_eq!((a.is_stale(), a.state, a.commit.as_ref()), (false, TaskState::Pending, None));

    let removed = with(&reseal(&[sealed("b", &[], &[])]));
    assert!(removed.task("a").is_none());
    assert_eq!(removed.archived.len(), 1);
    let mut back = reseal(&[sealed("b", &[], &[])]);
    back.push(plan_sealed(&[sealed("b", &[], &[]), sealed("a", &[], &[])]));
    assert_eq!(with(&back).task("a").unwrap().state, TaskState::Completed);
}

#[test]
fn the_run_in_one_word() {
    let end = |end| vec![Event::Run(RunEvent::RunEnded { end })];
    let table: Vec<(Vec<Event>, Liveness, RunState)> = vec![
        (vec![], Liveness::Alive, RunState::Running),
        (vec![], Liveness::Gone, RunState::Lost),
        (vec![Event::Run(RunEvent::Paused)], Liveness::Alive, RunState::Paused),
        (
            vec![Event::Run(RunEvent::Paused), Event::Run(RunEvent::Resumed)],
            Liveness::Alive,
            RunState::Running,
        ),
        (end(RunEnd::Completed), Liveness::Gone, RunState::Completed),
        (end(RunEnd::Stuck), Liveness::Gone, RunState::Stuck),
        ([end(RunEnd::Stuck), vec![run_started()]].concat(), Liveness::Alive, RunState::Running),
        (vec![Event::Run(RunEvent::Paused), run_started()], Liveness::Alive, RunState::Running),
    ];
    for (events, coordinator, expected) in table {
        assert_eq!(with(&events).run.unwrap().state(coordinator), expected, "{events:?}");
    }
}

#[test]
fn a_broken_journal_is_named_and_changes_nothing() {
    let mut view = with(&[]);
    let before = view.clone();
    let event = |seq, event| Stamped { seq, at: 0, event };
    let table = [
        (event(9, Event::Run(RunEvent::Paused)), ViewError::Gap { expected: 3, found: 9 }),
        (event(3, started("zz", 1, Rung::First)), ViewError::UnknownTask { seq: 3, task: id("zz") }),
    ];
    for (stamped, expected) in table {
        assert_eq!(view.apply(&stamped), Err(expected));
    }
    let illegal = view.apply(&event(3, candidate("a", 1)));
    assert!(matches!(illegal, Err(ViewError::Illegal { seq: 3, .. })));
    assert_eq!(
        View::default().apply(&event(1, Event::Run(RunEvent::Paused))),
        Err(ViewError::NoRun { seq: 1 })
    );
    assert_eq!(view, before);
}

fn busy() -> Vec<Event> {
    let turn = TaskEvent::TurnEnded(TurnEnded {
        attempt: AttemptNo(1),
        role: crate::event::Role::Implementer,
        agent: "mechanical".into(),
        millis: 900,
        claim: Claim::Done,
        usage: Usage { input_tokens: 100, output_tokens: 20, cost_usd: Some(0.25), ..Usage::default() },
        model: None,
        session: None,
        summary: Some("wrote it".into()),
        brief: BlobName::of(b"brief"),
        output: BlobName::of(b"output"),
    })
    .of(id("a"));
    let mut events = two();
    events.extend([
        started("a", 1, Rung::First),
        step_started("a", 1, 0, Action::WriteTest),
        step_ended("a", 1, 0, Action::WriteTest),
        step_started("a", 1, 2, Action::Implement),
        turn,
        step_ended("a", 1, 2, Action::Implement),
        candidate("a", 1),
        step_started("a", 1, 3, Action::VerifyPass),
        refused("a", 1),
        started("a", 2, Rung::BugHunter(1)),
        step_started("a", 2, 2, Action::Implement),
    ]);
    events
}

#[test]
fn the_status_document() {
    let view = fold(&busy());
    let doc = StatusDoc::new("shop", &view, Liveness::Alive, 15_000, Outputs("/out"));
    insta::assert_snapshot!(serde_json::to_string_pretty(&doc).unwrap(), @r#"
    {
      "schema": "windlass.status/1",
      "plan": "shop",
      "state": "running",
      "branch": "windlass/shop",
      "tip": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "counts": {
        "total": 2,
        "pending": 1,
        "ready": 0,
        "in_progress": 1,
        "testing": 0,
        "test_failed": 0,
        "completed": 0,
        "failed": 0,
        "blocked": 0,
        "skipped": 0,
        "stale": 0
      },
      "cost_usd": 0.25,
      "tokens": 120,
      "parents": [
        {
          "id": "P",
          "state": "in_progress",
          "completed": 0,
          "tasks": 2
        }
      ],
      "tasks": [
        {
          "id": "a",
          "title": "Do a",
          "state": "in_progress",
          "attempt": 2,
          "step": "implement",
          "steps": [
            {
              "action": "write_test",
              "state": "passed"
            },
            {
              "action": "verify_fail",
              "state": "pending"
            },
            {
              "action": "implement",
              "state": "running"
            },
            {
              "action": "verify_pass",
              "state": "failed"
            },
            {
              "action": "format",
              "state": "pending"
            },
            {
              "action": "commit",
              "state": "pending"
            }
          ],
          "failed_step": 4,
          "agent": "mechanical",
          "seconds": 11.0,
          "cost_usd": 0.25,
          "tokens": 120,
          "transcript": "/out/96e754fa8b2ab9d1f3f8f2d2bb4ec79a18016b212cf44f8fd2f7441e6e97a48b",
          "attempts": [
            {
              "attempt": 1,
              "rung": "first try",
              "agent": "mechanical",
              "tier": "small",
              "started": 3000,
              "ended": 11000,
              "seconds": 8.0,
              "outcome": "tests-failed",
              "why": "tests: `adds` failed",
              "tokens": 120,
              "cost_usd": 0.25,
              "turns": [
                {
                  "role": "implementer",
                  "agent": "mechanical",
                  "model": null,
                  "claim": "done",
                  "seconds": 0.9,
                  "input_tokens": 100,
                  "cached_tokens": 0,
                  "output_tokens": 20,
                  "cost_usd": 0.25,
                  "session": null,
                  "transcript": "/out/96e754fa8b2ab9d1f3f8f2d2bb4ec79a18016b212cf44f8fd2f7441e6e97a48b"
                }
              ]
            },
            {
              "attempt": 2,
              "rung": "bug-hunter 1",
              "agent": "mechanical",
              "tier": "small",
              "started": 12000,
              "seconds": 3.0,
              "outcome": "open",
              "tokens": 0,
              "cost_usd": null,
              "turns": []
            }
          ]
        },
        {
          "id": "b",
          "title": "Do b",
          "state": "pending",
          "attempt": 0,
          "steps": [
            {
              "action": "write_test",
              "state": "pending"
            },
            {
              "action": "verify_fail",
              "state": "pending"
            },
            {
              "action": "implement",
              "state": "pending"
            },
            {
              "action": "verify_pass",
              "state": "pending"
            },
            {
              "action": "format",
              "state": "pending"
            },
            {
              "action": "commit",
              "state": "pending"
            }
          ],
          "why": "waits for `a`"
        }
      ]
    }
    "#);
}

#[test]
fn the_kept_form_comes_back_and_goes_on() {
    let events = stamp(&busy());
    for cut in 0..=events.len() {
        let mut view = View::default();
        for event in &events[..cut] {
            view.apply(event).unwrap();
        }
        let mut kept = decode(&encode(&view).unwrap()).unwrap();
        assert_eq!(kept, view);
        assert_eq!(decode_glance(&encode(&view).unwrap()).unwrap(), view.glance());
        for event in &events[cut..] {
            kept.apply(event).unwrap();
        }
        assert_eq!(kept, fold(&busy()), "cut at {cut}");
    }
    assert!(decode(b"{\"v\":0}\n{}").is_err());
    assert!(decode(b"").is_err());
    let text = String::from_utf8(encode(&fold(&busy())).unwrap()).unwrap();
    insta::assert_snapshot!(text.lines().nth(1).unwrap(), @r#"
    {"seq":13,"at":13000,"plan_hash":"p","run":{"version":"0.1.0","pid":4242,"pid_started":7,"branch":"windlass/shop","tip":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","base":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","started":1000,"jobs":2},"parents":[{"id":"P"}],"tasks":[{"i":"a","t":"Do a","h":"hash of a","m":"tdd","r":"small","p":0,"c":1,"s":"in_progress","n":2,"g":{"bug-hunter":1},"a":"mechanical","e":"w+r.i>g!f.c.","b":12000,"w":8000,"l":13000,"u":{"input_tokens":100,"output_tokens":20,"cost_usd":0.25},"x":"96e754fa8b2ab9d1f3f8f2d2bb4ec79a18016b212cf44f8fd2f7441e6e97a48b","q":[{"n":1,"g":"first","a":"mechanical","r":"small","b":3000,"z":11000,"o":["tests-failed","tests: `adds` failed"],"t":[{"p":"implementer","a":"mechanical","w":900,"u":{"input_tokens":100,"output_tokens":20,"cost_usd":0.25},"x":"96e754fa8b2ab9d1f3f8f2d2bb4ec79a18016b212cf44f8fd2f7441e6e97a48b"}]},{"n":2,"g":{"bug-hunter":1},"a":"mechanical","r":"small","b":12000}]},{"i":"b","t":"Do b","h":"hash of b","m":"tdd","r":"small","d":[0],"p":0,"c":1,"e":"w.r.i.g.f.c."}]}
    "#);
}

#[test]
fn every_turn_stands_in_its_try_with_what_was_said_in_it() {
    let turn = |role, session: &str, cost_usd| {
        TaskEvent::TurnEnded(TurnEnded {
            attempt: AttemptNo(1),
            role,
            agent: "claude".into(),
            millis: 1_500,
            claim: Claim::Done,
            usage: Usage {
                input_tokens: 100,
                cache_read_tokens: 60,
                output_tokens: 7,
                cost_usd,
                ..Usage::default()
            },
            model: Some("sonnet".into()),
            session: Some(session.into()),
            summary: None,
            brief: BlobName::of(b"brief"),
            output: BlobName::of(session.as_bytes()),
        })
        .of(id("a"))
    };
    let issue = Issue {
        criterion: None,
        severity: IssueSeverity::Medium,
        message: "no".into(),
        file: None,
        against: None,
    };
    let verdict = Verdict::Rejected { issues: vec![issue] };
    let judged = Event::Run(RunEvent::PlanJudged(PlanJudged {
        hash: "p".into(),
        role: Role::PlanReviewer,
        agent: "codex".into(),
        millis: 2_000,
        usage: Usage { input_tokens: 5, output_tokens: 1, ..Usage::default() },
        model: None,
        session: Some("t".into()),
        verdict: Verdict::Approved { issues: Vec::new() },
        brief: BlobName::of(b"brief"),
        output: BlobName::of(b"plan"),
    }));
    let view = with(&[
        judged,
        started("a", 1, Rung::First),
        turn(Role::TestWriter, "s1", Some(0.5)),
        turn(Role::Implementer, "s2", None),
        candidate("a", 1),
        turn(Role::Reviewer, "s3", Some(0.25)),
        TaskEvent::Reviewed { attempt: AttemptNo(1), verdict }.of(id("a")),
    ]);
    let doc = StatusDoc::new("shop", &view, Liveness::Alive, 9_000, Outputs("/out"));
    let line = |t: &TurnDoc| {
        let Some(path) = &t.transcript else { panic!("no transcript") };
        format!(
            "{} {} {:?} {:?} {}+{}({}) {:?} {:?} {}",
            t.role,
            t.agent,
            t.model,
            t.verdict,
            t.input_tokens,
            t.output_tokens,
            t.cached_tokens,
            t.cost_usd,
            t.session,
            &path[..10]
        )
    };
    let one = &doc.tasks[0].attempts[0];
    assert_eq!((one.tokens, one.cost_usd, one.outcome.as_str()), (321, Some(0.75), "open"));
    let turns: Vec<String> = doc.team.iter().chain(&one.turns).map(line).collect();
    insta::assert_snapshot!(turns.join("\n"), @r#"
    plan-reviewer codex None Some("approved") 5+1(0) None Some("t") /out/29fde
    test-writer claude Some("sonnet") None 100+7(60) Some(0.5) Some("s1") /out/c462b
    implementer claude Some("sonnet") None 100+7(60) None Some("s2") /out/7b0b4
    reviewer claude Some("sonnet") Some("rejected") 100+7(60) Some(0.25) Some("s3") /out/07f82
    "#);
    assert_eq!(doc.tokens, 327, "the team's turns count");
    let glance = decode_glance(&encode(&view).unwrap()).unwrap();
    assert!(glance.tasks.iter().all(|(t, _)| t.attempts.is_empty()), "a glance has no room for them");
}

#[test]
fn a_glance_at_a_large_plan_shows_what_wants_attention() {
    let tasks: Vec<_> =
        (0..500).map(|n| sealed(&format!("t{n}"), if n == 0 { &[] } else { &["t0"] }, &[])).collect();
    let view = fold(&[run_started(), plan_sealed(&tasks), started("t0", 1, Rung::First)]);
    let glance = view.glance();
    let shown: Vec<&str> = glance.tasks.iter().map(|(t, _)| t.id.as_str()).collect();
    assert_eq!((shown, glance.left_out), (vec!["t0"], 499));
    assert_eq!((glance.counts.total, glance.counts.pending, glance.counts.ready), (500, 499, 0));
}

#[test]
fn parents_fold_their_children() {
    let tasks = [sealed("a", &[], &["in", "out"]), sealed("b", &[], &["out"]), sealed("c", &[], &[])];
    let view = fold(&[run_started(), plan_sealed(&tasks), started("b", 1, Rung::First)]);
    let names: Vec<(&str, TaskState)> =
        view.parents.iter().map(|p| p.id.as_str()).zip(view.parent_states()).collect();
    assert_eq!(names, [("out", TaskState::InProgress), ("in", TaskState::Pending)]);
}
