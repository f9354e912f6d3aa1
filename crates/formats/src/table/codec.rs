//! The types of values: how each is read into its field, and how the field becomes a value again.

use serde_json::{Map, Value, json};

use super::parts::{self, CriteriaForm};
use super::read::{Fielded, read_key};
use super::{Key, KeyNeed, find, is_blank};
use crate::json::{Fit, JsonNode, ValueReader, number};
use windlass_core::plan::Criterion;

/// The type of a key's value, with the way to its field.
pub(crate) enum Codec<T: 'static> {
    /// A string.
    Text(fn(&mut T) -> &mut String),
    /// A string or nothing.
    Maybe(fn(&mut T) -> &mut Option<String>),
    /// A whole number.
    Integer(fn(&mut T) -> &mut Option<i64>),
    /// A whole number that is not negative.
    Count(fn(&mut T) -> &mut Option<u64>),
    /// A number.
    Number(fn(&mut T) -> &mut Option<f64>),
    /// A list of strings.
    Texts(fn(&mut T) -> &mut Vec<String>),
    /// A list of criteria.
    Criteria(CriteriaForm, fn(&mut T) -> &mut Vec<Criterion>),
    /// An object with keys of its own.
    Object {
        /// Its keys.
        keys: &'static [Key<T>],
        /// The meaning of a value that is not an object.
        bare: Option<Bare>,
    },
    /// The list of tasks below the object, which the dialect reads and writes itself.
    Children,
    /// A value that is written from what the dialect knows, and means nothing when it is read.
    Fixed,
    /// A form that only one dialect has.
    Custom(Custom<T>),
}

/// The key that a bare value stands for, and the note that is reported about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bare {
    /// The key.
    pub(crate) key: &'static str,
    /// The note; empty for none.
    pub(crate) note: &'static str,
}

/// A form that only one dialect has.
pub(crate) struct Custom<T: 'static> {
    /// Reads the value.
    pub(crate) read: fn(&mut ValueReader<'_>, &JsonNode<'_>, &mut T) -> Fit,
    /// Writes the value; one that says nothing if there is nothing to write.
    pub(crate) write: fn(&T) -> Value,
    /// Whether two would be written alike, where comparing the values is not enough.
    pub(crate) same: Option<fn(&T, &T) -> bool>,
}

impl<T> Codec<T> {
    /// A form that only one dialect has.
    pub(crate) const fn custom(
        read: fn(&mut ValueReader<'_>, &JsonNode<'_>, &mut T) -> Fit,
        write: fn(&T) -> Value,
    ) -> Self {
        Codec::Custom(Custom { read, write, same: None })
    }
}

impl<T: Fielded> Codec<T> {
    /// Reads a value into its field.
    pub(super) fn read(
        &self,
        field: &'static str,
        reader: &mut ValueReader<'_>,
        node: &JsonNode<'_>,
        target: &mut T,
    ) -> Fit {
        match self {
            Codec::Text(slot) => reader.text(node, slot(target)),
            Codec::Maybe(slot) => reader.maybe(node, slot(target)),
            Codec::Integer(slot) => reader.int(node, slot(target)),
            Codec::Count(slot) => reader.count(node, slot(target)),
            Codec::Number(slot) => reader.number(node, slot(target)),
            Codec::Texts(slot) => {
                for (i, item) in node.items().iter().enumerate() {
                    target.spans().note_item(field, i, item.span(reader.file));
                }
                reader.texts(node, slot(target))
            }
            Codec::Criteria(form, slot) => parts::read_criteria(reader, node, *form, *slot, target),
            Codec::Object { keys, bare } => read_object(keys, *bare, reader, node, target),
            Codec::Children if node.is_list() => Fit::Exact,
            Codec::Children | Codec::Fixed => Fit::No,
            Codec::Custom(custom) => (custom.read)(reader, node, target),
        }
    }

    /// The field as a value.
    pub(super) fn write(&self, target: &mut T) -> Value {
        match self {
            Codec::Text(slot) => slot(target).clone().into(),
            Codec::Maybe(slot) => json!(slot(target)),
            Codec::Integer(slot) => json!(slot(target)),
            Codec::Count(slot) => json!(slot(target)),
            Codec::Number(slot) => slot(target).map_or(Value::Null, number),
            Codec::Texts(slot) => json!(slot(target)),
            Codec::Criteria(form, slot) => parts::criteria_value(slot(target), *form),
            Codec::Object { keys, .. } => write_object(keys, target),
            Codec::Children | Codec::Fixed => Value::Null,
            Codec::Custom(custom) => (custom.write)(target),
        }
    }
}

