//! Everything that happened to one task, attempt by attempt. Folded from the task's events on demand.

use serde::{Deserialize, Serialize};

use crate::criteria::CriterionLink;
use crate::event::{
    AttemptEnd, AttemptStarted, BlockReason, Event, FrozenFile, HeldTests, LeftOut, Millis, MutantSeen,
    PersonAnswer, RedKind, RedTests, Stamped, StepResult, TaskEvent, TurnEnded,
};
use crate::ids::{AttemptNo, BlobName, Oid, TaskId};
use crate::plan::{Action, Tier};
use crate::policy::Rung;
use crate::team::Verdict;

/// The history of one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskHistory {
    /// The task.
    pub task: TaskId,
    /// Its attempts, oldest first.
    pub attempts: Vec<AttemptHistory>,
    /// Its merge, until it is reset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<MergeRecord>,
    /// What it waits for a person for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<BlockReason>,
    /// Files granted to it beyond its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub granted: Vec<String>,
    /// When a person found it wrong after it was merged, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reopened: Vec<(Millis, String)>,
    /// What it asked and what a person answered, and when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<(Millis, PersonAnswer)>,
    /// Findings that stopped nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// Whether a person let it pass, or skipped it after it failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overridden: bool,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptHistory {
    /// Its number.
    pub no: AttemptNo,
    /// Where on the ladder.
    pub rung: Rung,
    /// The agent.
    pub agent: String,
    /// The tier.
    pub tier: Tier,
    /// The place it ran at; none for this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The commit it started from.
    pub base: Oid,
    /// When it started.
    pub started: Millis,
    /// When it ended or was merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Millis>,
    /// How it ended, where it was not merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<AttemptEnd>,
    /// What the deciding command printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<BlobName>,
    /// Red, where it was seen in this attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub red: Option<SeenRed>,
    /// What the task was found to be satisfied by already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldTests>,
    /// Which tests stand for which criterion.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<CriterionLink>,
    /// Wrong versions of the code that its tests were run on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mutants: Vec<MutantSeen>,
    /// What its turns changed that is not part of the candidate.
    #[serde(default, skip_serializing_if = "LeftOut::is_empty")]
    pub left_out: LeftOut,
    /// The steps as they ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepRun>,
    /// The agent's turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<TurnEnded>,
    /// The commit it produced, with lines added and removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<(Oid, u64, u64)>,
    /// Its last verification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<VerificationRecord>,
    /// The verdicts of reviewers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reviews: Vec<Verdict>,
}

/// Red, as it was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeenRed {
    /// The commit with the tests on the base.
    pub commit: Oid,
    /// How it was seen.
    pub kind: RedKind,
    /// The red tests.
    pub tests: Vec<String>,
    /// What each of them showed, as far as it is known.
    #[serde(default, skip_serializing_if = "RedTests::is_empty")]
    pub seen: RedTests,
    /// What is frozen.
    pub files: Vec<FrozenFile>,
}

/// A step as it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepRun {
    /// What it did.
    pub action: Action,
    /// How it ended.
    pub result: StepResult,
    /// How long it took.
    pub millis: u64,
    /// What its command printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<BlobName>,
}

/// A verification on a merged tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VerificationRecord {
    /// What it was merged onto.
    pub onto: Oid,
    /// The trusted place it ran at; none for this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The provisional merge commit and its tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge: Option<(Oid, Oid)>,
    /// The verifier's record, once every gate was green.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<BlobName>,
}

/// A merge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MergeRecord {
    /// When.
    pub at: Millis,
    /// The attempt.
    pub attempt: AttemptNo,
    /// The commit on the branch.
    pub commit: Oid,
    /// Its tree.
    pub tree: Oid,
    /// The evidence record.
    pub evidence: Oid,
}

impl TaskHistory {
    /// How its attempts failed, in full, oldest first.
    pub fn failures(&self) -> Vec<String> {
        let ends = self.attempts.iter().filter_map(|attempt| attempt.end.as_ref());
        let failed = ends.filter_map(|end| match end {
            AttemptEnd::Failed { failure } => Some(failure.details()),
            AttemptEnd::Interrupted | AttemptEnd::Lost => None,
        });
        failed.collect()
    }

    /// A task to which nothing has happened.
    pub fn new(task: TaskId) -> Self {
        Self {
            task,
            attempts: Vec::new(),
            merged: None,
            blocked: None,
            granted: Vec::new(),
            reopened: Vec::new(),
            answers: Vec::new(),
            findings: Vec::new(),
            overridden: false,
        }
    }

    /// Takes in an event if it is about this task.
    pub fn apply(&mut self, stamped: &Stamped) {
        match &stamped.event {
            Event::Task { task, event } if *task == self.task => self.apply_own(stamped.at, event),
            Event::Task { .. } | Event::Run(_) => {}
        }
    }

