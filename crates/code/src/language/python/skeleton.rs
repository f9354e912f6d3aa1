//! Python: a text without the bodies of its functions.

use crate::syntax::skeleton::{StringSpan, find, line_length, text_length};

/// A text without what is indented below a `def`.
pub(crate) fn skeleton(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len() / 2);
    // The indentation of the `def` whose body is being passed over.
    let mut cut: Option<usize> = None;
    let mut at = 0;
    while at < bytes.len() {
        let end = statement_end(bytes, at)?;
        let line = &bytes[at..end];
        let indent = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let text = &line[indent..];
        let blank = text.is_empty() || matches!(text[0], b'\n' | b'\r' | b'#');
        if cut.is_some_and(|limit| blank || indent > limit) {
            out.extend(line.iter().filter(|byte| **byte == b'\n'));
        } else {
            cut = None;
            let opens = text.starts_with(b"def ") || text.starts_with(b"async def ");
            let trimmed = line.trim_ascii_end();
            if opens && trimmed.ends_with(b":") {
                out.extend_from_slice(trimmed);
                out.extend_from_slice(b" ...\n");
                cut = Some(indent);
            } else {
                out.extend_from_slice(line);
            }
        }
        at = end;
    }
    Some(out)
}

/// The end of the logical line that starts at `at`: past brackets and texts that go over several lines.
fn statement_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0usize;
    while at < bytes.len() {
        let rest = &bytes[at..];
        match bytes[at] {
            b'#' => at += line_length(rest),
            b'\n' if depth == 0 => return Some(at + 1),
            b'(' | b'[' | b'{' => {
                depth += 1;
                at += 1;
            }
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            b'\\' => at += 2,
            quote @ (b'"' | b'\'') => {
                let triple = [quote; 3];
                at += if rest.starts_with(&triple) {
                    3 + find(&rest[3..], &triple)? + 3
                } else {
                    text_length(rest, quote, StringSpan::Line)
                };
            }
            _ => at += 1,
        }
    }
    (depth == 0).then_some(bytes.len())
}
