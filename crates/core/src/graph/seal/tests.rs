//! What sealing refuses, orders and hands on: names, families, files and tests.

use super::super::tests::{ids, links, options, plan, said, sealed};
use super::*;
use crate::diagnostic::{FileIx, Span};
use crate::plan::Mode;

fn refused(lines: &[&str]) -> Vec<String> {
    said(&seal(&plan(lines), &options()).unwrap_err())
}

#[test]
fn cycles_are_named_by_their_shortest_way_round() {
    let table: [(&[&str], &[&str]); 8] = [
        (&["a b", "b a"], &["a → b → a"]),
        (&["b a", "a b"], &["b → a → b"]),
        (&["z", "a z b", "b z c", "c a"], &["a → b → c → a"]),
        // Tasks that only wait for a cycle are not part of it.
        (&["a b", "b a", "c a", "d c"], &["a → b → a"]),
        // A reference that stands twice.
        (&["a b b", "b a a"], &["a → b → a"]),
        // Two cycles through one task are one knot.
        (&["a b c", "b a", "c d", "d a"], &["a → b → a"]),
        (&["a b", "b a", "c d", "d c"], &["a → b → a", "c → d → c"]),
        // Over the parts of two families.
        (&["p", "a b ^p", "q", "b p ^q"], &["p → a → b → p"]),
    ];
    for (lines, cycles) in table {
        let expected: Vec<String> =
            cycles.iter().map(|c| format!("Error WL0150 dependency cycle: {c}")).collect();
        assert_eq!(refused(lines), expected, "{lines:?}");
    }
}

#[test]
fn references_must_name_another_task_of_the_plan() {
    let table: [(&[&str], &[&str]); 6] = [
        (&["a ghost"], &["Error WL0151 `a` depends on `ghost`, which is not in the plan"]),
        (&["a A"], &["Error WL0151 `a` depends on `A`, which is not in the plan"]),
        (&["a ^ghost"], &["Error WL0151 `a` is a part of `ghost`, which is not in the plan"]),
        (&["a a"], &["Error WL0152 `a` depends on itself"]),
        (&["a ^a"], &["Error WL0152 `a` is a part of itself"]),
        (
            &["a", "a", "a"],
            &["Error WL0154 two tasks have the id `a`", "Error WL0154 two tasks have the id `a`"],
        ),
    ];
    for (lines, expected) in table {
        assert_eq!(refused(lines), expected, "{lines:?}");
    }
}

#[test]
fn hostile_ids_are_escaped_in_the_message() {
    let table = [
        ("", "`` cannot be the id of a task: the id is empty"),
        ("a\u{1b}[31m", "`a\\u{1b}[31m` cannot be the id of a task: `\\u{1b}` is not allowed at position 2"),
        ("a\r\nb", "`a\\r\\nb` cannot be the id of a task: `\\r` is not allowed at position 2"),
        ("../x", "`../x` cannot be the id of a task: `.` is not allowed at position 1"),
    ];
    for (id, expected) in table {
        let mut plan = plan(&["a"]);
        plan.tasks[0].id = id.into();
        let found = seal(&plan, &options()).unwrap_err();
        assert_eq!((found.len(), found[0].code), (1, "WL0153"));
        assert!(found[0].message.starts_with(expected), "{}", found[0].message);
    }
}

#[test]
fn nesting_is_allowed_up_to_its_limit() {
    let nested: &[&str] = &["a", "b ^a", "c ^b", "d ^c"];
    for (max_depth, good) in [(0, false), (2, false), (3, true), (4, true)] {
        let options = SealOptions { max_depth, ..options() };
        let codes: Vec<&str> =
            seal(&plan(nested), &options).err().into_iter().flatten().map(|d| d.code).collect();
        assert_eq!(codes, if good { vec![] } else { vec!["WL0155"] }, "{max_depth}");
    }
}

#[test]
fn parts_inherit_what_their_parents_wait_for() {
    let table: [(&[&str], &str, &str); 5] = [
        // Over two generations.
        (&["x", "p x", "q ^p", "a ^q"], "x a", "x>a (parent)"),
        // Each generation adds its own.
        (&["x", "y", "p x", "q y ^p", "a ^q"], "x y a", "x>a (parent), y>a (parent)"),
        // A parent with files of its own is a leaf, after its parts.
        (&["p +f", "a ^p", "b ^p"], "p a b", "a>p (barrier), b>p (barrier)"),
        // Its parts inherit the wait; the parent follows through them.
        (&["x", "p x +f", "a ^p"], "x p a", "a>p (barrier), x>a (parent)"),
        // An empty family is a task without work of its own.
        (&["p", "z p"], "p z", "p>z"),
    ];
    for (lines, leaves, expected) in table {
        let graph = sealed(lines).graph;
        let all: Vec<TaskIx> = graph.indices().collect();
        assert_eq!(ids(&graph, &all), leaves, "{lines:?}");
        assert_eq!(links(&graph), expected, "{lines:?}");
    }
}

