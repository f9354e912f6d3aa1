//! Red: the tests fail on the base for the right reason and are then frozen.

mod base;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use windlass_code::detect::{
    holds_expected_results, identity_word, is_among_tests, is_test_path, runner_config, runner_keys,
};
use windlass_code::red::{
    AwaitedTests, NotRed, Red, RedInput, RunExit, awaited, awaited_imports, classify, declared_names,
    not_run, red_tests, wants_stand_ins,
};
use windlass_code::repo::Tree as _;
use windlass_code::runner::{StandInAnswer, builds_first, with_stand_ins};
use windlass_code::script::{instrument_in, names_a_file};
use windlass_code::syntax::same_test;
use windlass_core::event::{
    FrozenFile, RedKind, RedReason, RedTest, RedTests, StepResult, TaskEvent, TestAuthor,
};
use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::{BlobName, Oid, TaskId};
use windlass_core::plan::{Action, Mode, Step, Task};
use windlass_core::report::{TestOutcome, TestReport};
use windlass_core::schedule::FrozenTests;

use super::steps::Attempt;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::{ExpectedRef, NameRule};
use crate::git_tree::GitTree;
use crate::process::ProcessExit;
use crate::verify::setup::{SetupInput, copy_files, set_up, setup_failed_on_base};
use crate::verify::{
    BaseRun, GateResults, NamedResults, ScriptInput, ScriptRun, Services, changed_test_files, contract_names,
    exit_of, failing_on, failures_of, frozen_parts, is_own_test, red_script, run_script, task_script,
    time_limit, unfinished_need,
};

/// The result of running the tests on the base.
pub(super) enum RedRun {
    /// Red for the right reason.
    Red { kind: RedKind, tests: Vec<String>, conditional: Vec<String>, seen: RedTests },
    /// Not red.
    Not { why: NotRed, passed: Vec<String>, too_long: Failure, output: Option<BlobName>, said: String },
}

impl RedRun {
    /// Tests that pass before a refactoring, as the gates saw them.
    pub(super) fn passing(seen: &GateResults) -> Self {
        let report = seen.gates.iter().find(|g| g.gate == Gate::Tests).and_then(|g| g.report.as_ref());
        let tests: Vec<String> =
            report.map(|r| r.names(TestOutcome::Passed).map(str::to_owned).collect()).unwrap_or_default();
        let passed = || RedTest { reason: RedReason::Passed, said: String::new() };
        let seen = tests.iter().map(|name| (name.clone(), passed())).collect();
        RedRun::Red { kind: RedKind::Passing, tests, conditional: Vec::new(), seen }
    }
}

/// The failure of an attempt whose tests are not red. Tests of the plan or the repository need a person; an agent can be
/// asked again.
pub(super) fn not_red(attempt: &Attempt<'_>, run: RedRun, author: TestAuthor) -> EarlyEnd {
    let RedRun::Not { why, too_long, output, said, .. } = run else { unreachable!("red is handled before") };
    let by_plan = author != TestAuthor::Agent;
    // The shell's own words name the command that it did not find; nothing else says why a command did not start. A command that found
    // no test is often not the one by which the project runs its tests.
    let says_more =
        matches!(why, NotRed::CommandNotFound(_) | NotRed::NotStarted | NotRed::NoTests) && !said.is_empty();
    let reason = if let NotRed::WrongReason { evidence } = &why {
        // That the reason is wrong is what the failure says.
        evidence.join("; ")
    } else if says_more {
        format!("{why}: {said}")
    } else {
        why.to_string()
    };
    // Tests that are skipped here lack something that no code of the task brings.
    let skipped = matches!(why, NotRed::Skipped { .. });
    let environment = why.is_environment() || skipped;
    let passing = why.all_passed();
    let without_tests = matches!(why, NotRed::NoTests | NotRed::TestFileMissing);
    let failure = match why {
        NotRed::TimedOut => too_long,
        NotRed::Passed if says_it_fails(attempt.ctx.task(&attempt.job.task)) => {
            let reason = format!("{reason}, and the plan has a `verify_fail` step");
            Failure::NotRed { reason, by_plan: true, passing, without_tests }
        }
        NotRed::Passed | NotRed::NoneFailed { .. } | NotRed::NoTests | NotRed::TestFileMissing => {
            Failure::NotRed { reason, by_plan, passing, without_tests }
        }
        NotRed::SyntaxError { .. }
        | NotRed::Skipped { .. }
        | NotRed::CommandNotFound(_)
        | NotRed::Signal(_)
        | NotRed::NotStarted
        | NotRed::Environment { .. }
        | NotRed::WrongReason { .. } => Failure::WrongRed { reason, by_plan, environment, skipped },
    };
    EarlyEnd::Failed { failure, output }
}

