//! The one commit of a task, and the one place where the branch moves.

use windlass_code::syntax::same_test;
use windlass_core::criteria::{CriterionLink, CriterionProof, criteria_of};
use windlass_core::event::{HeldTests, LeftOut, MutantSeen};
use windlass_core::failure::Gate;
use windlass_core::ids::{AttemptNo, BlobName, Oid, TaskId};
use windlass_core::report::TestOutcome;
use windlass_core::schedule::FrozenTests;

use super::criteria::SeenTests;
use super::evidence::{self, ChainRecord, ChangeRecord, Evidence, RedEvidence};
use crate::context::Context;
use crate::error::EngineError;
use crate::git::{CommitInfo, CommitSpec, ExpectedRef, PathChange, RefMove};
use crate::git_tree::GitTree;
use crate::journal::Point;
use crate::verify::{GreenProof, frozen_changes_on, in_new_form};

/// Names the plan.
pub const TRAILER_PLAN: &str = "Windlass-Plan";
/// Names the task.
pub const TRAILER_TASK: &str = "Windlass-Task";
/// Names the attempt.
pub const TRAILER_ATTEMPT: &str = "Windlass-Attempt";
/// Which revision of the task this is, if not the first.
pub const TRAILER_REVISION: &str = "Windlass-Revision";
/// Names the evidence blob.
pub const TRAILER_EVIDENCE: &str = "Windlass-Evidence";

/// The largest proof that is read back.
const MAX_PROOF: u64 = 64 << 20;

/// A verified candidate to merge.
pub(crate) struct MergeJob {
    pub(crate) task: TaskId,
    pub(crate) attempt: AttemptNo,
    /// The place of the attempt; none for this machine.
    pub(crate) place: Option<String>,
    /// The trusted place that verified it; none for this machine.
    pub(crate) verified_at: Option<String>,
    pub(crate) tip: Oid,
    pub(crate) tree: Oid,
    pub(crate) proof: BlobName,
    pub(crate) candidate: Oid,
    pub(crate) frozen: Option<FrozenTests>,
    pub(crate) held: Option<HeldTests>,
    pub(crate) links: Vec<CriterionLink>,
    pub(crate) mutants: Vec<MutantSeen>,
    pub(crate) left_out: LeftOut,
    pub(crate) granted: Vec<String>,
    pub(crate) revision: u32,
    /// Where the journal stood when it was its turn.
    pub(crate) journal: Option<Point>,
}

/// A commit that the branch can be moved to.
pub(crate) struct PreparedMerge {
    pub(crate) commit: Oid,
    pub(crate) tree: Oid,
    pub(crate) evidence: Oid,
    pub(crate) criteria: Vec<CriterionProof>,
    /// The tests that are not known to depend on the code.
    pub(crate) weak: Vec<String>,
}

/// The commits of a task of this plan up to a commit, newest first.
pub(crate) fn commits_of_task(
    ctx: &Context,
    tip: &Oid,
    task: &TaskId,
) -> Result<Vec<CommitInfo>, EngineError> {
    let has = |commit: &CommitInfo, name: &str, value: &str| {
        commit.trailers.iter().any(|(key, said)| key.eq_ignore_ascii_case(name) && said.trim() == value)
    };
    let mut found = ctx.repo.commits_saying(tip, &format!("{TRAILER_TASK}: {task}"))?;
    found.retain(|commit| {
        has(commit, TRAILER_TASK, task.as_str()) && has(commit, TRAILER_PLAN, ctx.name.as_str())
    });
    Ok(found)
}

/// Which revision of its task a commit is. A task that was there before its work began may have landed before this run: its
/// earlier commits count, too.
fn revision(ctx: &Context, job: &MergeJob, is_empty: bool) -> Result<u32, EngineError> {
    if job.held.is_none() && !is_empty {
        return Ok(job.revision);
    }
    let earlier = commits_of_task(ctx, &job.tip, &job.task)?.len();
    Ok(job.revision.max(u32::try_from(earlier + 1).unwrap_or(job.revision)))
}

