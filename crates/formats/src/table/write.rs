//! Plan or task → object. An object that was read before keeps its keys, their order, and every value that still says
//! what the plan says.

use serde_json::{Map, Value};

use super::codec::Codec;
use super::read::{Fielded, read_members};
use super::{Allowed, Key, KeyNeed, is_blank};
use crate::Dialect;
use crate::json::{ValueReader, parse};
use crate::memory::{self, KEYS, Origin};
use windlass_core::diagnostic::FileIx;
use windlass_core::plan::{Plan, Task};

/// What is known of an object from the time it was read.
#[derive(Clone, Copy)]
pub(crate) struct Original<'t> {
    /// The members that were kept beside the fields; nothing for a new object.
    kept: Option<&'t Map<String, Value>>,
    /// The keys it had, in order, with blanks between them.
    keys: &'t str,
}

/// A value that the dialect computes itself, and whether the kept original says the same.
pub(crate) struct GivenValue {
    /// The value.
    pub(crate) value: Value,
    /// Whether the kept original says the same.
    pub(crate) same: bool,
}

impl<'t> Original<'t> {
    /// An object without an original.
    pub(crate) const NEW: Original<'static> = Original { kept: None, keys: "" };

    /// An object beside whose fields `kept` was found, with its keys in the order `keys`.
    pub(crate) fn new(kept: &'t Map<String, Value>, keys: &'t str) -> Self {
        Self { kept: Some(kept), keys }
    }

    /// The original of a task; `slot` is where the usual order of keys is remembered.
    pub(crate) fn of_task(plan: &'t Plan, task: &'t Task, dialect: Dialect, slot: &str) -> Self {
        match memory::origin(plan, dialect) {
            Origin::Foreign => Self::NEW,
            Origin::Own => {
                let own = memory::noted_text(&task.extra, dialect, KEYS);
                let keys = if own.is_empty() { memory::noted_text(&plan.extra, dialect, slot) } else { own };
                Self::new(&task.extra, keys)
            }
        }
    }

    /// The original of the top object of a plan.
    pub(crate) fn of_plan(plan: &'t Plan, dialect: Dialect) -> Self {
        match memory::origin(plan, dialect) {
            Origin::Foreign => Self::NEW,
            Origin::Own => Self::new(&plan.extra, memory::noted_text(&plan.extra, dialect, KEYS)),
        }
    }

    /// Whether there is no original.
    pub(crate) fn is_new(&self) -> bool {
        self.kept.is_none()
    }

    /// Whether the original had this key.
    pub(crate) fn had(&self, key: &str) -> bool {
        self.keys.split(' ').any(|k| k == key)
    }

    fn kept(&self, key: &str) -> Option<&'t Value> {
        self.kept?.get(key)
    }

    /// What reading the kept members gives today.
    pub(crate) fn echo<T: Fielded>(&self, table: &'static [Key<T>]) -> T {
        let mut target = T::default();
        if let Some(kept) = self.kept.filter(|kept| !kept.is_empty()) {
            let text = Value::Object(kept.clone()).to_string();
            let mut findings = Vec::new();
            if let Some(node) = parse(&text, FileIx(0), &mut findings) {
                read_members(table, &mut ValueReader::new(FileIx(0), &mut findings), &node, &mut target);
            }
        }
        target
    }

    /// The name a row has in the object: the first that was read from it, or else the first it had, or the usual one.
    fn name_of<T>(&self, key: &Key<T>) -> &'static str {
        if key.aliases.is_empty() {
            return key.name;
        }
        let mut had: Vec<&'static str> =
            self.keys.split(' ').filter_map(|k| key.names().find(|n| *n == k)).collect();
        had.sort_by_key(|name| self.kept(name).is_some());
        had.first().copied().unwrap_or(key.name)
    }

    /// The value to write for a key whose field became `value`. An unchanged original is written as it was; of a
    /// changed one, the members that the field does not know are carried over.
    fn laid_over(&self, key: &str, written: GivenValue) -> Value {
        match (self.kept(key), written.value) {
            (Some(original), _) if written.same => original.clone(),
            (Some(Value::Object(original)), Value::Object(fields)) => {
                let mut merged = original.clone();
                merged.extend(fields);
                Value::Object(merged)
            }
            (_, value) => value,
        }
    }

    /// Adds the members that no field has claimed, then puts everything into the order the original had.
    pub(crate) fn finish(&self, mut map: Map<String, Value>) -> Map<String, Value> {
        for (key, value) in self.kept.into_iter().flatten() {
            if !map.contains_key(key) && !memory::is_memory(key) {
                map.insert(key.clone(), value.clone());
            }
        }
        in_order(map, self.keys)
    }
}

/// The members in the order of `keys`, the others behind them.
pub(crate) fn in_order(mut map: Map<String, Value>, keys: &str) -> Map<String, Value> {
    let mut ordered = Map::with_capacity(map.len());
    for key in keys.split(' ') {
        if let Some((key, value)) = map.shift_remove_entry(key) {
            ordered.insert(key, value);
        }
    }
    ordered.extend(map);
    ordered
}

/// Writes every row of a table. `given` may replace the value of a row.
pub(crate) fn write_members<T: Fielded>(
    table: &'static [Key<T>],
    target: &mut T,
    original: &Original<'_>,
    given: &mut dyn FnMut(&'static str) -> Option<GivenValue>,
) -> Map<String, Value> {
    let mut echo: T = original.echo(table);
    let mut map = Map::new();
    for key in table {
        let name = original.name_of(key);
        if !is_wanted(key, name, table, original) {
            continue;
        }
        let given = given(key.name);
        let is_given = given.is_some();
        let written = given.unwrap_or_else(|| GivenValue {
            value: key.codec.write(target),
            same: is_same(&key.codec, target, &mut echo),
        });
        if says_something(key, name, &written, original) || is_given && original.is_new() {
            map.insert(name.to_owned(), original.laid_over(name, written));
        }
    }
    original.finish(map)
}

fn is_same<T: Fielded>(codec: &Codec<T>, target: &mut T, echo: &mut T) -> bool {
    match codec {
        Codec::Custom(custom) if custom.same.is_some() => custom.same.is_some_and(|same| same(target, echo)),
        _ => codec.write(target) == codec.write(echo),
    }
}

/// Whether a row is written at all into an object of this origin.
fn is_wanted<T>(key: &Key<T>, name: &str, table: &[Key<T>], original: &Original<'_>) -> bool {
    let replaced = |other: &Key<T>| other.need == KeyNeed::InsteadOf(key.name) && original.had(other.name);
    match key.need {
        KeyNeed::Kept => false,
        KeyNeed::WhenNew => original.is_new(),
        KeyNeed::InsteadOf(_) => original.had(name),
        KeyNeed::Required | KeyNeed::Optional => {
            let is_read = original.had(name) && original.kept(name).is_none();
            is_read || !table.iter().any(replaced)
        }
    }
}

/// Whether a value is written: if it says something that the object does not say elsewhere, or if its key must be there.
fn says_something<T>(key: &Key<T>, name: &str, written: &GivenValue, original: &Original<'_>) -> bool {
    let blank = is_blank(&written.value);
    if original.is_new() {
        let fits = match (key.allowed, written.value.as_str()) {
            (Allowed::Words(words), Some(word)) => words.contains(&word),
            _ => true,
        };
        return fits && (key.need == KeyNeed::Required || !blank);
    }
    match (original.kept(name).is_some(), original.had(name)) {
        (true, _) => !blank || written.same,
        (false, true) => true,
        (false, false) => !blank && !written.same,
    }
}
