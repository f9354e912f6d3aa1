//! Reports tests as weak if they pass without the code they test.

use windlass_code::detect::is_test_path;
use windlass_code::repo::Tree;
use windlass_code::syntax::imports;
use windlass_core::path_text::file_name;

use super::gates::GateInput;
use super::script::{NamedResults, ScriptInput, run_script, task_script};
use crate::context::Context;
use crate::error::EngineError;
use crate::git::TreeEdit;
use crate::git_tree::GitTree;
use crate::process::ProcessExit;
use crate::random_token::export_name;

/// Runs the tests without the code under test and reports if they still pass.
pub(super) async fn look_for_weak_tests(ctx: &Context, input: &GateInput<'_>) -> Result<(), EngineError> {
    let view = GitTree::open(&ctx.repo, input.tree)?;
    let task = ctx.task(&input.channel.task);
    let targets = under_test(task, &view);
    if targets.is_empty() {
        input.channel.finding("weak tests? the code under test is unknown; name it under `read`".into());
        return Ok(());
    }
    let edits: Vec<TreeEdit> = targets.iter().map(|p| TreeEdit { path: p.clone(), new: None }).collect();
    let without = ctx.repo.edit_tree(input.tree, &edits)?;
    let dir = input.scratch.path().join(export_name());
    let bare = ctx.export(&without, &dir)?;
    let Some(script) = task_script(task, &view) else { return Ok(()) };
    let run = ScriptInput {
        script: &script,
        dir: bare.dir(),
        tree: &view,
        timeout: ctx.config.timeouts.verification,
        scratch: input.scratch,
        cancel: input.cancel,
        channel: input.channel,
        named: NamedResults::No,
        idle: None,
    };
    if run_script(ctx, run).await?.exit == ProcessExit::Code(0) {
        let list = targets.join(", ");
        input.channel.finding(format!("weak tests: they pass without {list}"));
    }
    Ok(())
}

/// The code under test: files the task reads, or imports of its tests.
pub(crate) fn under_test(task: &windlass_core::plan::Task, view: &GitTree) -> Vec<String> {
    let known = |p: &&String| view.blob(p).is_some() && !is_test_path(p);
    let stated: Vec<String> =
        task.files.read.iter().chain(&task.focus_paths).filter(known).cloned().collect();
    if !stated.is_empty() {
        return stated;
    }
    let mut found = Vec::new();
    for file in task.test_files() {
        let Some(bytes) = view.read(file) else { continue };
        for import in imports(file, &bytes) {
            let stem = import.module.rsplit(['.', '/', ':']).find(|s| !s.is_empty()).unwrap_or("").to_owned();
            let is_it = |p: &&String| {
                let name = file_name(p);
                name.split('.').next() == Some(&stem) && !is_test_path(p)
            };
            found.extend(view.paths().iter().filter(is_it).cloned());
        }
    }
    found.sort();
    found.dedup();
    found
}
