//! What becomes of a plan before it runs, as tables; and that nothing is lost on the way, over random plans.

use std::collections::BTreeMap;

use proptest::prelude::*;
use windlass_code::detect::is_test_path;
use windlass_core::diagnostic::Severity;
use windlass_core::graph::{Overlap, SealOptions, seal};
use windlass_core::plan::{Action, Files, Mode, Plan, Task, TestPlan, Verification};

use super::{Handover, RunnablePlan, make_runnable, may_change};

fn options() -> SealOptions<'static> {
    SealOptions {
        is_test: &is_test_path,
        max_depth: 3,
        overlap: Overlap::Order,
        tier_limits: BTreeMap::new(),
        pools: BTreeMap::new(),
    }
}

fn task(id: &str, deps: &[&str], create: &[&str]) -> Task {
    Task {
        id: id.into(),
        depends_on: deps.iter().map(|d| (*d).into()).collect(),
        files: Files { create: create.iter().map(|c| (*c).into()).collect(), ..Files::default() },
        ..Task::default()
    }
}

fn proved_by(mut task: Task, script: &str) -> Task {
    task.verification = Some(Verification { script: script.into(), timeout_seconds: None });
    task
}

fn part_of(mut task: Task, parent: &str) -> Task {
    task.parent = Some(parent.into());
    task
}

fn plan(tasks: Vec<Task>) -> Plan {
    Plan { name: "p".into(), tasks, ..Plan::default() }
}

fn runnable(tasks: Vec<Task>) -> RunnablePlan {
    let prepared = make_runnable(&plan(tasks), &options());
    prepared.runnable.unwrap_or_else(|| panic!("{:?}", prepared.findings))
}

fn handover(tests: &str, code: &str) -> Handover {
    Handover { tests: tests.into(), code: code.into() }
}

/// The leaves with what each waits for: `b < a` says that `b` comes after `a`.
fn order(runnable: &RunnablePlan) -> Vec<String> {
    let graph = &runnable.graph;
    let line = |n: &windlass_core::graph::Node| {
        let deps: Vec<&str> = n.deps.iter().map(|d| graph.node(*d).id.as_str()).collect();
        format!("{} < {}", n.id, deps.join(" "))
    };
    graph.nodes().iter().map(line).collect()
}

#[test]
fn tests_for_later_code_become_that_tasks_red() {
    let made = runnable(vec![
        task("setup", &[], &["x.py"]),
        task("tests", &["setup"], &["tests/test_buffer.py"]),
        proved_by(task("impl", &["tests"], &["buffer.py"]), "pytest tests/test_buffer.py"),
        task("after", &["tests"], &["y.py"]),
    ]);
    assert_eq!(made.handovers, [handover("tests", "impl")]);
    assert_eq!(order(&made), ["setup < ", "impl < setup", "after < impl"]);
    let code = made.plan.task("impl").unwrap();
    assert_eq!(code.parent.as_deref(), Some("tests"));
    assert_eq!(code.test.file.as_deref(), Some("tests/test_buffer.py"));
    assert!(code.depends_on.is_empty());
    assert_eq!(made.plan.task("tests").unwrap().depends_on, ["setup"]);
    assert!(made.plan.task("tests").unwrap().files.is_empty());
}

#[test]
fn tasks_are_not_joined() {
    let impl_of = |id: &str| proved_by(task(id, &["tests"], &["b.py"]), "pytest tests/test_b.py");
    let tests = || task("tests", &[], &["tests/test_b.py"]);
    let table = [
        (
            "the code is there first",
            vec![
                proved_by(task("impl", &[], &["b.py"]), "pytest"),
                task("tests", &["impl"], &["tests/test_b.py"]),
            ],
        ),
        (
            "the later task is proved by other tests",
            vec![tests(), proved_by(task("other", &["tests"], &["y.py"]), "pytest tests/test_other.py")],
        ),
        ("two tasks are proved by the tests", vec![tests(), impl_of("one"), impl_of("two")]),
        (
            "the tests are a parent",
            vec![tests(), part_of(task("x", &[], &["x.py"]), "tests"), impl_of("impl")],
        ),
        ("the task writes code too", vec![task("tests", &[], &["tests/test_b.py", "c.py"]), impl_of("impl")]),
    ];
    for (why, tasks) in table {
        assert!(runnable(tasks).handovers.is_empty(), "{why}");
    }
}

