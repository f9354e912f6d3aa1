//! The graph for Mermaid, as Markdown renderers show it.

use std::fmt::Write as _;

use super::super::{EdgeReason, Graph, TaskIx};
use super::svg::fill;
use super::{DrawOptions, title};
use crate::plan::Plan;
use crate::state::TaskState;

/// Writes a Mermaid flowchart: the critical path in bold, added links dotted with the path as their label.
pub fn mermaid(graph: &Graph, plan: &Plan, options: &DrawOptions<'_>) -> String {
    let mut out = String::from("flowchart LR\n");
    for ix in graph.indices() {
        let label = format!("{} {}", graph.node(ix).id, title(graph, plan, ix));
        let _ = writeln!(out, "  n{}[\"{}\"]", ix.0, escaped(label.trim()));
    }
    for edge in graph.edges() {
        let (a, b) = (edge.first.0, edge.then.0);
        let _ = match &edge.why {
            EdgeReason::FileOrder { path } => writeln!(out, "  n{a} -. \"{}\" .-> n{b}", escaped(path)),
            EdgeReason::Stated | EdgeReason::FromParent | EdgeReason::Barrier => {
                writeln!(out, "  n{a} --> n{b}")
            }
        };
    }
    for state in TaskState::ALL {
        let tasks = graph.indices().filter(|ix| (options.state)(*ix) == Some(state));
        class(&mut out, state.as_str(), &format!("fill:{},color:#212529", fill(Some(state))), tasks);
    }
    class(&mut out, "critical", "stroke:#d9480f,stroke-width:3px", graph.critical_path());
    out
}

fn class(out: &mut String, name: &str, style: &str, tasks: impl IntoIterator<Item = TaskIx>) {
    let names: Vec<String> = tasks.into_iter().map(|ix| format!("n{}", ix.0)).collect();
    if !names.is_empty() {
        let _ = writeln!(out, "  classDef {name} {style}");
        let _ = writeln!(out, "  class {} {name}", names.join(","));
    }
}

/// Mermaid's own entities for everything that means something to it or to HTML.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '#' | '<' | '>' | '&' | '`' | '\\' | '[' | ']' | '{' | '}' | '|' | ';' | '*' | '_' => {
                let _ = write!(out, "#{};", u32::from(c));
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
