//! A test that passed with a changed expectation: did it before the work as well? Then the work is not to blame.
//!
//! Old assertions that assert nothing stand in many test files. The same change is made in the tests as they were before the
//! work: on the base with the task's tests, where no agent wrote them, and on the base alone, where the test has the same text. A
//! test that passes there plainly and with the change is told and not held against the work. Code that takes the bite out of an
//! old test is still refused, for that test fails there.

use windlass_code::expectation::{SourceEdit, in_earlier_version, with_edits};
use windlass_code::repo::Tree as _;
use windlass_core::ids::Oid;

use super::super::gates::Bench;
use super::super::proof::{BiteRecord, BiteSeen};
use super::super::script::{ScriptInput, ScriptRun, run_script};
use super::super::setup::{SetupInput, copy_files, set_up};
use super::judge::{self, Outcome};
use super::lay::lay_file;
use super::pick::MutatedTest;
use crate::early_end::EarlyEnd;
use crate::git_tree::GitTree;
use crate::process::{CancelLevel, ProcessExit};
use crate::random_token::export_name;
use crate::slot::FileAge;

/// The commits that show what tests did before the work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TestsBefore<'a> {
    /// The base.
    pub(crate) base: &'a Oid,
    /// The base with the task's tests, if no agent of the task wrote them.
    pub(crate) red: Option<&'a Oid>,
}

/// Files that are laid for a run.
type LaidFiles = Vec<(String, Vec<u8>)>;

/// A test, and its change in the files as they were.
struct ChangedBefore<'a> {
    test: &'a MutatedTest,
    edits: Vec<SourceEdit>,
}

/// Tests that passed with a changed expectation, divided.
pub(super) struct Divided {
    /// Those that the work has to answer for.
    pub(super) blamed: Vec<MutatedTest>,
    /// Those that did the same before the work.
    pub(super) old: Vec<MutatedTest>,
}

