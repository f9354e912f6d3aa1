//! The graph for Graphviz.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::super::what_if::duration;
use super::super::{EdgeReason, Graph, TaskIx};
use super::svg::fill;
use super::{DrawOptions, title};
use crate::plan::Plan;

/// Writes the graph in the dot language: the critical path in bold, added links dashed.
pub fn dot(graph: &Graph, plan: &Plan, options: &DrawOptions<'_>) -> String {
    let critical: Vec<TaskIx> = graph.critical_path();
    let on_path: BTreeSet<TaskIx> = critical.iter().copied().collect();
    let steps: BTreeSet<(TaskIx, TaskIx)> = critical.windows(2).map(|w| (w[0], w[1])).collect();
    let mut out = format!("digraph {} {{\n", quoted(&plan.name));
    out.push_str("  rankdir=LR;\n  node [shape=box, style=\"rounded,filled\", fillcolor=white];\n");
    for ix in graph.indices() {
        let node = graph.node(ix);
        let label = quoted(&format!("{}\n{}\n{}", node.id, title(graph, plan, ix), duration(node.cost)));
        let bold = if on_path.contains(&ix) { ", penwidth=2" } else { "" };
        let fill =
            (options.state)(ix).map_or(String::new(), |s| format!(", fillcolor={}", quoted(fill(Some(s)))));
        let _ = writeln!(out, "  {} [label={label}{bold}{fill}];", quoted(node.id.as_str()));
    }
    for edge in graph.edges() {
        let (a, b) = (graph.node(edge.first).id.as_str(), graph.node(edge.then).id.as_str());
        let bold = steps.contains(&(edge.first, edge.then));
        let style = match &edge.why {
            EdgeReason::FileOrder { path } => format!(" [style=dashed, label={}]", quoted(path)),
            EdgeReason::Stated | EdgeReason::FromParent | EdgeReason::Barrier if bold => {
                " [penwidth=2]".to_owned()
            }
            EdgeReason::Stated | EdgeReason::FromParent | EdgeReason::Barrier => String::new(),
        };
        let _ = writeln!(out, "  {} -> {}{style};", quoted(a), quoted(b));
    }
    out + "}\n"
}

/// A quoted name; line breaks become dot's own.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
