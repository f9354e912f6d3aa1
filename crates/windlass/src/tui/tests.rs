//! The interface drawn into a buffer, at sizes people have.

use std::fmt::Write as _;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use windlass_core::event::{
    AttemptEnd, AttemptStarted, BlockReason, Event as RunFact, RunEvent, RunStarted, SealedTask, Stamped,
    TaskEvent, TurnProgress, Usage,
};
use windlass_core::failure::Failure;
use windlass_core::ids::{AttemptNo, Oid, TaskId};
use windlass_core::plan::{Action, Mode, Tier, template};
use windlass_core::policy::{Rung, Settings};
use windlass_core::view::RunState;
use windlass_core::wish::Wish;

use super::app::App;
use super::draw::{draw, to_ascii};
use super::effect::Effect;
use super::pane::{PaneKey, PaneTab};

fn id(text: &str) -> TaskId {
    TaskId::new(text).unwrap()
}

fn oid() -> Oid {
    Oid::new(&"a".repeat(40)).unwrap()
}

fn sealed(name: &str, phase: &str) -> SealedTask {
    SealedTask {
        id: id(name),
        title: format!("Write {name}"),
        hash: name.into(),
        mode: Mode::Tdd,
        tier: Tier::Small,
        agent: None,
        deps: Vec::new(),
        parents: if phase.is_empty() { Vec::new() } else { vec![phase.into()] },
        priority: 1,
        steps: template(Mode::Tdd).iter().map(|step| step.action).collect(),
        pools: Vec::new(),
        needs: Vec::new(),
        needs_approval: false,
        criteria: Vec::new(),
    }
}

fn started(task: &str) -> RunFact {
    TaskEvent::AttemptStarted(AttemptStarted {
        attempt: AttemptNo(1),
        rung: Rung::First,
        agent: "claude".into(),
        tier: Tier::Small,
        test_writer: None,
        place: None,
        base: oid(),
    })
    .of(id(task))
}

fn beat(task: &str, tool: &str) -> RunFact {
    let usage = Usage { input_tokens: 12_000, output_tokens: 300, cost_usd: Some(0.04), ..Usage::default() };
    let progress = TurnProgress { millis: 1, tool: Some(tool.into()), said: None, usage };
    TaskEvent::Heartbeat { attempt: AttemptNo(1), bytes: 1, progress: Some(progress) }.of(id(task))
}

fn run_of(tasks: &[SealedTask]) -> Vec<RunFact> {
    vec![
        RunFact::Run(RunEvent::RunStarted(RunStarted {
            version: "0".into(),
            pid: 1,
            pid_started: 0,
            branch: "windlass/shop".into(),
            tip: oid(),
            base: oid(),
            settings: Box::new(Settings::default()),
            only: Vec::new(),
            sandbox: String::new(),
            source: String::new(),
        })),
        RunFact::Run(RunEvent::PlanSealed {
            hash: "p".into(),
            text: None,
            tasks: tasks.to_vec(),
            pools: Vec::new(),
        }),
    ]
}

fn app_of(events: &[RunFact]) -> App {
    let mut app = App::new("shop", false);
    for (n, event) in events.iter().enumerate() {
        let seq = n as u64 + 1;
        let stamped = Stamped { seq, at: i64::try_from(seq).unwrap() * 1000, event: event.clone() };
        app.view.apply(&stamped).unwrap();
        app.activities.apply(&stamped);
    }
    app.was_run = true;
    app.state = RunState::Running;
    app.now = 65_000;
    app.titles.insert("P1".into(), "Phase 1: The cart".into());
    app.settle();
    app
}

/// A run with one of everything.
fn shop() -> App {
    let tasks =
        [sealed("T1", "P1"), sealed("T2", "P1"), sealed("T3", "P2"), sealed("T4", "P2"), sealed("T5", "P2")];
    let mut events = run_of(&tasks);
    let reason = "Is the price with or without tax?".to_owned();
    events.push(started("T1"));
    events.push(
        TaskEvent::StepStarted { attempt: AttemptNo(1), step: 2, action: Action::Implement }.of(id("T1")),
    );
    events.push(beat("T1", "Bash pytest -q"));
    events.push(started("T2"));
    let failure = Failure::SpecContradiction { reason: reason.clone() };
    let end = AttemptEnd::Failed { failure };
    events.push(TaskEvent::AttemptEnded { attempt: AttemptNo(1), end, output: None }.of(id("T2")));
    events.push(TaskEvent::TaskBlocked { block: BlockReason::AgentBlocked { reason } }.of(id("T2")));
    events.push(TaskEvent::TaskBlocked { block: BlockReason::AwaitingApproval }.of(id("T3")));
    events.push(TaskEvent::TaskFailed { reason: "every attempt failed".into() }.of(id("T4")));
    app_of(&events)
}

