//! Writes the lines of a plain text as Markdown.

use super::Moved;
use super::headings::{Headings, is_sentence};
use super::line::{Line, Style};
use super::regions::Region;
use crate::spec::ids;

/// Lists are not nested deeper than this.
const DEEPEST: usize = 8;

/// Markdown in the making.
#[derive(Default)]
pub(super) struct Written {
    text: String,
    moved: Vec<Moved>,
    /// Where the open items of lists are indented.
    list: Vec<usize>,
}

impl Written {
    /// The Markdown of these lines, and where each came from.
    pub(super) fn of(lines: &[Line<'_>], headings: &Headings) -> (String, Vec<Moved>) {
        let mut written = Written::default();
        for at in 0..lines.len() {
            let region = headings.regions[at];
            let same = |n: Option<usize>| n.and_then(|n| headings.regions.get(n)) == Some(&region);
            let (first, last) = (!same(at.checked_sub(1)), !same(at.checked_add(1)));
            match region {
                Region::Fenced => written.verbatim(&lines[at]),
                Region::Code => written.code(&lines[at], first, last),
                Region::Table => written.row(lines, at, first, last),
                Region::Prose => written.prose(lines, at, headings),
            }
        }
        (written.text, written.moved)
    }

    fn line(&mut self, before: &str, words: &str, at: usize) {
        let new = self.text.len();
        self.moved.push(Moved { new, lead: before.len(), old: at, length: words.len().max(1) });
        self.text.push_str(before);
        self.text.push_str(words);
        self.text.push('\n');
    }

    /// Marks that are set before a line belong to it.
    fn begins(&mut self, line: &Line<'_>) {
        self.moved.push(Moved { new: self.text.len(), lead: 0, old: line.at, length: 1 });
    }

    fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn verbatim(&mut self, line: &Line<'_>) {
        self.list.clear();
        self.line(&" ".repeat(line.indent), line.body, line.at);
    }

    fn code(&mut self, line: &Line<'_>, first: bool, last: bool) {
        self.list.clear();
        if first {
            self.blank();
            self.begins(line);
            self.text.push_str("~~~~\n");
        }
        self.line(&" ".repeat(line.indent), line.body, line.at);
        if last {
            self.text.push_str("~~~~\n\n");
        }
    }

    /// A row; pairs of a name and a value have no head.
    fn row(&mut self, lines: &[Line<'_>], at: usize, first: bool, last: bool) {
        self.list.clear();
        let line = &lines[at];
        let cells = line.cells().unwrap_or_default();
        if first {
            self.blank();
            self.begins(line);
            let width = lines[at..].iter().map_while(Line::cells).map(|c| c.len()).max().unwrap_or(1);
            let pairs = width == 2 && !is_head(&cells);
            if pairs {
                self.text.push_str("| | |\n");
                self.text.push_str("|---|---|\n");
            }
            self.cells(&cells, line);
            if !pairs {
                self.text.push_str(&"|---".repeat(width));
                self.text.push_str("|\n");
            }
        } else {
            self.cells(&cells, line);
        }
        if last {
            self.blank();
        }
    }

    fn cells(&mut self, cells: &[&str], line: &Line<'_>) {
        let mut from = 0;
        for cell in cells {
            let at = line.body[from..].find(cell).map_or(from, |n| from + n);
            self.moved.push(Moved { new: self.text.len(), lead: 2, old: line.at + at, length: cell.len() });
            self.text.push_str("| ");
            self.text.push_str(&cell.replace('|', "\\|"));
            self.text.push(' ');
            from = at + cell.len();
        }
        self.text.push_str("|\n");
    }

    fn prose(&mut self, lines: &[Line<'_>], at: usize, headings: &Headings) {
        let line = &lines[at];
        if line.is_blank() || line.rule().is_some() {
            self.blank();
        } else if let Some(heading) = headings.at(at) {
            self.list.clear();
            self.blank();
            let words = &line.body[heading.from..heading.from + heading.length];
            self.line(&format!("{} ", "#".repeat(heading.level)), words, line.at + heading.from);
            self.blank();
        } else if let Some(words) = item(line) {
            self.item(line, words);
        } else {
            self.words(lines, at);
        }
    }

    fn item(&mut self, line: &Line<'_>, words: &str) {
        if self.list.is_empty() {
            self.blank();
        }
        while self.list.last().is_some_and(|open| *open > line.indent) {
            self.list.pop();
        }
        if self.list.last() != Some(&line.indent) {
            self.list.push(line.indent);
        }
        let depth = (self.list.len() - 1).min(DEEPEST);
        let from = line.body.len() - words.len();
        self.line(&format!("{}- ", "  ".repeat(depth)), words, line.at + from);
    }

    fn words(&mut self, lines: &[Line<'_>], at: usize) {
        let line = &lines[at];
        let close = at > 0 && !lines[at - 1].is_blank();
        let deeper = self.list.last().is_some_and(|open| line.indent > *open);
        let goes_on = close && line.body.starts_with(char::is_lowercase);
        if !self.list.is_empty() && (deeper || goes_on) {
            let depth = self.list.len().min(DEEPEST + 1);
            self.line(&"  ".repeat(depth), line.body, line.at);
            return;
        }
        let label = line.body.ends_with(':') && line.body.chars().count() <= 80;
        if !self.list.is_empty() || label || begins(line.body) {
            self.list.clear();
            self.blank();
        }
        self.line("", line.body, line.at);
        if label {
            self.blank();
        }
    }
}

/// What an item of a list says: behind a bullet, behind a number, or with the id of a requirement.
fn item<'t>(line: &Line<'t>) -> Option<&'t str> {
    let numbered = || {
        let (number, rest) = line.number()?;
        // `1.5 seconds` is no item.
        let counted =
            number.style != Style::Decimal || is_sentence(rest) || rest.starts_with(char::is_uppercase);
        counted.then_some(rest)
    };
    let stated = || ids::requirement(line.body).filter(|(_, rest)| !rest.is_empty()).map(|_| line.body);
    let story = || ids::story(line.body).filter(|(_, rest)| !rest.is_empty()).map(|_| line.body);
    line.bullet().or_else(numbered).or_else(stated).or_else(story)
}

/// Whether a line begins a paragraph wherever it stands.
fn begins(body: &str) -> bool {
    ["As a ", "As an ", "As the ", "Given ", "GIVEN ", "Scenario:"].iter().any(|open| body.starts_with(open))
}

/// Whether the first row of pairs names its columns.
fn is_head(cells: &[&str]) -> bool {
    const HEADS: [&str; 12] = [
        "field",
        "name",
        "requirement",
        "id",
        "file",
        "method",
        "endpoint",
        "component",
        "task",
        "risk",
        "feature",
        "criterion",
    ];
    cells.first().is_some_and(|cell| HEADS.contains(&cell.to_lowercase().as_str()))
}
