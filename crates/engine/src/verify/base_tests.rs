//! Tests that fail without the change: they are reported before an agent is asked, and not held against the change.
//!
//! A script that runs more than a task's own tests may fail on the base. Its failing tests are known by name; a second run tells
//! those that fail every time from those that fail sometimes. Tests of the task itself are never among them, but for those that
//! stood in its test file before and were no part of what was seen red.

use std::collections::HashMap;
use std::sync::Arc;

use windlass_code::detect::is_test_path;
use windlass_code::repo::Tree as _;
use windlass_code::syntax::{same_test, tests as tests_in};
use windlass_core::ids::Oid;
use windlass_core::plan::Task;
use windlass_core::report::{TestOutcome, TestReport};

use super::script::{NamedResults, ScriptInput, ScriptRun, run_script, time_limit};
use super::services::Services;
use super::setup::{SetupInput, copy_files, set_up};
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::git_tree::GitTree;
use crate::place::ScratchDir;
use crate::process::{CancellationSignal, ProcessExit};
use crate::worker_channel::WorkerChannel;

/// How many names a message lists.
const TOLD: usize = 5;

/// The tests of a script that fail on a tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BaseFailures {
    /// They failed in every run.
    always: Vec<String>,
    /// They failed in one run and not in another.
    sometimes: Vec<String>,
}

impl BaseFailures {
    /// What two runs of the same tests amount to; the second one is made only if the first one failed.
    fn of_runs(first: &[String], second: &[String]) -> Self {
        let (always, once): (Vec<String>, Vec<String>) =
            first.iter().cloned().partition(|name| second.contains(name));
        let later = second.iter().filter(|name| !first.contains(name)).cloned();
        Self { always, sometimes: once.into_iter().chain(later).collect() }
    }

    /// Every test that is not held against a change, except those that `own` says belong to the task.
    pub(crate) fn without(&self, own: &dyn Fn(&str) -> bool) -> Self {
        let others =
            |names: &[String]| names.iter().filter(|name| !own(name.as_str())).cloned().collect::<Vec<_>>();
        Self { always: others(&self.always), sometimes: others(&self.sometimes) }
    }

    /// Every name.
    pub(crate) fn names(&self) -> Vec<String> {
        self.always.iter().chain(&self.sometimes).cloned().collect()
    }

    /// The failures in words, for the user; `None` if there are none.
    pub(crate) fn in_words(&self, script: &str) -> Option<String> {
        let mut said = Vec::new();
        if !self.always.is_empty() {
            said.push(format!("fails on the base: {}", listed(&self.always)));
        }
        if !self.sometimes.is_empty() {
            said.push(format!("is flaky on the base: {}", listed(&self.sometimes)));
        }
        let script = script.trim().replace('\n', " && ");
        let end = "these tests may fail; every other one must pass";
        (!said.is_empty()).then(|| format!("`{script}` {}; {end}", said.join(", and ")))
    }
}

fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(TOLD).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(TOLD) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Failing tests by tree and script, for the time of a run. Tasks that begin together wait for one run.
#[derive(Default)]
pub(crate) struct BaseTests(tokio::sync::Mutex<HashMap<(Oid, String), SeenBase>>);

/// What was seen of a script on a tree.
struct SeenBase {
    failures: Arc<BaseFailures>,
    /// Whether it was run again for tests that may fail sometimes.
    again: bool,
}

impl SeenBase {
    fn once(failures: BaseFailures) -> Self {
        Self { failures: Arc::new(failures), again: false }
    }
}

impl BaseTests {
    /// What a script was seen to fail by on any base; `None` if it was run on none.
    pub(crate) async fn of_script(&self, script: &str) -> Option<BaseFailures> {
        let all = self.0.lock().await;
        let mut seen = all.iter().filter(|((_, known), _)| known == script).map(|(_, seen)| &seen.failures);
        let mut union = seen.next()?.as_ref().clone();
        for failures in seen {
            union.always.extend(failures.always.iter().cloned());
            union.sometimes.extend(failures.sometimes.iter().cloned());
        }
        Some(union)
    }

    /// Keeps what a run on a base showed.
    pub(crate) async fn keep(&self, tree: &Oid, script: &str, failed: Vec<String>) {
        let failures = BaseFailures { always: failed, sometimes: Vec::new() };
        let key = (tree.clone(), script.to_owned());
        self.0.lock().await.entry(key).or_insert_with(|| SeenBase::once(failures));
    }
}

/// A script to run on a base.
pub(crate) struct BaseRun<'a> {
    pub(crate) tree: &'a Oid,
    pub(crate) script: &'a str,
    pub(crate) scratch: &'a ScratchDir,
    pub(crate) cancel: &'a CancellationSignal,
    pub(crate) channel: &'a WorkerChannel,
}

/// The tests of a script that fail on a tree. A run without names says nothing.
pub(crate) async fn failing_on(ctx: &Context, input: &BaseRun<'_>) -> Result<Arc<BaseFailures>, EarlyEnd> {
    let key = (input.tree.clone(), input.script.to_owned());
    let mut known = ctx.machine.base_tests.0.lock().await;
    if let Some(seen) = known.get(&key) {
        return Ok(Arc::clone(&seen.failures));
    }
    let seen = SeenBase::once(look(ctx, input).await?);
    let failures = Arc::clone(&seen.failures);
    known.insert(key, seen);
    Ok(failures)
}

