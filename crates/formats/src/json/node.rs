//! A JSON value that knows where it stands. Borrows its text; allocates only for lists, objects and escapes.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use windlass_core::diagnostic::{FileIx, Span};

/// A value and the bytes it was read from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node<'a> {
    /// What it is.
    pub(crate) kind: Kind<'a>,
    /// First byte.
    pub(crate) start: u32,
    /// One past the last byte.
    pub(crate) end: u32,
}

/// The shapes a value can have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind<'a> {
    /// `null`, or a value that could not be read.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written.
    Number(&'a str),
    /// A string, without its quotes and escapes.
    Text(Cow<'a, str>),
    /// A list.
    List(Vec<Node<'a>>),
    /// An object in the order written; a key occurs once.
    Object(Vec<Member<'a>>),
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member<'a> {
    /// The key.
    pub(crate) key: Cow<'a, str>,
    /// First byte of the key.
    pub(crate) start: u32,
    /// One past the last byte of the key.
    pub(crate) end: u32,
    /// The value.
    pub(crate) value: Node<'a>,
}

impl Kind<'_> {
    /// What it is called in messages.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Bool(_) => "a boolean",
            Kind::Number(_) => "a number",
            Kind::Text(_) => "a string",
            Kind::List(_) => "a list",
            Kind::Object(_) => "an object",
        }
    }
}

impl<'a> Node<'a> {
    /// Where it stands.
    pub(crate) fn span(&self, file: FileIx) -> Span {
        Span { file, start: self.start, end: self.end }
    }

    /// The text of a string.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A string as it is, a number as it is written.
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            Kind::Number(digits) => Some(digits),
            _ => None,
        }
    }

    /// The items of a list; of anything else, none.
    pub(crate) fn items(&self) -> &[Node<'a>] {
        match &self.kind {
            Kind::List(items) => items,
            _ => &[],
        }
    }

    /// The members of an object; of anything else, none.
    pub(crate) fn members(&self) -> &[Member<'a>] {
        match &self.kind {
            Kind::Object(members) => members,
            _ => &[],
        }
    }

    /// The member of this name.
    pub(crate) fn get(&self, key: &str) -> Option<&Node<'a>> {
        self.members().iter().find(|m| m.key == key).map(|m| &m.value)
    }

    /// Whether it is an object.
    pub(crate) fn is_object(&self) -> bool {
        matches!(self.kind, Kind::Object(_))
    }

    /// Whether it is a list.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self.kind, Kind::List(_))
    }

    /// Whether it is `null`.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Null)
    }

    /// The value without its places, for keys no reader knows.
    pub(crate) fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(flag) => Value::Bool(*flag),
            Kind::Number(digits) => number(digits),
            Kind::Text(text) => Value::String(text.to_string()),
            Kind::List(items) => Value::Array(items.iter().map(Node::to_value).collect()),
            Kind::Object(members) => {
                let pairs = members.iter().map(|m| (m.key.to_string(), m.value.to_value()));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
        }
    }
}

/// A number; one that is too large for any of ours is kept as its text rather than rounded away.
fn number(digits: &str) -> Value {
    digits.parse::<Number>().map_or_else(|_| Value::String(digits.to_owned()), Value::Number)
}
