//! Values that several dialects write alike: acceptance criteria and file sets.

use serde_json::{Value, json};

use super::TaskKey;
use super::codec::{Bare, Codec};
use super::read::Fielded;
use crate::json::{Fit, JsonKind, JsonNode, ValueReader};
use windlass_core::plan::{Criterion, Task};

/// How a format writes its criteria.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CriteriaForm {
    /// As plain strings.
    Strings,
    /// As objects with an id.
    Objects,
}

/// The files of a task: `{create, modify, read, delete}`, or a bare list of paths.
pub(crate) const FILES: Codec<Task> = Codec::Object {
    keys: &[
        TaskKey::texts("create", "files.create", |t| &mut t.files.create).required(),
        TaskKey::texts("modify", "files.modify", |t| &mut t.files.modify).required(),
        TaskKey::texts("read", "files.read", |t| &mut t.files.read).required(),
        TaskKey::texts("delete", "files.delete", |t| &mut t.files.delete),
    ],
    bare: Some(Bare { key: "modify", note: "files without an action are read as modified" }),
};

/// Reads a list of criteria, in either form.
pub(super) fn read_criteria<T: Fielded>(
    reader: &mut ValueReader<'_>,
    node: &JsonNode<'_>,
    form: CriteriaForm,
    slot: fn(&mut T) -> &mut Vec<Criterion>,
    target: &mut T,
) -> Fit {
    if !node.is_list() {
        return reader.misfit(node, "a list of criteria");
    }
    let mut fit = Fit::Exact;
    slot(target).reserve_exact(node.items().len());
    for item in node.items() {
        let (criterion, item_fit) = match &item.kind {
            JsonKind::Text(text) => {
                let fit = if form == CriteriaForm::Strings { Fit::Exact } else { Fit::Odd };
                (Criterion { text: text.to_string(), ..Criterion::default() }, fit)
            }
            JsonKind::Object(_) => criterion(reader, item, form),
            JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::List(_) => {
                reader.wrong_item(item, "a criterion");
                fit = fit.and(Fit::Odd);
                continue;
            }
        };
        let index = slot(target).len();
        target.spans().note_item("criteria", index, item.span(reader.file));
        slot(target).push(criterion);
        fit = fit.and(item_fit);
    }
    fit
}

fn criterion(reader: &mut ValueReader<'_>, node: &JsonNode<'_>, form: CriteriaForm) -> (Criterion, Fit) {
    let mut c = Criterion::default();
    let mut fit = if form == CriteriaForm::Objects { Fit::Exact } else { Fit::Odd };
    for m in node.members() {
        let member_fit = match m.key.as_ref() {
            "id" => reader.text(&m.value, &mut c.id),
            "criterion" => reader.text(&m.value, &mut c.text),
            "text" | "description" if node.get("criterion").is_none() => {
                reader.text(&m.value, &mut c.text).and(Fit::Odd)
            }
            "test_assertion" => reader.maybe(&m.value, &mut c.assertion),
            "tests" => reader.texts(&m.value, &mut c.tests),
            _ => Fit::Odd,
        };
        fit = fit.and(if member_fit == Fit::No { Fit::Odd } else { member_fit });
    }
    let complete = node.get("id").is_some() && node.get("criterion").is_some();
    (c, if complete { fit } else { Fit::Odd })
}

/// Criteria, the way a format writes them.
pub(super) fn criteria_value(criteria: &[Criterion], form: CriteriaForm) -> Value {
    criteria.iter().enumerate().map(|(i, c)| criterion_value(c, i, form)).collect()
}

fn criterion_value(c: &Criterion, index: usize, form: CriteriaForm) -> Value {
    if form == CriteriaForm::Strings {
        return c.text.clone().into();
    }
    let id = if c.id.is_empty() { format!("AC{}", index + 1) } else { c.id.clone() };
    let mut value = json!({ "id": id, "criterion": c.text });
    if let Some(assertion) = &c.assertion {
        value["test_assertion"] = assertion.clone().into();
    }
    if !c.tests.is_empty() {
        value["tests"] = c.tests.clone().into();
    }
    value
}
