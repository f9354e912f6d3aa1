//! Reads every evidence record again, from the commits and the evidence ref alone: no journal, no plan, no trust in either.
//!
//! Says which records hold and what is wrong with the others. Runs nothing.

use std::collections::BTreeSet;

use windlass_core::failure::Gate;
use windlass_core::ids::{Oid, PlanName};
use windlass_core::plan::Mode;
use windlass_core::report::TestOutcome;

use crate::error::EngineError;
use crate::git::{CommitInfo, Repo};
use crate::integrate::{Evidence, TRAILER_ATTEMPT, TRAILER_EVIDENCE, TRAILER_PLAN, TRAILER_TASK};
use crate::tree_view::GitTree;
use crate::verify::frozen_changes;

/// One commit of a plan, and what is wrong with its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audited {
    /// The commit.
    pub commit: Oid,
    /// The task its trailer names.
    pub task: String,
    /// What does not hold; empty means that the record does.
    pub problems: Vec<String>,
}

/// Audits the commits of a plan on a branch, oldest first.
pub fn audit(repo: &Repo, plan: &PlanName, branch: &str) -> Result<Vec<Audited>, EngineError> {
    let name = format!("refs/heads/{branch}");
    let tip = repo.resolve(&name)?.ok_or_else(|| EngineError::Branch {
        message: format!("there is no branch `{branch}`"),
        hint: "name the plan, or fetch its branch first".into(),
    })?;
    let kept = kept_blobs(repo, plan)?;
    let mut commits = repo.first_parents(&tip, None)?;
    commits.retain(|c| trailer(c, TRAILER_PLAN).as_deref() == Some(plan.as_str()));
    commits.reverse();
    commits.iter().map(|c| one(repo, plan, c, &kept)).collect()
}

/// The blobs that the evidence ref keeps.
fn kept_blobs(repo: &Repo, plan: &PlanName) -> Result<BTreeSet<Oid>, EngineError> {
    match repo.resolve(&format!("refs/windlass/{plan}/evidence"))? {
        Some(commit) => Ok(repo.ls_tree(&commit)?.iter().map(|e| e.oid.clone()).collect()),
        None => Ok(BTreeSet::new()),
    }
}

fn trailer(commit: &CommitInfo, name: &str) -> Option<String> {
    commit.trailers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.trim().to_owned())
}

fn one(
    repo: &Repo,
    plan: &PlanName,
    commit: &CommitInfo,
    kept: &BTreeSet<Oid>,
) -> Result<Audited, EngineError> {
    let task = trailer(commit, TRAILER_TASK).unwrap_or_default();
    let mut found = Audited { commit: commit.oid.clone(), task, problems: Vec::new() };
    let blob = trailer(commit, TRAILER_EVIDENCE).and_then(|t| Oid::new(&t).ok());
    let Some(blob) = blob else {
        found.problems.push("the commit names no evidence".into());
        return Ok(found);
    };
    if !kept.contains(&blob) {
        found.problems.push("the evidence is not on the evidence ref".into());
    }
    let Ok(bytes) = repo.read_blob(&blob) else {
        found.problems.push(format!("the evidence {} is missing", blob.short()));
        return Ok(found);
    };
    match serde_json::from_slice::<Evidence>(&bytes) {
        Ok(evidence) => compare(repo, plan, commit, &evidence, &mut found)?,
        Err(e) => found.problems.push(format!("the evidence cannot be read: {e}")),
    }
    Ok(found)
}

/// Everything a record must say about its commit.
fn compare(
    repo: &Repo,
    plan: &PlanName,
    commit: &CommitInfo,
    evidence: &Evidence,
    found: &mut Audited,
) -> Result<(), EngineError> {
    let mut must = |holds: bool, otherwise: &str| {
        if !holds {
            found.problems.push(otherwise.to_owned());
        }
    };
    must(evidence.schema == Evidence::SCHEMA, "its schema is not known");
    must(evidence.plan == *plan, "it is of another plan");
    must(evidence.task.as_str() == found.task, "it is of another task");
    let attempt = trailer(commit, TRAILER_ATTEMPT);
    must(attempt == Some(evidence.attempt.to_string()), "it is of another try");
    must(evidence.green.tree == commit.tree, "it was verified on another tree");
    must(commit.parents.first() == Some(&evidence.onto), "it was merged onto another commit");
    must(commit.parents.len() == 1, "it is not one commit on the one before");
    let changes = repo.diff(&repo.tree_of(&evidence.onto)?, &commit.tree)?;
    let said: Vec<(&str, Option<&Oid>)> =
        evidence.changes.iter().map(|c| (c.path.as_str(), c.blob.as_ref())).collect();
    let seen: Vec<(&str, Option<&Oid>)> =
        changes.iter().map(|c| (c.path.as_str(), c.new.as_ref().map(|(_, o)| o))).collect();
    must(said == seen, "it lists other changes than the commit has");
    let owned = |p: &str| evidence.owned.iter().any(|o| o == p);
    must(changes.iter().all(|c| owned(&c.path)), "the commit changes files the task does not own");
    must(evidence.mode != Mode::Tdd || evidence.red.is_some(), "nothing was seen red");
    for problem in red_and_green(repo, commit, evidence)? {
        must(false, &problem);
    }
    Ok(())
}

/// What was red must be frozen in the commit and green at the end.
fn red_and_green(repo: &Repo, commit: &CommitInfo, evidence: &Evidence) -> Result<Vec<String>, EngineError> {
    let mut problems = Vec::new();
    let tests = evidence.green.gates.iter().find(|g| g.gate == Gate::Tests);
    if tests.is_none_or(|g| g.exit.is_some_and(|code| code != 0)) {
        problems.push("its tests were not seen green".into());
    }
    let Some(red) = &evidence.red else { return Ok(problems) };
    if repo.tree_of(&red.commit).is_err() {
        problems.push(format!("the red commit {} is missing", red.commit.short()));
        return Ok(problems);
    }
    for (what, tree) in [("red commit", repo.tree_of(&red.commit)?), ("commit", commit.tree.clone())] {
        let changed = frozen_changes(&red.files, &GitTree::open(repo, &tree)?);
        if !changed.is_empty() {
            problems.push(format!("frozen files differ in the {what}: {}", changed.join(", ")));
        }
    }
    let passed: BTreeSet<&str> = tests
        .and_then(|g| g.report.as_ref())
        .map(|r| r.names(TestOutcome::Passed).collect())
        .unwrap_or_default();
    let named = tests.is_some_and(|g| g.strength == "named");
    let same = |name: &str| passed.iter().any(|p| *p == name || windlass_code::syntax::same_test(p, name));
    let missing: Vec<&str> = red.tests.iter().map(String::as_str).filter(|t| !same(t)).collect();
    if named && !missing.is_empty() {
        problems.push(format!("red tests were not seen green: {}", missing.join(", ")));
    }
    Ok(problems)
}
