//! Tables: what sealing makes of small plans, and what it refuses.

use std::collections::BTreeMap;

use super::*;
use crate::diagnostic::{Diagnostic, FileIx, Severity, Span};
use crate::plan::{Complexity, Plan, Task, Tier, Verification};

/// `id < dep dep | +created ~modified -deleted ?read ^parent @level`.
fn task(line: &str) -> Task {
    let mut words = line.split_whitespace();
    let mut task = Task { id: words.next().unwrap().into(), ..Task::default() };
    for word in words {
        let rest = || word[1..].to_owned();
        match word.as_bytes()[0] {
            b'<' | b'|' => {}
            b'+' => task.files.create.push(rest()),
            b'~' => task.files.modify.push(rest()),
            b'-' => task.files.delete.push(rest()),
            b'?' => task.files.read.push(rest()),
            b'^' => task.parent = Some(rest()),
            b'@' => task.level = Some(rest().parse().unwrap()),
            b'!' => task.verification = Some(Verification { script: rest(), ..Verification::default() }),
            b'#' => task.estimate_minutes = Some(rest().parse().unwrap()),
            _ => task.depends_on.push(word.into()),
        }
    }
    task
}

pub(super) fn plan(lines: &[&str]) -> Plan {
    Plan { name: "p".into(), tasks: lines.iter().map(|l| task(l)).collect(), ..Plan::default() }
}

pub(super) fn options() -> SealOptions<'static> {
    SealOptions {
        is_test: &|path| path.contains("test"),
        max_depth: 3,
        overlap: Overlap::Order,
        tier_limits: BTreeMap::new(),
        pools: BTreeMap::new(),
    }
}

pub(super) fn sealed(lines: &[&str]) -> Sealed {
    seal(&plan(lines), &options()).unwrap()
}

fn refused(lines: &[&str]) -> Vec<String> {
    let found = seal(&plan(lines), &options()).unwrap_err();
    said(&found)
}

pub(super) fn said(found: &[Diagnostic]) -> Vec<String> {
    found.iter().map(|d| format!("{:?} {} {}", d.severity, d.code, d.message)).collect()
}

/// `a>b` for every link, with a letter for its reason.
pub(super) fn links(graph: &Graph) -> String {
    let link = |e: &Edge| {
        let why = match &e.why {
            EdgeReason::Stated => String::new(),
            EdgeReason::FromParent => " (parent)".into(),
            EdgeReason::Barrier => " (barrier)".into(),
            EdgeReason::FileOrder { path } => format!(" ({path})"),
        };
        format!("{}>{}{why}", graph.node(e.first).id, graph.node(e.then).id)
    };
    graph.edges().iter().map(link).collect::<Vec<_>>().join(", ")
}

