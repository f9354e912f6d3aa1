//! Steps over bytes: to the end of a string, over blanks, over a whole value that is not wanted.

/// The first byte at or after `at` that ends the plain part of a string: a quote, a backslash or a control byte.
pub(super) fn string_stop(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let stop = rest.iter().position(|byte| matches!(byte, b'"' | b'\\') || *byte < 0x20);
    at + stop.unwrap_or(rest.len())
}

/// The first byte at or after `at` that is not blank.
pub(super) fn skip_blank(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// One past the closing quote of the string whose content starts at `at`; the end of the line if it has none.
pub(super) fn skip_string(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = string_stop(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return at + 1,
            Some(b'\\') => at = (at + 2).min(bytes.len()),
            Some(b'\n') | None => return at,
            Some(_) => at += 1,
        }
    }
}

/// The first `,`, `}` or `]` at or after `at` that belongs to the surrounding value, nested ones and strings skipped;
/// or the end of the line, if the next one begins with a key or closes the value.
pub(super) fn skip_to_delimiter(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0usize;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = skip_string(bytes, at + 1);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' if depth == 0 => return at,
            b'}' | b']' => depth -= 1,
            b'\n' if depth == 0 => {
                let next = skip_blank(bytes, at);
                if matches!(bytes.get(next), Some(b'"' | b'}' | b']')) {
                    return at;
                }
                at = next;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_stops_at_the_first_special_byte() {
        let table: [(&str, usize); 7] = [
            ("\"", 0),
            ("abc\"def", 3),
            ("abcdefgh\"", 8),
            ("abcdefghij\\n\"", 10),
            ("åäö tabs\tx\"", 11),
            ("no end at all, and long", 23),
            ("", 0),
        ];
        for (text, expected) in table {
            assert_eq!(string_stop(text.as_bytes(), 0), expected, "{text}");
        }
    }

    #[test]
    fn a_delimiter_is_found_behind_nested_values() {
        let text = br#"[1, {"a": "},"}], "b""#;
        assert_eq!(skip_to_delimiter(text, 0), 16);
        assert_eq!(skip_to_delimiter(b"oops here\n  \"next\": 1", 0), 9);
        assert_eq!(skip_to_delimiter(b"oops\n  here, x", 0), 11);
    }
}
