//! What the readers and writers of other tools' JSON have in common: the loop over a task's members, the memory of a
//! file's shape, and what is done with the rest.
//!
//! The shape is kept in `extra` under the format's own name, so that a file comes back with its keys in order.

use std::cmp::Reverse;

use serde_json::{Map, Value};

use super::json::{Fields, Fit, KEYS, Member, Node, Peek, Record, key_list, parse, peek};
use super::reading::code;
use super::{Dialect, Input, Sniff, TextFile, remainder};
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity};
use windlass_core::ids::PlanName;
use windlass_core::plan::{Places, Plan, Scratch, Task};

/// Where a plan that is being written was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The same format: its shape is known, its other keys stand where they stood.
    Own,
    /// Another one: what this format has no word for goes under one key.
    Foreign,
}

/// The shape of the tasks of one file: most have the keys of the first.
pub(crate) struct Shape {
    dialect: Dialect,
    slot: &'static str,
    first: Option<Vec<String>>,
    scratch: Scratch,
}

/// Where the key order of most tasks is remembered.
pub(crate) const TASK_KEYS: &str = "task_keys";

/// Where the key order of most subtasks is remembered.
pub(crate) const SUBTASK_KEYS: &str = "subtask_keys";

impl Shape {
    /// A shape to be remembered under `slot`.
    pub(crate) fn new(dialect: Dialect, slot: &'static str) -> Self {
        Self { dialect, slot, first: None, scratch: Scratch::default() }
    }

    fn remember(&mut self, node: &Node<'_>, task: &mut Task) {
        match &self.first {
            None => self.first = Some(node.members().iter().map(|m| m.key.to_string()).collect()),
            Some(first) if same_keys(node, first) => {}
            Some(_) => note_own(&mut task.extra, self.dialect, KEYS, key_list(node).into()),
        }
    }

    /// Whether both begin alike.
    pub(crate) fn is_alike(&self, other: &Shape) -> bool {
        self.first == other.first
    }

    /// Puts the shape into the plan.
    pub(crate) fn keep(self, plan: &mut Plan) {
        let first = self.first.unwrap_or_default().join(" ");
        note_own(&mut plan.extra, self.dialect, self.slot, first.into());
    }
}

/// Puts the key order of a plan's own object into the plan.
pub(crate) fn keep_keys(top: &Node<'_>, dialect: Dialect, plan: &mut Plan) {
    note_own(&mut plan.extra, dialect, KEYS, key_list(top).into());
}

/// Gives the plan a name that is not in its file, so that it does not get there either.
pub(crate) fn name_from_outside(plan: &mut Plan, dialect: Dialect, name: &str) {
    plan.name = plan_name(name);
    note_own(&mut plan.extra, dialect, OUTSIDE_NAME, plan.name.clone().into());
}

/// Where a name that is not in the file is remembered.
pub(crate) const OUTSIDE_NAME: &str = "name";

/// Where documents that are not in the file are remembered.
pub(crate) const OUTSIDE_SPECS: &str = "specs";

fn same_keys(node: &Node<'_>, keys: &[String]) -> bool {
    node.members().len() == keys.len() && node.members().iter().zip(keys).all(|(m, key)| m.key == *key)
}

/// Remembers something under the format's own name.
pub(crate) fn note_own(extra: &mut Map<String, Value>, dialect: Dialect, key: &str, value: Value) {
    let own = extra.entry(dialect.as_str()).or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(own) = own {
        own.insert(key.to_owned(), value);
    }
}

/// What was remembered under the format's own name.
pub(crate) fn noted<'e>(extra: &'e Map<String, Value>, dialect: Dialect, key: &str) -> Option<&'e Value> {
    extra.get(dialect.as_str())?.get(key)
}

/// A remembered text, or an empty one.
pub(crate) fn noted_text<'e>(extra: &'e Map<String, Value>, dialect: Dialect, key: &str) -> &'e str {
    noted(extra, dialect, key).and_then(Value::as_str).unwrap_or_default()
}

/// Whether a key of `extra` is some format's memory rather than a key of a file.
pub(crate) fn is_memory(key: &str) -> bool {
    key == remainder::KEY || Dialect::ALL.iter().any(|d| d.as_str() == key)
}

