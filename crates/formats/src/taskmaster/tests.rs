//! Task Master files: tags, numbers, subtasks.

use serde_json::{Value, json};

use super::read::read;
use super::write::write;
use crate::Input;
use crate::tests::fixtures::{TASKMASTER, input, plain, summary, text_of};
use crate::tests::keys::Template;

#[test]
fn a_file_is_read() {
    insta::assert_snapshot!(summary(&read(&input(&[("tasks.json", TASKMASTER)]))), @"
    library []
    1 `Set up the catalogue` | is done
    2 `Lend a book` | after 1 | is pending | keeps taskmaster
    2.1 `Reserve` | in 2 | is in-progress
    2.2 `Hand over` | in 2 | after 2.1 1 | is pending | keeps updatedAt taskmaster
    Note WL0013 library/tasks.json:30:12: the tag `later` is not read; `master` is
    ");
}

#[test]
fn every_form_of_the_file_is_read() {
    let task = r#"{"id": 1, "title": "a", "dependencies": [], "status": "done", "details": "d", "testStrategy": "t"}"#;
    for text in [
        format!("[{task}]"),
        format!("{{\"tasks\": [{task}]}}"),
        format!("{{\"feature-x\": {{\"tasks\": [{task}]}}}}"),
    ] {
        let loaded = read(&input(&[("tasks.json", &text)]));
        assert_eq!(loaded.plan.tasks.len(), 1, "{text}");
        let files = write(&loaded.plan, &|_| None);
        let (a, b): (serde_json::Value, serde_json::Value) = (
            serde_json::from_str(&text).expect("JSON"),
            serde_json::from_slice(&files[0].bytes).expect("JSON"),
        );
        assert_eq!(a, b);
    }
}

#[test]
fn what_a_number_means_depends_on_where_it_stands() {
    let text = r#"{"tasks": [
        {"id": 1, "title": "one", "dependencies": [], "subtasks": []},
        {"id": 2, "title": "two", "dependencies": ["1", 3], "subtasks": [
            {"id": 1, "title": "a", "dependencies": []},
            {"id": 2, "title": "b", "dependencies": [1]},
            {"id": 3, "title": "c", "dependencies": ["2.1", "1", 9]}
        ]},
        {"id": 3, "title": "three", "dependencies": [2.2, {}]}
    ]}"#;
    let loaded = read(&input(&[("tasks.json", text)]));
    let deps: Vec<String> =
        loaded.plan.tasks.iter().map(|t| format!("{}: {}", t.id, t.depends_on.join(" "))).collect();
    assert_eq!(deps, ["1: ", "2: 1 3", "2.1: ", "2.2: 2.1", "2.3: 2.1 1 9", "3: 2.2"]);
}

