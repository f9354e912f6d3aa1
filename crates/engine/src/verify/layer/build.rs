//! Makes a layer: the set-up command in a sandbox of its own, on files that no agent is writing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use windlass_code::detect::{self, CheckerTool, ProjectUse, SetupKind, SetupPlan, is_test_path};
use windlass_code::repo::Tree as _;
use windlass_code::runner::lint_cap;
use windlass_code::script::quote;
use windlass_core::failure::Failure;

use super::key::LayerSource;
use super::{CARGO_PARTS, FinishedLayer, GO_BUILT, GO_MODULES, LayerContent, LayerMounts, cargo_home};
use crate::config::{GateSwitch, SetupCommand};
use crate::context::Context;
use crate::error::EngineError;
use crate::git_tree::GitTree;
use crate::process::ProcessExit;
use crate::sandbox::{FenceRole, Layer};
use crate::slot::export;
use crate::verify::script::{NamedResults, ScriptInput, ScriptRun, run_script_as};
use crate::verify::setup::{SetupInput, command_line, copy_files, in_dir, setup_failed, variables};

/// A layer in the making.
struct LayerBuild<'a> {
    ctx: &'a Context,
    input: &'a SetupInput<'a>,
    plan: &'a SetupPlan,
    role: FenceRole,
    view: GitTree,
    dir: &'a Path,
    part: &'a Path,
}

/// Makes the layer of this name.
pub(super) async fn build(
    ctx: &Context,
    input: &SetupInput<'_>,
    plan: &SetupPlan,
    source: &LayerSource,
    name: &str,
) -> Result<Result<Option<FinishedLayer>, Failure>, EngineError> {
    let place = |source| EngineError::Io { what: "make a layer in", path: ctx.machine.cache.clone(), source };
    let part = ctx.machine.layers.begin(name).map_err(place)?;
    let laid = export(&ctx.repo, source.tree(), &part.join("tree"), &ctx.hidden())?;
    copy_files(ctx, laid.dir())?;
    let role = match source {
        LayerSource::Branch(_) => FenceRole::Setup,
        LayerSource::Own(_) => FenceRole::UntrustedSetup,
    };
    let view = GitTree::open(&ctx.repo, source.tree())?;
    let site = LayerBuild { ctx, input, plan, role, view, dir: laid.dir(), part: &part };
    let content = match site.carry_out().await? {
        Ok(Some(content)) => content,
        Ok(None) => return Ok(Ok(None)),
        Err(failure) => return Ok(Err(failure)),
    };
    drop(laid);
    let ready = ctx.machine.layers.finish(name, &part, content).map_err(place)?;
    Ok(Ok(Some(ready)))
}

