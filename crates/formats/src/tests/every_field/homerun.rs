//! A task with every field set, in the dialect `homerun`.

use super::written;
use crate::Dialect;

#[test]
fn every_field_is_written() {
    insta::assert_snapshot!(written(Dialect::Homerun), @r#"
    === docs/tasks.json
    {
      "tasks": [
        {
          "id": "001",
          "title": "Add a thing",
          "objective": "Objective.",
          "description": "More.",
          "task_type": "add_method",
          "methodology": "tdd",
          "acceptance_criteria": [
            {
              "id": "AC-1",
              "criterion": "adds",
              "tests": [
                "adds two"
              ]
            },
            {
              "id": "AC-1",
              "criterion": "adds",
              "test_assertion": "a || b",
              "tests": [
                "adds two"
              ]
            }
          ],
          "test_file": "a.test.ts (inline tests)",
          "no_test_reason": "config_static",
          "status": "completed",
          "depends_on": [
            "TASK-0",
            "007"
          ],
          "traces_to": {
            "user_stories": [
              "US-1"
            ],
            "acceptance_criteria": [
              "AC-1"
            ],
            "adr_decisions": [
              "1"
            ]
          },
          "technical_notes": "Notes.",
          "model": "haiku",
          "estimated_scope": "single_file",
          "files": {
            "create": [
              "a.ts"
            ],
            "modify": [
              "b.ts"
            ],
            "read": [
              "c.ts"
            ],
            "delete": [
              "d.ts"
            ]
          },
          "windlass": {
            "id": "TASK-1",
            "mode": "tests-only",
            "layer": 2,
            "level": 1,
            "phase": "one",
            "track": "backend",
            "complexity": "simple",
            "estimate_minutes": 12.5,
            "priority": "high",
            "parent": "P",
            "sub_plan": "sub",
            "test": {
              "command": "npm test -- a",
              "required": true,
              "held_out": [
                {
                  "path": "h.ts",
                  "blake3": "00"
                }
              ],
              "coverage": 85.0
            },
            "lines": {
              "a.ts": 40
            },
            "changes": {
              "b.ts": "export it"
            },
            "focus_paths": [
              "src/"
            ],
            "contract": [
              {
                "path": "a.ts",
                "language": "ts",
                "code": "// a.ts\ncode"
              }
            ],
            "interfaces": [
              {
                "source": "TASK-0",
                "name": "repo",
                "code": "type R = {};",
                "language": "ts"
              }
            ],
            "test_code": [
              {
                "path": "a.test.ts",
                "language": "ts",
                "code": "// ADD to a.test.ts\ncode",
                "placement": "addition"
              }
            ],
            "verification": {
              "script": "cd a\nnpm test",
              "timeout_seconds": 60
            },
            "done_when": [
              "`a` exported"
            ],
            "steps": [
              {
                "action": "write_test",
                "code": "y",
                "sketch": "z",
                "run": "x",
                "verify": "none"
              }
            ],
            "pre_analysis": [
              {
                "step": "look",
                "n": 1,
                "none": null
              }
            ],
            "tdd_cycles": [
              {
                "test_count": 2
              }
            ],
            "max_iterations": 3,
            "requires_approval": true,
            "files_assumed": true,
            "agent": "codex",
            "method": "agent",
            "session": {
              "id": "s-1",
              "strategy": "merge_fork"
            },
            "consumers": [
              "TASK-9"
            ],
            "resources": [
              "db"
            ],
            "needs": [
              "gpu"
            ],
            "risks": [
              "none: really"
            ],
            "sections": [
              {
                "heading": "Rollback",
                "body": "Revert."
              }
            ],
            "extra": {
              "x": {
                "y": [
                  1,
                  "2",
                  null
                ]
              },
              "status": "odd",
              "a b:": 1
            }
          }
        }
      ],
      "windlass": {
        "branch": null,
        "session": null
      }
    }

    === state.json
    {
      "session_id": "full",
      "branch": "windlass/full",
      "feature": "full",
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
