//! `windlass skill`: the skill of this version, for agents; and where `init --skills` puts it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use clap::Args;

use super::{CliError, Exit};
use crate::skill::{self, MARK, SkillFile};
use crate::world::World;

/// Print the skill that teaches an agent to use Windlass
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SkillArgs {}

const EXAMPLES: &str = "\
Examples:
  windlass init --skills      where Claude Code, Codex, Gemini CLI, Qwen Code and opencode look for it, with commands
  windlass skill > ~/.claude/skills/windlass/SKILL.md";

/// Prints the skill.
pub(crate) fn cmd_skill(world: &World, _: &SkillArgs) -> Result<Exit, CliError> {
    world.print(&skill::skill())?;
    Ok(Exit::Fine)
}

/// Writes skill, commands and manifests into a checkout, and says so. A file that someone else wrote stays.
pub(super) fn write_skills(world: &World, top: &Path) -> Result<String, CliError> {
    let (mut written, mut kept) = (0, Vec::new());
    for SkillFile { path, text } in skill::files() {
        let to = top.join(&path);
        match fs::read_to_string(&to) {
            Ok(there) if there == text => {}
            Ok(there) if !there.contains(MARK) => {
                kept.push(path);
                continue;
            }
            _ => write_inside(top, &to, &text)?,
        }
        written += 1;
    }
    let mut said = format!(
        "wrote the skill, 8 commands and the plugin ({written} files in .claude, .agents, .gemini, .qwen, .opencode and \
         .claude-plugin); agents find them when they start here\n"
    );
    for path in &kept {
        let _ = writeln!(said, "kept {path}: it was not written by Windlass");
    }
    if world.program("windlass".as_ref()).is_none() {
        said.push_str("note: `windlass` is not on the search path, and agents start it by its name\n");
    }
    Ok(said)
}

/// Writes a file below the checkout, never through a link that leads out of it.
fn write_inside(top: &Path, to: &Path, text: &str) -> Result<(), CliError> {
    let dir = to.parent().unwrap_or(top);
    let existing = dir.ancestors().find(|dir| dir.symlink_metadata().is_ok()).unwrap_or(top);
    let real = |path: &Path| fs::canonicalize(path).map_err(|e| CliError::file("cannot read", path, &e));
    let is_link = to.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
    if is_link || !real(existing)?.starts_with(real(top)?) {
        let said = format!("`{}` is a link that leads out of the repository", to.display());
        return Err(CliError::blocked(said).hint("remove the link, or copy `windlass skill` there yourself"));
    }
    fs::create_dir_all(dir).map_err(|e| CliError::file("cannot make", dir, &e))?;
    fs::write(to, text).map_err(|e| CliError::file("cannot write", to, &e))
}
