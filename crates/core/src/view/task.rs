//! The current state of one task. [`super::TaskHistory`] has what happened before.

use serde::{Deserialize, Serialize};

use super::attempts::AttemptView;
use super::steps::{Frozen, StepState, Steps};
use super::why::Why;
use crate::criteria::{CriterionProof, Standing};
use crate::event::{AttemptEnd, AttemptStarted, LeftOut, Millis, SealedTask, TaskEvent, Usage};
use crate::failure::Failure;
use crate::ids::{AttemptNo, BlobName, Oid, TaskId};
use crate::plan::{Mode, Tier};
use crate::policy::Rung;
use crate::state::{IllegalMove, TaskState};

/// The current state of a task. Keys are short because ten thousand of these are kept beside the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskView {
    /// Its id.
    #[serde(rename = "i")]
    pub id: TaskId,
    /// Its title.
    #[serde(rename = "t")]
    pub title: String,
    /// Hash over its normative fields, as last sealed.
    #[serde(rename = "h")]
    pub hash: String,
    /// The hash it was completed under, where that is no longer its hash: the task is stale.
    #[serde(rename = "sh", default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<String>,
    /// Its frozen files that the user has changed since it was completed: the task is stale.
    #[serde(rename = "od", default, skip_serializing_if = "Vec::is_empty")]
    pub outdated: Vec<String>,
    /// The shape of its proof.
    #[serde(rename = "m")]
    pub mode: Mode,
    /// Its tier; the tier chosen once it is tried.
    #[serde(rename = "r")]
    pub tier: Tier,
    /// What must be merged first, as places in [`super::View::tasks`].
    #[serde(rename = "d", default, skip_serializing_if = "Vec::is_empty")]
    pub deps: Vec<u32>,
    /// The nearest parent, as a place in [`super::View::parents`].
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// Cost of the longest chain that starts with it.
    #[serde(rename = "c", default, skip_serializing_if = "is_zero")]
    pub priority: u64,
    /// Its state.
    #[serde(rename = "s", default, skip_serializing_if = "is_pending")]
    pub state: TaskState,
    /// The last attempt, 0 before the first.
    #[serde(rename = "n", default, skip_serializing_if = "is_untried")]
    pub attempt: AttemptNo,
    /// The rung of that attempt.
    #[serde(rename = "g", default, skip_serializing_if = "Option::is_none")]
    pub rung: Option<Rung>,
    /// The agent of that attempt.
    #[serde(rename = "a", default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Its steps.
    #[serde(rename = "e", default, skip_serializing_if = "Steps::is_empty")]
    pub steps: Steps,
    /// Whether its tests were seen red and frozen.
    #[serde(rename = "f", default, skip_serializing_if = "std::ops::Not::not")]
    pub frozen: bool,
    /// When the running attempt began.
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    pub began: Option<Millis>,
    /// Milliseconds spent in attempts that ended.
    #[serde(rename = "w", default, skip_serializing_if = "is_nothing")]
    pub worked: Millis,
    /// The time of its last event.
    #[serde(rename = "l", default, skip_serializing_if = "is_nothing")]
    pub heard: Millis,
    /// What its turns cost so far.
    #[serde(rename = "u", default, skip_serializing_if = "Usage::is_nothing")]
    pub usage: Usage,
    /// The session of the last turn that worked on it.
    #[serde(rename = "k", default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// What that turn printed.
    #[serde(rename = "x", default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<BlobName>,
    /// Why it is in its state, where its last event gave a reason.
    #[serde(rename = "y", default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
    /// Why its last attempt failed, until another one starts.
    #[serde(rename = "z", default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// What was left out of the work of its last attempt.
    #[serde(rename = "lo", default, skip_serializing_if = "LeftOut::is_empty")]
    pub left_out: LeftOut,
    /// The commit that carries it.
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Oid>,
    /// How its criteria stand.
    #[serde(rename = "cr", default, skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<CriterionProof>,
    /// Its tests that are not known to depend on the code.
    #[serde(rename = "wt", default, skip_serializing_if = "Vec::is_empty")]
    pub weak_tests: Vec<String>,
    /// Every attempt, with the turns agents took in it. A glance has none of them.
    #[serde(rename = "q", default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<AttemptView>,
}

