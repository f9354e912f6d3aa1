//! Which files an attempt may touch, and the ones the plan brings itself.

use std::collections::BTreeMap;

use windlass_code::detect::is_test_path;
use windlass_core::ids::{Oid, TaskId};
use windlass_core::plan::{Action, Mode, Task};

use super::steps::Attempt;
use crate::context::Context;
use crate::error::EngineError;
use crate::git::{LineCount, TreeEdit};
use crate::git_tree::GitTree;
use crate::verify::setup::{SetupInput, set_up};
use crate::verify::{FormatInput, format_files, has_formatter};

/// Which files a task may change.
pub(super) struct Ownership {
    owned: Vec<String>,
    tests: Vec<String>,
    inline: bool,
    open: bool,
}

impl Ownership {
    /// The task's own files and what was granted to it.
    pub(super) fn of(ctx: &Context, id: &TaskId, granted: &[String]) -> Self {
        let (task, info) = (ctx.task(id), ctx.info(id));
        let mut owned = info.owned.clone();
        owned.extend(granted.iter().cloned());
        let tests = task.test_files().into_iter().map(str::to_owned).collect();
        // A task that names no file of its own but its test says nothing about its code: what no unfinished task
        // owns is granted as it is touched.
        let open = task.files.owned().next().is_none() && matches!(info.mode, Mode::Tdd | Mode::Refactor);
        Self { owned, tests, inline: task.test.inline, open }
    }

    pub(super) fn owns(&self, path: &str) -> bool {
        self.owned.iter().any(|o| o == path)
    }

    /// Whether a path may be written by the test-writer. Inline tests of a new file are not seen before the file is
    /// declared somewhere, so there it is any file of the task; red shows that no code came along.
    pub(super) fn is_test(&self, path: &str) -> bool {
        self.tests.iter().any(|t| t == path) || (self.owns(path) && (self.inline || is_test_path(path)))
    }

    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    pub(super) fn grant(&mut self, files: Vec<String>) {
        self.owned.extend(files);
    }

    pub(super) fn list(&self) -> &[String] {
        &self.owned
    }

    /// What the test-writer is told it may change.
    pub(super) fn tests(&self) -> &[String] {
        if self.inline { &self.owned } else { &self.tests }
    }
}

/// Test code the plan brings.
pub(super) enum TestPiece {
    /// The whole file.
    Whole(String),
    /// To be added at the end of the file.
    Added(String),
}

/// Whether the plan itself has the tests of a task.
pub(crate) fn plan_brings_tests(task: &Task) -> bool {
    !plan_tests(task).is_empty()
}

/// The tests the plan brings, by path.
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
    let modes: BTreeMap<String, u32> =
        ctx.repo.ls_tree(base)?.iter().map(|e| (e.path.clone(), e.mode)).collect();
    let mut edits = Vec::new();
    for (path, text) in texts {
        let mode = modes.get(&path).copied().unwrap_or(0o100_644);
        edits.push(TreeEdit { new: Some((mode, ctx.repo.write_blob(text.as_bytes())?)), path });
    }
    Ok(ctx.repo.edit_tree(base, &edits)?)
}

fn ended(text: &str) -> String {
    if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

/// Formats test files before they are frozen, so that the format step can leave them alone.
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
    let setup = SetupInput {
        dir: laid.dir(),
        tree: &view,
        scratch: &attempt.scratch,
        cancel: attempt.cancel,
        channel: attempt.channel,
    };
    // Formatters are often packages of the project; a set-up that fails is told by the run for red.
    let _ = set_up(ctx, &setup).await?;
    let input = FormatInput {
        tree,
        dir: laid.dir(),
        files,
        scratch: &attempt.scratch,
        cancel: attempt.cancel,
        channel: attempt.channel,
    };
    format_files(ctx, &input).await
}

/// Files that grew far beyond what the plan estimated.
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
