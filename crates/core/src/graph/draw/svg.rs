//! The graph as a picture of its own: levels as columns, no script, no outside reference.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::super::what_if::{duration, outlook};
use super::super::{EdgeReason, Graph, TaskIx};
use super::layers::{Cell, Layers, essential};
use super::{Charset, DrawOptions, shorten, title};
use crate::plan::Plan;
use crate::state::TaskState;

pub(super) const BOX: (i64, i64) = (208, 52);
pub(super) const COLUMN: i64 = 284;
pub(super) const GAP: i64 = 16;
const MARGIN: i64 = 24;
const HEAD: i64 = 44;
const FOOT: i64 = 64;
/// Characters of a title that fit into a box.
const TITLE: usize = 27;
/// Links across more columns than this are drawn straight, without a way around the boxes between.
pub(super) const PASSES: usize = 20_000;

const STYLE: &str = "\
text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;fill:#212529}\
.id{font-weight:600}.small{font-size:11px;fill:#495057}\
.box{stroke:#868e96;stroke-width:1.2}.box.critical{stroke:#d9480f;stroke-width:2.6}\
.link{fill:none;stroke:#adb5bd;stroke-width:1.4}\
.link.critical{stroke:#d9480f;stroke-width:2.4}\
.link.added{stroke:#1971c2;stroke-dasharray:5 4}";

/// Draws the graph: the critical path is bold, added links are dashed, states are colours.
pub fn svg(graph: &Graph, plan: &Plan, options: &DrawOptions<'_>) -> String {
    let picture = Picture::new(graph);
    let mut out = picture.open(plan);
    for (at, level) in graph.levels().iter().enumerate() {
        let x = MARGIN + COLUMN * index(at);
        let _ = writeln!(
            out,
            "<text class=\"small\" x=\"{x}\" y=\"{}\">level {} · {} task{}</text>",
            HEAD - 14,
            at + 1,
            level.len(),
            if level.len() == 1 { "" } else { "s" },
        );
    }
    picture.links(&mut out);
    for ix in graph.indices() {
        picture.task(&mut out, plan, ix, (options.state)(ix));
    }
    picture.foot(&mut out, options);
    out + "</svg>\n"
}

/// The colour of a state.
pub(super) fn fill(state: Option<TaskState>) -> &'static str {
    match state {
        None | Some(TaskState::Pending) => "#ffffff",
        Some(TaskState::InProgress) => "#d0ebff",
        Some(TaskState::Testing) => "#fff3bf",
        Some(TaskState::TestFailed) => "#ffd8a8",
        Some(TaskState::Completed) => "#d3f9d8",
        Some(TaskState::Failed) => "#ffc9c9",
        Some(TaskState::Blocked) => "#eebefa",
        Some(TaskState::Skipped) => "#dee2e6",
    }
}

struct Picture<'a> {
    graph: &'a Graph,
    layers: Layers,
    /// The middle of each cell, downwards.
    middles: Vec<i64>,
    /// The column of each cell.
    columns: Vec<i64>,
    critical: Vec<TaskIx>,
    on_path: BTreeSet<TaskIx>,
    height: i64,
}

impl<'a> Picture<'a> {
    fn new(graph: &'a Graph) -> Picture<'a> {
        let mut links = essential(graph);
        let level = column_of(graph);
        let passes: i64 = links.iter().map(|(a, b)| level[b.at()] - level[a.at()] - 1).sum();
        if passes > index(PASSES) {
            links.retain(|(a, b)| level[b.at()] - level[a.at()] == 1);
        }
        let layers = Layers::new(graph, &links);
        let half = |cell| match cell {
            Cell::Task(_) | Cell::Thing => BOX.1 / 2,
            Cell::Pass => 2,
        };
        let middles = layers.middles(half, GAP);
        let mut columns = vec![0; layers.cells.len()];
        for (at, row) in layers.rows.iter().enumerate() {
            for cell in row {
                columns[*cell] = index(at);
            }
        }
        let height = (0..middles.len()).map(|c| middles[c] + half(layers.cells[c])).max().unwrap_or(0);
        let critical = graph.critical_path();
        let on_path = critical.iter().copied().collect();
        Picture { graph, layers, middles, columns, critical, on_path, height }
    }

    fn open(&self, plan: &Plan) -> String {
        let columns = index(self.layers.rows.len());
        let wide = (2 * MARGIN + COLUMN * (columns - 1).max(0) + BOX.0).max(620);
        let tall = HEAD + self.height + FOOT;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {tall}\" width=\"{wide}\" \
             height=\"{tall}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
             <defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#868e96\"/></marker></defs>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#f8f9fa\"/>\n",
            escaped(plan.title.as_deref().unwrap_or(&plan.name))
        )
    }

    fn left(&self, cell: usize) -> i64 {
        MARGIN + COLUMN * self.columns[cell]
    }

