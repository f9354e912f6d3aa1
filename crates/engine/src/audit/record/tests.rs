//! Tests of `audit/record`.

use super::*;

fn audited(task: &str, revision: Option<u32>) -> Audited {
    let oid = |digit: &str| digit.repeat(40);
    let evidence = revision.map(|revision| {
        serde_json::from_value(serde_json::json!({
            "schema": Evidence::SCHEMA, "plan": "p", "task": task, "task_hash": "", "mode": "tdd", "attempt": 1,
            "revision": revision, "onto": oid("1"), "candidate": oid("2"), "changes": [], "owned": [], "windlass": "0",
            "green": {"tree": oid("3"), "gates": [], "environment": [], "containment": "off"},
        }))
        .unwrap()
    });
    let commit = Oid::new(&oid("4")).unwrap();
    Audited { commit, task: task.into(), blob: None, problems: Vec::new(), evidence }
}

#[test]
fn every_revision_of_a_task_is_in_the_branch_once() {
    let problems = |records: &[(&str, Option<u32>)]| {
        let mut records: Vec<Audited> = records.iter().map(|(task, n)| audited(task, *n)).collect();
        once_each(&mut records);
        records.iter().map(|r| r.problems.len()).collect::<Vec<_>>()
    };
    assert_eq!(problems(&[("a", Some(1)), ("b", Some(1)), ("a", Some(2))]), [0, 0, 0]);
    assert_eq!(problems(&[("a", Some(1)), ("a", Some(1))]), [0, 1], "merged twice");
    assert_eq!(problems(&[("a", Some(2))]), [1], "the first one is missing");
    assert_eq!(problems(&[("a", None), ("a", Some(2))]), [0, 0], "an unreadable record counts");
}

#[test]
fn a_trailer_is_found_whatever_its_case() {
    let commit = CommitInfo {
        oid: Oid::new(&"1".repeat(40)).unwrap(),
        tree: Oid::new(&"2".repeat(40)).unwrap(),
        parents: Vec::new(),
        message: String::new(),
        trailers: vec![("windlass-task".into(), " T1 ".into()), ("Windlass-Task".into(), "T2".into())],
    };
    assert_eq!(trailer(&commit, TRAILER_TASK).as_deref(), Some("T1"));
    assert_eq!(trailer(&commit, TRAILER_PLAN), None);
}
