//! A plan in the formats of other tools: what their users see of a run, and what is said instead of a signal.

use serde_json::Value;
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
    space.run(&["export", "--to", format, "-o", format])
}

fn json(space: &Space, path: &str) -> Value {
    serde_json::from_str(&space.read(path)).unwrap()
}

#[test]
fn every_format_shows_how_far_a_run_has_come() {
    let space = under_way();
    let wrote = ["zerg", "superplanner", "taskmaster", "speckit", "contract", "homerun", "ccw"]
        .map(|format| export(&space, format));
    assert!(wrote.iter().all(|said| said.ends_with("--- exit 0\n")), "{wrote:?}");
    let states = |path: &str, list: &str, key: &str| -> Vec<String> {
        let file = json(&space, path);
        let tasks = file.pointer(list).unwrap();
        let all: Vec<&Value> = tasks
            .as_array()
            .map_or_else(|| tasks.as_object().unwrap().values().collect(), |l| l.iter().collect());
        all.iter().map(|task| task[key].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(states("zerg/task-graph.json", "/tasks", "status"), ["complete", "in_progress", "pending"]);
    assert_eq!(
        states("homerun/docs/tasks.json", "/tasks", "status"),
        ["completed", "in_progress", "pending"]
    );
    assert_eq!(states("superplanner/shop.json", "/tasks", "state"), ["completed", "in_progress", "pending"]);
    assert_eq!(
        states("taskmaster/tasks.json", "/master/tasks", "status"),
        ["done", "in-progress", "pending"]
    );
    let lines = space.read("speckit/tasks.md");
    assert!(lines.contains("- [X] T001") && lines.contains("- [ ] T002"), "{lines}");
    assert!(space.read("contract/TASK-001-a.md").contains("id: a"));
}

#[test]
fn homerun_is_told_what_was_done() {
    let space = under_way();
    assert!(export(&space, "homerun").contains("wrote homerun/state.json"));
    let state = json(&space, "homerun/state.json");
    assert_eq!((&state["phase"], &state["current_task"]), (&"implementing".into(), &"002".into()));
    insta::assert_snapshot!(format!("{:#}\n{:#}\n{}", state["skill_log"], state["progress"], state["created_at"]), @"");
}

#[test]
fn planning_is_complete_only_without_errors() {
    let space = Space::new();
    plans::whole(&space);
    insta::assert_snapshot!(space.run(&["export", "--to", "homerun", "-o", "out", "--signal"]), @"");
    plans::broken(&space);
    insta::assert_snapshot!(space.run(&["export", "--to", "homerun", "-o", "other", "--signal"]), @"");
    assert!(!space.work().join("other").exists());
    insta::assert_snapshot!(space.run(&["export", "--to", "zerg", "-o", "other", "--signal"]), @"");
}

#[test]
fn a_session_has_its_documents() {
    let space = under_way();
    insta::assert_snapshot!(export(&space, "ccw"), @"");
    let session = "ccw/.workflow/active/WFS-shop";
    let plan = json(&space, &format!("{session}/plan.json"));
    insta::assert_snapshot!(format!("{:#}", plan["_metadata"]), @"");
    insta::assert_snapshot!(space.read(&format!("{session}/TODO_LIST.md")), @"");
    insta::assert_snapshot!(space.read(&format!("{session}/IMPL_PLAN.md")), @"");
    insta::assert_snapshot!(space.read(&format!("{session}/.process/tdd-warnings.log")), @"");
    let session_of =
        |task: &str| json(&space, &format!("{session}/.task/{task}.json"))["cli_execution"].to_string();
    insta::assert_snapshot!(["IMPL-1", "IMPL-2", "IMPL-3"].map(session_of).join("\n"), @"");
}
