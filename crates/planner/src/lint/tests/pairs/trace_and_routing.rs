//! Criteria, traceability, models, methods and sessions.

use super::{RulePair, texts};
use windlass_core::plan::{Criterion, Method, Methodology, Plan, Session, Strategy, TestPlan, Tier};

/// The cart's criterion becomes this text, without an assertion.
fn says(plan: &mut Plan, text: &str) {
    plan.tasks[0].criteria = vec![Criterion { text: text.into(), ..Criterion::default() }];
}

/// The specification has this criterion.
fn specified(plan: &mut Plan, id: &str) {
    let assertion = Some("x".into());
    plan.criteria =
        vec![Criterion { id: id.into(), text: "carts have a sum".into(), assertion, tests: Vec::new() }];
}

fn session(id: &str) -> Session {
    Session { id: Some(id.into()), ..Session::default() }
}

/// The cart is for a command-line tool.
fn by_tool(plan: &mut Plan, agent: Option<&str>, resume: Option<bool>) {
    plan.tasks[0].method = Some(Method::Cli);
    plan.tasks[0].agent = agent.map(str::to_owned);
    plan.tasks[0].session = Some(Session { enable_resume: resume, ..Session::default() });
}

pub(super) const PAIRS: &[RulePair] = &[
    ("WL0601", "WNWNNN", |p| says(p, "The page is beautiful"), |p| says(p, "The page shows a beautiful cat")),
    ("WL0602", "WNWNNN", |p| says(p, "Login works as expected"), |p| says(p, "Login expects a password")),
    ("WL0602", "WNWNNN", |p| says(p, ""), |p| says(p, "x")),
    ("WL0603", "WNWNNN", |p| says(p, "Search is quick"), |p| says(p, "Search is quick: 200 ms")),
    (
        "WL0604",
        "WNWNNN",
        |p| says(p, "Refunds are supported"),
        |p| says(p, "Refunds are supported and the page then shows the sum"),
    ),
    // With an assertion any wording is testable.
    (
        "WL0604",
        "WNWNNN",
        |p| says(p, "Refunds are supported"),
        |p| {
            says(p, "Refunds are supported");
            p.tasks[0].criteria[0].assertion = Some("expect(refund()).toBe(1)".into());
        },
    ),
    ("WL0605", "--N---", |p| says(p, "The API returns 201"), |p| says(p, "The API is documented")),
    (
        "WL0606",
        "WWEWWW",
        |p| specified(p, "AC-9"),
        |p| {
            specified(p, "AC-9");
            p.tasks[0].traces_to.criteria = texts(["AC-9"]);
        },
    ),
    (
        "WL0607",
        "N-W---",
        |p| specified(p, "AC-1"),
        |p| {
            specified(p, "AC-1");
            p.tasks[0].traces_to.stories = texts(["US-1"]);
            p.tasks[1].traces_to.decisions = texts(["D-1"]);
        },
    ),
    (
        "WL0608",
        "WWWWWW",
        |p| {
            specified(p, "AC-1");
            p.tasks[0].traces_to.criteria = texts(["AC-1", "ac-1"]);
        },
        |p| {
            specified(p, "AC-1");
            p.tasks[0].traces_to.criteria = texts(["AC-1"]);
        },
    ),
    (
        "WL0609",
        "--W---",
        |p| p.tasks[0].criteria.clear(),
        |p| {
            p.tasks[0].criteria.clear();
            p.tasks[0].test = TestPlan { none: Some("config_static".into()), ..TestPlan::default() };
        },
    ),
    (
        "WL0701",
        "NNWNNN",
        |p| {
            p.tasks[0].task_type = Some("architectural".into());
            p.tasks[0].tier = Some(Tier::Medium);
        },
        |p| {
            p.tasks[0].task_type = Some("architectural".into());
            p.tasks[0].tier = Some(Tier::Large);
        },
    ),
    (
        "WL0702",
        "--W---",
        |p| p.tasks[0].task_type = Some("Add_Method".into()),
        |p| {
            p.tasks[0].task_type = Some("add_method".into());
        },
    ),
    (
        "WL0703",
        "---N--",
        |p| p.tasks[0].method = Some(Method::Hybrid),
        |p| {
            p.tasks[0].method = Some(Method::Agent);
        },
    ),
    (
        "WL0704",
        "---W--",
        |p| {
            p.session = Some("WFS-shop".into());
            p.tasks[0].session = Some(session("WFS-shop-a"));
            p.tasks[1].session = Some(session("WFS-cart-b"));
        },
        |p| {
            p.session = Some("WFS-shop".into());
            p.tasks[0].session = Some(session("WFS-shop-a"));
            p.tasks[1].session = Some(session("WFS-shop-b"));
        },
    ),
    // Without a session of the plan, any id that ends in the task's id is accepted.
    (
        "WL0704",
        "---W--",
        |p| p.tasks[0].session = Some(session("one-a")),
        |p| {
            p.tasks[0].session = Some(session("one-a"));
            p.tasks[1].session = Some(session("two-b"));
        },
    ),
    (
        "WL0705",
        "EEEEEE",
        |p| p.tasks.iter_mut().for_each(|t| t.session = Some(session("s-1"))),
        |p| {
            p.tasks[0].session = Some(session("s-1"));
            p.tasks[1].session = Some(session("S-1"));
        },
    ),
    // One dependency that no other task has is resumed.
    (
        "WL0706",
        "NNNWNN",
        |p| {
            p.tasks[1].depends_on = texts(["a"]);
            p.tasks[1].session = Some(Session { strategy: Some(Strategy::Fork), ..Session::default() });
        },
        |p| {
            p.tasks[1].depends_on = texts(["a"]);
            p.tasks[1].session = Some(Session { strategy: Some(Strategy::Resume), ..Session::default() });
        },
    ),
    (
        "WL0707",
        "NNNWNN",
        |p| p.tasks[1].session = Some(Session { from: texts(["a"]), ..Session::default() }),
        |p| {
            p.tasks[1].depends_on = texts(["a"]);
            p.tasks[1].session = Some(Session { from: texts(["a"]), ..Session::default() });
        },
    ),
    (
        "WL0708",
        "---W--",
        |p| by_tool(p, Some("codex"), Some(false)),
        |p| {
            by_tool(p, Some("codex"), Some(true));
        },
    ),
    (
        "WL0709",
        "NNWNNN",
        |p| p.tasks[0].methodology = Some(Methodology::Direct),
        |p| {
            p.tasks[0].methodology = Some(Methodology::Direct);
            p.tasks[0].files.create = texts(["cart.toml"]);
        },
    ),
    ("WL0710", "---N--", |p| by_tool(p, None, Some(true)), |p| by_tool(p, Some("codex"), Some(true))),
];
