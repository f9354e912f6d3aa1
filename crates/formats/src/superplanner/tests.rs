//! super-planner projects: flat, in a hierarchy, in the list form.

use super::read::read;
use super::write::write;
use crate::tests::fixtures::{SUPERPLANNER, SUPERPLANNER_SUB, input, plain, summary, text_of};

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
    Note WL0007 library/loans.json:6:14: `guide` stands in two projects; here it is called `loans.guide`
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
    Error WL0008: there is not a single task here
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
          "depends_on": [],
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
            }
          }
        },
        "lend": {
          "id": "lend",
          "title": "Lend books",
          "description": "",
          "state": "pending",
          "parent_id": null,
          "depends_on": [
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
          "depends_on": [],
          "assigned_to": null
        },
        "hand-over": {
          "id": "hand-over",
          "title": "Hand the book over",
          "description": "",
          "state": "pending",
          "parent_id": "lend",
          "depends_on": [
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
          "depends_on": [
            "lend",
            "model"
          ],
          "assigned_to": null
        }
      }
    }
    "#);
}
