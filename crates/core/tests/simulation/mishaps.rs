//! What happens to machines: a place is gone, and answers late; a clock is set.

use windlass_core::event::{AttemptEnd, Event, Millis, RunEvent, TaskEvent};
use windlass_core::ids::{AttemptNo, BlobName, Oid, TaskId};

use super::bugs::Bug;
use super::world::{Job, World};

impl World {
    /// A place is gone with all its attempts, or with one of them.
    pub(super) fn lose_place(&mut self, place: &str, task: TaskId, attempt: AttemptNo) {
        let at_place = |id: &TaskId| self.scheduler.task(id).is_some_and(|t| t.place() == Some(place));
        let mut gone = vec![(task, attempt)];
        if self.dice.percent(50) {
            let open = self.scheduler.working().filter(|(id, _)| at_place(id) && **id != gone[0].0);
            let open: Vec<_> = open.map(|(id, attempt)| (id.clone(), attempt)).collect();
            gone.extend(open);
        }
        for (task, attempt) in gone {
            self.agenda.retain(|_, (t, _, _)| *t != task);
            let until = self.scheduler.rest_of_place(place, self.clock());
            let (place, reason) = (place.to_owned(), "gone".to_owned());
            self.tell(Event::Run(RunEvent::PlaceLost { place, reason, until }));
            if self.has(Bug::LossUntold) {
                continue;
            }
            let end = AttemptEnd::Lost;
            self.tell(TaskEvent::AttemptEnded { attempt, end, output: None }.of(task.clone()));
            if self.dice.percent(40) {
                // It was only cut off: what it did arrives when it is no longer awaited.
                self.later(2_000, task, attempt, Job::LateAnswer);
            }
        }
    }

    /// Whether the place that verifies a task is lost now.
    pub(super) fn verifier_is_lost(&mut self, task: &TaskId) -> bool {
        let away = self.scheduler.task(task).is_some_and(|t| t.verifier().is_some());
        let lost = away && self.mischief > 0 && self.dice.percent(30);
        self.mischief -= u32::from(lost);
        lost
    }

    /// A trusted place is gone with a verification: it begins again, and the attempt is not used up.
    pub(super) fn lose_verifier(&mut self, task: TaskId, attempt: AttemptNo, tree: Oid) {
        let place = self.scheduler.task(&task).and_then(|t| t.verifier()).expect("verified there").to_owned();
        let until = self.scheduler.rest_of_place(&place, self.clock());
        self.tell(Event::Run(RunEvent::PlaceLost { place, reason: "gone".to_owned(), until }));
        if self.has(Bug::LostVerdictUntold) {
            return;
        }
        self.tell(TaskEvent::VerifyAbandoned { attempt }.of(task.clone()));
        if self.dice.percent(40) {
            self.later(500, task, attempt, Job::LateVerdict { tree });
        }
    }

    /// A lost place sends a verdict. The verification is over, so nothing of it is heard.
    pub(super) fn late_verdict(&mut self, task: TaskId, attempt: AttemptNo, tree: Oid) {
        let again = self.scheduler.verifying().any(|(id, _)| *id == task);
        if self.has(Bug::StaleVerdict) && again {
            let proof = BlobName::of(b"proof");
            self.tell(TaskEvent::Verified { attempt, tree, proof }.of(task));
        }
    }

    /// A lost place answers. Its attempt is over, so nothing of it is heard.
    pub(super) fn late_answer(&mut self, task: TaskId, attempt: AttemptNo) {
        let works = self.scheduler.working().any(|(id, _)| *id == task);
        if self.has(Bug::StaleLease) && works {
            let commit = self.oid();
            self.tell(TaskEvent::CandidateMade { attempt, commit, added: 1, removed: 0 }.of(task));
        }
    }

    /// The clock is set, forwards or back.
    pub(super) fn set_clock(&mut self) {
        let by = i64::try_from(self.dice.below(7_200_000)).expect("small");
        self.skew += by - 3_600_000;
    }

    /// The time as the clock of the coordinator shows it.
    pub(super) fn clock(&self) -> Millis {
        self.now + self.skew
    }
}
