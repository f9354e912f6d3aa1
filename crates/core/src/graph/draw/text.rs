//! The drawing for a terminal: boxes by level, lines between them; a list by level where that would not fit.

use std::fmt::Write as _;

use super::super::what_if::{duration, outlook};
use super::super::{EdgeReason, Graph, TaskIx};
use super::canvas::{BoxStyle, Canvas};
use super::layers::{Cell, Layers, essential};
use super::route::{Channel, RouteEnd, channel};
use super::{Charset, DrawOptions, folded, list, title, width};
use crate::plan::Plan;

/// More tasks than this are listed, not drawn.
const DRAWN: usize = 40;

/// Draws the graph for a terminal: the boxes or the list, then the critical path, links that were added, and how long
/// it would take.
pub fn text(graph: &Graph, plan: &Plan, options: &DrawOptions<'_>) -> String {
    let drawn = if graph.nodes().len() <= DRAWN { boxes(graph, plan, options) } else { None };
    let mut out = drawn.unwrap_or_else(|| list::list(graph, plan, options));
    out.push_str(&legend(graph, options.charset));
    out
}

fn legend(graph: &Graph, charset: Charset) -> String {
    let path = graph.critical_path();
    let Some(first) = path.first() else { return "no tasks\n".to_owned() };
    let arrow = match charset {
        Charset::Unicode => " → ",
        Charset::Ascii => " -> ",
    };
    let mut out = String::from("\n");
    let shown = list::names(graph, &path, arrow);
    let _ = writeln!(out, "critical path: {shown} ({})", duration(graph.node(*first).priority));
    for edge in graph.edges() {
        if let EdgeReason::FileOrder { path } = &edge.why {
            let (a, b) = (&graph.node(edge.first).id, &graph.node(edge.then).id);
            let _ = writeln!(out, "added: {b} after {a}, because of `{}`", path.escape_debug());
        }
    }
    let _ = writeln!(out, "{}", outlook(graph));
    out
}

/// The boxes, or nothing if they do not fit.
fn boxes(graph: &Graph, plan: &Plan, options: &DrawOptions<'_>) -> Option<String> {
    let layers = Layers::new(graph, &essential(graph));
    let longest = graph.indices().map(|ix| width(&title(graph, plan, ix))).max().unwrap_or(0);
    for room in [longest.min(28), 20, 14, 0] {
        let sheet = Sheet::new(graph, plan, options, &layers, room);
        if sheet.width() <= options.width {
            return sheet.draw();
        }
    }
    None
}

struct Sheet<'a> {
    graph: &'a Graph,
    options: &'a DrawOptions<'a>,
    layers: &'a Layers,
    /// The lines inside each box.
    lines: Vec<Vec<String>>,
    /// Columns from the middle of a box to its edge.
    half: usize,
    middles: Vec<usize>,
    /// Rows a box takes.
    tall: usize,
}

