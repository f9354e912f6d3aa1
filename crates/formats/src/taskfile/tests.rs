//! What is read of a task file: every key of its front matter and every section, one fragment each.
//!
//! A row is a fragment and what it gives: the fields of the task in their JSON form, without its id and title where they are those
//! of the file and without empty ones, and behind `!` the findings.

use serde_json::Value;

use super::read::{Shared, TaskSource, read_task};
use crate::table::is_blank;
use windlass_core::diagnostic::FileIx;

/// The fields and the findings of a task file.
fn fields_of(text: &str) -> String {
    let mut shared = Shared::default();
    let source = TaskSource { text, file: FileIx(0), fallback_id: "t1", defaults: &[] };
    let task = read_task(&source, &mut shared);
    let Ok(Value::Object(mut fields)) = serde_json::to_value(&task) else { panic!("a task is an object") };
    for (key, usual) in [("id", "T1"), ("title", "Total")] {
        if fields.get(key).is_some_and(|value| value == usual) {
            fields.shift_remove(key);
        }
    }
    fields.retain(|_, value| !is_blank(value));
    let findings =
        shared.diagnostics.iter().map(|finding| format!(" ! {} {}", finding.code, finding.message));
    format!("{}{}", Value::Object(fields), findings.collect::<String>())
}

