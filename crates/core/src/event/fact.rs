//! What several folds ask of an event, answered in one place.

use super::{AttemptEnd, Event, Role, RunEvent, TaskEvent, Usage};
use crate::ids::Oid;

/// What an event reports, for folds that look at nothing else of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EventFact<'e> {
    /// A turn of an agent that was paid for.
    Turn(PaidTurn<'e>),
    /// A commit of the branch, with the record of its evidence.
    Commit {
        /// The commit.
        commit: &'e Oid,
        /// The record.
        evidence: &'e Oid,
    },
    /// A run began.
    RunBegan,
    /// An attempt at a task began.
    AttemptBegan,
    /// An attempt ended without a merge.
    AttemptEnded(&'e AttemptEnd),
    /// A task goes no further by itself, and is not in the branch.
    TaskStopped(TaskStop),
    /// Nothing of this.
    Other,
}

/// Why a task goes no further by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskStop {
    /// Its ladder is used up.
    Failed,
    /// It waits for a person.
    Blocked,
    /// It was left out.
    Skipped,
    /// It was cancelled.
    Cancelled,
}

/// A turn of an agent, in an attempt or before the first one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PaidTurn<'e> {
    /// The agent.
    pub agent: &'e str,
    /// The part it played.
    pub role: Role,
    /// The model behind it, if known.
    pub model: Option<&'e str>,
    /// How long it took.
    pub millis: u64,
    /// What it cost.
    pub usage: &'e Usage,
}

impl Event {
    /// What the event reports.
    pub fn fact(&self) -> EventFact<'_> {
        match self {
            Event::Run(event) => of_run(event),
            Event::Task { event, .. } => event.fact(),
        }
    }

    /// The turn that the event reports, if it reports one.
    pub fn paid_turn(&self) -> Option<PaidTurn<'_>> {
        match self.fact() {
            EventFact::Turn(turn) => Some(turn),
            EventFact::Commit { .. }
            | EventFact::RunBegan
            | EventFact::AttemptBegan
            | EventFact::AttemptEnded(_)
            | EventFact::TaskStopped(_)
            | EventFact::Other => None,
        }
    }
}

fn of_run(event: &RunEvent) -> EventFact<'_> {
    match event {
        RunEvent::PlanJudged(judged) => EventFact::Turn(PaidTurn {
            agent: &judged.agent,
            role: judged.role,
            model: judged.model.as_deref(),
            millis: judged.millis,
            usage: &judged.usage,
        }),
        RunEvent::Synced(synced) => EventFact::Commit { commit: &synced.commit, evidence: &synced.evidence },
        RunEvent::RunStarted(_) => EventFact::RunBegan,
        RunEvent::PlanSealed { .. }
        | RunEvent::RunEnded { .. }
        | RunEvent::Paused
        | RunEvent::Resumed
        | RunEvent::StopRequested { .. }
        | RunEvent::TipMoved { .. }
        | RunEvent::SyncIntended(_)
        | RunEvent::MergingPaused { .. }
        | RunEvent::MergingResumed
        | RunEvent::AgentPaused { .. }
        | RunEvent::PlaceLost { .. }
        | RunEvent::ProviderStopped { .. }
        | RunEvent::ProviderResumed { .. }
        | RunEvent::BudgetSpent { .. }
        | RunEvent::ClosingFailed { .. }
        | RunEvent::QueueFormed { .. }
        | RunEvent::Finding { .. } => EventFact::Other,
    }
}

impl TaskEvent {
    /// What the event reports.
    pub fn fact(&self) -> EventFact<'_> {
        match self {
            TaskEvent::TurnEnded(turn) => EventFact::Turn(PaidTurn {
                agent: &turn.agent,
                role: turn.role,
                model: turn.model.as_deref(),
                millis: turn.millis,
                usage: &turn.usage,
            }),
            TaskEvent::Merged { commit, evidence, .. } => EventFact::Commit { commit, evidence },
            TaskEvent::AttemptStarted(_) => EventFact::AttemptBegan,
            TaskEvent::AttemptEnded { end, .. } => EventFact::AttemptEnded(end),
            TaskEvent::TaskFailed { .. } => EventFact::TaskStopped(TaskStop::Failed),
            TaskEvent::TaskBlocked { .. } => EventFact::TaskStopped(TaskStop::Blocked),
            TaskEvent::TaskSkipped { .. } => EventFact::TaskStopped(TaskStop::Skipped),
            TaskEvent::TaskCancelled => EventFact::TaskStopped(TaskStop::Cancelled),
            TaskEvent::ProcessStarted { .. }
            | TaskEvent::StepStarted { .. }
            | TaskEvent::StepEnded { .. }
            | TaskEvent::Heartbeat { .. }
            | TaskEvent::TestsFrozen { .. }
            | TaskEvent::TestsHeld { .. }
            | TaskEvent::TestsLinked { .. }
            | TaskEvent::TestsTried { .. }
            | TaskEvent::ChangesLeftOut { .. }
            | TaskEvent::FilesGranted { .. }
            | TaskEvent::CandidateMade { .. }
            | TaskEvent::VerifyIntended { .. }
            | TaskEvent::VerifyStarted { .. }
            | TaskEvent::VerifyAbandoned { .. }
            | TaskEvent::Verified { .. }
            | TaskEvent::ReviewStarted { .. }
            | TaskEvent::Reviewed { .. }
            | TaskEvent::ReviewAbandoned { .. }
            | TaskEvent::MergeIntended { .. }
            | TaskEvent::TaskReset
            | TaskEvent::TaskReopened { .. }
            | TaskEvent::Answered(_)
            | TaskEvent::Approved
            | TaskEvent::Finding { .. } => EventFact::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact_of(json: &str) -> String {
        format!("{:?}", Event::from_json(json).unwrap().fact())
    }

    #[test]
    fn an_event_reports_one_fact() {
        let table = [
            (r#"{"kind":"task_skipped","task":"a"}"#, "TaskStopped(Skipped)"),
            (r#"{"kind":"task_cancelled","task":"a"}"#, "TaskStopped(Cancelled)"),
            (r#"{"kind":"attempt_ended","task":"a","attempt":1,"end":"lost"}"#, "AttemptEnded(Lost)"),
            (r#"{"kind":"approved","task":"a"}"#, "Other"),
            (r#"{"kind":"paused"}"#, "Other"),
        ];
        for (event, fact) in table {
            assert_eq!(fact_of(event), fact, "{event}");
        }
    }
}
