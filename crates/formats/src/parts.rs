//! Pieces of a task that several JSON formats write alike: criteria and file sets.

use serde_json::{Map, Value, json};

use super::json::{Fields, Fit, Kind, Node};
use windlass_core::plan::{Criterion, Files, Places};

/// How a format writes its criteria.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CriteriaForm {
    /// As plain strings.
    Strings,
    /// As objects with an id.
    Objects,
}

/// A list of criteria, in either form.
pub(crate) fn criteria(
    f: &mut Fields<'_>,
    node: &Node<'_>,
    form: CriteriaForm,
    slot: &mut Vec<Criterion>,
    places: &mut Places,
) -> Fit {
    f.field("criteria");
    if !node.is_list() {
        return f.misfit(node, "a list of criteria");
    }
    let mut fit = Fit::Exact;
    for item in node.items() {
        let (criterion, item_fit) = match &item.kind {
            Kind::Text(text) => {
                let fit = if form == CriteriaForm::Strings { Fit::Exact } else { Fit::Odd };
                (Criterion { text: text.to_string(), ..Criterion::default() }, fit)
            }
            Kind::Object(_) => criterion(f, item, form),
            Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::List(_) => {
                f.misfit(item, "a criterion");
                fit = fit.and(Fit::Odd);
                continue;
            }
        };
        places.note_item("criteria", slot.len(), item.span(f.file));
        slot.push(criterion);
        fit = fit.and(item_fit);
    }
    fit
}

fn criterion(f: &mut Fields<'_>, node: &Node<'_>, form: CriteriaForm) -> (Criterion, Fit) {
    let mut c = Criterion::default();
    let mut fit = if form == CriteriaForm::Objects { Fit::Exact } else { Fit::Odd };
    for m in node.members() {
        let member_fit = match m.key.as_ref() {
            "id" => f.text("criteria", &m.value, &mut c.id),
            "criterion" => f.text("criteria", &m.value, &mut c.text),
            "text" | "description" if node.get("criterion").is_none() => {
                f.text("criteria", &m.value, &mut c.text).and(Fit::Odd)
            }
            "test_assertion" => f.maybe("criteria", &m.value, &mut c.assertion),
            _ => Fit::Odd,
        };
        fit = fit.and(if member_fit == Fit::No { Fit::Odd } else { member_fit });
    }
    let complete = node.get("id").is_some() && node.get("criterion").is_some();
    (c, if complete { fit } else { Fit::Odd })
}

/// Criteria, the way a format writes them.
pub(crate) fn criteria_value(criteria: &[Criterion], form: CriteriaForm) -> Value {
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
    value
}

/// `{create, modify, read, delete}`, or a bare list of paths.
pub(crate) fn files(f: &mut Fields<'_>, node: &Node<'_>, slot: &mut Files, places: &mut Places) -> Fit {
    if node.is_list() {
        let fit = f.texts("files.modify", node, &mut slot.modify);
        f.assume(node, "files without a word on what is done to them are read as modified");
        return fit.and(Fit::Odd);
    }
    if !node.is_object() {
        f.field("files");
        return f.misfit(node, "an object with create, modify and read");
    }
    let mut fit = Fit::Exact;
    for m in node.members() {
        let (field, list) = match m.key.as_ref() {
            "create" => ("files.create", &mut slot.create),
            "modify" => ("files.modify", &mut slot.modify),
            "read" => ("files.read", &mut slot.read),
            "delete" => ("files.delete", &mut slot.delete),
            _ => {
                fit = fit.and(Fit::Odd);
                continue;
            }
        };
        let list_fit = f.texts(field, &m.value, list);
        fit = fit.and(if list_fit == Fit::Exact { Fit::Exact } else { Fit::Odd });
        if list_fit != Fit::No && !m.value.items().is_empty() {
            places.note(field, m.value.span(f.file));
            f.item_places(field, &m.value, places);
        }
    }
    f.field("files");
    // What is written anew has these keys in this order; any other shape is kept.
    let usual: &[&str] = &["create", "modify", "read", "delete"];
    let usual = if slot.delete.is_empty() { &usual[..3] } else { usual };
    if node.members().iter().map(|m| m.key.as_ref()).eq(usual.iter().copied()) { fit } else { Fit::Odd }
}

/// A file set as an object.
pub(crate) fn files_value(files: &Files) -> Value {
    let mut map = Map::new();
    map.insert("create".to_owned(), json!(files.create));
    map.insert("modify".to_owned(), json!(files.modify));
    map.insert("read".to_owned(), json!(files.read));
    if !files.delete.is_empty() {
        map.insert("delete".to_owned(), json!(files.delete));
    }
    Value::Object(map)
}
