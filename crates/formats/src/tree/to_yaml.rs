//! Values as YAML on one line: bare words where they are safe, JSON's own notation otherwise.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Quoting, resolve};

/// A value in flow notation.
pub(crate) fn yaml_value(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Number(n) => out.push_str(&n.to_string()),
        Value::String(text) => write_text(text, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            out.push('{');
            for (i, (key, item)) in map.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                write_text(key, out);
                out.push_str(": ");
                write(item, out);
            }
            out.push('}');
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    if is_plain(text) { out.push_str(text) } else { write_quoted(text, out) }
}

/// Whether a string can be written without quotes anywhere and still be a string.
pub(crate) fn is_plain(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '.'));
    let ends =
        text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '.' | ')' | '-' | '*' | '+'));
    let inside = |c: char| {
        c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.' | '/' | '(' | ')' | '+' | '*' | '=')
    };
    let reserved = ["yes", "no", "on", "off", "y", "n"];
    starts
        && ends
        && text.len() <= 200
        && text.chars().all(inside)
        && !text.starts_with("...")
        && text.parse::<f64>().is_err()
        && !reserved.iter().any(|word| text.eq_ignore_ascii_case(word))
        && resolve(text, Quoting::Plain).is_string()
}

fn write_quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            _ if needs_escape(c) && u32::from(c) > 0xffff => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
            _ if needs_escape(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

/// Characters that YAML does not accept literally, or that are invisible.
fn needs_escape(c: char) -> bool {
    let code = u32::from(c);
    c.is_control()
        || matches!(code, 0x2028 | 0x2029 | 0xfeff | 0xfffe | 0xffff)
        || (code & 0xfffe) == 0xfffe
        || matches!(code, 0xfdd0..=0xfdef)
}