#[test]
fn a_dependency_stated_twice_is_one() {
    let code = proved_by(task("impl", &["tests", "tests"], &["b.py"]), "pytest tests/test_b.py");
    let made = runnable(vec![task("tests", &[], &["tests/test_b.py"]), code]);
    assert_eq!(made.handovers, [handover("tests", "impl")]);
}

#[test]
fn a_task_that_names_no_code_still_has_code_to_write() {
    let mut code = task("impl", &["tests"], &[]);
    code.test = TestPlan { file: Some("tests/test_b.py".into()), ..TestPlan::default() };
    let made = runnable(vec![task("tests", &[], &["tests/test_b.py"]), code]);
    assert_eq!(made.handovers, [handover("tests", "impl")]);
    assert_eq!(made.graph.nodes()[0].mode, Mode::Tdd);
}

/// Each handover stacks a parent above the code; the limit is for parents that the author wrote.
#[test]
fn handovers_do_not_count_as_nesting() {
    let ids = ["t1", "t2", "t3", "t4"];
    let file = |id: &str| format!("tests/test_{id}.py");
    let mut tasks: Vec<Task> = ids.iter().map(|id| task(id, &[], &[&file(id)])).collect();
    let script: Vec<String> = ids.iter().map(|id| file(id)).collect();
    tasks.push(proved_by(task("impl", &ids, &["b.py"]), &format!("pytest {}", script.join(" "))));
    let made = runnable(tasks);
    assert_eq!(made.handovers.len(), 4);
    assert_eq!(order(&made), ["impl < "]);
}

/// The code waits for its tests' parent through its own parent, and for a task between them. Joined with its tests, it
/// would have to come before that task. The finding says where the cycle comes from.
#[test]
fn a_cycle_made_by_a_handover_is_a_finding() {
    let tasks = vec![
        task("first", &[], &[]),
        part_of(task("tests", &[], &["tests/test_b.py"]), "first"),
        task("second", &["first"], &[]),
        part_of(task("between", &[], &["c.py"]), "second"),
        part_of(
            proved_by(task("impl", &["tests", "between"], &["b.py"]), "pytest tests/test_b.py"),
            "second",
        ),
    ];
    let prepared = make_runnable(&plan(tasks.clone()), &options());
    assert!(seal(&plan(tasks), &options()).is_ok(), "as written it has no cycle");
    assert!(prepared.runnable.is_none());
    let [cycle] = prepared.findings.as_slice() else { panic!("{:?}", prepared.findings) };
    assert_eq!(cycle.code, "WL0150");
    assert_eq!(cycle.message, "dependency cycle: first → tests → impl → between → second → first");
    let help = "remove one of these dependencies; the tests of `tests` are merged together with `impl`";
    assert_eq!(cycle.help.as_deref(), Some(help));
}

/// Tests and code in different parents: no parent is left without parts, and the order of the parents stays.
#[test]
fn code_leaves_its_parent_for_its_tests() {
    let tests = || part_of(task("tests", &[], &["tests/test_b.py"]), "first");
    let code = |parent: &str| {
        part_of(proved_by(task("impl", &["tests"], &["b.py"]), "pytest tests/test_b.py"), parent)
    };
    let other = |id: &str, parent: &str| part_of(task(id, &[], &[&format!("{id}.py")]), parent);
    let (first, second) = (task("first", &[], &[]), task("second", &["first"], &[]));
    let after = task("after", &["second"], &["after.py"]);
    let table: [(&str, Vec<Task>, &[&str]); 3] = [
        (
            "each parent has one part",
            vec![first.clone(), tests(), second.clone(), code("second"), after.clone()],
            &["impl < ", "after < impl"],
        ),
        (
            "the parent of the tests has another part",
            vec![first.clone(), tests(), other("a", "first"), second.clone(), code("second"), after.clone()],
            &["a < ", "impl < a", "after < impl"],
        ),
        (
            "the parent of the code has another part",
            vec![first, tests(), second, code("second"), other("b", "second"), after],
            &["impl < ", "b < impl", "after < impl b"],
        ),
    ];
    for (what, tasks, expected) in table {
        let made = runnable(tasks);
        assert_eq!(order(&made), expected, "{what}");
    }
}