impl Bench<'_> {
    /// Divides the tests that passed with a changed expectation.
    pub(super) async fn divided(
        &self,
        script: &str,
        passed: Vec<MutatedTest>,
        named: bool,
    ) -> Result<Divided, EarlyEnd> {
        let (mut blamed, mut old) = (passed, Vec::new());
        let before = self.input.before;
        let commits = before.map(|before| [before.red, Some(before.base)]).into_iter().flatten().flatten();
        for commit in commits {
            if blamed.is_empty() {
                break;
            }
            let idle = self.idle_on(commit, script, &blamed, named).await?;
            let is_idle = |test: &MutatedTest| idle.contains(&test.seen.test);
            let (found, rest): (Vec<_>, Vec<_>) = blamed.into_iter().partition(is_idle);
            old.extend(found);
            blamed = rest;
        }
        Ok(Divided { blamed, old })
    }

    /// The tests that pass on a commit, plainly and with the change.
    async fn idle_on(
        &self,
        commit: &Oid,
        script: &str,
        tests: &[MutatedTest],
        named: bool,
    ) -> Result<Vec<String>, EarlyEnd> {
        // A place that was not sent the commit knows nothing of it.
        let Ok(tree) = self.ctx.repo.tree_of(commit) else { return Ok(Vec::new()) };
        let view = GitTree::open(&self.ctx.repo, &tree)?;
        let mut there: Vec<ChangedBefore<'_>> = Vec::new();
        for test in tests {
            // Hundreds of long tests take their time, and nothing waits here that would notice the end of the run.
            if self.input.cancel.level() > CancelLevel::Run {
                return Err(EarlyEnd::Interrupted);
            }
            there.extend(self.change_on(&view, test).map(|edits| ChangedBefore { test, edits }));
        }
        let hidden = |before: &ChangedBefore<'_>| {
            before.test.hidden.then(|| (before.test.path.clone(), before.test.right.clone()))
        };
        let plain: LaidFiles = there.iter().filter_map(hidden).collect();
        let passes = |run: &ScriptRun, test: &MutatedTest| {
            let by_name = || judge::outcome(&test.seen.test, judge::report_of(run));
            let seen = if named { by_name() } else { judge::of_script(run) };
            seen == Outcome::Passed
        };
        if there.is_empty() {
            return Ok(Vec::new());
        }
        let run = self.run_on(&view, &tree, script, &plain).await?;
        there.retain(|before| passes(&run, before.test));
        if there.is_empty() {
            return Ok(Vec::new());
        }
        let run = self.run_on(&view, &tree, script, &changed_on(&view, &there)).await?;
        there.retain(|before| passes(&run, before.test));
        Ok(there.iter().map(|before| before.test.seen.test.clone()).collect())
    }

    /// The edits of a mutant in the file as it is on a tree; none for a golden file, which is laid as a whole.
    fn change_on(&self, view: &GitTree, test: &MutatedTest) -> Option<Vec<SourceEdit>> {
        if test.hidden {
            return Some(test.mutant().change.clone());
        }
        if let Some((golden, _)) = &test.golden {
            let same = |path: &str| view.blob(path).is_some() && view.blob(path) == self.tree.blob(path);
            return (same(golden) && same(&test.path)).then(Vec::new);
        }
        let bytes = view.read(&test.path)?;
        in_earlier_version(&test.path, &test.seen.test, &test.mutant().change, &test.right, &bytes)
    }

    /// Runs a script on another tree with other files in it.
    async fn run_on(
        &self,
        view: &GitTree,
        tree: &Oid,
        script: &str,
        files: &LaidFiles,
    ) -> Result<ScriptRun, EarlyEnd> {
        let dir = self.input.scratch.path().join(export_name());
        let laid = self.ctx.export(tree, &dir)?;
        copy_files(self.ctx, laid.dir())?;
        let setup = SetupInput {
            dir: laid.dir(),
            tree: view,
            scratch: self.input.scratch,
            cancel: self.input.cancel,
            channel: self.input.channel,
        };
        // Without its dependencies no test passes, which says nothing for the work.
        let _ = set_up(self.ctx, &setup).await?;
        files.iter().try_for_each(|(name, bytes)| lay_file(&laid, name, bytes, FileAge::New))?;
        let input = ScriptInput {
            tree: view,
            timeout: self.expectation_time(),
            ..self.script_input(script, laid.dir())
        };
        let run = run_script(self.ctx, input).await?;
        if run.exit == ProcessExit::Cancelled { Err(EarlyEnd::Interrupted) } else { Ok(run) }
    }

    /// A test that did not depend on the code before the work: told, and nothing is refused for it.
    pub(super) fn idle_before(&mut self, test: &MutatedTest) {
        let why = format!("it passed with a changed expectation before the work as well ({})", test.mutant());
        if !test.hidden {
            self.input.channel.finding(format!("weak test: `{}`: {why}", test.seen.test));
        }
        self.seen.bites.push(BiteRecord { test: test.seen.test.clone(), seen: BiteSeen::Weak { why } });
    }
}

/// The files of a tree with the changes of these tests.
fn changed_on(view: &GitTree, tests: &[ChangedBefore<'_>]) -> LaidFiles {
    let mut out: LaidFiles = tests.iter().filter_map(|before| before.test.golden.clone()).collect();
    for ChangedBefore { test, .. } in tests.iter().filter(|before| before.test.golden.is_none()) {
        if out.iter().any(|(path, _)| *path == test.path) {
            continue;
        }
        let own = tests.iter().filter(|other| other.test.path == test.path && other.test.golden.is_none());
        let edits: Vec<&SourceEdit> = own.flat_map(|other| &other.edits).collect();
        let bytes = if test.hidden { Some(test.right.clone()) } else { view.read(&test.path) };
        let changed = bytes.and_then(|bytes| with_edits(&bytes, &edits));
        out.extend(changed.map(|bytes| (test.path.clone(), bytes)));
    }
    out
}
