//! How long a plan takes with a number of workers, and what limits it.
//!
//! A simulated clock and the estimates; every attempt is taken to succeed. The same rule as the scheduler's: of the
//! tasks that could start, the one with the most expensive chain behind it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Graph, PoolIx, TaskIx};

/// What limits the length of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Limit {
    /// The most expensive chain: more workers change nothing.
    CriticalPath,
    /// The number of workers.
    Workers,
    /// A tier or a resource.
    Pool(String),
}

/// The outcome for one number of workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhatIf {
    /// How many workers.
    pub workers: u32,
    /// Seconds from the first start to the last end.
    pub makespan: u64,
    /// What limits it.
    pub limited_by: Limit,
}

/// Simulates the plan with a number of workers; 0 counts as 1.
pub fn what_if(graph: &Graph, workers: u32) -> WhatIf {
    let workers = workers.max(1);
    let makespan = Clock::new(graph).run(workers);
    let chain = graph.nodes().iter().map(|n| n.priority).max().unwrap_or(0);
    let limited_by = if makespan <= chain {
        Limit::CriticalPath
    } else {
        match tightest_pool(graph) {
            Some(pool) if Clock::new(graph).run(u32::MAX) >= makespan => Limit::Pool(pool),
            _ => Limit::Workers,
        }
    };
    WhatIf { workers, makespan, limited_by }
}

/// One line for people: a few numbers of workers, up to the one beyond which more change nothing.
pub(crate) fn outlook(graph: &Graph) -> String {
    if graph.nodes().is_empty() {
        return "no tasks".to_owned();
    }
    let mut said: Vec<WhatIf> = Vec::new();
    for workers in [1, 3, 8, 32] {
        let next = what_if(graph, workers);
        let better = said.last().is_none_or(|last| next.makespan < last.makespan);
        if better {
            said.push(next);
        }
    }
    let line = |w: &WhatIf| {
        let unit = if w.workers == 1 { "worker" } else { "workers" };
        format!("with {} {unit} {}", w.workers, duration(w.makespan))
    };
    let lines: Vec<String> = said.iter().map(line).collect();
    let limit = match said.last().map(|w| &w.limited_by) {
        Some(Limit::Pool(name)) => format!("limited by `{name}`"),
        Some(Limit::Workers) => "limited by the number of workers".to_owned(),
        Some(Limit::CriticalPath) | None => "limited by the critical path".to_owned(),
    };
    format!("{}, {limit}", lines.join(", "))
}

/// A duration for people: seconds below 90, minutes below two hours, then hours.
pub(super) fn duration(seconds: u64) -> String {
    match seconds {
        0..90 => format!("{seconds} s"),
        90..7_200 => format!("{} min", (seconds + 30) / 60),
        _ => {
            let minutes = (seconds + 30) / 60;
            match minutes % 60 {
                0 => format!("{} h", minutes / 60),
                rest => format!("{} h {rest} min", minutes / 60),
            }
        }
    }
}

/// The pool with the most work for each of its places.
fn tightest_pool(graph: &Graph) -> Option<String> {
    let mut load = vec![0_u64; graph.pools().len()];
    for node in graph.nodes() {
        for pool in &node.resources {
            load[pool.at()] = load[pool.at()].saturating_add(node.cost);
        }
    }
    let per_place =
        |(at, load): (usize, u64)| (load / u64::from(graph.pools()[at].depth.max(1)), Reverse(at));
    let (_, Reverse(at)) = load.into_iter().enumerate().map(per_place).max()?;
    Some(graph.pools()[at].name.clone())
}

type Turn = (u64, Reverse<TaskIx>);

/// A simulated run.
struct Clock<'a> {
    graph: &'a Graph,
    waits: Vec<usize>,
    used: Vec<u32>,
    ready: BinaryHeap<Turn>,
    /// Tasks that found a pool full, under the first such pool.
    held: Vec<BinaryHeap<Turn>>,
    running: BinaryHeap<Reverse<(u64, TaskIx)>>,
}

impl<'a> Clock<'a> {
    fn new(graph: &'a Graph) -> Clock<'a> {
        let waits: Vec<usize> = graph.nodes().iter().map(|n| n.deps.len()).collect();
        let mut clock = Clock {
            graph,
            used: vec![0; graph.pools().len()],
            ready: BinaryHeap::new(),
            held: graph.pools().iter().map(|_| BinaryHeap::new()).collect(),
            running: BinaryHeap::new(),
            waits,
        };
        for ix in graph.indices().filter(|ix| clock.waits[ix.at()] == 0) {
            clock.ready.push(turn(graph, ix));
        }
        clock
    }

    fn run(mut self, workers: u32) -> u64 {
        let mut now = 0;
        loop {
            while self.running.len() < workers as usize
                && let Some((_, Reverse(ix))) = self.ready.pop()
            {
                self.start(ix, now);
            }
            let Some(Reverse((end, ix))) = self.running.pop() else { return now };
            now = end;
            self.end(ix);
        }
    }

    fn start(&mut self, ix: TaskIx, now: u64) {
        let node = self.graph.node(ix);
        let full = |pool: &&PoolIx| self.used[pool.at()] >= self.graph.pool(**pool).depth;
        if let Some(pool) = node.resources.iter().find(full) {
            self.held[pool.at()].push(turn(self.graph, ix));
            // The places it leaves free in other pools go to the next task held there.
            for pool in node.resources.iter().filter(|p| self.used[p.at()] < self.graph.pool(**p).depth) {
                self.ready.extend(self.held[pool.at()].pop());
            }
            return;
        }
        for pool in &node.resources {
            self.used[pool.at()] += 1;
        }
        self.running.push(Reverse((now.saturating_add(node.cost), ix)));
    }

    fn end(&mut self, ix: TaskIx) {
        let node = self.graph.node(ix);
        for pool in &node.resources {
            self.used[pool.at()] -= 1;
            self.ready.extend(self.held[pool.at()].pop());
        }
        for next in &node.dependants {
            self.waits[next.at()] -= 1;
            if self.waits[next.at()] == 0 {
                self.ready.push(turn(self.graph, *next));
            }
        }
    }
}

fn turn(graph: &Graph, ix: TaskIx) -> Turn {
    (graph.node(ix).priority, Reverse(ix))
}

#[cfg(test)]
mod tests;
