//! Brings a branch of the user into the integration branch: a merge of both, verified as a whole, with a record of its own.

use serde::{Deserialize, Serialize};
use windlass_core::event::{OutdatedTask, Synced};
use windlass_core::failure::Failure;
use windlass_core::ids::{Oid, PlanName, TaskId};
use windlass_core::schedule::TaskRecord;

use super::commit::{TRAILER_EVIDENCE, TRAILER_PLAN};
use super::evidence::{self, ChainRecord, ChangeRecord};
use crate::context::Context;
use crate::error::EngineError;
use crate::git::{CommitSpec, ExpectedRef, RefMove, TreeEdit};
use crate::git_tree::GitTree;
use crate::journal::Point;
use crate::verify::{frozen_changes, task_script};

/// Names the user's branch in the merge.
pub const TRAILER_SYNC: &str = "Windlass-Sync";

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyncEnd {
    /// The integration branch has everything of the user's branch already.
    Nothing,
    /// It is merged and verified.
    Merged {
        /// The merge.
        synced: Synced,
        /// How many commands passed on it.
        commands: usize,
    },
    /// The two do not merge.
    Conflict {
        /// The paths.
        paths: Vec<String>,
    },
    /// They merge, but the result is not green.
    NotGreen {
        /// Why not.
        failure: Failure,
    },
    /// The integration branch is checked out.
    CheckedOut {
        /// The directory of the checkout.
        place: String,
    },
    /// The integration branch moved while we looked.
    Moved,
    /// It was stopped.
    Interrupted,
}

/// The evidence of one merge with a branch of the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SyncEvidence {
    /// `windlass.sync/1`.
    pub schema: String,
    /// The plan.
    pub plan: PlanName,
    /// The user's branch.
    pub branch: String,
    /// The tip of the integration branch before.
    pub onto: Oid,
    /// The tip of the user's branch.
    pub from: Oid,
    /// The tree that was verified.
    pub tree: Oid,
    /// The commands of completed tasks; all of them passed on the tree.
    pub tasks: Vec<SyncedTask>,
    /// The suite, if one is set. It passed, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<String>,
    /// The difference to the tip before.
    pub changes: Vec<ChangeRecord>,
    /// Tasks that became stale by it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outdated: Vec<OutdatedTask>,
    /// The program that wrote this.
    pub windlass: String,
    /// What came before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<ChainRecord>,
}

impl SyncEvidence {
    /// The schema of this version.
    pub const SCHEMA: &'static str = "windlass.sync/1";

    /// Every command that was run, each once.
    pub fn commands(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for command in self.tasks.iter().map(|t| &t.command).chain(&self.suite) {
            if !all.contains(command) {
                all.push(command.clone());
            }
        }
        all
    }
}

/// A completed task and the command that showed that it still holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncedTask {
    /// The task.
    pub task: TaskId,
    /// Its command.
    pub command: String,
}

/// A verified merge that the branch can be moved to.
pub(crate) struct SyncJob<'a> {
    pub(crate) branch: &'a str,
    pub(crate) onto: &'a Oid,
    pub(crate) from: &'a Oid,
    pub(crate) tree: &'a Oid,
    /// The completed tasks.
    pub(crate) tasks: &'a [TaskId],
    pub(crate) outdated: Vec<OutdatedTask>,
    pub(crate) journal: Option<Point>,
    pub(crate) version: &'a str,
}

/// Completed tasks with those of their own frozen files that differ after the merge. Files that only configure a runner
/// belong to the repository: the commands of all tasks have passed with them.
pub(crate) fn outdated(
    ctx: &Context,
    tasks: &[&TaskRecord],
    before: &Oid,
    after: &Oid,
) -> Result<Vec<OutdatedTask>, EngineError> {
    let (before, after) = (GitTree::open(&ctx.repo, before)?, GitTree::open(&ctx.repo, after)?);
    let mut found = Vec::new();
    for record in tasks {
        let id = &record.sealed().id;
        let owned = &ctx.info(id).owned;
        let own = |path: &String| owned.contains(path) || record.work().granted.contains(path);
        let frozen = record.work().frozen.as_ref().map_or(&[][..], |frozen| &frozen.files);
        let changed = |file: &&windlass_core::event::FrozenFile| {
            let one = std::slice::from_ref(*file);
            if frozen_changes(one, &before).is_empty() {
                !frozen_changes(one, &after).is_empty()
            } else {
                // A formatter or a later task has changed it since.
                before.blob(&file.path) != after.blob(&file.path)
            }
        };
        let files: Vec<String> =
            frozen.iter().filter(|f| own(&f.path)).filter(changed).map(|f| f.path.clone()).collect();
        if !files.is_empty() {
            found.push(OutdatedTask { task: id.clone(), files });
        }
    }
    Ok(found)
}

/// Writes the record and the commit. The branch is not moved yet.
pub(crate) fn prepare_sync(ctx: &Context, job: SyncJob<'_>) -> Result<Synced, EngineError> {
    let view = GitTree::open(&ctx.repo, job.tree)?;
    let command = |id: &TaskId| {
        let command = task_script(ctx.task(id), &view)?;
        Some(SyncedTask { task: id.clone(), command })
    };
    let changes = ctx.repo.diff(&ctx.repo.tree_of(job.onto)?, job.tree)?;
    let change = |c: &crate::git::PathChange| ChangeRecord {
        path: c.path.clone(),
        blob: c.new.as_ref().map(|(_, blob)| blob.clone()),
    };
    let mut record = SyncEvidence {
        schema: SyncEvidence::SCHEMA.to_owned(),
        plan: ctx.name.clone(),
        branch: job.branch.to_owned(),
        onto: job.onto.clone(),
        from: job.from.clone(),
        tree: job.tree.clone(),
        tasks: job.tasks.iter().filter_map(command).collect(),
        suite: ctx.config.verify.suite.clone(),
        changes: changes.iter().map(change).collect(),
        outdated: job.outdated.clone(),
        windlass: job.version.to_owned(),
        chain: Some(ChainRecord::new(job.journal.as_ref())),
    };
    let path = format!("sync/{}.json", job.from);
    let evidence = evidence::put(ctx, &format!("sync {}", job.branch), None, &mut |previous| {
        if let Some(chain) = &mut record.chain {
            chain.previous = previous;
        }
        let blob = ctx.repo.write_blob(&evidence::text(&record))?;
        let edit = TreeEdit { path: path.clone(), new: Some((0o100_644, blob.clone())) };
        Ok((vec![edit], blob))
    })?;
    let message = format!(
        "Merge branch '{}' into {}\n\n{TRAILER_PLAN}: {}\n{TRAILER_SYNC}: {}\n{TRAILER_EVIDENCE}: {evidence}\n",
        job.branch, ctx.branch, ctx.name, job.branch
    );
    let commit = ctx.repo.commit_tree(&CommitSpec {
        tree: job.tree.clone(),
        parents: vec![job.onto.clone(), job.from.clone()],
        message,
        author: ctx.author.clone(),
        committer: ctx.committer.clone(),
        sign: ctx.signing.clone(),
    })?;
    Ok(Synced {
        branch: job.branch.to_owned(),
        from: job.from.clone(),
        commit,
        evidence,
        outdated: job.outdated,
    })
}

/// Moves the integration branch, if it still is where it was.
pub(crate) fn move_to_sync(ctx: &Context, synced: &Synced, onto: &Oid) -> Result<RefMove, EngineError> {
    let name = format!("refs/heads/{}", ctx.branch);
    Ok(ctx.repo.update_ref(&name, &synced.commit, ExpectedRef::Is(onto.clone()), "windlass: sync")?)
}
