//! Everything about one task: its state, its history, its evidence, its brief.

use serde_json::json;
use windlass_core::event::AttemptEnd;
use windlass_core::ids::TaskId;
use windlass_core::view::board::row;
use windlass_core::view::{Outputs, TaskHistory, View, status_task};

use super::answers::text_of;
use super::asked::{Asked, NoAnswer};
use super::desk::PageDesk;
use crate::cli::shared::{BriefRole, brief_doc, evidence_of, task_in};

/// The most tasks that are listed as needed or as needing.
const LISTED: usize = 100;

/// The task that was asked for.
pub(super) fn task_of(desk: &PageDesk, asked: &Asked) -> Result<TaskId, NoAnswer> {
    Ok(task_in(&desk.known().view, asked.text("id"))?.id.clone())
}

/// What happened to a task.
pub(super) fn history_of(desk: &PageDesk, task: &TaskId) -> Result<TaskHistory, NoAnswer> {
    let chronicle = desk.state.run_chronicle()?;
    Ok(chronicle.history(task)?)
}

/// A task with its history and its evidence.
pub(super) fn task(desk: &PageDesk, asked: &Asked) -> Result<String, NoAnswer> {
    let id = task_of(desk, asked)?;
    let history = history_of(desk, &id)?;
    let blob = history.merged.as_ref().map(|merged| &merged.evidence);
    let evidence = blob.map(|blob| evidence_of(&desk.world, blob)).transpose()?.flatten();
    let plan = desk.plan();
    let planned = plan.as_ref().and_then(|plan| plan.task(id.as_str()));
    let known = desk.known();
    let view = &known.view;
    let task = task_in(view, id.as_str())?;
    let at = view.tasks.iter().position(|t| t.id == id).unwrap_or_default();
    let needs = task.deps.iter().filter_map(|at| view.tasks.get(*at as usize)).take(LISTED);
    let phases: Vec<&str> = view.parents_of(task).map(|parent| parent.id.as_str()).collect();
    text_of(&json!({
        "schema": "windlass.task/1",
        "seq": view.seq,
        "row": row(view, at, &known.doings),
        "task": status_task(view, task, desk.world.now(), Outputs(&desk.state.outputs())),
        "offers": task.offers(),
        "phases": phases,
        "needs": needs.map(|t| json!([t.id, t.title, t.state])).collect::<Vec<_>>(),
        "needed_by": needed_by(view, at),
        "planned": planned,
        "history": history,
        "evidence": evidence,
    }))
}

/// The tasks that wait for the task at a place.
fn needed_by(view: &View, at: usize) -> Vec<serde_json::Value> {
    let waits = |deps: &[u32]| deps.iter().any(|dep| *dep as usize == at);
    let found = view.tasks.iter().filter(|t| waits(&t.deps)).take(LISTED);
    found.map(|t| json!([t.id, t.title, t.state])).collect()
}

/// The brief that an agent would get now.
pub(super) fn brief(desk: &PageDesk, asked: &Asked) -> Result<String, NoAnswer> {
    let id = task_of(desk, asked)?;
    let role = match asked.text("role") {
        "" | "implementer" => BriefRole::Implementer,
        "test-writer" => BriefRole::TestWriter,
        "bug-hunter" => BriefRole::BugHunter,
        "refactor" => BriefRole::Refactor,
        other => return Err(NoAnswer::unclear(format!("there is no brief for `{other}`"))),
    };
    let failures = match role {
        BriefRole::BugHunter => failures(&history_of(desk, &id)?),
        BriefRole::Implementer | BriefRole::TestWriter | BriefRole::Refactor => Vec::new(),
    };
    text_of(&brief_doc(&desk.world, &desk.selection(), id.as_str(), role, failures)?)
}

/// How earlier attempts failed.
fn failures(history: &TaskHistory) -> Vec<String> {
    let ends = history.attempts.iter().filter_map(|attempt| attempt.end.as_ref());
    let failed = ends.filter_map(|end| match end {
        AttemptEnd::Failed { failure } => Some(failure.details()),
        AttemptEnd::Interrupted | AttemptEnd::Lost => None,
    });
    failed.collect()
}
