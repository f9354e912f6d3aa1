//! A dialect's object as a table of keys. One generic reader, writer and echo serve every table.
//!
//! A row says what a key is called, which field of the plan it stands for, which type its value has and whether the
//! format requires it. Everything a reader or writer does with the key follows from the row.

mod codec;
mod parts;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use codec::{Bare, Codec, Custom, choice};
pub(crate) use parts::{CriteriaForm, FILES};
pub(crate) use read::{read_members, read_task};
pub(crate) use write::{GivenValue, Original, in_order, write_members};

use serde_json::Value;

use crate::states::StateWords;
use windlass_core::plan::{Criterion, Plan, Task};

/// One key of an object that becomes a `T` (a plan or a task).
pub(crate) struct Key<T: 'static> {
    /// Its usual name.
    pub(crate) name: &'static str,
    /// Other names with the same meaning; a file keeps the one it has.
    pub(crate) aliases: &'static [&'static str],
    /// The field of the plan's JSON form it stands for, with dots, as spans name it.
    pub(crate) field: &'static str,
    /// Whether the format requires it, and when it is written.
    pub(crate) need: KeyNeed,
    /// Whether it is read only while its field is still empty.
    pub(crate) fallback: bool,
    /// The values it may have, beyond its type.
    pub(crate) allowed: Allowed,
    /// Its type, and the way to its field.
    pub(crate) codec: Codec<T>,
}

/// A key of a plan's object.
pub(crate) type PlanKey = Key<Plan>;

/// A key of a task's object.
pub(crate) type TaskKey = Key<Task>;

/// When a key is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyNeed {
    /// The format requires it: every new object has it, even without a value.
    Required,
    /// It is written where it has a value.
    Optional,
    /// It is written into new objects only; an existing one keeps its original.
    WhenNew,
    /// An older form: it is read, its original is kept, and it is never written anew.
    Kept,
    /// An older form of another key: an object that has it keeps it in place of that key.
    InsteadOf(&'static str),
}

/// The values a key may have.
#[derive(Clone, Copy)]
pub(crate) enum Allowed {
    /// Any value of its type.
    Any,
    /// One of these words; another is reported where it is read.
    States(&'static StateWords),
    /// One of these words, or any word that means a state in another format.
    AnyStates(&'static StateWords),
    /// One of these words; another is read as it is, and left out of new objects.
    Words(&'static [&'static str]),
}

type FieldAccess<T, V> = fn(&mut T) -> &mut V;

impl<T> Key<T> {
    /// An optional key.
    pub(crate) const fn new(name: &'static str, field: &'static str, codec: Codec<T>) -> Self {
        Self {
            name,
            aliases: &[],
            field,
            need: KeyNeed::Optional,
            fallback: false,
            allowed: Allowed::Any,
            codec,
        }
    }

    /// A string.
    pub(crate) const fn text(name: &'static str, field: &'static str, slot: FieldAccess<T, String>) -> Self {
        Self::new(name, field, Codec::Text(slot))
    }

    /// A string that may be absent.
    pub(crate) const fn maybe(
        name: &'static str,
        field: &'static str,
        slot: FieldAccess<T, Option<String>>,
    ) -> Self {
        Self::new(name, field, Codec::Maybe(slot))
    }

    /// A list of strings.
    pub(crate) const fn texts(
        name: &'static str,
        field: &'static str,
        slot: FieldAccess<T, Vec<String>>,
    ) -> Self {
        Self::new(name, field, Codec::Texts(slot))
    }

    /// A list of acceptance criteria.
    pub(crate) const fn criteria(
        name: &'static str,
        form: CriteriaForm,
        slot: FieldAccess<T, Vec<Criterion>>,
    ) -> Self {
        Self::new(name, "criteria", Codec::Criteria(form, slot))
    }

    /// An object with keys of its own.
    pub(crate) const fn object(name: &'static str, field: &'static str, keys: &'static [Key<T>]) -> Self {
        Self::new(name, field, Codec::Object { keys, bare: None })
    }

    /// The list of tasks below the object, which the dialect reads and writes itself.
    pub(crate) const fn children(name: &'static str) -> Self {
        Self::new(name, name, Codec::Children)
    }

    /// The same key, required by the format.
    pub(crate) const fn required(self) -> Self {
        self.needed(KeyNeed::Required)
    }

    /// The same key, as an older form whose original is kept.
    pub(crate) const fn kept(self) -> Self {
        self.needed(KeyNeed::Kept)
    }

    /// The same key with another need.
    pub(crate) const fn needed(mut self, need: KeyNeed) -> Self {
        self.need = need;
        self
    }

    /// The same key, read only while its field is empty.
    pub(crate) const fn fallback(mut self) -> Self {
        self.fallback = true;
        self
    }

    /// The same key with other names.
    pub(crate) const fn or(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// The same key with a limited set of values.
    pub(crate) const fn allows(mut self, allowed: Allowed) -> Self {
        self.allowed = allowed;
        self
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

/// The row with this name or alias.
pub(crate) fn find<T>(table: &'static [Key<T>], name: &str) -> Option<&'static Key<T>> {
    table.iter().find(|key| key.names().any(|n| n == name))
}

/// Whether a value says nothing: null, an empty string, or a list or object in which nothing says anything.
pub(crate) fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.values().all(is_blank),
    }
}
