//! What the record of a merge with the user's branch must say about its commit. Reads only.

use std::collections::BTreeSet;

use windlass_core::ids::{Oid, PlanName};

use super::record::trailer;
use crate::error::EngineError;
use crate::git::{CommitInfo, MergeResult, Repo};
use crate::integrate::{SyncEvidence, TRAILER_EVIDENCE, TRAILER_SYNC};

/// A merge with a branch of the user, and what is wrong with its evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditedSync {
    /// The commit.
    pub commit: Oid,
    /// The branch its trailer names.
    pub branch: String,
    /// The record it names.
    pub blob: Option<Oid>,
    /// What does not hold; empty means that the record does.
    pub problems: Vec<String>,
    /// The record itself, where it can be read.
    pub evidence: Option<SyncEvidence>,
}

/// Checks one merge: it is what git makes of both sides and nothing else, and what its record says.
pub(super) fn sync_record(
    repo: &Repo,
    plan: &PlanName,
    commit: &CommitInfo,
    kept: &BTreeSet<Oid>,
) -> Result<AuditedSync, EngineError> {
    let blob = trailer(commit, TRAILER_EVIDENCE).and_then(|t| Oid::new(&t).ok());
    let branch = trailer(commit, TRAILER_SYNC).unwrap_or_default();
    let mut found = AuditedSync {
        commit: commit.oid.clone(),
        branch,
        blob: blob.clone(),
        problems: Vec::new(),
        evidence: None,
    };
    let Some(blob) = blob else {
        found.problems.push("the merge names no evidence".into());
        return Ok(found);
    };
    if !kept.contains(&blob) {
        found.problems.push("the evidence is not on the evidence ref".into());
    }
    let read = repo.read_blob(&blob).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let Some(evidence) = read else {
        found.problems.push(format!("the evidence {} is missing or cannot be read", blob.short()));
        return Ok(found);
    };
    found.problems.extend(differences(repo, plan, commit, &evidence)?);
    found.evidence = Some(evidence);
    Ok(found)
}

fn differences(
    repo: &Repo,
    plan: &PlanName,
    commit: &CommitInfo,
    evidence: &SyncEvidence,
) -> Result<Vec<String>, EngineError> {
    let mut problems = Vec::new();
    let mut must = |holds: bool, otherwise: &str| {
        if !holds {
            problems.push(otherwise.to_owned());
        }
    };
    must(evidence.schema == SyncEvidence::SCHEMA, "its schema is not known");
    must(evidence.plan == *plan, "it is of another plan");
    must(evidence.tree == commit.tree, "it was verified on another tree");
    let sides = [evidence.onto.clone(), evidence.from.clone()];
    must(commit.parents == sides, "it merges other commits than its record names");
    let [Ok(onto), Ok(_)] = sides.each_ref().map(|side| repo.tree_of(side)) else {
        must(false, "a side of the merge is missing");
        return Ok(problems);
    };
    let merged = repo.merge(&evidence.onto, &evidence.from)?;
    let same = matches!(&merged, MergeResult::Clean { tree } if *tree == commit.tree);
    must(same, "the merge has more than both sides have");
    let changes = repo.diff(&onto, &commit.tree)?;
    let said: Vec<(&str, Option<&Oid>)> =
        evidence.changes.iter().map(|c| (c.path.as_str(), c.blob.as_ref())).collect();
    let seen: Vec<(&str, Option<&Oid>)> =
        changes.iter().map(|c| (c.path.as_str(), c.new.as_ref().map(|(_, o)| o))).collect();
    must(said == seen, "it lists other changes than the merge has");
    Ok(problems)
}
