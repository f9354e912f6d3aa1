//! A task's file sets, its own tests, its places in the source, and its JSON.

use serde_json::{Value, json};

use super::*;
use crate::diagnostic::FileIx;
use crate::plan::Plan;

fn task(value: &Value) -> Task {
    serde_json::from_value(value.clone()).unwrap_or_else(|e| panic!("{value}: {e}"))
}

#[test]
fn owned_files_are_named_once_in_the_order_written() {
    let table: [(Value, &[&str]); 6] = [
        (json!({}), &[]),
        (json!({"files": {"read": ["r"]}}), &[]),
        (json!({"files": {"create": ["c"], "modify": ["m"], "delete": ["d"]}}), &["c", "m", "d"]),
        (json!({"files": {"create": ["a", "a"], "modify": ["a"]}, "test": {"file": "a"}}), &["a"]),
        (
            json!({"test": {"file": "t1"}, "test_code": [{"path": "t2", "code": ""}, {"code": "no path"}, {"path": "t1", "code": ""}]}),
            &["t1", "t2"],
        ),
        // Paths are text here: tidying is a matter of the graph.
        (json!({"files": {"create": ["a", "./a"]}}), &["a", "./a"]),
    ];
    for (value, expected) in table {
        assert_eq!(task(&value).owned().collect::<Vec<_>>(), expected, "{value}");
    }
}

#[test]
fn a_task_with_very_many_files_names_each_of_them_once_too() {
    let paths: Vec<String> = (0..40).map(|n| format!("f{}", n % 20)).collect();
    let mut task = Task::default();
    task.files.modify = paths;
    task.test.file = Some("f3".into());
    let expected: Vec<String> = (0..20).map(|n| format!("f{n}")).collect();
    assert_eq!(task.owned().collect::<Vec<_>>(), expected);
}

#[test]
fn the_test_file_comes_before_the_files_of_test_code() {
    let blocks = json!([{"path": "t2", "code": ""}, {"path": "t1", "code": ""}, {"path": "t2", "code": ""}]);
    let table: [(Value, &[&str]); 4] = [
        (json!({}), &[]),
        (json!({"files": {"create": ["tests/a.py"]}}), &[]),
        (json!({"test_code": blocks}), &["t2", "t1"]),
        (json!({"test": {"file": "t1"}, "test_code": blocks}), &["t1", "t2"]),
    ];
    for (value, expected) in table {
        assert_eq!(task(&value).test_files(), expected, "{value}");
    }
}

#[test]
fn a_place_that_is_not_known_is_that_of_the_next_larger_thing() {
    let at = |start| Span { file: FileIx(0), start, end: start + 1 };
    let mut task = Task::default();
    assert_eq!(task.span("title"), None);
    task.places.insert(String::new(), at(1));
    task.places.note("files", at(2));
    task.places.note("files.create", at(3));
    task.places.note_item("files.create", 1, at(4));
    task.places.note("depends_on", at(5));
    let table = [
        ("files.create[1]", 4),
        ("files.create[0]", 3),
        ("files.create", 3),
        ("files.modify[7]", 2),
        ("files", 2),
        ("depends_on[0]", 5),
        ("depends", 1),
        ("title", 1),
        ("", 1),
        ("[", 1),
        ("...", 1),
    ];
    for (field, start) in table {
        assert_eq!(task.span(field), Some(at(start)), "{field}");
    }
}

#[test]
fn the_smallest_task_in_json_has_five_keys() {
    let json = serde_json::to_value(Task::default()).unwrap();
    let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, ["depends_on", "files", "id", "test", "title"]);
    assert_eq!(task(&json), Task::default());
}

#[test]
fn broken_fields_are_refused_and_unknown_ones_ignored() {
    assert_eq!(task(&json!({"id": "a", "colour": "blue"})), Task { id: "a".into(), ..Task::default() });
    let bad = [
        json!({"id": 7}),
        json!({"id": null}),
        json!({"depends_on": "a"}),
        json!({"depends_on": [1]}),
        json!({"tier": "huge"}),
        json!({"mode": "yolo"}),
        json!({"files": ["a"]}),
        json!({"estimate_minutes": "5"}),
        json!({"max_iterations": -1}),
        json!("a"),
    ];
    for value in bad {
        assert!(serde_json::from_value::<Task>(value.clone()).is_err(), "{value}");
    }
}

#[test]
fn of_two_tasks_with_one_id_the_first_is_found() {
    let named = |title: &str| Task { id: "a".into(), title: title.into(), ..Task::default() };
    let plan = Plan { tasks: vec![named("first"), named("second")], ..Plan::default() };
    assert_eq!(plan.task("a").map(|t| t.title.as_str()), Some("first"));
    assert_eq!((plan.task("A"), plan.task("")), (None, None));
}

#[test]
fn places_are_not_part_of_a_plan_in_json() {
    let mut plan = Plan { name: "p".into(), ..Plan::default() };
    let span = Span { file: FileIx(3), start: 1, end: 2 };
    plan.places.note("name", span);
    assert_eq!((plan.span("name"), plan.span("title")), (Some(span), None));
    assert_eq!(serde_json::to_value(&plan).unwrap(), json!({"name": "p", "tasks": []}));
}
