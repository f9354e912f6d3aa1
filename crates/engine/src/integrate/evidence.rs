//! The record that binds a task to the exact tree it was verified on.

use serde::{Deserialize, Serialize};
use windlass_core::event::{FrozenFile, RedKind, RedTests};
use windlass_core::ids::{AttemptNo, Oid, PlanName, TaskId};
use windlass_core::plan::Mode;

use crate::context::Context;
use crate::error::EngineError;
use crate::git::{Expect, RefMove, TreeEdit};
use crate::verify::Proof;

/// What was seen red.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RedRecord {
    /// The commit with the tests on the base; kept reachable by the evidence ref.
    pub commit: Oid,
    /// How.
    pub kind: RedKind,
    /// The names, in the words of the runner that saw them green.
    pub tests: Vec<String>,
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
    /// Which try.
    pub attempt: AttemptNo,
    /// The how-manieth time the task is in the branch: a text that changed may be carried out again.
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
    pub red: Option<RedRecord>,
    /// What was seen green, on which tree.
    pub green: Proof,
    /// The difference to the tip.
    pub changes: Vec<ChangeRecord>,
    /// The files the task owns, granted ones included.
    pub owned: Vec<String>,
    /// The program that wrote this.
    pub windlass: String,
}

fn first() -> u32 {
    1
}

impl Evidence {
    /// The schema of this version.
    pub const SCHEMA: &'static str = "windlass.evidence/1";
}

/// Writes the record as a blob and puts it on the evidence ref, together with what it speaks of.
pub(super) fn store(ctx: &Context, evidence: &Evidence) -> Result<Oid, EngineError> {
    let text =
        serde_json::to_vec_pretty(evidence).unwrap_or_else(|e| unreachable!("evidence is plain data: {e}"));
    let blob = ctx.repo.write_blob(&text)?;
    let path = format!("{}/{}.json", evidence.task, evidence.attempt);
    let name = ctx.evidence_ref();
    loop {
        let before = ctx.repo.resolve(&name)?;
        let tree = match &before {
            Some(commit) => ctx.repo.tree_of(commit)?,
            None => ctx.repo.empty_tree()?,
        };
        let tree = ctx.repo.edit_tree(&tree, &edits(evidence, &path, &blob))?;
        let red = evidence.red.as_ref().map(|r| &r.commit);
        let parents: Vec<&Oid> = before.iter().chain(red).collect();
        let commit =
            ctx.keep(&tree, &parents, &format!("evidence: {} {}", evidence.task, evidence.attempt))?;
        let expect = before.clone().map_or(Expect::Absent, Expect::Is);
        match ctx.repo.update_ref(&name, &commit, expect, "windlass: evidence")? {
            RefMove::Moved => return Ok(blob),
            // Somebody wrote between our look and our write: look again.
            RefMove::Mismatch { .. } => {}
        }
    }
}

/// The record, the plan it speaks of, and the tests that are held out no longer.
fn edits(evidence: &Evidence, path: &str, blob: &Oid) -> Vec<TreeEdit> {
    let file = |path: String, blob: &Oid| TreeEdit { path, new: Some((0o100_644, blob.clone())) };
    let mut edits = vec![file(path.to_owned(), blob)];
    edits.extend(evidence.plan_text.iter().map(|text| file(format!("plan/{text}.json"), text)));
    let held = evidence.green.held_out.iter();
    edits.extend(held.map(|h| file(format!("{}/held-out/{}", evidence.task, h.blake3), &h.blob)));
    edits
}
