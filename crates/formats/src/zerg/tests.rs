//! Task graphs: what is read, what is written, what is said about broken ones.

use serde_json::{Value, json};

use super::{STATES, read, write};
use crate::Input;
use crate::tests::fixtures::{ZERG, input, plain, summary, text_of};
use crate::tests::keys::Template;
use windlass_core::plan::{Action, Step};
use windlass_core::state::TaskState;

#[test]
fn a_graph_is_read() {
    insta::assert_snapshot!(summary(&read(&input(&[("task-graph.json", ZERG)]))), @r#"
    library-loans ["base"]
    LIB-L1-001 `Create the loan record` | creates library/loan.py | verified by pytest tests/test_loan.py -q | criteria a loan without a due date is refused | steps write_test verify_fail implement | keeps critical_path
    LIB-L2-001 `Remove the old ledger` | after LIB-L1-001 | modifies library/__init__.py | reads library/loan.py | deletes library/ledger.py | is in_progress | verified by pytest -q | keeps verification skills_required zerg
    LIB-L2-002 `Document loans` | after LIB-L1-001 | modifies README.md | keeps integration_test zerg
    "#);
}

#[test]
fn a_mistake_costs_only_its_place() {
    let broken = ZERG
        .replace("\"level\": 2,", "\"level\": two")
        .replace("\"status\": \"in_progress\"", "\"status\": \"busy\"");
    insta::assert_snapshot!(summary(&read(&input(&[("task-graph.json", &broken)]))), @r#"
    library-loans ["base"]
    LIB-L1-001 `Create the loan record` | creates library/loan.py | verified by pytest tests/test_loan.py -q | criteria a loan without a due date is refused | steps write_test verify_fail implement | keeps critical_path
    LIB-L2-001 `Remove the old ledger` | after LIB-L1-001 | modifies library/__init__.py | reads library/loan.py | deletes library/ledger.py | is busy | verified by pytest -q | keeps level verification skills_required zerg
    LIB-L2-002 `Document loans` | after LIB-L1-001 | modifies README.md | keeps level integration_test zerg
    Error WL0002 library/task-graph.json:30:16: a value was expected; skipped up to the next comma
    Warning WL0002 library/task-graph.json:31:7: a comma is missing before this
    Warning WL0012 library/task-graph.json:34:17: `busy` is not one of pending, todo, in_progress, claimed, verifying, waiting_retry, complete, failed, blocked, paused; it is kept as written
    Error WL0002 library/task-graph.json:40:16: a value was expected; skipped up to the next comma
    Warning WL0002 library/task-graph.json:41:7: a comma is missing before this
    "#);
}

#[test]
fn other_shapes_are_understood_and_said() {
    let odd = r#"{"feature": "two words", "tasks": {"a": {"title": 7, "level": "1", "dependencies": "b", "files": ["x.py"], "verification": "make"}, "b": 3}}"#;
    insta::assert_snapshot!(summary(&read(&input(&[("g.json", odd)]))), @"
    two-words []
    a `7` | after b | modifies x.py | verified by make | keeps title level dependencies files verification
    Note WL0007 library/g.json:1:13: the plan is called `two-words`, which is valid in a branch name
    Note WL0007 library/g.json:1:35: tasks by name are read as a list
    Note WL0007 library/g.json:1:51: the number 7 is read as the string `7`
    Note WL0007 library/g.json:1:63: a number in quotes is read as a number
    Note WL0007 library/g.json:1:84: a single string is read as a list of one
    Note WL0007 library/g.json:1:98: files without an action are read as modified
    Error WL0003 library/g.json:1:138: a task must be an object, this is a number
    ");
    insta::assert_snapshot!(summary(&read(&input(&[("g.json", "[]")]))), @"
    library []
    Error WL0008 library/g.json:1:1: this file has no list `tasks`
    ");
}

#[test]
fn a_plan_from_elsewhere_gets_levels_and_an_order_without_parents() {
    let files = write(&plain(), &|_| None);
    insta::assert_snapshot!(text_of(&files, "task-graph.json"), @r#"
    {
      "feature": "library",
      "version": "2.0",
      "total_tasks": 5,
      "max_parallelization": 1,
      "levels": {
        "1": {
          "name": "level-1",
          "tasks": [
            "model"
          ],
          "parallel": false
        },
        "2": {
          "name": "level-2",
          "tasks": [
            "reserve"
          ],
          "parallel": false
        },
        "3": {
          "name": "level-3",
          "tasks": [
            "hand-over"
          ],
          "parallel": false
        },
        "4": {
          "name": "level-4",
          "tasks": [
            "lend"
          ],
          "parallel": false
        },
        "5": {
          "name": "level-5",
          "tasks": [
            "report"
          ],
          "parallel": false
        }
      },
      "tasks": [
        {
          "id": "model",
          "title": "Create the loan model",
          "level": 1,
          "dependencies": [],
          "files": {
            "create": [
              "library/loan.py"
            ],
            "modify": [],
            "read": []
          },
          "acceptance_criteria": [
            "a loan has a due date"
          ],
          "verification": {
            "command": "pytest -q",
            "timeout_seconds": 30
          },
          "windlass": {
            "level": null,
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
            "over": {
              "criteria/0/id": "1286f4d5"
            }
          }
        },
        {
          "id": "lend",
          "title": "Lend books",
          "level": 4,
          "dependencies": [
            "model",
            "reserve",
            "hand-over"
          ],
          "files": {
            "create": [],
            "modify": [],
            "read": []
          },
          "windlass": {
            "level": null,
            "depends_on": [
              "model"
            ]
          }
        },
        {
          "id": "reserve",
          "title": "Reserve a book",
          "level": 2,
          "dependencies": [
            "model"
          ],
          "files": {
            "create": [],
            "modify": [],
            "read": []
          },
          "windlass": {
            "level": null,
            "depends_on": [],
            "parent": "lend"
          }
        },
        {
          "id": "hand-over",
          "title": "Hand the book over",
          "level": 3,
          "dependencies": [
            "reserve",
            "model"
          ],
          "files": {
            "create": [],
            "modify": [],
            "read": []
          },
          "windlass": {
            "level": null,
            "depends_on": [
              "reserve"
            ],
            "parent": "lend"
          }
        },
        {
          "id": "report",
          "title": "Report loans",
          "level": 5,
          "dependencies": [
            "lend",
            "model"
          ],
          "files": {
            "create": [],
            "modify": [],
            "read": []
          },
          "windlass": {
            "level": null
          }
        }
      ],
      "windlass": {
        "title": "Lending library"
      }
    }
    "#);
}

#[test]
fn a_refactor_is_never_written_and_comes_back() {
    let mut plan = plain();
    plan.tasks[0].steps = [Action::WriteTest, Action::Refactor, Action::VerifyPass].map(Step::of).to_vec();
    let files = write(&plan, &|_| None);
    let graph: Value = serde_json::from_slice(&files[0].bytes).expect("JSON");
    let actions: Vec<&Value> =
        graph["tasks"][0]["steps"].as_array().expect("steps").iter().map(|s| &s["action"]).collect();
    assert_eq!(actions, ["write_test", "verify_pass"]);
    assert_eq!(read(&Input { root: String::new(), files }).plan.tasks[0].steps, plan.tasks[0].steps);
}

#[test]
fn states_are_said_in_its_words() {
    let plan = read(&input(&[("task-graph.json", ZERG)])).plan;
    let status = |states: &dyn Fn(&str) -> Option<TaskState>| -> Value {
        let files = write(&plan, states);
        let graph: Value = serde_json::from_slice(&files[0].bytes).expect("JSON");
        graph["tasks"][1]["status"].clone()
    };
    assert_eq!(status(&|_| None), "in_progress");
    let words = TaskState::ALL.map(|state| status(&move |_| Some(state)));
    assert_eq!(
        words,
        ["pending", "in_progress", "verifying", "waiting_retry", "complete", "failed", "blocked", "blocked"]
    );
    for word in words {
        assert!(STATES.knows(word.as_str().expect("a word")));
    }
}

const ONE_TASK: Template = Template {
    dialect: crate::Dialect::Zerg,
    path: "task-graph.json",
    text: r#"{"feature": "shop", "tasks": [{"id": "A" MEMBERS}]}"#,
    task: "/tasks/0",
};

#[test]
fn each_key_is_read_and_written_back() {
    ONE_TASK.check(&[
        (r#""title": "Lend""#, "title", json!("Lend")),
        (r#""description": "More.""#, "description", json!("More.")),
        (r#""phase": "base""#, "phase", json!("base")),
        (r#""level": 2"#, "level", json!(2)),
        (r#""dependencies": ["B", "C"]"#, "depends_on", json!(["B", "C"])),
        (r#""files": {"create": ["a"], "modify": [], "read": ["b"]}"#, "files.create", json!(["a"])),
        (r#""files": {"modify": ["a"], "owner": "me"}"#, "files.modify", json!(["a"])),
        (r#""files": ["a"]"#, "files.modify", json!(["a"])),
        (r#""files_owned": ["a"], "files_read": ["b"]"#, "files.read", json!(["b"])),
        (r#""acceptance_criteria": ["it lends"]"#, "criteria.0.text", json!("it lends")),
        (r#""acceptance_criteria": [{"id": "AC-1", "text": "it lends"}]"#, "criteria.0.id", json!("AC-1")),
        (
            r#""verification": {"command": "make", "timeout_seconds": 9}"#,
            "verification.script",
            json!("make"),
        ),
        (r#""verification": {"timeout_seconds": 9}"#, "verification.timeout_seconds", json!(9)),
        (r#""verification": "make""#, "verification.script", json!("make")),
        (r#""estimate_minutes": 7.5"#, "estimate_minutes", json!(7.5)),
        (r#""status": "claimed""#, "claimed_state", json!("claimed")),
        (r#""consumers": ["B"]"#, "consumers", json!(["B"])),
        (r#""context": "Look here.""#, "notes", json!("Look here.")),
        (
            r#""steps": [{"step": 1, "action": "commit", "run": "git", "verify": "none"}]"#,
            "steps.0.run",
            json!("git"),
        ),
        (r#""unknown": {"deep": [1]}, "title": "Lend""#, "extra.unknown.deep", json!([1])),
    ]);
}

#[test]
fn each_key_is_written_anew() {
    ONE_TASK.check_new(&[
        ("", r#""id": "A", "title": "", "level": 1, "dependencies": [], "files": {"create": [], "modify": [], "read": []}"#),
        (r#""files_owned": ["a"]"#, r#""files": {"create": [], "modify": ["a"], "read": []}"#),
        (r#""files": {"delete": ["d"]}"#, r#""files": {"create": [], "modify": [], "read": [], "delete": ["d"]}"#),
        (r#""verification": "make""#, r#""verification": {"command": "make"}"#),
        (r#""level": 3, "status": "done""#, r#""level": 3, "status": "complete""#),
        (r#""estimate_minutes": "8""#, r#""estimate_minutes": 8"#),
    ]);
}

#[test]
fn values_that_do_not_fit_are_reported_and_kept() {
    insta::assert_snapshot!(ONE_TASK.findings(&[
        r#""title": ["Lend"]"#,
        r#""level": 1.5"#,
        r#""level": true"#,
        r#""dependencies": {"B": 1}"#,
        r#""dependencies": ["B", 2, null]"#,
        r#""files": 7"#,
        r#""files": {"create": "a"}"#,
        r#""acceptance_criteria": "it lends""#,
        r#""acceptance_criteria": [1]"#,
        r#""verification": ["make"]"#,
        r#""verification": {"command": "make", "timeout_seconds": -1}"#,
        r#""estimate_minutes": "soon""#,
        r#""status": "busy""#,
        r#""steps": "write it""#,
        r#""steps": [{"step": 1}, {"action": "dance"}, {"action": "commit", "verify": "maybe"}]"#,
        r#""phase": null"#,
        r#""title": "A", "title": "B""#,
    ]), @r#"
    "title": ["Lend"]
      Error WL0003 at 53: a string expected, this is a list; it is kept but not used
    "level": 1.5
      Error WL0003 at 53: a whole number expected, this is a number; it is kept but not used
    "level": true
      Error WL0003 at 53: a whole number expected, this is a boolean; it is kept but not used
    "dependencies": {"B": 1}
      Error WL0003 at 60: a list of strings expected, this is an object; it is kept but not used
    "dependencies": ["B", 2, null]
      Note WL0007 at 66: the number 2 is read as the string `2`
      Error WL0003 at 69: a string expected, this is null; it is kept but not used
    "files": 7
      Error WL0003 at 53: an object with create, modify, read expected, this is a number; it is kept but not used
    "files": {"create": "a"}
      Note WL0007 at 64: a single string is read as a list of one
    "acceptance_criteria": "it lends"
      Error WL0003 at 67: a list of criteria expected, this is a string; it is kept but not used
    "acceptance_criteria": [1]
      Error WL0003 at 68: a criterion expected, this is a number; it is kept but not used
    "verification": ["make"]
      Error WL0003 at 60: an object with command expected, this is a list; it is kept but not used
    "verification": {"command": "make", "timeout_seconds": -1}
      Error WL0003 at 99: a number that is not negative expected, this is a number; it is kept but not used
    "estimate_minutes": "soon"
      Error WL0003 at 64: a number expected, this is a string; it is kept but not used
    "status": "busy"
      Warning WL0012 at 54: `busy` is not one of pending, todo, in_progress, claimed, verifying, waiting_retry, complete, failed, blocked, paused; it is kept as written
    "steps": "write it"
      Error WL0003 at 53: a list of steps expected, this is a string; it is kept but not used
    "steps": [{"step": 1}, {"action": "dance"}, {"action": "commit", "verify": "maybe"}]
      Error WL0003 at 54: this step has no `run`
      Error WL0003 at 54: a step with an action expected, this is an object; it is kept but not used
      Error WL0003 at 67: this step has no `step`
      Error WL0003 at 67: this step has no `run`
      Error WL0012 at 78: `dance` is not one of write_test, verify_fail, implement, verify_pass, refactor, format, commit; it is kept as written
      Error WL0003 at 88: this step has no `step`
      Error WL0003 at 88: this step has no `run`
      Error WL0012 at 119: `maybe` is not one of exit_code, exit_code_nonzero, none; it is kept as written
    "phase": null
    "title": "A", "title": "B"
      Error WL0005 at 58: the key `title` is repeated; the first value is not used (it was `A`)
    "#);
}

#[test]
fn the_schema_of_a_step_is_checked() {
    let said = |steps: &str| -> Vec<String> {
        let text = format!(
            r#"{{"feature": "f", "tasks": [{{"id": "A-L1-001", "title": "t", "level": 1, "dependencies": [],
                 "files": {{"create": ["a.py"], "modify": [], "read": []}}, "steps": {steps}}}]}}"#
        );
        let loaded = read(&input(&[("task-graph.json", &text)]));
        loaded.diagnostics.iter().map(|d| format!("{} {:?} {}", d.code, d.severity, d.message)).collect()
    };
    let step = |rest: &str| format!(r#"{{"action": "implement"{rest}}}"#);
    let good = step(r#", "step": 1, "run": "true""#);
    assert!(said(&format!("[{good}]")).is_empty());
    let table = [
        (r#", "run": "true""#, "WL0003 Error this step has no `step`"),
        (r#", "step": 2"#, "WL0003 Error this step has no `run`"),
        (r#", "step": 0, "run": """#, "WL0003 Error `step` must be a whole number from 1"),
        (r#", "step": "two", "run": """#, "WL0003 Error `step` must be a whole number from 1"),
        (r#", "step": 1.5, "run": """#, "WL0003 Error `step` must be a whole number from 1"),
        (
            r#", "step": 1, "run": """#,
            "WL0003 Error `step` 1 comes after step 1; numbers must be unique and ascending",
        ),
    ];
    for (rest, expected) in table {
        assert_eq!(said(&format!("[{good}, {}]", step(rest))), [expected]);
    }
}