    fn links(&self, out: &mut String) {
        let steps: BTreeSet<(usize, usize)> =
            self.critical.windows(2).map(|w| (w[0].at(), w[1].at())).collect();
        let added: BTreeSet<(usize, usize)> = self
            .graph
            .edges()
            .iter()
            .filter(|e| matches!(e.why, EdgeReason::FileOrder { .. }))
            .map(|e| (e.first.at(), e.then.at()))
            .collect();
        // The critical path is drawn last, so that it is on top.
        for critical in [false, true] {
            for route in &self.layers.routes {
                let (Some(first), Some(last)) = (route.first(), route.last()) else { continue };
                let ends = (*first, *last);
                if steps.contains(&ends) != critical {
                    continue;
                }
                let mut class = String::from("link");
                class.push_str(if critical { " critical" } else { "" });
                class.push_str(if added.contains(&ends) { " added" } else { "" });
                let _ = writeln!(
                    out,
                    "<path class=\"{class}\" d=\"{}\" marker-end=\"url(#head)\"/>",
                    self.curve(route)
                );
            }
        }
    }

    /// From the right edge of the first box to the left edge of the last, level where it passes a column.
    fn curve(&self, route: &[usize]) -> String {
        let y = |cell: usize| HEAD + self.middles[cell];
        let mut path = format!("M{} {}", self.left(route[0]) + BOX.0, y(route[0]));
        for pair in route.windows(2) {
            let (from, to) = (self.left(pair[0]) + BOX.0, self.left(pair[1]));
            let bend = i64::midpoint(from, to);
            let _ = write!(path, "C{bend} {} {bend} {} {to} {}", y(pair[0]), y(pair[1]), y(pair[1]));
            if self.layers.cells[pair[1]] == Cell::Pass {
                let _ = write!(path, "H{}", to + BOX.0);
            }
        }
        path
    }

    fn task(&self, out: &mut String, plan: &Plan, ix: TaskIx, state: Option<TaskState>) {
        let node = self.graph.node(ix);
        let (x, y) = (self.left(ix.at()), HEAD + self.middles[ix.at()] - BOX.1 / 2);
        let critical = if self.on_path.contains(&ix) { " critical" } else { "" };
        let full = title(self.graph, plan, ix);
        let known = state.map_or(String::new(), |s| format!(" · {}", s.as_str()));
        let id = shorten(node.id.as_str(), TITLE - 3, Charset::Unicode);
        let _ = writeln!(
            out,
            "<g><title>{}: {}</title><rect class=\"box{critical}\" x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" \
             rx=\"6\" fill=\"{}\"/><text class=\"id\" x=\"{}\" y=\"{}\">{}</text>\
             <text x=\"{}\" y=\"{}\">{}</text>\
             <text class=\"small\" x=\"{}\" y=\"{}\">{}{known}</text></g>",
            node.id,
            escaped(&full),
            BOX.0,
            BOX.1,
            fill(state),
            x + 10,
            y + 16,
            escaped(&id),
            x + 10,
            y + 31,
            escaped(&shorten(&full, TITLE, Charset::Unicode)),
            x + 10,
            y + 45,
            duration(node.cost),
        );
    }

    fn foot(&self, out: &mut String, options: &DrawOptions<'_>) {
        let y = HEAD + self.height + 30;
        let chain = self.critical.first().map_or(0, |ix| self.graph.node(*ix).priority);
        let _ = writeln!(
            out,
            "<path class=\"link critical\" d=\"M{MARGIN} {a}h28\"/><text class=\"small\" x=\"{}\" y=\"{y}\">critical path, {}</text>\
             <path class=\"link added\" d=\"M{} {a}h28\"/><text class=\"small\" x=\"{}\" y=\"{y}\">added because of a file</text>",
            MARGIN + 34,
            duration(chain),
            MARGIN + 190,
            MARGIN + 224,
            a = y - 4,
        );
        let mut x = MARGIN + 380;
        let states: BTreeSet<TaskState> = self.graph.indices().filter_map(options.state).collect();
        for state in states {
            let _ = writeln!(
                out,
                "<rect class=\"box\" x=\"{x}\" y=\"{}\" width=\"12\" height=\"12\" rx=\"2\" fill=\"{}\"/>\
                 <text class=\"small\" x=\"{}\" y=\"{y}\">{}</text>",
                y - 10,
                fill(Some(state)),
                x + 17,
                state.as_str(),
            );
            x += 40 + 7 * index(state.as_str().len());
        }
        let _ = writeln!(
            out,
            "<text class=\"small\" x=\"{MARGIN}\" y=\"{}\">{}</text>",
            y + 20,
            escaped(&outlook(self.graph))
        );
    }
}

fn column_of(graph: &Graph) -> Vec<i64> {
    let mut level = vec![0; graph.nodes().len()];
    for (at, row) in graph.levels().iter().enumerate() {
        for ix in row {
            level[ix.at()] = index(at);
        }
    }
    level
}

fn index(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// Text for XML; characters XML does not know are left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
