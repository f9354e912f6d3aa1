//! A task with every field set, in the dialect `native`.

use super::written;
use crate::Dialect;

#[test]
fn every_field_is_written() {
    insta::assert_snapshot!(written(Dialect::Native), @r#"
    === plan.toml
    name = "full"

    === tasks/TASK-1.md
    ---
    id: TASK-1
    title: Add a thing
    task_type: add_method
    methodology: tdd
    mode: tests-only
    layer: 2
    level: 1
    phase: one
    track: backend
    estimated_complexity: simple
    estimate_minutes: 12.5
    estimated_scope: single_file
    priority: high
    depends_on: [TASK-0, "007"]
    parent: P
    sub_plan: sub
    traces_to: {stories: [US-1], criteria: [AC-1], decisions: ["1"]}
    test_file: a.test.ts
    test_inline: true
    test_command: npm test -- a
    no_test_reason: config_static
    requires_testing: true
    held_out: [{path: h.ts, blake3: "00"}]
    coverage: 85.0
    focus_paths: [src/]
    timeout_seconds: 60
    tdd_cycles: [{test_count: 2}]
    max_iterations: 3
    requires_approval: true
    files_assumed: true
    tier: small
    agent: codex
    method: agent
    session: {id: s-1, strategy: merge_fork}
    consumers: [TASK-9]
    resources: [db]
    needs: [gpu]
    risks: ["none: really"]
    pre_analysis: [{step: look, "n": 1, none: null}]
    claimed_state: done
    x: {"y": [1, "2", null]}
    extra: {status: odd, "a b:": 1}
    ---

    # TASK-1: Add a thing

    Objective.

    ## Description

    More.

    ## Acceptance Criteria

    | id | criterion | assertion | tests |
    |---|---|---|---|
    | AC-1 | adds |  | `adds two` |
    | AC-1 | adds | `a \|\| b` | `adds two` |

    ## Contract

    ```ts
    // a.ts
    code
    ```

    ## Dependencies (Interfaces Only)

    ```ts
    // From TASK-0: repo
    type R = {};
    ```

    ## Test Specification

    ```ts
    // ADD to a.test.ts
    code
    ```

    ## Output Files

    ```
    WRITE: a.ts (~40 lines)
    MODIFY: b.ts (export it)
    DELETE: d.ts
    READ: c.ts
    ```

    ## Steps

    1. write_test
       run: `x`
       ```
       y
       ```
       ```sketch
       z
       ```

    ## Verification (Deterministic)

    ```bash
    cd a
    npm test
    ```

    ## Done When

    - [ ] `a` exported

    ## Notes

    Notes.

    ## Rollback

    Revert.
    "#);
}
