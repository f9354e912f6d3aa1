//! What a coordinator and a place say to each other. Everything large travels as a parcel: announced with its size and
//! hash, then in pieces.

use serde::{Deserialize, Serialize};
use windlass_core::event::TaskEvent;
use windlass_core::failure::Failure;
use windlass_core::ids::{BlobName, Oid, PlanName, TaskId};
use windlass_core::plan::Plan;

use super::SentWork;
use crate::config::SentSettings;
use crate::context::TaskInfo;
use crate::git::Identity;

/// The version of the protocol. Raised when an older program could misread a message.
pub(crate) const PROTOCOL: u32 = 3;

/// From the coordinator to a place.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub(crate) enum ToPlace {
    /// The first message: asks for a greeting.
    Hello { protocol: u32, version: String },
    /// An attempt is to be carried out: the run by its hash, and the commits it needs. Asks for [`FromPlace::Want`].
    Propose { nonce: String, run: BlobName, repository: String, sha256: bool, needs: Vec<Oid> },
    /// A parcel follows.
    Parcel(ParcelNote),
    /// Everything is there: begin.
    Start { nonce: String },
    /// The answer to a wish for files.
    Granted { nonce: String, answer: Result<(), Vec<(String, String)>> },
    /// End the attempt: cleanly, or at once.
    Cancel { nonce: String, now: bool },
    /// The result is kept; the place may forget it.
    Taken { nonce: String },
    /// Bytes to be sent back, for `doctor`.
    Echo { bytes: usize },
    /// I am alive.
    Ping,
}

/// From a place to the coordinator.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub(crate) enum FromPlace {
    /// The answer to the first message.
    Ready(PlaceReady),
    /// The place does not take part; why, and what to do.
    Refused { reason: String },
    /// What is missing of a proposed attempt, and what is there.
    Want { nonce: String, run: bool, missing: Vec<Oid>, have: Vec<Oid> },
    /// Something happened.
    Event { nonce: String, event: Box<TaskEvent> },
    /// The attempt's commands have written something; it may be lost on the way.
    Live { nonce: String, file: u32, text: String },
    /// What the attempt's turns have used so far, all together.
    Spent { nonce: String, usd: f64, tokens: u64 },
    /// May the task have these files?
    Ask { nonce: String, files: Vec<String> },
    /// A parcel follows.
    Parcel(ParcelNote),
    /// The attempt is over. Only this counts.
    Done { nonce: String, end: SentEnd, refs: Vec<(String, Oid)> },
    /// I am alive.
    Ping,
}

/// What a place is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceReady {
    /// The protocol it speaks.
    pub protocol: u32,
    /// The program's version.
    pub version: String,
    /// The processor.
    pub arch: String,
    /// The strongest sandbox there.
    pub rung: String,
    /// Agents that are installed there, each with what should be known of it.
    pub agents: Vec<String>,
    /// The version of git.
    pub git: String,
}

/// A parcel that follows in pieces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ParcelNote {
    pub(crate) what: ParcelKind,
    pub(crate) bytes: u64,
    pub(crate) hash: BlobName,
}

/// What a parcel holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ParcelKind {
    /// A [`RunOffer`].
    Run,
    /// A [`SentJob`].
    Job,
    /// Git objects.
    Pack,
    /// The output of a command or an agent, by the hash of its content.
    Output,
    /// What was asked for by [`ToPlace::Echo`].
    Echo,
}

/// What all attempts of a run share.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RunOffer {
    pub(crate) plan: Plan,
    pub(crate) name: PlanName,
    pub(crate) branch: String,
    /// The version of the project by its nearest tag: tags are not sent.
    #[serde(default)]
    pub(crate) project_version: Option<String>,
    pub(crate) tasks: Vec<(TaskId, TaskInfo)>,
    pub(crate) settings: SentSettings,
    pub(crate) author: Identity,
    pub(crate) committer: Identity,
}

/// An attempt, a verification or a part of a closing run, with what only it needs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SentJob {
    pub(crate) work: SentWork,
    /// Refs of earlier attempts at the task.
    pub(crate) refs: Vec<(String, Oid)>,
    /// Variables with log-ins, where the place is to get them.
    pub(crate) logins: Vec<(String, String)>,
    /// Money that is left of the run's limit.
    pub(crate) usd_left: Option<f64>,
    /// Tokens that are left of it.
    pub(crate) tokens_left: Option<u64>,
    /// The place gives up after so long.
    pub(crate) deadline_seconds: u64,
}

/// How work ended at a place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub(crate) enum SentEnd {
    /// With a candidate.
    Candidate { commit: Oid, added: u64, removed: u64 },
    /// Every gate passed on this tree, which `commit` has if it is not the one that was sent.
    Verified { tree: Oid, proof: BlobName, commit: Option<Oid> },
    /// The commands of a closing run passed.
    Closed,
    /// It failed.
    Failed { failure: Failure, output: Option<BlobName> },
    /// It was cancelled.
    Interrupted,
    /// The place cannot carry it out, now or soon: it lacks the agent, its log-in or the sandbox.
    Unable { reason: String },
    /// The place cannot go on.
    Broken { reason: String },
}
