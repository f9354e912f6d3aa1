//! A task with every field set, in the dialect `ccw`.

use super::written;
use crate::Dialect;

#[test]
fn every_field_is_written() {
    insta::assert_snapshot!(written(Dialect::Ccw), @r#"
    === .workflow/active/WFS-full/workflow-session.json
    {
      "session_id": "WFS-full",
      "project": "full",
      "type": "tdd",
      "status": "active"
    }

    === .workflow/active/WFS-full/plan.json
    {
      "summary": "full",
      "approach": "Each task goes through Red, Green and Refactor; dependencies set the order.",
      "task_ids": [
        "IMPL-1"
      ],
      "task_count": 1,
      "recommended_execution": "Parallel",
      "_metadata": {
        "source": "tdd-planning-agent",
        "planning_mode": "direct",
        "plan_type": "tdd",
        "schema_version": "2.0"
      },
      "windlass": {
        "title": null,
        "objective": "",
        "session": null
      }
    }

    === .workflow/active/WFS-full/IMPL_PLAN.md
    ---
    identifier: WFS-full
    workflow_type: "tdd"
    tdd_workflow: true
    feature_count: 1
    task_count: 1
    task_breakdown: "1 features, no subtasks"
    ---

    # Implementation Plan: full

    ## Summary

    full

    ## TDD Implementation Tasks

    ### IMPL-1: Add a thing

    - **Red**: Write 2 test cases
    - **Green**: Implement in 2 files: [a.ts, b.ts]
    - **Refactor**: Improve names and take out repetition in 2 files, tests green: [a.ts, b.ts]
    - **Depends on**: TASK-0, 007
    - **Files**: `a.ts`, `b.ts`, `d.ts`, `a.test.ts`
    - **Accepted when**: adds
    - **Accepted when**: adds
    - **Verified by**: `cd a && npm test`

    === .workflow/active/WFS-full/TODO_LIST.md
    # Tasks: full

    ## Task Progress

    - [x] **IMPL-1**: Add a thing · Red → Green → Refactor (completed) [task](./.task/IMPL-1.json)

    ## Status Legend

    - `- [ ]` open
    - `- [x]` completed

    === .workflow/active/WFS-full/.task/IMPL-1.json
    {
      "id": "IMPL-1",
      "title": "Add a thing",
      "description": "More.",
      "priority": "high",
      "effort": "small",
      "focus_paths": [
        "src/"
      ],
      "depends_on": [
        "TASK-0",
        "007"
      ],
      "convergence": {
        "criteria": [
          "adds",
          "adds"
        ],
        "verification": "cd a\nnpm test",
        "definition_of_done": "`a` exported"
      },
      "files": [
        {
          "path": "a.ts",
          "action": "create"
        },
        {
          "path": "b.ts",
          "action": "modify",
          "change": "export it"
        },
        {
          "path": "d.ts",
          "action": "delete"
        }
      ],
      "implementation": [
        {
          "step": 1,
          "title": "Red",
          "description": "Write 2 test cases",
          "tdd_phase": "red"
        },
        {
          "step": 2,
          "title": "Green",
          "description": "Implement in 2 files: [a.ts, b.ts]",
          "tdd_phase": "green",
          "test_fix_cycle": {
            "max_iterations": 3
          }
        },
        {
          "step": 3,
          "title": "Refactor",
          "description": "Improve names and take out repetition in 2 files, tests green: [a.ts, b.ts]",
          "tdd_phase": "refactor"
        }
      ],
      "test": {
        "commands": [
          "npm test -- a"
        ],
        "coverage_target": 85
      },
      "meta": {
        "tdd_workflow": true,
        "max_iterations": 3,
        "execution_config": {
          "method": "agent",
          "cli_tool": null,
          "enable_resume": false
        },
        "agent": "codex",
        "module": "backend"
      },
      "cli_execution": {
        "id": "s-1",
        "strategy": "merge_fork"
      },
      "tdd_cycles": [
        {
          "test_count": 2
        }
      ],
      "status": "completed",
      "windlass": {
        "id": "TASK-1",
        "objective": "Objective.",
        "task_type": "add_method",
        "methodology": "tdd",
        "mode": "tests-only",
        "layer": 2,
        "level": 1,
        "phase": "one",
        "estimate_minutes": 12.5,
        "estimated_scope": "single_file",
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
          "none": "config_static",
          "required": true,
          "held_out": [
            {
              "path": "h.ts",
              "blake3": "00"
            }
          ]
        },
        "files": {
          "read": [
            "c.ts"
          ]
        },
        "lines": {
          "a.ts": 40
        },
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
        "requires_approval": true,
        "files_assumed": true,
        "tier": "small",
        "session": {
          "enable_resume": null
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
        "notes": "Notes.",
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
          "criteria/1/id": "1286f4d5",
          "files/read": "d53d18c2",
          "done_when": "342126d7",
          "steps": "87bd73c8",
          "session/enable_resume": "401f18ad"
        }
      }
    }
    "#);
}
