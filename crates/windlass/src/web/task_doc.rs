//! Everything about one task: its state, its history, its evidence, its brief.

use serde_json::json;
use windlass_core::ids::TaskId;
use windlass_core::view::board::row;
use windlass_core::view::{Outputs, TaskHistory, View, status_task};
use windlass_planner::brief::Purpose;

use super::answers::text_of;
use super::page_state::PageState;
use super::query::{NoAnswer, PageQuery};
use crate::cli::shared::{brief_doc, evidence_of, purpose_of, task_in};

/// The most tasks that are listed as needed or as needing.
const LISTED: usize = 100;

/// The task that was asked for.
pub(super) fn task_of(page: &PageState, query: &PageQuery) -> Result<TaskId, NoAnswer> {
    Ok(task_in(&page.known().view, query.text("id"))?.id.clone())
}

/// What happened to a task.
pub(super) fn history_of(page: &PageState, task: &TaskId) -> Result<TaskHistory, NoAnswer> {
    let chronicle = page.state.run_chronicle()?;
    Ok(chronicle.history(task)?)
}

/// A task with its history and its evidence.
pub(super) fn task(page: &PageState, query: &PageQuery) -> Result<String, NoAnswer> {
    let id = task_of(page, query)?;
    let history = history_of(page, &id)?;
    let blob = history.merged.as_ref().map(|merged| &merged.evidence);
    let evidence = blob.map(|blob| evidence_of(&page.world, blob)).transpose()?.flatten();
    let plan = page.plan();
    let planned = plan.as_ref().and_then(|plan| plan.task(id.as_str()));
    let known = page.known();
    let view = &known.view;
    let task = task_in(view, id.as_str())?;
    let at = view.tasks.iter().position(|t| t.id == id).unwrap_or_default();
    let needs = task.deps.iter().filter_map(|at| view.tasks.get(*at as usize)).take(LISTED);
    let phases: Vec<&str> = view.parents_of(task).map(|parent| parent.id.as_str()).collect();
    text_of(&json!({
        "schema": "windlass.task/1",
        "seq": view.seq,
        "row": row(view, at, &known.doings),
        "task": status_task(view, task, page.world.now(), Outputs(&page.state.outputs())),
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
pub(super) fn brief(page: &PageState, query: &PageQuery) -> Result<String, NoAnswer> {
    let id = task_of(page, query)?;
    let role = Some(query.text("role")).filter(|role| !role.is_empty()).unwrap_or("implementer");
    let purpose =
        purpose_of(role).ok_or_else(|| NoAnswer::unclear(format!("there is no brief for `{role}`")))?;
    let failures = if purpose == Purpose::Fix { history_of(page, &id)?.failures() } else { Vec::new() };
    text_of(&brief_doc(&page.world, &page.selection(), id.as_str(), purpose, failures)?)
}
