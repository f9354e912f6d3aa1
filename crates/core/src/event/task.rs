//! Events of one task.

use serde::{Deserialize, Serialize};

use super::{
    AttemptEnd, BlockReason, Event, FrozenFile, HeldTests, LeftOut, MutantSeen, PersonAnswer, RedKind,
    RedTests, StepResult, TestAuthor,
};
use crate::criteria::{CriterionLink, CriterionProof};
use crate::ids::{AttemptNo, BlobName, Oid, TaskId};
use crate::plan::{Action, Tier};
use crate::policy::Rung;
use crate::team::{Claim, Role, Verdict};
use crate::usage::Usage;

/// Something that happened to a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TaskEvent {
    /// Intent: an attempt starts.
    AttemptStarted(AttemptStarted),
    /// A process of an attempt was started. A restarted coordinator kills it if it still runs.
    ProcessStarted {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// Its process id.
        pid: u32,
        /// Its start time in kernel ticks.
        started: u64,
    },
    /// A step began.
    StepStarted {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// Its place among the task's steps, from 0.
        step: u32,
        /// What it does.
        action: Action,
    },
    /// A step ended.
    StepEnded {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// Its place among the task's steps, from 0.
        step: u32,
        /// What it did.
        action: Action,
        /// How it ended.
        result: StepResult,
        /// How long it took.
        millis: u64,
        /// Output of its command.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<BlobName>,
    },
    /// A long step is still running.
    Heartbeat {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// Bytes of output so far.
        bytes: u64,
        /// What the agent reported last, if an agent is at work and reports.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        progress: Option<TurnProgress>,
    },
    /// An agent's turn ended.
    TurnEnded(TurnEnded),
    /// Red was seen and the tests are frozen.
    TestsFrozen {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// The commit with the tests on the base.
        commit: Oid,
        /// How red was seen.
        red: RedKind,
        /// The names of the red tests.
        tests: Vec<String>,
        /// Tests of the same files that a condition in them may leave out; they may be skipped at green.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        conditional: Vec<String>,
        /// What each of them showed, if known.
        #[serde(default, skip_serializing_if = "RedTests::is_empty")]
        seen: RedTests,
        /// What is frozen.
        files: Vec<FrozenFile>,
        /// Where the tests come from.
        #[serde(default, skip_serializing_if = "TestAuthor::is_plan")]
        author: TestAuthor,
    },
    /// The tests pass before the work, and they notice when the code is wrong: the task is satisfied already.
    TestsHeld {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// By what, and how that was seen.
        held: HeldTests,
    },
    /// Which tests stand for which criterion of the task, by name; the tests are known to exist.
    TestsLinked {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// The criteria that have tests.
        links: Vec<CriterionLink>,
    },
    /// The tests were run on wrong versions of the code.
    TestsTried {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// The versions, and the tests that failed on each.
        mutants: Vec<MutantSeen>,
    },
    /// Changes of a turn that are not part of the candidate.
    ChangesLeftOut {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// The changes that were left out.
        #[serde(flatten)]
        left_out: LeftOut,
    },
    /// Files the task did not own were granted to it.
    FilesGranted {
        /// The files.
        files: Vec<String>,
    },
    /// The attempt's work was ingested as a commit and waits for verification.
    CandidateMade {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// The commit, on the attempt's base.
        commit: Oid,
        /// Lines added.
        #[serde(default)]
        added: u64,
        /// Lines removed.
        #[serde(default)]
        removed: u64,
    },
    /// Intent: merge onto `onto` and verify.
    VerifyIntended {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// The tip, or the provisional merge of the task before it in the merge train.
        onto: Oid,
        /// The trusted place that verifies it; none for this machine.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<String>,
    },
    /// The provisional merge exists and its verification runs.
    VerifyStarted {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// The provisional merge commit.
        merge: Oid,
        /// Its tree.
        tree: Oid,
    },
    /// The base of a verification moved; the verification restarts on the new one.
    VerifyAbandoned {
        /// The number of the attempt.
        attempt: AttemptNo,
    },
    /// Every gate was green on exactly this tree.
    Verified {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// The tree.
        tree: Oid,
        /// The verifier's record.
        proof: BlobName,
    },
    /// Intent: a review starts.
    ReviewStarted {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// The agent.
        agent: String,
    },
    /// A review ended, with a verdict or with an unreadable answer.
    Reviewed {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// The verdict.
        verdict: Verdict,
    },
    /// The review was stopped, or its provider is rate-limited; the review restarts.
    ReviewAbandoned {
        /// The number of the attempt.
        attempt: AttemptNo,
    },
    /// Intent: move the branch.
    MergeIntended {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// The commit the branch will point to.
        commit: Oid,
    },
    /// The branch moved. The only event that completes a task.
    Merged {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// The commit the branch points to now.
        commit: Oid,
        /// Its tree.
        tree: Oid,
        /// The evidence record.
        evidence: Oid,
        /// How its criteria stand. Older programs did not say.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        criteria: Vec<CriterionProof>,
        /// Its tests that are not known to depend on the code.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        weak: Vec<String>,
    },
    /// An attempt ended without a merge.
    AttemptEnded {
        /// The number of the attempt.
        attempt: AttemptNo,
        /// How it ended.
        #[serde(flatten)]
        end: AttemptEnd,
        /// Output of the deciding command.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<BlobName>,
    },
    /// The ladder is used up.
    TaskFailed {
        /// What ended it.
        reason: String,
    },
    /// A person is needed.
    TaskBlocked {
        /// For what decision.
        #[serde(flatten)]
        block: BlockReason,
    },
    /// It will not be carried out.
    TaskSkipped {
        /// The task whose end caused it; none if a person asked for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<TaskId>,
    },
    /// A person stopped its attempt. It is not started again before the next run.
    TaskCancelled,
    /// A person asked for it to start over.
    TaskReset,
    /// A person found the merged task wrong. Follows its reset; the reason counts until it is merged again.
    TaskReopened {
        /// What is wrong.
        because: String,
    },
    /// A person answered what it asked. What it has stays, and the next attempt is told.
    Answered(PersonAnswer),
    /// A person approved it.
    Approved,
    /// A remark that stops nothing.
    Finding {
        /// The remark.
        message: String,
    },
}

