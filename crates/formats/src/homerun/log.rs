//! The journal's part of `state.json`: the skill log and the progress of the rounds.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{DIALECT, STATE_FILE, ids};
use crate::family::TaskForest;
use crate::json::to_text;
use crate::known::{Logged, LoggedDeed, RunFacts};
use crate::{TextFile, memory};
use windlass_core::plan::Plan;

/// Adds the log to the state file, if one is written and anything was done.
pub(super) fn add_log(plan: &Plan, known: &RunFacts<'_>, files: &mut [TextFile]) {
    let path = memory::noted_or(&plan.extra, DIALECT, "state_path", STATE_FILE);
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
    memory::noted(&plan.extra, DIALECT, "state").is_none()
}

/// Adds the entries that are not there yet, so that writing twice adds nothing twice.
fn add_entries(state: &mut Map<String, Value>, plan: &Plan, log: &[Logged]) {
    let in_file = ids::in_file(plan, &TaskForest::of(plan, 1));
    let names: HashMap<&str, &String> = plan.tasks.iter().map(|t| t.id.as_str()).zip(&in_file).collect();
    let entries = state.entry("skill_log").or_insert_with(|| json!([]));
    let Value::Array(entries) = entries else { return };
    for Logged { at, deed } in log {
        let (skill, task) = match deed {
            LoggedDeed::RunStarted => ("homerun:conductor", None),
            LoggedDeed::AttemptStarted(task) => ("homerun:implement", Some(task)),
            LoggedDeed::Merged(task) => ("homerun:review", Some(task)),
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
            LoggedDeed::RunStarted => (round, merged) = (round + 1, 0),
            LoggedDeed::Merged(_) => (merged, last) = (merged + 1, round),
            LoggedDeed::AttemptStarted(_) => {}
        }
    }
    let mut progress = kept.cloned().filter(Value::is_object).unwrap_or_else(|| json!({}));
    progress["iteration"] = round.into();
    progress["tasks_completed_this_iteration"] = merged.into();
    progress["last_completion_iteration"] = last.into();
    progress
}
