//! Do the tests notice wrong code? Runs them on small wrong versions of it, in the verifier's export.

use std::time::{Duration, Instant};

use windlass_code::mutant::{ChangedCode, Mutant, MutantNames, mutants_of_named, restyled, skeleton};
use windlass_code::repo::Tree as _;
use windlass_code::runner::builds_first;
use windlass_code::script::instrument_in;
use windlass_code::syntax::same_test;
use windlass_core::event::MutantSeen;
use windlass_core::ids::Oid;
use windlass_core::report::{TestOutcome, TestReport};

use super::expectations::lay_file;
use super::script::{NamedResults, ScriptInput, ScriptRun, run_script};
use super::services::Services;
use super::setup::{SetupInput, copy_files, set_up};
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::{GitError, Repo};
use crate::git_tree::GitTree;
use crate::place::ScratchDir;
use crate::process::{CancellationSignal, ProcessExit};
use crate::random_token::export_name;
use crate::slot::{ExportedTree, FileAge};
use crate::worker_channel::WorkerChannel;

/// How many wrong versions are tried before the tests count as blind.
const MOST: usize = 8;
/// A run on a wrong version may take this many times as long as the plain run, and this much more.
const LONGER: u32 = 3;
const SLACK: Duration = Duration::from_secs(20);

/// The code, and the tests that run on it.
pub(crate) struct BiteInput<'a> {
    pub(crate) tree: &'a Oid,
    pub(crate) script: &'a str,
    pub(crate) scratch: &'a ScratchDir,
    pub(crate) cancel: &'a CancellationSignal,
    pub(crate) channel: &'a WorkerChannel,
}

/// One wrong version of the code.
#[derive(Debug, Clone)]
pub(crate) struct WrongVersion {
    change: String,
    /// Whether every function in question is wrong.
    whole: bool,
    /// The files: path, right text, wrong text. Never empty.
    files: Vec<(String, Vec<u8>, Vec<u8>)>,
}

impl WrongVersion {
    /// What is wrong, for people and agents.
    pub(crate) fn words(&self) -> String {
        let paths: Vec<&str> = self.files.iter().map(|(path, _, _)| path.as_str()).collect();
        format!("{}: {}", paths.join(", "), self.change)
    }

    /// A file with text that is code in no language; `None` if it is not there.
    fn broken(view: &GitTree, path: &str) -> Option<Self> {
        let right = view.read(path)?;
        let files = vec![(path.to_owned(), right, b"<?php @@ no code ((\n".to_vec())];
        Some(Self { change: "no code".into(), whole: true, files })
    }

    /// The code with these files as they were before; `None` if none of them is there now.
    pub(crate) fn without(before: &GitTree, after: &GitTree, paths: &[String]) -> Option<Self> {
        let changed = paths.iter().filter_map(|path| {
            let right = after.read(path)?;
            Some((path.clone(), right, before.read(path).unwrap_or_default()))
        });
        let files: Vec<_> = changed.collect();
        let change = "as it was before".to_owned();
        (!files.is_empty()).then_some(Self { change, whole: true, files })
    }

    /// Right code in another style: the same files, whose text differs. `None` if no file can be written in another style.
    fn restyled(all: &[Self]) -> Option<Self> {
        let mut files: Vec<(String, Vec<u8>, Vec<u8>)> = Vec::new();
        for (path, right, _) in all.iter().flat_map(|version| &version.files) {
            if !files.iter().any(|(known, ..)| known == path) {
                files.extend(restyled(path, right).map(|other| (path.clone(), right.clone(), other)));
            }
        }
        (!files.is_empty()).then(|| Self { change: "in another style".into(), whole: true, files })
    }

    /// Whether this is the version that a record is about.
    pub(crate) fn is(&self, seen: &MutantSeen) -> bool {
        self.change == seen.change && self.files[0].0 == seen.path
    }
}

/// When to stop trying versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TryUntil {
    /// The tests noticed one.
    Noticed,
    /// This many times the plain run's time has passed, or a minute if that is longer.
    Spent(u32),
}

/// What runs on wrong versions showed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BiteLook {
    /// The tests that pass on the right version.
    pub(crate) passed: Vec<String>,
    /// The versions that said something; one that does not compile is not among them.
    pub(crate) seen: Vec<MutantSeen>,
}

