//! A task with every field set, in the dialect `taskmaster`.

use super::written;
use crate::Dialect;

#[test]
fn every_field_is_written() {
    insta::assert_snapshot!(written(Dialect::Taskmaster), @r#"
    === tasks.json
    {
      "master": {
        "tasks": [
          {
            "id": 1,
            "title": "Add a thing",
            "description": "More.",
            "details": "Notes.",
            "priority": "high",
            "dependencies": [
              "TASK-0",
              7
            ],
            "status": "done",
            "subtasks": [],
            "windlass": {
              "id": "TASK-1",
              "objective": "Objective.",
              "task_type": "add_method",
              "methodology": "tdd",
              "mode": "tests-only",
              "layer": 2,
              "level": 1,
              "phase": "one",
              "track": "backend",
              "complexity": "simple",
              "estimate_minutes": 12.5,
              "estimated_scope": "single_file",
              "depends_on": [
                "TASK-0",
                "007"
              ],
              "parent": "P",
              "sub_plan": "sub",
              "criteria": [
                {
                  "id": "AC-1",
                  "text": "adds",
                  "tests": [
                    "adds two"
                  ]
                },
                {
                  "id": "AC-1",
                  "text": "adds",
                  "assertion": "a || b",
                  "tests": [
                    "adds two"
                  ]
                }
              ],
              "traces_to": {
                "stories": [
                  "US-1"
                ],
                "criteria": [
                  "AC-1"
                ],
                "decisions": [
                  "1"
                ]
              },
              "test": {
                "file": "a.test.ts",
                "inline": true,
                "command": "npm test -- a",
                "none": "config_static",
                "required": true,
                "held_out": [
                  {
                    "path": "h.ts",
                    "blake3": "00"
                  }
                ],
                "coverage": 85.0
              },
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
              "tier": "small",
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
              },
              "over": {
                "files/create": "d53d18c2",
                "files/modify": "d53d18c2",
                "files/read": "d53d18c2",
                "files/delete": "d53d18c2"
              }
            }
          }
        ],
        "windlass": {
          "name": "full"
        }
      }
    }
    "#);
}
