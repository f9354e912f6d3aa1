//! Names, order, hierarchy and files.

use super::super::conditions::script;
use super::{RulePair, many, texts};
use windlass_core::plan::{Complexity, Files, Task, TestPlan};

pub(super) const PAIRS: &[RulePair] = &[
    ("WL0101", "EEEEEE", |p| p.tasks[1].id = "A".into(), |p| p.tasks[1].id = "Aa".into()),
    ("WL0102", "WWWWWW", |p| p.tasks[0].title = " \t".into(), |p| p.tasks[0].title = "x".into()),
    (
        "WL0104",
        "NNNNNN",
        |p| p.tasks[1].depends_on = texts(["a", "a"]),
        |p| {
            p.tasks[1].depends_on = texts(["a"]);
        },
    ),
    // The same unknown id twice is a repetition as well.
    (
        "WL0104",
        "NNNNNN",
        |p| p.tasks[1].depends_on = texts(["x", "a", "x"]),
        |p| {
            p.tasks[1].depends_on = texts(["x", "a", "y"]);
        },
    ),
    (
        "WL0105",
        "NWNNNN",
        |p| {
            p.tasks[0].level = Some(2);
            p.tasks[1].level = Some(2);
            p.tasks[1].depends_on = texts(["a"]);
        },
        |p| {
            p.tasks[0].level = Some(1);
            p.tasks[1].level = Some(2);
            p.tasks[1].depends_on = texts(["a"]);
        },
    ),
    (
        "WL0106",
        "--W---",
        |p| {
            p.tasks[0].id = "002".into();
            p.tasks[1].id = "001".into();
            p.tasks[1].depends_on = texts(["002"]);
        },
        |p| {
            p.tasks[0].id = "001".into();
            p.tasks[1].id = "002".into();
            p.tasks[1].depends_on = texts(["001"]);
        },
    ),
    (
        "WL0107",
        "NNNNNW",
        |p| {
            p.tasks[0].layer = Some(2);
            p.tasks[1].layer = Some(1);
            p.tasks[1].depends_on = texts(["a"]);
        },
        |p| {
            p.tasks[0].layer = Some(2);
            p.tasks[1].layer = Some(2);
            p.tasks[1].depends_on = texts(["a"]);
        },
    ),
    (
        "WL0108",
        "NNNNNW",
        |p| {
            many(p, 3);
            p.tasks[1].depends_on = texts(["t0"]);
            p.tasks[2].depends_on = texts(["t0", "t1"]);
        },
        |p| {
            many(p, 3);
            p.tasks[1].depends_on = texts(["t0"]);
            p.tasks[2].depends_on = texts(["t1"]);
        },
    ),
    // U+202E reverses the text behind it; a tab and letters of any script are visible.
    (
        "WL0109",
        "EEEEEE",
        |p| p.tasks[0].title = "Add \u{202e}sum".into(),
        |p| {
            p.tasks[0].title = "Add\tthe sum of cafés".into();
        },
    ),
    ("WL0110", "EEEEEE", |p| p.name = "../p".into(), |p| p.name = "shop-2".into()),
    (
        "WL0111",
        "EEEEEE",
        |p| p.branch = Some("shop/.cart".into()),
        |p| {
            p.branch = Some("shop/cart.v2".into());
        },
    ),
    (
        "WL0112",
        "WWWWWW",
        |p| {
            p.phases = texts(["first"]);
            p.tasks[0].phase = Some("second".into());
        },
        |p| {
            p.phases = texts(["first"]);
            p.tasks[0].phase = Some("first".into());
        },
    ),
    // A plan that lists no phases accepts any.
    (
        "WL0112",
        "WWWWWW",
        |p| {
            p.phases = texts(["First"]);
            p.tasks[0].phase = Some("first".into());
        },
        |p| p.tasks[0].phase = Some("first".into()),
    ),
    ("WL0113", "---W--", |p| many(p, 19), |p| many(p, 18)),
    ("WL0114", "---NW-", |p| many(p, 16), |p| many(p, 5)),
    (
        "WL0115",
        "----W-",
        |p| {
            many(p, 11);
            p.tasks[1..].iter_mut().for_each(|t| t.parent = Some("t0".into()));
        },
        |p| {
            many(p, 10);
            p.tasks[1..].iter_mut().for_each(|t| t.parent = Some("t0".into()));
        },
    ),
    (
        "WL0116",
        "--WW--",
        |p| {
            many(p, 3);
            p.tasks[1].parent = Some("t0".into());
            p.tasks[2].parent = Some("t1".into());
        },
        |p| {
            many(p, 3);
            p.tasks[1].parent = Some("t0".into());
            p.tasks[2].parent = Some("t0".into());
        },
    ),
    (
        "WL0117",
        "WWWWWW",
        |p| {
            let empty = (Files::default(), TestPlan::default());
            p.tasks[0].sub_plan = Some("cart".into());
            (p.tasks[0].files, p.tasks[0].test) = empty;
        },
        |p| {
            let empty = (Files::default(), TestPlan::default());
            p.tasks[0].sub_plan = Some("cart".into());
            (p.tasks[0].files, p.tasks[0].test) = empty;
            p.tasks[1].parent = Some("a".into());
        },
    ),
    (
        "WL0118",
        "----W-",
        |p| {
            many(p, 12);
            p.tasks[1].parent = Some("t0".into());
        },
        |p| {
            many(p, 11);
            p.tasks[1].parent = Some("t0".into());
        },
    ),
    (
        "WL0124",
        "--W---",
        |p| {
            p.tasks[0].id = "002".into();
            p.tasks[1].id = "009a".into();
            p.tasks[1].parent = Some("002".into());
        },
        |p| {
            p.tasks[0].id = "002".into();
            p.tasks[1].id = "002b".into();
            p.tasks[1].parent = Some("002".into());
        },
    ),
    (
        "WL0119",
        "-W-N-N",
        |p| p.tasks.iter_mut().for_each(|t| t.level = Some(11)),
        |p| {
            let complete = |t: &mut Task| {
                t.level = Some(10);
                t.description = "Sums lines.".into();
                t.done_when = texts(["the test passes"]);
                t.layer = Some(0);
                t.track = Some("backend".into());
                t.complexity = Some(Complexity::Simple);
            };
            p.tasks.iter_mut().for_each(complete);
        },
    ),
    (
        "WL0201",
        "EEEEEE",
        |p| p.tasks[0].files.read = texts(["src/../../x.py"]),
        |p| {
            p.tasks[0].files.read = texts(["src/..x.py"]);
        },
    ),
    // A name of 256 bytes fits into no file system; 255 bytes do.
    (
        "WL0201",
        "EEEEEE",
        |p| p.tasks[0].files.read = vec!["é".repeat(128)],
        |p| {
            p.tasks[0].files.read = vec!["é".repeat(127)];
        },
    ),
    (
        "WL0202",
        "EEEEEE",
        |p| {
            script(&mut p.tasks[0], "pytest tests/test_cart.py src/order.py");
            p.tasks[1].depends_on = texts(["a"]);
        },
        |p| {
            script(&mut p.tasks[0], "pytest tests/test_cart.py src/order.py");
            p.tasks[0].depends_on = texts(["b"]);
        },
    ),
    (
        "WL0203",
        "EEEEEE",
        |p| script(&mut p.tasks[0], "pytest tests/test_cart.py src/order.py"),
        |p| {
            script(&mut p.tasks[0], "pytest tests/test_cart.py src/order.py");
            p.tasks[0].files.read = texts(["src/order.py"]);
        },
    ),
    (
        "WL0204",
        "WWWWWE",
        |p| script(&mut p.tasks[0], "pytest tests/test_carts.py"),
        |p| {
            // The file as seen from a folder below.
            script(&mut p.tasks[0], "pytest test_cart.py");
        },
    ),
    (
        "WL0205",
        "WWWWWW",
        |p| p.tasks[0].files.delete = texts(["src/cart.py"]),
        |p| {
            p.tasks[0].files.delete = texts(["src/carts.py"]);
        },
    ),
    (
        "WL0206",
        "WWWWWW",
        |p| p.tasks[1].files.create = texts(["src/cart.py"]),
        |p| {
            p.tasks[1].files = Files { modify: texts(["src/cart.py"]), ..Files::default() };
        },
    ),
    (
        "WL0207",
        "EEEEEE",
        |p| p.tasks[0].files.modify = texts(["plans/shop/cart.md"]),
        |p| {
            p.tasks[0].files.read = texts(["plans/shop/cart.md"]);
        },
    ),
    (
        "WL0208",
        "WWWWWW",
        |p| {
            script(&mut p.tasks[0], "pytest tests/test_cart.py src/order.py");
            p.tasks[0].level = Some(2);
            p.tasks[1].level = Some(1);
        },
        |p| {
            script(&mut p.tasks[0], "pytest tests/test_cart.py src/order.py");
            p.tasks[0].level = Some(2);
            p.tasks[1].level = Some(1);
            p.tasks[0].depends_on = texts(["b"]);
        },
    ),
    (
        "WL0209",
        "NNNNNW",
        |p| {
            p.tasks[0].task_type = Some("create_service".into());
            p.tasks[0].files = Files::default();
            p.tasks[0].test = TestPlan::default();
        },
        |p| {
            p.tasks[0].task_type = Some("integration_test".into());
            p.tasks[0].files = Files::default();
            p.tasks[0].test = TestPlan::default();
        },
    ),
    (
        "WL0210",
        "-----W",
        |p| p.tasks[0].files.create = texts(["src/existing.py"]),
        |p| {
            p.tasks[0].files.create.clear();
            p.tasks[0].files.modify = texts(["src/existing.py"]);
        },
    ),
    (
        "WL0211",
        "-----W",
        |p| p.tasks[0].files.modify = texts(["src/new.py"]),
        |p| {
            p.tasks[0].files.modify = texts(["src/new.py"]);
            p.tasks[1].files.create.push("src/new.py".into());
        },
    ),
];
