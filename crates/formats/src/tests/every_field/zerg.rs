//! A task with every field set, in the dialect `zerg`.

use super::written;
use crate::Dialect;

#[test]
fn every_field_is_written() {
    insta::assert_snapshot!(written(Dialect::Zerg), @r#"
    === task-graph.json
    {
      "feature": "full",
      "version": "2.0",
      "total_tasks": 1,
      "max_parallelization": 1,
      "levels": {
        "1": {
          "name": "one",
          "tasks": [
            "TASK-1"
          ],
          "parallel": false
        }
      },
      "tasks": [
        {
          "id": "TASK-1",
          "title": "Add a thing",
          "description": "More.",
          "phase": "one",
          "level": 1,
          "dependencies": [
            "TASK-0",
            "007"
          ],
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
          "acceptance_criteria": [
            "adds",
            "adds"
          ],
          "verification": {
            "command": "cd a\nnpm test",
            "timeout_seconds": 60
          },
          "estimate_minutes": 12.5,
          "status": "complete",
          "consumers": [
            "TASK-9"
          ],
          "context": "Notes.",
          "steps": [
            {
              "step": 1,
              "action": "write_test",
              "code_snippet": "y",
              "run": "x",
              "verify": "none"
            }
          ],
          "windlass": {
            "objective": "Objective.",
            "task_type": "add_method",
            "methodology": "tdd",
            "mode": "tests-only",
            "layer": 2,
            "track": "backend",
            "complexity": "simple",
            "estimated_scope": "single_file",
            "priority": "high",
            "parent": "P",
            "sub_plan": "sub",
            "criteria": {
              "*": 2,
              "0": {
                "id": "AC-1",
                "tests": [
                  "adds two"
                ]
              },
              "1": {
                "id": "AC-1",
                "assertion": "a || b",
                "tests": [
                  "adds two"
                ]
              }
            },
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
            "done_when": [
              "`a` exported"
            ],
            "steps": {
              "*": 1,
              "0": {
                "sketch": "z"
              }
            },
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
              "criteria/0/id": "1286f4d5",
              "criteria/1/id": "1286f4d5"
            }
          }
        }
      ],
      "windlass": {
        "phases": []
      }
    }
    "#);
}