/// Why a command did not start, or the last line that it printed.
fn last_words(run: &ScriptRun) -> String {
    match &run.exit {
        ProcessExit::NotStarted(why) => why.clone(),
        ProcessExit::Code(_) | ProcessExit::Signal(_) | ProcessExit::TimedOut(_) | ProcessExit::Cancelled => {
            last_line(&run.raw)
        }
    }
}

/// The last line of an output that says something, without the name of the script in front of it.
fn last_line(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let said = line.rsplit_once("verify.sh: ").map_or(line, |(_, said)| said);
    said.chars().take(200).collect()
}

/// Whether the plan itself states that the tests fail first. That is never taken as satisfied.
pub(super) fn says_it_fails(task: &Task) -> bool {
    task.steps.iter().any(Step::shows_red)
}

/// Runs the check on a tree of base + tests.
pub(super) async fn look(attempt: &Attempt<'_>, tree: &Oid, author: TestAuthor) -> Result<RedRun, EarlyEnd> {
    let shown = attempt.steps.iter().position(Step::shows_red).or(attempt.places.red);
    let step = attempt.channel.step_at(shown.unwrap_or(attempt.steps.len()), Action::VerifyFail);
    let run = look_inner(attempt, tree, author).await;
    let result = match &run {
        Ok((RedRun::Red { .. }, _)) => StepResult::Passed,
        Ok((RedRun::Not { .. }, _)) | Err(_) => StepResult::Failed,
    };
    let output = run.as_ref().ok().and_then(|(_, output)| output.clone());
    attempt.channel.step_over(&step, result, output);
    run.map(|(run, _)| run)
}

/// A tree of base + tests, laid out and set up.
struct RedBench<'a> {
    attempt: &'a Attempt<'a>,
    view: GitTree,
    dir: &'a Path,
    script: &'a str,
    limit: Duration,
}

