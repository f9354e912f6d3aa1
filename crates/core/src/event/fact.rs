//! What several folds ask of an event, answered in one place.

use super::{Event, Role, RunEvent, TaskEvent, Usage};
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
    /// Nothing of this.
    Other,
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
            Event::Task { event, .. } => of_task(event),
        }
    }

    /// The turn that the event reports, if it reports one.
    pub fn paid_turn(&self) -> Option<PaidTurn<'_>> {
        match self.fact() {
            EventFact::Turn(turn) => Some(turn),
            EventFact::Commit { .. } | EventFact::Other => None,
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
        RunEvent::RunStarted(_)
        | RunEvent::PlanSealed { .. }
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

fn of_task(event: &TaskEvent) -> EventFact<'_> {
    match event {
        TaskEvent::TurnEnded(turn) => EventFact::Turn(PaidTurn {
            agent: &turn.agent,
            role: turn.role,
            model: turn.model.as_deref(),
            millis: turn.millis,
            usage: &turn.usage,
        }),
        TaskEvent::Merged { commit, evidence, .. } => EventFact::Commit { commit, evidence },
        TaskEvent::AttemptStarted(_)
        | TaskEvent::ProcessStarted { .. }
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
        | TaskEvent::AttemptEnded { .. }
        | TaskEvent::TaskFailed { .. }
        | TaskEvent::TaskBlocked { .. }
        | TaskEvent::TaskSkipped { .. }
        | TaskEvent::TaskCancelled
        | TaskEvent::TaskReset
        | TaskEvent::TaskReopened { .. }
        | TaskEvent::Answered(_)
        | TaskEvent::Approved
        | TaskEvent::Finding { .. } => EventFact::Other,
    }
}