/// Reads one task: every member goes to `arm`, which says how it fitted.
pub(crate) fn read_task(
    f: &mut Fields<'_>,
    node: &Node<'_>,
    shape: &mut Shape,
    mut arm: impl FnMut(&mut Fields<'_>, &Member<'_>, &mut Task) -> Fit,
) -> Task {
    let mut task = Task { places: Places::begin(&mut shape.scratch), ..Task::default() };
    task.places.note("", node.span(f.file));
    for member in node.members() {
        let fit = if member.key == remainder::KEY { Fit::No } else { arm(f, member, &mut task) };
        f.settle(fit, member, &mut task.places, &mut task.extra);
    }
    // A task is shown by its id: its first bracket says nothing.
    if let Some(id) = task.places.get("id").copied() {
        task.places.note("", id);
    }
    shape.remember(node, &mut task);
    task.places.end(&mut shape.scratch);
    task
}

/// What reading the kept originals of a task gives today.
pub(crate) fn echo(task: &Task, read: impl Fn(&mut Fields<'_>, &Node<'_>) -> Task) -> Task {
    if task.extra.is_empty() {
        return Task::default();
    }
    let text = Value::Object(task.extra.clone()).to_string();
    let mut out = Vec::new();
    match parse(&text, FileIx(0), &mut out) {
        Some(node) => read(&mut Fields::new(FileIx(0), &mut Vec::new()), &node),
        None => Task::default(),
    }
}

/// Where the plan was read from, seen from `dialect`.
pub(crate) fn origin(plan: &Plan, dialect: Dialect) -> Origin {
    if plan.extra.contains_key(dialect.as_str()) { Origin::Own } else { Origin::Foreign }
}

/// Starts the object of a task, with what its original had.
pub(crate) fn task_record<'t>(plan: &'t Plan, task: &'t Task, dialect: Dialect, slot: &str) -> Record<'t> {
    match origin(plan, dialect) {
        Origin::Foreign => Record::fresh(),
        Origin::Own => {
            let own = noted_text(&task.extra, dialect, KEYS);
            let keys = if own.is_empty() { noted_text(&plan.extra, dialect, slot) } else { own };
            Record::new(&task.extra, keys)
        }
    }
}

/// Starts the top object of a plan, with what its original had.
pub(crate) fn plan_record(plan: &Plan, dialect: Dialect) -> Record<'_> {
    match origin(plan, dialect) {
        Origin::Foreign => Record::fresh(),
        Origin::Own => Record::new(&plan.extra, noted_text(&plan.extra, dialect, KEYS)),
    }
}

/// Ends the object with what no field has claimed.
pub(crate) fn finish(record: Record<'_>) -> Map<String, Value> {
    record.finish(|key| !is_memory(key))
}

/// A name a branch can carry, made of what a file calls its plan.
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

/// The file of the input a format wants most: the one it is surest of, by the name it usually has, with the shortest
/// path. The others are reported as left out.
pub(crate) fn pick<'i>(
    input: &'i Input,
    usual: &str,
    out: &mut Vec<Diagnostic>,
    confidence: impl Fn(&TextFile) -> Sniff,
) -> Option<&'i TextFile> {
    let ranked = input.files.iter().map(|file| (confidence(file), file));
    let mut files: Vec<(Sniff, &TextFile)> = ranked.filter(|(sniff, _)| *sniff > Sniff::No).collect();
    files.sort_by_key(|(sniff, f)| {
        (Reverse(*sniff), file_name(&f.path) != usual, f.path.matches('/').count(), &f.path)
    });
    let files: Vec<&TextFile> = files.into_iter().map(|(_, file)| file).collect();
    let (first, others) = files.split_first()?;
    for other in others {
        let message = format!("`{}` is another plan; `{}` is read", other.path, first.path);
        out.push(Diagnostic::new(code::LEFT_OUT, Severity::Note, message));
    }
    Some(first)
}

/// How much a JSON file looks like one of a format, by what its beginning shows; no other file does.
pub(crate) fn sniff_json(file: &TextFile, by: impl FnOnce(&Peek<'_>) -> Sniff) -> Sniff {
    if is_json(&file.path) { by(&peek(&file.bytes)) } else { Sniff::No }
}

/// Whether a path names a JSON file.
pub(crate) fn is_json(path: &str) -> bool {
    has_ending(path, "json")
}

/// Whether a path names a Markdown file.
pub(crate) fn is_markdown(path: &str) -> bool {
    has_ending(path, "md")
}

fn has_ending(path: &str, ending: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|e| e.eq_ignore_ascii_case(ending))
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Says that the input has no plan of this format in it.
pub(crate) fn no_tasks(out: &mut Vec<Diagnostic>, message: impl Into<String>) {
    out.push(Diagnostic::new(code::NO_TASKS, Severity::Error, message));
}