fn picture(app: &mut App, columns: u16, rows: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| draw(frame, app)).unwrap();
    let buffer = terminal.backend().buffer().clone();
    let mut text = String::new();
    for row in 0..rows {
        let line: String = (0..columns).map(|column| buffer[(column, row)].symbol().to_owned()).collect();
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn press(app: &mut App, keys: &str) -> Vec<Effect> {
    let code = |c: char| match c {
        '⏎' => KeyCode::Enter,
        '⎋' => KeyCode::Esc,
        '↓' => KeyCode::Down,
        c => KeyCode::Char(c),
    };
    keys.chars().flat_map(|c| app.key(KeyEvent::new(code(c), KeyModifiers::NONE))).collect()
}

#[test]
fn a_wide_screen_has_the_tree_and_the_text() {
    let mut app = shop();
    press(&mut app, "↓");
    let key = PaneKey { task: id("T1"), tab: PaneTab::Story, version: 0, width: 0 };
    app.pane.show(key, vec!["▶ T1 · Write T1 · in progress".into(), "try 1 · first try".into()]);
    insta::assert_snapshot!(picture(&mut app, 100, 14), @"
     shop · running · 0 of 5 done · 1 at work · 3 wait for you · 1m 04s · 12.3k tokens · $0.04
     ? T2 Is the price with or without tax? (+2)
    ▾ Phase 1: The cart 0/2                      │ T1 [1 story] 2 log  3 diff  4 evidence
      ▶ T1  [··▶···] 1m 02s implement · Bash pyt…│ ▶ T1 · Write T1 · in progress
      ■ T2  blocked · Write T2                   │ try 1 · first try
    ▾ P2 0/3                                     │
      ■ T3  blocked · Write T3                   │
      ✗ T4  failed · Write T4                    │
      · T5  Write T5                             │
                                                 │
                                                 │
                                                 │
                                                 │
    Enter open  a act  n next  p pause  f filter  / search  ? keys  q leave
    ");
}

#[test]
fn a_small_screen_has_one_of_them() {
    let mut app = shop();
    insta::assert_snapshot!(picture(&mut app, 40, 12), @"
     shop · running · 0 of 5 done · 1 at wo…
     ? T2 Is the price with or without… (+2)
    ▾ Phase 1: The cart 0/2
      ▶ T1  [··▶···] 1m 02s implement · Bas…
      ■ T2  blocked · Write T2
    ▾ P2 0/3
      ■ T3  blocked · Write T3
      ✗ T4  failed · Write T4
      · T5  Write T5


    Enter open  a act  ? keys  q leave
    ");
    press(&mut app, "↓⏎");
    let key = PaneKey { task: id("T1"), tab: PaneTab::Log, version: 0, width: 0 };
    app.pane.tab = PaneTab::Log;
    app.pane.show(key, (1..=30).map(|n| format!("line {n}")).collect());
    insta::assert_snapshot!(picture(&mut app, 40, 12), @"
     shop · running · 0 of 5 done · 1 at wo…
     ? T2 Is the price with or without… (+2)
     T1  1 story [2 log] 3 diff  4 evidence
     line 23
     line 24
     line 25
     line 26
     line 27
     line 28
     line 29
     line 30
    Esc back  1 story  2 log  3 diff  ? keys
    ");
    insta::assert_snapshot!(picture(&mut app, 20, 5), @"
     shop · running · 0…
     ? T2 Is the p… (+2)
     1 story [2 log] 3 d
     line 30
    Esc back  ? keys
    ");
    assert_eq!(picture(&mut app, 15, 3).lines().next(), Some("too small"));
}

#[test]
fn a_plan_that_was_never_run_says_how_to_begin() {
    let mut app = App::new("shop", false);
    insta::assert_snapshot!(picture(&mut app, 50, 8), @"
     shop · new

     plan shop was never run

     start it in another terminal: windlass run
     this screen follows once it begins

    q leave
    ");
}

#[test]
fn keys_leave_wishes_and_ask_before_work_is_ended() {
    let wish = |effects: &[Effect]| match effects {
        [Effect::Wish(wish)] => Some(wish.clone()),
        _ => None,
    };
    let mut app = shop();
    assert_eq!(wish(&press(&mut app, "p")), Some(Wish::Pause {}));
    app.state = RunState::Paused;
    assert_eq!(wish(&press(&mut app, "p")), Some(Wish::Resume {}));
    assert_eq!(wish(&press(&mut app, "R")), Some(Wish::RetryBlocked {}));
    // On a phase there is no task to steer.
    assert_eq!(press(&mut app, "r"), []);
    assert_eq!(wish(&press(&mut app, "↓r")), Some(Wish::Retry { task: id("T1") }));
    assert_eq!(press(&mut app, "sn"), [], "any other key means no");
    assert_eq!(wish(&press(&mut app, "sy")), Some(Wish::Skip { task: id("T1") }));
    assert_eq!(wish(&press(&mut app, "cy")), Some(Wish::Cancel { task: Some(id("T1")) }));
    assert_eq!(wish(&press(&mut app, "Xy")), Some(Wish::Cancel { task: None }));
    assert_eq!(press(&mut app, "q"), [Effect::Leave]);
}

#[test]
fn one_key_does_what_a_task_waits_for() {
    let mut app = shop();
    press(&mut app, "n");
    assert_eq!(app.task().unwrap().id, id("T2"), "the question comes first");
    assert_eq!(press(&mut app, "awith tax"), []);
    let answer = Wish::Answer { task: id("T2"), text: "with tax".into(), afresh: false };
    assert_eq!(press(&mut app, "⏎"), [Effect::Wish(answer)]);
    press(&mut app, "n");
    assert_eq!(app.task().unwrap().id, id("T3"));
    assert_eq!(press(&mut app, "ay"), [Effect::Wish(Wish::Approve { task: id("T3"), files: Vec::new() })]);
    // An answer that is given up, or empty, is none.
    assert_eq!(press(&mut app, "nax⎋"), []);
    assert_eq!(press(&mut app, "a⏎"), []);
}

#[test]
fn search_and_filter_find_tasks_and_folding_hides_them() {
    let mut app = shop();
    press(&mut app, "/t5⏎");
    assert_eq!(app.task().unwrap().id, id("T5"));
    press(&mut app, "⎋f");
    assert_eq!(app.rows.len(), 5, "two phases, and the three that wait");
    press(&mut app, "ff");
    let first = app.rows.len();
    press(&mut app, "fgh");
    assert!(app.rows.len() < 7 && first == 7, "{first}");
    press(&mut app, "/t1⏎");
    assert_eq!(app.task().unwrap().id, id("T1"), "a task that is looked for is unfolded");
}

#[test]
fn two_hundred_agents_fit() {
    let names: Vec<String> = (0..200).map(|n| format!("T{n:03}")).collect();
    let tasks: Vec<SealedTask> = names.iter().map(|name| sealed(name, "P1")).collect();
    let mut events = run_of(&tasks);
    events.extend(names.iter().map(|name| started(name)));
    events.extend(names.iter().map(|name| beat(name, "Edit src/lib.rs")));
    let mut app = app_of(&events);
    press(&mut app, "G");
    let text = picture(&mut app, 80, 10);
    assert!(text.contains("200 at work") && text.contains("T199"), "{text}");
}

#[test]
fn a_terminal_without_utf_8_gets_ascii() {
    let mut app = shop();
    let mut terminal = Terminal::new(TestBackend::new(60, 10)).unwrap();
    let drawn = terminal.draw(|frame| {
        draw(frame, &mut app);
        to_ascii(frame.buffer_mut());
    });
    assert!(drawn.unwrap().buffer.content.iter().all(|cell| cell.symbol().is_ascii()));
}

#[test]
fn no_state_is_told_by_colour_alone() {
    let (mut plain, mut coloured) = (shop(), shop());
    coloured.colour = true;
    assert_eq!(picture(&mut plain, 100, 14), picture(&mut coloured, 100, 14));
}
