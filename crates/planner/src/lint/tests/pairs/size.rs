//! Size of tasks, in files, lines, tokens and cycles.

use super::{RulePair, many, texts};
use windlass_core::plan::{Action, CodeBlock, Complexity, Plan, Step, TddCycle, Tier};

/// The cart with this number of criteria.
fn criteria(plan: &mut Plan, count: usize) {
    let one = plan.tasks[0].criteria[0].clone();
    plan.tasks[0].criteria = vec![one; count];
}

/// The cart with this number of files besides its test.
fn sources(plan: &mut Plan, count: usize) {
    plan.tasks[0].files.create = (0..count).map(|n| format!("src/f{n}.py")).collect();
}

fn lines(plan: &mut Plan, path: &str, count: u32) {
    plan.tasks[0].lines.insert(path.into(), count);
}

fn steps(plan: &mut Plan, actions: &[Action]) {
    for task in &mut plan.tasks {
        task.steps = actions.iter().map(|action| Step::of(*action)).collect();
    }
}

/// A contract with this number of functions.
fn functions(plan: &mut Plan, count: usize) {
    let code: String = (0..count).map(|n| format!("export function f{n}(): void;\n")).collect();
    let path = Some("src/cart.ts".into());
    plan.tasks[0].contract = vec![CodeBlock { path, code, ..CodeBlock::default() }];
}

fn cycle(plan: &mut Plan, count: u32, scope: &str, coverage: &str) {
    let cycle = TddCycle {
        test_count: Some(count),
        test_cases: texts(["an empty cart is 0"]),
        implementation_scope: Some(scope.into()),
        expected_coverage: Some(coverage.into()),
        ..TddCycle::default()
    };
    plan.tasks.iter_mut().for_each(|task| task.tdd_cycles = vec![cycle.clone()]);
}

/// The order becomes a part of the cart.
fn part(plan: &mut Plan) {
    plan.tasks[1].parent = Some("a".into());
}