#[test]
fn a_leaf_has_its_mode_its_files_and_its_place_in_the_plan() {
    let graph = sealed(&["p", "a ^p +./src//a.py", "b ^p +test_b.py", "g"]).graph;
    let seen: Vec<(&str, usize, Mode, Vec<&str>)> = graph
        .nodes()
        .iter()
        .map(|n| (n.id.as_str(), n.task, n.mode, n.owned.iter().map(String::as_str).collect()))
        .collect();
    let expected = [
        ("a", 1, Mode::Tdd, vec!["src/a.py"]),
        ("b", 2, Mode::TestsOnly, vec!["test_b.py"]),
        ("g", 3, Mode::Gate, vec![]),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn the_hand_over_of_a_test_file_is_ordered() {
    // What each of two tasks does to the file: `t` has its tests there.
    let order = |first: char, second: char| {
        let mut plan = plan(&["a", "b"]);
        for (task, touch) in plan.tasks.iter_mut().zip([first, second]) {
            match touch {
                't' => task.test.file = Some("tests/x.py".into()),
                '+' => task.files.create.push("tests/x.py".into()),
                '~' => task.files.modify.push("tests/x.py".into()),
                '-' => task.files.delete.push("tests/x.py".into()),
                other => panic!("{other}"),
            }
        }
        let sealed = seal(&plan, &options()).unwrap();
        let severities: Vec<Severity> = sealed.findings.iter().map(|d| d.severity).collect();
        (links(&sealed.graph), severities)
    };
    let ab = || "a>b (tests/x.py)".to_owned();
    let ba = || "b>a (tests/x.py)".to_owned();
    let table = [
        // Nothing says which comes first: the order written, and a warning.
        ('t', 't', ab(), Severity::Warning),
        ('+', '+', ab(), Severity::Warning),
        ('-', '-', ab(), Severity::Warning),
        // A test that is made or removed elsewhere.
        ('t', '+', ba(), Severity::Note),
        ('+', 't', ab(), Severity::Note),
        ('-', 't', ba(), Severity::Note),
        // A task with its tests there may come before or after one that changes the file.
        ('t', '~', ab(), Severity::Warning),
        ('~', 't', ba(), Severity::Warning),
    ];
    for (first, second, link, severity) in table {
        assert_eq!(order(first, second), (link, vec![severity]), "{first} {second}");
    }
}

#[test]
fn overlaps_that_nothing_orders_are_refused_on_request() {
    let refusing = SealOptions { overlap: Overlap::Refuse, ..options() };
    let table: [(&[&str], &[&str]); 5] = [
        (&["a ~x", "b ~x"], &["Error WL0160 unordered overlap: `a` and `b` both change `x`"]),
        (
            &["a ~x ~y ~z", "b ~x ~y ~z"],
            &["Error WL0160 unordered overlap: `a` and `b` both change `x` and 2 more paths"],
        ),
        (&["a ~src/", "b +src/b.py"], &["Error WL0160 unordered overlap: `a` and `b` both change `src/`"]),
        (&["a ~x", "b ~x a"], &[]),
        (&["a ~x", "b ~y"], &[]),
    ];
    for (lines, expected) in table {
        let found = seal(&plan(lines), &refusing).err().unwrap_or_default();
        assert_eq!(said(&found), expected, "{lines:?}");
    }
}

#[test]
fn an_added_link_points_at_both_entries() {
    let span = |start| Span { file: FileIx(0), start, end: start + 1 };
    let mut plan = plan(&["a +x", "b ~x"]);
    plan.tasks[0].places.note_item("files.create", 0, span(10));
    plan.tasks[1].places.note_item("files.modify", 0, span(20));
    let found = seal(&plan, &options()).unwrap().findings;
    assert_eq!((found[0].task.as_deref(), found[0].span), (Some("b"), Some(span(20))));
    assert_eq!(found[0].related, [(span(10), "also in `a`".to_owned())]);
    assert_eq!(found[0].help.as_deref(), Some("say it in the plan: `b` depends on `a`"));
}

#[test]
fn order_critical_path_and_levels_of_small_plans() {
    let table: [(&[&str], &str, &str, &str); 6] = [
        // plan, order, critical path, levels
        (&[], "", "", ""),
        (&["a"], "a", "a", "a"),
        // Alike: the order written.
        (&["b #5", "a #5"], "b a", "b", "b a"),
        (&["a #5", "b #9"], "b a", "b", "a b"),
        // A diamond goes over its dearer side.
        (&["a #1", "b a #2", "c a #3", "d b c #1"], "a c b d", "a c d", "a | b c | d"),
        // The dearest chain, not the longest one.
        (&["a #1", "b a #1", "c b #1", "d #9"], "d a b c", "d", "a d | b | c"),
    ];
    for (lines, order, critical, levels) in table {
        let graph = sealed(lines).graph;
        assert_eq!(ids(&graph, graph.order()), order, "{lines:?}");
        assert_eq!(ids(&graph, &graph.critical_path()), critical, "{lines:?}");
        let rows: Vec<String> = graph.levels().iter().map(|l| ids(&graph, l)).collect();
        assert_eq!(rows.join(" | "), levels, "{lines:?}");
    }
}

#[test]
fn before_means_waited_for_at_any_distance() {
    let graph = sealed(&["a", "b a", "c b", "x", "y x c"]).graph;
    let at = |id| graph.find(id).unwrap();
    let table = [
        ("a", "b", true),
        ("a", "y", true),
        ("x", "y", true),
        ("b", "a", false),
        ("a", "x", false),
        ("a", "a", false),
    ];
    for (first, then, expected) in table {
        assert_eq!(graph.before(at(first), at(then)), expected, "{first} {then}");
    }
    assert_eq!(ids(&graph, &graph.ancestors(at("y"))), "a b c x");
    assert_eq!((graph.find("ghost"), graph.find_parent("a")), (None, None));
}
