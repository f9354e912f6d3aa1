//! Everything that happened to one task, try by try. Folded from the task's events when somebody asks.

use serde::{Deserialize, Serialize};

use crate::event::{
    AttemptEnd, Block, Claim, Event, FrozenFile, Millis, RedKind, RedTests, Role, Stamped, StepResult, Usage,
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
    /// Its tries, oldest first.
    pub attempts: Vec<AttemptHistory>,
    /// Its merge, until it is reset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<Merge>,
    /// What it waits for a person for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Block>,
    /// Files granted to it beyond its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub granted: Vec<String>,
    /// Findings that stopped nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// Whether a person let it pass, or skipped it after it failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overridden: bool,
}

/// One try.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptHistory {
    /// Which.
    pub no: AttemptNo,
    /// Where on the ladder.
    pub rung: Rung,
    /// The agent.
    pub agent: String,
    /// The tier.
    pub tier: Tier,
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
    /// Red, where it was seen in this try.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub red: Option<Red>,
    /// The steps as they ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepRun>,
    /// The agent's turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<Turn>,
    /// The commit it produced, with lines added and removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<(Oid, u64, u64)>,
    /// Its last verification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
    /// What reviewers said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reviews: Vec<Verdict>,
}

/// Red, as it was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Red {
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

/// A turn of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The part it played.
    pub role: Role,
    /// Its name.
    pub agent: String,
    /// How long it took.
    pub millis: u64,
    /// How it ended, by its own account.
    #[serde(default, skip_serializing_if = "Claim::is_done")]
    pub claim: Claim,
    /// What it cost.
    pub usage: Usage,
    /// The model behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// What it was told.
    pub brief: BlobName,
    /// What it printed.
    pub output: BlobName,
}

/// A verification on a merged tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    /// What it was merged onto.
    pub onto: Oid,
    /// The provisional merge commit and its tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge: Option<(Oid, Oid)>,
    /// The verifier's record, once every gate was green.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<BlobName>,
}

/// A merge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Merge {
    /// When.
    pub at: Millis,
    /// The try.
    pub attempt: AttemptNo,
    /// The commit on the branch.
    pub commit: Oid,
    /// Its tree.
    pub tree: Oid,
    /// The evidence record.
    pub evidence: Oid,
}

impl TaskHistory {
    /// A task to which nothing has happened.
    pub fn new(task: TaskId) -> Self {
        Self {
            task,
            attempts: Vec::new(),
            merged: None,
            blocked: None,
            granted: Vec::new(),
            findings: Vec::new(),
            overridden: false,
        }
    }