fn read_object<T: Fielded>(
    keys: &'static [Key<T>],
    bare: Option<Bare>,
    reader: &mut ValueReader<'_>,
    node: &JsonNode<'_>,
    target: &mut T,
) -> Fit {
    if let (false, Some(bare)) = (node.is_object(), bare)
        && let Some(key) = find(keys, bare.key)
        && key.codec.takes(node)
    {
        if !bare.note.is_empty() {
            reader.assume(node, bare.note);
        }
        return read_key(key, reader, node, target).and(Fit::Odd);
    }
    if !node.is_object() {
        let names: Vec<&str> = keys.iter().filter(|k| k.need == KeyNeed::Required).map(|k| k.name).collect();
        let wanted = if names.is_empty() {
            "an object".to_owned()
        } else {
            format!("an object with {}", names.join(", "))
        };
        return reader.misfit(node, &wanted);
    }
    let mut fit = Fit::Exact;
    for member in node.members() {
        let read =
            find(keys, &member.key).map_or(Fit::No, |key| read_key(key, reader, &member.value, target));
        fit = fit.and(if read == Fit::No { Fit::Odd } else { read });
    }
    if fit == Fit::Exact && !is_written(keys, node, target) { Fit::Odd } else { fit }
}

/// Whether an object is written as its fields would be. Most fields are strings, which are compared where they are.
fn is_written<T: Fielded>(keys: &'static [Key<T>], node: &JsonNode<'_>, target: &mut T) -> bool {
    let mut members = node.members().iter();
    let mut next =
        |name: &str| members.next().filter(|member| member.key == name).map(|member| &member.value);
    let written = keys.iter().filter(|key| key.need != KeyNeed::Kept).all(|key| {
        let is_needed = key.need == KeyNeed::Required;
        match &key.codec {
            Codec::Text(slot) if slot(target).is_empty() && !is_needed => true,
            Codec::Text(slot) => next(key.name).is_some_and(|value| value.text() == Some(slot(target))),
            Codec::Texts(slot) if slot(target).is_empty() && !is_needed => true,
            Codec::Texts(slot) => next(key.name).is_some_and(|value| {
                value.is_list()
                    && value
                        .items()
                        .iter()
                        .map(JsonNode::text)
                        .eq(slot(target).iter().map(|text| Some(text.as_str())))
            }),
            codec => {
                let value = codec.write(target);
                (is_blank(&value) && !is_needed)
                    || next(key.name).is_some_and(|node| node.is_written_as(&value))
            }
        }
    });
    written && members.next().is_none()
}

/// An object of its required keys and of those that say something.
fn write_object<T: Fielded>(keys: &'static [Key<T>], target: &mut T) -> Value {
    let mut map = Map::new();
    for key in keys.iter().filter(|key| key.need != KeyNeed::Kept) {
        let value = key.codec.write(target);
        if key.need == KeyNeed::Required || !is_blank(&value) {
            map.insert(key.name.to_owned(), value);
        }
    }
    Value::Object(map)
}

impl<T> Codec<T> {
    /// Whether a bare value can stand for this key.
    fn takes(&self, node: &JsonNode<'_>) -> bool {
        match self {
            Codec::Text(_) => node.text().is_some(),
            Codec::Texts(_) => node.is_list(),
            _ => false,
        }
    }
}

/// A word of a fixed set that stands for a value: `choice!(tier, "haiku" => Tier::Small, …)`.
macro_rules! choice {
    ($($field:ident).+, $($word:literal => $value:expr),+ $(,)?) => {
        $crate::table::Codec::custom(
            |reader, node, target| reader.choice(node, &[$(($word, $value)),+], &mut target.$($field).+),
            |target| {
                let words = [$(($word, $value)),+];
                let word = words.iter().find(|(_, value)| target.$($field).+ == Some(*value));
                serde_json::json!(word.map(|(word, _)| word))
            },
        )
    };
}
pub(crate) use choice;
