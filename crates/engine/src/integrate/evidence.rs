//! The record that binds a task to the exact tree it was verified on.

use std::sync::PoisonError;

use serde::{Deserialize, Serialize};
use windlass_core::criteria::CriterionProof;
use windlass_core::event::{FrozenFile, HeldTests, LeftOut, MutantSeen, RedKind, RedTests};
use windlass_core::ids::{AttemptNo, Oid, PlanName, TaskId};
use windlass_core::plan::Mode;

use crate::context::Context;
use crate::error::EngineError;
use crate::git::{CommitInfo, ExpectedRef, RefMove, TreeEdit};
use crate::journal::Point;
use crate::verify::GreenProof;

/// Names the record that a commit of the evidence ref brings.
pub(crate) const TRAILER_RECORD: &str = "Windlass-Record";

/// What was seen red.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RedEvidence {
    /// The commit with the tests on the base; kept reachable by the evidence ref.
    pub commit: Oid,
    /// How they failed.
    pub kind: RedKind,
    /// The names, in the words of the runner that saw them green.
    pub tests: Vec<String>,
    /// Tests that did not run because a condition in a frozen file, which no agent of the task wrote, leaves them out here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// What each of them showed, as far as it is known.
    #[serde(default, skip_serializing_if = "RedTests::is_empty")]
    pub seen: RedTests,
    /// What was frozen.
    pub files: Vec<FrozenFile>,
}

/// One changed path of the merge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeRecord {
    /// The path.
    pub path: String,
    /// Its new blob; none where it was removed.
    pub blob: Option<Oid>,
}

/// Where a record stands: after another record, and after everything the journal had seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainRecord {
    /// The record that was put on the evidence ref before this one; none for the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<Oid>,
    /// The journal, where one was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<JournalPoint>,
}

/// A point of the journal's chain, in letters and digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalPoint {
    /// The hash of its first event: which journal it is.
    pub first: String,
    /// The number of its last event.
    pub seq: u64,
    /// The hash of that event, which covers every event before it.
    pub hash: String,
}

impl ChainRecord {
    /// At this point of the journal; the record before it is found when it is put on the ref.
    pub(super) fn new(journal: Option<&Point>) -> Self {
        Self { previous: None, journal: journal.map(JournalPoint::from) }
    }
}

impl From<&Point> for JournalPoint {
    fn from(point: &Point) -> Self {
        let hex = |hash: [u8; 32]| blake3::Hash::from_bytes(hash).to_hex().to_string();
        Self { first: hex(point.first), seq: point.seq, hash: hex(point.hash) }
    }
}

/// The evidence of one completed task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// `windlass.evidence/1`.
    pub schema: String,
    /// The plan.
    pub plan: PlanName,
    /// The task.
    pub task: TaskId,
    /// Hash over the task's normative fields.
    pub task_hash: String,
    /// The shape of its proof.
    pub mode: Mode,
    /// The attempt.
    pub attempt: AttemptNo,
    /// The place that the attempt ran at; none for the machine of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The place, trusted by the user, that its commands were run at for the verdict; none for the machine of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified_at: Option<String>,
    /// Which revision of the task this is; a task with a changed text may be carried out again.
    #[serde(default = "first")]
    pub revision: u32,
    /// The plan as it was, kept by the evidence ref.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_text: Option<Oid>,
    /// The commit that was the tip.
    pub onto: Oid,
    /// The candidate that was merged.
    pub candidate: Oid,
    /// What was seen red; none for modes without red.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub red: Option<RedEvidence>,
    /// For a task that was satisfied before it began: by which commit, and how its tests were seen to notice wrong code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldTests>,
    /// How the criteria of the task stand, and by which tests. Records of older programs do not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<CriterionProof>,
    /// Wrong versions of the code that tests of an agent were run on, and which of them noticed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mutants: Vec<MutantSeen>,
    /// What the agents changed that is not part of the commit.
    #[serde(default, skip_serializing_if = "LeftOut::is_empty")]
    pub left_out: LeftOut,
    /// What was seen green, on which tree.
    pub green: GreenProof,
    /// The difference to the tip.
    pub changes: Vec<ChangeRecord>,
    /// The files the task owns, granted ones included.
    pub owned: Vec<String>,
    /// The program that wrote this.
    pub windlass: String,
    /// What came before it. Records of older programs do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<ChainRecord>,
}

fn first() -> u32 {
    1
}

impl Evidence {
    /// The schema of this version.
    pub const SCHEMA: &'static str = "windlass.evidence/1";
}

