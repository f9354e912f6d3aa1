//! Assertions that a macro of the test file makes: `#define CHECK_EQ(a, b) do { if ((a) != (b)) abort(); } while (0)` is laid open as a
//! function of the same name, with every byte in its place.

use std::borrow::Cow;

use crate::language::Language;
use crate::syntax::parses;

/// The file with its macros as functions.
pub(super) fn lay_open(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.windows(6).any(|window| window == b"define") {
        return Cow::Borrowed(bytes);
    }
    let mut text = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = definition_end(bytes, at);
        if let Some(laid) = as_function(&bytes[at..end]) {
            text[at..end].copy_from_slice(&laid);
        }
        at = end;
    }
    Cow::Owned(text)
}

/// The end of the line at a place, with the lines that it goes on in.
fn definition_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    loop {
        let Some(length) = bytes[at..].iter().position(|byte| *byte == b'\n') else { return bytes.len() };
        let line = bytes[at..at + length].strip_suffix(b"\r").unwrap_or(&bytes[at..at + length]);
        at += length + 1;
        if !line.ends_with(b"\\") || at >= bytes.len() {
            return at;
        }
    }
}

/// The lines of a macro with parameters as a function of the same size.
fn as_function(lines: &[u8]) -> Option<Vec<u8>> {
    let word = lines.strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"define")?;
    let name = lines.len() - word.trim_ascii_start().len();
    let open = name + lines[name..].iter().position(|byte| *byte == b'(')?;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let close = open + lines[open..].iter().position(|byte| *byte == b')')?;
    let is_parameter = |byte: &u8| is_name(byte) || b", .".contains(byte);
    if open == name
        || !lines[name..open].iter().all(is_name)
        || !lines[open + 1..close].iter().all(is_parameter)
        || !lines[close + 1..].first().is_some_and(|byte| b" \t\\".contains(byte))
        || !lines.ends_with(b"\n")
        || lines[close..].windows(2).any(|pair| pair == b"##")
    {
        return None;
    }
    let mut out = lines.to_vec();
    out[..name].fill(b' ');
    // The end of the line stands in front, so that the lines behind keep their numbers.
    out[..5].copy_from_slice(b"void\n");
    for at in close + 1..lines.len() {
        let goes_on = lines[at] == b'\\' && matches!(lines.get(at + 1), Some(b'\n' | b'\r'));
        if goes_on {
            out[at] = b' ';
        }
        // `#value` is the text of an argument, which is only printed.
        if lines[at] == b'#' {
            let end = at + 1 + lines[at + 1..].iter().take_while(|byte| is_name(byte)).count();
            out[at..end].fill(b' ');
            out[at] = b'0';
        }
    }
    out[close + 1] = b'{';
    *out.last_mut()? = b'}';
    let body = out[close + 2..out.len() - 1].trim_ascii_end();
    let ends = body.is_empty() || body.ends_with(b";") || body.ends_with(b"}");
    let whole = [&out[..out.len() - 1], if ends { b"" } else { b";" }, b"}"].concat();
    (!body.is_empty() && parses(Language::Cpp, &whole).is_ok()).then_some(out)
}