impl RedBench<'_> {
    async fn run(&self, script: &str, timeout: Duration) -> Result<ScriptRun, EngineError> {
        let attempt = self.attempt;
        let input = ScriptInput {
            script,
            dir: self.dir,
            tree: &self.view,
            timeout,
            scratch: &attempt.scratch,
            cancel: attempt.cancel,
            channel: attempt.channel,
            named: NamedResults::Wanted,
            idle: None,
        };
        run_script(attempt.ctx, input).await
    }

    /// Asks the runner which tests there are, with stand-ins for the code that is missing. Nothing of an agent is in the
    /// tree. A run that does not work says nothing, and our own reading stands. Code around a stand-in may go on for ever,
    /// so it gets little more time than the plain run. What fails on the base and is no test of the task is left out.
    async fn listed(&self, input: &RedInput<'_>, plain: &ScriptRun) -> Result<Vec<TestReport>, EngineError> {
        const SLACK: Duration = Duration::from_secs(20);
        let timeout = self.limit.min(Duration::from_millis(plain.millis) * 3 + SLACK);
        let (ctx, task) = (self.attempt.ctx, self.attempt.ctx.task(&self.attempt.job.task));
        let base = ctx.machine.base_tests.of_script(self.script).await.unwrap_or_default();
        let others = base.without(&|name| is_own_test(task, &self.view, name)).names();
        let mut reports = Vec::new();
        for answer in [StandInAnswer::Yes, StandInAnswer::No] {
            let script = input.runner.and_then(|r| with_stand_ins(self.script, r, input.owned, answer));
            let Some(script) = script.filter(|_| wants_stand_ins(input)) else { break };
            let run = self.run(&script, timeout).await?;
            let Ok(Some(mut report)) = run.report else { break };
            report.tests.retain(|name, _| !others.contains(name));
            reports.push(report);
        }
        Ok(reports)
    }

    /// The files that the task is to provide. One that names none is going to make what its tests import and no other
    /// task owns.
    fn awaited_files(&self, tests: &[(String, Vec<u8>)]) -> Vec<String> {
        let attempt = self.attempt;
        let mut owned = attempt.owner.list().to_vec();
        if !attempt.owner.is_open() {
            return owned;
        }
        let of_others = |path: &str| {
            let others = attempt.ctx.tasks.iter().filter(|(id, _)| **id != attempt.job.task);
            others.flat_map(|(_, info)| &info.owned).any(|other| other == path)
        };
        let named = if tests.is_empty() { self.named_by_script() } else { Vec::new() };
        let tests = tests.iter().chain(&named);
        let imported = tests.flat_map(|(path, bytes)| awaited_imports(&self.view, path, bytes));
        owned.extend(imported.filter(|path| !of_others(path)));
        owned
    }

    /// What these files declare or add to before the work. What a test file declares is no code that a test waits for, unless it has
    /// its tests inside.
    fn declared_in(&self, owned: &[String], tests: &[(String, Vec<u8>)]) -> Vec<String> {
        let inline = self.attempt.ctx.task(&self.attempt.job.task).test.inline;
        let is_test = |path: &&String| !inline && tests.iter().any(|(test, _)| test == *path);
        declared_names(&self.view, owned.iter().filter(|path| !is_test(path)).map(String::as_str))
    }

    /// The files that the script names, by their paths, their directories or as modules; all tests if it names none.
    fn named_by_script(&self) -> Vec<(String, Vec<u8>)> {
        const MOST: usize = 200;
        let words: Vec<String> = self.script.split_whitespace().map(|word| word.replace('.', "/")).collect();
        let is_named = |path: &&String| {
            let plain = path.replace('.', "/");
            let bare = path.rsplit_once('.').map_or(path.as_str(), |(bare, _)| bare);
            words.iter().any(|word| {
                *word == plain
                    || word == bare
                    || path.strip_prefix(word.as_str()).is_some_and(|r| r.starts_with('/'))
            })
        };
        let named: Vec<&String> = self.view.paths().iter().filter(is_named).take(MOST).collect();
        let tests = || self.view.paths().iter().filter(|path| is_test_path(path)).take(MOST).collect();
        let files = if named.is_empty() { tests() } else { named };
        files.into_iter().filter_map(|path| Some((path.clone(), self.view.read(path)?))).collect()
    }

    /// The verdict on a run, with the tests that must pass at green.
    async fn judge(&self, run: &ScriptRun, author: TestAuthor) -> Result<RedRun, EarlyEnd> {
        let attempt = self.attempt;
        let task = attempt.ctx.task(&attempt.job.task);
        let Some(exit) = exit_of(&run.exit) else { return Err(EarlyEnd::Interrupted) };
        let passed = || {
            let names = |r: &TestReport| r.names(TestOutcome::Passed).map(str::to_owned).collect();
            run.report.as_ref().ok().and_then(Option::as_ref).map(names).unwrap_or_default()
        };
        let not = |why| {
            let (too_long, output) = (run.took_too_long(self.limit), Some(run.output.clone()));
            let said = if why == NotRed::NoTests {
                format!("`{}` found none", self.script.trim())
            } else {
                last_words(run)
            };
            RedRun::Not { why, passed: passed(), too_long, output, said }
        };
        let mut test_files: Vec<(String, Vec<u8>)> = Vec::new();
        for path in task.test_files() {
            test_files.extend(self.view.bytes(path)?.map(|bytes| (path.to_owned(), bytes)));
        }
        if test_files.len() < task.test_files().len() {
            return Ok(not(NotRed::TestFileMissing));
        }
        let provides = contract_names(task);
        let owned = self.awaited_files(&test_files);
        let declared = self.declared_in(&owned, &test_files);
        let (report, old) = self.without_old(run, author).await?;
        // Where nothing but old failures made the command fail, it has nothing else to say.
        let only_old = !old.is_empty() && report.as_ref().is_some_and(|seen| failures_of(seen).is_empty());
        let exit = if only_old { RunExit::Code(0) } else { exit };
        let input = RedInput {
            exit,
            report: report.as_ref(),
            runner: run.runner,
            output: &run.raw,
            test_files: &test_files,
            author,
            owned: &owned,
            provides: &provides,
            declared: &declared,
            present: self.view.paths(),
        };
        let verdict = classify(&input);
        let seen = red_tests(&input, &verdict);
        let red = |kind, tests, conditional| RedRun::Red { kind, tests, conditional, seen };
        Ok(match verdict {
            // Every test of the red run must pass at green.
            Red::Assertion { all, .. } => {
                let is_old = |name: &String| old.iter().any(|known| same_test(known, name));
                for name in not_run(&input).into_iter().filter(|name| !is_old(name)) {
                    attempt
                        .channel
                        .finding(format!("`{name}` is in the test file, and the runner does not run it"));
                }
                red(RedKind::Assertion, all, Vec::new())
            }
            Red::MissingCode { names, .. } => {
                let listed = self.listed(&input, run).await?;
                let AwaitedTests { mut required, conditional } = awaited(&input, &names, &listed);
                let old = self.old_failures(&required, author).await?;
                required.retain(|name| !old.contains(name));
                if required.is_empty() && !listed.is_empty() {
                    return Ok(not(NotRed::NoTests));
                }
                red(RedKind::MissingCode, required, conditional)
            }
            Red::ExitOnly { .. } => red(RedKind::ExitCode, Vec::new(), Vec::new()),
            Red::NotRed(why) => {
                let unrun = matches!(why, NotRed::Environment { .. } | NotRed::WrongReason { .. });
                let need = || unfinished_need(attempt.ctx, &attempt.job.task, &self.view, run, author);
                if let Some(failure) = unrun.then(need).flatten() {
                    return Err(EarlyEnd::Failed { failure, output: Some(run.output.clone()) });
                }
                not(self.with_base(why, input.report, author).await?)
            }
        })
    }
}