/// Versions of the files in turn; functions of these names alone, where there are some.
pub(crate) fn named_versions(view: &GitTree, code: &[String], names: &[String]) -> Vec<WrongVersion> {
    let promised =
        |function: &str| names.iter().any(|name| name.rsplit(['.', ':', '#']).next() == Some(function));
    let no_names = MutantNames::default();
    let first = versions(view, code, &|_, mutant| promised(&mutant.function), &no_names);
    if first.is_empty() { versions(view, code, &|_, _| true, &no_names) } else { first }
}

/// Versions of the functions that a change touched: first the skeleton of all of them, then one mistake at a time, those first that
/// the tests name.
pub(crate) fn changed_versions(
    before: &GitTree,
    after: &GitTree,
    code: &[String],
    tests: &[&str],
) -> Vec<WrongVersion> {
    let texts: Vec<Vec<u8>> = tests.iter().filter_map(|path| after.read(path)).collect();
    let names = MutantNames::of(texts.iter().map(Vec::as_slice));
    let changed: Vec<(String, Option<ChangedCode>)> = code
        .iter()
        .filter_map(|path| {
            let new = after.read(path)?;
            Some((path.clone(), ChangedCode::between(path, before.read(path).as_deref(), &new)))
        })
        .collect();
    let wanted = |path: &str, mutant: &Mutant| {
        changed.iter().any(|(p, code)| p == path && code.as_ref().is_none_or(|code| code.has(mutant)))
    };
    let mut files = Vec::new();
    for path in code {
        let Some(right) = after.read(path) else { continue };
        if let Some(wrong) = skeleton(path, &right, &|mutant| wanted(path, mutant)) {
            files.push((path.clone(), right, wrong));
        }
    }
    let whole = (!files.is_empty()).then(|| WrongVersion {
        change: "every function answers with a default".into(),
        whole: true,
        files,
    });
    whole.into_iter().chain(versions(after, code, &wanted, &names)).collect()
}

fn versions(
    view: &GitTree,
    code: &[String],
    wanted: &dyn Fn(&str, &Mutant) -> bool,
    names: &MutantNames,
) -> Vec<WrongVersion> {
    let files = code.iter().filter_map(|path| Some((path, view.read(path)?)));
    let each = files.map(|(path, right)| {
        let all = mutants_of_named(path, &right, &|mutant| wanted(path, mutant), names, MOST);
        let made = all.into_iter().map(|mutant| WrongVersion {
            change: mutant.to_string(),
            whole: false,
            files: vec![(path.clone(), right.clone(), mutant.apply(&right))],
        });
        made.collect::<Vec<_>>()
    });
    in_turns(each.collect())
}

/// One of every file, then a second one of every file, and so on.
fn in_turns(mut files: Vec<Vec<WrongVersion>>) -> Vec<WrongVersion> {
    for of_file in &mut files {
        of_file.reverse();
    }
    let mut all = Vec::new();
    while all.len() < MOST && files.iter().any(|of_file| !of_file.is_empty()) {
        all.extend(files.iter_mut().filter_map(Vec::pop));
    }
    all.truncate(MOST);
    all
}

/// A version that a record tells of, made again from what is kept with it. The skeleton of several files is not.
pub(crate) fn recorded_version(
    repo: &Repo,
    view: &GitTree,
    seen: &MutantSeen,
) -> Result<Option<WrongVersion>, GitError> {
    let Some(right) = view.read(&seen.path).filter(|_| !seen.whole) else { return Ok(None) };
    let wrong = repo.read_blob(&seen.blob)?;
    let files = vec![(seen.path.clone(), right, wrong)];
    Ok(Some(WrongVersion { change: seen.change.clone(), whole: false, files }))
}

/// Runs the tests on the right version, then on wrong ones. `None` if they do not pass on the right one by name.
pub(crate) async fn bite(
    ctx: &Context,
    input: &BiteInput<'_>,
    all: &[WrongVersion],
    until: TryUntil,
) -> Result<Option<BiteLook>, EarlyEnd> {
    if all.is_empty() {
        return Ok(Some(BiteLook::default()));
    }
    on_bench(ctx, input, async |bench| bench.run_all(all, until).await).await
}