/// The same after further runs, made once, if tests failed elsewhere that passed here: they may have passed by luck.
pub(crate) async fn failing_on_again(
    ctx: &Context,
    input: &BaseRun<'_>,
    wanted: &[String],
) -> Result<Arc<BaseFailures>, EarlyEnd> {
    const MORE: usize = 2;
    let mut all = failing_on(ctx, input).await?.as_ref().clone();
    let key = (input.tree.clone(), input.script.to_owned());
    let mut known = ctx.machine.base_tests.0.lock().await;
    let more = if known.get(&key).is_some_and(|seen| seen.again) { 0 } else { MORE };
    for _ in 0..more {
        let names = all.names();
        if wanted.iter().all(|name| names.contains(name)) {
            return Ok(Arc::new(all));
        }
        let BaseFailures { always, sometimes } = look(ctx, input).await?;
        all.sometimes.extend(always.into_iter().chain(sometimes).filter(|name| !names.contains(name)));
    }
    let failures = Arc::new(all);
    known.insert(key, SeenBase { failures: Arc::clone(&failures), again: true });
    Ok(failures)
}

async fn look(ctx: &Context, input: &BaseRun<'_>) -> Result<BaseFailures, EarlyEnd> {
    let view = GitTree::open(&ctx.repo, input.tree)?;
    let number = ctx.machine.next_number();
    let laid = ctx.export(input.tree, &input.scratch.path().join(format!("base-{number}")))?;
    copy_files(ctx, laid.dir())?;
    let BaseRun { scratch, cancel, channel, .. } = *input;
    if set_up(ctx, &SetupInput { dir: laid.dir(), tree: &view, scratch, cancel, channel }).await?.is_some() {
        return Ok(BaseFailures::default());
    }
    let services = Services::start(ctx, laid.dir(), scratch, channel).await.map_err(EarlyEnd::failed)?;
    let run = || async {
        let script = ScriptInput {
            script: input.script,
            dir: laid.dir(),
            tree: &view,
            timeout: time_limit(ctx, ctx.task(&channel.task)),
            scratch,
            cancel,
            channel,
            named: NamedResults::Wanted,
            idle: None,
        };
        run_script(ctx, script).await
    };
    let seen = async {
        let first = failed_in(&run().await?)?;
        let second = if first.is_empty() { Vec::new() } else { failed_in(&run().await?)? };
        Ok(BaseFailures::of_runs(&first, &second))
    };
    let seen = seen.await;
    services.stop(ctx).await;
    seen
}

fn failed_in(run: &ScriptRun) -> Result<Vec<String>, EarlyEnd> {
    if run.exit == ProcessExit::Cancelled {
        return Err(EarlyEnd::Interrupted);
    }
    Ok(run.report.as_ref().ok().and_then(Option::as_ref).map(failures_of).unwrap_or_default())
}

/// The tests of a report that did not pass.
pub(crate) fn failures_of(report: &TestReport) -> Vec<String> {
    let failed = [TestOutcome::Failed, TestOutcome::Errored].into_iter().flat_map(|o| report.names(o));
    failed.map(str::to_owned).collect()
}

/// Whether a test of a report stands in a test file of the task.
pub(crate) fn is_own_test(task: &Task, view: &GitTree, name: &str) -> bool {
    task.test_files().iter().any(|path| {
        let below = name.strip_prefix(*path).filter(|rest| !rest.starts_with(char::is_alphanumeric));
        let items = view.read(path).map(|bytes| tests_in(path, &bytes)).unwrap_or_default();
        let is_item = || items.iter().any(|item| same_test(name, &item.name_in(path)));
        below.is_some_and(|rest| items.is_empty() || !is_file_check(path, rest) || is_item()) || is_item()
    })
}

/// Whether a test of the task's files stood there before with the same text, in a file that the plan says the task changes: it
/// may fail for a reason that the task is not about.
pub(crate) fn stood_before(task: &Task, base: &GitTree, view: &GitTree, name: &str) -> bool {
    let text_in = |tree: &GitTree, path: &str| -> Vec<Vec<u8>> {
        let bytes = tree.read(path).unwrap_or_default();
        let items = tests_in(path, &bytes);
        let same = items.iter().filter(|item| same_test(name, &item.name_in(path)));
        same.filter_map(|item| bytes.get(item.range.clone()).map(<[u8]>::to_vec)).collect()
    };
    changed_test_files(task).any(|path| {
        let now = text_in(view, path);
        !now.is_empty() && now == text_in(base, path)
    })
}

/// The test files that the plan says the task changes, apart from code with tests in it.
pub(crate) fn changed_test_files(task: &Task) -> impl Iterator<Item = &str> {
    let says = |path: &&str| task.files.modify.iter().any(|changed| changed == path);
    task.test_files().into_iter().filter(move |path| !task.test.inline && is_test_path(path) && says(path))
}

/// Whether a result is what a plug-in of pytest, such as one of a linter, says about a whole file: no test function is
/// called that.
fn is_file_check(path: &str, rest: &str) -> bool {
    let last = rest.rsplit("::").next().unwrap_or_default();
    path.ends_with(".py") && rest.starts_with("::") && !last.to_ascii_lowercase().starts_with("test")
}

#[cfg(test)]
mod tests;
