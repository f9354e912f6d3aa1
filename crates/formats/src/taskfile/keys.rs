//! The keys of a task's front matter: one table, used to read, to write and to document them.

use serde_json::Value;

use super::lists;
use crate::tree::{Misfit, TreeNode, TreeValue};
use windlass_core::plan::{Criterion, Task, Tier, Traces};

/// One key.
#[derive(Debug)]
pub(crate) struct FrontKey {
    /// Its name.
    pub(crate) name: &'static str,
    /// Other names it is read under.
    pub(crate) aliases: &'static [&'static str],
    /// The field of the task's JSON form, with dots.
    pub(crate) field: &'static str,
    /// Puts a value into the task.
    pub(crate) set: fn(&mut Task, &TreeNode<'_>) -> Result<(), Misfit>,
}

macro_rules! key {
    ($name:literal, $($field:ident).+) => { key!($name, $($field).+, []) };
    ($name:literal, $($field:ident).+, [$($alias:literal),*]) => {
        FrontKey {
            name: $name,
            aliases: &[$($alias),*],
            field: key!(@path $($field).+),
            set: |task, node| { task.$($field).+ = node.fit()?; Ok(()) },
        }
    };
    (@path $first:ident) => { stringify!($first) };
    (@path $first:ident . $second:ident) => { concat!(stringify!($first), ".", stringify!($second)) };
}

macro_rules! special {
    ($name:literal, $field:literal, $set:path) => { special!($name, $field, $set, []) };
    ($name:literal, $field:literal, $set:path, [$($alias:literal),*]) => {
        FrontKey { name: $name, aliases: &[$($alias),*], field: $field, set: $set }
    };
}

/// Every key, in the order it is written. The last ones are written only where a section cannot hold the value.
pub(crate) static TASK_KEYS: [FrontKey; 55] = [
    key!("id", id),
    key!("title", title),
    key!("task_type", task_type, ["type"]),
    key!("methodology", methodology),
    key!("mode", mode),
    key!("layer", layer),
    key!("level", level),
    key!("phase", phase),
    key!("track", track),
    key!("estimated_complexity", complexity, ["complexity"]),
    key!("estimate_minutes", estimate_minutes),
    key!("estimated_scope", estimated_scope),
    key!("priority", priority),
    special!("depends_on", "depends_on", set_depends_on, ["dependencies", "blocked_by"]),
    key!("parent", parent, ["parent_id"]),
    key!("sub_plan", sub_plan),
    special!("traces_to", "traces_to", set_traces),
    special!("test_file", "test.file", set_test_file),
    key!("test_inline", test.inline),
    key!("test_command", test.command),
    key!("no_test_reason", test.none),
    key!("requires_testing", test.required),
    key!("held_out", test.held_out),
    key!("coverage", test.coverage),
    key!("focus_paths", focus_paths),
    special!("timeout_seconds", "verification.timeout_seconds", set_timeout),
    key!("tdd_cycles", tdd_cycles),
    key!("max_iterations", max_iterations),
    key!("requires_approval", requires_approval),
    key!("files_assumed", files_assumed),
    special!("tier", "tier", set_tier),
    key!("agent", agent),
    key!("method", method),
    key!("session", session),
    key!("consumers", consumers),
    key!("resources", resources),
    key!("needs", needs),
    key!("risks", risks),
    key!("pre_analysis", pre_analysis),
    key!("claimed_state", claimed_state),
    key!("objective", objective),
    key!("description", description),
    special!("criteria", "criteria", set_criteria, ["acceptance_criteria"]),
    key!("contract", contract),
    key!("interfaces", interfaces),
    key!("test_code", test_code),
    key!("files", files),
    key!("lines", lines),
    key!("changes", changes),
    key!("steps", steps),
    key!("verification", verification),
    key!("done_when", done_when),
    key!("notes", notes),
    key!("sections", sections),
    special!("extra", "extra", set_extra),
];

/// The key with this name or alias.
pub(crate) fn find(name: &str) -> Option<&'static FrontKey> {
    TASK_KEYS.iter().find(|k| k.name == name || k.aliases.contains(&name))
}

