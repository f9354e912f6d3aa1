//! Writes the lines of a plain text as Markdown, with the place of each.

use super::headings::{Headings, is_sentence};
use super::lines::{NumberStyle, TextLine};
use super::regions::Region;
use crate::spec::document::source_text::MarkdownDraft;
use crate::spec::vocabulary::{ids, opens_story};

/// Lists are nested at most this deep.
const DEEPEST: usize = 8;

/// The Markdown written so far.
#[derive(Default)]
struct MarkdownRewriter {
    draft: MarkdownDraft,
    /// The indents of the open list items.
    list: Vec<usize>,
}

/// The Markdown of these lines.
pub(super) fn as_markdown(lines: &[TextLine<'_>], headings: &Headings) -> MarkdownDraft {
    let mut rewriter = MarkdownRewriter::default();
    for at in 0..lines.len() {
        let region = headings.regions[at];
        let same = |n: Option<usize>| n.and_then(|n| headings.regions.get(n)) == Some(&region);
        let (first, last) = (!same(at.checked_sub(1)), !same(at.checked_add(1)));
        match region {
            Region::Fenced => rewriter.verbatim(&lines[at]),
            Region::Code => rewriter.code(&lines[at], first, last),
            Region::Table => rewriter.row(lines, at, first, last),
            Region::Prose => rewriter.prose(lines, at, headings),
        }
    }
    rewriter.draft
}

impl MarkdownRewriter {
    fn verbatim(&mut self, line: &TextLine<'_>) {
        self.list.clear();
        self.draft.line(&" ".repeat(line.indent), line.body, line.at);
    }

    fn code(&mut self, line: &TextLine<'_>, first: bool, last: bool) {
        self.list.clear();
        if first {
            self.draft.blank();
            self.draft.begins(line.at);
            self.draft.text.push_str("~~~~\n");
        }
        self.draft.line(&" ".repeat(line.indent), line.body, line.at);
        if last {
            self.draft.text.push_str("~~~~\n\n");
        }
    }

    /// A row; a table of names and values gets an empty head.
    fn row(&mut self, lines: &[TextLine<'_>], at: usize, first: bool, last: bool) {
        self.list.clear();
        let line = &lines[at];
        let cells = line.cells().unwrap_or_default();
        if first {
            self.draft.blank();
            self.draft.begins(line.at);
            let width = lines[at..].iter().map_while(TextLine::cells).map(|c| c.len()).max().unwrap_or(1);
            let pairs = width == 2 && !is_head(&cells);
            if pairs {
                self.draft.text.push_str("| | |\n");
                self.draft.text.push_str("|---|---|\n");
            }
            self.cells(&cells, line);
            if !pairs {
                self.draft.text.push_str(&"|---".repeat(width));
                self.draft.text.push_str("|\n");
            }
        } else {
            self.cells(&cells, line);
        }
        if last {
            self.draft.blank();
        }
    }

    fn cells(&mut self, cells: &[&str], line: &TextLine<'_>) {
        let mut from = 0;
        for cell in cells {
            let at = line.body[from..].find(cell).map_or(from, |n| from + n);
            self.draft.piece("| ", &cell.replace('|', "\\|"), line.at + at);
            self.draft.text.push(' ');
            from = at + cell.len();
        }
        self.draft.text.push_str("|\n");
    }

    fn prose(&mut self, lines: &[TextLine<'_>], at: usize, headings: &Headings) {
        let line = &lines[at];
        if line.is_blank() || line.rule().is_some() {
            self.draft.blank();
        } else if let Some(heading) = headings.at(at) {
            self.list.clear();
            self.draft.blank();
            let words = &line.body[heading.from..heading.from + heading.length];
            self.draft.line(&format!("{} ", "#".repeat(heading.level)), words, line.at + heading.from);
            self.draft.blank();
        } else if let Some(words) = item_text(line) {
            self.item(line, words);
        } else {
            self.words(lines, at, headings);
        }
    }

    fn item(&mut self, line: &TextLine<'_>, words: &str) {
        if self.list.is_empty() {
            self.draft.blank();
        }
        while self.list.last().is_some_and(|open| *open > line.indent) {
            self.list.pop();
        }
        if self.list.last() != Some(&line.indent) {
            self.list.push(line.indent);
        }
        let depth = (self.list.len() - 1).min(DEEPEST);
        let from = line.body.len() - words.len();
        self.draft.line(&format!("{}- ", "  ".repeat(depth)), words, line.at + from);
    }

    fn words(&mut self, lines: &[TextLine<'_>], at: usize, headings: &Headings) {
        let line = &lines[at];
        if self.list.is_empty() && is_unmarked_item(lines, at, headings) {
            self.draft.blank();
            self.draft.line("- ", line.body, line.at);
            return;
        }
        let close = at > 0 && !lines[at - 1].is_blank();
        let deeper = self.list.last().is_some_and(|open| line.indent > *open);
        let goes_on = close && line.body.starts_with(char::is_lowercase);
        if !self.list.is_empty() && (deeper || goes_on) {
            let depth = self.list.len().min(DEEPEST + 1);
            self.draft.line(&"  ".repeat(depth), line.body, line.at);
            return;
        }
        let label = line.body.ends_with(':') && line.body.chars().count() <= 80;
        if !self.list.is_empty() || label || begins_paragraph(line.body) {
            self.list.clear();
            self.draft.blank();
        }
        self.draft.line("", line.body, line.at);
        if label {
            self.draft.blank();
        }
    }
}

/// The text of a list item: behind a bullet, behind a number, or from the id of a requirement or story on.
fn item_text<'t>(line: &TextLine<'t>) -> Option<&'t str> {
    let numbered = || {
        let (number, rest) = line.number()?;
        // `1.5 seconds` is not an item.
        let counted =
            number.style != NumberStyle::Decimal || is_sentence(rest) || rest.starts_with(char::is_uppercase);
        counted.then_some(rest)
    };
    let stated = || ids::requirement(line.body).filter(|(_, rest)| !rest.is_empty()).map(|_| line.body);
    let story = || ids::story(line.body).filter(|(_, rest)| !rest.is_empty()).map(|_| line.body);
    line.bullet().or_else(numbered).or_else(stated).or_else(story)
}

/// Whether a line is one of several short ones that follow each other: the items of a list whose marks were lost.
fn is_unmarked_item(lines: &[TextLine<'_>], at: usize, headings: &Headings) -> bool {
    const LONGEST: usize = 9;
    let is_short = |n: usize| {
        let line = &lines[n];
        let plain = line.bullet().is_none() && line.number().is_none() && line.cells().is_none();
        let whole = line.body.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
        let is_name = !line.body.ends_with(['.', ',', ':', ';', '?', '!', '：', '。'])
            && line.body.split_whitespace().count() <= LONGEST;
        headings.at(n).is_none() && plain && whole && is_name && !opens_story(line.body)
    };
    let begins =
        (0..at).rev().take_while(|n| !lines[*n].is_blank() && headings.at(*n).is_none()).last().unwrap_or(at);
    let run = begins..lines.len();
    let run: Vec<usize> = run.take_while(|n| !lines[*n].is_blank() && headings.at(*n).is_none()).collect();
    let lead = (0..begins).rev().find(|n| !lines[*n].is_blank());
    let is_introduced = lead.is_some_and(|n| lines[n].body.ends_with([':', '：']));
    let fewest = if is_introduced { 2 } else { 3 };
    run.len() >= fewest && run.into_iter().all(is_short)
}

/// Whether a line begins a paragraph even without a blank line above it.
fn begins_paragraph(body: &str) -> bool {
    opens_story(body) || ["Given ", "GIVEN ", "Scenario:"].iter().any(|open| body.starts_with(open))
}

/// Whether the first row of a table with two columns names them.
fn is_head(cells: &[&str]) -> bool {
    const HEADS: &str =
        "field name requirement id file method endpoint component task risk feature criterion";
    cells.first().is_some_and(|cell| HEADS.split(' ').any(|head| cell.to_lowercase() == head))
}
