//! Object → plan or task: each member goes to the row of its key. What does not fit a row is kept as it is.

use serde_json::{Map, Value};

use super::{Allowed, Codec, Key, KeyNeed, find, is_blank};
use crate::json::{Fit, JsonNode, ValueReader};
use crate::memory::KeyOrder;
use crate::remainder;
use crate::states::meaning;
use windlass_core::plan::{FieldSpans, Plan, Task};

/// Something that objects are read into.
pub(crate) trait Fielded: Default {
    /// Where its fields were read.
    fn spans(&mut self) -> &mut FieldSpans;

    /// The members that no row took, or whose original must be kept.
    fn extra(&mut self) -> &mut Map<String, Value>;
}

impl Fielded for Plan {
    fn spans(&mut self) -> &mut FieldSpans {
        &mut self.places
    }

    fn extra(&mut self) -> &mut Map<String, Value> {
        &mut self.extra
    }
}

impl Fielded for Task {
    fn spans(&mut self) -> &mut FieldSpans {
        &mut self.places
    }

    fn extra(&mut self) -> &mut Map<String, Value> {
        &mut self.extra
    }
}

/// Reads every member of an object.
pub(crate) fn read_members<T: Fielded>(
    table: &'static [Key<T>],
    reader: &mut ValueReader<'_>,
    node: &JsonNode<'_>,
    target: &mut T,
) {
    for member in node.members() {
        let key = find(table, &member.key).filter(|_| member.key != remainder::KEY);
        let fit = key.map_or(Fit::No, |key| read_key(key, reader, &member.value, target));
        if fit != Fit::Exact {
            target.extra().insert(member.key.to_string(), member.value.to_value());
        }
    }
}

/// Reads the value of one key, and notes its place.
pub(super) fn read_key<T: Fielded>(
    key: &'static Key<T>,
    reader: &mut ValueReader<'_>,
    node: &JsonNode<'_>,
    target: &mut T,
) -> Fit {
    let shares_its_field = key.fallback || !key.aliases.is_empty();
    if shares_its_field && !is_blank(&key.codec.write(target)) {
        return Fit::No;
    }
    // An older form is not worth a finding where the key means something else.
    let is_other = matches!(key.codec, Codec::Object { .. }) && !node.is_object();
    if key.need == KeyNeed::Kept && is_other {
        return Fit::No;
    }
    let mut fit = key.codec.read(key.field, reader, node, target);
    if matches!(key.need, KeyNeed::Kept | KeyNeed::WhenNew) {
        fit = fit.and(Fit::Odd);
    }
    if fit != Fit::No {
        target.spans().note(key.field, node.span(reader.file));
        check_word(key, reader, node);
    }
    fit
}

/// Reports a word that the format does not have.
fn check_word<T>(key: &Key<T>, reader: &mut ValueReader<'_>, node: &JsonNode<'_>) {
    let Some(word) = node.word() else { return };
    let words = match key.allowed {
        Allowed::Any | Allowed::Words(_) => return,
        Allowed::AnyStates(_) if meaning(word).is_some() => return,
        Allowed::States(words) | Allowed::AnyStates(words) => words,
    };
    if !words.knows(word) {
        reader.unknown_word(node, word, &words.list());
    }
}

/// The most spans that are noted for an object: one for each member, and for each item of a list below it.
fn spans_below(node: &JsonNode<'_>) -> usize {
    node.members().iter().map(|member| 1 + member.value.items().len() + spans_below(&member.value)).sum()
}

/// Reads one task. `order` remembers the order of its keys.
pub(crate) fn read_task(
    table: &'static [Key<Task>],
    reader: &mut ValueReader<'_>,
    node: &JsonNode<'_>,
    order: &mut KeyOrder,
) -> Task {
    let mut task = Task::default();
    task.places.reserve(2 + spans_below(node));
    task.places.note("", node.span(reader.file));
    read_members(table, reader, node, &mut task);
    // A task is shown at its id: its first bracket says nothing.
    if let Some(id) = task.places.get("id").copied() {
        task.places.note("", id);
    }
    order.remember(node, &mut task);
    task
}
