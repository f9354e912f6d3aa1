//! Verification.

use super::super::conditions::script;
use super::{RulePair, texts};
use windlass_core::plan::{Action, HeldOut, Mode, Plan, Step, TestPlan, Verification};

/// A task without a test, for this reason.
fn untested(plan: &mut Plan, reason: &str) {
    plan.tasks[0].test = TestPlan { none: Some(reason.into()), ..TestPlan::default() };
}

fn timeout(plan: &mut Plan, seconds: u64) {
    let script = "pytest tests/test_cart.py".into();
    plan.tasks[0].verification = Some(Verification { script, timeout_seconds: Some(seconds) });
}

fn held_out(plan: &mut Plan, blake3: String) {
    plan.tasks[0].test.held_out = vec![HeldOut { path: "tests/held.py".into(), blake3 }];
}

fn listed(plan: &mut Plan, actions: &[Action]) {
    plan.tasks[0].steps = actions.iter().map(|action| Step::of(*action)).collect();
}

pub(super) const PAIRS: &[RulePair] = &[
    (
        "WL0316",
        "EEEEEE",
        |p| listed(p, &[Action::Implement, Action::WriteTest, Action::VerifyFail, Action::VerifyPass]),
        |p| listed(p, &[Action::WriteTest, Action::VerifyFail, Action::Implement, Action::VerifyPass]),
    ),
    // A step that verifies is proof enough.
    (
        "WL0301",
        "EEEEEE",
        |p| {
            p.tasks[0].test = TestPlan::default();
            p.tasks[0].verification = None;
            listed(p, &[Action::Implement, Action::VerifyPass]);
        },
        |p| {
            p.tasks[0].test = TestPlan::default();
            p.tasks[0].verification = None;
            listed(p, &[Action::Implement, Action::VerifyPass]);
            p.tasks[0].steps[1].run = Some("pytest tests/test_cart.py".into());
        },
    ),
    (
        "WL0301",
        "EEEEEE",
        |p| {
            p.tasks[0].test = TestPlan::default();
            p.tasks[0].verification = None;
        },
        |p| {
            p.tasks[0].test = TestPlan { command: Some("pytest".into()), ..TestPlan::default() };
            p.tasks[0].verification = None;
        },
    ),
    // A test among the files that are written is what the run takes; a helper of tests is none.
    (
        "WL0301",
        "EEEEEE",
        |p| {
            p.tasks[0].test = TestPlan::default();
            p.tasks[0].verification = None;
            p.tasks[0].files.create.push("tests/conftest.py".into());
        },
        |p| {
            p.tasks[0].test = TestPlan::default();
            p.tasks[0].verification = None;
            p.tasks[0].files.create.push("tests/test_cart.py".into());
        },
    ),
    // A script of spaces is none.
    (
        "WL0301",
        "EEEEEE",
        |p| {
            p.tasks[0].test = TestPlan::default();
            script(&mut p.tasks[0], " \n");
        },
        |p| {
            untested(p, "documentation_only");
            p.tasks[0].verification = None;
        },
    ),
    (
        "WL0302",
        "EEEEEE",
        |p| script(&mut p.tasks[0], "pytest tests/test_cart.py || true"),
        |p| {
            script(&mut p.tasks[0], "pytest tests/test_cart.py || exit 1");
        },
    ),
    (
        "WL0303",
        "EEEEEE",
        |p| script(&mut p.tasks[0], "pytest tests/test_cart.py | tee log"),
        |p| {
            script(&mut p.tasks[0], "pytest tests/test_cart.py > log");
        },
    ),
    ("WL0304", "EEEEEE", |p| untested(p, "no time"), |p| untested(p, "config_static")),
    ("WL0305", "--E---", |p| p.tasks[0].test = TestPlan::default(), |p| untested(p, "config_static")),
    (
        "WL0306",
        "WWWWWW",
        |p| p.tasks[0].test.file = Some("src/cart.rs".into()),
        |p| {
            p.tasks[0].test.file = Some("src/cart.rs".into());
            p.tasks[0].test.inline = true;
        },
    ),
    (
        "WL0307",
        "NNNNNN",
        |p| untested(p, "config_static"),
        |p| {
            untested(p, "config_static");
            p.tasks[0].mode = Some(Mode::None);
        },
    ),
    (
        "WL0308",
        "WWWWWW",
        |p| p.tasks[0].test.coverage = Some(80.0),
        |p| {
            p.tasks[0].test.coverage = Some(80.0);
            p.tasks[0].test.command = Some("pytest --cov=src tests/test_cart.py".into());
        },
    ),
    (
        "WL0309",
        "WWWWWW",
        |p| p.tasks[0].test.none = Some("dependency_update".into()),
        |p| {
            untested(p, "dependency_update");
        },
    ),
    // A test command is a test as well.
    (
        "WL0309",
        "WWWWWW",
        |p| {
            untested(p, "dependency_update");
            p.tasks[0].test.command = Some("pytest".into());
        },
        |p| {
            untested(p, "dependency_update");
            script(&mut p.tasks[0], "pytest");
        },
    ),
    (
        "WL0310",
        "WWWWWW",
        |p| untested(p, "documentation_only"),
        |p| {
            untested(p, "documentation_only");
            p.tasks[0].files.create = texts(["docs/cart.md"]);
        },
    ),
    // Settings in code are static configuration.
    (
        "WL0310",
        "WWWWWW",
        |p| untested(p, "config_static"),
        |p| {
            untested(p, "config_static");
            p.tasks[0].files.create = texts(["src/cart_settings.py"]);
        },
    ),
    (
        "WL0310",
        "WWWWWW",
        |p| {
            untested(p, "type_definitions_only");
            p.tasks[0].files.create = texts(["run.sh"]);
        },
        |p| {
            untested(p, "type_definitions_only");
            p.tasks[0].files.create = texts(["src/types.ts"]);
        },
    ),
    (
        "WL0311",
        "NNWNNW",
        |p| script(&mut p.tasks[0], "test -f src/cart.py && grep sum src/cart.py"),
        |p| {
            script(&mut p.tasks[0], "test -f src/cart.py && pytest tests/test_cart.py");
        },
    ),
    ("WL0312", "WWWWWW", |p| timeout(p, 1801), |p| timeout(p, 600)),
    ("WL0312", "WWWWWW", |p| timeout(p, 0), |p| timeout(p, 1)),
    // An attempt of zerg is shorter.
    ("WL0312", "-W----", |p| timeout(p, 601), |p| timeout(p, 600)),
    ("WL0313", "EEEEEE", |p| held_out(p, "0".repeat(63)), |p| held_out(p, "aF".repeat(32))),
    ("WL0313", "EEEEEE", |p| held_out(p, "g".repeat(64)), |p| held_out(p, "9".repeat(64))),
    (
        "WL0314",
        "WWWWWW",
        |p| script(&mut p.tasks[0], "serve & pytest tests/test_cart.py"),
        |p| {
            script(&mut p.tasks[0], "serve 2>&1 && pytest tests/test_cart.py");
        },
    ),
    ("WL0315", "EEEEEE", |p| p.tasks[0].mode = Some(Mode::Gate), |p| p.tasks[0].mode = Some(Mode::Tdd)),
    (
        "WL0315",
        "EEEEEE",
        |p| {
            p.tasks[0].files.create.clear();
            p.tasks[0].test = TestPlan::default();
            p.tasks[0].mode = Some(Mode::Tdd);
        },
        |p| {
            p.tasks[0].files.create.clear();
            p.tasks[0].test = TestPlan::default();
            p.tasks[0].mode = Some(Mode::Gate);
        },
    ),
    (
        "WL0315",
        "EEEEEE",
        |p| p.tasks[0].mode = Some(Mode::None),
        |p| {
            untested(p, "config_static");
            p.tasks[0].mode = Some(Mode::None);
        },
    ),
];
