//! Documents of a page, from small journals.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::*;
use crate::event::{BlockReason, Event, Role, TaskEvent, TurnEnded, Usage};
use crate::ids::{AttemptNo, BlobName};
use crate::plan::{Criterion, Plan, Task};
use crate::policy::Rung;
use crate::state::TaskState;
use crate::view::tests::testing::{
    candidate, fold, id, merged, plan_sealed, refused, run_started, sealed, stamp, started,
};
use crate::view::{Liveness, PersonNeed, View};

static NO_TITLES: BTreeMap<String, String> = BTreeMap::new();
const AROUND: Around<'_> = Around {
    plan: "shop",
    coordinator: Liveness::Alive,
    now: 60_000,
    wishes: &[],
    titles: &NO_TITLES,
    trouble: None,
};

fn blocked(task: &str, block: BlockReason) -> Event {
    TaskEvent::TaskBlocked { block }.of(id(task))
}

/// Two phases and a task of its own: `a` is merged, `b` failed, `c` works, `d` asks.
fn shop() -> Vec<Event> {
    let asks = BlockReason::AgentBlocked { reason: "which currency?".into() };
    vec![
        run_started(),
        plan_sealed(&[
            sealed("a", &[], &["one"]),
            sealed("b", &["a"], &["one"]),
            sealed("c", &["a"], &["two"]),
            sealed("d", &[], &["two"]),
            sealed("e", &["b", "c", "a"], &[]),
        ]),
        started("a", 1, Rung::First),
        candidate("a", 1),
        merged("a", 1),
        started("b", 1, Rung::First),
        started("c", 1, Rung::First),
        candidate("b", 1),
        refused("b", 1),
        TaskEvent::TaskFailed { reason: "the ladder is used up".into() }.of(id("b")),
        blocked("d", asks),
    ]
}

#[test]
fn questions_come_before_failures_and_offer_what_helps() {
    let doc = attention(&fold(&shop()), None);
    let lines: Vec<String> = doc
        .items
        .iter()
        .map(|item| {
            let offers: Vec<&str> = item.offers.iter().map(|o| o.as_str()).collect();
            format!(
                "{} {} [{}] {}",
                item.task.as_ref().unwrap(),
                item.need.as_str(),
                offers.join(" "),
                item.text
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            "d question [answer retry skip] which currency?",
            "b failed [retry answer skip] the ladder is used up",
        ]
    );
    assert_eq!(doc.total, 2);
}

#[test]
fn a_task_that_wants_files_names_them() {
    let block = BlockReason::NeedsFiles { files: vec![("src/tax.rs".into(), "new".into())] };
    let mut events = shop();
    events.pop();
    events.push(blocked("d", block));
    let doc = attention(&fold(&events), None);
    assert_eq!(doc.items[0].files, ["src/tax.rs"]);
    assert_eq!(doc.items[0].need, PersonNeed::Files);
}

#[test]
fn a_very_long_list_is_counted() {
    let names: Vec<String> = (0..300).map(|n| format!("t{n}")).collect();
    let tasks: Vec<_> = names.iter().map(|n| sealed(n, &[], &[])).collect();
    let mut events = vec![run_started(), plan_sealed(&tasks)];
    events.extend(names.iter().map(|n| TaskEvent::TaskFailed { reason: "no".into() }.of(id(n))));
    let doc = attention(&fold(&events), None);
    assert_eq!((doc.total, doc.items.len()), (300, 200));
}

#[test]
fn an_overview_has_what_is_seen_first() {
    let doc = overview(&fold(&shop()), AROUND, &Doings::default());
    let ids = |rows: &[RowDoc]| rows.iter().map(|r| r.id.to_string()).collect::<Vec<_>>();
    assert_eq!(ids(&doc.running), ["c"]);
    assert_eq!(ids(&doc.merged), ["a"]);
    let phases: Vec<_> = doc.phases.iter().map(|p| (p.id.as_str(), p.state.as_str(), p.tally)).collect();
    assert_eq!(phases, [("one", "failed", [1, 0, 1, 0]), ("two", "in_progress", [0, 1, 1, 0])]);
    assert_eq!(doc.head.counts.total, 5);
    let value = serde_json::to_value(&doc).unwrap();
    assert_eq!(value["schema"], "windlass.overview/1");
    assert_eq!(value["head"]["state"], "running");
    assert_eq!(value["running"][0]["steps"], "w.r.i.g.f.c.");
}

#[test]
fn rows_are_filtered_sorted_and_cut() {
    let view = fold(&shop());
    let asked = |query: RowQuery| {
        let doc = rows(&view, &RowQuery { count: 10, ..query }, &Doings::default());
        (doc.total, doc.rows.iter().map(|r| r.id.to_string()).collect::<String>())
    };
    let all = RowQuery::default;
    assert_eq!(asked(all()), (5, "abcde".into()));
    assert_eq!(asked(RowQuery { from: 3, ..all() }), (5, "de".into()));
    assert_eq!(asked(RowQuery { reversed: true, ..all() }), (5, "edcba".into()));
    assert_eq!(asked(RowQuery { find: "DO C".into(), ..all() }), (1, "c".into()));
    assert_eq!(asked(RowQuery { phase: Some(1), ..all() }), (2, "cd".into()));
    let failed = vec![TaskState::Failed, TaskState::Blocked];
    assert_eq!(asked(RowQuery { states: failed, ..all() }), (2, "bd".into()));
    assert_eq!(asked(RowQuery { order: RowOrder::Heard, ..all() }).1, "dbcae");
    assert_eq!(asked(RowQuery { order: RowOrder::Attempts, ..all() }).1, "abcde");
}

#[test]
fn a_change_has_the_rows_that_changed_and_nothing_else() {
    let events = stamp(&shop());
    let mut touched = Touched::default();
    for event in &events[7..] {
        touched.apply(event);
    }
    let view = fold(&shop());
    let change = ChangeDoc::new(&view, 7, &touched, AROUND, &Doings::default());
    let ids: Vec<String> = change.rows.iter().map(|r| r.id.to_string()).collect();
    assert_eq!((ids, change.reload), (vec!["b".into(), "d".into()], false));
    assert_eq!(change.phases.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 1]);
    touched.apply(&events[1]);
    let change = ChangeDoc::new(&view, 7, &touched, AROUND, &Doings::default());
    assert!(change.reload && change.rows.is_empty(), "a plan sealed again changes everything");
}

