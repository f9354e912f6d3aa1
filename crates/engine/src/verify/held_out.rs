//! Held-out tests: stored beside the journal, named in the plan by their hash, and copied into the export after the
//! agent has ended.
//!
//! Their results are shown to people, never to the next agent.

use std::path::{Path, PathBuf};

use windlass_code::detect::test_command;
use windlass_code::repo::Tree;
use windlass_code::runner::without_sources;
use windlass_code::script::{instrument_in, quote};
use windlass_code::survey::Language;
use windlass_code::syntax::{same_test, tests};
use windlass_core::failure::{Failure, Gate};
use windlass_core::plan::{HeldOut, Task};
use windlass_core::report::{TestOutcome, TestReport};

use super::gates::Bench;
use super::proof::HeldOutRecord;
use super::script::{ScriptRun, task_script};
use crate::early_end::EarlyEnd;
use crate::git_tree::GitTree;
use crate::process::ProcessExit;
use crate::random_token::process_name;

/// Where held-out tests are kept, by the hash of their content.
#[derive(Debug, Clone)]
pub struct HeldOutStore {
    dir: PathBuf,
}

impl HeldOutStore {
    /// The store in this directory, which need not exist.
    pub fn at(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// Keeps a test and gives the hash that belongs in the plan.
    pub fn keep(&self, bytes: &[u8]) -> std::io::Result<String> {
        use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.dir)?;
        let hash = blake3::hash(bytes).to_hex().to_string();
        let path = self.dir.join(&hash);
        if std::fs::read(&path).is_ok_and(|known| known == bytes) {
            return Ok(hash);
        }
        let temp = self.dir.join(format!("{hash}.new-{}", process_name()));
        let mut file =
            std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temp)?;
        std::io::Write::write_all(&mut file, bytes)?;
        file.sync_all()?;
        std::fs::rename(&temp, &path)?;
        Ok(hash)
    }

    /// The test with this hash, if it is here and is what it says.
    pub fn read(&self, hash: &str) -> Option<Vec<u8>> {
        let plain = hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        let bytes = std::fs::read(self.dir.join(plain.then_some(hash)?.to_ascii_lowercase())).ok()?;
        (*blake3::hash(&bytes).to_hex() == *hash.to_ascii_lowercase()).then_some(bytes)
    }
}

/// Why a task's held-out tests cannot be used; checked before an agent is paid.
pub(crate) fn missing(store: &HeldOutStore, task: &Task, tree: &GitTree) -> Option<String> {
    task.test.held_out.iter().find_map(|held| {
        if store.read(&held.blake3).is_none() {
            let hash = held.blake3.get(..12).unwrap_or(&held.blake3);
            return Some(format!(
                "the held-out test `{}` ({hash}…) is not kept here; `windlass hold-out FILE` keeps it",
                held.path
            ));
        }
        tree.blob(&held.path).map(|_| {
            format!("the held-out test `{}` is in the repository, where agents can read it", held.path)
        })
    })
}

/// A tree with the held-out tests in it.
struct TreeWithHeldOut<'a> {
    tree: &'a GitTree,
    paths: Vec<String>,
    extra: &'a [(HeldOut, Vec<u8>)],
}

impl Tree for TreeWithHeldOut<'_> {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let own = self.extra.iter().find(|(held, _)| held.path == path).map(|(_, bytes)| bytes.clone());
        own.or_else(|| self.tree.read(path))
    }

    fn has(&self, path: &str) -> bool {
        self.tree.has(path) || self.extra.iter().any(|(held, _)| held.path == path)
    }
}

