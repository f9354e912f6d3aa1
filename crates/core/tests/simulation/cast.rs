//! Random plans, sealed, and the failures their attempts may meet.

use std::collections::BTreeMap;

use windlass_core::event::{PoolLimit, SealedTask};
use windlass_core::failure::{Budget, Failure, Gate};
use windlass_core::graph::{Graph, Overlap, SealOptions, seal};
use windlass_core::ids::TaskId;
use windlass_core::plan::{Plan, Task, Tier, Verification};
use windlass_core::policy::{HERE, PlaceRules, PlaceTable, architecture_labels};
use windlass_core::team::{Conflict, Issue, IssueSeverity, QueueAnswer, Verdict};

use super::dice::Dice;

/// A small plan with parents, overlapping files, resources and tiers.
pub(crate) fn plan(dice: &mut Dice) -> Plan {
    let n = 2 + dice.below(11);
    let mut tasks = Vec::new();
    for at in 0..n {
        let mut task = Task { id: format!("t{at}"), title: format!("task {at}"), ..Task::default() };
        for _ in 0..dice.below(3) {
            let dep = dice.below(n);
            if dep < at {
                task.depends_on.push(format!("t{dep}"));
            }
        }
        if at > 0 && dice.percent(20) {
            let parent = format!("t{}", dice.below(at));
            if !task.depends_on.contains(&parent) {
                task.parent = Some(parent);
            }
        }
        if dice.percent(30) {
            task.files.modify.push(format!("shared/{}", dice.below(3)));
        }
        if dice.percent(25) {
            task.resources.push(["db", "port"][usize::from(dice.percent(50))].into());
        }
        if dice.percent(20) {
            task.verification = Some(Verification { script: "check".into(), timeout_seconds: None });
        }
        task.tier = [None, Some(Tier::Small), Some(Tier::Medium), Some(Tier::Large)]
            [usize::try_from(dice.below(4)).unwrap()];
        task.estimate_minutes = u32::try_from(1 + dice.below(60)).ok().map(f64::from);
        tasks.push(task);
    }
    Plan { name: "p".into(), tasks, ..Plan::default() }
}

/// Seals it; a plan that cannot be sealed loses its parents first.
pub(crate) fn sealed(mut plan: Plan) -> Graph {
    let options = SealOptions {
        is_test: &|_| false,
        max_depth: 20,
        overlap: Overlap::Order,
        tier_limits: BTreeMap::from([(Tier::Large, 1), (Tier::Medium, 2)]),
        pools: BTreeMap::from([("db".to_owned(), 2)]),
    };
    if let Ok(sealed) = seal(&plan, &options) {
        return sealed.graph;
    }
    for task in &mut plan.tasks {
        task.parent = None;
    }
    seal(&plan, &options).expect("references go backwards").graph
}

/// The processor of the coordinator's machine.
pub(crate) const ARCH: &str = "x86_64";

/// The machines besides the coordinator's own, in some worlds; some of them have a `gpu`, some another processor.
pub(crate) fn places(dice: &mut Dice) -> PlaceTable {
    let count = if dice.percent(50) { dice.below(4) } else { 0 };
    let place = |n| {
        let mut labels = if dice.percent(40) { vec!["gpu".to_owned()] } else { Vec::new() };
        labels.extend(architecture_labels(if dice.percent(30) { "aarch64" } else { ARCH }));
        let slots = u32::try_from(1 + dice.below(3)).unwrap();
        (format!("place{n}"), PlaceRules { slots, labels, verify: dice.percent(40) })
    };
    (0..count).map(place).collect()
}

/// What some tasks need: to stay here, the processor of this machine, or a `gpu` or another processor where a place has one.
pub(crate) fn needs(dice: &mut Dice, graph: &Graph, places: &PlaceTable) -> BTreeMap<String, String> {
    let has = |need: &str| places.values().any(|place| place.has(&[need.to_owned()]));
    let mut needs = BTreeMap::new();
    for node in graph.nodes().iter().filter(|_| !places.is_empty()) {
        let need = match dice.below(10) {
            0 => HERE,
            1 => "amd64",
            2 if has("gpu") => "gpu",
            3 if has("arm64") => "arm64",
            _ => continue,
        };
        needs.insert(node.id.to_string(), need.to_owned());
    }
    needs
}