#[test]
fn tests_among_the_files_are_the_test_file() {
    let table: [(&[&str], &str, Option<&str>); 14] = [
        (
            &["calc/add.py", "tests/test_add.py"],
            "python3 -m unittest tests.test_add",
            Some("tests/test_add.py"),
        ),
        (&["a.py", "tests/test_a.py", "tests/test_b.py"], "pytest tests/test_b.py", Some("tests/test_b.py")),
        (&["a.py", "tests/conftest.py", "tests/test_a.py"], "make check", Some("tests/test_a.py")),
        (&["src/a.ts", "src/a.spec.ts"], "npm test", Some("src/a.spec.ts")),
        (&["A.java", "src/test/AdderTest.java"], "mvn test", Some("src/test/AdderTest.java")),
        // Runners also go by the place of a file, and cargo by the name of its target.
        (&["src/roman.rs", "tests/roman.rs"], "cargo test --test roman", Some("tests/roman.rs")),
        (&["src/a.rs", "tests/common/mod.rs", "tests/b.rs"], "cargo test", Some("tests/b.rs")),
        (&["index.js", "test/parse.js"], "npm test", Some("test/parse.js")),
        (&["index.js", "test.js"], "npm test", Some("test.js")),
        (&["index.js", "test/helpers.js"], "npm test", None),
        (&["a.rs", "tests/mod.rs"], "cargo test", None),
        // Only what tests use; only code; only tests, which need no red first.
        (&["a.py", "tests/conftest.py"], "pytest", None),
        (&["a.py"], "pytest", None),
        (&["tests/test_a.py"], "pytest", None),
    ];
    for (create, script, expected) in table {
        let made = runnable(vec![proved_by(task("A", &[], create), script)]);
        assert_eq!(made.plan.tasks[0].test.file.as_deref(), expected, "{create:?} {script}");
    }
}

#[test]
fn a_stated_test_stays() {
    let stated = TestPlan { file: Some("tests/test_b.py".into()), ..TestPlan::default() };
    let reason = TestPlan { none: Some("config".into()), ..TestPlan::default() };
    for test in [stated, reason] {
        let own = Task { test, ..proved_by(task("A", &[], &["a.py", "tests/test_a.py"]), "pytest") };
        assert_eq!(runnable(vec![own.clone()]).plan.tasks, [own]);
    }
}

#[test]
fn steps_and_files_of_a_leaf() {
    let mut own = task("own", &[], &["a.py"]);
    own.steps = windlass_core::plan::template(Mode::Refactor);
    let table: [(Task, &[Action], &[&str]); 3] = [
        (
            task("code", &[], &["web/package.json"]),
            &[
                Action::WriteTest,
                Action::VerifyFail,
                Action::Implement,
                Action::VerifyPass,
                Action::Format,
                Action::Commit,
            ],
            &[
                "web/package.json",
                "web/package-lock.json",
                "web/npm-shrinkwrap.json",
                "web/pnpm-lock.yaml",
                "web/yarn.lock",
                "web/bun.lock",
                "web/bun.lockb",
            ],
        ),
        (task("both", &[], &["Cargo.toml", "Cargo.lock"]), &[], &["Cargo.toml", "Cargo.lock"]),
        (own, &[], &["a.py"]),
    ];
    for (task, steps, files) in table {
        let (id, own) = (task.id.clone(), task.steps.iter().map(|s| s.action).collect::<Vec<_>>());
        let made = runnable(vec![task]);
        let (leaf, _) = made.leaves().next().unwrap();
        assert_eq!(may_change(leaf), files, "{id}");
        let actions: Vec<Action> = made.steps(leaf).iter().map(|s| s.action).collect();
        if !steps.is_empty() {
            assert_eq!(actions, steps, "{id}");
        }
        assert!(own.iter().all(|action| actions.contains(action)), "{id}");
    }
}

