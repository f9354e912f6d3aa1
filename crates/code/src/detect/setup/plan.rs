//! A set-up command as it is found, and what it leaves.

use super::endings;
use crate::detect::manifest::in_dir;
use crate::language::Language;
use crate::script::{ShellScript, quote};

/// Where a set-up leaves what it fetches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupKind {
    /// In Cargo's home, as `cargo fetch` does.
    Cargo,
    /// In Go's module cache, as `go mod download` does.
    Go,
    /// In the directory of the project.
    Other,
}

impl SetupKind {
    /// The kind of a command that was stated and not found: by the commands that it calls.
    pub fn of_command(command: &str) -> Self {
        let calls = |program: &str, first: &str| {
            ShellScript::parse(command).commands.iter().any(|call| {
                let words: Vec<&str> = call.argv().iter().map(|word| word.text.as_str()).take(2).collect();
                words == [program, first]
            })
        };
        if calls("cargo", "fetch") {
            Self::Cargo
        } else if calls("go", "mod") {
            Self::Go
        } else {
            Self::Other
        }
    }
}

/// One set-up command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupPlan {
    /// Where it leaves what it fetches.
    pub kind: SetupKind,
    /// Where to run it, relative to the root of the tree (empty for the root itself).
    pub dir: String,
    /// The command in one line, as a person would write it.
    pub command: String,
    /// What is run, for `bash`: the command, what to do where its tool is not installed, and what to do where it fails on a
    /// tree that lacks files.
    pub script: String,
    /// Variables that hold the version of the project for tools that would ask git for it.
    pub version_variables: Vec<&'static str>,
    /// The files that decide its result, relative to the root of the tree.
    pub inputs: Vec<String>,
    /// What it leaves behind, relative to the root of the tree.
    pub outputs: Vec<String>,
    /// Directories with programs that belong on `PATH` afterwards.
    pub bins: Vec<ProgramDir>,
    /// Variables of every later command; `{dir}` in a value stands for the directory of the set-up.
    pub variables: Vec<(&'static str, &'static str)>,
    /// The program that it needs and does not fetch by itself, with the package that has it.
    pub tool: Option<(&'static str, &'static str)>,
    /// The program that the command calls; none if the repository brings it, or if the command was stated.
    pub program: Option<&'static str>,
    /// The endings of the source files that need it; none if it was stated and not found.
    pub endings: Vec<&'static str>,
    /// Whether it is part of no other one that lies above it, so that only work below it needs it: a crate outside of the workspace.
    pub apart: bool,
}

/// A directory with programs that a set-up makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramDir {
    /// Relative to the root of the tree.
    pub path: String,
    /// Where it belongs on the `PATH` of an agent.
    pub place: PathPlace,
}

/// Where a directory belongs on the `PATH` of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathPlace {
    /// In front: its programs stand for those of the system, as the interpreter of a virtual environment does.
    Front,
    /// Behind: none of its programs may stand for a part of an agent.
    Behind,
}

impl SetupPlan {
    /// The command in one line, with its directory.
    pub fn shown(&self) -> String {
        if self.dir.is_empty() {
            self.command.clone()
        } else {
            format!("cd {} && {}", quote(&self.dir), self.command)
        }
    }

    /// Whether work on these files may need the set-up. A file that no package manager is known for may need every one.
    pub fn concerns<'f>(&self, mut files: impl Iterator<Item = &'f str>) -> bool {
        let below = |file: &str| self.dir.is_empty() || file.starts_with(&in_dir(&self.dir, ""));
        let ending = |file: &str| file.rsplit_once('.').map(|(_, ending)| ending.to_owned());
        let needs = |file: &str| {
            let Some(ending) = ending(file) else { return true };
            let is_known = Language::families().flat_map(endings).any(|known| known == ending);
            !is_known || self.endings.contains(&ending.as_str())
        };
        self.endings.is_empty() || files.any(|file| below(file) && needs(file))
    }
}
