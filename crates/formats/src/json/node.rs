//! A JSON value with its place in the file. Borrows the text; allocates only for lists, objects and escapes.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use windlass_core::diagnostic::{FileIx, Span};

/// A value and the bytes it was read from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JsonNode<'a> {
    /// The value.
    pub(crate) kind: JsonKind<'a>,
    /// First byte.
    pub(crate) start: u32,
    /// One past the last byte.
    pub(crate) end: u32,
}

/// The shapes a value can have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum JsonKind<'a> {
    /// `null`, or a value that could not be read.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written.
    Number(&'a str),
    /// A string, without its quotes and escapes.
    Text(Cow<'a, str>),
    /// A list.
    List(Vec<JsonNode<'a>>),
    /// An object in the order written; a key occurs once.
    Object(Vec<JsonMember<'a>>),
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JsonMember<'a> {
    /// The key.
    pub(crate) key: Cow<'a, str>,
    /// First byte of the key.
    pub(crate) start: u32,
    /// One past the last byte of the key.
    pub(crate) end: u32,
    /// The value.
    pub(crate) value: JsonNode<'a>,
}

impl JsonKind<'_> {
    /// What it is called in messages.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            JsonKind::Null => "null",
            JsonKind::Bool(_) => "a boolean",
            JsonKind::Number(_) => "a number",
            JsonKind::Text(_) => "a string",
            JsonKind::List(_) => "a list",
            JsonKind::Object(_) => "an object",
        }
    }
}

impl<'a> JsonNode<'a> {
    /// Its place in the file.
    pub(crate) fn span(&self, file: FileIx) -> Span {
        Span { file, start: self.start, end: self.end }
    }

    /// The text of a string.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.kind {
            JsonKind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A string as it is, a number as it is written.
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.kind {
            JsonKind::Text(text) => Some(text),
            JsonKind::Number(digits) => Some(digits),
            _ => None,
        }
    }

    /// The items of a list; of anything else, none.
    pub(crate) fn items(&self) -> &[JsonNode<'a>] {
        match &self.kind {
            JsonKind::List(items) => items,
            _ => &[],
        }
    }

    /// The members of an object; of anything else, none.
    pub(crate) fn members(&self) -> &[JsonMember<'a>] {
        match &self.kind {
            JsonKind::Object(members) => members,
            _ => &[],
        }
    }

    /// The member of this name.
    pub(crate) fn get(&self, key: &str) -> Option<&JsonNode<'a>> {
        self.members().iter().find(|m| m.key == key).map(|m| &m.value)
    }

    /// Whether it is an object.
    pub(crate) fn is_object(&self) -> bool {
        matches!(self.kind, JsonKind::Object(_))
    }

    /// Whether it is a list.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self.kind, JsonKind::List(_))
    }

    /// Whether it is `null`.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self.kind, JsonKind::Null)
    }

    /// Whether the text was that of `value`: the same members in the same order.
    pub(crate) fn is_written_as(&self, value: &Value) -> bool {
        match (&self.kind, value) {
            (JsonKind::List(items), Value::Array(values)) => {
                items.len() == values.len() && items.iter().zip(values).all(|(i, v)| i.is_written_as(v))
            }
            (JsonKind::Object(members), Value::Object(map)) => {
                let same = |(m, (key, v)): (&JsonMember<'_>, (&String, &Value))| {
                    m.key == *key && m.value.is_written_as(v)
                };
                members.len() == map.len() && members.iter().zip(map).all(same)
            }
            (JsonKind::Text(text), Value::String(string)) => text == string,
            (JsonKind::Number(_), Value::Number(_)) => self.to_value() == *value,
            (JsonKind::Bool(flag), Value::Bool(other)) => flag == other,
            (kind, value) => matches!(kind, JsonKind::Null) && value.is_null(),
        }
    }

    /// The value without places, for keys that no reader knows.
    pub(crate) fn to_value(&self) -> Value {
        match &self.kind {
            JsonKind::Null => Value::Null,
            JsonKind::Bool(flag) => Value::Bool(*flag),
            JsonKind::Number(digits) => number(digits),
            JsonKind::Text(text) => Value::String(text.to_string()),
            JsonKind::List(items) => Value::Array(items.iter().map(JsonNode::to_value).collect()),
            JsonKind::Object(members) => {
                let pairs = members.iter().map(|m| (m.key.to_string(), m.value.to_value()));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
        }
    }
}

/// A number; one that does not fit a number type is kept as its text, so that nothing is rounded.
fn number(digits: &str) -> Value {
    digits.parse::<Number>().map_or_else(|_| Value::String(digits.to_owned()), Value::Number)
}
