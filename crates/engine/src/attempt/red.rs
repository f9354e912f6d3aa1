//! Red: the tests fail on the base for the right reason and are then frozen.

use std::collections::BTreeMap;

use windlass_code::detect::{holds_expected_results, is_test_path, runner_config, runner_keys};
use windlass_code::red::{NotRed, Red, RedInput, classify, red_tests};
use windlass_code::repo::Tree;
use windlass_code::syntax::promised_names;
use windlass_core::event::{FrozenFile, RedKind, RedTests, StepResult, TaskEvent};
use windlass_core::failure::{Budget, Failure};
use windlass_core::ids::{BlobName, Oid};
use windlass_core::plan::{Action, CodeBlock, Expect as StepExpect, Task};
use windlass_core::schedule::FrozenTests;

use super::steps::Attempt;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::ExpectedRef;
use crate::git_tree::GitTree;
use crate::verify::setup::{SetupInput, copy_files, set_up};
use crate::verify::{NamedResults, ScriptInput, Services, exit_of, frozen_parts, run_script, task_script};
use crate::worker_channel::StepChoice;

/// The author of the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Author {
    /// The plan: only a person can change them.
    Plan,
    /// An agent, which can be asked again.
    Agent,
}

/// The result of running the tests on the base.
pub(super) enum RedRun {
    /// Red for the right reason.
    Red { kind: RedKind, tests: Vec<String>, seen: RedTests },
    /// Not red.
    Not { why: NotRed, output: Option<BlobName> },
}

/// The failure of an attempt whose tests are not red.
pub(super) fn not_red(run: RedRun, author: Author) -> EarlyEnd {
    let RedRun::Not { why, output } = run else { unreachable!("red is handled before") };
    let by_plan = author == Author::Plan;
    let reason = why.to_string();
    let failure = match why {
        NotRed::TimedOut => Failure::Timeout { budget: Budget::Verification, seconds: 0 },
        NotRed::Passed
        | NotRed::NoneFailed { .. }
        | NotRed::NoTests
        | NotRed::TestFileMissing
        | NotRed::Skipped { .. } => Failure::NotRed { reason, by_plan },
        NotRed::SyntaxError { .. }
        | NotRed::CommandNotFound(_)
        | NotRed::Signal(_)
        | NotRed::NotStarted
        | NotRed::WrongReason { .. } => Failure::WrongRed { reason, by_plan },
    };
    EarlyEnd::Failed { failure, output }
}

/// The command that must fail: a stated `verify_fail`, or the task's verification.
fn red_script(task: &Task, tree: &dyn Tree) -> Option<String> {
    let stated = task
        .steps
        .iter()
        .find(|s| s.action == Action::VerifyFail && s.verify == StepExpect::ExitCodeNonzero)
        .and_then(|s| s.run.clone());
    stated.or_else(|| task_script(task, tree))
}

/// Runs the check on a tree of base + tests.
pub(super) async fn look(attempt: &Attempt<'_>, tree: &Oid) -> Result<RedRun, EarlyEnd> {
    let step = attempt.channel.step(Action::VerifyFail, StepChoice::First);
    let run = look_inner(attempt, tree).await;
    let result = match &run {
        Ok((RedRun::Red { .. }, _)) => StepResult::Passed,
        Ok((RedRun::Not { .. }, _)) | Err(_) => StepResult::Failed,
    };
    let output = run.as_ref().ok().and_then(|(_, output)| output.clone());
    attempt.channel.step_over(&step, result, output);
    run.map(|(run, _)| run)
}

