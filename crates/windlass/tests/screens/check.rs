//! Findings, in every form.

use crate::plans;
use crate::space::Space;

#[test]
fn findings_for_people() {
    let space = Space::new();
    plans::broken(&space);
    insta::assert_snapshot!(space.run(&["check"]), @"
    error[WL0151]: `c` depends on `bb`, which is not in the plan
      --> plans/shop/tasks/c.md:4:17
       |
     4 | depends_on: [b, bb]
       |                 ^^

    error[WL0301]: nothing verifies `c`
      --> plans/shop/tasks/c.md:8:3
       |
     8 | # Write the page
       |   ^^^^^^^^^^^^^^
       = help: give it a test file, a verification script, or one of the reasons for having no test

    plan `shop` (native, 3 tasks): 2 errors
    for more on a finding: windlass explain WL0151
    --- exit 1
    ");
}

#[test]
fn findings_with_colour() {
    let space = Space::new();
    plans::broken(&space);
    let text = space.run(&["check", "--color", "always"]).replace('\u{1b}', "ESC");
    insta::assert_snapshot!(text.lines().take(6).collect::<Vec<_>>().join("\n"), @"
    ESC[1;31merror[WL0151]ESC[0m: ESC[1m`c` depends on `bb`, which is not in the planESC[0m
    ESC[1;34m  -->ESC[0m plans/shop/tasks/c.md:4:17
    ESC[1;34m   |ESC[0m
    ESC[1;34m 4 |ESC[0m depends_on: [b, bb]
    ESC[1;34m   |ESC[0m                 ESC[1;31m^^ESC[0m
    ");
}

#[test]
fn findings_as_json() {
    let space = Space::new();
    plans::broken(&space);
    insta::assert_snapshot!(space.run(&["check", "--format", "json"]), @r#"
    {
      "schema": "windlass.check/1",
      "plan": {
        "name": "shop",
        "dialect": "native",
        "tasks": 3
      },
      "diagnostics": [
        {
          "code": "WL0151",
          "severity": "error",
          "message": "`c` depends on `bb`, which is not in the plan",
          "task": "c",
          "file": "plans/shop/tasks/c.md",
          "line": 4,
          "column": 17
        },
        {
          "code": "WL0301",
          "severity": "error",
          "message": "nothing verifies `c`",
          "task": "c",
          "file": "plans/shop/tasks/c.md",
          "line": 8,
          "column": 3,
          "help": "give it a test file, a verification script, or one of the reasons for having no test"
        }
      ],
      "summary": {
        "errors": 2,
        "warnings": 0,
        "notes": 0
      }
    }
    --- exit 1
    "#);
}

#[test]
fn findings_as_annotations() {
    let space = Space::new();
    plans::broken(&space);
    insta::assert_snapshot!(space.run(&["check", "--format", "github"]), @"
    ::error file=plans/shop/tasks/c.md,line=4,col=17,title=WL0151::`c` depends on `bb`, which is not in the plan
    ::error file=plans/shop/tasks/c.md,line=8,col=3,title=WL0301::nothing verifies `c`%0Ahelp: give it a test file, a verification script, or one of the reasons for having no test
    --- exit 1
    ");
}

#[test]
fn findings_as_sarif() {
    let space = Space::new();
    plans::broken(&space);
    insta::assert_snapshot!(space.run(&["check", "--format", "sarif"]), @r#"
    {
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        {
          "tool": {
            "driver": {
              "name": "windlass",
              "version": "0.1.0",
              "rules": [
                {
                  "id": "WL0151",
                  "shortDescription": {
                    "text": "a task refers to one that is not in the plan"
                  }
                },
                {
                  "id": "WL0301",
                  "shortDescription": {
                    "text": "a task cannot be verified"
                  }
                }
              ]
            }
          },
          "columnKind": "unicodeCodePoints",
          "results": [
            {
              "ruleId": "WL0151",
              "ruleIndex": 0,
              "level": "error",
              "message": {
                "text": "`c` depends on `bb`, which is not in the plan"
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "plans/shop/tasks/c.md"
                    },
                    "region": {
                      "startLine": 4,
                      "startColumn": 17,
                      "endLine": 4,
                      "endColumn": 19
                    }
                  }
                }
              ]
            },
            {
              "ruleId": "WL0301",
              "ruleIndex": 1,
              "level": "error",
              "message": {
                "text": "nothing verifies `c`\nhelp: give it a test file, a verification script, or one of the reasons for having no test"
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "plans/shop/tasks/c.md"
                    },
                    "region": {
                      "startLine": 8,
                      "startColumn": 3,
                      "endLine": 8,
                      "endColumn": 17
                    }
                  }
                }
              ]
            }
          ]
        }
      ]
    }
    --- exit 1
    "#);
}

#[test]
fn nothing_to_complain_about() {
    let space = Space::new();
    plans::whole(&space);
    insta::assert_snapshot!(space.run(&["check"]), @"
    plan `shop` (native, 3 tasks): no findings
    --- exit 0
    ");
}

#[test]
fn a_rule_and_a_task_explained() {
    let space = Space::repository();
    plans::whole(&space);
    insta::assert_snapshot!(space.run(&["explain", "WL0301"]), @r#"
    WL0301 no-proof
    a task cannot be verified

      default       error
      zerg          error
      homerun       error
      ccw           error
      superplanner  error
      contract      error

    Nothing could show that the task is done: no test file, no verification script, no test command, and no reason for having
    none. "Done" would only be a claim, so the run does not start.

    Bad:

    ```markdown
    ---
    id: T-1
    files: {create: [src/a.py]}
    ---
    ```

    Good:

    ```markdown
    ---
    id: T-1
    files: {create: [src/a.py]}
    test_file: tests/test_a.py
    ---
    ```

    to change how hard it is taken, in windlass.toml:

      [lint]
      WL0301 = "off"
    --- exit 0
    "#);
    insta::assert_snapshot!(space.run(&["explain", "b"]), @"
    b · Add the endpoint · pending
    it waits for:
      a  pending       the plan says so

    it runs in mode `tdd`
    it may change: src/endpoint.py, tests/test_endpoint.py

    next: `windlass run` carries it out when its turn comes
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["explain", "bb"]), @"
    --- told
    error: there is no task `bb`
      hint: did you mean `b`?
    --- exit 2
    ");
    insta::assert_snapshot!(space.run(&["explain", "WL9999"]), @"
    --- told
    error: there is no rule `WL9999`
      hint: `windlass check` names the code of every finding
    --- exit 2
    ");
}

#[test]
fn a_plan_drawn() {
    let space = Space::new();
    plans::whole(&space);
    insta::assert_snapshot!(space.run(&["graph", "--workers", "2"]), @"
               ┏━━━━━━━━━━━━━━━━━━━┓
               ┃   Add the model   ┃
               ┃         a         ┃
               ┗━━━━━━━━━┯━━━━━━━━━┛
                         │
              ┌──────────┴──────────┐
              ▼                     ▼
    ┏━━━━━━━━━━━━━━━━━━━┓ ┌───────────────────┐
    ┃  Add the endpoint ┃ │   Write the page  │
    ┃         b         ┃ │         c         │
    ┗━━━━━━━━━━━━━━━━━━━┛ └───────────────────┘

    critical path: a → b (30 min)
    with 1 worker 45 min, with 3 workers 30 min, limited by the critical path

    with 2 workers: 30m 00s, limited by the critical path
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["graph", "--format", "mermaid"]), @r#"
    flowchart LR
      n0["a Add the model"]
      n1["b Add the endpoint"]
      n2["c Write the page"]
      n0 --> n1
      n0 --> n2
      classDef critical stroke:#d9480f,stroke-width:3px
      class n0,n1 critical
    --- exit 0
    "#);
    plans::broken(&space);
    insta::assert_snapshot!(space.run(&["graph"]), @"
    --- told
    error[WL0151]: `c` depends on `bb`, which is not in the plan
      --> plans/shop/tasks/c.md:4:17
       |
     4 | depends_on: [b, bb]
       |                 ^^

    error[WL0301]: nothing verifies `c`
      --> plans/shop/tasks/c.md:8:3
       |
     8 | # Write the page
       |   ^^^^^^^^^^^^^^
       = help: give it a test file, a verification script, or one of the reasons for having no test

    error: plan `shop` has errors and cannot be drawn
      hint: `windlass check` shows every finding
    --- exit 2
    ");
}