/// A task of a random plan: what it waits for, what it is part of, and what it does.
type Drawn = (Vec<prop::sample::Index>, Option<prop::sample::Index>, u8);

fn drawn_plan(drawn: &[Drawn]) -> Plan {
    let id = |at: usize| format!("T{at}");
    let mut tasks: Vec<Task> = Vec::new();
    for (at, (deps, parent, kind)) in drawn.iter().enumerate() {
        let earlier = |ix: &prop::sample::Index| id(ix.index(at));
        let deps: Vec<String> = if at == 0 { Vec::new() } else { deps.iter().map(earlier).collect() };
        let names: Vec<&str> = deps.iter().map(String::as_str).collect();
        let test = |at: usize| format!("tests/test_{at}.py");
        let code = format!("c{at}.py");
        let mut made = match kind % 4 {
            0 => task(&id(at), &names, &[&test(at)]),
            1 => task(&id(at), &names, &[&code, &test(at)]),
            _ => {
                // Proved by the tests of everything it waits for.
                let on: Vec<String> = deps.iter().map(|d| format!("tests/test_{}.py", &d[1..])).collect();
                proved_by(task(&id(at), &names, &[&code]), &format!("pytest {}", on.join(" ")))
            }
        };
        if at > 0 {
            made.parent = parent.as_ref().map(earlier);
        }
        tasks.push(made);
    }
    plan(tasks)
}

fn is_below(plan: &Plan, id: &str, above: &str) -> bool {
    let parents = std::iter::successors(plan.task(id), |t| plan.task(t.parent.as_deref()?));
    parents.skip(1).any(|parent| parent.id == above)
}

proptest! {
    /// Over random plans: a plan that can be sealed as written keeps its order, and no file loses its owner; one that
    /// cannot be made runnable has an error that says so.
    #[test]
    fn what_is_written_is_what_runs(
        drawn in prop::collection::vec((prop::collection::vec(any::<prop::sample::Index>(), 0..3), prop::option::weighted(0.2, any::<prop::sample::Index>()), any::<u8>()), 1..14)
    ) {
        let plan = drawn_plan(&drawn);
        let prepared = make_runnable(&plan, &options());
        let refused = prepared.findings.iter().any(|f| f.severity == Severity::Error);
        prop_assert_eq!(refused, prepared.runnable.is_none());
        let Some(made) = prepared.runnable else { return Ok(()) };
        let written = seal(&plan, &options());
        let Ok(written) = written else { return Ok(()) };
        let stands_for = |id: &str| {
            let joined = made.handovers.iter().find(|h| h.tests == id);
            joined.map_or(id.to_owned(), |h| h.code.clone())
        };
        for edge in written.graph.edges() {
            let ends = [edge.first, edge.then].map(|ix| stands_for(written.graph.node(ix).id.as_str()));
            let [first, then] = ends.map(|id| made.graph.find(&id));
            let (Some(first), Some(then)) = (first, then) else { panic!("a leaf is gone") };
            // The parts of the code come before its own work, and so before the tests it was joined with.
            let is_part = is_below(&plan, written.graph.node(edge.then).id.as_str(), &made.task(first).id);
            let is_before = first == then || made.graph.ancestors(then).contains(&first);
            prop_assert!(is_before || is_part, "{:?} of {:?}", edge, made.handovers);
        }
        for node in written.graph.nodes() {
            let owner = made.graph.find(&stands_for(node.id.as_str()));
            let owner = owner.map(|ix| may_change(made.graph.node(ix)));
            prop_assert!(node.owned.iter().all(|path| owner.as_ref().is_some_and(|o| o.contains(path))));
        }
    }
}