/// The files of these that the tests load: with text in them that is no code, the tests do not pass. Wrong versions of the others say
/// nothing about the tests: a benchmark, an example, a script.
pub(crate) async fn loaded_files(
    ctx: &Context,
    input: &BiteInput<'_>,
    paths: &[String],
) -> Result<Vec<String>, EarlyEnd> {
    on_bench(ctx, input, async |bench| {
        let mut loaded = Vec::new();
        for path in paths {
            let Some(version) = WrongVersion::broken(bench.view, path) else { continue };
            if bench.run_on(&version).await?.exit != ProcessExit::Code(0) {
                loaded.push(path.clone());
            }
        }
        Ok(loaded)
    })
    .await
}

/// Lays the tree out, sets it up, and does something there.
async fn on_bench<T>(
    ctx: &Context,
    input: &BiteInput<'_>,
    work: impl AsyncFnOnce(&mut MutantBench<'_>) -> Result<T, EarlyEnd>,
) -> Result<T, EarlyEnd> {
    let view = GitTree::open(&ctx.repo, input.tree)?;
    let export = ctx.export(input.tree, &input.scratch.path().join(export_name()))?;
    copy_files(ctx, export.dir())?;
    let setup = SetupInput {
        dir: export.dir(),
        tree: &view,
        scratch: input.scratch,
        cancel: input.cancel,
        channel: input.channel,
    };
    if let Some(failure) = set_up(ctx, &setup).await? {
        return Err(EarlyEnd::failed(failure));
    }
    let services = Services::start(ctx, export.dir(), input.scratch, input.channel).await;
    let services = services.map_err(EarlyEnd::failed)?;
    let runner = instrument_in(&view, input.script, "/").runner();
    let afresh = runner.is_some_and(|runner| !builds_first(runner));
    let limit = ctx.config.timeouts.verification;
    let mut bench = MutantBench { ctx, input, view: &view, export: &export, afresh, limit };
    let done = work(&mut bench).await;
    services.stop(ctx).await;
    done
}

/// A tree laid out to be made wrong.
struct MutantBench<'a> {
    ctx: &'a Context,
    input: &'a BiteInput<'a>,
    view: &'a GitTree,
    export: &'a ExportedTree,
    /// Whether every version has a place in which nothing has run: a file that a run leaves may be what the next one compares with.
    afresh: bool,
    /// The limit of a run.
    limit: Duration,
}

