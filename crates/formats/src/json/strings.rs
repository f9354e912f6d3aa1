//! Strings that are not plain: escapes, raw control characters, a missing end.

use super::parser::Parser;
use super::scan::string_stop;
use windlass_core::diagnostic::Severity;

/// The text of a string whose content starts at `start` and whose first special byte is at `stop`. Leaves the
/// parser after it.
pub(super) fn unescape(p: &mut Parser<'_, '_>, start: usize, mut stop: usize) -> String {
    let mut from = start;
    let mut text = String::new();
    loop {
        text.push_str(&p.text[from..stop]);
        match p.bytes.get(stop) {
            Some(b'"') => {
                p.at = stop + 1;
                return text;
            }
            Some(b'\\') => from = escape(p, stop, &mut text),
            Some(b'\n' | b'\r') | None => {
                p.find(Severity::Error, start - 1, "the string is not closed on its line");
                p.at = stop;
                return text;
            }
            Some(control) => {
                p.find(Severity::Warning, stop, "a raw control character in a string; it is read as written");
                text.push(char::from(*control));
                from = stop + 1;
            }
        }
        stop = string_stop(p.bytes, from);
    }
}

/// Reads the escape at `at` and returns where the plain text continues.
fn escape(p: &mut Parser<'_, '_>, at: usize, text: &mut String) -> usize {
    let plain = match p.bytes.get(at + 1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(quoted @ (b'"' | b'\\' | b'/')) => char::from(*quoted),
        Some(b'u') => return unicode(p, at, text),
        Some(_) => {
            p.find(Severity::Warning, at, "this escape is not JSON; it is read as written");
            text.push('\\');
            return at + 1;
        }
        None => return at + 1,
    };
    text.push(plain);
    at + 2
}

/// Reads `\uXXXX`, with its second half if it is a surrogate.
fn unicode(p: &mut Parser<'_, '_>, at: usize, text: &mut String) -> usize {
    let Some(first) = unit(p, at) else {
        p.find(Severity::Warning, at, "`\\u` needs four hexadecimal digits; it is read as written");
        text.push('\\');
        return at + 1;
    };
    if let Some(plain) = char::from_u32(first) {
        text.push(plain);
        return at + 6;
    }
    let second = if first < 0xdc00 { unit(p, at + 6).filter(|u| (0xdc00..0xe000).contains(u)) } else { None };
    let whole = second.and_then(|low| char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00)));
    if let Some(whole) = whole {
        text.push(whole);
        return at + 12;
    }
    p.find(
        Severity::Warning,
        at,
        "half of a surrogate pair is not a character; it is replaced by `\u{fffd}`",
    );
    text.push('\u{fffd}');
    at + 6
}

fn unit(p: &Parser<'_, '_>, at: usize) -> Option<u32> {
    let escape = p.bytes.get(at..at + 6)?;
    let digits = escape.strip_prefix(b"\\u")?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
