//! Fenced code: where it starts and ends, and its content. A longer fence may contain shorter ones.

use super::{SourceLine, TextSlice, lines};

/// The opening line of a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodeFence<'a> {
    mark: u8,
    length: usize,
    indent: usize,
    info: &'a str,
}

impl<'a> CodeFence<'a> {
    /// Reads a line as an opening fence.
    pub(crate) fn open(line: &'a str) -> Option<Self> {
        let trimmed = line.trim_start();
        let mark = *trimmed.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
        let length = trimmed.bytes().take_while(|b| *b == mark).count();
        let info = trimmed[length..].trim();
        let inline = mark == b'`' && info.contains('`');
        (length >= 3 && !inline).then_some(CodeFence {
            mark,
            length,
            indent: line.len() - trimmed.len(),
            info,
        })
    }

    /// Whether a line closes this fence.
    pub(crate) fn closes(&self, line: &str) -> bool {
        let trimmed = line.trim_start();
        let length = trimmed.bytes().take_while(|b| *b == self.mark).count();
        let indent = line.len() - trimmed.len();
        length >= self.length && trimmed[length..].trim().is_empty() && indent <= self.indent + 3
    }
}

/// A fenced piece of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FencedCode<'a> {
    /// Offset of the opening fence.
    pub(crate) at: usize,
    /// One past the closing fence.
    pub(crate) end: usize,
    /// The text after the opening fence.
    pub(crate) info: &'a str,
    /// The code, with the indentation of the fence taken off.
    pub(crate) text: String,
    /// Everything as written, fences included.
    pub(crate) raw: &'a str,
    /// Whether the fence is closed.
    pub(crate) closed: bool,
}

/// A piece of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BodyBlock<'a> {
    /// A line outside any fence.
    Text(SourceLine<'a>),
    /// Fenced code.
    Code(FencedCode<'a>),
}

/// A part of a document as lines and fenced code.
pub(crate) fn blocks<'a>(part: &TextSlice<'a>) -> Vec<BodyBlock<'a>> {
    let mut found = Vec::new();
    let mut open: Option<(CodeFence<'a>, FencedCode<'a>, usize)> = None;
    for line in lines(part.text, part.at) {
        match &mut open {
            None => match CodeFence::open(line.text) {
                Some(fence) => {
                    let text = String::new();
                    let (at, end, info) = (line.at, line.end(), fence.info);
                    open = Some((fence, FencedCode { at, end, info, text, raw: "", closed: false }, 0));
                }
                None => found.push(BodyBlock::Text(line)),
            },
            Some((fence, code, count)) => {
                code.end = line.end();
                code.raw = &part.text[code.at - part.at..code.end - part.at];
                if fence.closes(line.text) {
                    code.closed = true;
                    found.extend(open.take().map(|(_, code, _)| BodyBlock::Code(code)));
                } else {
                    if *count > 0 {
                        code.text.push('\n');
                    }
                    *count += 1;
                    code.text.push_str(unindent(line.text, fence.indent));
                }
            }
        }
    }
    found.extend(open.map(|(_, code, _)| BodyBlock::Code(code)));
    found
}

fn unindent(line: &str, by: usize) -> &str {
    let white = line.bytes().take(by).take_while(|b| matches!(b, b' ' | b'\t')).count();
    &line[white..]
}

/// Code inside a fence that is longer than any in it, indented by `indent` spaces.
pub(crate) fn fenced(code: &str, info: &str, indent: usize) -> String {
    let runs = code.lines().map(|l| l.trim_start().bytes().take_while(|b| *b == b'`').count());
    let mark = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    let pad = " ".repeat(indent);
    let mut out = format!("{pad}{mark}{info}\n");
    if !code.is_empty() {
        for line in code.split('\n') {
            if !line.is_empty() {
                out.push_str(&pad);
            }
            out.push_str(line);
            out.push('\n');
        }
    }
    out.push_str(&pad);
    out.push_str(&mark);
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<(String, String, bool)> {
        let part = TextSlice { at: 0, text };
        let code = |b| match b {
            BodyBlock::Code(c) => Some((c.info.to_owned(), c.text, c.closed)),
            BodyBlock::Text(_) => None,
        };
        blocks(&part).into_iter().filter_map(code).collect()
    }

    #[test]
    fn a_longer_fence_holds_a_shorter_one() {
        let text = "````md\n```py\nx\n```\n````\n~~~\n```\n~~~\n";
        let expected = [("md", "```py\nx\n```"), ("", "```")];
        let expected = expected.map(|(info, code)| (info.to_owned(), code.to_owned(), true));
        assert_eq!(codes(text), expected);
    }

    #[test]
    fn an_indented_fence_loses_its_indent_and_an_open_one_ends_with_the_text() {
        let text = "1. step\n   ```sh\n     a\n\n   b\n   ```\n```\nrest";
        let expected = [("sh", "  a\n\nb", true), ("", "rest", false)];
        assert_eq!(codes(text), expected.map(|(i, c, closed)| (i.to_owned(), c.to_owned(), closed)));
    }

    #[test]
    fn what_is_fenced_reads_back() {
        for code in ["", "a", "a\n", "\n", "```\nx\n```", "  ````\n", "~~~"] {
            for indent in [0, 3] {
                let text = fenced(code, "x", indent);
                assert_eq!(codes(&text), [("x".to_owned(), code.to_owned(), true)], "{code:?}");
            }
        }
    }
}