impl Bench<'_> {
    /// These files and, if one of them is held out, the other held-out files of the task.
    pub(super) fn with_other_held_out(&self, files: &[(String, Vec<u8>)]) -> Vec<(String, Vec<u8>)> {
        let mut all = files.to_vec();
        let held = &self.task.test.held_out;
        if files.iter().any(|(path, _)| held.iter().any(|held| held.path == *path)) {
            let others = held.iter().filter(|held| files.iter().all(|(path, _)| *path != held.path));
            all.extend(
                others.filter_map(|held| Some((held.path.clone(), self.ctx.held_out.read(&held.blake3)?))),
            );
        }
        all
    }

    /// Runs the held-out tests; each is in an export for its own run only.
    pub(super) async fn held_out(&mut self) -> Result<(), EarlyEnd> {
        if self.task.test.held_out.is_empty() {
            return Ok(());
        }
        if let Some(message) = missing(&self.ctx.held_out, self.task, &self.tree) {
            return Err(EarlyEnd::failed(Failure::Environment { message }));
        }
        let kept: Vec<(HeldOut, Vec<u8>)> = self
            .task
            .test
            .held_out
            .iter()
            .filter_map(|held| Some((held.clone(), self.ctx.held_out.read(&held.blake3)?)))
            .collect();
        for (held, bytes) in &kept {
            self.one_held_out(held, bytes, &kept).await?;
        }
        Ok(())
    }

    async fn one_held_out(
        &mut self,
        held: &HeldOut,
        bytes: &[u8],
        kept: &[(HeldOut, Vec<u8>)],
    ) -> Result<(), EarlyEnd> {
        let mut paths = self.tree.paths().to_vec();
        paths.extend(kept.iter().map(|(held, _)| held.path.clone()));
        let with = TreeWithHeldOut { tree: &self.tree, paths, extra: kept };
        let own = task_script(self.task, &self.tree);
        let named = own.as_deref().and_then(|script| {
            self.task.test_files().into_iter().find_map(|test| in_place_of(script, test, &held.path))
        });
        let Some(script) = named.or_else(|| test_command(&with, &held.path).map(|c| c.script)).or(own) else {
            let message = format!("no test command is known for the held-out test `{}`", held.path);
            return Err(EarlyEnd::failed(Failure::NoTestCommand { message }));
        };
        let items = tests(&held.path, bytes).into_iter().filter(|item| !item.skipped);
        let required: Vec<String> = items.map(|item| item.name_in(&held.path)).collect();
        let laid = [(held.path.clone(), bytes.to_vec())];
        let run = self.run_held_out(&script, &laid, &required).await?;
        match self.judge(Gate::HeldOut, &run, &required, &[]) {
            Ok(strength) => {
                let blob = self.ctx.repo.write_blob(bytes)?;
                self.record(Gate::HeldOut, &script, &run, strength);
                let (path, blake3) = (held.path.clone(), held.blake3.clone());
                self.seen.held_out.push(HeldOutRecord { path, blake3, blob });
                self.held_out_bites(&script, held, bytes).await
            }
            Err(EarlyEnd::Failed { output, .. }) => {
                let failure = Failure::TestsFailed {
                    gate: Gate::HeldOut,
                    failed: Vec::new(),
                    summary: "held-out tests fail: the work does not do what the task describes".into(),
                    excerpt: String::new(),
                };
                Err(EarlyEnd::Failed { failure, output })
            }
            Err(end @ (EarlyEnd::Interrupted | EarlyEnd::Broken(_))) => Err(end),
        }
    }
}

impl Bench<'_> {
    /// Runs a held-out test. Its source is gone when it starts, where the runner builds it first: code that looks for its caller
    /// finds nothing to read. A run that ends for another reason than a failed test is repeated with the source.
    async fn run_held_out(
        &self,
        script: &str,
        laid: &[(String, Vec<u8>)],
        required: &[String],
    ) -> Result<ScriptRun, EarlyEnd> {
        let runner = instrument_in(&self.tree, script, "/").runner();
        // The paths become part of a small shell program.
        let plain = |path: &Path| {
            path.to_string_lossy().chars().all(|c| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-'))
        };
        let files = self.with_other_held_out(laid);
        let apart = runner
            .filter(|_| plain(self.export.dir()) && plain(self.input.scratch.path()))
            .and_then(|runner| without_sources(&self.tree, script, runner, &files));
        if let Some(apart) = apart {
            let run = self.run_with(&apart, laid, self.whole_time()).await?;
            let report = run.report.as_ref().ok().and_then(Option::as_ref);
            let failed = |report: &TestReport| {
                let own = |name: &String| required.iter().any(|test| name == test || same_test(name, test));
                report.tests.iter().any(|(name, seen)| *seen == TestOutcome::Failed && own(name))
            };
            if run.exit == ProcessExit::Code(0) || report.is_some_and(failed) {
                return Ok(run);
            }
        }
        self.run_with(script, laid, self.whole_time()).await
    }
}

/// The task's command with another test file: `pytest tests/test_b.py` for `pytest tests/test_a.py`, `cargo test --test
/// b` for `cargo test --test a`.
fn in_place_of(script: &str, own: &str, other: &str) -> Option<String> {
    let starts = std::iter::once(0).chain(own.match_indices('/').map(|(at, _)| at + 1));
    for start in starts {
        let (prefix, name) = own.split_at(start);
        if let (true, Some(rest)) = (has_word(script, name), other.strip_prefix(prefix)) {
            // A name that needs quotes is not put into a script that may have quotes of its own.
            return (quote(rest) == rest).then(|| script.replace(name, rest));
        }
    }
    let option = |path: &str| (Language::row_of(path).test_option)(path);
    let (own, other) = (option(own)?, option(other)?);
    has_word(script, &own).then(|| script.replace(&own, &other))
}

fn has_word(script: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.');
    script
        .match_indices(word)
        .any(|(at, _)| !script[..at].ends_with(inside) && !script[at + word.len()..].starts_with(inside))
}

#[cfg(test)]
mod tests;
