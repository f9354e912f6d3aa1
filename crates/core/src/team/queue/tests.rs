//! Which orders and conflicts of an integrator take effect.

use super::*;

fn id(text: &str) -> TaskId {
    TaskId::new(text).unwrap()
}

fn plan() -> Vec<(TaskId, Vec<TaskId>)> {
    vec![(id("a"), vec![]), (id("b"), vec![id("a")]), (id("c"), vec![])]
}

fn conflict(tasks: &[&str], order: &[&str]) -> Conflict {
    let owned = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
    Conflict {
        tasks: owned(tasks),
        severity: IssueSeverity::High,
        reason: "both write the schema".into(),
        files: vec![],
        order: owned(order),
    }
}

#[test]
fn an_order_becomes_edges_and_a_circle_is_refused() {
    let answer = QueueAnswer {
        queue: vec!["c".into(), "a".into(), "c".into(), "ghost".into()],
        conflicts: vec![
            conflict(&["b", "c"], &["c", "b"]),
            conflict(&["a", "b"], &["b", "a"]),
            conflict(&["a", "c"], &[]),
            conflict(&["b", "a"], &[]),
            conflict(&["a", "ghost"], &["a", "ghost"]),
        ],
    };
    let queued = settle_queue(&plan(), &answer);
    assert_eq!(queued.queue, [id("c"), id("a")]);
    assert_eq!(queued.edges, [(id("c"), id("b"))]);
    let orders: Vec<usize> = queued.conflicts.iter().map(|c| c.order.len()).collect();
    assert_eq!(orders, [2, 0, 0, 2], "{:?}", queued.conflicts);
    assert_eq!(queued.refused.len(), 3, "{:?}", queued.refused);
}

#[test]
fn an_edge_the_plan_has_is_not_added_twice() {
    let answer = QueueAnswer { queue: vec![], conflicts: vec![conflict(&["a", "b"], &["a", "b"])] };
    let queued = settle_queue(&plan(), &answer);
    assert_eq!((queued.edges.len(), queued.conflicts[0].order.len()), (0, 2));
}

/// Settles conflicts over a plan of `a`, `b` after `a`, and `c`; gives the new edges and what was refused.
fn settled(conflicts: Vec<Conflict>) -> (String, Vec<String>) {
    let queued = settle_queue(&plan(), &QueueAnswer { queue: vec![], conflicts });
    let edges: Vec<String> = queued.edges.iter().map(|(a, b)| format!("{a}>{b}")).collect();
    (edges.join(" "), queued.refused)
}

#[test]
fn the_order_of_a_conflict_is_accepted_or_refused_as_a_whole() {
    let unknown = "a conflict names tasks the plan does not have: both write the schema";
    let table: [(Vec<Conflict>, &str, &[&str]); 11] = [
        (vec![], "", &[]),
        (vec![conflict(&["b", "c"], &["c", "b"])], "c>b", &[]),
        (vec![conflict(&["a", "b", "c"], &["a", "c", "b"])], "a>c c>b", &[]),
        // What follows from other edges is not added.
        (vec![conflict(&["a", "b"], &["a", "b"])], "", &[]),
        // Against the plan.
        (vec![conflict(&["a", "b"], &["b", "a"])], "", &["`b` before `a` contradicts the plan's own order"]),
        // Its first half would fit.
        (
            vec![conflict(&["a", "b", "c"], &["c", "b", "a"])],
            "",
            &["`b` before `a` contradicts the plan's own order"],
        ),
        // Against an order that was accepted before.
        (
            vec![conflict(&["b", "c"], &["c", "b"]), conflict(&["b", "c"], &["b", "c"])],
            "c>b",
            &["`b` before `c` contradicts the plan's own order"],
        ),
        // An order of other tasks, or with a task twice, is no order.
        (vec![conflict(&["b", "c"], &["c"])], "", &[]),
        (vec![conflict(&["b", "c"], &["c", "b", "c"])], "", &[]),
        // A conflict needs two tasks of the plan.
        (vec![conflict(&["c"], &["c"])], "", &[unknown]),
        (vec![conflict(&["c", "../x"], &["c", "../x"])], "", &[unknown]),
    ];
    for (conflicts, edges, refused) in table {
        let what = format!("{conflicts:?}");
        assert_eq!(
            settled(conflicts),
            (edges.to_owned(), refused.iter().map(|r| (*r).to_owned()).collect()),
            "{what}"
        );
    }
}

#[test]
fn a_conflict_without_an_order_takes_the_plan_s_if_it_has_one() {
    let order = |tasks: &[&str]| {
        let answer = QueueAnswer { queue: vec![], conflicts: vec![conflict(tasks, &[])] };
        settle_queue(&plan(), &answer).conflicts[0].order.join(" ")
    };
    assert_eq!(order(&["b", "a"]), "a b");
    assert_eq!(order(&["a", "c"]), "", "a question for a person");
    assert_eq!(order(&["a", "b", "c"]), "", "one open pair is enough");
}

#[test]
fn the_queue_keeps_known_tasks_once() {
    let table: [(&[&str], &str, usize); 4] =
        [(&[], "", 0), (&["b", "a", "b"], "b a", 0), (&["ghost", "c"], "c", 1), (&["C", "", "*"], "", 3)];
    for (queue, expected, refused) in table {
        let answer =
            QueueAnswer { queue: queue.iter().map(|q| (*q).to_owned()).collect(), conflicts: vec![] };
        let queued = settle_queue(&plan(), &answer);
        let names: Vec<&str> = queued.queue.iter().map(TaskId::as_str).collect();
        assert_eq!((names.join(" ").as_str(), queued.refused.len()), (expected, refused), "{queue:?}");
    }
}

#[test]
fn answers_are_typed() {
    use serde_json::json;
    let conflict = |fields: serde_json::Value| json!({"queue": [], "conflicts": [fields]});
    let good = [
        json!({"queue": []}),
        json!({"queue": ["a"], "remark": "fine"}),
        conflict(json!({"tasks": ["a", "b"], "severity": "low", "reason": "x"})),
        conflict(json!({"tasks": ["a"], "severity": "high", "message": "x", "resolution_order": ["a"]})),
    ];
    for answer in good {
        assert!(serde_json::from_value::<QueueAnswer>(answer.clone()).is_ok(), "{answer}");
    }
    let bad = [
        json!({}),
        json!(["a"]),
        json!({"queue": "a, b"}),
        json!({"queue": [1]}),
        conflict(json!({"tasks": ["a", "b"], "reason": "x"})),
        conflict(json!({"tasks": ["a", "b"], "severity": "grave", "reason": "x"})),
        conflict(json!({"tasks": ["a", "b"], "severity": "low"})),
    ];
    for answer in bad {
        assert!(serde_json::from_value::<QueueAnswer>(answer.clone()).is_err(), "{answer}");
    }
}
