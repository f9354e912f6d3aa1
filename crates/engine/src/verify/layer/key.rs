//! The name of a layer: a hash over everything that decides its content.

use std::process::{Command, Stdio};

use windlass_code::detect::{SetupPlan, versioned_programs};
use windlass_core::ids::Oid;

use crate::context::Context;
use crate::error::EngineError;
use crate::git_tree::GitTree;

/// Changes whenever what a layer holds changes its form.
const FORM: &str = "windlass layer 3";

/// From which tree a layer is made.
pub(super) enum LayerSource {
    /// The integration branch has the same inputs: its tree, which no agent is writing.
    Branch(Oid),
    /// The inputs of the set-up were changed: the changed tree, with a layer that is not shared.
    Own(Oid),
}

impl LayerSource {
    pub(super) fn tree(&self) -> &Oid {
        match self {
            LayerSource::Branch(tree) | LayerSource::Own(tree) => tree,
        }
    }
}

/// From which tree the layer of a set-up is made.
pub(super) fn source(ctx: &Context, tree: &GitTree, plan: &SetupPlan) -> Result<LayerSource, EngineError> {
    let branch = ctx.repo.resolve(&format!("refs/heads/{}", ctx.branch))?;
    let tip = match branch {
        Some(tip) => Some(tip),
        None => ctx.repo.resolve("HEAD")?,
    };
    if let Some(tip) = tip {
        let tip = GitTree::open(&ctx.repo, &ctx.repo.tree_of(&tip)?)?;
        let same = plan.inputs.iter().all(|path| tip.blob(path) == tree.blob(path));
        if same && !plan.inputs.is_empty() {
            return Ok(LayerSource::Branch(tip.oid().clone()));
        }
    }
    Ok(LayerSource::Own(tree.oid().clone()))
}

/// The name.
pub(super) fn name(ctx: &Context, source: &LayerSource, plan: &SetupPlan) -> String {
    let mut hash = blake3::Hasher::new();
    let mut add = |part: &str| {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    };
    add(FORM);
    // A cache may lie in a home that unlike machines share.
    add(std::env::consts::ARCH);
    add(&ctx.machine.layers.version("ldd", || version(ctx, "ldd", "--version")));
    add(ctx.machine.sandbox.rung().as_str());
    add(&plan.dir);
    add(&plan.script);
    for output in &plan.outputs {
        add(output);
    }
    match source {
        LayerSource::Branch(_) => add("branch"),
        LayerSource::Own(tree) => add(tree.as_str()),
    }
    // A tree that cannot be read has no inputs, and a layer of its own.
    if let Ok(tree) = GitTree::open(&ctx.repo, source.tree()) {
        for input in &plan.inputs {
            add(input);
            add(tree.blob(input).map_or("", Oid::as_str));
        }
    }
    for (tool, argument) in tools(&plan.script) {
        add(tool);
        add(&ctx.machine.layers.version(tool, || version(ctx, tool, argument)));
    }
    hash.finalize().to_hex()[..32].to_owned()
}

/// The programs whose versions a set-up depends on, with the argument that has each tell its version.
fn tools(command: &str) -> Vec<(&'static str, &'static str)> {
    let words: Vec<&str> =
        command.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).collect();
    versioned_programs(&words)
}

/// What a tool says about itself; empty if it is not there.
fn version(ctx: &Context, tool: &str, argument: &str) -> String {
    let mut command = Command::new(tool);
    command.arg(argument).env_clear().envs(ctx.config.verify_env.iter().cloned()).current_dir("/");
    let said = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    said.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
