//! What every record must say about its commit. Reads only.

use std::collections::{BTreeMap, BTreeSet};

use windlass_code::detect::is_test_path;
use windlass_code::syntax::is_reformatted;
use windlass_core::event::{HeldTests, RedKind};
use windlass_core::failure::Gate;
use windlass_core::graph::task_hash;
use windlass_core::ids::{Oid, PlanName};
use windlass_core::plan::{Mode, Plan};
use windlass_core::report::TestOutcome;

use super::chain;
use super::sync::{AuditedSync, sync_record};
use crate::error::EngineError;
use crate::git::{CommitInfo, Repo};
use crate::git_tree::GitTree;
use crate::integrate::{
    Evidence, TRAILER_ATTEMPT, TRAILER_EVIDENCE, TRAILER_PLAN, TRAILER_REVISION, TRAILER_SYNC, TRAILER_TASK,
};
use crate::verify::{
    CanaryRecord, GateRecord, ProofStrength, failures_of, frozen_changes, frozen_changes_on, in_new_form,
    task_script,
};

/// The commits of a plan on a branch.
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    /// Those of the plan, oldest first.
    pub records: Vec<Audited>,
    /// Merges with branches of the user among them, oldest first.
    pub syncs: Vec<AuditedSync>,
    /// Other commits among them, which this audit does not cover.
    pub others: Vec<Oid>,
    /// What is wrong with the evidence as a whole.
    pub problems: Vec<String>,
}

impl Audit {
    /// Whether everything holds.
    pub fn holds(&self) -> bool {
        let syncs = self.syncs.iter().all(|s| s.problems.is_empty());
        self.problems.is_empty() && syncs && self.records.iter().all(|r| r.problems.is_empty())
    }
}

/// One commit of a plan, and what is wrong with its evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Audited {
    /// The commit.
    pub commit: Oid,
    /// The task its trailer names.
    pub task: String,
    /// The record it names.
    pub blob: Option<Oid>,
    /// What does not hold; empty means that the record does.
    pub problems: Vec<String>,
    /// The record itself, where it can be read.
    pub evidence: Option<Evidence>,
}

/// Audits the commits of a plan on a branch, oldest first.
pub fn audit(repo: &Repo, plan: &PlanName, branch: &str) -> Result<Audit, EngineError> {
    let name = format!("refs/heads/{branch}");
    let tip = repo.resolve(&name)?.ok_or_else(|| EngineError::Branch {
        message: format!("there is no branch `{branch}`"),
        hint: "name the plan, or fetch its branch first".into(),
    })?;
    let kept = kept_blobs(repo, plan)?;
    let own = |c: &CommitInfo| trailer(c, TRAILER_PLAN).as_deref() == Some(plan.as_str());
    let reached = repo.commits_saying(&tip, &format!("{TRAILER_PLAN}: {plan}"))?;
    let mut missing = reached.into_iter().filter(own).map(|c| c.oid).collect();
    let mut commits = line_with(repo, &tip, &mut missing)?;
    commits.reverse();
    let since = commits.iter().position(own).unwrap_or(commits.len());
    let (own, others): (Vec<_>, Vec<_>) = commits[since..].iter().partition(|c| own(c));
    let (syncs, own): (Vec<_>, Vec<_>) = own.into_iter().partition(|c| trailer(c, TRAILER_SYNC).is_some());
    let syncs =
        syncs.into_iter().map(|c| sync_record(repo, plan, c, &kept)).collect::<Result<Vec<_>, _>>()?;
    let mut records = own.into_iter().map(|c| one(repo, plan, c, &kept)).collect::<Result<Vec<_>, _>>()?;
    once_each(&mut records);
    let others = others.into_iter().map(|c| c.oid.clone()).collect();
    let mut audit = Audit { records, syncs, others, problems: Vec::new() };
    chain::check(repo, plan, &mut audit)?;
    Ok(audit)
}

/// The first-parent chain of a branch, newest first. A merge that brought commits of the plan is followed by their chain:
/// a plan may land by fast-forward once and by a merge the next time. `missing` are all commits of the plan that the branch
/// reaches.
fn line_with(repo: &Repo, tip: &Oid, missing: &mut BTreeSet<Oid>) -> Result<Vec<CommitInfo>, EngineError> {
    let commits = repo.first_parents(tip, None)?;
    missing.retain(|oid| commits.iter().all(|commit| commit.oid != *oid));
    let mut all = Vec::new();
    for commit in commits {
        let parents = commit.parents.clone();
        all.push(commit);
        if missing.is_empty() {
            continue;
        }
        if let [before, merged, ..] = parents.as_slice() {
            let line = repo.first_parents(merged, Some(before))?;
            if line.iter().any(|commit| missing.remove(&commit.oid)) {
                missing.retain(|oid| line.iter().all(|commit| commit.oid != *oid));
                all.extend(line);
            }
        }
    }
    Ok(all)
}

