//! Tests that cannot run because a file is missing that another task of the plan is going to make.
//!
//! The plan lacks a dependency: no attempt at this task changes that, so a person is told which one.

use windlass_code::red::{Red, RedInput, classify};
use windlass_code::repo::Tree as _;
use windlass_core::event::TestAuthor;
use windlass_core::failure::Failure;
use windlass_core::ids::TaskId;

use super::gates::contract_names;
use super::script::{ScriptRun, exit_of};
use crate::context::Context;
use crate::git_tree::GitTree;

/// The failure of a run that nothing keeps from working but the missing files of another task; `None` if something else
/// does.
pub(crate) fn unfinished_need(
    ctx: &Context,
    task: &TaskId,
    tree: &GitTree,
    run: &ScriptRun,
    author: TestAuthor,
) -> Option<Failure> {
    let exit = exit_of(&run.exit)?;
    let text = |path: &str| Some((path.to_owned(), tree.read(path)?));
    let test_files: Vec<_> = ctx.task(task).test_files().into_iter().filter_map(text).collect();
    let others = ctx.tasks.iter().filter(|(id, _)| *id != task);
    let mut others: Vec<_> = others.collect();
    others.sort_by_key(|(id, _)| (*id).clone());
    others.into_iter().find_map(|(id, info)| {
        let missing = info.owned.iter().find(|path| tree.blob(path).is_none())?;
        let input = RedInput {
            exit,
            report: run.report.as_ref().ok().and_then(Option::as_ref),
            runner: run.runner,
            output: &run.raw,
            test_files: &test_files,
            author,
            owned: &info.owned,
            provides: &contract_names(ctx.task(id)),
            declared: &[],
            present: tree.paths(),
        };
        let Red::MissingCode { .. } = classify(&input) else { return None };
        let message = format!(
            "the tests need `{missing}`, which task `{id}` makes: let this task depend on it (`depends_on: ['{id}']`), or make \
             one task of the two if each needs the other\n\n{}",
            run.excerpt
        );
        Some(Failure::Environment { message })
    })
}
