//! The markup of Jira and Confluence → Markdown.

use super::{MarkdownDraft, TextLine, cells, text_lines, write_code, write_table};

/// Whether a text has headings that only this markup has: `h2. Description`.
pub(super) fn has_marks(text: &str) -> bool {
    text.lines().any(|line| heading(line.trim()).is_some())
}

/// The level and the words of a heading.
fn heading(body: &str) -> Option<(usize, &str)> {
    let rest = body.strip_prefix('h')?;
    let level = rest.chars().next()?.to_digit(10).filter(|n| (1..=6).contains(n))?;
    let words = rest[1..].strip_prefix(". ")?.trim();
    (!words.is_empty()).then_some((level as usize, words))
}

/// The Markdown of a text with this markup.
pub(super) fn as_markdown(text: &str) -> MarkdownDraft {
    let lines = text_lines(text);
    let mut draft = MarkdownDraft::default();
    let mut at = 0;
    // A line above the first heading names the whole.
    let first = lines.iter().position(|l| !l.is_blank());
    let titled = first.filter(|n| {
        let line = &lines[*n];
        heading(line.body).is_none()
            && line.body.split_whitespace().count() <= 14
            && lines.get(n + 1).is_none_or(TextLine::is_blank)
    });
    while at < lines.len() {
        if titled == Some(at) {
            draft.line("# ", lines[at].body, lines[at].at);
            draft.blank();
            at += 1;
        } else {
            at = take(&mut draft, &lines, at);
        }
    }
    draft
}

/// Writes what is at a line; returns the line behind it.
fn take(draft: &mut MarkdownDraft, lines: &[TextLine<'_>], at: usize) -> usize {
    let line = &lines[at];
    let body = line.body;
    if body.is_empty() {
        draft.blank();
        return at + 1;
    }
    if let Some((level, words)) = heading(body) {
        draft.blank();
        draft.line(&format!("{} ", "#".repeat(level)), words, line.at + body.len() - words.len());
        draft.blank();
        return at + 1;
    }
    for mark in ["{code", "{noformat"] {
        if let Some(rest) = body.strip_prefix(mark).filter(|rest| rest.starts_with([':', '}'])) {
            let info = rest.trim_start_matches(':').split(['}', '|']).next().unwrap_or_default();
            let inner = lines[at + 1..].iter().take_while(|l| !l.body.starts_with(mark)).count();
            write_code(draft, info, &lines[at + 1..at + 1 + inner]);
            return at + inner + 2;
        }
    }
    if body.starts_with('|') {
        let rows: Vec<Vec<String>> =
            lines[at..].iter().take_while(|l| l.body.starts_with('|')).map(|l| row(l.body)).collect();
        write_table(draft, &rows, line.at);
        return at + rows.len();
    }
    if ["{quote}", "{panel", "{info", "{note", "----"].iter().any(|mark| body.starts_with(mark)) {
        draft.blank();
        return at + 1;
    }
    let depth = body.len() - body.trim_start_matches(['*', '#', '-']).len();
    match body[depth..].strip_prefix(' ').filter(|_| (1..=5).contains(&depth)) {
        Some(words) => {
            let place = line.at + body.len() - words.len();
            draft.line(&format!("{}- ", "  ".repeat(depth - 1)), &inline(words.trim()), place);
        }
        None => draft.line("", &inline(body), line.at),
    }
    at + 1
}

/// The cells of a row; those of a head stand between double bars.
fn row(body: &str) -> Vec<String> {
    cells(&body.replace("||", "|")).iter().map(|cell| inline(cell)).collect()
}

/// Code in running text has backticks.
fn inline(words: &str) -> String {
    words.replace("{{", "`").replace("}}", "`")
}
