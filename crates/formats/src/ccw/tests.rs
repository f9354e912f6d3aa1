//! CCW sessions: what is read, and the documents of a session made from another plan.

use serde_json::{Value, json};

use super::documents::{add_time, tdd_warnings_log};
use super::read::read;
use super::write::write;
use crate::tests::fixtures::{CCW_PART, CCW_PLAN, CCW_QUEUE, CCW_TASK, input, plain, summary, text_of};
use crate::tests::keys::Template;
use crate::{RunFacts, TextFile};

use windlass_core::plan::{Strategy, Task};
use windlass_core::state::TaskState;

#[test]
fn a_session_is_read() {
    let files = [("plan.json", CCW_PLAN), (".task/IMPL-1.json", CCW_TASK), (".task/IMPL-1.1.json", CCW_PART)];
    let loaded = read(&input(&files));
    insta::assert_snapshot!(summary(&loaded), @r#"
    library []
    IMPL-1 `Lend books` | creates library/loan.py | modifies library/shelf.py | is pending | verified by pytest tests -q | criteria a lent book is not available | keeps ccw
    IMPL-1.1 `Reserve a book` | in IMPL-1 | creates library/reserve.py | is active | test {"command":"pytest tests/test_reserve.py","coverage":85.0} | criteria a reserved book cannot be lent | steps write_test verify_fail implement verify_pass refactor verify_pass format commit | keeps convergence files implementation meta cli_execution risks ccw
    Note WL0007 library/.task/IMPL-1.1.json:6:83: this is not a command, so it is read as a condition for being done
    "#);
    let part = &loaded.plan.tasks[1];
    let session = part.session.as_ref().expect("a session");
    assert_eq!((session.strategy, session.from.len()), (Some(Strategy::MergeFork), 2));
    assert_eq!((part.max_iterations, part.tdd_cycles.len(), part.risks.len()), (Some(4), 1, 1));
}

#[test]
fn single_files_are_read() {
    insta::assert_snapshot!(summary(&read(&input(&[("IMPL-9.json", r#"{"task_id": "IMPL-9", "title": "Check", "assigned_agent": "x", "acceptance_criteria": ["no dead link"], "status": "soon"}"#)]))), @"
    library []
    IMPL-9 `Check` | is soon | criteria no dead link | keeps assigned_agent acceptance_criteria ccw
    Warning WL0012 library/IMPL-9.json:1:115: `soon` is not one of pending, in_progress, active, completed, failed, blocked, skipped; it is kept as written
    ");
    insta::assert_snapshot!(summary(&read(&input(&[("plan.json", CCW_PLAN)]))), @"
    library []
    IMPL-1 ``
    IMPL-1.1 `` | in IMPL-1
    Note WL0007 library/plan.json:4:15: only the ids of the tasks are here; the tasks themselves are files in `.task`
    ");
    let epics = r#"{"session_id": "TLS-1", "plan_type": "implementation", "epics": [{"id": "E-1", "title": "One", "status": "pending", "tasks": ["first", "second"]}, {"id": "E-2", "title": "Two", "tasks": []}, {"id": "E-3", "title": "Three"}], "execution_order": ["E-1", "E-2, E-3 (parallel)"]}"#;
    let loaded = read(&input(&[("plan.json", epics)]));
    insta::assert_snapshot!(summary(&loaded), @"
    TLS-1 []
    E-1 `One` | is pending | keeps tasks ccw
    E-2 `Two` | after E-1 | keeps tasks ccw
    E-3 `Three` | after E-1 | keeps ccw
    ");
    let written: Value =
        serde_json::from_str(&text_of(&write(&loaded.plan, &|_| None), "plan.json")).expect("JSON");
    assert_eq!(written, serde_json::from_str::<Value>(epics).expect("JSON"));
}

#[test]
fn a_queue_is_read_with_its_groups_and_conflicts() {
    insta::assert_snapshot!(summary(&read(&input(&[("QUE-1.json", CCW_QUEUE)]))), @r#"
    QUE-1 ["P1", "S1"]
    S-1 `SOL-1` | modifies a.py | is completed | keeps issue_id solution_id depends_on semantic_priority ccw
    S-2 `SOL-2` | after S-1 | modifies b.py | is executing | keeps issue_id solution_id depends_on ccw
    S-3 `SOL-3` | after S-1 S-2 | is ready | keeps issue_id solution_id depends_on ccw
    S-4 `SOL-4` | after S-1 S-2 S-3 | is pending | keeps issue_id solution_id depends_on ccw
    "#);
}

#[test]
fn a_plan_from_elsewhere_becomes_a_session() {
    let files = write(&plain(), &|id| (id == "model").then_some(TaskState::Completed));
    let paths: Vec<&str> = files.iter().map(|f| f.path.as_str()).collect();
    insta::assert_snapshot!(paths.join("\n"), @"
    .workflow/active/WFS-library/workflow-session.json
    .workflow/active/WFS-library/plan.json
    .workflow/active/WFS-library/IMPL_PLAN.md
    .workflow/active/WFS-library/TODO_LIST.md
    .workflow/active/WFS-library/.task/IMPL-1.json
    .workflow/active/WFS-library/.task/IMPL-2.json
    .workflow/active/WFS-library/.task/IMPL-2.1.json
    .workflow/active/WFS-library/.task/IMPL-2.2.json
    .workflow/active/WFS-library/.task/IMPL-3.json
    ");
    insta::assert_snapshot!(text_of(&files, "plan.json"), @r#"
    {
      "summary": "Lending library",
      "approach": "Each task goes through Red, Green and Refactor; dependencies set the order.",
      "task_ids": [
        "IMPL-1",
        "IMPL-2",
        "IMPL-2.1",
        "IMPL-2.2",
        "IMPL-3"
      ],
      "task_count": 5,
      "recommended_execution": "Parallel",
      "_metadata": {
        "source": "tdd-planning-agent",
        "planning_mode": "direct",
        "plan_type": "tdd",
        "schema_version": "2.0"
      },
      "windlass": {
        "objective": "",
        "session": null
      }
    }
    "#);
    insta::assert_snapshot!(text_of(&files, "IMPL_PLAN.md"), @r#"
    ---
    identifier: WFS-library
    workflow_type: "tdd"
    tdd_workflow: true
    feature_count: 3
    task_count: 5
    task_breakdown: "3 features, 1 of them with 2 subtasks"
    ---

    # Implementation Plan: Lending library

    ## Summary

    Lending library

    ## TDD Implementation Tasks

    ### IMPL-1: Create the loan model

    - **Red**: Write failing tests in tests/test_loan.py
    - **Green**: Implement in 1 file: [library/loan.py]
    - **Refactor**: Improve names and take out repetition in 1 file, tests green: [library/loan.py]
    - **Files**: `library/loan.py`, `tests/test_loan.py`
    - **Accepted when**: a loan has a due date
    - **Verified by**: `pytest -q`

    ### IMPL-2: Lend books

    - **Contains**: IMPL-2.1, IMPL-2.2
    - **Depends on**: IMPL-1

    ### IMPL-2.1: Reserve a book

    - **Red**: Write failing tests
    - **Green**: Implement until the tests pass
    - **Refactor**: Improve the code while the tests stay green

    ### IMPL-2.2: Hand the book over

    - **Red**: Write failing tests
    - **Green**: Implement until the tests pass
    - **Refactor**: Improve the code while the tests stay green
    - **Depends on**: IMPL-2.1

    ### IMPL-3: Report loans

    - **Red**: Write failing tests
    - **Green**: Implement until the tests pass
    - **Refactor**: Improve the code while the tests stay green
    - **Depends on**: IMPL-2, IMPL-1
    "#);
    insta::assert_snapshot!(text_of(&files, "TODO_LIST.md"), @"
    # Tasks: Lending library

    ## Task Progress

    - [x] **IMPL-1**: Create the loan model · Red → Green → Refactor (completed) [task](./.task/IMPL-1.json)
    - [ ] **IMPL-2**: Lend books (pending) [task](./.task/IMPL-2.json)
      - [ ] **IMPL-2.1**: Reserve a book · Red → Green → Refactor (pending) [task](./.task/IMPL-2.1.json)
      - [ ] **IMPL-2.2**: Hand the book over · Red → Green → Refactor (pending) [task](./.task/IMPL-2.2.json)
    - [ ] **IMPL-3**: Report loans · Red → Green → Refactor (pending) [task](./.task/IMPL-3.json)

    ## Status Legend

    - `- [ ]` open
    - `- [x]` completed
    ");
    insta::assert_snapshot!(text_of(&files, "IMPL-1.json"), @r#"
    {
      "id": "IMPL-1",
      "title": "Create the loan model",
      "description": "",
      "focus_paths": [
        "library/loan.py",
        "tests/test_loan.py"
      ],
      "depends_on": [],
      "convergence": {
        "criteria": [
          "a loan has a due date"
        ],
        "verification": "pytest -q"
      },
      "files": [
        {
          "path": "library/loan.py",
          "action": "create"
        }
      ],
      "implementation": [
        {
          "step": 1,
          "title": "Red",
          "description": "Write failing tests in tests/test_loan.py",
          "tdd_phase": "red"
        },
        {
          "step": 2,
          "title": "Green",
          "description": "Implement in 1 file: [library/loan.py]",
          "tdd_phase": "green",
          "test_fix_cycle": {
            "max_iterations": 3
          }
        },
        {
          "step": 3,
          "title": "Refactor",
          "description": "Improve names and take out repetition in 1 file, tests green: [library/loan.py]",
          "tdd_phase": "refactor"
        }
      ],
      "meta": {
        "tdd_workflow": true,
        "max_iterations": 3,
        "execution_config": {
          "method": "agent",
          "cli_tool": null,
          "enable_resume": false
        }
      },
      "cli_execution": {
        "id": "WFS-library-IMPL-1",
        "strategy": "new"
      },
      "status": "completed",
      "windlass": {
        "focus_paths": [],
        "steps": [],
        "max_iterations": null,
        "method": null,
        "session": null,
        "id": "model",
        "criteria": {
          "*": 1,
          "0": {
            "id": "AC-1"
          }
        },
        "traces_to": {
          "stories": [
            "US1"
          ]
        },
        "test": {
          "file": "tests/test_loan.py"
        },
        "verification": {
          "timeout_seconds": 30
        },
        "over": {
          "focus_paths": "d454ea49",
          "steps": "4e4098e8",
          "max_iterations": "58d6fd3d",
          "method": "660f6803",
          "session": "fbf23418",
          "criteria/0/id": "1286f4d5"
        }
      }
    }
    "#);
}

#[test]
fn strategies_follow_from_the_graph() {
    let task = |id: &str, after: &[&str]| Task {
        id: id.to_owned(),
        depends_on: after.iter().map(|d| (*d).to_owned()).collect(),
        ..Task::default()
    };
    let mut plan = plain();
    plan.session = Some("WFS-x".to_owned());
    plan.tasks = vec![
        task("IMPL-1", &[]),
        task("IMPL-2", &["IMPL-1"]),
        task("IMPL-3", &["IMPL-2"]),
        task("IMPL-4", &["IMPL-2"]),
        task("IMPL-5", &["IMPL-3", "IMPL-4"]),
    ];
    let files = write(&plan, &|_| None);
    let cli = |id: &str| -> Value {
        let task: Value = serde_json::from_str(&text_of(&files, &format!("{id}.json"))).expect("JSON");
        assert_eq!(task["implementation"].as_array().map(Vec::len), Some(3));
        assert_eq!(task["meta"]["tdd_workflow"], true);
        task["cli_execution"].clone()
    };
    assert_eq!(cli("IMPL-1"), json!({ "id": "WFS-x-IMPL-1", "strategy": "new" }));
    assert_eq!(
        cli("IMPL-2"),
        json!({ "id": "WFS-x-IMPL-2", "strategy": "resume", "resume_from": "WFS-x-IMPL-1" })
    );
    assert_eq!(cli("IMPL-3")["strategy"], "fork");
    let merged = cli("IMPL-5");
    assert_eq!(merged["strategy"], "merge_fork");
    assert_eq!(merged["merge_from"], json!(["WFS-x-IMPL-3", "WFS-x-IMPL-4"]));
}

#[test]
fn kept_documents_get_their_boxes_set() {
    let todo = "# Tasks\n\n- [ ] **IMPL-1**: Lend books\n- [x] IMPL-1.1: Reserve\n- [ ] something else\n";
    let files = [("TODO_LIST.md", todo), (".task/IMPL-1.json", CCW_TASK), (".task/IMPL-1.1.json", CCW_PART)];
    let plan = read(&input(&files)).plan;
    assert_eq!(text_of(&write(&plan, &|_| None), "TODO_LIST.md"), todo);
    let states = |id: &str| Some(if id == "IMPL-1" { TaskState::Completed } else { TaskState::Blocked });
    let expected = todo.replace("[ ] **IMPL-1**", "[x] **IMPL-1**").replace("[x] IMPL-1.1", "[ ] IMPL-1.1");
    assert_eq!(text_of(&write(&plan, &states), "TODO_LIST.md"), expected);
}

#[test]
fn warnings_are_a_line_each() {
    let task = TextFile { path: ".workflow/active/WFS-x/.task/IMPL-1.json".into(), bytes: Vec::new() };
    let log = tdd_warnings_log(&[task], &["20 tasks\nare too many".into(), "no focus_paths".into()]);
    assert_eq!(log.path, ".workflow/active/WFS-x/.process/tdd-warnings.log");
    assert_eq!(log.bytes, b"WARNING: 20 tasks are too many\nWARNING: no focus_paths\n");
}

#[test]
fn a_new_session_knows_when_it_was_written_and_an_old_one_keeps_its_time() {
    let known = RunFacts { states: &|_| None, now: "2026-01-02T03:04:05Z", log: &[] };
    let fresh = br#"{"_metadata": {"plan_type": "tdd"}}"#.to_vec();
    let mut files = [TextFile { path: "a/plan.json".into(), bytes: fresh }];
    add_time(&known, &mut files);
    let text = |files: &[TextFile]| String::from_utf8(files[0].bytes.clone()).unwrap();
    assert!(text(&files).contains(r#""timestamp": "2026-01-02T03:04:05Z""#), "{}", text(&files));
    let before = text(&files);
    add_time(&RunFacts { now: "2027-01-01T00:00:00Z", ..known }, &mut files);
    assert_eq!(text(&files), before);
}

const ONE_TASK: Template = Template {
    dialect: crate::Dialect::Ccw,
    path: ".task/IMPL-1.json",
    text: r#"{"id": "IMPL-1" MEMBERS}"#,
    task: "",
};

#[test]
fn each_key_is_read_and_written_back() {
    ONE_TASK.check(&[
        (r#""title": "Lend""#, "title", json!("Lend")),
        (r#""description": "More.""#, "description", json!("More.")),
        (r#""type": "feature""#, "task_type", json!("feature")),
        (r#""type": "dance""#, "task_type", json!("dance")),
        (r#""priority": "high""#, "priority", json!("high")),
        (r#""effort": "large""#, "complexity", json!("complex")),
        (r#""focus_paths": ["src/"]"#, "focus_paths", json!(["src/"])),
        (r#""depends_on": ["IMPL-0"]"#, "depends_on", json!(["IMPL-0"])),
        (r#""convergence": {"criteria": ["lends"]}"#, "criteria.0.text", json!("lends")),
        (
            r#""convergence": {"criteria": [], "verification": "make test"}"#,
            "verification.script",
            json!("make test"),
        ),
        (r#""convergence": {"criteria": [], "verification": "ask"}"#, "done_when", json!(["ask"])),
        (r#""convergence": {"definition_of_done": ["a", "b"]}"#, "done_when", json!(["a", "b"])),
        (r#""acceptance_criteria": ["lends"]"#, "criteria.0.text", json!("lends")),
        (r#""acceptance": ["lends"]"#, "criteria.0.text", json!("lends")),
        (r#""files": [{"path": "a", "action": "create", "change": "new"}]"#, "files.create", json!(["a"])),
        (r#""files": [{"path": "a", "action": "delete"}, "b"]"#, "files.delete", json!(["a"])),
        (r#""modification_points": [{"file": "a", "change": "create it"}]"#, "files.create", json!(["a"])),
        (r#""implementation": ["Look.", "Write."]"#, "notes", json!("Look.\nWrite.")),
        (
            r#""implementation": [{"tdd_phase": "red", "title": "Red"}]"#,
            "steps.0.action",
            json!("write_test"),
        ),
        (r#""test": {"commands": ["make"], "coverage_target": 85}"#, "test.coverage", json!(85.0)),
        (r#""test": {"commands": {"lint": "x", "run_tests": "make"}}"#, "test.command", json!("make")),
        (r#""test": "make test""#, "test.command", json!("make test")),
        (r#""test": "Try it.""#, "sections.0.body", json!("Try it.")),
        (r#""risks": ["slow", {"description": "late"}]"#, "risks", json!(["slow", "late"])),
        (r#""meta": {"agent": "@dev", "module": "api"}"#, "track", json!("api")),
        (r#""meta": {"execution_config": {"method": "cli", "enable_resume": true}}"#, "method", json!("cli")),
        (r#""meta": {"max_iterations": 4}"#, "max_iterations", json!(4)),
        (r#""meta": {"type": "fix"}"#, "task_type", json!("fix")),
        (r#""meta": {"tdd_cycles": [{"test_count": 2}]}"#, "tdd_cycles.0.test_count", json!(2)),
        (r#""assigned_agent": "@dev""#, "agent", json!("@dev")),
        (
            r#""cli_execution": {"id": "s-1", "strategy": "fork", "resume_from": "s-0"}"#,
            "session.from",
            json!(["s-0"]),
        ),
        (
            r#""tdd_cycles": [{"test_count": 2, "test_cases": ["a", "b"]}]"#,
            "tdd_cycles.0.test_cases",
            json!(["a", "b"]),
        ),
        (r#""pre_analysis": [{"step": "look", "action": "read"}]"#, "pre_analysis.0.step", json!("look")),
        (
            r#""context": {"focus_paths": ["src/"], "acceptance": ["lends"]}"#,
            "criteria.0.text",
            json!("lends"),
        ),
        (r#""context": "a sentence""#, "extra.context", json!("a sentence")),
        (r#""inherited": {"from": "IMPL-0"}"#, "parent", json!("IMPL-0")),
        (r#""status": "active""#, "claimed_state", json!("active")),
        (r#""flow_control": {"a": [1]}, "title": "Lend""#, "extra.flow_control.a", json!([1])),
    ]);
}

#[test]
fn a_task_may_have_its_id_under_an_older_name() {
    let template =
        Template { text: r#"{"task_id": "IMPL-7", "convergence": {"criteria": []} MEMBERS}"#, ..ONE_TASK };
    template.check(&[(r#""title": "Lend""#, "id", json!("IMPL-7"))]);
}

#[test]
fn values_that_do_not_fit_are_reported_and_kept() {
    insta::assert_snapshot!(ONE_TASK.findings(&[
        r#""title": 7"#,
        r#""effort": "huge""#,
        r#""depends_on": "IMPL-0""#,
        r#""convergence": "lends""#,
        r#""convergence": {"criteria": "lends"}"#,
        r#""files": {"path": "a"}"#,
        r#""files": [{"action": "create"}]"#,
        r#""implementation": "Write it.""#,
        r#""implementation": [{"tdd_phase": "blue"}, 7]"#,
        r#""test": 7"#,
        r#""risks": "slow""#,
        r#""meta": []"#,
        r#""meta": {"execution_config": {"method": "magic", "enable_resume": "yes"}}"#,
        r#""cli_execution": "s-1""#,
        r#""cli_execution": {"strategy": "jump"}"#,
        r#""tdd_cycles": [{"test_count": "two"}]"#,
        r#""pre_analysis": {"step": "look"}"#,
        r#""status": "busy""#,
        r#""title": "A", "title": "B""#,
    ]), @r#"
    "title": 7
      Note WL0007 at 28: the number 7 is read as the string `7`
    "effort": "huge"
      Warning WL0012 at 29: `huge` is not one of small, medium, large; it is kept as written
    "depends_on": "IMPL-0"
      Note WL0007 at 33: a single string is read as a list of one
    "convergence": "lends"
      Error WL0003 at 34: an object with criteria expected, this is a string; it is kept but not used
    "convergence": {"criteria": "lends"}
      Error WL0003 at 47: a list of criteria expected, this is a string; it is kept but not used
    "files": {"path": "a"}
      Error WL0003 at 28: a list of files expected, this is an object; it is kept but not used
    "files": [{"action": "create"}]
      Error WL0003 at 29: a file with a path expected, this is an object; it is kept but not used
    "implementation": "Write it."
      Error WL0003 at 37: a list of steps expected, this is a string; it is kept but not used
    "implementation": [{"tdd_phase": "blue"}, 7]
      Warning WL0012 at 52: `blue` is not one of red, green, refactor; it is kept as written
      Error WL0003 at 61: a step expected, this is a number; it is kept but not used
    "test": 7
      Error WL0003 at 27: an object with commands expected, this is a number; it is kept but not used
    "risks": "slow"
      Error WL0003 at 28: a list of risks expected, this is a string; it is kept but not used
    "meta": []
      Error WL0003 at 27: an object expected, this is a list; it is kept but not used
    "meta": {"execution_config": {"method": "magic", "enable_resume": "yes"}}
      Warning WL0012 at 59: `magic` is not one of agent, cli, hybrid; it is kept as written
      Error WL0003 at 85: true or false expected, this is a string; it is kept but not used
    "cli_execution": "s-1"
      Error WL0003 at 36: an object with an id and a strategy expected, this is a string; it is kept but not used
    "cli_execution": {"strategy": "jump"}
      Warning WL0012 at 49: `jump` is not one of new, resume, fork, merge_fork; it is kept as written
    "tdd_cycles": [{"test_count": "two"}]
      Error WL0003 at 49: a whole number from 1 expected, this is a string; it is kept but not used
    "pre_analysis": {"step": "look"}
      Error WL0003 at 35: a list of steps expected, this is an object; it is kept but not used
    "status": "busy"
      Warning WL0012 at 29: `busy` is not one of pending, in_progress, active, completed, failed, blocked, skipped; it is kept as written
    "title": "A", "title": "B"
      Error WL0005 at 33: the key `title` is repeated; the first value is not used (it was `A`)
    "#);
}
