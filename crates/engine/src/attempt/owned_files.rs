//! The files of an attempt, and tests that the plan contains.

use std::collections::BTreeMap;

use windlass_code::detect::is_test_path;
use windlass_core::ids::{Oid, TaskId};
use windlass_core::plan::{Action, Mode, Task};

use super::steps::Attempt;
use crate::context::Context;
use crate::error::EngineError;
use crate::git::{LineCount, SortedEntries, TreeEdit};
use crate::git_tree::GitTree;
use crate::slot::ExportedTree;
use crate::verify::setup::{SetupInput, set_up};
use crate::verify::{FormatInput, format_files, has_formatter};

/// The files that a task may change.
pub(super) struct Ownership {
    owned: Vec<String>,
    tests: Vec<String>,
    inline: bool,
    open: bool,
    untested: bool,
}

impl Ownership {
    /// The task's own files and granted ones.
    pub(super) fn of(ctx: &Context, id: &TaskId, granted: &[String]) -> Self {
        let (task, info) = (ctx.task(id), ctx.info(id));
        let mut owned = info.owned.clone();
        owned.extend(granted.iter().cloned());
        let tests = task.test_files().into_iter().map(str::to_owned).collect();
        // A task that names only its test does not say where its code goes, and one whose files are a guess does not say it for
        // certain: files that no unfinished task owns are granted when they are touched.
        let untested = info.mode == Mode::None && task.test.required == Some(false);
        let names_none = task.files.owned().next().is_none() || task.files_assumed == Some(true);
        let open = names_none && (untested || matches!(info.mode, Mode::Tdd | Mode::Refactor));
        Self { owned, tests, inline: task.test.inline, open, untested }
    }

    pub(super) fn owns(&self, path: &str) -> bool {
        self.owned.iter().any(|o| o == path)
    }

    /// Whether the test-writer may write a path. Inline tests of a new file are not visible before the file is
    /// declared, so any file of the task is allowed; the red run shows whether code came along.
    pub(super) fn is_test(&self, path: &str) -> bool {
        self.tests.iter().any(|t| t == path) || (self.owns(path) && (self.inline || is_test_path(path)))
    }

    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Whether the plan says that the task needs no testing: no test says which files it is about.
    pub(super) fn is_untested(&self) -> bool {
        self.untested
    }

    pub(super) fn grant(&mut self, files: Vec<String>) {
        self.owned.extend(files);
    }

    pub(super) fn list(&self) -> &[String] {
        &self.owned
    }

    /// The files that the test-writer's brief lists.
    pub(super) fn tests(&self) -> &[String] {
        if self.inline { &self.owned } else { &self.tests }
    }
}

/// Test code from the plan.
pub(super) enum TestPiece {
    /// The whole file.
    Whole(String),
    /// Appended to the file.
    Added(String),
}

/// Whether the plan contains the tests of a task.
pub(crate) fn plan_brings_tests(task: &Task) -> bool {
    !plan_tests(task).is_empty()
}

/// The tests in the plan, by path.
pub(super) fn plan_tests(task: &Task) -> Vec<(String, TestPiece)> {
    let mut pieces: Vec<(String, TestPiece)> = Vec::new();
    let fallback = task.test.file.clone();
    for block in &task.test_code {
        let Some(path) = block.path.clone().or_else(|| fallback.clone()) else { continue };
        let whole = block.placement.is_whole() && !pieces.iter().any(|(p, _)| *p == path);
        let piece =
            if whole { TestPiece::Whole(block.code.clone()) } else { TestPiece::Added(block.code.clone()) };
        pieces.push((path, piece));
    }
    if pieces.is_empty() {
        let steps = task.steps.iter().filter(|s| s.action == Action::WriteTest);
        pieces.extend(steps.filter_map(|s| {
            let path = s.file.clone().or_else(|| fallback.clone())?;
            Some((path, TestPiece::Whole(s.code.clone()?)))
        }));
    }
    pieces
}

/// The tree with the plan's tests in it.
pub(super) fn with_tests(
    ctx: &Context,
    base: &Oid,
    pieces: &[(String, TestPiece)],
) -> Result<Oid, EngineError> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for (path, piece) in pieces {
        match piece {
            TestPiece::Whole(code) => {
                texts.insert(path.clone(), ended(code));
            }
            TestPiece::Added(code) => {
                if !texts.contains_key(path) {
                    let before = ctx.repo.read_path(base, path)?.unwrap_or_default();
                    texts.insert(path.clone(), String::from_utf8_lossy(&before).into_owned());
                }
                let text = texts.entry(path.clone()).or_default();
                if !text.is_empty() {
                    *text = format!("{}\n", ended(text));
                }
                text.push_str(&ended(code));
            }
        }
    }
    let listing = ctx.repo.ls_tree(base)?;
    let entries = SortedEntries(&listing);
    let mut edits = Vec::new();
    for (path, text) in texts {
        let mode = entries.get(&path).map_or(0o100_644, |entry| entry.mode);
        edits.push(TreeEdit { new: Some((mode, ctx.repo.write_blob(text.as_bytes())?)), path });
    }
    Ok(ctx.repo.edit_tree(base, &edits)?)
}

fn ended(text: &str) -> String {
    if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

/// Formats test files before they are frozen, so that later formatting does not change them.
pub(super) async fn format_tests(
    attempt: &Attempt<'_>,
    tree: &Oid,
    files: &[String],
) -> Result<Oid, EngineError> {
    let ctx = attempt.ctx;
    if !has_formatter(ctx, tree, files)? {
        return Ok(tree.clone());
    }
    let dir = attempt.scratch.path().join("format-tests");
    let laid = ctx.export(tree, &dir)?;
    let view = GitTree::open(&ctx.repo, tree)?;
    lay_stand_ins(attempt, &view, &laid)?;
    let setup = SetupInput {
        dir: laid.dir(),
        tree: &view,
        scratch: &attempt.scratch,
        cancel: attempt.cancel,
        channel: attempt.channel,
    };
    // Formatters are often packages of the project. A failed set-up is reported by the red run.
    let _ = set_up(ctx, &setup).await?;
    let input = FormatInput {
        tree,
        base: &attempt.job.base,
        dir: laid.dir(),
        files,
        silent: &[],
        scratch: &attempt.scratch,
        cancel: attempt.cancel,
        channel: attempt.channel,
    };
    format_files(ctx, &input).await
}

/// Lays empty files where the task is going to create its own. Formatters sort imports by what they find: a module that
/// is not there yet would be taken for a foreign package.
fn lay_stand_ins(attempt: &Attempt<'_>, view: &GitTree, laid: &ExportedTree) -> Result<(), EngineError> {
    let missing = |path: &&String| view.blob(path).is_none() && !is_test_path(path);
    for path in attempt.owner.list().iter().filter(missing) {
        let io = |source| EngineError::Io { what: "write", path: laid.dir().join(path), source };
        laid.put(path, b"", None).map_err(io)?;
    }
    Ok(())
}

/// Files that are much larger than the plan's estimate.
pub(super) fn line_findings(task: &Task, counts: &[LineCount], tolerance: f64) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, added, _) in counts {
        let Some(estimate) = task.lines.get(path) else { continue };
        #[expect(clippy::cast_precision_loss, reason = "line counts are far below 2^52")]
        let real = *added as f64;
        if real > f64::from(*estimate) * tolerance.max(1.0) {
            findings.push(format!("`{path}` has {added} new lines, {estimate} were estimated"));
        }
    }
    findings
}

#[cfg(test)]
mod tests;
