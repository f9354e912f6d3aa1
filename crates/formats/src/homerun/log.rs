//! What the journal adds to `state.json`: the skill log, and how far the rounds have come.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::super::TextFile;
use super::super::family::Family;
use super::super::foreign;
use super::super::json::to_text;
use super::super::known::{Deed, Known, Logged};
use super::{DIALECT, STATE_FILE, ids};
use windlass_core::plan::Plan;

/// Puts the log into the state file, if one is written and anything was done.
pub(crate) fn add_log(plan: &Plan, known: &Known<'_>, files: &mut [TextFile]) {
    let noted = foreign::noted_text(&plan.extra, DIALECT, "state_path");
    let path = if noted.is_empty() { STATE_FILE } else { noted };
    let Some(file) = files.iter_mut().find(|f| f.path == path) else { return };
    let Ok(Value::Object(mut state)) = serde_json::from_slice(&file.bytes) else { return };
    if is_fresh(plan) && !state.contains_key("created_at") {
        state.insert("created_at".to_owned(), known.now.into());
    }
    if !known.log.is_empty() {
        add_entries(&mut state, plan, known.log);
        state.insert("progress".to_owned(), progress(state.get("progress"), known.log));
    }
    file.bytes = to_text(&Value::Object(state));
}

fn is_fresh(plan: &Plan) -> bool {
    foreign::noted(&plan.extra, DIALECT, "state").is_none()
}

/// Adds what is not there yet: a file that is written twice says everything once.
fn add_entries(state: &mut Map<String, Value>, plan: &Plan, log: &[Logged]) {
    let in_file = ids::in_file(plan, &Family::of(plan, 1));
    let names: HashMap<&str, &String> = plan.tasks.iter().map(|t| t.id.as_str()).zip(&in_file).collect();
    let entries = state.entry("skill_log").or_insert_with(|| json!([]));
    let Value::Array(entries) = entries else { return };
    for Logged { at, deed } in log {
        let (skill, task) = match deed {
            Deed::RunStarted => ("homerun:conductor", None),
            Deed::AttemptStarted(task) => ("homerun:implement", Some(task)),
            Deed::Merged(task) => ("homerun:review", Some(task)),
        };
        let mut entry = json!({ "skill": skill, "timestamp": at, "phase": "implementing" });
        if let Some(task) = task {
            entry["task"] = names.get(task.as_str()).map_or(task, |id| *id).clone().into();
        }
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
}

/// Every run is a round.
fn progress(kept: Option<&Value>, log: &[Logged]) -> Value {
    let (mut round, mut merged, mut last) = (0, 0, 0);
    for entry in log {
        match entry.deed {
            Deed::RunStarted => (round, merged) = (round + 1, 0),
            Deed::Merged(_) => (merged, last) = (merged + 1, round),
            Deed::AttemptStarted(_) => {}
        }
    }
    let mut progress = kept.cloned().filter(Value::is_object).unwrap_or_else(|| json!({}));
    progress["iteration"] = round.into();
    progress["tasks_completed_this_iteration"] = merged.into();
    progress["last_completion_iteration"] = last.into();
    progress
}