pub(super) fn ids(graph: &Graph, list: &[TaskIx]) -> String {
    list.iter().map(|ix| graph.node(*ix).id.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn parents_become_links_between_leaves() {
    let table: [(&[&str], &str, &str); 8] = [
        // An edge to a parent means its leaves; only the last ones need a link.
        (&["p", "a ^p", "b a ^p", "c p"], "a b c", "a>b, b>c (parent)"),
        // A parent's waits are inherited; only by the first ones as a link.
        (&["x", "p x", "a ^p", "b a ^p"], "x a b", "x>a (parent), a>b"),
        // Both at once, several leaves.
        (
            &["p", "a ^p", "b ^p", "q p", "c ^q", "d ^q"],
            "a b c d",
            "a>c (parent), b>c (parent), a>d (parent), b>d (parent)",
        ),
        // Own work is the last leaf.
        (&["p !check", "a ^p", "b a ^p", "c p"], "p a b c", "b>p (barrier), a>b, p>c (parent)"),
        // Grandparents.
        (&["g", "p ^g", "a ^p", "b ^g p", "z g"], "a b z", "a>b (parent), b>z (parent)"),
        // A wait across families does not make a leaf an inner one.
        (&["p", "a ^p", "b ^p", "q", "c a ^q", "z p"], "a b c z", "a>c, a>z (parent), b>z (parent)"),
        // A stated link wins over an inherited one.
        (&["p a", "a", "b a ^p"], "a b", "a>b"),
        // A parent that waits for its own part says nothing new.
        (&["p a", "a ^p", "b ^p"], "a b", ""),
    ];
    for (lines, leaves, expected) in table {
        let graph = sealed(lines).graph;
        let all: Vec<TaskIx> = graph.indices().collect();
        assert_eq!(ids(&graph, &all), leaves, "{lines:?}");
        assert_eq!(links(&graph), expected, "{lines:?}");
    }
}

#[test]
fn a_parent_knows_all_leaves_below_it() {
    let graph = sealed(&["g", "p !check ^g", "a ^p", "b ^g", "z"]).graph;
    let g = graph.parent(graph.find_parent("g").unwrap());
    let p = graph.parent(graph.find_parent("p").unwrap());
    assert_eq!(ids(&graph, &g.leaves), "p a b");
    assert_eq!(ids(&graph, &p.leaves), "p a");
    assert_eq!(p.parent, graph.find_parent("g"));
    let own = graph.node(graph.find("p").unwrap());
    assert_eq!(own.parent, graph.find_parent("p"));
    assert_eq!(graph.node(graph.find("z").unwrap()).parent, None);
    assert!(graph.find("g").is_none());
}

#[test]
fn what_cannot_be_carried_out_is_refused_all_at_once() {
    insta::assert_snapshot!(refused(&["a b", "b c", "c a", "d a"]).join("\n"), @"Error WL0150 dependency cycle: a → b → c → a");
    // The shortest of a knot, and one per knot.
    insta::assert_snapshot!(refused(&["a b", "b c a", "c d", "d a", "x y", "y x"]).join("\n"), @r"
    Error WL0150 dependency cycle: a → b → a
    Error WL0150 dependency cycle: x → y → x
    ");
    // Through parts: `c` waits for the parent it is a part of.
    insta::assert_snapshot!(refused(&["p", "c p ^p"]).join("\n"), @"Error WL0150 dependency cycle: p → c → p");
    // A whole task is named once, though it is waited for from its start to its end.
    insta::assert_snapshot!(refused(&["p q", "c ^p", "q", "d p ^q"]).join("\n"), @"Error WL0150 dependency cycle: p → q → d → p");
    // `c` inherits the wait of `p` for `x`, which waits for `c`.
    insta::assert_snapshot!(refused(&["p x", "c ^p", "x c"]).join("\n"), @"Error WL0150 dependency cycle: p → x → c → p");
    insta::assert_snapshot!(refused(&["p ^q", "q ^p"]).join("\n"), @"Error WL0150 `p` is a part of itself: p → q → p");
    insta::assert_snapshot!(refused(&["a a", "b zz ^yy", "b", "x/y", "k m", "m k"]).join("\n"), @r"
    Error WL0154 two tasks have the id `b`
    Error WL0153 `x/y` cannot be the id of a task: `/` is not allowed at position 2: use letters, digits, `.`, `_`, `-`, starting with a letter or digit
    Error WL0152 `a` depends on itself
    Error WL0151 `b` is a part of `yy`, which is not in the plan
    Error WL0151 `b` depends on `zz`, which is not in the plan
    Error WL0150 dependency cycle: k → m → k
    ");
    insta::assert_snapshot!(refused(&["a", "b ^a", "c ^b", "d ^c", "e ^d"]).join("\n"), @"Error WL0155 `e` lies 4 parents deep, the limit is 3");
}

#[test]
fn a_cycle_points_at_the_entries_that_make_it() {
    let mut plan = plan(&["a x b", "x", "b a"]);
    let span = |start| Span { file: FileIx(0), start, end: start + 1 };
    plan.tasks[0].places.insert("depends_on[1]".into(), span(10));
    plan.tasks[2].places.insert("depends_on".into(), span(30));
    let found = seal(&plan, &options()).unwrap_err();
    assert_eq!(found[0].span, Some(span(10)));
    assert_eq!(found[0].related, [(span(30), "`b` depends on `a`".to_owned())]);
}

#[test]
fn knots_beyond_the_first_twenty_are_counted() {
    let pairs: Vec<String> = (0..25).flat_map(|i| [format!("a{i} b{i}"), format!("b{i} a{i}")]).collect();
    let lines: Vec<&str> = pairs.iter().map(String::as_str).collect();
    let found = refused(&lines);
    assert_eq!(found.len(), 21);
    assert_eq!(found[20], "Error WL0150 5 more groups of tasks that wait for each other");
}

#[test]
fn overlapping_files_are_ordered() {
    let table: [(&[&str], &str, &str); 13] = [
        (&["a +x", "b ~y"], "", ""),
        (&["a +x", "b ~x"], "a>b (x)", "Note WL0160 unordered overlap on `x`: `b` now runs after `a`"),
        // What a task does to the file comes before the order written.
        (&["a ~x", "b +x"], "b>a (x)", "Note WL0160 unordered overlap on `x`: `a` now runs after `b`"),
        (&["a -x", "b ~x"], "b>a (x)", "Note WL0160 unordered overlap on `x`: `a` now runs after `b`"),
        (&["a ~x", "b ~./x"], "a>b (x)", "Warning WL0160 unordered overlap on `x`: `b` now runs after `a`"),
        // Ordered already, directly or not.
        (&["a +x", "b a", "c ~x b"], "a>b, b>c", ""),
        // The plan's needs come before what a task does to the file.
        (&["a ~x", "b +x a"], "a>b", ""),
        // Levels come before it too.
        (
            &["a ~x @1", "b +x @2"],
            "a>b (x)",
            "Note WL0161 only levels 1 and 2 order the overlap on `x`: `b` now runs after `a`",
        ),
        // Shorter chains first, so that a free task does not wait for a deep one.
        (
            &["a", "b a ~x", "c ~x"],
            "a>b, c>b (x)",
            "Warning WL0160 unordered overlap on `x`: `b` now runs after `c`",
        ),
        // A reader waits for the maker, unless the plan says otherwise.
        (&["a ?x", "b +x"], "b>a (x)", "Note WL0162 `a` reads `x`, which `b` creates: it now runs after it"),
        (&["a ?x", "b +x a"], "a>b", ""),
        // PathPreferences that contradict each other never make a cycle.
        (
            &["a +x ~y", "b +y ~x"],
            "a>b (x)",
            "Note WL0160 unordered overlap on `x` and one more path: `b` now runs after `a`",
        ),
        // Directories and patterns stand for what lies below; those below stay free among themselves.
        (
            &["a ~src/a.py", "b ~src/b.py", "c ~src/", "d ~**/*.rs", "e ~src/e.rs c"],
            "a>c (src/), b>c (src/), c>d (**/*.rs), c>e, d>e (**/*.rs)",
            "Warning WL0160 unordered overlap on `src/`: `c` now runs after `a`\n\
             Warning WL0160 unordered overlap on `src/`: `c` now runs after `b`\n\
             Warning WL0160 unordered overlap on `**/*.rs`: `d` now runs after `c`\n\
             Warning WL0160 unordered overlap on `**/*.rs`: `e` now runs after `d`",
        ),
    ];
    for (lines, expected, findings) in table {
        let sealed = sealed(lines);
        assert_eq!(links(&sealed.graph), expected, "{lines:?}");
        assert_eq!(said(&sealed.findings).join("\n"), findings, "{lines:?}");
    }
}

#[test]
fn unordered_overlaps_can_be_refused() {
    let refusing = SealOptions { overlap: Overlap::Refuse, ..options() };
    let found = seal(&plan(&["a +x", "b ~x", "c +y", "d ?y", "e ~z @1", "f ~z @2"]), &refusing).unwrap_err();
    insta::assert_snapshot!(said(&found).join("\n"), @r"
    Error WL0160 unordered overlap: `a` and `b` both change `x`
    Note WL0162 `d` reads `y`, which `c` creates: it now runs after it
    Note WL0161 only levels 1 and 2 order the overlap on `z`: `f` now runs after `e`
    ");
    assert_eq!(found[0].help.as_deref(), Some("say it in the plan: `b` depends on `a`"));
}

#[test]
fn the_order_puts_the_longest_chain_first() {
    let graph = sealed(&["a #10", "b #5", "c b #60", "d a c #1"]).graph;
    assert_eq!(ids(&graph, graph.order()), "b c a d");
    assert_eq!(ids(&graph, &graph.critical_path()), "b c d");
    let costs: Vec<(u64, u64)> = graph.nodes().iter().map(|n| (n.cost, n.priority)).collect();
    assert_eq!(costs, [(600, 660), (300, 3960), (3600, 3660), (60, 60)]);
    let levels: Vec<String> = graph.levels().iter().map(|l| ids(&graph, l)).collect();
    assert_eq!(levels, ["a b", "c", "d"]);
    let at = |id| graph.find(id).unwrap();
    assert!(
        graph.before(at("b"), at("d")) && !graph.before(at("d"), at("b")) && !graph.before(at("a"), at("c"))
    );
    assert_eq!(ids(&graph, &graph.ancestors(at("d"))), "a b c");
}

#[test]
fn estimates_come_from_minutes_then_size() {
    let size = |c| Task { complexity: Some(c), ..Task::default() };
    let minutes = |m| Task { estimate_minutes: Some(m), ..Task::default() };
    let table = [
        (Task::default(), 900),
        (size(Complexity::Trivial), 300),
        (size(Complexity::Complex), 2400),
        (minutes(2.5), 150),
        (minutes(0.001), 1),
        (minutes(f64::NAN), 900),
        (minutes(-3.0), 900),
        (minutes(1e300), 30 * 24 * 3600),
    ];
    for (task, seconds) in table {
        assert_eq!(cost::seconds(&task), seconds, "{:?} {:?}", task.estimate_minutes, task.complexity);
    }
}

#[test]
fn pools_come_from_tiers_and_resources() {
    let mut plan = plan(&["a", "b", "c"]);
    plan.tasks[0].tier = Some(Tier::Large);
    plan.tasks[0].resources = vec!["port".into(), "db".into(), "port".into()];
    plan.tasks[1].tier = Some(Tier::Small);
    plan.tasks[1].resources = vec!["db".into()];
    let mut options = options();
    options.tier_limits.insert(Tier::Large, 1);
    options.pools.insert("db".into(), 2);
    let graph = seal(&plan, &options).unwrap().graph;
    let pools: Vec<(&str, u32)> = graph.pools().iter().map(|p| (p.name.as_str(), p.depth)).collect();
    assert_eq!(pools, [("tier:large", 1), ("port", 1), ("db", 2)]);
    let of = |at: usize| graph.nodes()[at].resources.iter().map(|p| p.0).collect::<Vec<_>>();
    assert_eq!((of(0), of(1), of(2)), (vec![0, 1, 2], vec![2], vec![]));
    assert_eq!(graph.tier_pool(Tier::Large), Some(PoolIx(0)));
    options.pools.insert("db".into(), 0);
    let found = seal(&plan, &options).unwrap_err();
    assert_eq!((found[0].code, found[0].severity), ("WL0157", Severity::Error));
}

#[test]
fn the_hash_follows_the_work_and_nothing_else() {
    let base = Task { id: "a".into(), title: "Do it".into(), notes: "x\ny".into(), ..Task::default() };
    let same: [fn(&mut Task); 6] = [
        |t| t.title = " Do \n it".into(),
        |t| t.notes = "x\r\ny".into(),
        |t| t.estimate_minutes = Some(3.0),
        |t| t.claimed_state = Some("done".into()),
        |t| t.priority = Some("high".into()),
        |t| drop(t.extra.insert("seen".into(), true.into())),
    ];
    for change in same {
        let mut task = base.clone();
        change(&mut task);
        assert_eq!(task_hash(&task), task_hash(&base), "{task:?}");
    }
    let other: [fn(&mut Task); 7] = [
        |t| t.notes = "x\\r\ny".into(),
        |t| t.notes.push('!'),
        |t| t.depends_on.push("b".into()),
        |t| t.files.create.push("x".into()),
        |t| t.test.command = Some("true".into()),
        |t| t.done_when.push("x".into()),
        |t| t.title = "Doit".into(),
    ];
    let mut hashes: Vec<String> = other
        .iter()
        .map(|change| {
            let mut task = base.clone();
            change(&mut task);
            task_hash(&task)
        })
        .chain([task_hash(&base)])
        .collect();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), other.len() + 1);
}
