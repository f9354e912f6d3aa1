//! The conditions of single rules: a task that is fine, one change, and the codes that the change adds.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::super::{Profile, check};
use super::context;
use windlass_core::plan::{
    CodeBlock, Criterion, Files, Interface, Method, Methodology, Mode, Plan, Session, Strategy, Task,
    TddCycle, TestPlan, Tier, Verification,
};

/// A task that most rules accept.
pub(super) fn fine() -> Task {
    Task {
        id: "a".into(),
        title: "Add a sum to carts".into(),
        files: Files { create: vec!["src/cart.py".into()], ..Files::default() },
        test: TestPlan { file: Some("tests/test_cart.py".into()), ..TestPlan::default() },
        criteria: vec![Criterion {
            id: "AC-1".into(),
            text: "the sum of 2 lines is 3".into(),
            assertion: Some("x".into()),
            tests: Vec::new(),
        }],
        verification: Some(Verification {
            script: "pytest tests/test_cart.py".into(),
            timeout_seconds: None,
        }),
        ..Task::default()
    }
}

pub(super) fn codes(tasks: Vec<Task>, profile: Profile) -> BTreeSet<&'static str> {
    let plan = Plan { name: "p".into(), tasks, ..Plan::default() };
    check(&plan, &context(profile)).iter().map(|d| d.code).collect()
}

type Change = fn(&mut Task);

/// What each change adds to the findings of the task that is fine.
fn added(profile: Profile, changes: &[(&str, Change)]) -> String {
    let before = codes(vec![fine()], profile);
    let mut out = String::new();
    for (name, change) in changes {
        let mut task = fine();
        change(&mut task);
        let found = codes(vec![task], profile);
        let new: Vec<&str> = found.difference(&before).copied().collect();
        let _ = writeln!(out, "{name}: {}", if new.is_empty() { "-".to_owned() } else { new.join(" ") });
    }
    out
}

pub(super) fn script(task: &mut Task, text: &str) {
    task.verification = Some(Verification { script: text.into(), timeout_seconds: None });
}