/// Checks the invariants, writes the evidence and creates the commit.
pub(crate) fn prepare(ctx: &Context, job: &MergeJob, version: &str) -> Result<PreparedMerge, EngineError> {
    let changes = ctx.repo.diff(&ctx.repo.tree_of(&job.tip)?, &job.tree)?;
    let owned = owned(ctx, job);
    hold(ctx, job, &changes, &owned)?;
    let proof = read_proof(ctx, job)?;
    let info = ctx.info(&job.task);
    let revision = revision(ctx, job, changes.is_empty())?;
    let red = job.frozen.clone().map(|f| red_record(f, &proof));
    let held = job.held.clone().filter(|_| job.frozen.is_none());
    let keys: Vec<String> = criteria_of(&ctx.plan, ctx.task(&job.task)).into_iter().map(|c| c.id).collect();
    let mutants = held.iter().flat_map(|h| &h.mutants).chain(&job.mutants);
    let seen = SeenTests { proof: &proof, red: red.as_ref(), mutants: mutants.collect() };
    let criteria = seen.stand_all(&keys, &job.links);
    let weak = proof.weak_tests();
    let record = Evidence {
        schema: Evidence::SCHEMA.into(),
        plan: ctx.name.clone(),
        task: job.task.clone(),
        task_hash: info.hash.clone(),
        mode: info.mode,
        attempt: job.attempt,
        place: job.place.clone(),
        verified_at: job.verified_at.clone(),
        revision,
        plan_text: Some(plan_text(ctx)?),
        onto: job.tip.clone(),
        candidate: job.candidate.clone(),
        red,
        held,
        criteria: criteria.clone(),
        mutants: job.mutants.clone(),
        left_out: job.left_out.clone(),
        green: proof,
        changes: changes
            .iter()
            .map(|c| ChangeRecord { path: c.path.clone(), blob: c.new.as_ref().map(|(_, o)| o.clone()) })
            .collect(),
        owned,
        windlass: version.to_owned(),
        chain: Some(ChainRecord::new(job.journal.as_ref())),
    };
    let evidence = evidence::store(ctx, record)?;
    let spec = CommitSpec {
        tree: job.tree.clone(),
        parents: vec![job.tip.clone()],
        message: message(ctx, job, &evidence, revision),
        author: ctx.author.clone(),
        committer: ctx.committer.clone(),
        sign: ctx.signing.clone(),
    };
    let commit = ctx.repo.commit_tree(&spec)?;
    Ok(PreparedMerge { commit, tree: job.tree.clone(), evidence, criteria, weak })
}

/// The red tests with the names that the runner reported at green; names read from source may be spelled differently.
fn red_record(frozen: FrozenTests, proof: &GreenProof) -> RedEvidence {
    let tests = proof.gates.iter().find(|g| g.gate == Gate::Tests);
    let report = tests.and_then(|g| g.report.as_ref());
    let known: Vec<&str> = report.map(|r| r.tests.keys().map(String::as_str).collect()).unwrap_or_default();
    let skipped = |name: &str| report.and_then(|r| r.tests.get(name)) == Some(&TestOutcome::Skipped);
    let cases = |name: &str| -> Vec<String> {
        known.iter().filter(|k| same_test(k, name)).map(|k| (*k).to_owned()).collect()
    };
    let spelled = |name: &String| -> Vec<String> {
        if known.contains(&name.as_str()) {
            return vec![name.clone()];
        }
        let ran: Vec<String> = cases(name).into_iter().filter(|case| !skipped(case)).collect();
        if ran.is_empty() { vec![name.clone()] } else { ran }
    };
    let passed = |name: &String| {
        report.is_some_and(|r| {
            r.tests.iter().any(|(n, o)| (n == name || same_test(n, name)) && *o == TestOutcome::Passed)
        })
    };
    let (ran, mut left_out): (Vec<String>, Vec<String>) =
        frozen.conditional.iter().cloned().partition(passed);
    // Cases of a test that ran which skipped themselves.
    let ended = |name: &&String| !known.contains(&name.as_str()) && passed(name);
    let some_ran = frozen.tests.iter().filter(ended);
    left_out.extend(some_ran.flat_map(|name| cases(name)).filter(|case| skipped(case)));
    let mut tests: Vec<String> = frozen.tests.iter().chain(&ran).flat_map(spelled).collect();
    tests.sort();
    tests.dedup();
    let seen = frozen
        .seen
        .iter()
        .flat_map(|(name, test)| spelled(name).into_iter().map(|n| (n, test.clone())))
        .collect();
    RedEvidence { commit: frozen.commit, kind: frozen.red, tests, left_out, seen, files: frozen.files }
}