/// The leaves as the journal keeps them; `edition` marks the tasks whose text was edited.
pub(crate) fn tasks(
    graph: &Graph,
    approvals: u64,
    edition: &BTreeMap<String, u32>,
    needs: &BTreeMap<String, String>,
) -> Vec<SealedTask> {
    let leaf = |(at, node): (usize, &windlass_core::graph::Node)| SealedTask {
        id: node.id.clone(),
        title: node.id.to_string(),
        hash: format!("{}-{}", node.id, edition.get(node.id.as_str()).unwrap_or(&0)),
        mode: node.mode,
        tier: node.tier.unwrap_or(Tier::Medium),
        agent: None,
        deps: node.deps.iter().map(|d| graph.node(*d).id.clone()).collect(),
        parents: Vec::new(),
        priority: node.priority,
        steps: Vec::new(),
        pools: node.resources.iter().map(|p| graph.pool(*p).name.clone()).collect(),
        needs: needs.get(node.id.as_str()).into_iter().cloned().collect(),
        needs_approval: approvals >> (at % 64) & 1 == 1,
        criteria: Vec::new(),
    };
    graph.nodes().iter().enumerate().map(leaf).collect()
}

/// The pools as the journal keeps them.
pub(crate) fn pools(graph: &Graph) -> Vec<PoolLimit> {
    graph.pools().iter().map(|p| PoolLimit { name: p.name.clone(), depth: p.depth }).collect()
}

/// What an agent's turn may end in.
pub(crate) fn agent_failure(dice: &mut Dice) -> Failure {
    let word = || "x".to_owned();
    match dice.below(11) {
        0 => Failure::Spawn { message: word() },
        1 => Failure::AgentError { message: word() },
        2 => Failure::NoChange,
        3 => Failure::OutOfScope { paths: vec![word()] },
        4 => Failure::NotRed {
            reason: word(),
            by_plan: dice.percent(20),
            passing: dice.percent(50),
            without_tests: false,
        },
        5 => Failure::WrongRed {
            reason: word(),
            by_plan: dice.percent(20),
            environment: dice.percent(50),
            skipped: false,
        },
        6 => Failure::FrozenChanged { paths: vec![word()] },
        7 => Failure::Timeout { budget: Budget::Attempt, seconds: 1 },
        8 => Failure::SpecContradiction { reason: word() },
        9 => Failure::NeedsFiles { files: vec![(word(), word())] },
        _ => Failure::Environment { message: word() },
    }
}

/// What a verification may end in.
pub(crate) fn verdict(dice: &mut Dice) -> Failure {
    match dice.below(3) {
        0 => Failure::Timeout { budget: Budget::Verification, seconds: 1 },
        _ => Failure::TestsFailed {
            gate: Gate::Tests,
            failed: vec![format!("test {}", dice.below(3))],
            summary: String::new(),
            excerpt: String::new(),
        },
    }
}

/// What a reviewer may say.
pub(crate) fn review(dice: &mut Dice, others: &[TaskId]) -> Verdict {
    let severity = match dice.below(8) {
        0 => IssueSeverity::High,
        1..=3 => IssueSeverity::Low,
        _ => IssueSeverity::Medium,
    };
    let against = dice.pick(others).filter(|_| dice.percent(40)).map(ToString::to_string);
    let issue = Issue {
        criterion: Some(format!("AC-{}", dice.below(2))),
        severity,
        message: "no".into(),
        file: None,
        against,
    };
    match dice.below(10) {
        0..=4 => Verdict::Approved { issues: Vec::new() },
        5 => Verdict::Unknown { reason: "silence".into() },
        _ => Verdict::Rejected { issues: vec![issue] },
    }
}

/// What an integrator may say: an order of everything, and a conflict or two, ordered or not.
pub(crate) fn queue(dice: &mut Dice, ids: &[TaskId]) -> QueueAnswer {
    let mut answer = QueueAnswer { queue: ids.iter().map(ToString::to_string).collect(), conflicts: vec![] };
    for at in (1..answer.queue.len()).rev() {
        let other = usize::try_from(dice.below(at as u64 + 1)).unwrap();
        answer.queue.swap(at, other);
    }
    for _ in 0..dice.below(3) {
        let (Some(a), Some(b)) = (dice.pick(ids).cloned(), dice.pick(ids).cloned()) else { break };
        let tasks = vec![a.to_string(), b.to_string()];
        let order = if dice.percent(60) { tasks.clone() } else { Vec::new() };
        let severity = if dice.percent(40) { IssueSeverity::High } else { IssueSeverity::Medium };
        answer.conflicts.push(Conflict { tasks, severity, reason: "clash".into(), files: vec![], order });
    }
    answer
}
