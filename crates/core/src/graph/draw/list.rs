//! The graph as a list by level: for plans too large to draw.

use std::fmt::Write as _;

use super::super::what_if::duration;
use super::super::{Graph, TaskIx};
use super::{DrawOptions, shorten, title, width};
use crate::plan::Plan;

/// The most names shown of a list of tasks; the rest is counted.
const SHOWN: usize = 8;

/// Levels with their tasks; those on the critical path carry a mark.
pub(super) fn list(graph: &Graph, plan: &Plan, options: &DrawOptions<'_>) -> String {
    let critical: std::collections::BTreeSet<TaskIx> = graph.critical_path().into_iter().collect();
    let ids = graph.nodes().iter().map(|n| width(n.id.as_str())).max().unwrap_or(0);
    let titles = graph.indices().map(|ix| width(&title(graph, plan, ix))).max().unwrap_or(0);
    let room = titles.min(options.width.saturating_sub(ids + 40)).max(16);
    let mut out = String::new();
    for (at, level) in graph.levels().iter().enumerate() {
        let plural = if level.len() == 1 { "" } else { "s" };
        let _ = writeln!(out, "level {} ({} task{plural})", at + 1, level.len());
        for ix in level {
            let node = graph.node(*ix);
            let mark = if critical.contains(ix) { '*' } else { ' ' };
            let name = shorten(&title(graph, plan, *ix), room, options.charset);
            let pad = " ".repeat(room.saturating_sub(width(&name)));
            let mut line = format!("{mark} {:<ids$}  {name}{pad}  {:>10}", node.id, duration(node.cost));
            if let Some(state) = (options.state)(*ix) {
                let _ = write!(line, "  {}", state.as_str());
            }
            if !node.deps.is_empty() {
                let _ = write!(line, "  after {}", names(graph, &node.deps, ", "));
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
    if !critical.is_empty() {
        out.push_str("* on the critical path\n");
    }
    out
}

/// The ids of a few tasks, with the number of those left out.
pub(super) fn names(graph: &Graph, tasks: &[TaskIx], between: &str) -> String {
    let ids = |list: &[TaskIx]| {
        list.iter().map(|ix| graph.node(*ix).id.to_string()).collect::<Vec<_>>().join(between)
    };
    if tasks.len() <= SHOWN + 1 {
        return ids(tasks);
    }
    let more = tasks.len() - SHOWN;
    let (head, tail) = (&tasks[..SHOWN / 2], &tasks[tasks.len() - SHOWN / 2..]);
    format!("{}{between}({more} more){between}{}", ids(head), ids(tail))
}
