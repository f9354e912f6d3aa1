//! Properties of the sealed graph, with petgraph as the oracle; and plans of sizes that break careless code.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::{is_cyclic_directed, tarjan_scc};
use petgraph::graph::DiGraph;
use petgraph::visit::{Dfs, Reversed};
use proptest::prelude::*;
use windlass_core::graph::{Graph, Overlap, SealOptions, TaskIx, seal};
use windlass_core::plan::{Plan, Task, Verification};

fn options() -> SealOptions<'static> {
    SealOptions {
        is_test: &|_| false,
        max_depth: 3,
        overlap: Overlap::Order,
        tier_limits: BTreeMap::new(),
        pools: BTreeMap::new(),
    }
}

fn task(id: usize, deps: impl IntoIterator<Item = usize>) -> Task {
    Task {
        id: format!("t{id}"),
        depends_on: deps.into_iter().map(|d| format!("t{d}")).collect(),
        estimate_minutes: Some(f64::from(u32::try_from(id * 7 % 31 + 1).unwrap())),
        ..Task::default()
    }
}

fn plan(tasks: Vec<Task>) -> Plan {
    Plan { name: "p".into(), tasks, ..Plan::default() }
}

/// A task as drawn: what it depends on, what it is a part of, and its files, all by number.
#[derive(Debug, Clone)]
struct Drawn {
    deps: Vec<usize>,
    parent: Option<usize>,
    files: Vec<(usize, u8)>,
    level: Option<i64>,
    checks: bool,
}

/// Up to `n` tasks; references go backwards only, unless `loose`.
fn drawn(n: usize, loose: bool) -> impl Strategy<Value = Vec<Drawn>> {
    let one = (
        prop::collection::vec(0..n, 0..4),
        prop::option::weighted(0.3, 0..n),
        prop::collection::vec((0..6_usize, 0..4_u8), 0..3),
        prop::option::weighted(0.4, 0..3_i64),
        prop::bool::weighted(0.3),
    );
    prop::collection::vec(one, 1..n).prop_map(move |all| {
        let count = all.len();
        let tidy =
            |(at, (deps, parent, files, level, checks)): (usize, (Vec<usize>, Option<usize>, _, _, _))| {
                let below = if loose { count } else { at };
                let deps = deps.into_iter().filter(|d| *d < below && *d != at).collect();
                Drawn { deps, parent: parent.filter(|p| *p < at), files, level, checks }
            };
        all.into_iter().enumerate().map(tidy).collect()
    })
}

fn read(drawn: &[Drawn], families: bool) -> Plan {
    let tasks = drawn.iter().enumerate().map(|(at, d)| {
        let mut t = task(at, d.deps.iter().copied());
        if families {
            t.parent = d.parent.filter(|p| drawn[*p].parent.is_none()).map(|p| format!("t{p}"));
            t.verification = d.checks.then(|| Verification { script: "true".into(), timeout_seconds: None });
        }
        t.level = d.level;
        for (file, touch) in &d.files {
            let list = match touch {
                0 => &mut t.files.create,
                1 => &mut t.files.modify,
                2 => &mut t.files.delete,
                _ => &mut t.files.read,
            };
            list.push(["a", "b", "c/d", "c/e", "c/", "c/*"][*file].to_owned());
        }
        t
    });
    plan(tasks.collect())
}

fn oracle(graph: &Graph) -> DiGraph<(), ()> {
    let mut oracle = DiGraph::new();
    let at: Vec<_> = graph.nodes().iter().map(|_| oracle.add_node(())).collect();
    for e in graph.edges() {
        oracle.add_edge(at[e.first.at()], at[e.then.at()], ());
    }
    oracle
}

