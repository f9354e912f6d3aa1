//! Environment layers: what the set-up installs, built once and mounted into every slot and export.
//!
//! A layer is named by a hash of everything that affects its content: command, input files, tools, place. Only the
//! set-up command writes to it; later changes go to a throwaway directory. A layer for dependencies that an agent chose
//! is named by the agent's whole tree and not shared.

mod build;
mod key;
mod store;

pub(crate) use store::LayerStore;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use windlass_code::detect::SetupPlan;
use windlass_core::failure::Failure;

use super::setup::SetupInput;
use crate::context::Context;
use crate::error::EngineError;
use crate::removal::remove_any;
use crate::sandbox::{Layer, WORK};

/// What a layer holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct LayerContent {
    /// What lies below `files`, relative to the root of the tree.
    pub(super) outputs: Vec<String>,
    /// Whether Cargo's registry was fetched into it; otherwise the user's own has everything.
    pub(super) registry: bool,
    /// Whether Go's modules were fetched into it.
    pub(super) modules: bool,
    /// Whether it holds what Go built.
    #[serde(default)]
    pub(super) built: bool,
    /// What the files looked like when the layer was finished.
    pub(super) looks: String,
}

/// A finished layer.
#[derive(Debug, Clone)]
pub(super) struct FinishedLayer {
    pub(super) dir: PathBuf,
    pub(super) content: LayerContent,
}

/// Where Cargo's home is seen when the user has none.
const CARGO_HOME: &str = "/windlass/cargo";
/// Where Go's modules are seen.
const GO_MODULES: &str = "/windlass/gomod";
/// Where the results of Go's builds are seen.
const GO_BUILT: &str = "/windlass/gobuilt";

/// Everything that is to be laid into a directory.
#[derive(Default)]
pub(super) struct LayerMounts {
    pub(super) layers: Vec<Layer>,
    pub(super) env: Vec<(String, String)>,
}

/// Makes sure that the layer of a set-up is there. `Err` inside is a set-up that failed; `None` one that was stopped.
pub(super) async fn of(
    ctx: &Context,
    input: &SetupInput<'_>,
    plan: &SetupPlan,
) -> Result<Result<Option<FinishedLayer>, Failure>, EngineError> {
    let source = key::source(ctx, input.tree, plan)?;
    let name = key::name(ctx, &source, plan);
    let _alone = ctx.machine.layers.alone(&name).await;
    if let Some(ready) = ctx.machine.layers.find(&name) {
        return Ok(Ok(Some(ready)));
    }
    // What failed fails again for every task of the run: it is told without another attempt.
    if let Some(failure) = ctx.machine.layers.failed(&name) {
        return Ok(Err(failure));
    }
    let built = build::build(ctx, input, plan, &source, &name).await?;
    if let Err(failure) = &built {
        ctx.machine.layers.keep_failure(&name, failure);
    }
    Ok(built)
}

impl FinishedLayer {
    /// Lays it into a directory: over it where the kernel can, as a copy where it cannot.
    pub(super) fn lay_into(
        &self,
        ctx: &Context,
        dir: &Path,
        laid: &mut LayerMounts,
    ) -> Result<(), EngineError> {
        let files = self.dir.join("files");
        let over = ctx.machine.can_overlay();
        for output in &self.content.outputs {
            let (from, to) = (files.join(output), Path::new(WORK).join(output));
            clear_way(ctx, dir, output)?;
            if over && from.is_dir() {
                laid.layers.push(Layer::Throwaway { from, to });
            } else {
                let target = dir.join(output);
                store::copy(&from, &target).map_err(|source| EngineError::Io {
                    what: "copy a layer to",
                    path: target.clone(),
                    source,
                })?;
            }
        }
        let seen = |from: PathBuf, to: PathBuf| {
            if over { Layer::Throwaway { from, to } } else { Layer::ReadOnly { from, to } }
        };
        if self.content.registry {
            let home = cargo_home(ctx);
            for part in CARGO_PARTS {
                laid.layers.push(seen(self.dir.join("cargo").join(part), home.join(part)));
            }
            laid.env.push(("CARGO_HOME".into(), home.display().to_string()));
        }
        if self.content.modules {
            laid.layers.push(seen(self.dir.join("modules"), GO_MODULES.into()));
            laid.env.push(("GOMODCACHE".into(), GO_MODULES.into()));
        }
        // Go writes to its cache: without an overlay every command has its own.
        if self.content.built && over {
            laid.layers.push(seen(self.dir.join("built"), GO_BUILT.into()));
            laid.env.push(("GOCACHE".into(), GO_BUILT.into()));
        }
        Ok(())
    }
}

/// Removes a link at the path of a layer. A link in a parent directory is refused.
fn clear_way(ctx: &Context, dir: &Path, output: &str) -> Result<(), EngineError> {
    let path = dir.join(output);
    let way = Path::new(output).parent().unwrap_or(Path::new(""));
    let cleared = if !ctx.machine.setups.is_straight(dir, way) {
        Err(std::io::Error::other("a link on the way leads elsewhere"))
    } else if path.is_symlink() {
        remove_any(&path)
    } else {
        Ok(())
    };
    cleared.map_err(|source| EngineError::Io { what: "lay a layer at", path, source })
}

/// What is fetched into Cargo's home.
const CARGO_PARTS: [&str; 2] = ["registry", "git"];

fn cargo_home(ctx: &Context) -> PathBuf {
    ctx.config.sandbox.cargo_home.clone().unwrap_or_else(|| CARGO_HOME.into())
}
