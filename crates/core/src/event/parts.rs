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
    /// Whether a person must approve it after verification.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_approval: bool,
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
}

/// The result of one test before the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RedReason {
    /// It ran, and an assertion failed.
    Assertion,
    /// What the task is to provide is not there.
    MissingCode,
    /// It ran, and ended with another error.
    Error,
    /// It passed already: it must go on passing.
    Passed,
}

impl RedReason {
    /// In words for people.
    pub fn as_str(self) -> &'static str {
        match self {
            RedReason::Assertion => "an assertion failed",
            RedReason::MissingCode => "code is missing",
            RedReason::Error => "it ended with an error",
            RedReason::Passed => "it passed already",
        }
    }
}

/// One test as it was seen before the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedTest {
    /// Why it was red.
    pub reason: RedReason,
    /// What the runner said about it, in one line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub said: String,
}

/// The tests seen before the work, by name.
pub type RedTests = std::collections::BTreeMap<String, RedTest>;

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
        /// What.
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

/// How an attempt ended without a merge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "kebab-case")]
pub enum AttemptEnd {
    /// It failed, and the ladder decides what follows.
    Failed {
        /// Why.
        failure: Failure,
    },
    /// Windlass was asked to stop; no attempt is used up.
    Interrupted,
    /// Windlass ended while it ran; no attempt is used up.
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