/// The leaves below a task, by the plan alone.
fn leaves(plan: &Plan, graph: &Graph, id: &str) -> Vec<TaskIx> {
    let mut found: Vec<TaskIx> = graph.find(id).into_iter().collect();
    for child in plan.tasks.iter().filter(|t| t.parent.as_deref() == Some(id)) {
        found.extend(leaves(plan, graph, &child.id));
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_plan_is_refused_exactly_if_it_has_a_cycle(drawn in drawn(14, true)) {
        let plan = read(&drawn, false);
        let mut oracle = DiGraph::<(), ()>::new();
        let at: Vec<_> = drawn.iter().map(|_| oracle.add_node(())).collect();
        for (then, d) in drawn.iter().enumerate() {
            for first in &d.deps {
                oracle.add_edge(at[*first], at[then], ());
            }
        }
        let sealed = seal(&plan, &options());
        prop_assert_eq!(sealed.is_err(), is_cyclic_directed(&oracle));
        if let Err(found) = sealed {
            let knots = tarjan_scc(&oracle).into_iter().filter(|k| k.len() > 1).count();
            prop_assert_eq!(found.len(), knots);
            for d in found {
                check_cycle(&plan, &d.message);
            }
        }
    }

    #[test]
    fn the_order_is_topological_and_the_critical_path_the_longest(drawn in drawn(30, false)) {
        let graph = seal(&read(&drawn, false), &options()).unwrap().graph;
        prop_assert!(!is_cyclic_directed(&oracle(&graph)));
        let mut place = vec![usize::MAX; graph.nodes().len()];
        for (at, ix) in graph.order().iter().enumerate() {
            place[ix.at()] = at;
        }
        for e in graph.edges() {
            prop_assert!(place[e.first.at()] < place[e.then.at()]);
        }
        let mut longest = vec![0; graph.nodes().len()];
        for ix in petgraph::algo::toposort(&oracle(&graph), None).unwrap() {
            let node = &graph.nodes()[ix.index()];
            longest[ix.index()] = node.cost + node.deps.iter().map(|d| longest[d.at()]).max().unwrap_or(0);
        }
        let path = graph.critical_path();
        prop_assert_eq!(path.iter().map(|ix| graph.node(*ix).cost).sum::<u64>(), longest.into_iter().max().unwrap());
        for pair in path.windows(2) {
            prop_assert!(graph.node(pair[0]).dependants.contains(&pair[1]));
        }
    }

    #[test]
    fn questions_about_order_agree_with_a_search(drawn in drawn(20, false)) {
        let graph = seal(&read(&drawn, false), &options()).unwrap().graph;
        let oracle = oracle(&graph);
        for a in graph.indices() {
            let mut below = BTreeSet::new();
            let mut dfs = Dfs::new(&oracle, petgraph::graph::NodeIndex::new(a.at()));
            while let Some(ix) = dfs.next(&oracle) {
                below.insert(ix.index());
            }
            below.remove(&a.at());
            for b in graph.indices() {
                prop_assert_eq!(graph.before(a, b), below.contains(&b.at()));
            }
        }
        let reversed = Reversed(&oracle);
        let mut above = BTreeSet::new();
        let mut dfs = Dfs::new(reversed, petgraph::graph::NodeIndex::new(0));
        while let Some(ix) = dfs.next(reversed) {
            above.insert(ix.index());
        }
        above.remove(&0);
        prop_assert_eq!(graph.ancestors(TaskIx(0)).iter().map(|d| d.at()).collect::<BTreeSet<_>>(), above);
    }

    #[test]
    fn leaves_that_change_one_path_are_ordered(drawn in drawn(16, false)) {
        let graph = seal(&read(&drawn, false), &options()).unwrap().graph;
        let covers = |a: &str, b: &str| a == b || (matches!(a, "c/" | "c/*") && b.starts_with("c/"));
        for a in graph.indices() {
            for b in graph.indices().filter(|b| *b > a) {
                let meet = graph.node(a).owned.iter().any(|x| {
                    graph.node(b).owned.iter().any(|y| covers(x, y) || covers(y, x))
                });
                if meet {
                    prop_assert!(graph.before(a, b) || graph.before(b, a), "{:?} {:?}", graph.node(a), graph.node(b));
                }
            }
        }
    }

    #[test]
    fn what_is_said_of_parents_holds_for_all_leaves(drawn in drawn(14, false)) {
        let plan = read(&drawn, true);
        let Ok(sealed) = seal(&plan, &options()) else { return Ok(()) };
        let graph = sealed.graph;
        for task in &plan.tasks {
            let own = leaves(&plan, &graph, &task.id);
            for dep in &task.depends_on {
                let first = leaves(&plan, &graph, dep);
                if first.iter().all(|x| own.contains(x)) {
                    continue;
                }
                for (a, b) in first.iter().flat_map(|a| own.iter().map(move |b| (*a, *b))) {
                    prop_assert!(graph.before(a, b), "{} before {}", graph.node(a).id, graph.node(b).id);
                }
            }
        }
        for parent in graph.parents() {
            if let Some(last) = graph.find(parent.id.as_str()) {
                for leaf in parent.leaves.iter().filter(|l| **l != last) {
                    prop_assert!(graph.before(*leaf, last));
                }
            }
        }
    }
}

/// A named cycle is one: each task depends on the next.
fn check_cycle(plan: &Plan, message: &str) {
    let names: Vec<&str> = message.strip_prefix("dependency cycle: ").unwrap().split(" → ").collect();
    assert_eq!(names.first(), names.last());
    for pair in names.windows(2) {
        assert!(plan.task(pair[0]).unwrap().depends_on.iter().any(|d| d == pair[1]), "{message}");
    }
}

#[test]
fn a_chain_of_a_hundred_thousand_is_sealed() {
    let n = 100_000;
    let mut tasks: Vec<Task> = (0..n).map(|i| task(i, i.checked_sub(1))).collect();
    for t in &mut tasks {
        t.files.modify.push("one/file".into());
    }
    let mut plan = plan(tasks);
    let graph = seal(&plan, &options()).unwrap().graph;
    assert_eq!(graph.critical_path().len(), n);
    assert_eq!(graph.levels().len(), n);
    assert_eq!(graph.edges().len(), n - 1);
    assert!(graph.before(TaskIx(0), TaskIx(99_999)));
    // Closed to a ring, it is named without its middle.
    plan.tasks[0].depends_on.push(format!("t{}", n - 1));
    let found = seal(&plan, &options()).map_or_else(|found| found, |sealed| sealed.findings);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].message.contains("t0 → t99999 → t99998") && found[0].message.contains("99901 more"),
        "{found:?}"
    );
}