    /// Takes in an event if it is about this task.
    pub fn apply(&mut self, stamped: &Stamped) {
        if stamped.event.task() != Some(&self.task) {
            return;
        }
        let (at, event) = (stamped.at, &stamped.event);
        match event {
            Event::AttemptStarted { .. } => self.begin(at, event),
            Event::Merged { .. } => self.merge(at, event),
            Event::TaskBlocked { block, .. } => self.blocked = Some(block.clone()),
            Event::TaskReset { .. } => (self.merged, self.blocked) = (None, None),
            Event::Approved { .. } => {
                self.overridden |= !matches!(self.blocked, Some(Block::AwaitingApproval) | None);
                self.blocked = None;
            }
            Event::TaskSkipped { because: None, .. } => {
                let failed = |a: &AttemptHistory| matches!(a.end, Some(AttemptEnd::Failed { .. }));
                self.overridden |= self.attempts.last().is_some_and(failed);
            }
            Event::FilesGranted { files, .. } => self.granted.extend(files.iter().cloned()),
            Event::Finding { message, .. } => self.findings.push(message.clone()),
            Event::StepEnded { attempt, .. } => self.change(*attempt, |a| a.steps.extend(step_run(event))),
            Event::TurnEnded { attempt, .. } => self.change(*attempt, |a| a.turns.extend(turn(event))),
            Event::TestsFrozen { attempt, .. } => self.change(*attempt, |a| a.red = red(event)),
            Event::CandidateMade { attempt, commit, added, removed, .. } => {
                self.change(*attempt, |a| a.candidate = Some((commit.clone(), *added, *removed)));
            }
            Event::VerifyIntended { attempt, onto, .. } => {
                let verification = Verification { onto: onto.clone(), merge: None, proof: None };
                self.change(*attempt, |a| a.verification = Some(verification));
            }
            Event::VerifyStarted { attempt, merge, tree, .. } => {
                self.verifying(*attempt, |v| v.merge = Some((merge.clone(), tree.clone())));
            }
            Event::Verified { attempt, proof, .. } => {
                self.verifying(*attempt, |v| v.proof = Some(proof.clone()));
            }
            Event::VerifyAbandoned { attempt, .. } => self.change(*attempt, |a| a.verification = None),
            Event::AttemptEnded { attempt, end, output, .. } => self.change(*attempt, |a| {
                (a.ended, a.end, a.output) = (Some(at), Some(end.clone()), output.clone());
            }),
            Event::Reviewed { attempt, verdict, .. } => {
                self.change(*attempt, |a| a.reviews.push(verdict.clone()));
            }
            Event::ProcessStarted { .. }
            | Event::StepStarted { .. }
            | Event::Heartbeat { .. }
            | Event::ReviewStarted { .. }
            | Event::ReviewAbandoned { .. }
            | Event::MergeIntended { .. }
            | Event::TaskFailed { .. }
            | Event::TaskSkipped { .. }
            | Event::RunStarted { .. }
            | Event::PlanSealed { .. }
            | Event::RunEnded { .. }
            | Event::Paused
            | Event::Resumed
            | Event::StopRequested { .. }
            | Event::TipMoved { .. }
            | Event::MergingPaused { .. }
            | Event::MergingResumed
            | Event::PlanJudged { .. }
            | Event::QueueFormed { .. }
            | Event::AgentPaused { .. } => {}
        }
    }

    fn begin(&mut self, at: Millis, event: &Event) {
        let Event::AttemptStarted { attempt, rung, agent, tier, base, .. } = event else { return };
        self.blocked = None;
        self.attempts.push(AttemptHistory {
            no: *attempt,
            rung: *rung,
            agent: agent.clone(),
            tier: *tier,
            base: base.clone(),
            started: at,
            ended: None,
            end: None,
            output: None,
            red: None,
            steps: Vec::new(),
            turns: Vec::new(),
            candidate: None,
            verification: None,
            reviews: Vec::new(),
        });
    }

    fn merge(&mut self, at: Millis, event: &Event) {
        let Event::Merged { attempt, commit, tree, evidence, .. } = event else { return };
        self.blocked = None;
        self.merged = Some(Merge {
            at,
            attempt: *attempt,
            commit: commit.clone(),
            tree: tree.clone(),
            evidence: evidence.clone(),
        });
        self.change(*attempt, |a| a.ended = Some(at));
    }

    fn change(&mut self, no: AttemptNo, change: impl FnOnce(&mut AttemptHistory)) {
        if let Some(attempt) = self.attempts.iter_mut().rev().find(|a| a.no == no) {
            change(attempt);
        }
    }

    fn verifying(&mut self, no: AttemptNo, change: impl FnOnce(&mut Verification)) {
        self.change(no, |a| {
            if let Some(verification) = &mut a.verification {
                change(verification);
            }
        });
    }
}

fn turn(event: &Event) -> Option<Turn> {
    let Event::TurnEnded {
        role, agent, millis, claim, usage, model, session, summary, brief, output, ..
    } = event
    else {
        return None;
    };
    Some(Turn {
        role: *role,
        agent: agent.clone(),
        millis: *millis,
        claim: *claim,
        usage: *usage,
        model: model.clone(),
        session: session.clone(),
        summary: summary.clone(),
        brief: brief.clone(),
        output: output.clone(),
    })
}

fn step_run(event: &Event) -> Option<StepRun> {
    let Event::StepEnded { action, result, millis, output, .. } = event else { return None };
    Some(StepRun { action: *action, result: *result, millis: *millis, output: output.clone() })
}

fn red(event: &Event) -> Option<Red> {
    let Event::TestsFrozen { commit, red, tests, seen, files, .. } = event else { return None };
    let (commit, tests, seen) = (commit.clone(), tests.clone(), seen.clone());
    Some(Red { commit, kind: *red, tests, seen, files: files.clone() })
}
