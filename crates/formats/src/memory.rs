//! What a plan remembers of the file it was read from, so that the file can be written back as it was.
//!
//! It is kept in `extra` under the dialect's own name: the order of keys, paths, and names that are not in the file.

use serde_json::{Map, Value};

use crate::json::{JsonNode, key_list};
use crate::{Dialect, remainder};
use windlass_core::ids::PlanName;
use windlass_core::plan::{Plan, Task};

/// Where a plan that is being written was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The same dialect: the form of its files is known.
    Own,
    /// Another dialect: fields without a key travel under the remainder's key.
    Foreign,
}

/// Where the plan was read from, seen from `dialect`.
pub(crate) fn origin(plan: &Plan, dialect: Dialect) -> Origin {
    if plan.extra.contains_key(dialect.as_str()) { Origin::Own } else { Origin::Foreign }
}

/// The slot for the order of an object's keys.
pub(crate) const KEYS: &str = "keys";

/// The slot for the order of keys that most tasks have.
pub(crate) const TASK_KEYS: &str = "task_keys";

/// The slot for the order of keys that most subtasks have.
pub(crate) const SUBTASK_KEYS: &str = "subtask_keys";

/// The slot for a plan's name that is not in its file.
pub(crate) const OUTSIDE_NAME: &str = "name";

/// The slot for documents that are not in the file.
pub(crate) const OUTSIDE_SPECS: &str = "specs";

/// The order of keys in the tasks of one file. Most tasks have the order of the first; the others note their own.
pub(crate) struct KeyOrder {
    dialect: Dialect,
    slot: &'static str,
    first: Option<Vec<String>>,
}

impl KeyOrder {
    /// An order to be remembered in `slot`.
    pub(crate) fn new(dialect: Dialect, slot: &'static str) -> Self {
        Self { dialect, slot, first: None }
    }

    /// Takes in the next task.
    pub(crate) fn remember(&mut self, node: &JsonNode<'_>, task: &mut Task) {
        let keys = node.members().iter().map(|m| m.key.as_ref());
        match &self.first {
            None => self.first = Some(keys.map(str::to_owned).collect()),
            Some(first) if keys.eq(first.iter().map(String::as_str)) => {}
            Some(_) => note(&mut task.extra, self.dialect, KEYS, key_list(node)),
        }
    }

    /// Puts the order into the plan.
    pub(crate) fn keep(self, plan: &mut Plan) {
        note(&mut plan.extra, self.dialect, self.slot, self.first.unwrap_or_default().join(" "));
    }
}

/// Puts the key order of a plan's own object into the plan.
pub(crate) fn keep_keys(top: &JsonNode<'_>, dialect: Dialect, plan: &mut Plan) {
    note(&mut plan.extra, dialect, KEYS, key_list(top));
}

/// Gives the plan a name that is not in its file, and notes that it is not.
pub(crate) fn name_from_outside(plan: &mut Plan, dialect: Dialect, name: &str) {
    plan.name = plan_name(name);
    note(&mut plan.extra, dialect, OUTSIDE_NAME, plan.name.clone());
}

/// Notes a value under the dialect's own name.
pub(crate) fn note(extra: &mut Map<String, Value>, dialect: Dialect, slot: &str, value: impl Into<Value>) {
    let own = extra.entry(dialect.as_str()).or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(own) = own {
        own.insert(slot.to_owned(), value.into());
    }
}

/// The value noted under the dialect's own name.
pub(crate) fn noted<'e>(extra: &'e Map<String, Value>, dialect: Dialect, slot: &str) -> Option<&'e Value> {
    extra.get(dialect.as_str())?.get(slot)
}

/// A noted string, or an empty one.
pub(crate) fn noted_text<'e>(extra: &'e Map<String, Value>, dialect: Dialect, slot: &str) -> &'e str {
    noted(extra, dialect, slot).and_then(Value::as_str).unwrap_or_default()
}

/// A noted string, or the usual one.
pub(crate) fn noted_or(extra: &Map<String, Value>, dialect: Dialect, slot: &str, usual: &str) -> String {
    let text = noted_text(extra, dialect, slot);
    if text.is_empty() { usual.to_owned() } else { text.to_owned() }
}

/// Whether a key of `extra` is a dialect's memory rather than a key of a file.
pub(crate) fn is_memory(key: &str) -> bool {
    key == remainder::KEY || Dialect::ALL.iter().any(|d| d.as_str() == key)
}

/// A name that is valid in a branch, made from the name a file gives its plan.
pub(crate) fn plan_name(raw: &str) -> String {
    if PlanName::new(raw).is_ok() {
        return raw.to_owned();
    }
    let mut name = String::new();
    for c in raw.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' => name.push(c),
            '.' | '_' | '-' if !name.is_empty() && !name.ends_with(c) => name.push(c),
            _ if !name.is_empty() && !name.ends_with('-') => name.push('-'),
            _ => {}
        }
    }
    name.truncate(64);
    let name = name.trim_end_matches(['-', '.', '_']);
    if PlanName::new(name).is_ok() { name.to_owned() } else { "plan".to_owned() }
}