/// The tests that fail on the base, if they may fail for a reason that the task is not about: the plan says that the task changes
/// their file, and nothing that they miss is the task's to make.
pub(super) fn may_be_old(task: &Task, run: &RedRun) -> Vec<String> {
    let RedRun::Red { kind: RedKind::Assertion, seen, .. } = run else { return Vec::new() };
    let misses_code = seen.values().any(|test| test.reason == RedReason::MissingCode);
    if misses_code || says_it_fails(task) || changed_test_files(task).count() < task.test_files().len() {
        return Vec::new();
    }
    let failed = seen.iter().filter(|(_, test)| test.reason != RedReason::Passed);
    failed.map(|(name, _)| name.clone()).collect()
}

/// Runs what reaches beyond the task's own tests on the base, once for each command, and tells which tests fail there.
pub(super) async fn look_at_base(attempt: &Attempt<'_>) -> Result<(), EarlyEnd> {
    let ctx = attempt.ctx;
    let tree = ctx.repo.tree_of(&attempt.job.base)?;
    let view = GitTree::open(&ctx.repo, &tree)?;
    let task = ctx.task(&attempt.job.task);
    let beyond = |script: &String| reaches_beyond(attempt, &view, script);
    let own = task_script(task, &view).filter(beyond);
    for script in own.into_iter().chain(ctx.config.verify.suite.clone()) {
        if ctx.machine.base_tests.of_script(&script).await.is_some() {
            continue;
        }
        let (scratch, cancel, channel) = (&attempt.scratch, attempt.cancel, attempt.channel);
        let run = BaseRun { tree: &tree, script: &script, scratch, cancel, channel };
        let seen = failing_on(ctx, &run).await?.without(&|name| is_own_test(task, &view, name));
        seen.in_words(&script).into_iter().for_each(|words| channel.finding(words));
    }
    Ok(())
}

/// Whether the command of a task runs other tests of the base, whose names are reported. Where tests are built first, a run
/// costs a build: only for a command that several tasks have.
fn reaches_beyond(attempt: &Attempt<'_>, view: &GitTree, script: &str) -> bool {
    let ctx = attempt.ctx;
    let files = ctx.task(&attempt.job.task).test_files();
    let own_is_there = files.iter().any(|path| view.blob(path).is_some());
    if files.is_empty() || own_is_there || names_a_file(script, &files) {
        return false;
    }
    let Some(runner) = instrument_in(view, script, "/").runner() else { return false };
    let shared = || {
        let same = |id: &&TaskId| task_script(ctx.task(id), view).as_deref() == Some(script);
        ctx.tasks.keys().filter(same).count() > 1
    };
    view.paths().iter().any(|path| is_test_path(path)) && (!builds_first(runner) || shared())
}

