//! `plan.toml`: the keys of the plan itself, and defaults for its tasks.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table};

use crate::reading::code;
use crate::tree::{Misfit, TreeMember, TreeNode, TreeValue, parse_toml};
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity};
use windlass_core::plan::{Criterion, Plan};

/// One key of the plan file.
pub(crate) struct TomlKey {
    /// Its name.
    pub(crate) name: &'static str,
    set: fn(&mut Plan, &TreeNode<'_>) -> Result<(), Misfit>,
}

macro_rules! key {
    ($name:ident) => {
        TomlKey {
            name: stringify!($name),
            set: |plan, node| {
                plan.$name = node.fit()?;
                Ok(())
            },
        }
    };
}

/// Every key, in the order it is written; `defaults` is taken before.
pub(crate) static PLAN_KEYS: [TomlKey; 10] = [
    key!(name),
    key!(title),
    key!(objective),
    key!(profile),
    key!(branch),
    key!(session),
    key!(specs),
    key!(phases),
    key!(criteria),
    TomlKey { name: "extra_json", set: set_extra },
];

/// Reads the text into the plan; returns the keys it sets for every task.
pub(crate) fn read_plan(
    text: &str,
    file: FileIx,
    plan: &mut Plan,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<TreeMember<'static>> {
    let skip = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut defaults = Vec::new();
    for entry in parse_toml(&text[skip..], file, skip, diagnostics) {
        if entry.key == "defaults" {
            defaults = read_defaults(entry, diagnostics);
            continue;
        }
        let Some(key) = PLAN_KEYS.iter().find(|k| k.name == entry.key) else {
            diagnostics.extend(misspelt(&entry));
            plan.extra.insert(entry.key.to_string(), entry.node.to_value());
            continue;
        };
        match (key.set)(plan, &entry.node) {
            Ok(()) => entry.node.remember(key.name, &mut plan.places),
            Err(misfit) => {
                let message = format!("`{}` cannot be read: {}", entry.key, misfit.message);
                let span = misfit.span.unwrap_or(entry.node.span);
                diagnostics.push(Diagnostic::new(code::WRONG_TYPE, Severity::Error, message).at(Some(span)));
                plan.extra.insert(entry.key.to_string(), entry.node.to_value());
            }
        }
    }
    defaults
}

fn read_defaults(entry: TreeMember<'static>, diagnostics: &mut Vec<Diagnostic>) -> Vec<TreeMember<'static>> {
    match entry.node.tree {
        TreeValue::Map(entries) => entries,
        TreeValue::Scalar(..) | TreeValue::List(_) => {
            let message = "`defaults` is a table of task keys";
            let diagnostic =
                Diagnostic::new(code::WRONG_TYPE, Severity::Error, message).at(Some(entry.node.span));
            diagnostics.push(diagnostic);
            Vec::new()
        }
    }
}

fn misspelt(entry: &TreeMember<'_>) -> Option<Diagnostic> {
    let names = PLAN_KEYS.iter().map(|k| k.name).chain(["defaults"]);
    let near = names.filter(|n| entry.key.len() > 3 && strsim::jaro_winkler(n, &entry.key) >= 0.9);
    let known = near
        .max_by(|a, b| strsim::jaro_winkler(a, &entry.key).total_cmp(&strsim::jaro_winkler(b, &entry.key)))?;
    let message = format!("unknown key `{}`", entry.key.escape_debug());
    let help = format!("did you mean `{known}`? Unknown keys are kept, but have no meaning");
    Some(
        Diagnostic::new(code::UNKNOWN_KEY, Severity::Warning, message)
            .at(Some(entry.key_span))
            .with_help(help),
    )
}

fn set_extra(plan: &mut Plan, node: &TreeNode<'_>) -> Result<(), Misfit> {
    let text: String = node.fit()?;
    match serde_json::from_str::<Map<String, Value>>(&text) {
        Ok(map) => plan.extra.extend(map),
        Err(error) => return Err(Misfit { span: Some(node.span), message: error.to_string() }),
    }
    Ok(())
}

/// The text of `plan.toml`.
pub(crate) fn write_plan(plan: &Plan) -> String {
    let mut document = DocumentMut::new();
    document.insert("name", toml_edit::value(plan.name.as_str()));
    let texts = [
        ("title", plan.title.as_deref()),
        ("objective", Some(plan.objective.as_str()).filter(|o| !o.is_empty())),
        ("profile", plan.profile.as_deref()),
        ("branch", plan.branch.as_deref()),
        ("session", plan.session.as_deref()),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            document.insert(name, toml_edit::value(text));
        }
    }
    for (name, list) in [("specs", &plan.specs), ("phases", &plan.phases)] {
        if !list.is_empty() {
            document.insert(name, toml_edit::value(list.iter().collect::<Array>()));
        }
    }
    write_extra(plan, &mut document);
    if !plan.criteria.is_empty() {
        let tables: ArrayOfTables = plan.criteria.iter().map(criterion).collect();
        document.insert("criteria", Item::ArrayOfTables(tables));
    }
    document.to_string()
}

fn criterion(criterion: &Criterion) -> Table {
    let mut table = Table::new();
    table.insert("id", toml_edit::value(criterion.id.as_str()));
    table.insert("text", toml_edit::value(criterion.text.as_str()));
    if let Some(assertion) = &criterion.assertion {
        table.insert("assertion", toml_edit::value(assertion.as_str()));
    }
    if !criterion.tests.is_empty() {
        let tests: toml_edit::Array = criterion.tests.iter().map(String::as_str).collect();
        table.insert("tests", toml_edit::value(tests));
    }
    table
}

/// Writes unknown keys beside the known ones, or as JSON if TOML cannot express them or they would be read as known.
fn write_extra(plan: &Plan, document: &mut DocumentMut) {
    let mut rest = BTreeMap::new();
    for (name, value) in &plan.extra {
        let known = name == "defaults" || PLAN_KEYS.iter().any(|k| k.name == name);
        match toml_value(value, 0) {
            Some(value) if !known && !name.is_empty() => {
                document.insert(name, Item::Value(value));
            }
            Some(_) | None => {
                rest.insert(name, value);
            }
        }
    }
    if !rest.is_empty() {
        let json = serde_json::to_string(&rest).unwrap_or_default();
        document.insert("extra_json", toml_edit::value(json));
    }
}

/// A JSON value in TOML, where TOML has it.
fn toml_value(value: &Value, depth: usize) -> Option<toml_edit::Value> {
    if depth > 40 {
        return None;
    }
    match value {
        Value::Null => None,
        Value::Bool(b) => Some((*b).into()),
        Value::Number(n) => {
            n.as_i64().map(Into::into).or_else(|| n.as_f64().filter(|_| n.is_f64()).map(Into::into))
        }
        Value::String(text) => Some(text.as_str().into()),
        Value::Array(items) => {
            let items: Option<Array> = items.iter().map(|i| toml_value(i, depth + 1)).collect();
            items.map(Into::into)
        }
        Value::Object(map) => {
            let mut table = InlineTable::new();
            for (key, value) in map {
                table.insert(key, toml_value(value, depth + 1)?);
            }
            Some(table.into())
        }
    }
}
