//! Task Master files: tags, numbers, subtasks.

use super::read::read;
use super::write::write;
use crate::Input;
use crate::tests::fixtures::{TASKMASTER, input, plain, summary, text_of};

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