async fn look_inner(
    attempt: &Attempt<'_>,
    tree: &Oid,
    author: TestAuthor,
) -> Result<(RedRun, Option<BlobName>), EarlyEnd> {
    let ctx = attempt.ctx;
    let task = ctx.task(&attempt.job.task);
    let view = GitTree::open(&ctx.repo, tree)?;
    let Some(script) = red_script(task, &view) else {
        let message = "no test command is known for this task".into();
        return Err(EarlyEnd::failed(Failure::NoTestCommand { message }));
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
        return Err(EarlyEnd::failed(setup_failed_on_base(&failure)));
    }
    let services = Services::start(ctx, laid.dir(), &attempt.scratch, attempt.channel).await;
    let services = services.map_err(EarlyEnd::failed)?;
    let bench = RedBench { attempt, view, dir: laid.dir(), script: &script, limit: time_limit(ctx, task) };
    let judged = match bench.run(&script, bench.limit).await {
        Ok(run) => bench.judge(&run, author).await.map(|red| (red, Some(run.output))),
        Err(error) => Err(error.into()),
    };
    services.stop(ctx).await;
    judged
}

/// Freezes the tests of a red tree.
pub(super) fn freeze(
    attempt: &Attempt<'_>,
    tree: &Oid,
    run: RedRun,
    author: TestAuthor,
) -> Result<FrozenTests, EngineError> {
    let RedRun::Red { kind, tests, conditional, seen } = run else { unreachable!("only red is frozen") };
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
            conditional: conditional.clone(),
            seen: seen.clone(),
            files: files.clone(),
            author,
        }
        .of(job.task.clone()),
    );
    Ok(FrozenTests { commit, base: job.base.clone(), red: kind, tests, conditional, seen, files, author })
}

/// What configures a test runner.
const RUNNER_CONFIG: NameRule = NameRule { name: "runner configuration", fits: runner_config };

/// The test files, their expected results and the runner configuration that the task does not own; of an owned
/// manifest, the keys about tests.
fn frozen_files(attempt: &Attempt<'_>, tree: &Oid) -> Result<Vec<FrozenFile>, EngineError> {
    let ctx = attempt.ctx;
    let task = ctx.task(&attempt.job.task);
    let view = GitTree::open(&ctx.repo, tree)?;
    let base = GitTree::open(&ctx.repo, &ctx.repo.tree_of(&attempt.job.base)?)?;
    let refactors = ctx.info(&attempt.job.task).mode == Mode::Refactor;
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
    for path in ctx.repo.picked(tree, &RUNNER_CONFIG)?.iter() {
        if !attempt.owner.owns(path) {
            freeze(path, BTreeMap::new());
        } else if base.blob(path).is_some() {
            let keys = view.read(path).and_then(|bytes| runner_keys(path, &bytes));
            if let Some(mut keys) = keys {
                keys.retain(|key, _| identity_word(key).is_none_or(|word| !speaks_of(task, word)));
                freeze(path, keys);
            }
        }
    }
    // The configuration that it owns and that is new may change; what was there has been dealt with.
    let own = attempt.owner.list().iter().filter(|path| !(runner_config(path) && base.blob(path).is_some()));
    for path in own {
        if belongs_to_tests(path, &base, &view) || (refactors && is_test_path(path)) {
            freeze(path, BTreeMap::new());
        }
    }
    Ok(files.into_values().collect())
}

/// Whether the text of a task contains a word: the key of a manifest that it is about.
fn speaks_of(task: &Task, word: &str) -> bool {
    let criteria = task.criteria.iter().map(|c| c.text.as_str());
    let changes = task.changes.values().map(String::as_str);
    let prose = [&task.title, &task.objective, &task.description, &task.notes].map(String::as_str);
    let contract = task.contract.iter().map(|block| block.code.as_str());
    let texts = prose.into_iter().chain(criteria).chain(changes).chain(contract);
    let is_word = |c: char| c.is_alphanumeric() || c == '-';
    texts.flat_map(|text| text.split(|c| !is_word(c))).any(|said| {
        let said = said.to_lowercase();
        said == word
            || said.strip_suffix('s').is_some_and(|one| one == word)
            || word.strip_suffix('s') == Some(&said)
    })
}

/// Expected results, and files among the tests that were written together with them.
fn belongs_to_tests(path: &str, base: &GitTree, red: &GitTree) -> bool {
    holds_expected_results(path) || (is_among_tests(path) && base.blob(path) != red.blob(path))
}
