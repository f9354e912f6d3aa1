//! homerun plans: the several files, the schema of the seed, the signal.

use serde_json::{Value, json};

use super::log::add_log;
use super::read::read;
use super::write::write;
use super::{SignalledTasks, planning_complete};
use crate::tests::fixtures::{
    HOMERUN, HOMERUN_DICT, HOMERUN_MD, HOMERUN_STATE, input, plain, summary, text_of,
};
use crate::tests::keys::Template;
use crate::{Logged, LoggedDeed, RunFacts};
use windlass_core::state::TaskState;

#[test]
fn tasks_with_their_state_are_read() {
    let loaded = read(&input(&[("docs/tasks.json", HOMERUN), ("state.json", HOMERUN_STATE)]));
    insta::assert_snapshot!(summary(&loaded), @r#"
    library []
    001 `Create the loan model` | is completed | test {"file":"src/loan.rs","inline":true} | criteria A loan must have a due date | keeps commit_hash
    002 `Lend books` | after 001 | is pending | test {"none":"documentation only"} | keeps test_file homerun
    002a `Reserve a book` | in 002 | after 001 | test {"file":"tests/reserve.rs"} | criteria a reserved book cannot be lent | keeps parent_id acceptance_criteria blocked_by
    "#);
    let plan = loaded.plan;
    assert_eq!(plan.branch.as_deref(), Some("create/library-1a2b"));
    assert_eq!(plan.session.as_deref(), Some("library-1a2b"));
    assert_eq!(plan.specs, ["docs/specs/PRD.md"]);
    assert_eq!(plan.criteria.len(), 1);
}

#[test]
fn a_state_file_alone_still_names_its_tasks() {
    insta::assert_snapshot!(summary(&read(&input(&[("state.json", HOMERUN_DICT)]))), @"
    library []
    001 `loan model` | is completed | keeps file commits
    002 `lend books` | is pending | keeps file homerun
    Note WL0007 library/state.json:8:44: the title `loan model` is taken from the file name
    Note WL0007 library/state.json:9:42: the title `lend books` is taken from the file name
    ");
    let listed = r#"{"session_id": "s", "phase": "implementing", "tasks": [{"id": "001", "title": "t", "status": "done", "depends_on": []}]}"#;
    insta::assert_snapshot!(summary(&read(&input(&[("state.json", listed)]))), @"
    s []
    001 `t` | is done
    Warning WL0012 library/state.json:1:94: `done` is not one of pending, in_progress, completed, failed, blocked; it is kept as written
    ");
}

#[test]
fn the_state_file_says_which_markdown_tasks_belong_to_the_plan() {
    let other = HOMERUN_MD.replace("001", "009");
    let files = [
        ("docs/tasks/001-loan-model.md", HOMERUN_MD),
        ("docs/tasks/009-older.md", other.as_str()),
        ("state.json", HOMERUN_DICT),
    ];
    insta::assert_snapshot!(summary(&read(&input(&files))), @r#"
    library []
    001 `Create the loan model` | after 003 | creates src/loan.rs | is completed | test {"file":"src/loan.rs","inline":true} | criteria a loan without a due date is refused; a loan names its book | keeps homerun
    Note WL0013: `docs/tasks/009-older.md` is not read: the state file does not list them
    "#);
}

#[test]
fn a_markdown_task_is_written_back_with_its_state() {
    let plan = read(&input(&[("docs/tasks/001-loan-model.md", HOMERUN_MD)])).plan;
    let files = write(&plan, &|_| Some(TaskState::Completed));
    assert_eq!(
        text_of(&files, "001-loan-model.md"),
        HOMERUN_MD.replace("status: pending", "status: completed")
    );
    let mut edited = plan;
    edited.tasks[0].objective = "Another one.".to_owned();
    edited.tasks[0].test.command = Some("cargo test loan".to_owned());
    let files = write(&edited, &|_| None);
    insta::assert_snapshot!(text_of(&files, "001-loan-model.md"), @r#"
    ---
    id: "001"
    title: Create the loan model
    status: pending
    depends_on: ["003"]
    test_file: src/loan.rs (inline tests)
    windlass: {test: {command: cargo test loan}}
    ---

    # 001: Create the loan model

    ## Objective

    Another one.

    ## Acceptance Criteria

    - [ ] a loan without a due date is refused
    - [ ] AC-002: a loan names its book

    ## Technical Notes

    Dates are days.

    ## Files to Create

    - `src/loan.rs` - the model
    "#);
}

#[test]
fn tasks_without_front_matter_are_read() {
    let text = "# TASK-007: Lend a book\n\n**Phase**: 1 - Loans\n**Dependencies**: TASK-003, TASK-005 (shelf)\n\n## Objective\n\nReaders borrow.\n\n## Files to Create\n\n- `src/lend.ts`\n\n## Completion Criteria\n\n- [ ] a lent book is gone\n";
    let loaded = read(&input(&[("TASK-007-lend.md", text)]));
    insta::assert_snapshot!(summary(&loaded), @"
    library []
    TASK-007 `Lend a book` | after TASK-003 TASK-005 | creates src/lend.ts | criteria a lent book is gone | keeps homerun
    ");
    assert_eq!(text_of(&write(&loaded.plan, &|_| None), "TASK-007-lend.md"), text);
}

/// The schema homerun's planner is held to, in our words.
fn schema() -> Value {
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    let kinds = [
        "add_field",
        "add_method",
        "add_validation",
        "rename_refactor",
        "add_test",
        "add_config",
        "create_model",
        "create_service",
        "add_endpoint",
        "add_endpoint_complex",
        "create_middleware",
        "bug_fix",
        "integration_test",
        "architectural",
    ];
    json!({
        "type": "object",
        "required": ["tasks"],
        "properties": { "tasks": { "type": "array", "items": { "$ref": "#/definitions/task" } } },
        "definitions": { "task": {
            "type": "object",
            "required": ["id", "title", "objective", "acceptance_criteria", "status", "depends_on", "task_type"],
            "properties": {
                "id": { "type": "string", "pattern": "^[0-9]{3}[a-z]?$" },
                "task_type": { "enum": kinds },
                "methodology": { "enum": ["tdd", "direct"] },
                "acceptance_criteria": { "type": "array", "items": { "type": "object", "required": ["id", "criterion"] } },
                "test_file": { "type": ["string", "null"] },
                "status": { "enum": ["pending", "in_progress", "completed", "blocked", "failed"] },
                "depends_on": texts,
                "model": { "enum": ["opus", "sonnet", "haiku"] },
                "subtasks": { "type": "array", "items": { "$ref": "#/definitions/task" } },
            },
        } },
    })
}

#[test]
fn a_plan_from_elsewhere_fits_the_schema_whatever_its_states() {
    let validator = jsonschema::validator_for(&schema()).expect("a schema");
    for state in TaskState::ALL.map(Some).into_iter().chain([None]) {
        let files = write(&plain(), &|_| state);
        let tasks: Value = serde_json::from_str(&text_of(&files, "docs/tasks.json")).expect("JSON");
        let errors: Vec<String> = validator.iter_errors(&tasks).map(|e| e.to_string()).collect();
        assert_eq!(errors, [] as [String; 0], "{state:?}");
    }
    insta::assert_snapshot!(text_of(&write(&plain(), &|_| None), "state.json"), @r#"
    {
      "session_id": "library",
      "branch": "windlass/library",
      "feature": "library",
      "phase": "implementing",
      "spec_paths": {
        "prd": null,
        "adr": null,
        "technical_design": null,
        "wireframes": null
      },
      "tasks_file": "docs/tasks.json",
      "current_task": null,
      "config": {
        "auto_mode": false,
        "timeout_minutes": 30,
        "max_identical_rejections": 3,
        "max_iterations_without_progress": 3,
        "retries": {
          "same_agent": 2,
          "fresh_agent": 1
        }
      },
      "progress": {
        "iteration": 0,
        "tasks_completed_this_iteration": 0,
        "last_completion_iteration": 0
      },
      "skill_log": []
    }
    "#);
}

#[test]
fn the_state_file_shows_progress_and_keeps_the_rest() {
    let plan = read(&input(&[("docs/tasks.json", HOMERUN), ("state.json", HOMERUN_STATE)])).plan;
    let states = |id: &str| Some(if id == "001" { TaskState::Completed } else { TaskState::InProgress });
    let state: Value = serde_json::from_str(&text_of(&write(&plan, &states), "state.json")).expect("JSON");
    assert_eq!(state["phase"], "implementing");
    assert_eq!(state["current_task"], "002");
    assert_eq!(state["progress"]["tasks_completed_this_iteration"], 1);
    assert_eq!(state["skill_log"][0]["skill"], "homerun:discovery");
    assert_eq!(state["config"], json!({ "auto_mode": true }));
    let done: Value =
        serde_json::from_str(&text_of(&write(&plan, &|_| Some(TaskState::Completed)), "state.json"))
            .expect("JSON");
    assert_eq!((&done["phase"], &done["current_task"]), (&json!("completed"), &Value::Null));
}

#[test]
fn the_journal_becomes_the_skill_log_once() {
    let plan = read(&input(&[("docs/tasks.json", HOMERUN), ("state.json", HOMERUN_STATE)])).plan;
    let logged = |second: u32, deed| Logged { at: format!("2026-01-02T03:04:{second:02}Z"), deed };
    let log = [
        logged(0, LoggedDeed::RunStarted),
        logged(1, LoggedDeed::AttemptStarted("001".into())),
        logged(2, LoggedDeed::RunStarted),
        logged(3, LoggedDeed::AttemptStarted("001".into())),
        logged(4, LoggedDeed::Merged("001".into())),
    ];
    let known = RunFacts { states: &|_| None, now: "2026-01-02T03:05:00Z", log: &log };
    let mut files = write(&plan, &|_| None);
    add_log(&plan, &known, &mut files);
    let once = text_of(&files, "state.json");
    add_log(&plan, &known, &mut files);
    assert_eq!(text_of(&files, "state.json"), once);
    let state: Value = serde_json::from_str(&once).expect("JSON");
    assert_eq!(state["skill_log"].as_array().map(Vec::len), Some(6));
    assert_eq!(
        state["skill_log"][5],
        json!({
            "skill": "homerun:review", "timestamp": "2026-01-02T03:04:04Z", "phase": "implementing", "task": "001"
        })
    );
    assert_eq!(
        state["progress"],
        json!({ "iteration": 2, "tasks_completed_this_iteration": 1, "last_completion_iteration": 2 })
    );
}

#[test]
fn planning_is_complete_only_without_errors() {
    let plan = read(&input(&[("docs/tasks.json", HOMERUN)])).plan;
    assert_eq!(planning_complete(&plan, 1, SignalledTasks::OneFile), None);
    insta::assert_snapshot!(planning_complete(&plan, 0, SignalledTasks::OneFile).expect("a signal").to_string(), @r#"{"signal":"PLANNING_COMPLETE","tasks_count":2,"subtasks_count":1,"tasks_file":"docs/tasks.json","tasks":[{"id":"001","title":"Create the loan model","depends_on":[]},{"id":"002","title":"Lend books","depends_on":["001"]},{"id":"002a","title":"Reserve a book","depends_on":["001"]}],"dependency_graph_valid":true,"coverage":{"user_stories":1,"acceptance_criteria":2}}"#);
    let files = planning_complete(&plan, 0, SignalledTasks::ManyFiles).expect("a signal");
    assert_eq!((files["tasks_file"].as_str(), files["tasks_count"].as_u64()), (Some("docs/tasks"), Some(2)));
}

const ONE_TASK: Template = Template {
    dialect: crate::Dialect::Homerun,
    path: "docs/tasks.json",
    text: r#"{"tasks": [{"id": "001" MEMBERS}]}"#,
    task: "/tasks/0",
};

#[test]
fn each_key_is_read_and_written_back() {
    ONE_TASK.check(&[
        (r#""title": "Lend""#, "title", json!("Lend")),
        (r#""objective": "Readers borrow.""#, "objective", json!("Readers borrow.")),
        (r#""description": "More.""#, "description", json!("More.")),
        (r#""task_type": "add_method""#, "task_type", json!("add_method")),
        (r#""methodology": "direct""#, "methodology", json!("direct")),
        (
            r#""acceptance_criteria": [{"id": "AC-1", "criterion": "lends"}]"#,
            "criteria.0.text",
            json!("lends"),
        ),
        (
            r#""acceptance_criteria": [{"id": "AC-1", "criterion": "lends", "test_assertion": "x == 1"}]"#,
            "criteria.0.assertion",
            json!("x == 1"),
        ),
        (r#""acceptance_criteria": ["lends"]"#, "criteria.0.text", json!("lends")),
        (r#""test_file": "tests/a.rs""#, "test.file", json!("tests/a.rs")),
        (r#""test_file": "src/a.rs (inline tests)""#, "test.inline", json!(true)),
        (r#""test_file": "src/a.rs""#, "test.inline", json!(true)),
        (r#""no_test_reason": "config_static""#, "test.none", json!("config_static")),
        (r#""status": "blocked""#, "claimed_state", json!("blocked")),
        (r#""depends_on": ["002"]"#, "depends_on", json!(["002"])),
        (r#""blocked_by": ["002"]"#, "depends_on", json!(["002"])),
        (r#""depends_on": ["002"], "blocked_by": ["003", "002"]"#, "depends_on", json!(["002", "003"])),
        (r#""parent_id": "009""#, "parent", json!("009")),
        (
            r#""traces_to": {"user_stories": ["US-1"], "acceptance_criteria": [], "adr_decisions": []}"#,
            "traces_to.stories",
            json!(["US-1"]),
        ),
        (r#""traces_to": {"adr_decisions": ["1"], "note": "x"}"#, "traces_to.decisions", json!(["1"])),
        (r#""technical_notes": "Dates are days.""#, "notes", json!("Dates are days.")),
        (r#""model": "opus""#, "tier", json!("large")),
        (r#""estimated_scope": "single_file""#, "estimated_scope", json!("single_file")),
        (r#""files": {"create": ["a"], "modify": [], "read": []}"#, "files.create", json!(["a"])),
        (r#""commit_hash": "abc", "title": "Lend""#, "extra.commit_hash", json!("abc")),
    ]);
}

#[test]
fn each_key_is_written_anew() {
    ONE_TASK.check_new(&[
        (
            "",
            r#""id": "001", "title": "", "objective": "", "task_type": "add_method", "acceptance_criteria": [], "test_file": null, "status": "pending", "depends_on": []"#,
        ),
        (r#""description": "More.""#, r#""objective": "More.""#),
        (r#""acceptance_criteria": ["lends"]"#, r#""acceptance_criteria": [{"id": "AC1", "criterion": "lends"}]"#),
        (r#""test_file": "src/a.rs""#, r#""test_file": "src/a.rs (inline tests)""#),
        (r#""model": "opus", "status": "done""#, r#""model": "opus", "task_type": "architectural", "status": "completed""#),
        (r#""blocked_by": ["001"]"#, r#""depends_on": ["001"]"#),
        (r#""methodology": "direct""#, r#""methodology": "direct", "task_type": "add_config""#),
    ]);
}

#[test]
fn values_that_do_not_fit_are_reported_and_kept() {
    insta::assert_snapshot!(ONE_TASK.findings(&[
        r#""title": 7"#,
        r#""objective": ["a"]"#,
        r#""methodology": "waterfall""#,
        r#""methodology": 1"#,
        r#""acceptance_criteria": {"AC-1": "lends"}"#,
        r#""acceptance_criteria": [null, {"id": 1, "criterion": []}]"#,
        r#""test_file": []"#,
        r#""test_file": "null""#,
        r#""status": "busy""#,
        r#""depends_on": "002""#,
        r#""depends_on": [2]"#,
        r#""traces_to": "US-1""#,
        r#""traces_to": {"user_stories": "US-1"}"#,
        r#""model": "gpt""#,
        r#""files": "a""#,
        r#""subtasks": {}"#,
        r#""title": "A", "title": "B""#,
    ]), @r#"
    "title": 7
      Note WL0007 at 36: the number 7 is read as the string `7`
    "objective": ["a"]
      Error WL0003 at 40: a string expected, this is a list; it is kept but not used
    "methodology": "waterfall"
      Warning WL0012 at 42: `waterfall` is not one of tdd, direct; it is kept as written
    "methodology": 1
      Error WL0003 at 42: a string expected, this is a number; it is kept but not used
    "acceptance_criteria": {"AC-1": "lends"}
      Error WL0003 at 50: a list of criteria expected, this is an object; it is kept but not used
    "acceptance_criteria": [null, {"id": 1, "criterion": []}]
      Error WL0003 at 51: a criterion expected, this is null; it is kept but not used
      Note WL0007 at 64: the number 1 is read as the string `1`
      Error WL0003 at 80: a string expected, this is a list; it is kept but not used
    "test_file": []
      Error WL0003 at 40: a string expected, this is a list; it is kept but not used
    "test_file": "null"
    "status": "busy"
      Warning WL0012 at 37: `busy` is not one of pending, in_progress, completed, failed, blocked; it is kept as written
    "depends_on": "002"
      Note WL0007 at 41: a single string is read as a list of one
    "depends_on": [2]
      Note WL0007 at 42: the number 2 is read as the string `2`
    "traces_to": "US-1"
      Error WL0003 at 40: an object with user_stories, acceptance_criteria, adr_decisions expected, this is a string; it is kept but not used
    "traces_to": {"user_stories": "US-1"}
      Note WL0007 at 57: a single string is read as a list of one
    "model": "gpt"
      Warning WL0012 at 36: `gpt` is not one of haiku, sonnet, opus; it is kept as written
    "files": "a"
      Error WL0003 at 36: an object with create, modify, read expected, this is a string; it is kept but not used
    "subtasks": {}
    "title": "A", "title": "B"
      Error WL0005 at 41: the key `title` is repeated; the first value is not used (it was `A`)
    "#);
}
