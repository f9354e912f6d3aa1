//! One place in a source, drawn: the line it is on, and a mark under it.

use windlass_core::columns::columns;
use windlass_core::diagnostic::{Sources, Span};

use super::screen::{Paint, Screen, harmless};

/// How many columns stay free at the right of a source line.
const MARGIN: usize = 2;

/// A line of a source with the part that is meant.
pub(super) struct Snippet {
    /// The line's number.
    pub(super) line: u32,
    /// Path, line and column, as an editor takes them.
    pub(super) place: String,
    text: String,
    before: usize,
    marked: usize,
}

impl Snippet {
    /// The place of a span. A span over several lines is marked on its first.
    pub(super) fn new(sources: &Sources, span: Span, columns_left: usize) -> Self {
        let at = sources.position(span);
        let file = sources.file(span.file);
        let line = sources.line(span.file, at.line);
        let from = at.column as usize - 1;
        let length = file
            .text
            .get(span.start as usize..span.end as usize)
            .map_or(1, |marked| marked.lines().next().map_or(0, |first| first.chars().count()));
        let place = format!("{}:{}:{}", file.path, at.line, at.column);
        let (text, before, marked) = window(line, from, length, columns_left);
        Self { line: at.line, place, text, before, marked }
    }

    /// The source line and the mark below it, each behind a gutter of `gutter` columns.
    pub(super) fn draw(&self, screen: &Screen, gutter: usize, mark: Mark<'_>) -> String {
        let bar = |number: &str| screen.paint(Paint::Frame, &format!("{number:>gutter$} |"));
        let marks = mark.sign.repeat(self.marked.max(1));
        let label = if mark.label.is_empty() { String::new() } else { format!(" {}", mark.label) };
        let under = screen.paint(mark.paint, &format!("{marks}{label}"));
        format!(
            "{}\n{} {}\n{} {}{under}\n",
            bar(""),
            bar(&self.line.to_string()),
            self.text.trim_end(),
            bar(""),
            " ".repeat(self.before)
        )
    }
}

/// How a place is marked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark<'a> {
    pub(super) sign: &'a str,
    pub(super) label: &'a str,
    pub(super) paint: Paint,
}

/// The part of a line that fits, with the marked part in it: text, columns before the mark, columns marked.
fn window(line: &str, from: usize, length: usize, room: usize) -> (String, usize, usize) {
    let room = room.saturating_sub(MARGIN).max(20);
    // A minified file is one line of megabytes: look only at what can be shown around the mark.
    let skip = if from + length.min(room / 2) > room { from.saturating_sub(room / 3) } else { 0 };
    let mut text = if skip > 0 { String::from("…") } else { String::new() };
    let mut taken = usize::from(skip > 0);
    let (mut before, mut marked) = (taken, 0);
    for (at, c) in line.chars().enumerate().skip(skip) {
        let shown: String = if c == '\t' { "    ".into() } else { harmless(c).into() };
        let wide: usize = shown.chars().map(columns).sum();
        if taken + wide > room {
            text.push('…');
            break;
        }
        if at < from {
            before += wide;
        } else if at < from + length {
            marked += wide;
        }
        taken += wide;
        text.push_str(&shown);
    }
    (text, before, marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_shown_around_its_mark() {
        let line = format!("{}MARK{}", "a".repeat(1000), "b".repeat(1000));
        let (text, before, marked) = window(&line, 1000, 4, 60);
        assert!(text.starts_with('…') && text.ends_with('…') && text.chars().count() <= 60, "{text}");
        let shown: String = text.chars().skip(before).take(marked).collect();
        assert_eq!(shown, "MARK");
        assert_eq!(window("\tx", 1, 1, 80), ("    x".into(), 4, 1));
        assert_eq!(window("日本 x", 3, 1, 80), ("日本 x".into(), 5, 1));
        assert_eq!(window("end", 3, 0, 80), ("end".into(), 3, 0));
    }
}
