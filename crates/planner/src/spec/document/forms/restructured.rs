//! reStructuredText → Markdown: underlined headings, directives, literal blocks, double backticks.

use super::{MarkdownDraft, TextLine, cells, text_lines, write_code, write_table};

/// Directives whose text is part of the document.
const SPOKEN: [&str; 10] = [
    "note",
    "warning",
    "important",
    "tip",
    "hint",
    "attention",
    "caution",
    "admonition",
    "versionadded",
    "versionchanged",
];

/// The Markdown of a reStructuredText.
pub(super) fn as_markdown(text: &str) -> MarkdownDraft {
    let lines = text_lines(text);
    let mut writer = RestructuredWriter::default();
    let mut at = 0;
    while at < lines.len() {
        at = writer.take(&lines, at);
    }
    writer.draft
}

#[derive(Default)]
struct RestructuredWriter {
    draft: MarkdownDraft,
    /// The styles of headings in the order they are met: the mark, and whether there is one above, too.
    styles: Vec<(char, bool)>,
    /// The indents of the open list items.
    list: Vec<usize>,
}

impl RestructuredWriter {
    /// Writes what is at a line; returns the line behind it.
    fn take(&mut self, lines: &[TextLine<'_>], at: usize) -> usize {
        let line = &lines[at];
        if line.is_blank() {
            self.draft.blank();
            return at + 1;
        }
        if let Some(next) = self.heading(lines, at) {
            return next;
        }
        if let Some(rest) = line.body.strip_prefix(".. ") {
            return self.directive(lines, at, rest);
        }
        if line.body.starts_with(">>> ") {
            let length = lines[at..].iter().take_while(|l| !l.is_blank()).count();
            write_code(&mut self.draft, "python", &lines[at..at + length]);
            return at + length;
        }
        if line.body.starts_with("+-") {
            let length = lines[at..].iter().take_while(|l| l.body.starts_with(['+', '|'])).count();
            write_table(&mut self.draft, &grid_rows(&lines[at..at + length]), line.at);
            return at + length;
        }
        // `:Author: R. Example` is about the document.
        let is_field = line.body.starts_with(':') && line.body[1..].contains(": ");
        if is_field && self.styles.len() < 2 {
            return at + 1;
        }
        self.words(lines, at)
    }

    /// A heading with a line of marks below it, and perhaps above it.
    fn heading(&mut self, lines: &[TextLine<'_>], at: usize) -> Option<usize> {
        let mark = |n: usize| lines.get(n).and_then(|l| rule(l).map(|mark| (mark, l.body.chars().count())));
        let over = mark(at).filter(|over| mark(at + 2).is_some_and(|under| under.0 == over.0));
        let named = if over.is_some() { at + 1 } else { at };
        let line = lines.get(named).filter(|l| !l.is_blank() && rule(l).is_none())?;
        let (mark, length) = mark(named + 1)?;
        if length + 2 < line.body.chars().count() || (over.is_none() && line.indent > 0) {
            return None;
        }
        let style = (mark, over.is_some());
        if !self.styles.contains(&style) {
            self.styles.push(style);
        }
        let level = self.styles.iter().position(|s| *s == style).unwrap_or(0) + 1;
        self.list.clear();
        self.draft.blank();
        self.draft.line(&format!("{} ", "#".repeat(level.min(6))), &inline(line.body), line.at);
        self.draft.blank();
        Some(named + 2)
    }

    /// A directive or a comment with the lines that are indented below it.
    fn directive(&mut self, lines: &[TextLine<'_>], at: usize, rest: &str) -> usize {
        let line = &lines[at];
        let body = indented(lines, at + 1, line.indent);
        let Some((name, argument)) = rest.split_once("::") else { return at + 1 + body };
        let options = lines[at + 1..at + 1 + body].iter().take_while(|l| l.body.starts_with(':')).count();
        let inner = &lines[at + 1 + options..at + 1 + body];
        if matches!(name, "code-block" | "code" | "sourcecode" | "highlight" | "parsed-literal") {
            let blank = inner.iter().take_while(|l| l.is_blank()).count();
            write_code(&mut self.draft, argument.trim(), &inner[blank..]);
        } else if SPOKEN.contains(&name) {
            self.draft.blank();
            if !argument.trim().is_empty() {
                self.draft.line("", &inline(argument.trim()), line.at);
            }
            for line in inner {
                self.draft.line("", &inline(line.body), line.at);
            }
            self.draft.blank();
        }
        at + 1 + body
    }

    /// An item or a line of a paragraph; `::` at its end opens a literal block.
    fn words(&mut self, lines: &[TextLine<'_>], at: usize) -> usize {
        let line = &lines[at];
        let item =
            line.bullet().or_else(|| line.body.strip_prefix("#. ")).or_else(|| line.number().map(|n| n.1));
        let body = item.unwrap_or(line.body);
        let opens = body.ends_with("::");
        let said = if opens { &body[..body.len() - 1] } else { body };
        let said = if said == ":" { "" } else { said };
        let place = line.at + line.body.len() - body.len();
        if item.is_some() {
            while self.list.last().is_some_and(|open| *open > line.indent) {
                self.list.pop();
            }
            if self.list.last() != Some(&line.indent) {
                self.list.push(line.indent);
            }
            let lead = format!("{}- ", "  ".repeat(self.list.len().min(6) - 1));
            self.draft.line(&lead, &inline(said), place);
        } else if self.list.last().is_some_and(|open| line.indent > *open) {
            self.draft.line(&"  ".repeat(self.list.len().min(6)), &inline(said), place);
        } else {
            self.list.clear();
            self.draft.line("", &inline(said), place);
        }
        if !opens {
            return at + 1;
        }
        let length = indented(lines, at + 1, line.indent);
        let inner = &lines[at + 1..at + 1 + length];
        let blank = inner.iter().take_while(|l| l.is_blank()).count();
        if blank < inner.len() {
            write_code(&mut self.draft, "", &inner[blank..]);
        }
        at + 1 + length
    }
}

/// How many of the following lines are blank or indented deeper; blank ones at the end do not count.
fn indented(lines: &[TextLine<'_>], from: usize, indent: usize) -> usize {
    let length = lines[from..].iter().take_while(|l| l.is_blank() || l.indent > indent).count();
    lines[from..from + length].iter().rposition(|l| !l.is_blank()).map_or(0, |last| last + 1)
}

/// The mark of a line that is nothing but one mark.
fn rule(line: &TextLine<'_>) -> Option<char> {
    let first = line.body.chars().next().filter(char::is_ascii_punctuation)?;
    (line.body.chars().count() >= 3 && line.body.chars().all(|c| c == first)).then_some(first)
}

/// The rows of a table that is drawn with `+---+` and bars.
fn grid_rows(lines: &[TextLine<'_>]) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut open = false;
    for line in lines {
        if line.body.starts_with('+') {
            open = false;
            continue;
        }
        let own = cells(line.body);
        match rows.last_mut().filter(|_| open) {
            Some(row) => {
                for (cell, more) in row.iter_mut().zip(own) {
                    let joined = format!("{cell} {more}");
                    joined.trim().clone_into(cell);
                }
            }
            None => rows.push(own),
        }
        open = true;
    }
    rows.into_iter().map(|row| row.iter().map(|cell| inline(cell)).collect()).collect()
}

/// Code in running text has single backticks; roles are left out: ``:func:`read` ``.
fn inline(words: &str) -> String {
    let mut out = String::new();
    for (at, piece) in words.replace("``", "`").split('`').enumerate() {
        if at > 0 {
            out.push('`');
        }
        let role = piece.rsplit_once(' ').map_or(piece, |(_, last)| last);
        let is_role = at % 2 == 0 && role.len() > 2 && role.starts_with(':') && role.ends_with(':');
        out.push_str(if is_role { &piece[..piece.len() - role.len()] } else { piece });
    }
    out
}
