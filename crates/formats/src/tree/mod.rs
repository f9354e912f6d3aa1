//! Values with their places: the form of YAML front matter and TOML files before they become a plan.
//!
//! Knows nothing of plans. A scalar keeps its text, so that an id written `001` stays `001`.

mod de;
mod from_toml;
mod from_yaml;
mod to_yaml;
mod yaml_documents;

pub(crate) use from_toml::parse_toml;
pub(crate) use from_yaml::parse_yaml;
pub(crate) use to_yaml::{is_plain, yaml_value};
pub use yaml_documents::yaml_documents;

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use windlass_core::diagnostic::{FileIx, Span};
use windlass_core::plan::FieldSpans;

/// A value and its place.
#[derive(Debug, Clone)]
pub(crate) struct TreeNode<'a> {
    /// Its place in the file.
    pub(crate) span: Span,
    /// The value.
    pub(crate) tree: TreeValue<'a>,
}

/// The shapes a value can have.
#[derive(Debug, Clone)]
pub(crate) enum TreeValue<'a> {
    /// A single value, as written.
    Scalar(Cow<'a, str>, Quoting),
    /// A list.
    List(Vec<TreeNode<'a>>),
    /// A mapping in the order written.
    Map(Vec<TreeMember<'a>>),
}

/// How a scalar was written: only a plain one can be a number, a boolean or null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// Without quotes.
    Plain,
    /// Quoted, or a block of text.
    Quoted,
}

/// A key and its value.
#[derive(Debug, Clone)]
pub(crate) struct TreeMember<'a> {
    /// The key.
    pub(crate) key: Cow<'a, str>,
    /// The place of the key.
    pub(crate) key_span: Span,
    /// The value.
    pub(crate) node: TreeNode<'a>,
}

/// Why a value does not fit its key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Misfit {
    /// The innermost place.
    pub(crate) span: Option<Span>,
    /// What was expected and what was found.
    pub(crate) message: String,
}

/// A span in `file`, from byte offsets.
pub(crate) fn span_of(file: FileIx, start: usize, end: usize) -> Span {
    let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Span { file, start: clamp(start), end: clamp(end.max(start)) }
}

impl TreeNode<'_> {
    /// The value as any serde type; texts are taken as written, a single value is a list of one.
    pub(crate) fn fit<T: DeserializeOwned>(&self) -> Result<T, Misfit> {
        T::deserialize(self)
    }

    /// The value in its own right, for keys no reader knows.
    pub(crate) fn to_value(&self) -> Value {
        match &self.tree {
            TreeValue::Scalar(text, style) => resolve(text, *style),
            TreeValue::List(items) => Value::Array(items.iter().map(TreeNode::to_value).collect()),
            TreeValue::Map(entries) => {
                let pairs = entries.iter().map(|e| (e.key.to_string(), e.node.to_value()));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
        }
    }

    /// Notes the places of the value and its direct parts, as `field`, `field[0]` and `field.part`.
    pub(crate) fn remember(&self, field: &'static str, places: &mut FieldSpans) {
        places.note(field, self.span);
        match &self.tree {
            TreeValue::Scalar(..) => {}
            TreeValue::List(items) => {
                for (i, item) in items.iter().enumerate() {
                    places.note_item(field, i, item.span);
                }
            }
            TreeValue::Map(entries) => {
                for entry in entries {
                    entry.node.remember_below(&[field, ".", &entry.key].concat(), places);
                }
            }
        }
    }

    /// The same for a field whose name is made of several keys.
    fn remember_below(&self, field: &str, places: &mut FieldSpans) {
        places.insert(field.to_owned(), self.span);
        match &self.tree {
            TreeValue::Scalar(..) => {}
            TreeValue::List(items) => {
                for (i, item) in items.iter().enumerate() {
                    places.insert(format!("{field}[{i}]"), item.span);
                }
            }
            TreeValue::Map(entries) => {
                for entry in entries {
                    entry.node.remember_below(&[field, ".", &entry.key].concat(), places);
                }
            }
        }
    }
}

/// The value of a scalar. A plain number that would be written differently stays a string.
pub(crate) fn resolve(text: &str, style: Quoting) -> Value {
    if style == Quoting::Quoted {
        return Value::String(text.to_owned());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
    }
}

fn number(text: &str) -> Option<Number> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return None;
    }
    let n: Number = serde_json::from_str(text).ok()?;
    (n.to_string() == text).then_some(n)
}