#[test]
fn thirty_dense_levels_are_sealed() {
    let (levels, width) = (30, 50);
    let below = |level: usize| (level.saturating_sub(1) * width)..(level * width);
    let mut tasks: Vec<Task> = (0..levels * width).map(|i| task(i, below(i / width))).collect();
    let graph = seal(&plan(tasks.clone()), &options()).unwrap().graph;
    assert_eq!(graph.levels().len(), levels);
    assert_eq!(graph.edges().len(), (levels - 1) * width * width);
    // One task of the last level closes it: everything is one knot, and the shortest way round is named.
    tasks[0].depends_on.push(format!("t{}", levels * width - 1));
    let found = seal(&plan(tasks), &options()).unwrap_err();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message.matches(" → ").count(), levels);
}

#[test]
fn many_owners_of_one_path_and_many_paths_of_one_pair_stay_cheap() {
    let mut tasks: Vec<Task> = (0..5_000).map(|i| task(i, None)).collect();
    for t in &mut tasks {
        t.files.modify.push("shared".into());
    }
    for i in 0..5_000 {
        tasks[i % 2].files.modify.push(format!("many/{i}"));
        tasks[i % 2 + 2].files.read.push(format!("many/{i}"));
    }
    let sealed = seal(&plan(tasks), &options()).unwrap();
    assert_eq!(sealed.graph.edges().len(), 4_999);
    assert_eq!(sealed.findings.len(), 4_999);
}

#[test]
fn references_between_large_families_are_refused_with_a_way_out() {
    let mut tasks: Vec<Task> = (0..4_002).map(|i| task(i, None)).collect();
    for (at, t) in tasks.iter_mut().enumerate().skip(2) {
        t.parent = Some(format!("t{}", at % 2));
    }
    tasks[1].depends_on.push("t0".into());
    let found = seal(&plan(tasks.clone()), &options()).unwrap_err();
    assert_eq!(found[0].code, "WL0156");
    tasks[0].verification = Some(Verification { script: "make check".into(), timeout_seconds: None });
    let graph = seal(&plan(tasks), &options()).unwrap().graph;
    assert_eq!(graph.edges().len(), 4_000);
}
