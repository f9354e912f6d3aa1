//! What is believed of what a place reports: which events it may send, and which failures say something of the machine
//! rather than of the work.

use windlass_core::event::TaskEvent;
use windlass_core::failure::Failure;
use windlass_core::ids::{AttemptNo, BlobName, Oid};

use super::SentWork;
use crate::process::Mask;

/// Whether a failure says something of the machine and its log-ins rather than of the work. It costs no attempt: the work may
/// succeed elsewhere, and fails in the same way here if it is not the machine.
pub(super) fn is_of_the_machine(work: &SentWork, failure: &Failure) -> bool {
    match work {
        SentWork::Attempt(_) => matches!(
            failure,
            Failure::Spawn { .. } | Failure::Environment { .. } | Failure::ProviderRefused { .. }
        ),
        // A command that does not run there may run here.
        SentWork::Verify(_) | SentWork::Close(_) => {
            matches!(failure, Failure::Spawn { .. } | Failure::Environment { .. } | Failure::CannotRun { .. })
        }
    }
}

/// Whether a place may report an event: its attempt, and whether it waits for the objects that it is about.
pub(super) fn reported(work: &SentWork, event: &TaskEvent) -> Option<(Option<AttemptNo>, bool)> {
    let of_attempt = reported_of_attempt(event)?;
    match work {
        SentWork::Attempt(_) => Some(of_attempt),
        // A verification begins and ends steps. What it finds out beyond that is in its proof.
        SentWork::Verify(_) => matches!(
            event,
            TaskEvent::StepStarted { .. } | TaskEvent::StepEnded { .. } | TaskEvent::Finding { .. }
        )
        .then_some(of_attempt),
        SentWork::Close(_) => None,
    }
}

fn reported_of_attempt(event: &TaskEvent) -> Option<(Option<AttemptNo>, bool)> {
    match event {
        TaskEvent::StepStarted { attempt, .. }
        | TaskEvent::StepEnded { attempt, .. }
        | TaskEvent::Heartbeat { attempt, .. } => Some((Some(*attempt), false)),
        TaskEvent::TurnEnded(turn) => Some((Some(turn.attempt), false)),
        TaskEvent::TestsFrozen { attempt, .. }
        | TaskEvent::TestsHeld { attempt, .. }
        | TaskEvent::TestsLinked { attempt, .. }
        | TaskEvent::TestsTried { attempt, .. }
        | TaskEvent::ChangesLeftOut { attempt, .. } => Some((Some(*attempt), true)),
        TaskEvent::Finding { .. } => Some((None, false)),
        TaskEvent::AttemptStarted(_)
        | TaskEvent::ProcessStarted { .. }
        | TaskEvent::FilesGranted { .. }
        | TaskEvent::CandidateMade { .. }
        | TaskEvent::ReviewStarted { .. }
        | TaskEvent::Reviewed { .. }
        | TaskEvent::ReviewAbandoned { .. }
        | TaskEvent::VerifyIntended { .. }
        | TaskEvent::VerifyStarted { .. }
        | TaskEvent::Verified { .. }
        | TaskEvent::VerifyAbandoned { .. }
        | TaskEvent::MergeIntended { .. }
        | TaskEvent::Merged { .. }
        | TaskEvent::AttemptEnded { .. }
        | TaskEvent::TaskFailed { .. }
        | TaskEvent::TaskBlocked { .. }
        | TaskEvent::TaskSkipped { .. }
        | TaskEvent::TaskCancelled
        | TaskEvent::TaskReset
        | TaskEvent::TaskReopened { .. }
        | TaskEvent::Answered(_)
        | TaskEvent::Approved => None,
    }
}

/// The outputs that an event names.
pub(super) fn outputs_of(event: &TaskEvent) -> Vec<&BlobName> {
    if let TaskEvent::TurnEnded(turn) = event {
        vec![&turn.brief, &turn.output]
    } else if let TaskEvent::StepEnded { output: Some(output), .. } = event {
        vec![output]
    } else {
        Vec::new()
    }
}

/// The commit that an event names.
pub(super) fn commit_of(event: &TaskEvent) -> Option<&Oid> {
    if let TaskEvent::TestsFrozen { commit, .. } = event { Some(commit) } else { None }
}

/// The event without what the place was given in confidence.
pub(super) fn masked(mask: &Mask, event: TaskEvent) -> TaskEvent {
    if mask.is_empty() {
        return event;
    }
    let text = serde_json::to_string(&event).unwrap_or_default();
    serde_json::from_str(&mask.text(&text)).unwrap_or(event)
}