/// Writes the record as a blob and puts it on the evidence ref, together with what it speaks of.
pub(super) fn store(ctx: &Context, mut evidence: Evidence) -> Result<Oid, EngineError> {
    let subject = format!("{} {}", evidence.task, evidence.attempt);
    let red = evidence.red.as_ref().map(|red| red.commit.clone());
    put(ctx, &subject, red.as_ref(), &mut |previous| {
        if let Some(chain) = &mut evidence.chain {
            chain.previous = previous;
        }
        let blob = ctx.repo.write_blob(&text(&evidence))?;
        Ok((edits(&evidence, &blob), blob))
    })
}

/// Puts a record on the evidence ref, after the one that is there. `make` writes it, given the record before it.
pub(super) fn put(
    ctx: &Context,
    subject: &str,
    keeps: Option<&Oid>,
    make: &mut dyn FnMut(Option<Oid>) -> Result<(Vec<TreeEdit>, Oid), EngineError>,
) -> Result<Oid, EngineError> {
    let name = ctx.evidence_ref();
    loop {
        let before = ctx.repo.resolve(&name)?;
        // The chain has its own root commit, so that it does not lead into the user's history.
        let parent = match &before {
            Some(commit) => commit.clone(),
            None => ctx.keep(&ctx.repo.empty_tree()?, &[], &format!("evidence of {}", ctx.name))?,
        };
        let last = before.as_ref().map(|commit| record_of(ctx, commit)).transpose()?.flatten();
        let (edits, blob) = make(last)?;
        let tree = ctx.repo.edit_tree(&ctx.repo.tree_of(&parent)?, &edits)?;
        let parents: Vec<&Oid> = std::iter::once(&parent).chain(keeps).collect();
        let message = format!("evidence: {subject}\n\n{TRAILER_RECORD}: {blob}\n");
        let commit = ctx.keep(&tree, &parents, &message)?;
        let expect = before.clone().map_or(ExpectedRef::Absent, ExpectedRef::Is);
        match ctx.repo.update_ref(&name, &commit, expect, "windlass: evidence")? {
            RefMove::Moved => {
                let mut known = ctx.last_record.lock().unwrap_or_else(PoisonError::into_inner);
                *known = Some((commit, blob.clone()));
                return Ok(blob);
            }
            // Another process wrote in between: read again.
            RefMove::Mismatch { .. } => {}
        }
    }
}

/// The record that a commit of the evidence ref brought.
fn record_of(ctx: &Context, commit: &Oid) -> Result<Option<Oid>, EngineError> {
    let known = ctx.last_record.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match known {
        Some((made, record)) if made == *commit => Ok(Some(record)),
        Some(_) | None => Ok(brought(&ctx.repo.commit(commit)?)),
    }
}

pub(super) fn text(evidence: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec_pretty(evidence).unwrap_or_else(|e| unreachable!("evidence is plain data: {e}"))
}

/// The record that a commit of the evidence ref says it brought; those of older programs do not say.
pub(crate) fn brought(commit: &CommitInfo) -> Option<Oid> {
    let trailer = commit.trailers.iter().find(|(name, _)| name.eq_ignore_ascii_case(TRAILER_RECORD));
    trailer.and_then(|(_, value)| Oid::new(value.trim()).ok())
}

/// The record, the plan it speaks of, the tests that are held out no longer, and the wrong versions that were tried. What is kept of
/// a task lies below two letters of a hash: each record writes the directories on its way anew, and with all tasks in one of them that
/// would be as many lines as there are tasks.
fn edits(evidence: &Evidence, blob: &Oid) -> Vec<TreeEdit> {
    let file = |path: String, blob: &Oid| TreeEdit { path, new: Some((0o100_644, blob.clone())) };
    let hash = blake3::hash(evidence.task.as_str().as_bytes()).to_hex();
    let dir = format!("{}/{}", &hash[..2], evidence.task);
    let mut edits = vec![file(format!("{dir}/{}.json", evidence.attempt), blob)];
    edits.extend(evidence.plan_text.iter().map(|text| file(format!("plan/{text}.json"), text)));
    let held = evidence.green.held_out.iter();
    edits.extend(held.map(|h| file(format!("{dir}/held-out/{}", h.blake3), &h.blob)));
    let mutants = evidence.held.iter().flat_map(|held| &held.mutants).chain(&evidence.mutants);
    edits.extend(mutants.map(|m| file(format!("{dir}/mutants/{}", m.blob), &m.blob)));
    edits
}
