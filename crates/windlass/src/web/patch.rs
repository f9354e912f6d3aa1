//! A patch as lines with their numbers on both sides, and with the colours of their language.

use std::ops::Range;

use serde::Serialize;
use windlass_code::syntax::{Language, TokenKind, colours};

/// A source file larger than this has no colours.
const COLOURED: usize = 512 * 1024;
/// A longer line is cut.
const LINE: usize = 2_000;

/// One place where a file changed, with the lines around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct PatchHunk {
    /// The function or section it is in, as git says.
    pub(super) within: String,
    /// Its lines.
    pub(super) lines: Vec<PatchLine>,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct PatchLine {
    /// `+`, `-` or a space.
    pub(super) side: char,
    /// Its number before and after, from 1; 0 where it is not.
    pub(super) at: (usize, usize),
    /// Its text in pieces, each with its kind: a letter, or nothing.
    pub(super) pieces: Vec<(String, &'static str)>,
}

/// The hunks of every file of a patch, in the order of the patch. A file without lines (binary, mode only) has none.
pub(super) fn hunks(patch: &str) -> Vec<Vec<PatchHunk>> {
    let mut files: Vec<Vec<PatchHunk>> = Vec::new();
    let (mut old, mut new) = (LinesLeft::default(), LinesLeft::default());
    for line in patch.split('\n') {
        let inside = old.lines + new.lines > 0;
        let file = files.last_mut();
        if inside && let Some(hunk) = file.and_then(|file| file.last_mut()) {
            if let Some(made) = patch_line(line, &mut old, &mut new) {
                hunk.lines.push(made);
            }
        } else if line.starts_with("diff --git ") {
            files.push(Vec::new());
        } else if let Some((from, to, within)) = heading(line)
            && let Some(file) = files.last_mut()
        {
            (old, new) = (from, to);
            file.push(PatchHunk { within, lines: Vec::new() });
        }
    }
    files
}

/// How many lines of a side are left of a hunk, and the number of the next.
#[derive(Debug, Clone, Copy, Default)]
struct LinesLeft {
    next: usize,
    lines: usize,
}

impl LinesLeft {
    fn take(&mut self) -> usize {
        let at = self.next;
        self.next += 1;
        self.lines = self.lines.saturating_sub(1);
        at
    }
}

/// `@@ -1,2 +3,4 @@ within`.
fn heading(line: &str) -> Option<(LinesLeft, LinesLeft, String)> {
    let (sides, within) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = sides.split_once(" +")?;
    let side = |text: &str| {
        let (next, lines) = text.split_once(',').unwrap_or((text, "1"));
        Some(LinesLeft { next: next.parse().ok()?, lines: lines.parse().ok()? })
    };
    Some((side(old)?, side(new)?, within.trim().to_owned()))
}

fn patch_line(line: &str, old: &mut LinesLeft, new: &mut LinesLeft) -> Option<PatchLine> {
    let (side, text) = line.chars().next().map_or((' ', ""), |side| (side, &line[side.len_utf8()..]));
    let at = match side {
        '+' => (0, new.take()),
        '-' => (old.take(), 0),
        ' ' => (old.take(), new.take()),
        // `\ No newline at end of file`
        _ => return None,
    };
    Some(PatchLine { side, at, pieces: vec![(text.to_owned(), "")] })
}

/// Gives the lines of a file the colours of its language.
pub(super) fn colour(hunks: &mut [PatchHunk], path: &str, old: &[u8], new: &[u8]) {
    let language = Language::of_path(path);
    let parts = |bytes: &[u8]| match language {
        Some(language) if bytes.len() <= COLOURED => by_line(bytes, &colours(language, bytes)),
        Some(_) | None => Vec::new(),
    };
    let (old, new) = (parts(old), parts(new));
    for line in hunks.iter_mut().flat_map(|hunk| &mut hunk.lines) {
        let (before, after) = line.at;
        let found = if after > 0 { new.get(after - 1) } else { old.get(before.wrapping_sub(1)) };
        let text = line.pieces.first().map(|(text, _)| text.clone()).unwrap_or_default();
        line.pieces = pieces(&text, found.map_or(&[], Vec::as_slice));
    }
}

type LineParts = Vec<(Range<usize>, TokenKind)>;

/// The parts of each line, as places in the line.
fn by_line(bytes: &[u8], parts: &[(Range<usize>, TokenKind)]) -> Vec<LineParts> {
    let mut lines: Vec<LineParts> = Vec::new();
    let (mut begin, mut next) = (0, 0);
    for line in bytes.split(|b| *b == b'\n') {
        let end = begin + line.len();
        let mut found = Vec::new();
        while let Some((range, kind)) = parts.get(next).filter(|(range, _)| range.start < end) {
            let (from, to) = (range.start.max(begin) - begin, range.end.min(end) - begin);
            if from < to {
                found.push((from..to, *kind));
            }
            if range.end > end {
                break;
            }
            next += 1;
        }
        lines.push(found);
        begin = end + 1;
    }
    lines
}

/// A line in pieces. Places that are not between characters are not used.
fn pieces(text: &str, parts: &[(Range<usize>, TokenKind)]) -> Vec<(String, &'static str)> {
    let shown = text.char_indices().nth(LINE).map_or(text, |(end, _)| &text[..end]);
    let (mut made, mut at) = (Vec::new(), 0);
    for (range, kind) in parts {
        let (Some(before), Some(part)) = (shown.get(at..range.start), shown.get(range.clone())) else {
            continue;
        };
        if !before.is_empty() {
            made.push((before.to_owned(), ""));
        }
        made.push((part.to_owned(), letter(*kind)));
        at = range.end;
    }
    let rest = shown.get(at..).unwrap_or_default();
    if !rest.is_empty() || made.is_empty() {
        made.push((rest.to_owned(), ""));
    }
    if shown.len() < text.len() {
        made.push(("…".to_owned(), ""));
    }
    made
}

fn letter(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Comment => "c",
        TokenKind::Text => "s",
        TokenKind::Number => "n",
        TokenKind::Keyword => "k",
        TokenKind::Type => "t",
        TokenKind::Function => "f",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "diff --git a/x.py b/x.py\nindex 1..2 100644\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,3 @@ class A\n def a():\n-    return 1\n+    \"\"\"two\n+    lines\"\"\"\n\\ No newline at end of file\ndiff --git a/b.bin b/b.bin\nGIT binary patch\nliteral 3\n";

    #[test]
    fn a_patch_is_read_line_by_line() {
        let mut files = hunks(PATCH);
        assert_eq!(files.len(), 2);
        assert!(files[1].is_empty(), "a binary file has no lines");
        assert_eq!(files[0][0].within, "class A");
        let told: Vec<_> = files[0][0].lines.iter().map(|l| (l.side, l.at)).collect();
        assert_eq!(told, [(' ', (1, 1)), ('-', (2, 0)), ('+', (0, 2)), ('+', (0, 3))]);
        colour(
            &mut files[0],
            "x.py",
            b"def a():\n    return 1\n",
            b"def a():\n    \"\"\"two\n    lines\"\"\"",
        );
        let piece = |line: usize| files[0][0].lines[line].pieces.clone();
        let is = |text: &str, kind: &'static str| (text.to_owned(), kind);
        assert_eq!(piece(0), [is("def", "k"), is(" ", ""), is("a", "f"), is("():", "")]);
        assert_eq!(piece(1), [is("    ", ""), is("return", "k"), is(" ", ""), is("1", "n")]);
        assert_eq!(piece(2), [is("    ", ""), is("\"\"\"two", "s")], "a text may have several lines");
        assert_eq!(piece(3), [is("    lines\"\"\"", "s")]);
    }

    #[test]
    fn a_line_that_looks_like_a_heading_is_a_line() {
        let patch = "diff --git a/a b/a\n@@ -1 +1,2 @@\n-diff --git a/x b/x\n+@@ -1 +1 @@\n+--- a/x\n";
        let files = hunks(patch);
        assert_eq!(files.len(), 1);
        let texts: Vec<&str> = files[0][0].lines.iter().map(|l| l.pieces[0].0.as_str()).collect();
        assert_eq!(texts, ["diff --git a/x b/x", "@@ -1 +1 @@", "--- a/x"]);
    }

    #[test]
    fn a_text_that_is_not_what_was_coloured_loses_nothing() {
        let parts = vec![(0..2, TokenKind::Keyword), (3..9, TokenKind::Text)];
        assert_eq!(pieces("ä€x", &parts).into_iter().map(|(text, _)| text).collect::<String>(), "ä€x");
        let long = "x".repeat(5_000);
        assert_eq!(pieces(&long, &[])[0].0.len(), LINE);
    }
}