/// Splits a string at commas, since no id contains one.
fn set_depends_on(task: &mut Task, node: &TreeNode<'_>) -> Result<(), Misfit> {
    let ids: Vec<String> = node.fit()?;
    let split = |id: String| -> Vec<String> {
        if id.contains(',') { id.split(',').map(|p| p.trim().to_owned()).collect() } else { vec![id] }
    };
    task.depends_on = match &node.tree {
        TreeValue::Scalar(..) => ids.into_iter().flat_map(split).collect(),
        TreeValue::List(_) | TreeValue::Map(_) => ids,
    };
    Ok(())
}

fn set_traces(task: &mut Task, node: &TreeNode<'_>) -> Result<(), Misfit> {
    let TreeValue::Map(entries) = &node.tree else {
        task.traces_to = node.fit()?;
        return Ok(());
    };
    let mut traces = Traces::default();
    for entry in entries {
        let list = match entry.key.as_ref() {
            "stories" | "user_stories" => &mut traces.stories,
            "criteria" | "acceptance_criteria" => &mut traces.criteria,
            "decisions" | "adr_decisions" => &mut traces.decisions,
            other => {
                let message = format!("`{other}` is not one of stories, criteria, decisions");
                return Err(Misfit { span: Some(entry.key_span), message });
            }
        };
        list.extend(entry.node.fit::<Vec<String>>()?);
    }
    task.traces_to = traces;
    Ok(())
}

fn set_test_file(task: &mut Task, node: &TreeNode<'_>) -> Result<(), Misfit> {
    task.test.file = node.fit()?;
    if let Some(path) = task.test.file.as_deref().and_then(|p| p.strip_suffix("(inline tests)")) {
        task.test.file = Some(path.trim_end().to_owned());
        task.test.inline = true;
    }
    Ok(())
}

fn set_timeout(task: &mut Task, node: &TreeNode<'_>) -> Result<(), Misfit> {
    let seconds: Option<u64> = node.fit()?;
    if seconds.is_some() {
        task.verification.get_or_insert_default().timeout_seconds = seconds;
    }
    Ok(())
}

/// Accepts the names of models in place of their size.
fn set_tier(task: &mut Task, node: &TreeNode<'_>) -> Result<(), Misfit> {
    let seed = match &node.tree {
        TreeValue::Scalar(word, _) => match word.as_ref() {
            "haiku" => Some(Tier::Small),
            "sonnet" => Some(Tier::Medium),
            "opus" => Some(Tier::Large),
            _ => None,
        },
        TreeValue::List(_) | TreeValue::Map(_) => None,
    };
    task.tier = if seed.is_some() { seed } else { node.fit()? };
    Ok(())
}

fn set_criteria(task: &mut Task, node: &TreeNode<'_>) -> Result<(), Misfit> {
    let one = std::slice::from_ref(node);
    let items = if let TreeValue::List(items) = &node.tree { items.as_slice() } else { one };
    task.criteria = items.iter().map(criterion).collect::<Result<_, Misfit>>()?;
    Ok(())
}

fn criterion(node: &TreeNode<'_>) -> Result<Criterion, Misfit> {
    let TreeValue::Map(entries) = &node.tree else { return Ok(lists::criterion(&node.fit::<String>()?)) };
    let mut found = Criterion::default();
    for entry in entries {
        match entry.key.as_ref() {
            "id" => found.id = entry.node.fit()?,
            "text" | "criterion" => found.text = entry.node.fit()?,
            "assertion" | "test_assertion" => found.assertion = entry.node.fit()?,
            "tests" => found.tests = entry.node.fit()?,
            other => {
                let message = format!("`{other}` is not one of id, text, assertion, tests");
                return Err(Misfit { span: Some(entry.key_span), message });
            }
        }
    }
    Ok(found)
}

fn set_extra(task: &mut Task, node: &TreeNode<'_>) -> Result<(), Misfit> {
    match node.to_value() {
        Value::Object(map) => task.extra.extend(map),
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            return Err(Misfit { span: Some(node.span), message: "a mapping is expected".to_owned() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_every_field_of_a_task_has_a_key() {
        let names: Vec<&str> =
            TASK_KEYS.iter().flat_map(|k| k.aliases.iter().chain([&k.name])).copied().collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        let full = serde_json::to_value(crate::tests::full_task()).unwrap();
        let fields: BTreeSet<&str> = TASK_KEYS.iter().map(|k| k.field.split('.').next().unwrap()).collect();
        let missing: Vec<&String> =
            full.as_object().unwrap().keys().filter(|k| !fields.contains(k.as_str())).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
