//! The conductor: which task is next, what an implementer gets, the state file's settings, a project named by any file.

use serde_json::{Value, json};

use super::session::{BRANCH, HomerunRepo};
use crate::frame::{empty, fixture};

fn session() -> HomerunRepo {
    HomerunRepo::new()
        .file("docs/tasks.json", &fixture("001/tasks.json"))
        .file("state.json", &fixture("001/state.json"))
}

/// The JSON that a command printed; warnings follow it.
fn json_of((code, said): (Option<i32>, String)) -> Value {
    assert_eq!(code, Some(0), "{said}");
    let start = said.find('{').unwrap_or_default();
    let mut values = serde_json::Deserializer::from_str(&said[start..]).into_iter::<Value>();
    values.next().and_then(Result::ok).unwrap_or_else(|| panic!("no JSON: {said}"))
}

pub(super) fn completed_tasks_stay_completed() {
    let mut tasks: Value = serde_json::from_str(&fixture("001/tasks.json")).unwrap();
    tasks["tasks"][0]["status"] = "completed".into();
    let session = session().file("docs/tasks.json", &tasks.to_string());
    let next = json_of(session.windlass(&["next", "docs/tasks.json", "--json"]));
    assert_eq!(next["ready"][0]["id"], "002", "{next:#}");
    assert_eq!(next["done_before"], json!(["001"]));
    let (_, said) =
        session.windlass(&["run", "docs/tasks.json", "--agent", "cmd:true", "--dry-run", "--yes"]);
    assert!(said.contains("not run again and not proved: 001"), "{said}");
}

pub(super) fn an_implementer_gets_paths_and_worktree() {
    let session = session();
    for plan in ["docs/tasks.json", "state.json", "."] {
        let input = json_of(session.windlass(&["next", plan, "--input", "002", "--json"]));
        assert_eq!(input["task"]["id"], "002", "{plan}");
        assert_eq!(input["specs"][0], "docs/specs/PRD.md", "{plan}: {input:#}");
        assert_eq!(input["worktree_path"], "../myapp-create-user-auth-a1b2c3d4", "{plan}");
    }
}

pub(super) fn auto_mode_of_the_state_counts() {
    let with = |auto: bool| {
        let mut state: Value = serde_json::from_str(&fixture("001/state.json")).unwrap();
        state["config"]["auto_mode"] = auto.into();
        session().file("state.json", &state.to_string())
    };
    // The example has a warning; without a terminal and without auto_mode the run does not go on.
    let (code, said) = with(false).windlass(&["run", "docs/tasks.json", "--agent", "cmd:true"]);
    assert!(code == Some(2) && said.contains("there is no terminal to ask on"), "{said}");
    let (_, said) = with(true).windlass(&["run", "docs/tasks.json", "--agent", "cmd:true"]);
    assert!(!said.contains("there is no terminal to ask on"), "{said}");
}

pub(super) fn retries_of_the_state_count() {
    let worst = |change: &dyn Fn(&mut Value)| {
        let mut state: Value = serde_json::from_str(&fixture("001/state.json")).unwrap();
        change(&mut state);
        let session = session().file("state.json", &state.to_string());
        json_of(session.windlass(&[
            "run",
            "docs/tasks.json",
            "--agent",
            "cmd:true",
            "--dry-run",
            "--yes",
            "--json",
        ]))
    };
    let few = worst(&|state| state["config"]["retries"] = json!({ "same_agent": 0, "fresh_agent": 0 }));
    let usual = worst(&|_| {});
    assert_ne!(few, usual);
}

pub(super) fn a_project_is_found_by_its_state() {
    let session = session();
    let (code, said) = session.windlass(&["check", "state.json"]);
    assert!(code == Some(0) && said.contains("2 tasks"), "{said}");
    let mut state: Value = serde_json::from_str(&fixture("001/state.json")).unwrap();
    state["tasks_file"] = "docs/gone.json".into();
    let session = session.file("state.json", &state.to_string());
    let (code, said) = session.windlass(&["check", "state.json"]);
    assert!(code == Some(2) && said.contains("docs/gone.json"), "{said}");
}

pub(super) fn a_project_is_found_by_its_tasks() {
    let session = session();
    let out = json_of(session.windlass(&["export", "docs/tasks.json", "--to", "json"]));
    assert_eq!((out["name"].as_str(), out["branch"].as_str()), (Some("user-auth"), Some(BRANCH)), "{out:#}");
}

/// Dependency updates are checked by the tests that are there, without a setting.
pub(super) fn existing_tests_are_found() {
    let task = json!({ "tasks": [{
        "id": "001", "title": "Update the pins", "objective": "Newer pins.", "task_type": "add_config",
        "acceptance_criteria": [{ "id": "AC-001", "criterion": "The pins say 2" }], "test_file": null,
        "no_test_reason": "Dependency updates", "status": "pending", "depends_on": [], "files": { "modify": ["requirements.txt"] },
        "traces_to": { "user_stories": [], "acceptance_criteria": ["AC-001"], "adr_decisions": [] } }] });
    let repo = empty()
        .file("docs/tasks.json", &task.to_string())
        // A pin that no interpreter of today takes: nothing has to be fetched.
        .file("requirements.txt", "a==1; python_version < '3'\n")
        .file("test_a.py", "def test_a():\n    assert True\n")
        .file("pyproject.toml", "[project]\nname = \"a\"\nversion = \"1\"\n[tool.pytest.ini_options]\n")
        .committed()
        .agent("write requirements.txt a==2; python_version < '3'\n");
    repo.start_run(&["docs/tasks.json", "--yes"]).wait_long().ends(0);
    // Without a test nothing could pass, and that is said before a turn is spent.
    let bare = empty()
        .file("docs/tasks.json", &task.to_string())
        .file("requirements.txt", "a==1\n")
        .committed()
        .agent("exit 1\n");
    bare.start_run(&["docs/tasks.json", "--yes"]).wait_long().ends(2).says("verify.suite");
    bare.windlass(&["run", "docs/tasks.json", "--agent", "cmd:true", "--dry-run", "--yes"])
        .ends(0)
        .says("rests on the existing tests, and none was found");
}

/// A configuration file is checked against its schema.
pub(super) fn configuration_fits_its_schema() {
    let task = json!({ "tasks": [{
        "id": "001", "title": "Set the port", "objective": "A port.", "task_type": "add_config", "methodology": "direct",
        "acceptance_criteria": [{ "id": "AC-001", "criterion": "The port is 80" }], "test_file": null,
        "no_test_reason": "Configuration files", "status": "pending", "depends_on": [], "files": { "create": ["conf/app.json"] },
        "traces_to": { "user_stories": [], "acceptance_criteria": ["AC-001"], "adr_decisions": [] } }] });
    let strict = "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n";
    let schema = r#"{"type": "object", "properties": {"port": {"type": "integer"}}}"#;
    let repo = empty()
        .file("docs/tasks.json", &task.to_string())
        .file("conf/app.schema.json", schema)
        .file("windlass.toml", strict)
        .committed();
    repo.script("write conf/app.json {\"port\": \"eighty\"}\n");
    let out = repo.start_run(&["docs/tasks.json", "--yes"]).wait_long();
    assert_ne!(out.code, Some(0), "{out}");
    out.says("does not fit `conf/app.schema.json`");
}
