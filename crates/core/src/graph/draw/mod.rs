//! The graph as a picture: text for a terminal, dot, mermaid and svg.
//!
//! Pure: a graph in, a text out. Every name from a plan is escaped for the language it lands in.

mod canvas;
mod dot;
mod layers;
mod list;
mod mermaid;
mod plot;
mod route;
mod svg;
mod text;

pub use dot::dot;
pub use mermaid::mermaid;
pub use plot::Plotted;
pub(crate) use plot::plot;
pub use svg::svg;
pub use text::text;

use super::{Graph, TaskIx};
use crate::columns::columns;
use crate::plan::Plan;
use crate::state::TaskState;

/// The characters a text drawing may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Charset {
    /// Box-drawing characters.
    #[default]
    Unicode,
    /// Plain ASCII.
    Ascii,
}

/// How to draw.
#[derive(Clone)]
pub struct DrawOptions<'a> {
    /// Columns a text drawing may take.
    pub width: usize,
    /// Its characters.
    pub charset: Charset,
    /// The state of a task, where one is known.
    pub state: &'a dyn Fn(TaskIx) -> Option<TaskState>,
}

impl Default for DrawOptions<'_> {
    fn default() -> Self {
        Self { width: 100, charset: Charset::Unicode, state: &|_| None }
    }
}

/// The title of a leaf on one line, without control characters.
fn title(graph: &Graph, plan: &Plan, ix: TaskIx) -> String {
    let title = plan.tasks.get(graph.node(ix).task).map_or("", |t| t.title.as_str());
    let clean: String = title.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Columns a text takes.
fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// The text, or as much of its beginning as fits with a mark that something is missing.
fn shorten(text: &str, room: usize, charset: Charset) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mark = match charset {
        Charset::Unicode => "…",
        Charset::Ascii => "~",
    };
    let mut out = String::new();
    let mut used = width(mark);
    for c in text.chars() {
        used += columns(c);
        if used > room {
            break;
        }
        out.push(c);
    }
    out.truncate(out.trim_end().len());
    out + mark
}

/// The text on at most two lines, broken between words; what does not fit on them is cut. No room, no lines.
fn folded(text: &str, room: usize, charset: Charset) -> Vec<String> {
    if room == 0 {
        return Vec::new();
    }
    let breaks = text.match_indices(' ').map(|(at, _)| at);
    let end =
        if width(text) <= room { None } else { breaks.take_while(|at| width(&text[..*at]) <= room).last() };
    match end {
        Some(end) => vec![text[..end].to_owned(), shorten(&text[end + 1..], room, charset)],
        None => vec![shorten(text, room, charset)],
    }
}

#[cfg(test)]
mod tests;
