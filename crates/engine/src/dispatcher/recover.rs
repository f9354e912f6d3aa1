//! Recovery: the events that an interrupted or crashed coordinator could not write. Every run starts with it.

use windlass_core::event::{AttemptEnd, Event, RunEvent, TaskEvent};
use windlass_core::ids::{AttemptNo, Oid, TaskId};
use windlass_core::schedule::Scheduler;

use crate::context::Context;
use crate::error::EngineError;
use crate::git::CommitInfo;
use crate::integrate::{Evidence, TRAILER_ATTEMPT, TRAILER_EVIDENCE, TRAILER_PLAN, TRAILER_TASK};

/// The events to journal before the run continues: merges whose event was lost, attempts that ended with the program.
pub(super) fn recover(ctx: &Context, scheduler: &Scheduler, tip: &Oid) -> Result<Vec<Event>, EngineError> {
    let mut events = lost_merges(ctx, scheduler, tip)?;
    events.extend(lost_sync(ctx, scheduler, tip)?);
    let merged: Vec<TaskId> = events.iter().filter_map(|e| e.task().cloned()).collect();
    for (task, attempt) in scheduler.working().filter(|(t, _)| !merged.contains(t)) {
        let (task, end) = (task.clone(), AttemptEnd::Lost);
        events.push(TaskEvent::AttemptEnded { attempt, end, output: None }.of(task));
    }
    for (task, attempt) in scheduler.reviewing().filter(|(t, _)| !merged.contains(t)) {
        events.push(TaskEvent::ReviewAbandoned { attempt }.of(task.clone()));
    }
    for (task, attempt) in scheduler.verifying().filter(|(t, _)| !merged.contains(t)) {
        events.push(TaskEvent::VerifyAbandoned { attempt }.of(task.clone()));
    }
    Ok(events)
}

/// A merge with the user's branch that is in the branch but not in the journal.
fn lost_sync(ctx: &Context, scheduler: &Scheduler, tip: &Oid) -> Result<Option<Event>, EngineError> {
    let Some(synced) = scheduler.syncing() else { return Ok(None) };
    let happened = ctx.repo.is_ancestor(&synced.commit, tip)?;
    Ok(happened.then(|| Event::Run(RunEvent::Synced(synced.clone()))))
}

/// Merges that are in the branch but not in the journal: the program ended between moving the ref and journaling it.
fn lost_merges(ctx: &Context, scheduler: &Scheduler, tip: &Oid) -> Result<Vec<Event>, EngineError> {
    let Some(known) = scheduler.tip() else { return Ok(Vec::new()) };
    if known == tip {
        return Ok(Vec::new());
    }
    if !ctx.repo.is_ancestor(known, tip)? {
        return Err(EngineError::Branch {
            message: format!("the branch `{}` no longer contains {}", ctx.branch, known.short()),
            hint: format!("restore it with `git branch -f {} {known}`", ctx.branch),
        });
    }
    let mut commits = ctx.repo.first_parents(tip, Some(known))?;
    commits.reverse();
    Ok(commits.iter().filter_map(|c| as_merge(ctx, scheduler, c)).collect())
}

/// The event of a commit that Windlass made for a task that is not completed yet.
fn as_merge(ctx: &Context, scheduler: &Scheduler, commit: &CommitInfo) -> Option<Event> {
    let trailer = |name: &str| {
        commit.trailers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.trim().to_owned())
    };
    if trailer(TRAILER_PLAN)? != ctx.name.as_str() {
        return None;
    }
    let task = TaskId::new(&trailer(TRAILER_TASK)?).ok()?;
    let attempt = AttemptNo(trailer(TRAILER_ATTEMPT)?.parse().ok()?);
    let evidence = Oid::new(&trailer(TRAILER_EVIDENCE)?).ok()?;
    // Only the commit whose intent was journaled: trailers alone prove nothing.
    let intended = scheduler.moving(&task) == Some(&commit.oid);
    intended.then(|| {
        let record = ctx.repo.read_blob(&evidence).ok();
        let record = record.and_then(|bytes| serde_json::from_slice::<Evidence>(&bytes).ok());
        let weak = record.as_ref().map(|r| r.green.weak_tests()).unwrap_or_default();
        let criteria = record.map(|r| r.criteria).unwrap_or_default();
        let (commit, tree) = (commit.oid.clone(), commit.tree.clone());
        TaskEvent::Merged { attempt, commit, tree, evidence, criteria, weak }.of(task)
    })
}