#[test]
fn every_key_of_the_front_matter() {
    let table = [
        ("id: T2", r#"{"id":"T2"}"#),
        ("title: Add up", r#"{"title":"Add up"}"#),
        ("type: add_test", r#"{"task_type":"add_test"}"#),
        ("task_type: refactor", r#"{"task_type":"refactor"}"#),
        ("methodology: tdd", r#"{"methodology":"tdd"}"#),
        ("methodology: direct", r#"{"methodology":"direct"}"#),
        (
            "methodology: none",
            r#"{"extra":{"methodology":"none"}} ! WL0003 `methodology` cannot be read: one of tdd, direct is expected, found `none`"#,
        ),
        ("mode: gate", r#"{"mode":"gate"}"#),
        (
            "mode: fast",
            r#"{"extra":{"mode":"fast"}} ! WL0003 `mode` cannot be read: one of tdd, tests-only, refactor, gate, none is expected, found `fast`"#,
        ),
        ("layer: 2", r#"{"layer":2}"#),
        (
            "layer: two",
            r#"{"extra":{"layer":"two"}} ! WL0003 `layer` cannot be read: a whole number is expected, found `two`"#,
        ),
        ("level: 3", r#"{"level":3}"#),
        ("phase: build", r#"{"phase":"build"}"#),
        ("track: a", r#"{"track":"a"}"#),
        (
            "complexity: low",
            r#"{"extra":{"complexity":"low"}} ! WL0003 `complexity` cannot be read: one of trivial, simple, medium, complex is expected, found `low`"#,
        ),
        (
            "estimated_complexity: high",
            r#"{"extra":{"estimated_complexity":"high"}} ! WL0003 `estimated_complexity` cannot be read: one of trivial, simple, medium, complex is expected, found `high`"#,
        ),
        (
            "complexity: huge",
            r#"{"extra":{"complexity":"huge"}} ! WL0003 `complexity` cannot be read: one of trivial, simple, medium, complex is expected, found `huge`"#,
        ),
        ("estimate_minutes: 15", r#"{"estimate_minutes":15.0}"#),
        (
            "estimate_minutes: a while",
            r#"{"extra":{"estimate_minutes":"a while"}} ! WL0003 `estimate_minutes` cannot be read: a number is expected, found `a while`"#,
        ),
        ("estimated_scope: small", r#"{"estimated_scope":"small"}"#),
        ("priority: high", r#"{"priority":"high"}"#),
        ("depends_on: [T0, T1]", r#"{"depends_on":["T0","T1"]}"#),
        ("depends_on: T0, T1", r#"{"depends_on":["T0","T1"]}"#),
        ("dependencies: [T0]", r#"{"depends_on":["T0"]}"#),
        ("blocked_by: T0", r#"{"depends_on":["T0"]}"#),
        ("depends_on:", "{}"),
        ("parent: P", r#"{"parent":"P"}"#),
        ("parent_id: P", r#"{"parent":"P"}"#),
        ("sub_plan: ui", r#"{"sub_plan":"ui"}"#),
        (
            "traces_to: {stories: [US-1], criteria: [AC-1], decisions: [ADR-1]}",
            r#"{"traces_to":{"stories":["US-1"],"criteria":["AC-1"],"decisions":["ADR-1"]}}"#,
        ),
        (
            "traces_to: {user_stories: US-1, acceptance_criteria: [AC-1], adr_decisions: []}",
            r#"{"traces_to":{"stories":["US-1"],"criteria":["AC-1"]}}"#,
        ),
        (
            "traces_to: {stories: [US-1], wishes: [W-1]}",
            r#"{"extra":{"traces_to":{"stories":["US-1"],"wishes":["W-1"]}}} ! WL0003 `traces_to` cannot be read: `wishes` is not one of stories, criteria, decisions"#,
        ),
        ("test_file: tests/a.py", r#"{"test":{"file":"tests/a.py"}}"#),
        (
            "test_file: [tests/a.py, tests/b.py]",
            r#"{"extra":{"test_file":["tests/a.py","tests/b.py"]}} ! WL0003 `test_file` cannot be read: a text is expected, found a list"#,
        ),
        ("test_inline: true", r#"{"test":{"inline":true}}"#),
        ("test_inline: yes", r#"{"test":{"inline":true}}"#),
        ("test_command: make test", r#"{"test":{"command":"make test"}}"#),
        ("no_test_reason: docs_only", r#"{"test":{"none":"docs_only"}}"#),
        ("requires_testing: false", r#"{"test":{"required":false}}"#),
        (
            "requires_testing: maybe",
            r#"{"extra":{"requires_testing":"maybe"}} ! WL0003 `requires_testing` cannot be read: `true` or `false` is expected, found `maybe`"#,
        ),
        ("coverage: 80", r#"{"test":{"coverage":80.0}}"#),
        ("focus_paths: [src]", r#"{"focus_paths":["src"]}"#),
        ("timeout_seconds: 60", r#"{"verification":{"script":"","timeout_seconds":60}}"#),
        (
            "timeout_seconds: -1",
            r#"{"extra":{"timeout_seconds":-1}} ! WL0003 `timeout_seconds` cannot be read: a whole number is expected, found `-1`"#,
        ),
        ("max_iterations: 3", r#"{"max_iterations":3}"#),
        ("requires_approval: true", r#"{"requires_approval":true}"#),
        ("tier: haiku", r#"{"tier":"small"}"#),
        ("tier: small", r#"{"tier":"small"}"#),
        ("tier: opus", r#"{"tier":"large"}"#),
        (
            "tier: giant",
            r#"{"extra":{"tier":"giant"}} ! WL0003 `tier` cannot be read: one of small, medium, large is expected, found `giant`"#,
        ),
        ("agent: claude", r#"{"agent":"claude"}"#),
        ("method: cli", r#"{"method":"cli"}"#),
        ("consumers: [T9]", r#"{"consumers":["T9"]}"#),
        ("resources: db", r#"{"resources":["db"]}"#),
        ("needs: [gpu]", r#"{"needs":["gpu"]}"#),
        ("risks: [slow]", r#"{"risks":["slow"]}"#),
        ("objective: Sum", r#"{"objective":"Sum"}"#),
        ("description: |\n  Two\n  lines", r#"{"description":"Two\nlines\n"}"#),
        (
            "criteria: [adds up, keeps order]",
            r#"{"criteria":[{"id":"","text":"adds up"},{"id":"","text":"keeps order"}]}"#,
        ),
        (
            "acceptance_criteria:\n  - id: AC-1\n    text: adds up",
            r#"{"criteria":[{"id":"AC-1","text":"adds up"}]}"#,
        ),
        (
            "files: {create: [a.py], modify: [b.py]}",
            r#"{"files":{"create":["a.py"],"modify":["b.py"],"read":[],"delete":[]}}"#,
        ),
        (
            "files: [a.py]",
            r#"{"extra":{"files":["a.py"]}} ! WL0003 `files` cannot be read: a mapping is expected, found a list"#,
        ),
        ("done_when: [green]", r#"{"done_when":["green"]}"#),
        ("notes: see AC-1", r#"{"notes":"see AC-1"}"#),
        ("verification: {script: make check}", r#"{"verification":{"script":"make check"}}"#),
        (
            "verification: make check",
            r#"{"extra":{"verification":"make check"}} ! WL0003 `verification` cannot be read: a mapping is expected, found `make check`"#,
        ),
        (
            "status: completed",
            r#"{"claimed_state":"completed"} ! WL0006 a plan holds no state; the journal records what is done"#,
        ),
        (
            "state: todo",
            r#"{"claimed_state":"todo"} ! WL0006 a plan holds no state; the journal records what is done"#,
        ),
        ("titel: Add up", r#"{"extra":{"titel":"Add up"}} ! WL0004 unknown key `titel`"#),
        ("depend_on: [T0]", r#"{"extra":{"depend_on":["T0"]}} ! WL0004 unknown key `depend_on`"#),
        ("whatever: [1, two, {three: 3}]", r#"{"extra":{"whatever":[1,"two",{"three":3}]}}"#),
        (
            "id: [1, 2]",
            r#"{"extra":{"id":[1,2]}} ! WL0003 `id` cannot be read: a text is expected, found a list"#,
        ),
        ("title: 7", r#"{"title":"7"}"#),
    ];
    for (key, expected) in table {
        assert_eq!(fields_of(&format!("---\n{key}\n---\n# T1: Total\n")), expected, "{key}");
    }
}

#[test]
fn every_section() {
    let table = [
        ("Some words\nin two lines.", r#"{"objective":"Some words\nin two lines."}"#),
        ("## Objective\n\nAdd prices up.", r#"{"objective":"Add prices up."}"#),
        ("## Description\n\nA total.\n\nAnd more.", r#"{"description":"A total.\n\nAnd more."}"#),
        ("## Notes\n\n- one\n- two", r#"{"notes":"- one\n- two"}"#),
        (
            "## Acceptance Criteria\n\n- [ ] AC-1: adds up\n- [x] keeps order\n- plain",
            r#"{"criteria":[{"id":"AC-1","text":"adds up"},{"id":"","text":"keeps order"},{"id":"","text":"plain"}]}"#,
        ),
        (
            "## Acceptance criteria:\n\n1. adds up\n2. keeps order",
            r#"{"criteria":[{"id":"","text":"adds up"},{"id":"","text":"keeps order"}]}"#,
        ),
        (
            "## Acceptance Criteria\n\n- **AC-7**: adds up\n  over two lines",
            r#"{"criteria":[{"id":"AC-7","text":"adds up over two lines"}]}"#,
        ),
        (
            "## Acceptance Criteria\n\nJust a sentence.",
            r#"{"sections":[{"heading":"Acceptance Criteria","body":"Just a sentence."}]}"#,
        ),
        (
            "## Contract\n\n```python\ndef total(prices): ...\n```",
            r#"{"contract":[{"language":"python","code":"def total(prices): ..."}]}"#,
        ),
        (
            "## Contract\n\n```\ntext\n```\n\nand words",
            r#"{"contract":[{"code":"text"}],"sections":[{"heading":"Contract","body":"and words"}]}"#,
        ),
        (
            "## Contract\n\n```python\ndef open_ended():",
            r#"{"contract":[{"language":"python","code":"def open_ended():"}]} ! WL0009 the code fence is never closed"#,
        ),
        (
            "## Dependencies (Interfaces Only)\n\n```python\n# from src/tax.py\ndef tax(n): ...\n```",
            r##"{"interfaces":[{"code":"# from src/tax.py\ndef tax(n): ...","language":"python"}]}"##,
        ),
        (
            "## Interfaces\n\n```ts\n// src/a.ts\nexport function a(): number;\n```",
            r#"{"interfaces":[{"code":"// src/a.ts\nexport function a(): number;","language":"ts"}]}"#,
        ),
        (
            "## Test Specification\n\n```python\n# tests/test_a.py\ndef test_a():\n    assert total([]) == 0\n```",
            r##"{"test_code":[{"path":"tests/test_a.py","language":"python","code":"# tests/test_a.py\ndef test_a():\n    assert total([]) == 0"}]}"##,
        ),
        (
            "## Tests\n\n```js\ntest('a', () => {});\n```",
            r#"{"test_code":[{"language":"js","code":"test('a', () => {});"}]}"#,
        ),
        (
            "## Output Files\n\n- WRITE: src/a.py\n- MODIFY: src/b.py (add a call)\n- DELETE: src/c.py\n- READ: src/d.py",
            r#"{"files":{"create":["src/a.py"],"modify":["src/b.py"],"read":["src/d.py"],"delete":["src/c.py"]},"changes":{"src/b.py":"add a call"}}"#,
        ),
        (
            "## Files\n\n```\nWRITE: src/a.py\nMODIFY: src/b.py\n```",
            r#"{"files":{"create":["src/a.py"],"modify":["src/b.py"],"read":[],"delete":[]}}"#,
        ),
        (
            "## Output Files\n\n- CREATE: src/a.py\n- src/b.py\n- `src/c.py` (~40 lines)\n- RENAME: src/d.py",
            r#"{"files":{"create":["src/a.py"],"modify":[],"read":[],"delete":[]},"sections":[{"heading":"Output Files","body":"- src/b.py\n- `src/c.py` (~40 lines)\n- RENAME: src/d.py"}]} ! WL0010 the line names no file: WRITE, MODIFY, DELETE or READ is expected"#,
        ),
        (
            "## Output Files\n\nWRITE: src/a.py [max 80 lines]\nnothing else",
            r#"{"files":{"create":["src/a.py [max 80 lines]"],"modify":[],"read":[],"delete":[]},"sections":[{"heading":"Output Files","body":"nothing else"}]}"#,
        ),
        (
            "## Steps\n\n1. write_test: tests/test_a.py\n2. verify_fail: `pytest`\n3. implement: src/a.py\n4. verify_pass: `pytest`\n5. commit",
            r#"{"steps":[{"action":"write_test","verify":"none","title":"tests/test_a.py"},{"action":"verify_fail","verify":"exit_code_nonzero","title":"`pytest`"},{"action":"implement","verify":"none","title":"src/a.py"},{"action":"verify_pass","verify":"exit_code","title":"`pytest`"},{"action":"commit","verify":"exit_code"}]}"#,
        ),
        (
            "## Steps\n\n1. dance: wildly",
            r#"{"sections":[{"heading":"Steps","body":"1. dance: wildly"}]} ! WL0010 the step has no known action: write_test, verify_fail, implement, verify_pass, refactor, format or commit is expected"#,
        ),
        (
            "## Verification (Deterministic)\n\n```bash\npytest -q\nruff check\n```",
            r#"{"verification":{"script":"pytest -q\nruff check"}}"#,
        ),
        (
            "## Verification\n\n```bash\nmake a\n```\n\n```bash\nmake b\n```",
            r#"{"verification":{"script":"make a\nmake b"}}"#,
        ),
        (
            "## Verification\n\nRun it and look.",
            r#"{"sections":[{"heading":"Verification (Deterministic)","body":"Run it and look."}]}"#,
        ),
        (
            "## Done When\n\n- [ ] the tests pass\n- it is documented",
            r#"{"done_when":["the tests pass","it is documented"]}"#,
        ),
        ("## Risks\n\n- slow\n- wrong", r#"{"risks":["slow","wrong"]}"#),
        ("## Background\n\nHow it came.", r#"{"sections":[{"heading":"Background","body":"How it came."}]}"#),
        ("## done when\n\n- lower case", r#"{"done_when":["lower case"]}"#),
        ("### Objective\n\nA level deeper.", r####"{"objective":"### Objective\n\nA level deeper."}"####),
        ("# T5: Another title\n\nText", r##"{"objective":"# T5: Another title\n\nText"}"##),
        ("## Objective\n\n## Notes\n\nonly notes", r#"{"notes":"only notes"}"#),
    ];
    for (section, expected) in table {
        assert_eq!(fields_of(&format!("# T1: Total\n\n{section}\n")), expected, "{section}");
    }
}
