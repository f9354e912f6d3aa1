//! What a red run has in common with the base: failures that are not the task's.

use windlass_code::red::NotRed;
use windlass_code::repo::Tree as _;
use windlass_code::syntax::{same_test, tests as tests_in};
use windlass_core::event::TestAuthor;
use windlass_core::report::{TestOutcome, TestReport};

use super::RedBench;
use crate::early_end::EarlyEnd;
use crate::git_tree::GitTree;
use crate::verify::{
    BaseRun, ScriptRun, changed_test_files, failing_on, failures_of, is_own_test, stood_before,
};

impl RedBench<'_> {
    /// The report without tests of others that fail on the base: they are told, and the task is not about them. Only if a
    /// test of the task is seen to fail besides.
    async fn without_base_failures(
        &self,
        report: &TestReport,
        author: TestAuthor,
    ) -> Result<TestReport, EarlyEnd> {
        let (attempt, ctx) = (self.attempt, self.attempt.ctx);
        let task = ctx.task(&attempt.job.task);
        let own = |name: &str| is_own_test(task, &self.view, name);
        let failed = failures_of(report);
        if task.test_files().is_empty() || !failed.iter().any(|name| own(name)) {
            return Ok(report.clone());
        }
        let known = ctx.machine.base_tests.of_script(self.script).await;
        let is_base = *self.view.oid() == ctx.repo.tree_of(&attempt.job.base)?;
        let others = match (&known, is_base) {
            (Some(known), _) => known.without(&own).names(),
            (None, true) => failed.iter().filter(|name| !own(name)).cloned().collect(),
            (None, false) => Vec::new(),
        };
        if is_base && author == TestAuthor::Base && known.is_none() {
            let base = &ctx.machine.base_tests;
            base.keep(self.view.oid(), self.script, failed).await;
            let seen = base.of_script(self.script).await.unwrap_or_default().without(&own);
            seen.in_words(self.script).into_iter().for_each(|words| attempt.channel.finding(words));
        }
        let mut rest = report.clone();
        rest.tests.retain(|name, _| !others.contains(name));
        Ok(rest)
    }

    /// The report without tests that the task is not about, and those of them that stood in its own test file.
    pub(super) async fn without_old(
        &self,
        run: &ScriptRun,
        author: TestAuthor,
    ) -> Result<(Option<TestReport>, Vec<String>), EarlyEnd> {
        let Ok(Some(mut report)) = run.report.clone() else { return Ok((None, Vec::new())) };
        let mut suspect = failures_of(&report);
        suspect.extend(self.flaky(&report).await);
        let old = self.old_failures(&suspect, author).await?;
        report.tests.retain(|name, _| !old.contains(name));
        Ok((Some(self.without_base_failures(&report, author).await?), old))
    }

    /// The tests that pass now and failed when the base was run: without a change of the code that is chance.
    async fn flaky(&self, report: &TestReport) -> Vec<String> {
        let known =
            self.attempt.ctx.machine.base_tests.of_script(self.script).await.unwrap_or_default().names();
        report
            .names(TestOutcome::Passed)
            .filter(|name| known.iter().any(|k| k == name))
            .map(str::to_owned)
            .collect()
    }

    /// Those of these tests that stood in the test file before, and fail on the base.
    pub(super) async fn old_failures(
        &self,
        names: &[String],
        author: TestAuthor,
    ) -> Result<Vec<String>, EarlyEnd> {
        let (attempt, ctx) = (self.attempt, self.attempt.ctx);
        let task = ctx.task(&attempt.job.task);
        if author != TestAuthor::Agent || changed_test_files(task).next().is_none() {
            return Ok(Vec::new());
        }
        let tree = ctx.repo.tree_of(&attempt.job.base)?;
        let base = GitTree::open(&ctx.repo, &tree)?;
        let stood = |name: &&String| stood_before(task, &base, &self.view, name);
        let stood: Vec<String> = names.iter().filter(stood).cloned().collect();
        if stood.is_empty() {
            return Ok(stood);
        }
        let (scratch, cancel, channel) = (&attempt.scratch, attempt.cancel, attempt.channel);
        let run = BaseRun { tree: &tree, script: self.script, scratch, cancel, channel };
        let before = failing_on(ctx, &run).await?.names();
        Ok(stood.into_iter().filter(|name| before.iter().any(|known| same_test(known, name))).collect())
    }

    /// Where a test file that the task changes fails to load for a wrong reason, or none of its tests is run, and the same happened
    /// before the task's tests were in it, the environment lacks something that no task provides.
    pub(super) async fn with_base(
        &self,
        why: NotRed,
        report: Option<&TestReport>,
        author: TestAuthor,
    ) -> Result<NotRed, EarlyEnd> {
        let (attempt, ctx) = (self.attempt, self.attempt.ctx);
        let task = ctx.task(&attempt.job.task);
        let changed: Vec<&str> = changed_test_files(task).collect();
        if author != TestAuthor::Agent || changed.is_empty() {
            return Ok(why);
        }
        let tree = ctx.repo.tree_of(&attempt.job.base)?;
        if why == NotRed::NoTests && changed.len() == task.test_files().len() {
            let base = GitTree::open(&ctx.repo, &tree)?;
            let stood = changed.iter().find(|path| {
                let items = self.view.read(path).map(|bytes| tests_in(path, &bytes)).unwrap_or_default();
                let mut names = items.iter().filter(|item| !item.skipped).map(|item| item.name_in(path));
                names.any(|name| stood_before(task, &base, &self.view, &name))
            });
            let evidence =
                stood.map(|path| format!("its runner runs none of the tests that are in `{path}` already"));
            return Ok(evidence.map_or(why, |said| NotRed::Environment { evidence: vec![said] }));
        }
        let (NotRed::WrongReason { evidence }, Some(report)) = (&why, report) else { return Ok(why) };
        let unloaded: Vec<String> =
            failures_of(report).into_iter().filter(|name| changed.contains(&name.as_str())).collect();
        let (scratch, cancel, channel) = (&attempt.scratch, attempt.cancel, attempt.channel);
        let run = BaseRun { tree: &tree, script: self.script, scratch, cancel, channel };
        if unloaded.is_empty() {
            return Ok(why);
        }
        let before = failing_on(ctx, &run).await?.names();
        let evidence = evidence.clone();
        let same = unloaded.iter().all(|name| before.contains(name));
        Ok(if same { NotRed::Environment { evidence } } else { why })
    }
}
