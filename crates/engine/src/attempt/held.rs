//! Tests that pass before the work: is the task satisfied already?
//!
//! Only by tests that no agent of this task wrote, only if everything that the task was to create is there, and only if
//! the tests notice when its code is made wrong. A plan that states that its tests fail first is satisfied only by a commit
//! of this very task, which landed before the run: in a clone whose branch already holds the work.

use windlass_code::detect::is_test_path;
use windlass_core::event::{HeldTests, MutantSeen, TaskEvent, TestAuthor};
use windlass_core::failure::Failure;
use windlass_core::ids::Oid;
use windlass_core::plan::Task;

use super::red::{RedRun, says_it_fails};
use super::steps::{Attempt, TestsAtStart};
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git_tree::GitTree;
use crate::integrate::commits_of_task;
use crate::verify::{
    BiteInput, TryUntil, bite, contract_findings, contract_names, named_versions, task_script,
};

/// A task that is satisfied already.
pub(super) struct AlreadySatisfied(HeldTests);

impl AlreadySatisfied {
    /// Reports it; the tree is the candidate.
    pub(super) fn announce(self, attempt: &Attempt<'_>, tree: &Oid) -> Result<TestsAtStart, EngineError> {
        let (no, held) = (attempt.job.attempt, self.0);
        attempt.record_links(tree, &held.tests)?;
        attempt.channel.event(TaskEvent::TestsHeld { attempt: no, held }.of(attempt.job.task.clone()));
        Ok(TestsAtStart::Held(tree.clone()))
    }
}

/// Looks whether passing tests show that the task is satisfied. `None` if they do not say so; a plan's tests that notice
/// nothing are a question for a person.
pub(super) async fn look(
    attempt: &Attempt<'_>,
    tree: &Oid,
    run: &RedRun,
    author: TestAuthor,
) -> Result<Option<AlreadySatisfied>, EarlyEnd> {
    let (ctx, job) = (attempt.ctx, attempt.job);
    let task = ctx.task(&job.task);
    let RedRun::Not { passed, output, .. } = run else { return Ok(None) };
    let view = GitTree::open(&ctx.repo, tree)?;
    let code: Vec<String> =
        attempt.owner.list().iter().filter(|p| !is_test_path(p) && view.blob(p).is_some()).cloned().collect();
    let all_there = task.files.create.iter().all(|path| view.blob(path).is_some());
    let landed = landed(attempt)?;
    if (says_it_fails(task) && landed.is_none()) || passed.is_empty() || code.is_empty() || !all_there {
        return Ok(None);
    }
    if author == TestAuthor::Base && landed.is_none() && !is_made(task, &code, &view) {
        return Ok(None);
    }
    let Some(script) = task_script(task, &view) else { return Ok(None) };
    let versions = named_versions(&view, &code, &contract_names(task));
    let input = BiteInput {
        tree,
        script: &script,
        scratch: &attempt.scratch,
        cancel: attempt.cancel,
        channel: attempt.channel,
    };
    let Some(look) = bite(ctx, &input, &versions, TryUntil::Noticed).await? else { return Ok(None) };
    let mutants = look.seen;
    if mutants.iter().all(|mutant| mutant.failed.is_empty()) {
        return match author {
            TestAuthor::Plan => {
                let failure = Failure::NotRed {
                    reason: toothless(&mutants),
                    by_plan: true,
                    passing: true,
                    without_tests: false,
                };
                Err(EarlyEnd::Failed { failure, output: output.clone() })
            }
            TestAuthor::Base | TestAuthor::Agent => Ok(None),
        };
    }
    let last = || ctx.repo.last_change(&job.base, &code).map(|by| by.unwrap_or_else(|| job.base.clone()));
    let by = landed.map_or_else(last, Ok)?;
    Ok(Some(AlreadySatisfied(HeldTests { by, tests: passed.clone(), mutants })))
}

/// The commit of this task that the branch held before this run. None counts for a task that changed since it was merged
/// here, or that a person has reopened.
pub(super) fn landed(attempt: &Attempt<'_>) -> Result<Option<Oid>, EngineError> {
    let (ctx, job) = (attempt.ctx, attempt.job);
    if job.changed.is_some() || job.work.reopened.is_some() {
        return Ok(None);
    }
    let found = commits_of_task(ctx, &job.base, &job.task)?;
    Ok(found.into_iter().next().map(|commit| commit.oid))
}

/// Whether something that the task was to make is there to be seen. Tests that stood in the repository before say
/// nothing about a task that only changes existing code.
fn is_made(task: &Task, code: &[String], view: &GitTree) -> bool {
    let creates = task.files.create.iter().any(|path| !is_test_path(path));
    let promises = !task.contract.is_empty() && contract_findings(task, code, view).is_empty();
    promises || (creates && task.contract.is_empty())
}

/// Why passing tests of the plan do not show that the task is satisfied.
fn toothless(mutants: &[MutantSeen]) -> String {
    match mutants {
        [] => {
            "the tests pass already, and no wrong version of the task's code could be made to try them".into()
        }
        [first, ..] => format!(
            "the tests pass already, and they pass as well on {} wrong version{} of the code (`{}`: {})",
            mutants.len(),
            if mutants.len() == 1 { "" } else { "s" },
            first.path,
            first.change
        ),
    }
}
