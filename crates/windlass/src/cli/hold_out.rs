//! `windlass hold-out`: keeps tests where agents never see them.

use std::path::PathBuf;

use clap::Args;
use windlass_engine::HeldOutStore;

use super::{CliError, Exit};
use crate::input::locate;
use crate::world::World;

/// Store tests where no agent sees them, and print the lines for the plan
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HoldOutArgs {
    /// The test files. They are copied; take them out of the repository yourself.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Its path during verification, relative to the top of the repository; without it, its present path.
    #[arg(long = "as", value_name = "PATH")]
    target: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  windlass hold-out tests/secret_test.py
  windlass hold-out ~/acceptance_test.py --as tests/acceptance_test.py";

/// Keeps the files in the state directory, by their hash.
pub(crate) fn cmd_hold_out(world: &World, args: &HoldOutArgs) -> Result<Exit, CliError> {
    if args.target.is_some() && args.files.len() > 1 {
        return Err(CliError::usage("`--as` is for one file at a time"));
    }
    let located = locate(&world.cwd).ok_or_else(|| {
        CliError::environment(format!("`{}` is not inside a git repository", world.cwd.display()))
            .hint("held-out tests are kept beside the state of the repository's runs")
    })?;
    let store = HeldOutStore::at(world.paths(&located.common_dir)?.held_out());
    let mut lines = String::new();
    for file in &args.files {
        let path = world.cwd.join(file);
        let bytes = std::fs::read(&path).map_err(|e| CliError::file("cannot read", &path, &e))?;
        let hash = store.keep(&bytes).map_err(|e| CliError::file("cannot keep", &path, &e))?;
        let top = located.top.as_deref().unwrap_or(&world.cwd);
        let target = match &args.target {
            Some(target) => target.clone(),
            None => path.strip_prefix(top).unwrap_or(file).display().to_string(),
        };
        lines.push_str(&format!("  - {{path: {target}, blake3: \"{hash}\"}}\n"));
    }
    world.print(&format!("held_out:\n{lines}"))?;
    world.tell("put these lines into the task's front matter, and take the files out of the repository\n");
    Ok(Exit::Fine)
}