/// What an agent at work has reported so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnProgress {
    /// How long the turn has taken.
    pub millis: u64,
    /// The tool it used last, with what it was given; none if it has spoken since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What it said last, in a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// What it has used, as far as it is told.
    pub usage: Usage,
}

/// Intent: an attempt starts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptStarted {
    /// The number of the attempt.
    pub attempt: AttemptNo,
    /// Where on the ladder.
    pub rung: Rung,
    /// The agent chosen.
    pub agent: String,
    /// The tier chosen.
    pub tier: Tier,
    /// The agent that writes its tests, if it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_writer: Option<String>,
    /// The place it runs at; none for the machine of the coordinator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The commit it starts from.
    pub base: Oid,
}

/// An agent's turn ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnEnded {
    /// The number of the attempt.
    pub attempt: AttemptNo,
    /// Its role.
    pub role: Role,
    /// Its name.
    pub agent: String,
    /// How long it took.
    pub millis: u64,
    /// How it ended, as the agent reported it.
    #[serde(default, skip_serializing_if = "Claim::is_done")]
    pub claim: Claim,
    /// What it cost.
    #[serde(default)]
    pub usage: Usage,
    /// The model behind it, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its session, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The agent's own summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The brief it was given.
    pub brief: BlobName,
    /// Its output.
    pub output: BlobName,
}

impl TaskEvent {
    /// The event, about this task.
    pub fn of(self, task: TaskId) -> Event {
        Event::Task { task, event: self }
    }
}
