//! `windlass init`: a configuration to edit, and a place for state.

use std::fmt::Write as _;
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use clap::Args;
use windlass_engine::git::Repo;

use super::{CliError, Exit};
use crate::config;
use crate::world::World;

/// Set Windlass up in this repository: windlass.toml and a state directory
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InitArgs {
    /// Write a specification to fill in: `docs/SPEC.md`, or the file that is named.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "docs/SPEC.md")]
    spec: Option<PathBuf>,

    /// Write the skill, slash commands and plugin manifests for Claude Code, Codex, Gemini CLI, Qwen Code and opencode.
    #[arg(long)]
    skills: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass init
  windlass init --spec                 and a specification to fill in";

/// A specification to fill in.
const TEMPLATE: &str = include_str!("spec_template.md");
/// Where one is looked for, and where the template goes.
const USUAL: &str = "docs/SPEC.md";

/// Writes `windlass.toml` unless there is one, and makes the state directory.
pub(crate) fn cmd_init(world: &World, args: &InitArgs) -> Result<Exit, CliError> {
    let repo = Repo::discover(world.git_env(), &world.cwd)?;
    let paths = world.paths(repo.common_dir())?;
    make_private(paths.state())?;
    let mut text = String::new();
    if let Some(top) = repo.worktree() {
        let file = top.join("windlass.toml");
        let said = if write_new(&file, &config::commented())? { "wrote" } else { "kept the existing" };
        let _ = writeln!(text, "{said} {}", world.shown(&file));
    } else {
        text.push_str(
            "a bare repository: windlass.toml comes with the branch that is checked out elsewhere\n",
        );
    }
    if args.skills {
        let top = repo.worktree().ok_or_else(|| {
            CliError::usage("a bare repository has no files for agents").hint("use a checkout")
        })?;
        text.push_str(&super::skill::write_skills(world, top)?);
    }
    let _ = writeln!(text, "state is kept in {} (only you can read it)", world.shown(paths.state()));
    if repo.people()?.known().is_none() {
        world.tell("warning: git has no name and address for you, and commits need both\n");
        world.tell("  hint: git config user.name \"…\" && git config user.email \"…\"\n");
    }
    text.push_str(&specification(world, &repo, args)?);
    world.print(&text)?;
    Ok(Exit::Fine)
}

/// Writes the template where it is wanted, and says how a plan is made.
fn specification(world: &World, repo: &Repo, args: &InitArgs) -> Result<String, CliError> {
    let top = repo.worktree().unwrap_or(&world.cwd);
    let wanted = match &args.spec {
        Some(path) => Some(world.cwd.join(path)),
        None if world.can_ask && !top.join(USUAL).exists() => {
            let answer = world.answer(&format!("write a specification to fill in to {USUAL}? [y/N] "))?;
            answer.to_lowercase().starts_with('y').then(|| top.join(USUAL))
        }
        None => None,
    };
    let Some(path) = wanted else {
        return Ok("\nnext: describe what you want in a document, then `windlass plan DOCUMENT`;\n      \
                   `windlass init --spec` writes one to fill in, `windlass plan \"an idea\"` takes a sentence\n"
            .to_owned());
    };
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).map_err(|e| CliError::file("cannot make", dir, &e))?;
    }
    let shown = world.shown(&path);
    let said = if write_new(&path, TEMPLATE)? { "wrote" } else { "kept the existing" };
    Ok(format!("{said} {shown}\n\nnext: fill it in, then `windlass plan {shown}`\n"))
}

/// Makes a directory only its owner can enter; one that exists is closed to others.
fn make_private(dir: &Path) -> Result<(), CliError> {
    let failed =
        |e: io::Error| CliError::environment(format!("cannot make `{}`", dir.display())).because_of(Some(&e));
    DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(failed)?;
    fs::set_permissions(dir, Permissions::from_mode(0o700)).map_err(failed)
}

/// Writes a file that does not exist yet; `false` if it does.
fn write_new(path: &Path, text: &str) -> Result<bool, CliError> {
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => {
            file.write_all(text.as_bytes()).map_err(|e| CliError::file("cannot write", path, &e))?;
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(CliError::file("cannot write", path, &error)),
    }
}