#[test]
fn attempts_take_the_lane_that_is_free() {
    let doc = timeline(&fold(&shop()), 60_000);
    let bars: Vec<_> =
        doc.bars.iter().map(|b| (b.task.as_str(), b.lane, b.begin, b.length, b.outcome.as_str())).collect();
    assert_eq!(
        bars,
        [
            ("a", 0, 0, 2_000, "merged"),
            ("b", 0, 3_000, 3_000, "tests-failed"),
            ("c", 1, 4_000, 53_000, "open"),
        ]
    );
    assert_eq!((doc.lanes, doc.from, doc.until), (2, 3_000, 60_000));
}

fn turn(task: &str, cost: Option<f64>) -> Event {
    TaskEvent::TurnEnded(TurnEnded {
        attempt: AttemptNo(1),
        role: Role::Implementer,
        agent: "x".into(),
        model: None,
        millis: 5,
        claim: crate::event::Claim::Done,
        usage: Usage { input_tokens: 10, output_tokens: 1, cost_usd: cost, ..Usage::default() },
        session: None,
        summary: None,
        brief: BlobName::of(b"brief"),
        output: BlobName::of(b"said"),
    })
    .of(id(task))
}

#[test]
fn the_cost_only_grows_and_has_few_points() {
    let mut spending = SpendingFold::default();
    let events: Vec<Event> = (0..2_000).map(|n| turn("a", (n % 2 == 0).then_some(0.01))).collect();
    for event in &stamp(&events) {
        spending.apply(event);
    }
    let doc = spending.doc(3_000_000);
    assert_eq!((doc.seq, doc.unpriced_turns, doc.total.tokens()), (2_000, 1_000, 22_000));
    assert!(doc.points.len() <= 513, "{}", doc.points.len());
    assert!(doc.points.windows(2).all(|w| w[0].tokens <= w[1].tokens && w[0].at <= w[1].at));
    assert_eq!(doc.points.last().unwrap().tokens, 22_000);
    assert_eq!(doc.by_agent, [("x".to_owned(), 2_000, doc.total)]);
}