/// A task is in the branch once per revision.
fn once_each(records: &mut [Audited]) {
    let mut times: BTreeMap<String, u32> = BTreeMap::new();
    for record in records {
        let time = times.entry(record.task.clone()).or_default();
        *time += 1;
        let said = record.evidence.as_ref().map(|e| e.revision);
        if said.is_some_and(|said| said != *time) {
            let problem =
                format!("this is revision {time} of the task in the branch, and the record states another");
            record.problems.push(problem);
        }
    }
}

/// The blobs that the evidence ref keeps.
fn kept_blobs(repo: &Repo, plan: &PlanName) -> Result<BTreeSet<Oid>, EngineError> {
    match repo.resolve(&format!("refs/windlass/{plan}/evidence"))? {
        Some(commit) => Ok(repo.ls_tree(&commit)?.iter().map(|e| e.oid.clone()).collect()),
        None => Ok(BTreeSet::new()),
    }
}

pub(super) fn trailer(commit: &CommitInfo, name: &str) -> Option<String> {
    commit.trailers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.trim().to_owned())
}

fn one(
    repo: &Repo,
    plan: &PlanName,
    commit: &CommitInfo,
    kept: &BTreeSet<Oid>,
) -> Result<Audited, EngineError> {
    let task = trailer(commit, TRAILER_TASK).unwrap_or_default();
    let blob = trailer(commit, TRAILER_EVIDENCE).and_then(|t| Oid::new(&t).ok());
    let mut found = Audited {
        commit: commit.oid.clone(),
        task,
        blob: blob.clone(),
        problems: Vec::new(),
        evidence: None,
    };
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
        Ok(evidence) => {
            compare(repo, plan, commit, &evidence, &mut found)?;
            kept_with(repo, &evidence, kept, &mut found)?;
            found.evidence = Some(evidence);
        }
        Err(e) => found.problems.push(format!("the evidence cannot be read: {e}")),
    }
    Ok(found)
}

/// Checks what the evidence ref keeps with the record, and the plan's text about the task.
fn kept_with(
    repo: &Repo,
    evidence: &Evidence,
    kept: &BTreeSet<Oid>,
    found: &mut Audited,
) -> Result<(), EngineError> {
    for held in &evidence.green.held_out {
        let bytes = repo.read_blob(&held.blob).ok().filter(|_| kept.contains(&held.blob));
        if bytes.is_none_or(|bytes| *blake3::hash(&bytes).to_hex() != *held.blake3.to_ascii_lowercase()) {
            found.problems.push(format!("the held-out test `{}` is not the one the plan names", held.path));
        }
    }
    let Some(text) = &evidence.plan_text else { return Ok(()) };
    let bytes = repo.read_blob(text).ok().filter(|_| kept.contains(text));
    let plan = bytes.and_then(|bytes| serde_json::from_slice::<Plan>(&bytes).ok());
    let task = plan.as_ref().and_then(|p| p.tasks.iter().find(|t| t.id == evidence.task.as_str()));
    let Some(task) = task else {
        found.problems.push("the plan's text is not kept with it, or does not know the task".into());
        return Ok(());
    };
    if task_hash(task) != evidence.task_hash {
        found.problems.push("the plan's text differs about the task".into());
    }
    let held: Vec<&str> = evidence.green.held_out.iter().map(|h| h.blake3.as_str()).collect();
    if task.test.held_out.iter().any(|h| !held.contains(&h.blake3.as_str())) {
        found.problems.push("a held-out test of the plan was not run".into());
    }
    let tree = GitTree::open(repo, &evidence.green.tree)?;
    let ran = evidence.green.gates.iter().find(|g| g.gate == Gate::Tests && g.exit.is_some());
    if let (Some(ran), Some(stated)) = (ran, task_script(task, &tree))
        && ran.command != stated
    {
        found.problems.push("it was verified by another command than the plan states".into());
    }
    Ok(())
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
    must(attempt == Some(evidence.attempt.to_string()), "it is of another attempt");
    let revision = trailer(commit, TRAILER_REVISION).unwrap_or_else(|| "1".into());
    must(revision == evidence.revision.to_string(), "it is of another revision");
    must(evidence.green.tree == commit.tree, "it was verified on another tree");
    must(commit.parents.first() == Some(&evidence.onto), "it was merged onto another commit");
    must(commit.parents.len() == 1, "it does not have exactly one parent");
    let changes = repo.diff(&repo.tree_of(&evidence.onto)?, &commit.tree)?;
    let said: Vec<(&str, Option<&Oid>)> =
        evidence.changes.iter().map(|c| (c.path.as_str(), c.blob.as_ref())).collect();
    let seen: Vec<(&str, Option<&Oid>)> =
        changes.iter().map(|c| (c.path.as_str(), c.new.as_ref().map(|(_, o)| o))).collect();
    must(said == seen, "it lists other changes than the commit has");
    let owned = |p: &str| evidence.owned.iter().any(|o| o == p);
    must(changes.iter().all(|c| owned(&c.path)), "the commit changes files the task does not own");
    let noticed = |held: &HeldTests| held.mutants.iter().any(|mutant| !mutant.failed.is_empty());
    let held = evidence.held.as_ref().is_some_and(noticed);
    let red = evidence.red.as_ref().is_some_and(|red| red.kind != RedKind::Passing);
    must(evidence.mode != Mode::Tdd || red || held, "nothing was seen red");
    for problem in held_problems(repo, evidence)? {
        must(false, &problem);
    }
    for problem in red_and_green(repo, commit, evidence)? {
        must(false, &problem);
    }
    Ok(())
}

