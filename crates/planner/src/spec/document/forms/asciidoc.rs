//! AsciiDoc → Markdown.

use super::{MarkdownDraft, TextLine, text_lines, write_code, write_table};

/// The Markdown of an AsciiDoc text.
pub(super) fn as_markdown(text: &str) -> MarkdownDraft {
    let lines = text_lines(text);
    let mut writer = AsciiDocWriter::default();
    let mut at = 0;
    while at < lines.len() {
        at = writer.take(&lines, at);
    }
    writer.draft
}

#[derive(Default)]
struct AsciiDocWriter {
    draft: MarkdownDraft,
    /// The language of the next block of code.
    info: String,
}

impl AsciiDocWriter {
    /// Writes what is at a line; returns the line behind it.
    fn take(&mut self, lines: &[TextLine<'_>], at: usize) -> usize {
        let line = &lines[at];
        let body = line.body;
        if body.is_empty() {
            self.draft.blank();
            return at + 1;
        }
        if let Some((level, name)) = heading(body) {
            self.draft.blank();
            self.draft.line(&format!("{} ", "#".repeat(level)), name, line.at + body.len() - name.len());
            self.draft.blank();
            // The lines below the title are about the document.
            let header = lines[at + 1..].iter().take_while(|l| !l.is_blank()).count();
            return if level == 1 { at + 1 + header } else { at + 1 };
        }
        if is_delimiter(body, &['-', '.']) || body == "```" {
            let inner = lines[at + 1..].iter().take_while(|l| l.body != body).count();
            write_code(&mut self.draft, &std::mem::take(&mut self.info), &lines[at + 1..at + 1 + inner]);
            return at + inner + 2;
        }
        if body == "|===" {
            let inner = lines[at + 1..].iter().take_while(|l| l.body != "|===").count();
            write_table(&mut self.draft, &table_rows(&lines[at + 1..at + 1 + inner]), line.at);
            return at + inner + 2;
        }
        if let Some(inner) = body.strip_prefix('[').and_then(|b| b.strip_suffix(']')) {
            let mut parts = inner.split(',').map(str::trim);
            if matches!(parts.next(), Some("source" | "%source")) {
                parts.next().unwrap_or_default().clone_into(&mut self.info);
            }
            return at + 1;
        }
        let is_aside = is_delimiter(body, &['=', '*', '_', '+'])
            || body.starts_with("//")
            || body.starts_with("include::")
            || (body.starts_with(':') && body[1..].contains(':'));
        if !is_aside {
            self.words(line);
        }
        at + 1
    }

    fn words(&mut self, line: &TextLine<'_>) {
        let body = line.body;
        for mark in ['*', '.', '-'] {
            let depth = body.len() - body.trim_start_matches(mark).len();
            let words = body[depth..].strip_prefix(' ');
            if let Some(words) = words.filter(|w| (1..=5).contains(&depth) && !w.trim().is_empty()) {
                let words = words.trim();
                let at = line.at + body.len() - words.len();
                self.draft.line(&format!("{}- ", "  ".repeat(depth - 1)), words, at);
                return;
            }
        }
        if let Some((term, said)) = body.split_once(":: ") {
            self.draft.line("- ", &format!("**{term}**: {said}"), line.at);
            return;
        }
        // `.Title` names the block below it.
        let label = body.strip_prefix('.').filter(|rest| rest.starts_with(char::is_alphanumeric));
        if let Some(label) = label {
            self.draft.blank();
            self.draft.line("", &format!("**{label}**"), line.at);
            self.draft.blank();
            return;
        }
        self.draft.line("", body, line.at);
    }
}

/// The level and the words of a heading.
fn heading(body: &str) -> Option<(usize, &str)> {
    let level = body.len() - body.trim_start_matches('=').len();
    let words = body[level..].strip_prefix(' ')?.trim();
    ((1..=6).contains(&level) && !words.is_empty()).then_some((level, words))
}

/// Whether a line opens or closes a block: four or more of one mark.
fn is_delimiter(body: &str, marks: &[char]) -> bool {
    marks.iter().any(|mark| body.len() >= 4 && body.chars().all(|c| c == *mark))
}

/// The rows of a table: those of its first line have as many cells as every row.
fn table_rows(lines: &[TextLine<'_>]) -> Vec<Vec<String>> {
    let all = |line: &TextLine<'_>| -> Vec<String> {
        let cells = line.body.split('|').skip(1).map(|cell| cell.trim().to_owned());
        cells.collect()
    };
    let mut filled = lines.iter().filter(|l| l.body.starts_with('|'));
    let width = filled.next().map_or(1, |first| all(first).len()).max(1);
    let cells: Vec<String> = lines.iter().filter(|l| l.body.starts_with('|')).flat_map(all).collect();
    cells.chunks(width).map(<[String]>::to_vec).collect()
}
