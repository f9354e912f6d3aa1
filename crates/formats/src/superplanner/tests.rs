//! super-planner projects: flat, in a hierarchy, in the list form.

use super::read::read;
use super::write::write;
use serde_json::json;

use crate::tests::fixtures::{SUPERPLANNER, SUPERPLANNER_SUB, input, plain, summary, text_of};
use crate::tests::keys::Template;

#[test]
fn a_hierarchy_becomes_one_plan() {
    let loaded = read(&input(&[("library.json", SUPERPLANNER), ("loans.json", SUPERPLANNER_SUB)]));
    insta::assert_snapshot!(summary(&loaded), @r#"
    library []
    catalogue `Catalogue` | is completed | test {"command":"make test-catalogue"} | keeps parent_id
    loans `Loans` | after catalogue | is pending | keeps parent_id assigned_to is_parent superplanner
    reserve `Reserve` | in loans | is pending | test {"file":"tests/test_reserve.py"} | keeps parent_id superplanner
    loans.guide `Explain loans` | in reserve | after reserve | is pending | keeps superplanner
    guide `Write the guide` | in catalogue | is test_failed | test {"none":"documentation_only","required":false} | keeps assigned_to superplanner
    Note WL0007 library/library.json:35:27: a task that needs no testing is read as `documentation_only`
    Note WL0007 library/loans.json:6:14: `guide` is in two projects; here it is called `loans.guide`
    "#);
    let renamed = SUPERPLANNER.replace("\"subproject\"", "\"sub_project_id\"");
    let same = read(&input(&[("library.json", &renamed), ("loans.json", SUPERPLANNER_SUB)]));
    assert_eq!(loaded.plan.tasks.len(), same.plan.tasks.len());
    assert_eq!(loaded.plan.tasks[1].sub_plan, same.plan.tasks[1].sub_plan);
}

#[test]
fn a_project_alone_says_what_is_missing() {
    insta::assert_snapshot!(summary(&read(&input(&[("library.json", SUPERPLANNER)]))), @r#"
    library []
    catalogue `Catalogue` | is completed | test {"command":"make test-catalogue"} | keeps parent_id
    loans `Loans` | after catalogue | is pending | keeps parent_id assigned_to is_parent superplanner
    guide `Write the guide` | in catalogue | is test_failed | test {"none":"documentation_only","required":false} | keeps assigned_to superplanner
    Warning WL0013 library/library.json:16:14: the sub-project `loans` is not here, so its tasks are not read
    Note WL0007 library/library.json:35:27: a task that needs no testing is read as `documentation_only`
    "#);
}

#[test]
fn projects_that_belong_to_nobody_are_asked_about() {
    let (a, b) = (r#"{"id": "a", "name": "A", "tasks": {}}"#, r#"{"id": "b", "name": "B", "tasks": {}}"#);
    insta::assert_snapshot!(summary(&read(&input(&[("a.json", a), ("b.json", b)]))), @"
    a []
    Warning WL0013: this folder holds several projects (a, b); `a` is read
    Error WL0008: the plan has no tasks
    ");
}

#[test]
fn a_project_that_stands_for_itself_ends() {
    let own = SUPERPLANNER_SUB
        .replace("\"title\": \"Reserve\"", "\"title\": \"Reserve\", \"subproject\": \"loans\"");
    let loaded = read(&input(&[("loans.json", &own)]));
    assert_eq!(loaded.plan.tasks.len(), 2);
}

#[test]
fn the_list_form_is_read_and_kept() {
    let text = r#"{"project": {"id": "shop", "name": "Shop"}, "tasks": [{"id": "x", "name": "Do x", "status": "NOT_STARTED", "dependencies": [], "parent_id": null, "estimated_effort": 4}], "expected": {"total": 1}}"#;
    let loaded = read(&input(&[("shop.json", text)]));
    insta::assert_snapshot!(summary(&loaded), @"
    shop []
    x `Do x` | is NOT_STARTED | keeps parent_id estimated_effort
    ");
    let written: serde_json::Value =
        serde_json::from_str(&text_of(&write(&loaded.plan, &|_| None), "shop.json")).expect("JSON");
    assert_eq!(written, serde_json::from_str::<serde_json::Value>(text).expect("JSON"));
}

#[test]
fn a_plan_from_elsewhere_is_one_project() {
    insta::assert_snapshot!(text_of(&write(&plain(), &|_| None), "library.json"), @r#"
    {
      "id": "library",
      "name": "Lending library",
      "tasks": {
        "model": {
          "id": "model",
          "title": "Create the loan model",
          "description": "",
          "state": "pending",
          "parent_id": null,
          "dependencies": [],
          "assigned_to": null,
          "test_file": "tests/test_loan.py",
          "windlass": {
            "criteria": [
              {
                "id": "AC-1",
                "text": "a loan has a due date"
              }
            ],
            "traces_to": {
              "stories": [
                "US1"
              ]
            },
            "files": {
              "create": [
                "library/loan.py"
              ]
            },
            "verification": {
              "script": "pytest -q",
              "timeout_seconds": 30
            },
            "over": {
              "files/create": "d53d18c2"
            }
          }
        },
        "lend": {
          "id": "lend",
          "title": "Lend books",
          "description": "",
          "state": "pending",
          "parent_id": null,
          "dependencies": [
            "model"
          ],
          "assigned_to": null,
          "is_parent": true
        },
        "reserve": {
          "id": "reserve",
          "title": "Reserve a book",
          "description": "",
          "state": "pending",
          "parent_id": "lend",
          "dependencies": [],
          "assigned_to": null
        },
        "hand-over": {
          "id": "hand-over",
          "title": "Hand the book over",
          "description": "",
          "state": "pending",
          "parent_id": "lend",
          "dependencies": [
            "reserve"
          ],
          "assigned_to": null
        },
        "report": {
          "id": "report",
          "title": "Report loans",
          "description": "",
          "state": "pending",
          "parent_id": null,
          "dependencies": [
            "lend",
            "model"
          ],
          "assigned_to": null
        }
      }
    }
    "#);
}

const ONE_TASK: Template = Template {
    dialect: crate::Dialect::Superplanner,
    path: "shop.json",
    text: r#"{"id": "shop", "name": "Shop", "tasks": {"a": {"id": "a" MEMBERS}}}"#,
    task: "/tasks/a",
};

#[test]
fn each_key_is_read_and_written_back() {
    ONE_TASK.check(&[
        (r#""title": "Lend""#, "title", json!("Lend")),
        (r#""name": "Lend""#, "title", json!("Lend")),
        (r#""name": "Lend", "title": "Borrow""#, "title", json!("Lend")),
        (r#""description": "More.""#, "description", json!("More.")),
        (r#""state": "testing""#, "claimed_state", json!("testing")),
        (r#""status": "NOT_STARTED""#, "claimed_state", json!("NOT_STARTED")),
        (r#""parent_id": "b""#, "parent", json!("b")),
        (r#""depends_on": ["b"]"#, "depends_on", json!(["b"])),
        (r#""dependencies": ["b"]"#, "depends_on", json!(["b"])),
        (r#""assigned_to": "zen-architect""#, "agent", json!("zen-architect")),
        (r#""subproject": "loans""#, "sub_plan", json!("loans")),
        (r#""sub_project_id": "loans""#, "sub_plan", json!("loans")),
        (r#""test_command": "make test""#, "test.command", json!("make test")),
        (r#""test_file": "tests/a.py""#, "test.file", json!("tests/a.py")),
        (r#""requires_testing": true"#, "test.required", json!(true)),
        (r#""requires_testing": false"#, "test.none", json!("documentation_only")),
        (r#""priority": "high""#, "priority", json!("high")),
        (r#""results": [], "title": "Lend""#, "extra.results", json!([])),
    ]);
}

#[test]
fn each_key_is_written_anew() {
    ONE_TASK.check_new(&[
        ("", r#""id": "a", "title": "", "description": "", "state": "pending", "parent_id": null, "dependencies": [], "assigned_to": null"#),
        (r#""name": "Lend", "status": "doing""#, r#""title": "Lend", "state": "doing""#),
        (r#""status": "done""#, r#""state": "completed""#),
        (r#""depends_on": ["a"]"#, r#""dependencies": ["a"]"#),
        (r#""requires_testing": false"#, r#""requires_testing": false"#),
    ]);
}

#[test]
fn values_that_do_not_fit_are_reported_and_kept() {
    insta::assert_snapshot!(ONE_TASK.findings(&[
        r#""title": 7"#,
        r#""title": {"en": "Lend"}"#,
        r#""state": "busy""#,
        r#""state": null"#,
        r#""parent_id": ["b"]"#,
        r#""depends_on": "b""#,
        r#""depends_on": 3"#,
        r#""requires_testing": "no""#,
        r#""test_command": ["make", "test"]"#,
    ]), @r#"
    "title": 7
      Note WL0007 at 69: the number 7 is read as the string `7`
    "title": {"en": "Lend"}
      Error WL0003 at 69: a string expected, this is an object; it is kept but not used
    "state": "busy"
      Warning WL0012 at 69: `busy` is not one of pending, in_progress, testing, test_failed, completed, blocked; it is kept as written
    "state": null
    "parent_id": ["b"]
      Error WL0003 at 73: a string expected, this is a list; it is kept but not used
    "depends_on": "b"
      Note WL0007 at 74: a single string is read as a list of one
    "depends_on": 3
      Error WL0003 at 74: a list of strings expected, this is a number; it is kept but not used
    "requires_testing": "no"
      Error WL0003 at 80: true or false expected, this is a string; it is kept but not used
    "test_command": ["make", "test"]
      Error WL0003 at 76: a string expected, this is a list; it is kept but not used
    "#);
}

/// The document's task model is known by its own words, in a list as under names.
#[test]
fn the_task_model_is_known_by_its_words() {
    let sniffed = |text: &str| (super::FORMAT.sniff)(&input(&[("project.json", text)]));
    for task in [
        r#"{"id": "a", "description": "A", "state": "pending", "dependencies": []}"#,
        r#"{"id": "a", "description": "A", "requires_testing": false}"#,
        r#"{"id": "a", "description": "A", "is_parent": true, "sub_project_id": "b"}"#,
    ] {
        for project in [
            format!(r#"{{"id": "p", "name": "P", "tasks": [{task}]}}"#),
            format!(r#"{{"name": "P", "tasks": [{task}]}}"#),
            format!(r#"{{"tasks": {{"a": {task}}}}}"#),
        ] {
            assert_eq!(sniffed(&project), crate::Sniff::Sure, "{project}");
        }
    }
    let other = r#"{"tasks": [{"id": "001", "title": "A", "status": "pending", "depends_on": []}]}"#;
    assert_eq!(sniffed(other), crate::Sniff::No);
}
