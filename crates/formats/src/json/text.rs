//! JSON text from values, and the forms of numbers and keys in it.

use serde_json::{Number, Value};

use super::node::JsonNode;

/// The keys of an object, in the order written.
pub(crate) fn key_list(node: &JsonNode<'_>) -> String {
    let mut list = String::new();
    for member in node.members() {
        if !list.is_empty() {
            list.push(' ');
        }
        list.push_str(&member.key);
    }
    list
}

/// A number as JSON; whole numbers without a fraction.
pub(crate) fn number(n: f64) -> Value {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the range is checked, and only whole numbers get here"
    )]
    if n.fract() == 0.0 && n.abs() < 9.0e15 {
        return Value::from(n as i64);
    }
    Number::from_f64(n).map_or(Value::Null, Value::Number)
}

/// The text of a JSON file: two blanks of indent, a line feed at the end.
pub(crate) fn to_text(value: &Value) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}