fn links_of(doc: &MapDoc) -> Vec<(String, String)> {
    let (mut then, mut found) = (0, Vec::new());
    for pair in doc.links.chunks(2) {
        then += pair[0];
        let name = |at: i64| doc.names[usize::try_from(at).unwrap()].clone();
        found.push((name(then - pair[1]), name(then)));
    }
    found
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[test]
fn the_map_folds_phases_and_keeps_their_links() {
    let view = fold(&shop());
    let open = map(&view, None);
    assert_eq!(open.names, ["a", "b", "c", "d", "e"]);
    assert_eq!(open.states, "cfibp");
    assert_eq!(links_of(&open), pairs(&[("a", "b"), ("a", "c"), ("b", "e"), ("c", "e")]), "a → e follows");
    assert_eq!(open.x, [0, 1, 1, 0, 2]);
    let folded = map(&view, Some(&BTreeSet::new()));
    assert_eq!(folded.names, ["one", "two", "e"]);
    assert_eq!((folded.phases.clone(), folded.titles.clone()), (vec![0, 1], vec!["Do e".to_owned()]));
    assert_eq!(links_of(&folded), pairs(&[("one", "two"), ("two", "e")]));
    let half = map(&view, Some(&BTreeSet::from([1, 99])));
    assert_eq!(half.names, ["one", "c", "d", "e"]);
    assert_eq!(half.open, [1], "what is no phase is not open");
}

#[test]
fn phases_that_wait_for_each_other_are_drawn() {
    let tasks = [sealed("a", &[], &["one"]), sealed("b", &["a"], &["two"]), sealed("c", &["b"], &["one"])];
    let view = fold(&[run_started(), plan_sealed(&tasks)]);
    let doc = map(&view, Some(&BTreeSet::new()));
    assert_eq!(links_of(&doc), pairs(&[("two", "one"), ("one", "two")]));
    assert_eq!(doc.x, [0, 1]);
}

#[test]
fn ten_thousand_tasks_are_small_and_never_on_top_of_each_other() {
    let name = |n: usize| format!("T-{n:05}");
    let tasks: Vec<_> = (0..10_000)
        .map(|n| match n {
            0..1_000 => sealed(&name(n), &[], &[]),
            _ => sealed(&name(n), &[&name(n - 1_000), &name(n - 997)], &[]),
        })
        .collect();
    let view = fold(&[run_started(), plan_sealed(&tasks)]);
    let doc = map(&view, None);
    let places: BTreeSet<(usize, i64)> = doc.x.iter().copied().zip(doc.y.iter().copied()).collect();
    assert_eq!(places.len(), 10_000);
    let size = serde_json::to_string(&doc).unwrap().len();
    assert!(size < 450_000, "{size}");
    let first = serde_json::to_string(&overview(&view, AROUND, &Doings::default())).unwrap().len();
    assert!(first < 300_000, "{first}");
}

#[test]
fn an_empty_plan_can_be_drawn() {
    let doc = map(&View::default(), None);
    assert!(doc.names.is_empty() && doc.links.is_empty());
    assert_eq!(timeline(&View::default(), 5).lanes, 0);
    assert_eq!(
        serde_json::to_value(attention(&View::default(), None)).unwrap(),
        json!({"total": 0, "items": []})
    );
}

#[test]
fn lines_stand_beside_the_tasks_that_serve_them() {
    let mut task = Task { id: "t1".into(), title: "Sum".into(), ..Task::default() };
    task.traces_to.stories = vec!["US-1".into()];
    let says =
        Criterion { id: "#1".into(), text: "The sum of no prices is zero.".into(), ..Criterion::default() };
    let other = Task { id: "t2".into(), title: "Tax".into(), criteria: vec![says], ..Task::default() };
    let lost = Task { id: "t3".into(), title: "Lost".into(), ..Task::default() };
    let plan = Plan { name: "shop".into(), tasks: vec![task, other, lost], ..Plan::default() };
    let text = "# Shop\n\n**US-1.** As a buyer\n- the sum of *no* prices is zero\nUS-10 is another\n";
    let documents = [("spec.md".to_owned(), Some(text.to_owned())), ("gone.md".to_owned(), None)];
    let doc = review(&plan, &View::default(), &documents);
    let beside: Vec<(usize, &[usize])> =
        doc.documents[0].lines.iter().enumerate().map(|(n, l)| (n + 1, l.tasks.as_slice())).collect();
    assert_eq!(beside, [(1, &[][..]), (2, &[]), (3, &[0]), (4, &[1]), (5, &[])]);
    assert_eq!(doc.tasks.iter().map(|t| t.placed).collect::<Vec<_>>(), [true, true, false]);
    assert!(!doc.documents[1].found);
}
