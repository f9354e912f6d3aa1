//! Wording, contracts, interfaces and check lists.

use super::{RulePair, texts};
use windlass_core::plan::{CodeBlock, Interface, Plan, Section};

fn block(path: Option<&str>, code: &str) -> CodeBlock {
    CodeBlock { path: path.map(str::to_owned), code: code.into(), ..CodeBlock::default() }
}

/// The cart with this contract.
fn contract(plan: &mut Plan, code: &str) {
    plan.tasks[0].contract = vec![block(Some("src/cart.ts"), code)];
}

/// The cart with a contract that exports `total`, and this test.
fn test_of_total(plan: &mut Plan, code: &str) {
    contract(plan, "export function total(): number;");
    plan.tasks[0].test_code = vec![block(Some("src/cart.test.ts"), code)];
}

/// The order uses this interface of the cart, and depends on it.
fn interface(plan: &mut Plan, source: Option<&str>, code: &str) {
    let (source, language) = (source.map(str::to_owned), Some("ts".to_owned()));
    plan.tasks[1].depends_on = texts(["a"]);
    plan.tasks[1].interfaces =
        vec![Interface { source, language, code: code.into(), ..Interface::default() }];
}

pub(super) const PAIRS: &[RulePair] = &[
    (
        "WL0501",
        "NNWWNW",
        |p| p.tasks[0].title = "Fix some bugs".into(),
        |p| {
            p.tasks[0].title = "Fix some rounding bugs".into();
        },
    ),
    ("WL0501", "NNWWNW", |p| p.tasks[0].title = "Step #12".into(), |p| p.tasks[0].title = "Step 12b".into()),
    (
        "WL0502",
        "NNNNNW",
        |p| p.tasks[0].notes = "Please FOLLOW  existing\npattern.".into(),
        |p| {
            p.tasks[0].notes = "Follow the existing layout.".into();
        },
    ),
    (
        "WL0503",
        "NNNNNW",
        |p| p.tasks[0].objective = "Retry as needed".into(),
        |p| {
            p.tasks[0].objective = "Retry as it is needed".into();
        },
    ),
    (
        "WL0504",
        "NNNNNW",
        |p| p.tasks[0].description = "Sum lines, taxes, etc.".into(),
        |p| {
            p.tasks[0].description = "Sum lines, taxes, discounts.".into();
        },
    ),
    (
        "WL0505",
        "NNNNNW",
        |p| {
            p.tasks[0].changes.insert("src/cart.py".into(), "like we did for orders".into());
        },
        |p| {
            p.tasks[0].changes.insert("src/cart.py".into(), "like orders: sum the lines".into());
        },
    ),
    (
        "WL0523",
        "EEEEEE",
        |p| p.tasks[0].objective = "Log in by [Needs clarification: mail or name?]".into(),
        |p| p.tasks[0].objective = "Log in by [mail]; what needs clarification is answered".into(),
    ),
    (
        "WL0506",
        "-----W",
        |p| p.tasks[0].files.create = texts(["a.py", "b.py", "c.py"]),
        |p| {
            p.tasks[0].files.create = texts(["a.py", "b.py", "tests/test_c.py"]);
        },
    ),
    (
        "WL0507",
        "WWWWWE",
        |p| test_of_total(p, concat!("it('adds', () => {\n  // TO", "DO\n})")),
        |p| {
            test_of_total(p, "it('lists TODOS', () => {\n  total(...lines)\n})");
        },
    ),
    (
        "WL0508",
        "-----W",
        |p| contract(p, "export function total(): number;"),
        |p| {
            p.tasks.iter_mut().for_each(|t| t.contract = vec![block(Some("src/a.py"), "def total(): ...")]);
        },
    ),
    (
        "WL0509",
        "-----W",
        |p| p.tasks[0].contract = vec![block(None, "export function total(): number;")],
        |p| contract(p, "export function total(): number;"),
    ),
    (
        "WL0510",
        "-----W",
        |p| p.tasks[0].sections = vec![Section { heading: "Contract".into(), body: "It sums.".into() }],
        |p| p.tasks[0].sections = vec![Section { heading: "Contracts".into(), body: "It sums.".into() }],
    ),
    (
        "WL0511",
        "-----W",
        |p| contract(p, "export function total(): number {\n  return 0;\n}"),
        |p| contract(p, "export function total(): number;\n// return 0 for an empty cart"),
    ),
    (
        "WL0512",
        "WWWWWE",
        |p| {
            interface(p, Some("a"), "total(): number");
            p.tasks[1].depends_on.clear();
        },
        |p| interface(p, Some("a"), "total(): number"),
    ),
    (
        "WL0513",
        "-----W",
        |p| interface(p, None, "total(): number"),
        |p| interface(p, Some("a"), "total(): number"),
    ),
    (
        "WL0514",
        "WWWWWE",
        |p| {
            contract(p, "export function total(lines: Line[]): number;");
            interface(p, Some("a"), "export function total(lines: string[]): number;");
        },
        |p| {
            // Spaces, visibility and the final mark do not count.
            contract(p, "export function total(lines: Line[]): number;");
            interface(p, Some("a"), "export async function total( lines : Line[] ) : number");
        },
    ),
    (
        "WL0515",
        "-----W",
        |p| interface(p, Some("a"), &"// a line\n".repeat(31)),
        |p| interface(p, Some("a"), &"// a line\n".repeat(30)),
    ),
    (
        "WL0516",
        "NNNNNW",
        |p| test_of_total(p, "it('sums', () => { expect(totals()).toThrow() })"),
        |p| test_of_total(p, "it('sums', () => { expect(total()).toThrow() })"),
    ),
    (
        "WL0517",
        "NNNNNW",
        |p| test_of_total(p, "it('sums', () => { expect(total()).toBe(3) })"),
        |p| test_of_total(p, "it('sums', () => { expect(total(undefined)).toBe(0) })"),
    ),
    (
        "WL0518",
        "NNNNNW",
        |p| p.tasks[0].done_when = texts(["The code looks good"]),
        |p| {
            p.tasks[0].done_when = texts(["the cleaner runs"]);
        },
    ),
    (
        "WL0519",
        "WWWWWE",
        |p| {
            test_of_total(p, "it('fails', () => { total() })");
            p.tasks[0].done_when = texts(["both unit tests pass"]);
        },
        |p| {
            test_of_total(p, "it('fails', () => { total() })");
            p.tasks[0].done_when = texts(["the one test passes"]);
        },
    ),
    (
        "WL0520",
        "-----W",
        |p| p.tasks[0].done_when = texts(["the test passes"]),
        |p| {
            p.tasks.iter_mut().for_each(|t| t.done_when = texts(["the test passes"]));
        },
    ),
    (
        "WL0521",
        "-----W",
        |p| p.tasks[1].contract = vec![block(Some("src/order.py"), "def total() -> int: ...")],
        |p| {
            p.tasks[0].contract = vec![block(Some("src/cart.py"), "def total() -> int: ...")];
            p.tasks[1].contract = vec![block(Some("src/order.py"), "def total() -> int: ...")];
        },
    ),
    (
        "WL0522",
        "-----W",
        |p| p.tasks[0].contract = vec![block(Some("src/order.py"), "def total() -> int: ...")],
        |p| p.tasks[0].contract = vec![block(Some("src/cart.py"), "def total() -> int: ...")],
    ),
];
