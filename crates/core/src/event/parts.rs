//! What events are made of.

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::ids::{Oid, TaskId};
use crate::plan::{Action, Mode, Tier};

/// What a task was when the plan was sealed: all the scheduler and the views need to know of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SealedTask {
    /// Its id.
    pub id: TaskId,
    /// Its title.
    pub title: String,
    /// Hash over its normative fields.
    pub hash: String,
    /// The shape of its proof.
    pub mode: Mode,
    /// Its tier.
    pub tier: Tier,
    /// The agent it asks for by name, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What must be merged first: stated, inherited and file-order edges alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deps: Vec<TaskId>,
    /// The parents above it, nearest first, as ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<String>,
    /// Cost of the longest chain that starts with it.
    #[serde(default)]
    pub priority: u64,
    /// The actions it is carried out in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Action>,
    /// Pools of which it takes one place while it is worked on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pools: Vec<String>,
    /// What the place of an attempt must have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// Whether a person must approve it after verification.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_approval: bool,
    /// The keys of the criteria that it serves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<String>,
}

/// A place of which only so many may be taken at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolLimit {
    /// Its name.
    pub name: String,
    /// How many at once.
    pub depth: u32,
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepResult {
    /// It did what it must.
    Passed,
    /// It did not.
    Failed,
    /// There was nothing to do.
    Skipped,
}

/// How red was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RedKind {
    /// Named tests ran and failed.
    Assertion,
    /// The tests parse and miss only what the task is to provide.
    MissingCode,
    /// The command failed without results by name: weaker evidence, and marked so.
    ExitCode,
    /// Nothing was red: the tests passed before a refactoring, and must go on passing.
    Passing,
}

worded! {
    /// The result of one test before the work.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum RedReason {
        /// It ran, and an assertion failed.
        Assertion = "an assertion failed",
        /// What the task is to provide is not there.
        MissingCode = "code is missing",
        /// It ran, and ended with another error.
        Error = "it ended with an error",
        /// It passed already: it must go on passing.
        Passed = "it passed already",
    }
}

/// One test as it was seen before the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedTest {
    /// Why it was red.
    pub reason: RedReason,
    /// The runner's message about it, in one line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub said: String,
}

/// The tests seen before the work, by name.
pub type RedTests = std::collections::BTreeMap<String, RedTest>;

/// Where the tests of a task come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestAuthor {
    /// The plan. Journals of older programs do not say: only a person changes their tests.
    #[default]
    Plan,
    /// They stood in the repository before the task.
    Base,
    /// An agent wrote them in this task.
    Agent,
}

impl TestAuthor {
    /// Whether it is the default.
    pub fn is_plan(&self) -> bool {
        *self == TestAuthor::Plan
    }
}

/// Tests that passed before the task began, and that notice when the code is wrong: the task is satisfied already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldTests {
    /// The last commit that changed the task's files: what it is satisfied by.
    pub by: Oid,
    /// The tests that passed.
    pub tests: Vec<String>,
    /// Wrong versions of the code that the tests noticed.
    pub mutants: Vec<MutantSeen>,
}

/// A wrong version of the code, and the tests that failed on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutantSeen {
    /// The file.
    pub path: String,
    /// What was made wrong, and where.
    pub change: String,
    /// The blob of the wrong version's text.
    pub blob: Oid,
    /// The tests that failed on it; none for one that was not noticed.
    pub failed: Vec<String>,
    /// Whether it is the skeleton: every changed function answers with a default.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole: bool,
}

/// Changes of a turn that are not part of the candidate.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Paths outside the task's files, as they were before the turn again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Frozen files that were changed, as they were frozen again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frozen: Vec<String>,
}

impl LeftOut {
    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.frozen.is_empty()
    }

    /// Adds what a further turn left.
    pub fn add(&mut self, other: &LeftOut) {
        for (own, new) in [(&mut self.paths, &other.paths), (&mut self.frozen, &other.frozen)] {
            own.extend(new.iter().filter(|path| !own.contains(path)).cloned().collect::<Vec<_>>());
        }
    }

    /// In words for people and agents.
    pub fn words(&self) -> String {
        let list = |paths: &[String]| paths.iter().map(|p| format!("`{p}`")).collect::<Vec<_>>().join(", ");
        let mut parts = Vec::new();
        if !self.paths.is_empty() {
            parts.push(format!("left out of the candidate (out-of-scope): {}", list(&self.paths)));
        }
        if !self.frozen.is_empty() {
            parts.push(format!("put back as frozen (frozen-changed): {}", list(&self.frozen)));
        }
        parts.join("; ")
    }
}

/// A file as it was frozen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrozenFile {
    /// Its path.
    pub path: String,
    /// Its blob, for a file frozen whole.
    pub blob: Oid,
    /// For a file with inline tests: hash by test item. Then the items are frozen and not the rest.
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub items: std::collections::BTreeMap<String, String>,
}

/// Why a task needs a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum BlockReason {
    /// The agent says the tests contradict the specification, or that it cannot go on.
    AgentBlocked {
        /// Its words.
        reason: String,
    },
    /// It needs files that an unfinished task owns.
    NeedsFiles {
        /// The files and their owners.
        files: Vec<(String, String)>,
    },
    /// It is verified and waits for `approve`.
    AwaitingApproval,
    /// The same rejection came too often.
    Deadlock {
        /// What was rejected.
        reason: String,
    },
    /// The reviewer found something grave; no new work starts until a person has looked.
    Escalated {
        /// The reviewer's finding.
        reason: String,
    },
    /// Every gate is green, but the reviewer gave no verdict that can be read.
    NoVerdict {
        /// What it gave instead.
        reason: String,
    },
    /// It is in a severe conflict with other tasks, and no order is known.
    Unordered {
        /// The tasks it is in conflict with.
        with: Vec<TaskId>,
        /// The conflict.
        reason: String,
    },
}

impl BlockReason {
    /// Whether a person may let the change pass: it waits for that, or for a reviewer's word.
    pub fn can_be_approved(&self) -> bool {
        match self {
            BlockReason::AwaitingApproval | BlockReason::NoVerdict { .. } | BlockReason::Escalated { .. } => {
                true
            }
            BlockReason::AgentBlocked { .. }
            | BlockReason::NeedsFiles { .. }
            | BlockReason::Deadlock { .. }
            | BlockReason::Unordered { .. } => false,
        }
    }
}

/// What a task asked, and what a person said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonAnswer {
    /// The question, as the task was blocked with it; empty if there was none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub question: String,
    /// The answer.
    pub answer: String,
}

/// How an attempt ended without a merge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "kebab-case")]
pub enum AttemptEnd {
    /// It failed, and the ladder decides what follows.
    Failed {
        /// The failure.
        failure: Failure,
    },
    /// Windlass was asked to stop; no attempt is used up.
    Interrupted,
    /// Windlass ended while it ran, or its place was lost; no attempt is used up.
    Lost,
}

/// Why a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum RunEnd {
    /// Every wanted task is completed.
    Completed,
    /// Nothing more can be done without a person, or tasks failed.
    Stuck,
    /// A person stopped it.
    Interrupted,
    /// A person cancelled it.
    Cancelled,
    /// The money or the tokens are used up.
    BudgetSpent,
    /// Windlass itself could not go on.
    Broken {
        /// What happened.
        message: String,
    },
}