/// The plan as a blob: kept with the evidence, so that a record can be read without the plan's files.
fn plan_text(ctx: &Context) -> Result<Oid, EngineError> {
    // Written once: a plan of ten thousand tasks has megabytes, and each of them is merged.
    if let Some(known) = ctx.plan_blob.get() {
        return Ok(known.clone());
    }
    let text = serde_json::to_vec(&ctx.plan).unwrap_or_else(|e| unreachable!("a plan is plain data: {e}"));
    let blob = ctx.repo.write_blob(&text)?;
    Ok(ctx.plan_blob.get_or_init(|| blob).clone())
}

/// Moves the branch, if it still is where it was.
pub(crate) fn move_branch(
    ctx: &Context,
    prepared: &PreparedMerge,
    tip: &Oid,
) -> Result<RefMove, EngineError> {
    let name = format!("refs/heads/{}", ctx.branch);
    Ok(ctx.repo.update_ref(&name, &prepared.commit, ExpectedRef::Is(tip.clone()), "windlass: merge")?)
}

fn owned(ctx: &Context, job: &MergeJob) -> Vec<String> {
    let mut owned = ctx.info(&job.task).owned.clone();
    owned.extend(job.granted.iter().cloned());
    owned.sort();
    owned.dedup();
    owned
}

/// Checks the invariants I1, I4 and I5 on the trees of the merge.
fn hold(ctx: &Context, job: &MergeJob, changes: &[PathChange], owned: &[String]) -> Result<(), EngineError> {
    let broken = |name, message| EngineError::Invariant { name, task: job.task.clone(), message };
    let stray: Vec<&str> =
        changes.iter().map(|c| c.path.as_str()).filter(|p| !owned.iter().any(|o| o == p)).collect();
    if !stray.is_empty() {
        return Err(broken("I5", format!("the merge changes {}", stray.join(", "))));
    }
    let proof = read_proof(ctx, job)?;
    if let Some(frozen) = &job.frozen {
        let after = GitTree::open(&ctx.repo, &job.tree)?;
        let onto = GitTree::open(&ctx.repo, &ctx.repo.tree_of(&job.tip)?)?;
        let mine = |path: &str| owned.iter().any(|o| o == path);
        let touched =
            frozen_changes_on(&in_new_form(&frozen.files, &proof.reformatted), &after, &onto, &mine);
        if !touched.is_empty() {
            return Err(broken("I4", format!("frozen files differ: {}", touched.join(", "))));
        }
    }
    if proof.tree != job.tree {
        return Err(broken("I1", "the proof is of another tree".into()));
    }
    Ok(())
}

fn read_proof(ctx: &Context, job: &MergeJob) -> Result<GreenProof, EngineError> {
    let bytes = ctx.outputs.read(&job.proof, MAX_PROOF)?;
    serde_json::from_slice(&bytes).map_err(|e| EngineError::Invariant {
        name: "I1",
        task: job.task.clone(),
        message: format!("its proof cannot be read: {e}"),
    })
}

/// The commit message: title, objective and trailers.
fn message(ctx: &Context, job: &MergeJob, evidence: &Oid, revision: u32) -> String {
    let task = ctx.task(&job.task);
    let title: String = task.headline().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let subject =
        ctx.config.commit.subject.replace("{id}", job.task.as_str()).replace("{title}", title.trim());
    let subject: String = subject.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut text = format!("{subject}\n");
    if !task.objective.trim().is_empty() {
        text.push('\n');
        text.push_str(&quoted(task.objective.trim()));
        text.push('\n');
    }
    text.push('\n');
    let mut trailers = vec![
        (TRAILER_PLAN, ctx.name.to_string()),
        (TRAILER_TASK, job.task.to_string()),
        (TRAILER_ATTEMPT, job.attempt.to_string()),
    ];
    if revision > 1 {
        trailers.push((TRAILER_REVISION, revision.to_string()));
    }
    trailers.push((TRAILER_EVIDENCE, evidence.to_string()));
    for (name, value) in trailers {
        text.push_str(&format!("{name}: {value}\n"));
    }
    if ctx.config.commit.signoff {
        text.push_str(&format!("Signed-off-by: {} <{}>\n", ctx.committer.name, ctx.committer.email));
    }
    text
}

/// Quotes lines of the plan that look like trailers.
fn quoted(text: &str) -> String {
    let safe = |line: &str| {
        let line: String = line.chars().filter(|c| !c.is_control() || *c == '\t').collect();
        if line.starts_with("Windlass-") { format!("> {line}") } else { line }
    };
    text.lines().map(safe).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