#[test]
fn a_plan_from_elsewhere_is_numbered_and_keeps_its_names() {
    let files = write(&plain(), &|_| None);
    insta::assert_snapshot!(text_of(&files, "tasks.json"), @r#"
    {
      "master": {
        "tasks": [
          {
            "id": 1,
            "title": "Create the loan model",
            "description": "",
            "dependencies": [],
            "status": "pending",
            "subtasks": [],
            "windlass": {
              "id": "model",
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
              "test": {
                "file": "tests/test_loan.py"
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
          {
            "id": 2,
            "title": "Lend books",
            "description": "",
            "dependencies": [
              1
            ],
            "status": "pending",
            "subtasks": [
              {
                "id": 1,
                "title": "Reserve a book",
                "description": "",
                "dependencies": [],
                "status": "pending",
                "windlass": {
                  "id": "reserve"
                }
              },
              {
                "id": 2,
                "title": "Hand the book over",
                "description": "",
                "dependencies": [
                  1
                ],
                "status": "pending",
                "windlass": {
                  "id": "hand-over"
                }
              }
            ],
            "windlass": {
              "id": "lend"
            }
          },
          {
            "id": 3,
            "title": "Report loans",
            "description": "",
            "dependencies": [
              2,
              1
            ],
            "status": "pending",
            "subtasks": [],
            "windlass": {
              "id": "report"
            }
          }
        ],
        "windlass": {
          "name": "library",
          "title": "Lending library"
        }
      }
    }
    "#);
    let back = read(&Input { root: String::new(), files }).plan;
    let ids: Vec<&str> = back.tasks.iter().map(|t| t.id.as_str()).collect();
    assert_eq!(ids, ["model", "lend", "reserve", "hand-over", "report"]);
}

const ONE_TASK: Template = Template {
    dialect: crate::Dialect::Taskmaster,
    path: "tasks.json",
    text: r#"{"master": {"tasks": [{"id": 1 MEMBERS}]}}"#,
    task: "/master/tasks/0",
};

#[test]
fn each_key_is_read_and_written_back() {
    ONE_TASK.check(&[
        (r#""title": "Lend""#, "title", json!("Lend")),
        (r#""description": "More.""#, "description", json!("More.")),
        (r#""details": "Look here.""#, "notes", json!("Look here.")),
        (r#""testStrategy": "Lend ten.""#, "sections.0.body", json!("Lend ten.")),
        (r#""priority": "high""#, "priority", json!("high")),
        (r#""dependencies": [2, "3"]"#, "depends_on", json!(["2", "3"])),
        (r#""status": "in-progress""#, "claimed_state", json!("in-progress")),
        (r#""subtasks": []"#, "title", json!("")),
        (r#""complexityScore": 7, "title": "Lend""#, "extra.complexityScore", json!(7)),
    ]);
}

#[test]
fn each_key_is_written_anew() {
    ONE_TASK.check_new(&[
        ("", r#""id": 1, "title": "", "description": "", "dependencies": [], "status": "pending", "subtasks": []"#),
        (r#""dependencies": ["2"], "status": "complete""#, r#""dependencies": [2], "status": "done""#),
        (r#""testStrategy": "Lend ten.", "details": "x""#, r#""details": "x", "testStrategy": "Lend ten.""#),
    ]);
}

#[test]
fn values_that_do_not_fit_are_reported_and_kept() {
    insta::assert_snapshot!(ONE_TASK.findings(&[
        r#""title": 7"#,
        r#""title": null"#,
        r#""dependencies": 3"#,
        r#""dependencies": [2, true]"#,
        r#""status": "busy""#,
        r#""testStrategy": ["a"]"#,
        r#""subtasks": "none""#,
        r#""title": "A", "title": "B""#,
    ]), @r#"
    "title": 7
      Note WL0007 at 43: the number 7 is read as the string `7`
    "title": null
    "dependencies": 3
      Error WL0003 at 50: a list of task numbers expected, this is a number; it is kept but not used
    "dependencies": [2, true]
      Error WL0003 at 54: a task number expected, this is a boolean; it is kept but not used
    "status": "busy"
      Warning WL0012 at 44: `busy` is not one of pending, in-progress, review, done, deferred, blocked, cancelled; it is kept as written
    "testStrategy": ["a"]
      Error WL0003 at 50: a string expected, this is a list; it is kept but not used
    "subtasks": "none"
    "title": "A", "title": "B"
      Error WL0005 at 48: the key `title` is repeated; the first value is not used (it was `A`)
    "#);
}

#[test]
fn a_number_in_a_subtask_is_a_sibling_if_there_is_one() {
    let rows = [("[2]", "1.2"), (r#"["2"]"#, "2"), (r#"["1.2"]"#, "1.2"), ("[9]", "9"), (r#"["x"]"#, "x")];
    for (said, meant) in rows {
        let text = format!(
            r#"{{"tasks": [{{"id": 1, "title": "a", "dependencies": [], "testStrategy": "", "subtasks": [{{"id": 1, "dependencies": {said}}}, {{"id": 2}}]}}, {{"id": 2}}]}}"#
        );
        let plan = read(&input(&[("tasks.json", &text)])).plan;
        assert_eq!(plan.tasks[1].depends_on, [meant], "{said}");
        let written: Value = serde_json::from_str(&text_of(&write(&plan, &|_| None), "tasks.json")).unwrap();
        assert_eq!(written, serde_json::from_str::<Value>(&text).unwrap(), "{said}");
    }
}