    fn apply_own(&mut self, at: Millis, event: &TaskEvent) {
        match event {
            TaskEvent::AttemptStarted(started) => self.begin(at, started),
            TaskEvent::Merged { attempt, commit, tree, evidence, .. } => {
                let (commit, tree, evidence) = (commit.clone(), tree.clone(), evidence.clone());
                self.blocked = None;
                self.merged = Some(MergeRecord { at, attempt: *attempt, commit, tree, evidence });
                self.change(*attempt, |a| a.ended = Some(at));
            }
            TaskEvent::TaskBlocked { block, .. } => self.blocked = Some(block.clone()),
            TaskEvent::TaskReset => (self.merged, self.blocked) = (None, None),
            TaskEvent::TaskReopened { because } => self.reopened.push((at, because.clone())),
            TaskEvent::Answered(answer) => {
                self.blocked = None;
                self.answers.push((at, answer.clone()));
            }
            TaskEvent::Approved => {
                self.overridden |= !matches!(self.blocked, Some(BlockReason::AwaitingApproval) | None);
                self.blocked = None;
            }
            TaskEvent::TaskSkipped { because: None, .. } => self.overridden |= self.ended_in_failure(),
            TaskEvent::FilesGranted { files, .. } => self.granted.extend(files.iter().cloned()),
            TaskEvent::Finding { message, .. } => self.findings.push(message.clone()),
            TaskEvent::StepEnded { attempt, action, result, millis, output, .. } => {
                let (action, result, millis) = (*action, *result, *millis);
                let run = StepRun { action, result, millis, output: output.clone() };
                self.change(*attempt, |a| a.steps.push(run));
            }
            TaskEvent::TurnEnded(turn) => self.change(turn.attempt, |a| a.turns.push(turn.clone())),
            TaskEvent::TestsFrozen { attempt, commit, red, tests, seen, files, .. } => {
                let (commit, tests, seen) = (commit.clone(), tests.clone(), seen.clone());
                let seen = SeenRed { commit, kind: *red, tests, seen, files: files.clone() };
                self.change(*attempt, |a| a.red = Some(seen));
            }
            TaskEvent::TestsHeld { attempt, held } => {
                self.change(*attempt, |a| a.held = Some(held.clone()));
            }
            TaskEvent::TestsLinked { attempt, links } => {
                self.change(*attempt, |a| a.links.clone_from(links));
            }
            TaskEvent::TestsTried { attempt, mutants } => {
                self.change(*attempt, |a| a.mutants.clone_from(mutants));
            }
            TaskEvent::ChangesLeftOut { attempt, left_out } => {
                self.findings.push(left_out.words());
                self.change(*attempt, |a| a.left_out.add(left_out));
            }
            TaskEvent::CandidateMade { attempt, commit, added, removed, .. } => {
                self.change(*attempt, |a| a.candidate = Some((commit.clone(), *added, *removed)));
            }
            TaskEvent::VerifyIntended { attempt, onto, place } => {
                let (onto, place) = (onto.clone(), place.clone());
                let verification = VerificationRecord { onto, place, merge: None, proof: None };
                self.change(*attempt, |a| a.verification = Some(verification));
            }
            TaskEvent::VerifyStarted { attempt, merge, tree, .. } => {
                self.verifying(*attempt, |v| v.merge = Some((merge.clone(), tree.clone())));
            }
            TaskEvent::Verified { attempt, proof, .. } => {
                self.verifying(*attempt, |v| v.proof = Some(proof.clone()));
            }
            TaskEvent::VerifyAbandoned { attempt, .. } => self.change(*attempt, |a| a.verification = None),
            TaskEvent::AttemptEnded { attempt, end, output, .. } => self.change(*attempt, |a| {
                (a.ended, a.end, a.output) = (Some(at), Some(end.clone()), output.clone());
            }),
            TaskEvent::Reviewed { attempt, verdict, .. } => {
                self.change(*attempt, |a| a.reviews.push(verdict.clone()));
            }
            TaskEvent::ProcessStarted { .. }
            | TaskEvent::StepStarted { .. }
            | TaskEvent::Heartbeat { .. }
            | TaskEvent::ReviewStarted { .. }
            | TaskEvent::ReviewAbandoned { .. }
            | TaskEvent::MergeIntended { .. }
            | TaskEvent::TaskFailed { .. }
            | TaskEvent::TaskCancelled
            | TaskEvent::TaskSkipped { .. } => {}
        }
    }

    fn ended_in_failure(&self) -> bool {
        self.attempts.last().is_some_and(|a| matches!(a.end, Some(AttemptEnd::Failed { .. })))
    }

    fn begin(&mut self, at: Millis, started: &AttemptStarted) {
        self.blocked = None;
        self.attempts.push(AttemptHistory {
            no: started.attempt,
            rung: started.rung,
            agent: started.agent.clone(),
            tier: started.tier,
            place: started.place.clone(),
            base: started.base.clone(),
            started: at,
            ended: None,
            end: None,
            output: None,
            red: None,
            held: None,
            links: Vec::new(),
            mutants: Vec::new(),
            left_out: LeftOut::default(),
            steps: Vec::new(),
            turns: Vec::new(),
            candidate: None,
            verification: None,
            reviews: Vec::new(),
        });
    }

    fn change(&mut self, no: AttemptNo, change: impl FnOnce(&mut AttemptHistory)) {
        if let Some(attempt) = self.attempts.iter_mut().rev().find(|a| a.no == no) {
            change(attempt);
        }
    }

    fn verifying(&mut self, no: AttemptNo, change: impl FnOnce(&mut VerificationRecord)) {
        self.change(no, |a| {
            if let Some(verification) = &mut a.verification {
                change(verification);
            }
        });
    }
}