impl<'a> Sheet<'a> {
    fn new(
        graph: &'a Graph,
        plan: &Plan,
        options: &'a DrawOptions<'a>,
        layers: &'a Layers,
        room: usize,
    ) -> Sheet<'a> {
        let lines: Vec<Vec<String>> = graph
            .indices()
            .map(|ix| {
                let title = folded(&title(graph, plan, ix), room, options.charset);
                let state = (options.state)(ix).map(|s| s.as_str().to_owned());
                let id = graph.node(ix).id.to_string();
                title.into_iter().chain([id]).chain(state).collect()
            })
            .collect();
        let inner = lines.iter().flatten().map(|l| width(l)).max().unwrap_or(0);
        let half = inner.div_ceil(2) + 2;
        let reach = i64::try_from(half).unwrap_or(i64::MAX / 4);
        let of = |cell| match cell {
            Cell::Task(_) | Cell::Thing => reach,
            Cell::Pass => 0,
        };
        let middles = layers.middles(of, 2);
        let middles = middles.into_iter().map(|m| usize::try_from(m).unwrap_or(0)).collect();
        let tall = lines.iter().map(Vec::len).max().unwrap_or(0) + 2;
        Sheet { graph, options, layers, lines, half, middles, tall }
    }

    fn half(&self, cell: usize) -> usize {
        match self.layers.cells[cell] {
            Cell::Task(_) | Cell::Thing => self.half,
            Cell::Pass => 0,
        }
    }

    fn width(&self) -> usize {
        (0..self.middles.len()).map(|c| self.middles[c] + self.half(c) + 1).max().unwrap_or(0)
    }

    fn draw(&self) -> Option<String> {
        let rows = self.layers.rows.windows(2);
        let channels: Vec<Channel> =
            rows.map(|pair| self.channel(&pair[0], &pair[1])).collect::<Option<_>>()?;
        let between: usize = channels.iter().map(|c| c.tracks + 2).sum();
        let tall = self.layers.rows.len() * self.tall + between;
        let mut canvas = Canvas::new(self.width(), tall, self.options.charset);
        let critical = self.graph.critical_path();
        let mut y = 0;
        for (at, row) in self.layers.rows.iter().enumerate() {
            for cell in row {
                self.cell(&mut canvas, *cell, y, &critical);
            }
            y += self.tall;
            if let Some(channel) = channels.get(at) {
                self.lines_between(&mut canvas, channel, y);
                y += channel.tracks + 2;
            }
        }
        Some(canvas.print())
    }

    /// Lines leave a box in its middle and may enter it a little beside.
    fn channel(&self, upper: &[usize], lower: &[usize]) -> Option<Channel> {
        let links: Vec<(usize, usize)> =
            upper.iter().flat_map(|c| self.layers.below(*c).iter().map(|d| (*c, *d))).collect();
        let tops = upper.iter().map(|c| (*c, self.middles[*c])).collect();
        let target =
            |c: &usize| RouteEnd { middle: self.middles[*c], reach: self.half(*c).saturating_sub(1) };
        channel(&links, &tops, &lower.iter().map(|c| (*c, target(c))).collect())
    }

    fn cell(&self, canvas: &mut Canvas, cell: usize, y: usize, critical: &[TaskIx]) {
        let middle = self.middles[cell];
        let Cell::Task(ix) = self.layers.cells[cell] else {
            canvas.down(middle, y, y + self.tall - 1);
            return;
        };
        let frame = if critical.contains(&ix) { BoxStyle::Marked } else { BoxStyle::Plain };
        let (left, right) = (middle - self.half, middle + self.half);
        canvas.frame((left, y), (right, y + self.tall - 1), frame);
        for (at, line) in self.lines[ix.at()].iter().enumerate() {
            let x = middle + 1 - width(line).div_ceil(2);
            canvas.write(x.max(left + 1), y + 1 + at, line);
        }
    }

    /// Draws the lines of a channel whose first row is `y`; the row above it is the lower edge of the boxes.
    fn lines_between(&self, canvas: &mut Canvas, channel: &Channel, y: usize) {
        let last = y + channel.tracks + 1;
        for net in &channel.nets {
            let turn = net.track.map_or(y, |track| y + 1 + track);
            let all = || net.tops.iter().chain(&net.bottoms);
            if let (Some(from), Some(to)) = (all().min(), all().max()) {
                canvas.across(turn, *from, *to);
            }
            for x in &net.tops {
                canvas.down(*x, y - 1, turn);
                canvas.join(*x, turn);
            }
            for x in &net.bottoms {
                canvas.down(*x, turn, last);
                canvas.join(*x, turn);
            }
        }
        for (cell, x) in &channel.entries {
            match self.layers.cells[*cell] {
                Cell::Task(_) | Cell::Thing => canvas.arrow(*x, last),
                Cell::Pass => canvas.down(*x, last, last + 1),
            }
        }
    }
}