impl TaskView {
    /// A task without attempts.
    pub(super) fn new(sealed: &SealedTask) -> Self {
        Self {
            id: sealed.id.clone(),
            title: sealed.title.clone(),
            hash: sealed.hash.clone(),
            proved: None,
            outdated: Vec::new(),
            mode: sealed.mode,
            tier: sealed.tier,
            deps: Vec::new(),
            parent: None,
            priority: sealed.priority,
            state: TaskState::Pending,
            attempt: AttemptNo::default(),
            rung: None,
            agent: None,
            steps: Steps::pending(&sealed.steps),
            frozen: false,
            began: None,
            worked: 0,
            heard: 0,
            usage: Usage::default(),
            session: None,
            transcript: None,
            why: None,
            failure: None,
            left_out: LeftOut::default(),
            commit: None,
            criteria: open_criteria(sealed),
            weak_tests: Vec::new(),
            attempts: Vec::new(),
        }
    }

    /// The task without its attempts: what fits on a screen.
    pub(super) fn at_a_glance(&self) -> Self {
        let mut task = self.clone();
        task.attempts.clear();
        task
    }

    /// Whether it was completed as something the plan no longer says, or by tests that are no longer there.
    pub fn is_stale(&self) -> bool {
        self.proved.is_some() || !self.outdated.is_empty()
    }

    /// Time spent in attempts, the running one included.
    pub fn worked_until(&self, now: Millis) -> Millis {
        self.worked + self.began.map_or(0, |began| (now - began).max(0))
    }

    /// Folds an event about this task. The state moves by the shared table and by nothing else.
    pub(super) fn apply(&mut self, at: Millis, event: &TaskEvent) -> Result<(), IllegalMove> {
        self.state = self.state.after(event)?;
        match event {
            TaskEvent::AttemptStarted(started) => self.begin_attempt(at, started),
            TaskEvent::StepStarted { step, action, .. } => self.steps.set(*step, *action, StepState::Running),
            TaskEvent::StepEnded { step, action, result, .. } => {
                self.steps.set(*step, *action, (*result).into());
            }
            TaskEvent::TurnEnded(turn) => {
                self.usage.add(&turn.usage);
                self.add_turn(turn);
                // A judge has a session of its own, which is not the task's.
                if turn.role.does_work() {
                    self.session.clone_from(&turn.session);
                    self.transcript = Some(turn.output.clone());
                }
            }
            TaskEvent::ChangesLeftOut { left_out, .. } => self.left_out.add(left_out),
            TaskEvent::TestsFrozen { .. } => self.frozen = true,
            TaskEvent::AttemptEnded { attempt, end, .. } => self.end_attempt(at, *attempt, end),
            TaskEvent::Merged { attempt, commit, criteria, weak, .. } => {
                self.merged(at, *attempt, commit);
                self.criteria_stand(criteria);
                self.weak_tests.clone_from(weak);
            }
            TaskEvent::Reviewed { attempt, verdict, .. } => {
                self.why = Why::of_verdict(verdict);
                self.add_verdict(*attempt, verdict);
            }
            TaskEvent::TaskFailed { reason, .. } => self.why = Some(Why::GaveUp(reason.clone())),
            TaskEvent::TaskBlocked { block, .. } => {
                self.stop_clock(at);
                self.why = Some(Why::Blocked(block.clone()));
            }
            TaskEvent::TaskSkipped { because, .. } => self.why = Some(Why::of_skip(because.as_ref())),
            TaskEvent::TaskCancelled => self.why = Some(Why::Cancelled),
            TaskEvent::TaskReset => self.reset(),
            TaskEvent::Approved => self.why = None,
            TaskEvent::Answered(_) => (self.why, self.failure) = (None, None),
            TaskEvent::ProcessStarted { .. }
            | TaskEvent::Heartbeat { .. }
            | TaskEvent::FilesGranted { .. }
            | TaskEvent::TestsHeld { .. }
            | TaskEvent::TestsLinked { .. }
            | TaskEvent::TestsTried { .. }
            | TaskEvent::TaskReopened { .. }
            | TaskEvent::CandidateMade { .. }
            | TaskEvent::VerifyIntended { .. }
            | TaskEvent::VerifyStarted { .. }
            | TaskEvent::VerifyAbandoned { .. }
            | TaskEvent::Verified { .. }
            | TaskEvent::ReviewStarted { .. }
            | TaskEvent::ReviewAbandoned { .. }
            | TaskEvent::MergeIntended { .. }
            | TaskEvent::Finding { .. } => {}
        }
        self.heard = at;
        Ok(())
    }