impl MutantBench<'_> {
    async fn run_all(&mut self, all: &[WrongVersion], until: TryUntil) -> Result<Option<BiteLook>, EarlyEnd> {
        let began = Instant::now();
        let plain = self.run_in(self.export).await?;
        // Wrong code may go on for ever.
        self.limit = limit_on_wrong_code(began.elapsed(), self.limit);
        let Ok(Some(report)) = &plain.report else { return Ok(None) };
        if plain.exit != ProcessExit::Code(0) {
            return Ok(None);
        }
        let passed: Vec<String> = report.names(TestOutcome::Passed).map(str::to_owned).collect();
        let limit = match until {
            TryUntil::Noticed => None,
            TryUntil::Spent(times) => Some((began.elapsed() * times).max(Duration::from_mins(1))),
        };
        let by_text = self.fail_by_text(all, &passed).await?;
        let mut seen = Vec::new();
        let trying = Instant::now();
        for version in all {
            if limit.is_some_and(|limit| trying.elapsed() > limit) {
                break;
            }
            let Some(mut failed) = self.failed_on(version, &passed).await? else { continue };
            failed.retain(|test| !by_text.contains(test));
            let noticed = !failed.is_empty();
            let (path, _, wrong) = &version.files[0];
            let blob = self.ctx.repo.write_blob(wrong)?;
            let (path, change, whole) = (path.clone(), version.change.clone(), version.whole);
            seen.push(MutantSeen { path, change, blob, failed, whole });
            if noticed && until == TryUntil::Noticed {
                break;
            }
        }
        Ok(Some(BiteLook { passed, seen }))
    }

    /// The tests that fail on right code in another style: they go by its text, and what they notice says nothing.
    async fn fail_by_text(&self, all: &[WrongVersion], passed: &[String]) -> Result<Vec<String>, EarlyEnd> {
        let files = self.ctx.task(&self.input.channel.task).test_files();
        let looks = files.iter().filter_map(|path| self.view.read(path)).any(|bytes| reads_code(&bytes));
        let Some(version) = WrongVersion::restyled(all).filter(|_| looks) else { return Ok(Vec::new()) };
        let failed = self.failed_on(&version, passed).await?.unwrap_or_default();
        if !failed.is_empty() {
            let list = failed.join(", ");
            self.input.channel.finding(format!("goes by the text of the code, not by what it does: {list}"));
        }
        Ok(failed)
    }

    /// The tests that fail on a wrong version; `None` if the run says nothing.
    async fn failed_on(
        &self,
        version: &WrongVersion,
        passed: &[String],
    ) -> Result<Option<Vec<String>>, EarlyEnd> {
        let run = self.run_on(version).await?;
        Ok(noticed(&run, passed))
    }

    /// Runs the tests on a wrong version.
    async fn run_on(&self, version: &WrongVersion) -> Result<ScriptRun, EarlyEnd> {
        let fresh = self.fresh_place().await?;
        let export = fresh.as_ref().unwrap_or(self.export);
        for (path, _, wrong) in &version.files {
            lay_file(export, path, wrong, FileAge::New)?;
        }
        let run = self.run_in(export).await;
        if fresh.is_none() {
            for (path, right, _) in &version.files {
                lay_file(export, path, right, FileAge::New)?;
            }
        }
        run
    }

    /// A place in which nothing has run; `None` where the build is worth more, or there can be none without a checkout.
    async fn fresh_place(&self) -> Result<Option<ExportedTree>, EarlyEnd> {
        let dir = self.input.scratch.path().join(export_name());
        let Some(twin) = self.export.twin(&dir).filter(|_| self.afresh) else { return Ok(None) };
        let twin = twin.map_err(EngineError::from)?;
        self.ctx.machine.setups.stand_on(twin.dir(), twin.base());
        copy_files(self.ctx, twin.dir())?;
        let setup = SetupInput {
            dir: twin.dir(),
            tree: self.view,
            scratch: self.input.scratch,
            cancel: self.input.cancel,
            channel: self.input.channel,
        };
        match set_up(self.ctx, &setup).await? {
            Some(failure) => Err(EarlyEnd::failed(failure)),
            None => Ok(Some(twin)),
        }
    }

    async fn run_in(&self, export: &ExportedTree) -> Result<ScriptRun, EarlyEnd> {
        let script = ScriptInput {
            script: self.input.script,
            dir: export.dir(),
            tree: self.view,
            timeout: self.limit,
            scratch: self.input.scratch,
            cancel: self.input.cancel,
            channel: self.input.channel,
            named: NamedResults::Wanted,
            idle: None,
        };
        let run = run_script(self.ctx, script).await?;
        if run.exit == ProcessExit::Cancelled { Err(EarlyEnd::Interrupted) } else { Ok(run) }
    }
}

/// How long a run on wrong code may take, by what the plain run took and the limit of a verification.
fn limit_on_wrong_code(plain: Duration, most: Duration) -> Duration {
    most.min(plain.saturating_mul(LONGER).saturating_add(SLACK))
}

/// Whether a test could look at the text of the code.
fn reads_code(test: &[u8]) -> bool {
    const SIGNS: [&str; 10] = [
        "source",
        "open(",
        "read",
        "toString",
        "include_str",
        "inspect",
        "__code__",
        "String(",
        "Open(",
        "ast.",
    ];
    let text = String::from_utf8_lossy(test);
    SIGNS.iter().any(|sign| text.contains(sign))
}

/// The tests that fail on a wrong version, of those that pass on the right one. `None` if the run says nothing: it did
/// not compile, or none of these tests ran.
fn noticed(run: &ScriptRun, passed: &[String]) -> Option<Vec<String>> {
    let Ok(Some(report)) = &run.report else { return None };
    failed_of(report, passed)
}

fn failed_of(report: &TestReport, passed: &[String]) -> Option<Vec<String>> {
    let known = |name: &str| passed.iter().any(|p| p == name || same_test(name, p));
    let ran: Vec<(&String, &TestOutcome)> = report.tests.iter().filter(|(name, _)| known(name)).collect();
    if ran.is_empty() {
        return None;
    }
    let is_bad = |outcome: &TestOutcome| matches!(outcome, TestOutcome::Failed | TestOutcome::Errored);
    Some(ran.into_iter().filter(|(_, outcome)| is_bad(outcome)).map(|(name, _)| name.clone()).collect())
}

#[cfg(test)]
mod tests;