pub(super) const PAIRS: &[RulePair] = &[
    ("WL0401", "NNENNN", |p| criteria(p, 4), |p| criteria(p, 3)),
    // A part may have more; WL0411 is about parts.
    (
        "WL0401",
        "NNENNN",
        |p| criteria(p, 5),
        |p| {
            criteria(p, 5);
            p.tasks[0].parent = Some("b".into());
        },
    ),
    ("WL0402", "NNENNW", |p| sources(p, 5), |p| sources(p, 4)),
    (
        "WL0403",
        "NNENNW",
        |p| p.tasks[0].files.create = texts(["src/models/cart.py", "src/api/cart.py"]),
        |p| {
            p.tasks[0].files.create = texts(["src/models/cart.py", "src/schemas/cart.py"]);
        },
    ),
    (
        "WL0404",
        "--W---",
        |p| p.tasks[0].task_type = Some("create_service".into()),
        |p| {
            p.tasks[0].task_type = Some("add_method".into());
        },
    ),
    (
        "WL0405",
        "NNWNNW",
        |p| p.tasks[0].title = "Add carts AND orders".into(),
        |p| {
            p.tasks[0].title = "Add a brand to the standard cart".into();
        },
    ),
    (
        "WL0406",
        "NNWNNN",
        |p| p.tasks[0].files.create.push("tests/test_more.py".into()),
        |p| {
            // The test file of the plan, listed once more, is one file.
            p.tasks[0].files.create.push("tests/test_cart.py".into());
        },
    ),
    (
        "WL0407",
        "NNWNNN",
        |p| p.tasks[0].files.create.push("ci/Dockerfile".into()),
        |p| {
            p.tasks[0].files.create.push("src/Dockerfile.py".into());
        },
    ),
    (
        "WL0408",
        "--N---",
        |p| {
            p.tasks[0].title = "Call Stripe from carts".into();
            sources(p, 2);
        },
        |p| p.tasks[0].title = "Call Stripe from carts".into(),
    ),
    (
        "WL0409",
        "NNWNNN",
        |p| {
            many(p, 10);
            p.tasks[1..6].iter_mut().for_each(|t| t.depends_on = texts(["t0"]));
        },
        |p| {
            many(p, 11);
            p.tasks[1..6].iter_mut().for_each(|t| t.depends_on = texts(["t0"]));
        },
    ),
    ("WL0410", "--W---", part, |p| {
        part(p);
        criteria(p, 2);
    }),
    (
        "WL0411",
        "--N---",
        |p| {
            part(p);
            let again = p.tasks[1].criteria[0].clone();
            p.tasks[1].criteria.push(again);
        },
        part,
    ),
    (
        "WL0411",
        "--N---",
        |p| {
            part(p);
            p.tasks[1].tier = Some(Tier::Medium);
        },
        |p| {
            part(p);
            p.tasks[1].tier = Some(Tier::Small);
        },
    ),
    (
        "WL0412",
        "NWWNNN",
        |p| p.tasks[0].estimate_minutes = Some(120.5),
        |p| {
            p.tasks[0].estimate_minutes = Some(60.0);
        },
    ),
    (
        "WL0413",
        "--N---",
        |p| p.tasks[0].title = "Correct a typo in carts".into(),
        |p| {
            p.tasks[0].title = "Correct the typography of carts".into();
        },
    ),
    (
        "WL0414",
        "--W---",
        |p| p.tasks[0].traces_to.stories = texts(["US-1", "US-2"]),
        |p| {
            p.tasks[0].traces_to.stories = texts(["US-1"]);
        },
    ),
    (
        "WL0420",
        "-----W",
        |p| {
            p.tasks[0].complexity = Some(Complexity::Trivial);
            lines(p, "src/cart.py", 16);
        },
        |p| {
            p.tasks[0].complexity = Some(Complexity::Trivial);
            lines(p, "src/cart.py", 15);
        },
    ),
    (
        "WL0420",
        "-----W",
        |p| {
            p.tasks[0].complexity = Some(Complexity::Medium);
            lines(p, "src/cart.py", 51);
        },
        |p| {
            p.tasks[0].complexity = Some(Complexity::Medium);
            lines(p, "src/cart.py", 50);
            lines(p, "tests/test_cart.py", 150);
        },
    ),
    ("WL0421", "-----E", |p| lines(p, "src/cart.py", 66), |p| lines(p, "src/cart.py", 65)),
    // The tests count a token as four bytes.
    (
        "WL0421",
        "-----E",
        |p| p.tasks[0].description = "word".repeat(2001),
        |p| {
            p.tasks[0].description = "word".repeat(1900);
        },
    ),
    (
        "WL0422",
        "-----W",
        |p| {
            p.tasks[0].complexity = Some(Complexity::Trivial);
            p.tasks[0].description = "word".repeat(501);
        },
        |p| {
            p.tasks[0].complexity = Some(Complexity::Trivial);
            p.tasks[0].description = "word".repeat(450);
        },
    ),
    ("WL0423", "NNNNNW", |p| lines(p, "src/cart.py", 151), |p| lines(p, "src/cart.py", 150)),
    ("WL0423", "NNNNNW", |p| lines(p, "db/migrations/1.sql", 101), |p| lines(p, "db/migrations/1.sql", 100)),
    (
        "WL0424",
        "-----W",
        |p| p.tasks[0].files.read = texts(["a", "b", "c"]),
        |p| {
            p.tasks[0].files.read = texts(["a", "b"]);
        },
    ),
    (
        "WL0425",
        "-----W",
        |p| steps(p, &[Action::Implement; 4]),
        |p| {
            // Steps that verify are no work.
            steps(p, &[Action::Implement, Action::Implement, Action::VerifyPass, Action::Refactor]);
        },
    ),
    ("WL0426", "-----W", |p| functions(p, 4), |p| functions(p, 3)),
    ("WL0427", "---W--", |p| sources(p, 6), |p| sources(p, 5)),
    (
        "WL0428",
        "---W--",
        |p| {
            lines(p, "src/cart.py", 2400);
            lines(p, "src/line.py", 101);
        },
        |p| {
            lines(p, "src/cart.py", 2400);
            lines(p, "src/line.py", 100);
        },
    ),
    (
        "WL0429",
        "---W--",
        |p| p.tasks[0].files.create.push("src/cart.go".into()),
        |p| {
            p.tasks[0].files.create.push("src/cart.sh".into());
        },
    ),
    (
        "WL0430",
        "EEEEEE",
        |p| {
            p.tasks[0].tier = Some(Tier::Small);
            p.tasks[0].objective = "word".repeat(500);
        },
        |p| {
            p.tasks[0].tier = Some(Tier::Large);
            p.tasks[0].objective = "word".repeat(500);
        },
    ),
    (
        "WL0431",
        "-----W",
        |p| {
            p.tasks[1].lines.insert("src/order.py".into(), 20);
        },
        |p| {
            p.tasks[0].lines.insert("src/cart.py".into(), 20);
            p.tasks[1].lines.insert("src/order.py".into(), 20);
        },
    ),
    (
        "WL0440",
        "---W--",
        |p| steps(p, &[Action::WriteTest, Action::Implement]),
        |p| {
            steps(p, &[Action::WriteTest, Action::Implement, Action::Refactor]);
        },
    ),
    ("WL0441", "---W--", |_| {}, |p| cycle(p, 1, "1 function", "90%")),
    ("WL0442", "WWWEWW", |p| cycle(p, 2, "1 function", "90%"), |p| cycle(p, 1, "1 function", "90%")),
    ("WL0443", "---W--", |p| cycle(p, 1, "1 function", "90"), |p| cycle(p, 1, "1 function", ">=90%")),
    ("WL0444", "---W--", |p| cycle(p, 1, "a function", "90%"), |p| cycle(p, 1, "40 lines", "90%")),
    (
        "WL0445",
        "---W--",
        |p| p.tasks[0].max_iterations = Some(3),
        |p| {
            p.tasks.iter_mut().for_each(|task| task.max_iterations = Some(3));
        },
    ),
    (
        "WL0446",
        "---W--",
        |p| p.tasks[1].focus_paths = texts(["src"]),
        |p| p.tasks.iter_mut().for_each(|t| t.focus_paths = texts(["src"])),
    ),
    (
        "WL0447",
        "---W--",
        |p| p.tasks[0].steps = vec![Step { title: Some("tidy".into()), ..Step::of(Action::Refactor) }],
        |p| p.tasks[0].steps = vec![Step { title: Some("2 renames".into()), ..Step::of(Action::Refactor) }],
    ),
    (
        "WL0448",
        "---W--",
        |p| p.tasks[0].steps = vec![titled(Action::WriteTest, "Write 3 test cases: [adds, f(a, b)]")],
        |p| p.tasks[0].steps = vec![titled(Action::WriteTest, "Write 2 test cases: [adds, f(a, b)]")],
    ),
    (
        "WL0449",
        "---W--",
        |p| p.tasks[0].steps = vec![titled(Action::Implement, "make it work")],
        |p| {
            p.tasks[0].steps =
                vec![titled(Action::Implement, "Implement 1 function in a.py lines 1-9: [f() 1-9]")];
        },
    ),
    (
        "WL0450",
        "---W--",
        |p| {
            p.tasks[0].extra.insert("meta".into(), serde_json::json!({}));
        },
        |p| {
            p.tasks[0].extra.insert("meta".into(), serde_json::json!({ "tdd_workflow": true }));
        },
    ),
    (
        "WL0451",
        "---W--",
        |p| p.tasks[1].pre_analysis = vec![serde_json::json!({ "step": "look" })],
        |p| p.tasks.iter_mut().for_each(|t| t.pre_analysis = vec![serde_json::json!({ "step": "look" })]),
    ),
];

fn titled(action: Action, title: &str) -> Step {
    Step { title: Some(title.into()), ..Step::of(action) }
}