#[test]
fn changes_under_the_default_profile() {
    let changes: &[(&str, Change)] = &[
        ("no title", |t| t.title = String::new()),
        ("a hidden character in the title", |t| t.title.push('\u{200b}')),
        ("a title of a number", |t| t.title = "Task 3".into()),
        ("a vague title", |t| t.title = "Implement the feature".into()),
        ("two things in a title", |t| t.title = "Add carts and orders".into()),
        ("created and modified", |t| t.files.modify = t.files.create.clone()),
        ("modified and deleted", |t| {
            t.files.modify = vec!["b.py".into()];
            t.files.delete = vec!["b.py".into()];
        }),
        ("a type that writes code, and no file", |t| {
            t.files = Files::default();
            t.test = TestPlan::default();
            t.task_type = Some("add_method".into());
        }),
        ("no test and no script", |t| {
            t.test = TestPlan::default();
            t.verification = None;
        }),
        ("no test, no script and no file, test first", |t| {
            t.test = TestPlan::default();
            t.verification = None;
            t.files = Files::default();
            t.mode = Some(Mode::Tdd);
        }),
        ("an unknown reason", |t| t.test.none = Some("lazy".into())),
        ("a test and a reason", |t| t.test.none = Some("delete_dead_code".into())),
        ("a test file that is none", |t| {
            t.test.file = Some("src/cart.txt".into());
            script(t, "pytest");
        }),
        ("inline tests", |t| {
            t.test.file = Some("src/cart.rs".into());
            t.test.inline = true;
            script(t, "cargo test");
        }),
        ("coverage without a tool", |t| t.test.coverage = Some(90.0)),
        ("coverage with a tool", |t| {
            t.test.coverage = Some(90.0);
            script(t, "pytest --cov tests/test_cart.py");
        }),
        ("no time", |t| {
            t.verification =
                Some(Verification { script: "pytest tests/test_cart.py".into(), timeout_seconds: Some(0) });
        }),
        ("half an hour", |t| {
            t.verification = Some(Verification {
                script: "pytest tests/test_cart.py".into(),
                timeout_seconds: Some(1800),
            });
        }),
        ("a gate with files", |t| t.mode = Some(Mode::Gate)),
        ("no test and the mode none", |t| {
            t.mode = Some(Mode::None);
        }),
        ("four criteria", |t| {
            let c = t.criteria[0].clone();
            t.criteria = vec![c; 4];
        }),
        ("five files", |t| t.files.create = (0..5).map(|n| format!("src/f{n}.py")).collect()),
        ("two layers", |t| t.files.create = vec!["src/models/a.py".into(), "src/routes/a.py".into()]),
        ("two test files", |t| t.files.create.push("tests/test_more.py".into())),
        ("code and configuration", |t| {
            t.files.create.push("a.toml".into());
            t.files.create.push("tests/test_cart.py".into());
        }),
        ("61 minutes", |t| t.estimate_minutes = Some(61.0)),
        ("60 minutes", |t| t.estimate_minutes = Some(60.0)),
        ("a long file", |t| {
            t.lines.insert("src/cart.py".into(), 151);
        }),
        ("a long schema", |t| {
            t.lines.insert("db/schema.sql".into(), 101);
        }),
        ("a long test", |t| {
            t.lines.insert("tests/test_cart.py".into(), 201);
        }),
        ("a long test within its limit", |t| {
            t.lines.insert("tests/test_cart.py".into(), 200);
        }),
        ("a phrase that points elsewhere", |t| t.description = "Follow the existing pattern.".into()),
        ("a phrase that leaves a decision open", |t| t.notes = "Retry as needed.".into()),
        ("a phrase without cases", |t| t.criteria[0].text = "handle edge cases of 2".into()),
        ("a phrase about another task", |t| t.done_when = vec!["same as before".into()]),
        ("a placeholder", |t| {
            t.test_code = vec![CodeBlock { code: "def test_a():\n    ...\n".into(), ..CodeBlock::default() }];
        }),
        ("a smaller model than usual", |t| {
            t.task_type = Some("architectural".into());
            t.tier = Some(Tier::Small);
        }),
        ("a larger model than usual", |t| {
            t.task_type = Some("add_method".into());
            t.tier = Some(Tier::Large);
        }),
        ("direct work on code", |t| t.methodology = Some(Methodology::Direct)),
        ("direct work on configuration", |t| {
            t.methodology = Some(Methodology::Direct);
            t.task_type = Some("add_config".into());
        }),
        ("a criterion without assertion", |t| t.criteria[0].assertion = None),
        ("a quality", |t| {
            t.criteria[0] = Criterion { text: "The page is intuitive".into(), ..Criterion::default() }
        }),
        ("a vague outcome", |t| {
            t.criteria[0] = Criterion { text: "Login works correctly".into(), ..Criterion::default() }
        }),
        ("no threshold", |t| {
            t.criteria[0] = Criterion { text: "Search is fast".into(), ..Criterion::default() }
        }),
        ("a passive outcome", |t| {
            t.criteria[0] = Criterion { text: "Errors are handled".into(), ..Criterion::default() }
        }),
        ("a strategy without a reason", |t| {
            t.session = Some(Session { strategy: Some(Strategy::Fork), ..Session::default() });
        }),
        ("a session from nowhere", |t| {
            t.session =
                Some(Session { from: vec!["x".into()], strategy: Some(Strategy::New), ..Session::default() });
        }),
        ("a taste in the check list", |t| t.done_when = vec!["the code is clean".into()]),
    ];
    insta::assert_snapshot!(added(Profile::Default, changes), @r"
    no title: WL0102
    a hidden character in the title: WL0109
    a title of a number: WL0501
    a vague title: WL0501
    two things in a title: WL0405
    created and modified: WL0205
    modified and deleted: WL0205
    a type that writes code, and no file: WL0209 WL0307
    no test and no script: WL0301
    no test, no script and no file, test first: WL0301
    an unknown reason: WL0304 WL0307
    a test and a reason: WL0307 WL0309
    a test file that is none: WL0306
    inline tests: -
    coverage without a tool: WL0308
    coverage with a tool: -
    no time: WL0312
    half an hour: -
    a gate with files: WL0315
    no test and the mode none: WL0315
    four criteria: WL0401
    five files: WL0402
    two layers: WL0403
    two test files: WL0406
    code and configuration: WL0407
    61 minutes: WL0412
    60 minutes: -
    a long file: WL0423
    a long schema: WL0423
    a long test: WL0423
    a long test within its limit: -
    a phrase that points elsewhere: WL0502
    a phrase that leaves a decision open: WL0503
    a phrase without cases: WL0504
    a phrase about another task: WL0505
    a placeholder: WL0507 WL0517
    a smaller model than usual: WL0701
    a larger model than usual: WL0701
    direct work on code: WL0709
    direct work on configuration: -
    a criterion without assertion: -
    a quality: WL0601
    a vague outcome: WL0602
    no threshold: WL0603
    a passive outcome: WL0604
    a strategy without a reason: WL0706
    a session from nowhere: WL0707
    a taste in the check list: WL0518
    ");
}

#[test]
fn changes_under_the_contract_profile() {
    let changes: &[(&str, Change)] = &[
        ("three files to read", |t| t.files.read = vec!["a".into(), "b".into(), "c".into()]),
        ("two files to read", |t| t.files.read = vec!["a".into(), "b".into()]),
        ("66 lines", |t| {
            t.lines.insert("src/cart.py".into(), 66);
        }),
        ("65 lines", |t| {
            t.lines.insert("src/cart.py".into(), 65);
        }),
        ("40 lines of a simple task", |t| {
            t.lines.insert("src/cart.py".into(), 40);
            t.complexity = Some(windlass_core::plan::Complexity::Simple);
        }),
        ("lines of a test", |t| {
            t.lines.insert("tests/test_cart.py".into(), 99);
        }),
        ("many tokens", |t| t.description = "word ".repeat(1700)),
        ("too many tokens", |t| t.description = "word ".repeat(2500)),
        ("four functions", |t| {
            t.contract = vec![CodeBlock { path: Some("src/cart.ts".into()), code: "export function a(): void;\nexport function b(): void;\nexport function c(): void;\nexport function d(): void;\n".into(), ..CodeBlock::default() }];
        }),
        ("a contract without a path", |t| {
            t.contract = vec![CodeBlock {
                language: Some("ts".into()),
                code: "export function a(): void;".into(),
                ..CodeBlock::default()
            }];
        }),
        ("a contract with a body", |t| {
            t.contract = vec![CodeBlock {
                path: Some("src/cart.ts".into()),
                code: "export function a(): number {\n  return 1;\n}".into(),
                ..CodeBlock::default()
            }];
        }),
        ("tests that miss the contract", |t| {
            t.contract = vec![CodeBlock {
                path: Some("src/cart.ts".into()),
                code: "export function total(): number;".into(),
                ..CodeBlock::default()
            }];
            t.test_code = vec![CodeBlock {
                path: Some("src/cart.test.ts".into()),
                code: "it('works', () => { expect(1).toBe(1) })".into(),
                ..CodeBlock::default()
            }];
        }),
        ("tests of the contract, with an error case", |t| {
            t.contract = vec![CodeBlock {
                path: Some("src/cart.ts".into()),
                code: "export function total(): number;".into(),
                ..CodeBlock::default()
            }];
            t.test_code = vec![CodeBlock {
                path: Some("src/cart.test.ts".into()),
                code: "it('works', () => { expect(() => total()).toThrow() })".into(),
                ..CodeBlock::default()
            }];
        }),
        ("a wrong count of tests", |t| {
            t.done_when = vec!["all 2 tests pass".into()];
            t.test_code = vec![CodeBlock {
                path: Some("src/cart.test.ts".into()),
                code: "it('fails', () => { throw new Error() })".into(),
                ..CodeBlock::default()
            }];
        }),
        ("an interface without a source", |t| {
            t.interfaces = vec![Interface { code: "f(): void".into(), ..Interface::default() }];
        }),
        ("an interface of no dependency", |t| {
            t.interfaces = vec![Interface {
                source: Some("z".into()),
                code: "f(): void".into(),
                ..Interface::default()
            }];
        }),
        ("a long interface", |t| {
            t.interfaces =
                vec![Interface { source: Some("z".into()), code: "x\n".repeat(31), ..Interface::default() }];
        }),
        ("three source files", |t| t.files.create = vec!["a.py".into(), "b.py".into(), "c.py".into()]),
        ("a check list", |t| t.done_when = vec!["the tests pass".into()]),
    ];
    insta::assert_snapshot!(added(Profile::Contract, changes), @"
    three files to read: WL0424
    two files to read: -
    66 lines: WL0421
    65 lines: -
    40 lines of a simple task: WL0420
    lines of a test: -
    many tokens: WL0421
    too many tokens: WL0421
    four functions: WL0426 WL0522
    a contract without a path: WL0509
    a contract with a body: WL0511 WL0522
    tests that miss the contract: WL0406 WL0516 WL0517 WL0522
    tests of the contract, with an error case: WL0406 WL0522
    a wrong count of tests: WL0406 WL0519
    an interface without a source: WL0513
    an interface of no dependency: -
    a long interface: WL0515
    three source files: WL0506
    a check list: -
    ");
}

#[test]
fn changes_under_the_ccw_profile() {
    let changes: &[(&str, Change)] = &[
        ("seven files", |t| t.files.create = (0..7).map(|n| format!("src/f{n}.py")).collect()),
        ("2,501 lines", |t| {
            t.lines.insert("src/cart.py".into(), 2501);
        }),
        ("a cycle that counts", |t| {
            t.tdd_cycles = vec![TddCycle {
                test_count: Some(1),
                test_cases: vec!["a".into()],
                implementation_scope: Some("1 function".into()),
                expected_coverage: Some(">=85%".into()),
                ..TddCycle::default()
            }];
        }),
        ("a cycle that miscounts", |t| {
            t.tdd_cycles =
                vec![TddCycle { test_count: Some(2), test_cases: vec!["a".into()], ..TddCycle::default() }];
        }),
        ("a limit of rounds", |t| t.max_iterations = Some(3)),
        ("a large task for an agent", |t| {
            t.method = Some(Method::Agent);
            t.files.create = (0..4).map(|n| format!("src/f{n}.py")).collect();
            t.tdd_cycles = vec![TddCycle::default()];
        }),
        ("a small task for a tool", |t| {
            t.method = Some(Method::Cli);
            t.tdd_cycles = vec![TddCycle::default()];
        }),
        ("an open method", |t| t.method = Some(Method::Hybrid)),
        ("a session id", |t| {
            t.session = Some(Session {
                id: Some("WFS-a".into()),
                strategy: Some(Strategy::New),
                ..Session::default()
            });
        }),
        ("another session id", |t| {
            t.session = Some(Session {
                id: Some("WFS-b".into()),
                strategy: Some(Strategy::New),
                ..Session::default()
            });
        }),
    ];
    insta::assert_snapshot!(added(Profile::Ccw, changes), @"
    seven files: WL0402 WL0427
    2,501 lines: WL0423 WL0428
    a cycle that counts: -
    a cycle that miscounts: WL0442 WL0443 WL0444
    a limit of rounds: -
    a large task for an agent: WL0442 WL0443 WL0444 WL0703
    a small task for a tool: WL0442 WL0443 WL0444 WL0703 WL0708 WL0710
    an open method: WL0703
    a session id: -
    another session id: -
    ");
}

#[test]
fn changes_under_the_homerun_profile() {
    let changes: &[(&str, Change)] = &[
        ("no test file", |t| {
            t.test = TestPlan::default();
        }),
        ("no criteria", |t| t.criteria.clear()),
        ("a criterion without assertion", |t| t.criteria[0].assertion = None),
        ("a known form without assertion", |t| {
            t.criteria[0] = Criterion { text: "API returns 201".into(), ..Criterion::default() }
        }),
        ("an unknown type", |t| t.task_type = Some("magic".into())),
        ("a divisible type", |t| t.task_type = Some("create_service".into())),
        ("two stories", |t| t.traces_to.stories = vec!["US-1".into(), "US-2".into()]),
        ("a service outside", |t| {
            t.title = "Call the webhook".into();
            t.files.create.push("src/more.py".into());
        }),
        ("a typo", |t| t.title = "Correct a typo in carts".into()),
        ("a part of a part", |t| t.parent = Some("a".into())),
    ];
    insta::assert_snapshot!(added(Profile::Homerun, changes), @"
    no test file: WL0305
    no criteria: WL0609
    a criterion without assertion: -
    a known form without assertion: WL0605
    an unknown type: WL0702
    a divisible type: WL0404
    two stories: WL0414
    a service outside: WL0408
    a typo: WL0413
    a part of a part: WL0116 WL0124 WL0410
    ");
}