impl LayerBuild<'_> {
    async fn carry_out(&self) -> Result<Result<Option<LayerContent>, Failure>, EngineError> {
        match self.plan.kind {
            SetupKind::Cargo => self.cargo().await,
            SetupKind::Go => self.go().await,
            SetupKind::Other => self.command().await,
        }
    }

    /// An ordinary set-up: what it left behind is the layer.
    async fn command(&self) -> Result<Result<Option<LayerContent>, Failure>, EngineError> {
        self.ctx.machine.setups.lay(self.dir, Vec::new(), variables(self.plan, self.dir));
        let run = self.run(&in_dir(&self.plan.dir, &self.plan.script)).await?;
        if let Some(end) = ended(&self.plan.command, &run) {
            return Ok(end);
        }
        let kept = self.check_once().await?;
        let made = self.made();
        let outputs = if self.plan.outputs.is_empty() {
            made
        } else {
            // Modules that the build of the project wrote beside its own: a file with the version, a compiled extension.
            let modules = made
                .into_iter()
                .filter(|path| detect::is_built_module(path) && self.dir.join(path).is_file());
            self.plan.outputs.iter().cloned().chain(modules).chain(kept).collect()
        };
        Ok(Ok(Some(LayerContent { outputs: self.keep(&outputs)?, ..LayerContent::default() })))
    }

    /// Lets type checkers that keep what they find out look at the base once: what they know of the packages is most of their
    /// work, and they compare it with the files by content. Gives the directories that they keep it in.
    async fn check_once(&self) -> Result<Vec<String>, EngineError> {
        const MOST: usize = 400;
        const SECONDS: u32 = 120;
        if self.role != FenceRole::Setup || self.ctx.config.verify.type_check == GateSwitch::Off {
            return Ok(Vec::new());
        }
        let concerns =
            |path: &&String| self.plan.concerns([path.as_str()].into_iter()) && !is_test_path(path);
        let sources: Vec<String> = self.view.paths().iter().filter(concerns).take(MOST).cloned().collect();
        let mut kept = Vec::new();
        for plan in detect::type_check(&self.view, &sources) {
            let Some(dir) = plan.keeps.filter(|_| plan.project_use != ProjectUse::Never) else { continue };
            let line = format!("timeout {SECONDS} {} >/dev/null 2>&1 || true", command_line(&plan.argv));
            self.run(&in_dir(&plan.dir, &line)).await?;
            kept.push(Path::new(&plan.dir).join(dir).display().to_string());
        }
        Ok(kept)
    }

    /// Fetches the crates of the lock file, unless the user's registry has them all, and builds them once. Build output
    /// of the repository itself is removed.
    async fn cargo(&self) -> Result<Result<Option<LayerContent>, Failure>, EngineError> {
        let mut content = LayerContent::default();
        let fetch = in_dir(&self.plan.dir, &self.plan.script);
        let at_hand = self.run(&format!("export CARGO_NET_OFFLINE=true\n{fetch}")).await?;
        if at_hand.exit != ProcessExit::Code(0) {
            self.cargo_into_layer()?;
            let run = self.run(&fetch).await?;
            if let Some(end) = ended(&self.plan.command, &run) {
                return Ok(end);
            }
            content.registry = true;
        }
        if self.role == FenceRole::Setup {
            let target = Path::new(&self.plan.dir).join("target");
            if !self.build_crates(&target).await? {
                return Ok(Ok(None));
            }
            content.outputs = self.keep(&[target.display().to_string()])?;
        }
        content.outputs.extend(self.keep_rest()?);
        Ok(Ok(Some(content)))
    }

    /// Builds the crates that the repository uses, and removes the output of its own. A tree that does not build is no
    /// failure of the set-up: what was built of others' code is kept. `false` if it was stopped; the next set-up goes on from
    /// there.
    async fn build_crates(&self, target: &Path) -> Result<bool, EngineError> {
        let (target, begun) = (self.dir.join(target), self.part.with_extension("begun"));
        // Without it everything is built anew.
        let _ = fs::rename(&begun, &target);
        let offline =
            |lines: &str| in_dir(&self.plan.dir, &format!("export CARGO_NET_OFFLINE=true\n{lines}"));
        if self.run(&offline(&self.builds().join("\n"))).await?.exit == ProcessExit::Cancelled {
            let _ = fs::rename(&target, &begun);
            return Ok(false);
        }
        let own = own_packages(&self.text("Cargo.lock"));
        let own: Vec<String> = own.iter().map(|name| format!("-p {}", quote(name))).collect();
        let clean =
            format!("cargo clean {} >/dev/null 2>&1 || true\nrm -rf target/*/incremental", own.join(" "));
        Ok(self.run(&offline(&clean)).await?.exit != ProcessExit::Cancelled)
    }

    /// The builds of the crates that the repository uses: for its tests, and for its linter where it is set up for one.
    fn builds(&self) -> Vec<String> {
        let concerns = |path: &&String| self.plan.concerns([path.as_str()].into_iter());
        let sources: Vec<String> = self.view.paths().iter().filter(concerns).cloned().collect();
        let lints = detect::lint(&self.view, &sources).iter().any(|plan| plan.tool == CheckerTool::Clippy);
        let clippy = lints.then_some("cargo clippy --all-targets --locked >/dev/null 2>&1 || true");
        // With the same flags as the tests themselves: others would build everything again.
        let cap = lint_cap(&self.view).map(|(name, value)| format!("{name}={value} ")).unwrap_or_default();
        let tests = format!("{cap}cargo test --no-run --locked >/dev/null 2>&1 || true");
        std::iter::once(tests).chain(clippy.map(str::to_owned)).collect()
    }

    /// Fetches the modules, from the user's own cache first, and builds what the tests need once. Go finds what it built
    /// by the content of the sources, so that nothing in its cache can stand for another text.
    async fn go(&self) -> Result<Result<Option<LayerContent>, Failure>, EngineError> {
        self.fetch_into(&[
            ("modules", Path::new(GO_MODULES), "GOMODCACHE"),
            ("built", Path::new(GO_BUILT), "GOCACHE"),
        ])?;
        let near = "export GOPROXY=\"file://${GOPATH:-/nowhere}/pkg/mod/cache/download,https://proxy.golang.org,direct\"";
        let run = self.run(&format!("{near}\n{}", in_dir(&self.plan.dir, &self.plan.script))).await?;
        if let Some(end) = ended(&self.plan.command, &run) {
            // Modules that no test needs may be out of reach: what can be built without them is enough to go on, and a
            // test that needs one says so.
            let usable = "export GOPROXY=off\nlist=$(go list -e -test -f '{{if not .DepsErrors}}{{.ImportPath}}{{end}}' ./...)\n[ -n \"$list\" ]";
            if end.is_ok() || self.run(&in_dir(&self.plan.dir, usable)).await?.exit != ProcessExit::Code(0) {
                return Ok(end);
            }
            let note = format!("set-up: `{}` failed; going on with the modules at hand", self.plan.command);
            self.input.channel.finding(note);
        }
        if self.role == FenceRole::Setup {
            // The tests are compiled, and neither linked nor started: Go keeps no linked tests, and a module may have a hundred.
            // What vet finds out about packages is kept as well, as far as it gets in two minutes.
            let build = "export GOPROXY=off\ngo list -e -export -test -deps ./... >/dev/null 2>&1 || true\ntimeout 120 go vet ./... >/dev/null 2>&1 || true";
            if self.run(&in_dir(&self.plan.dir, build)).await?.exit == ProcessExit::Cancelled {
                return Ok(Ok(None));
            }
        }
        let outputs = self.keep_rest()?;
        Ok(Ok(Some(LayerContent { outputs, modules: true, built: true, ..LayerContent::default() })))
    }

    /// Lets what Cargo fetches from here on go into the layer.
    fn cargo_into_layer(&self) -> Result<(), EngineError> {
        let home = cargo_home(self.ctx);
        let mut laid = LayerMounts::default();
        for part in CARGO_PARTS {
            let from = self.part.join("cargo").join(part);
            fs::create_dir_all(&from).map_err(io("create", &from))?;
            laid.layers.push(Layer::Writable { from, to: home.join(part) });
        }
        laid.env.push(("CARGO_HOME".into(), home.display().to_string()));
        self.ctx.machine.setups.lay(self.dir, laid.layers, laid.env);
        Ok(())
    }

    /// Lets what is fetched from here on go into directories of the layer: each with the place where it is seen, and the
    /// variable that names that place.
    fn fetch_into(&self, parts: &[(&str, &Path, &str)]) -> Result<(), EngineError> {
        let mut laid = LayerMounts::default();
        for (part, seen, variable) in parts {
            let from = self.part.join(part);
            fs::create_dir_all(&from).map_err(io("create", &from))?;
            laid.layers.push(Layer::Writable { from, to: (*seen).to_owned() });
            laid.env.push(((*variable).into(), seen.display().to_string()));
        }
        self.ctx.machine.setups.lay(self.dir, laid.layers, laid.env);
        Ok(())
    }

    async fn run(&self, script: &str) -> Result<ScriptRun, EngineError> {
        let input = ScriptInput {
            script,
            dir: self.dir,
            tree: &self.view,
            timeout: self.ctx.config.timeouts.setup,
            scratch: self.input.scratch,
            cancel: self.input.cancel,
            channel: self.input.channel,
            named: NamedResults::No,
            idle: None,
        };
        run_script_as(self.ctx, self.role, input).await
    }

    /// What is there now and is not in the tree: whole directories where nothing in them is.
    fn made(&self) -> Vec<String> {
        let files: BTreeSet<&str> = self.view.paths().iter().map(String::as_str).collect();
        let dirs: BTreeSet<&str> =
            files.iter().flat_map(|path| path.match_indices('/').map(|(at, _)| &path[..at])).collect();
        let mut made = Vec::new();
        let mut pending = vec![String::new()];
        while let Some(dir) = pending.pop() {
            let entries = fs::read_dir(self.dir.join(&dir)).into_iter().flatten().flatten();
            for name in entries.filter_map(|entry| entry.file_name().into_string().ok()) {
                let path = if dir.is_empty() { name } else { format!("{dir}/{name}") };
                if dirs.contains(path.as_str()) {
                    pending.push(path);
                } else if !files.contains(path.as_str()) {
                    made.push(path);
                }
            }
        }
        made.sort();
        made
    }

    /// Moves what a set-up left besides what it fetched into the layer: a stated command may call more than one package
    /// manager.
    fn keep_rest(&self) -> Result<Vec<String>, EngineError> {
        let is_stated = matches!(self.ctx.config.setup, SetupCommand::Command(_));
        if is_stated && self.plan.outputs.is_empty() {
            self.keep(&self.made())
        } else {
            self.keep(&self.plan.outputs)
        }
    }

    /// Moves what was made into the layer; what was not made is left out.
    fn keep(&self, outputs: &[String]) -> Result<Vec<String>, EngineError> {
        let mut kept = Vec::new();
        for output in outputs {
            let (from, to) = (self.dir.join(output), self.part.join("files").join(output));
            if from.symlink_metadata().is_err() || self.view.blob(output).is_some() {
                continue;
            }
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent).map_err(io("create", parent))?;
            }
            fs::rename(&from, &to).map_err(io("move", &from))?;
            kept.push(output.clone());
        }
        Ok(kept)
    }

    /// A file as the set-up left it.
    fn text(&self, name: &str) -> String {
        let bytes = fs::read(self.dir.join(&self.plan.dir).join(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// How a set-up ended, if not well.
fn ended(command: &str, run: &ScriptRun) -> Option<Result<Option<LayerContent>, Failure>> {
    match run.exit {
        ProcessExit::Code(0) => None,
        ProcessExit::Cancelled => Some(Ok(None)),
        ProcessExit::Code(_)
        | ProcessExit::Signal(_)
        | ProcessExit::TimedOut(_)
        | ProcessExit::NotStarted(_) => Some(Err(setup_failed(command, run))),
    }
}

fn io(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> EngineError {
    let path = path.to_owned();
    move |source| EngineError::Io { what, path, source }
}

/// The packages of a lock file that are part of the repository: they have no source to fetch from.
fn own_packages(lock: &str) -> Vec<String> {
    let value = |block: &str, key: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='));
        line.map(|text| text.trim().trim_matches('"').to_owned())
    };
    let own = lock.split("[[package]]").skip(1).filter(|block| value(block, "source").is_none());
    own.filter_map(|block| value(block, "name")).collect()
}

#[cfg(test)]
mod tests;