async fn look_inner(attempt: &Attempt<'_>, tree: &Oid) -> Result<(RedRun, Option<BlobName>), EarlyEnd> {
    let ctx = attempt.ctx;
    let task = ctx.task(&attempt.job.task);
    let view = GitTree::open(&ctx.repo, tree)?;
    let Some(script) = red_script(task, &view) else {
        let message = "no test command is known for this task".into();
        return Err(EarlyEnd::failed(Failure::Environment { message }));
    };
    let dir = attempt.scratch.path().join(format!("red-{}", tree.short()));
    let laid = ctx.export(tree, &dir)?;
    copy_files(ctx, laid.dir())?;
    let setup = SetupInput {
        dir: laid.dir(),
        tree: &view,
        scratch: &attempt.scratch,
        cancel: attempt.cancel,
        channel: attempt.channel,
    };
    if let Some(failure) = set_up(ctx, &setup).await? {
        let message = format!("on the untouched base: {}", failure.details());
        return Err(EarlyEnd::failed(Failure::Environment { message }));
    }
    let services = Services::start(ctx, laid.dir(), &attempt.scratch, attempt.channel).await;
    let services = services.map_err(EarlyEnd::failed)?;
    let run = run_script(
        ctx,
        ScriptInput {
            script: &script,
            dir: laid.dir(),
            tree: &view,
            timeout: ctx.config.timeouts.verification,
            scratch: &attempt.scratch,
            cancel: attempt.cancel,
            channel: attempt.channel,
            named: NamedResults::Wanted,
        },
    )
    .await;
    services.stop(ctx).await;
    let run = run?;
    let Some(exit) = exit_of(&run.exit) else { return Err(EarlyEnd::Interrupted) };
    let mut test_files: Vec<(String, Vec<u8>)> = Vec::new();
    for path in task.test_files() {
        test_files.extend(view.bytes(path)?.map(|bytes| (path.to_owned(), bytes)));
    }
    if test_files.len() < task.test_files().len() {
        let not = RedRun::Not { why: NotRed::TestFileMissing, output: Some(run.output.clone()) };
        return Ok((not, Some(run.output)));
    }
    let provides = contract_names(task);
    let input = RedInput {
        exit,
        report: run.report.as_ref().ok().and_then(Option::as_ref),
        runner: run.runner,
        output: &run.raw,
        test_files: &test_files,
        owned: attempt.owner.list(),
        provides: &provides,
    };
    let verdict = classify(&input);
    let seen = red_tests(&input, &verdict);
    let looked = match verdict {
        // Every test of the red run must pass at green.
        Red::Assertion { all, .. } => RedRun::Red { kind: RedKind::Assertion, tests: all, seen },
        Red::MissingCode { names, .. } => RedRun::Red { kind: RedKind::MissingCode, tests: names, seen },
        Red::ExitOnly { .. } => RedRun::Red { kind: RedKind::ExitCode, tests: Vec::new(), seen },
        Red::NotRed(why) => RedRun::Not { why, output: Some(run.output.clone()) },
    };
    Ok((looked, Some(run.output)))
}

/// The names in the task's contract.
fn contract_names(task: &Task) -> Vec<String> {
    let names = |block: &CodeBlock| {
        let files = block.path.as_deref().into_iter().chain(task.files.owned());
        promised_names(&block.code, block.language.as_deref(), files)
    };
    task.contract.iter().flat_map(names).collect()
}

/// Freezes the tests of a red tree.
pub(super) fn freeze(attempt: &Attempt<'_>, tree: &Oid, run: RedRun) -> Result<FrozenTests, EngineError> {
    let RedRun::Red { kind, tests, seen } = run else { unreachable!("only red is frozen") };
    let (ctx, job) = (attempt.ctx, attempt.job);
    let files = frozen_files(attempt, tree)?;
    let subject = format!("{}: red", job.task);
    let commit = ctx.keep(tree, &[&job.base], &subject)?;
    let name = ctx.ref_of(&job.task, job.attempt, "red");
    ctx.repo.update_ref(&name, &commit, ExpectedRef::Anything, "windlass: red")?;
    attempt.channel.event(
        TaskEvent::TestsFrozen {
            attempt: job.attempt,
            commit: commit.clone(),
            red: kind,
            tests: tests.clone(),
            seen: seen.clone(),
            files: files.clone(),
        }
        .of(job.task.clone()),
    );
    Ok(FrozenTests { commit, base: job.base.clone(), red: kind, tests, seen, files })
}

/// The test files, their expected results and the runner configuration that the task does not own; of an owned
/// manifest, the keys about tests.
fn frozen_files(attempt: &Attempt<'_>, tree: &Oid) -> Result<Vec<FrozenFile>, EngineError> {
    let ctx = attempt.ctx;
    let task = ctx.task(&attempt.job.task);
    let view = GitTree::open(&ctx.repo, tree)?;
    let base = GitTree::open(&ctx.repo, &ctx.repo.tree_of(&attempt.job.base)?)?;
    let mut files: BTreeMap<String, FrozenFile> = BTreeMap::new();
    let mut freeze = |path: &str, items: BTreeMap<String, String>| {
        if let Some(blob) = view.blob(path) {
            let file = FrozenFile { path: path.to_owned(), blob: blob.clone(), items };
            files.entry(path.to_owned()).or_insert(file);
        }
    };
    for path in task.test_files() {
        let inline = task.test.inline || !is_test_path(path);
        let items = view.read(path).filter(|_| inline).map(|bytes| frozen_parts(path, &bytes));
        freeze(path, items.unwrap_or_default());
    }
    for path in view.paths() {
        let owned = attempt.owner.owns(path);
        let config = runner_config(path);
        if config && !owned {
            freeze(path, BTreeMap::new());
        } else if config && base.blob(path).is_some() {
            let keys = view.read(path).and_then(|bytes| runner_keys(path, &bytes));
            if let Some(keys) = keys {
                freeze(path, keys);
            }
        } else if owned && belongs_to_tests(path, &base, &view) {
            freeze(path, BTreeMap::new());
        }
    }
    Ok(files.into_values().collect())
}

/// Expected results, and test files written together with the tests.
fn belongs_to_tests(path: &str, base: &GitTree, red: &GitTree) -> bool {
    holds_expected_results(path) || (is_test_path(path) && base.blob(path) != red.blob(path))
}
