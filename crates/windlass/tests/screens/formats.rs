//! A plan in the formats of other tools: what their users see of a run, and what is said instead of a signal.

use serde_json::{Value, json};
use windlass_core::policy::Rung;

use crate::journal::{candidate, journal, merged, plan_sealed, run_started, sealed, started};
use crate::plans;
use crate::space::Space;

/// A repository with the plan `shop`, of which `a` is merged and `b` is being worked on.
fn under_way() -> Space {
    let space = Space::repository();
    plans::whole(&space);
    let tasks = vec![
        sealed("a", "Add the model", &[]),
        sealed("b", "Add the endpoint", &["a"]),
        sealed("c", "Write the page", &["a"]),
    ];
    let events = [
        run_started(0),
        plan_sealed(tasks),
        started("a", 1, Rung::First),
        candidate("a", 1),
        merged("a", 1),
        started("b", 1, Rung::First),
    ];
    journal(&space, &events);
    space
}

fn export(space: &Space, format: &str) -> String {
    let said = space.run(&["export", "--to", format, "-o", format]);
    assert!(said.contains("--- exit 0"), "{format}: {said}");
    said
}

fn read_json(space: &Space, path: &str) -> Value {
    serde_json::from_str(&space.read(path)).unwrap()
}

/// The states of the tasks in a file, in its words.
fn states(space: &Space, path: &str, list: &str, key: &str) -> Vec<String> {
    let file = read_json(space, path);
    let tasks = file.pointer(list).unwrap();
    let word = |task: &Value| task[key].as_str().unwrap().to_owned();
    match tasks {
        Value::Object(tasks) => tasks.values().map(word).collect(),
        tasks => tasks.as_array().unwrap().iter().map(word).collect(),
    }
}

#[test]
fn every_format_shows_how_far_a_run_has_come() {
    let space = under_way();
    for format in ["zerg", "superplanner", "taskmaster", "speckit", "contract", "homerun"] {
        export(&space, format);
    }
    let usual = ["completed", "in_progress", "pending"];
    let graph = states(&space, "zerg/task-graph.json", "/tasks", "status");
    assert_eq!(graph, ["complete", "in_progress", "pending"]);
    assert_eq!(states(&space, "homerun/docs/tasks.json", "/tasks", "status"), usual);
    assert_eq!(states(&space, "superplanner/shop.json", "/tasks", "state"), usual);
    let master = states(&space, "taskmaster/tasks.json", "/master/tasks", "status");
    assert_eq!(master, ["done", "in-progress", "pending"]);
    let lines = space.read("speckit/tasks.md").to_lowercase();
    assert!(lines.contains("- [x] t001") && lines.contains("- [ ] t002"), "{lines}");
    assert!(space.read("contract/TASK-001-a.md").contains("id: a"));
}

#[test]
fn homerun_is_told_what_was_done() {
    let space = under_way();
    assert!(export(&space, "homerun").contains("wrote homerun/state.json"));
    let state = read_json(&space, "homerun/state.json");
    assert_eq!((&state["phase"], &state["current_task"]), (&json!("implementing"), &json!("002")));
    assert_eq!(state["created_at"], "1970-01-01T00:01:40Z");
    let entry = |skill: &str, second: u32, task: &str| {
        let at = format!("1970-01-01T00:00:{second:02}Z");
        json!({ "skill": skill, "timestamp": at, "phase": "implementing", "task": task })
    };
    let log = state["skill_log"].as_array().unwrap();
    assert_eq!(log[0]["skill"], "homerun:conductor");
    let rest = [
        entry("homerun:implement", 3, "001"),
        entry("homerun:review", 5, "001"),
        entry("homerun:implement", 6, "002"),
    ];
    assert_eq!(log[1..], rest);
    let progress =
        json!({ "iteration": 1, "tasks_completed_this_iteration": 1, "last_completion_iteration": 1 });
    assert_eq!(state["progress"], progress);
}

#[test]
fn planning_is_complete_only_without_errors() {
    let space = Space::new();
    plans::whole(&space);
    let said = space.run(&["export", "--to", "homerun", "-o", "out", "--signal"]);
    assert!(said.contains("\"signal\": \"PLANNING_COMPLETE\""), "{said}");
    assert!(said.contains("\"tasks_count\": 3") && said.contains("\"coverage\""), "{said}");
    plans::broken(&space);
    let said = space.run(&["export", "--to", "homerun", "-o", "other", "--signal"]);
    assert!(said.contains("error: PLANNING_COMPLETE is not given: homerun's rules find"), "{said}");
    assert!(said.contains("WL0151") && said.contains("--- exit 1"), "{said}");
    assert!(!space.work().join("other").exists());
    let said = space.run(&["export", "--to", "zerg", "-o", "other", "--signal"]);
    assert!(said.contains("`--signal` is homerun's: it needs `--to homerun`"), "{said}");
}

#[test]
fn a_session_has_its_documents() {
    let space = under_way();
    export(&space, "ccw");
    let file = |name: &str| format!("ccw/.workflow/active/WFS-shop/{name}");
    let about = &read_json(&space, &file("plan.json"))["_metadata"];
    assert_eq!((&about["plan_type"], &about["timestamp"]), (&json!("tdd"), &json!("1970-01-01T00:01:40Z")));
    let todo = space.read(&file("TODO_LIST.md"));
    assert!(todo.contains("- [x] **IMPL-1**: Add the model · Red → Green → Refactor (completed)"), "{todo}");
    assert!(
        todo.contains("- [ ] **IMPL-2**: Add the endpoint · Red → Green → Refactor (in_progress)"),
        "{todo}"
    );
    let plan = space.read(&file("IMPL_PLAN.md"));
    for line in
        ["workflow_type: \"tdd\"", "tdd_workflow: true", "feature_count: 3", "## TDD Implementation Tasks"]
    {
        assert!(plan.contains(line), "{line}: {plan}");
    }
    let log = space.read(&file(".process/tdd-warnings.log"));
    assert!(log.lines().any(|l| l == "WARNING: [WL0441] `IMPL-1` has no cycle with test cases"), "{log}");
    let session =
        |task: &str| read_json(&space, &file(&format!(".task/{task}.json")))["cli_execution"].clone();
    assert_eq!(session("IMPL-1"), json!({ "id": "WFS-shop-IMPL-1", "strategy": "new" }));
    let forked = json!({ "id": "WFS-shop-IMPL-2", "strategy": "fork", "resume_from": "WFS-shop-IMPL-1" });
    assert_eq!(session("IMPL-2"), forked);
}
