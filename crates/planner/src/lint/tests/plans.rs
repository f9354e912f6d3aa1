//! Rules about several tasks and the plan as a whole.

use std::fmt::Write as _;

use super::super::{Profile, check};
use super::conditions::{codes, fine, script};
use super::context;
use windlass_core::plan::{Plan, Session, Strategy, Task};

#[test]
fn id_patterns_and_branches() {
    let ids = [
        "a",
        "001",
        "001a",
        "001ab",
        "IMPL-1",
        "IMPL-1.2",
        "IMPL-1.2.3",
        "TASK-001",
        "TASK-001b",
        "ABC-L1-001",
        "ABC-1-001",
        "abc-L1-001",
    ];
    let mut out = String::new();
    for profile in Profile::ALL {
        let fits = |id: &&str| !codes(vec![Task { id: (*id).into(), ..fine() }], profile).contains("WL0103");
        let fitting: Vec<&str> = ids.iter().filter(|id| fits(id)).copied().collect();
        let _ = writeln!(out, "{profile}: {}", fitting.join(" "));
    }
    insta::assert_snapshot!(out, @r"
    default: a 001 001a 001ab IMPL-1 IMPL-1.2 IMPL-1.2.3 TASK-001 TASK-001b ABC-L1-001 ABC-1-001 abc-L1-001
    zerg: ABC-L1-001
    homerun: 001 001a
    ccw: IMPL-1 IMPL-1.2
    superplanner: a 001 001a 001ab IMPL-1 IMPL-1.2 IMPL-1.2.3 TASK-001 TASK-001b ABC-L1-001 ABC-1-001 abc-L1-001
    contract: TASK-001 TASK-001b
    ");
    let branch = |name: &str| {
        let plan =
            Plan { name: "p".into(), branch: Some(name.into()), tasks: vec![fine()], ..Plan::default() };
        check(&plan, &context(Profile::Default)).iter().any(|d| d.code == "WL0111")
    };
    for name in ["a b", "a..b", "-a", "a.", "a.lock", "@", "a@{b", "a//b", ".a", "a~b"] {
        assert!(branch(name), "{name}");
    }
    for name in ["main", "feature/x", "a.b", "a@b"] {
        assert!(!branch(name), "{name}");
    }
}

/// Two tasks: order, ids and files.
#[test]
fn pairs_of_tasks() {
    let pair = |change: fn(&mut Task, &mut Task)| {
        let (mut a, mut b) = (fine(), Task { id: "b".into(), ..fine() });
        b.files.create = vec!["src/order.py".into()];
        b.test.file = Some("tests/test_order.py".into());
        script(&mut b, "pytest tests/test_order.py");
        change(&mut a, &mut b);
        codes(vec![a, b], Profile::Default).into_iter().collect::<Vec<_>>().join(" ")
    };
    type Change = fn(&mut Task, &mut Task);
    let table: &[(&str, Change)] = &[
        ("apart", |_, _| {}),
        ("a dependency", |_, b| b.depends_on = vec!["a".into()]),
        ("a dependency twice", |_, b| b.depends_on = vec!["a".into(), "a".into()]),
        ("of the same level", |a, b| {
            a.level = Some(1);
            b.level = Some(1);
            b.depends_on = vec!["a".into()];
        }),
        ("of a higher layer", |a, b| {
            a.layer = Some(2);
            b.layer = Some(1);
            b.depends_on = vec!["a".into()];
        }),
        ("ids that differ in case", |_, b| b.id = "A".into()),
        ("one file created by both", |_, b| b.files.create = vec!["src/cart.py".into()]),
        ("verified with a later file", |a, b| {
            script(a, "pytest tests/test_cart.py tests/test_order.py");
            b.depends_on = vec!["a".into()];
        }),
        ("verified with an unrelated file", |a, _| {
            script(a, "pytest tests/test_cart.py tests/test_order.py");
        }),
        ("verified with a file of a lower level", |a, b| {
            a.level = Some(2);
            b.level = Some(1);
            script(a, "pytest tests/test_cart.py tests/test_order.py");
        }),
        ("verified with a file of a dependency", |a, b| {
            script(b, "pytest tests/test_order.py tests/test_cart.py");
            b.depends_on = vec!["a".into()];
            let _ = a;
        }),
        ("one session of both", |a, b| {
            for t in [a, b] {
                t.session = Some(Session {
                    id: Some("s".into()),
                    strategy: Some(Strategy::New),
                    ..Session::default()
                });
            }
        }),
        ("a divided task with one criterion", |a, b| {
            b.parent = Some("a".into());
            a.task_type = Some("add_method".into());
        }),
    ];
    let mut out = String::new();
    for (name, change) in table {
        let _ = writeln!(out, "{name}: {}", pair(*change));
    }
    insta::assert_snapshot!(out, @r"
    apart: 
    a dependency: 
    a dependency twice: WL0104
    of the same level: WL0105
    of a higher layer: WL0107
    ids that differ in case: WL0101
    one file created by both: WL0206
    verified with a later file: WL0202
    verified with an unrelated file: WL0203
    verified with a file of a lower level: WL0208
    verified with a file of a dependency: 
    one session of both: WL0705
    a divided task with one criterion:
    ");
}

/// Plans of many tasks.
#[test]
fn sizes_of_plans() {
    let many = |count: usize, profile: Profile, change: fn(&mut Task, usize)| {
        let tasks = (0..count).map(|n| {
            let mut task = Task { id: format!("t{n}"), ..fine() };
            task.files.create = vec![format!("src/f{n}.py")];
            task.test.file = Some(format!("tests/test_f{n}.py"));
            script(&mut task, &format!("pytest tests/test_f{n}.py"));
            change(&mut task, n);
            task
        });
        let found = codes(tasks.collect(), profile);
        found
            .into_iter()
            .filter(|c| matches!(*c, "WL0113" | "WL0114" | "WL0115" | "WL0118" | "WL0409"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(many(18, Profile::Ccw, |_, _| {}), "WL0114");
    assert_eq!(many(19, Profile::Ccw, |_, _| {}), "WL0113 WL0114");
    assert_eq!(many(15, Profile::Superplanner, |_, _| {}), "");
    assert_eq!(many(16, Profile::Superplanner, |_, _| {}), "WL0114");
    assert_eq!(
        many(12, Profile::Superplanner, |t, n| if n > 0 {
            t.parent = Some("t0".into());
        }),
        "WL0115"
    );
    assert_eq!(
        many(12, Profile::Superplanner, |t, n| if n == 1 {
            t.parent = Some("t0".into());
        }),
        "WL0118"
    );
    assert_eq!(
        many(6, Profile::Default, |t, n| if n > 0 {
            t.depends_on = vec!["t0".into()];
        }),
        "WL0409"
    );
    assert_eq!(
        many(5, Profile::Default, |t, n| if n > 0 {
            t.depends_on = vec!["t0".into()];
        }),
        ""
    );
    assert_eq!(
        many(11, Profile::Default, |t, n| if (1..=5).contains(&n) {
            t.depends_on = vec!["t0".into()];
        }),
        ""
    );
}
