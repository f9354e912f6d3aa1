//! Output of tools as plain text: no terminal codes, no JSON envelopes, always valid UTF-8.
//!
//! Knows how tools wrap what they print; does not know what the words mean.

use std::borrow::Cow;

use serde_json::Value;

/// Removes terminal escape sequences and turns carriage returns into line ends.
pub(crate) fn strip_ansi(text: &str) -> Cow<'_, str> {
    if !text.contains(['\x1b', '\r', '\u{9b}']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\x1b' => skip_escape(&mut chars),
            '\u{9b}' => skip_control(&mut chars),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' => out.push('\n'),
            other => out.push(other),
        }
    }
    Cow::Owned(out)
}

fn skip_escape(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.next() {
        Some('[') => skip_control(chars),
        // An operating system command runs to BEL or to `ESC \`; a lost end must not swallow the line.
        Some(']') => {
            while let Some(c) = chars.next_if(|c| *c != '\n') {
                if c == '\x07' {
                    break;
                }
                if c == '\x1b' {
                    chars.next_if_eq(&'\\');
                    break;
                }
            }
        }
        _ => {}
    }
}

fn skip_control(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while let Some(c) = chars.next_if(|c| ('\x20'..='\x7e').contains(c)) {
        if ('\x40'..='\x7e').contains(&c) {
            break;
        }
    }
}

/// What a person would have read: terminal codes removed, and the text taken out of the JSON lines that the
/// instrumented runners print.
pub fn plain(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let text = strip_ansi(&text);
    if !text.lines().any(|line| line.starts_with('{')) {
        return text.into_owned();
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match unwrap_json_line(line) {
            Some(inner) => out.push_str(&inner),
            None => out.push_str(line),
        }
    }
    out
}

/// The text inside one line of `go test -json`, or nothing for one of nextest's event lines (its text is printed
/// beside them). `None` when the line is neither.
fn unwrap_json_line(line: &str) -> Option<String> {
    if !line.starts_with("{\"") {
        return None;
    }
    let value: Value = serde_json::from_str(line.trim_end()).ok()?;
    let is_go = value.get("Action").is_some();
    let is_nextest = matches!(value.get("type").and_then(Value::as_str), Some("suite" | "test"))
        && value.get("event").is_some();
    if is_go {
        let output = value.get("Output").and_then(Value::as_str).unwrap_or_default();
        Some(strip_ansi(output).into_owned())
    } else if is_nextest {
        Some(String::new())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escapes_go_and_text_stays() {
        let table = [
            ("plain", "plain"),
            ("\x1b[31mred\x1b[0m", "red"),
            ("\x1b[38;5;246mx\x1b[0m", "x"),
            ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "link"),
            ("a\r\nb\rc", "a\nb\nc"),
            ("cut \x1b[", "cut "),
            ("\x1b]never ended\nnext", "\nnext"),
        ];
        for (input, expected) in table {
            assert_eq!(strip_ansi(input), expected, "{input:?}");
        }
    }

    #[test]
    fn json_lines_become_text() {
        let go = br#"{"Action":"output","Package":"p","Test":"T","Output":"    a_test.go:4: got 3\n"}
{"Action":"fail","Package":"p","Test":"T"}
plain line
{"type":"test","event":"ok","name":"a$b"}
{"my":"own json"}
"#;
        assert_eq!(plain(go), "    a_test.go:4: got 3\nplain line\n{\"my\":\"own json\"}\n");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn any_bytes_are_fine(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let text = plain(&bytes);
            prop_assert!(!text.contains('\x1b'));
        }
    }
}