    fn begin_attempt(&mut self, at: Millis, started: &AttemptStarted) {
        self.attempt = started.attempt;
        self.rung = Some(started.rung);
        self.agent = Some(started.agent.clone());
        self.tier = started.tier;
        self.began = Some(at);
        (self.why, self.failure) = (None, None);
        self.left_out = LeftOut::default();
        self.add_attempt(at, started);
        if !started.rung.continues() {
            self.steps.begin_again(if self.frozen { Frozen::Yes } else { Frozen::No });
        }
    }

    fn end_attempt(&mut self, at: Millis, no: AttemptNo, end: &AttemptEnd) {
        match end {
            AttemptEnd::Failed { .. } => self.steps.settle(StepState::Failed),
            AttemptEnd::Interrupted | AttemptEnd::Lost => self.steps.settle(StepState::Pending),
        }
        // When a lost attempt stopped is unknown; its last event is the best estimate.
        let until = if *end == AttemptEnd::Lost { self.heard } else { at };
        self.stop_clock(until);
        self.close_attempt(until, no, end);
        let place = self.attempts.last().and_then(|last| last.place.as_deref());
        self.why = Some(Why::of_end(end, place));
        self.failure = match end {
            AttemptEnd::Failed { failure } => Some(failure.at_a_glance()),
            AttemptEnd::Interrupted | AttemptEnd::Lost => None,
        };
    }

    fn merged(&mut self, at: Millis, no: AttemptNo, commit: &Oid) {
        self.stop_clock(at);
        self.close_merged(at, no);
        self.steps.finish();
        self.commit = Some(commit.clone());
        self.outdated.clear();
        (self.why, self.failure) = (None, None);
    }

    /// Criteria that the merge says nothing of are merged with their task.
    fn criteria_stand(&mut self, known: &[CriterionProof]) {
        for own in &mut self.criteria {
            match known.iter().find(|proof| proof.criterion == own.criterion) {
                Some(proof) => own.clone_from(proof),
                None => own.standing = Standing::Merged,
            }
        }
    }

    /// Takes over the criteria of a plan that was sealed again; those it had keep how they stand.
    pub(super) fn reseal_criteria(&mut self, sealed: &SealedTask) {
        let before = std::mem::replace(&mut self.criteria, open_criteria(sealed));
        let merged = self.commit.is_some();
        for own in &mut self.criteria {
            match before.iter().find(|proof| proof.criterion == own.criterion) {
                Some(proof) => own.clone_from(proof),
                None if merged => own.standing = Standing::Merged,
                None => {}
            }
        }
    }

    fn reset(&mut self) {
        for own in &mut self.criteria {
            *own = CriterionProof::open(std::mem::take(&mut own.criterion));
        }
        self.proved = None;
        self.outdated.clear();
        self.frozen = false;
        self.commit = None;
        (self.why, self.failure) = (None, None);
        self.steps.begin_again(Frozen::No);
    }

    fn stop_clock(&mut self, at: Millis) {
        self.worked = self.worked_until(at);
        self.began = None;
    }
}

fn open_criteria(sealed: &SealedTask) -> Vec<CriterionProof> {
    sealed.criteria.iter().cloned().map(CriterionProof::open).collect()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_nothing(n: &Millis) -> bool {
    *n == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_pending(state: &TaskState) -> bool {
    *state == TaskState::Pending
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_untried(attempt: &AttemptNo) -> bool {
    attempt.0 == 0
}
