//! The types inside a value that is kept as it is written: every member that has another type is reported at its place.

use super::node::{JsonKind, JsonNode};
use super::values::ValueReader;
use crate::reading::code;
use windlass_core::diagnostic::Severity;

/// The type of a value. Members that a shape does not name may have any.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape {
    /// Anything but null.
    Any,
    /// A string.
    Text,
    /// A string that says something.
    Name,
    /// A whole number from 1.
    Number,
    /// A whole number from 1, or a string that says something.
    Label,
    /// `true` or `false`.
    Flag,
    /// A list of such values.
    List(&'static Shape),
    /// A string, or a list of strings.
    Texts,
    /// An object with such members; a member may be absent or null.
    Object(&'static [(&'static str, Shape)]),
    /// A string that says something, or an object with such members.
    TextOrObject(&'static [(&'static str, Shape)]),
}

impl Shape {
    fn wanted(self) -> &'static str {
        match self {
            Shape::Any => "a value",
            Shape::Text => "a string",
            Shape::Name => "a string that is not empty",
            Shape::Number => "a whole number from 1",
            Shape::Label => "a whole number from 1 or a string",
            Shape::Flag => "true or false",
            Shape::List(_) => "a list",
            Shape::Texts => "a string or a list of strings",
            Shape::Object(_) => "an object",
            Shape::TextOrObject(_) => "a string or an object",
        }
    }
}

impl ValueReader<'_> {
    /// Reports what does not have its type; whether there is nothing to report.
    pub(crate) fn fits(&mut self, node: &JsonNode<'_>, shape: Shape) -> bool {
        let known = self.out.len();
        match (shape, &node.kind) {
            (Shape::Any, kind) if !matches!(kind, JsonKind::Null) => {}
            (Shape::Text | Shape::Texts, JsonKind::Text(_)) | (Shape::Flag, JsonKind::Bool(_)) => {}
            (Shape::Name | Shape::Label | Shape::TextOrObject(_), JsonKind::Text(text))
                if !text.trim().is_empty() => {}
            (Shape::Number | Shape::Label, JsonKind::Number(digits)) => {
                if !digits.parse::<u64>().is_ok_and(|number| number >= 1) {
                    let message = format!("{} expected, this is {digits}", Shape::Number.wanted());
                    self.find(code::WRONG_TYPE, Severity::Error, node, message);
                }
            }
            (Shape::List(shape), JsonKind::List(items)) => {
                for item in items {
                    self.fits(item, *shape);
                }
            }
            (Shape::Texts, JsonKind::List(items)) => {
                for item in items {
                    self.fits(item, Shape::Text);
                }
            }
            (Shape::Object(members) | Shape::TextOrObject(members), JsonKind::Object(_)) => {
                for (key, shape) in members {
                    if let Some(value) = node.get(key).filter(|value| !value.is_null()) {
                        self.fits(value, *shape);
                    }
                }
            }
            (shape, _) => self.wrong_item(node, shape.wanted()),
        }
        self.out.len() == known
    }
}

#[cfg(test)]
mod tests {
    use super::Shape::{Any, Flag, Label, List, Name, Number, Object, Text, TextOrObject, Texts};
    use crate::json::{ValueReader, parse};
    use windlass_core::diagnostic::Sources;

    #[test]
    fn every_member_is_looked_at() {
        let members: &[_] = &[("name", Text), ("count", Number), ("on", Flag), ("lines", Texts)];
        let table = [
            (Text, "\"a\"", 0),
            (Text, "7", 1),
            (Name, "\"\"", 1),
            (Number, "1", 0),
            (Number, "0", 1),
            (Number, "-1", 1),
            (Number, "1.5", 1),
            (Number, "\"1\"", 1),
            (Label, "\"1\"", 0),
            (Label, "\" \"", 1),
            (Flag, "\"yes\"", 1),
            (Any, "{}", 0),
            (Any, "null", 1),
            (List(&Text), "[\"a\", 7, null]", 2),
            (List(&Text), "{}", 1),
            (Texts, "[\"a\", {}]", 1),
            (
                Object(members),
                "{\"name\": \"a\", \"count\": 2, \"on\": true, \"lines\": \"b\", \"more\": 7}",
                0,
            ),
            (Object(members), "{\"name\": [], \"count\": \"2\", \"on\": 1, \"lines\": 7}", 4),
            (Object(members), "{\"name\": null}", 0),
            (Object(members), "\"a\"", 1),
            (TextOrObject(members), "\"a\"", 0),
            (TextOrObject(members), "\"\"", 1),
            (TextOrObject(members), "{\"name\": 7}", 1),
        ];
        for (shape, text, expected) in table {
            let mut sources = Sources::default();
            let file = sources.add("a.json", text);
            let mut found = Vec::new();
            let node = parse(text, file, &mut found).unwrap();
            assert_eq!(ValueReader::new(file, &mut found).fits(&node, shape), expected == 0, "{text}");
            assert_eq!(found.len(), expected, "{shape:?} {text}: {found:?}");
        }
    }
}