/// A task that was satisfied already names a commit before it, changes nothing but tests, and its tests are green.
fn held_problems(repo: &Repo, evidence: &Evidence) -> Result<Vec<String>, EngineError> {
    let Some(held) = &evidence.held else { return Ok(Vec::new()) };
    let mut problems = Vec::new();
    if evidence.red.is_some() {
        problems.push("its tests were seen red and satisfied at once".into());
    }
    if repo.tree_of(&held.by).is_err() || !repo.is_ancestor(&held.by, &evidence.onto)? {
        problems.push("the commit that it names as having done the work is not below it".into());
    }
    if evidence.changes.iter().any(|c| !is_test_path(&c.path)) {
        problems.push("it is said to be satisfied already, and changes more than tests".into());
    }
    let tests = evidence.green.gates.iter().find(|g| g.gate == Gate::Tests).and_then(|g| g.report.as_ref());
    let green = |name: &String| tests.is_some_and(|r| r.tests.get(name) == Some(&TestOutcome::Passed));
    if !held.tests.iter().all(green) {
        problems.push("tests that passed before were not seen green".into());
    }
    Ok(problems)
}

/// Whether a run that failed did so only by tests that fail on the base as well and that the task is not about.
fn fails_as_before(gate: &GateRecord, evidence: &Evidence) -> bool {
    let red = |name: &str| {
        let tests = evidence.red.as_ref().map(|red| red.tests.as_slice()).unwrap_or_default();
        tests.iter().any(|test| windlass_code::syntax::same_test(name, test))
    };
    let failed = gate.report.as_ref().map(failures_of).unwrap_or_default();
    !failed.is_empty() && failed.iter().all(|name| gate.failing_before.contains(name) && !red(name))
}

/// What was red must be frozen in the commit and green at the end.
fn red_and_green(repo: &Repo, commit: &CommitInfo, evidence: &Evidence) -> Result<Vec<String>, EngineError> {
    let mut problems = Vec::new();
    let tests = evidence.green.gates.iter().find(|g| g.gate == Gate::Tests);
    if tests.is_none_or(|g| g.exit.is_some_and(|code| code != 0) && !fails_as_before(g, evidence)) {
        problems.push("its tests were not seen green".into());
    }
    let canaries = match &evidence.green.canaries {
        Some(CanaryRecord::Failed { names }) => names.as_slice(),
        Some(CanaryRecord::None { .. }) | None => &[],
    };
    let reports = evidence.green.gates.iter().filter_map(|g| g.report.as_ref());
    if reports.flat_map(|r| r.tests.keys()).any(|name| canaries.contains(name)) {
        problems.push("a canary stands among its results".into());
    }
    let Some(red) = &evidence.red else { return Ok(problems) };
    if repo.tree_of(&red.commit).is_err() {
        problems.push(format!("the red commit {} is missing", red.commit.short()));
        return Ok(problems);
    }
    let at_red = GitTree::open(repo, &repo.tree_of(&red.commit)?)?;
    let (after, onto) =
        (GitTree::open(repo, &commit.tree)?, GitTree::open(repo, &repo.tree_of(&evidence.onto)?)?);
    let owned = |path: &str| evidence.owned.iter().any(|o| o == path);
    let reformatted = &evidence.green.reformatted;
    for new in reformatted {
        let (before, text) = (at_red.bytes(&new.path)?, after.bytes(&new.path)?);
        if !before.zip(text).is_some_and(|(before, text)| is_reformatted(&new.path, &before, &text)) {
            problems.push(format!("`{}` was changed in more than its form after it was frozen", new.path));
        }
    }
    for (what, changed) in [
        ("red commit", frozen_changes(&red.files, &at_red)),
        ("commit", frozen_changes_on(&in_new_form(&red.files, reformatted), &after, &onto, &owned)),
    ] {
        if !changed.is_empty() {
            problems.push(format!("frozen files differ in the {what}: {}", changed.join(", ")));
        }
    }
    let passed: BTreeSet<&str> = tests
        .and_then(|g| g.report.as_ref())
        .map(|r| r.names(TestOutcome::Passed).collect())
        .unwrap_or_default();
    let named = tests.is_some_and(|g| g.strength == ProofStrength::Named);
    let same = |name: &str| passed.iter().any(|p| *p == name || windlass_code::syntax::same_test(p, name));
    let missing: Vec<&str> = red.tests.iter().map(String::as_str).filter(|t| !same(t)).collect();
    if named && !missing.is_empty() {
        problems.push(format!("red tests were not seen green: {}", missing.join(", ")));
    }
    Ok(problems)
}

#[cfg(test)]
mod tests;
