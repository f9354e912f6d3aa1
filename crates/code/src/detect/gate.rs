//! Type checkers and linters that the repository is set up for.

use windlass_core::report::Runner;

use super::automation::{ProjectUse, project_use, reach};
use super::manifest::relative;
use super::tool_config::ToolConfig;
use crate::checker::CheckerFormat;
use crate::language::{Language, Tooling};
use crate::repo::Tree;

/// One gate: a command that must exit 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatePlan {
    /// The tool's name.
    pub name: String,
    /// Which tool it is, where something else than its run depends on it.
    pub tool: CheckerTool,
    /// The command, complete with its files where it takes them.
    pub argv: Vec<String>,
    /// Where to run it, relative to the root of the tree (empty for the root itself).
    pub dir: String,
    /// The configuration file that asked for it.
    pub why: String,
    /// Runners whose own run includes this check, so that it need not be made twice.
    pub covered_by: &'static [Runner],
    /// The command that leaves a structured report, and its form, where the tool has one.
    pub structured: Option<(Vec<String>, CheckerFormat)>,
    /// Whether the project holds itself to it.
    pub project_use: ProjectUse,
    /// The directory in which it keeps what it found out about files, by their content.
    pub keeps: Option<&'static str>,
    extent: Extent,
}

impl GatePlan {
    /// Whether it checks a whole project or package rather than files.
    pub fn is_for_project(&self) -> bool {
        self.extent == Extent::Project
    }
}

/// A checker that something else than its run depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckerTool {
    /// The compiler of TypeScript, which also compares a contract with the code.
    Tsc,
    /// Clippy, which needs the crates built in its own way.
    Clippy,
    /// A tool that comes with its language: every project is held to it.
    OfLanguage,
    /// Any other.
    Other,
}

/// What is known about a type checker or a linter.
pub(crate) struct CheckerRow {
    name: &'static str,
    tool: CheckerTool,
    endings: &'static [&'static str],
    /// Its configuration for a file, if it is to check it.
    config: fn(&dyn Tree, &str) -> Option<ToolConfig>,
    /// The command. `{}` stands for the configuration's detail.
    command: &'static str,
    /// What the command checks.
    extent: Extent,
    /// Runners whose own run includes this check.
    covered_by: &'static [Runner],
    /// The same command with a structured report.
    structured: Option<(&'static str, CheckerFormat)>,
    /// Where it keeps what it found out, for its next run.
    keeps: Option<&'static str>,
}

/// What a checker is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// The changed files.
    Files,
    /// The project or package that the configuration describes.
    Project,
}

impl CheckerRow {
    /// A tool that is given the changed files with these endings.
    pub(crate) const fn of_files(
        name: &'static str,
        endings: &'static [&'static str],
        config: fn(&dyn Tree, &str) -> Option<ToolConfig>,
        command: &'static str,
    ) -> Self {
        let (tool, extent) = (CheckerTool::Other, Extent::Files);
        let (covered_by, structured, keeps) = (&[], None, None);
        Self { name, tool, endings, config, command, extent, covered_by, structured, keeps }
    }

    /// A tool that checks the whole project or package of a file with one of these endings.
    pub(crate) const fn of_projects(
        name: &'static str,
        endings: &'static [&'static str],
        config: fn(&dyn Tree, &str) -> Option<ToolConfig>,
        command: &'static str,
    ) -> Self {
        Self { extent: Extent::Project, ..Self::of_files(name, endings, config, command) }
    }

    /// With the command that leaves a structured report.
    pub(crate) const fn with_report(self, command: &'static str, format: CheckerFormat) -> Self {
        Self { structured: Some((command, format)), ..self }
    }

    /// As a tool that something else than its run depends on.
    pub(crate) const fn known_as(self, tool: CheckerTool) -> Self {
        Self { tool, ..self }
    }

    /// With the directory in which it keeps what it found out.
    pub(crate) const fn keeping(self, dir: &'static str) -> Self {
        Self { keeps: Some(dir), ..self }
    }

    /// As a part of what these runners do.
    pub(crate) const fn within(self, covered_by: &'static [Runner]) -> Self {
        Self { covered_by, ..self }
    }
}

/// Type checks for the changed `files`.
pub fn type_check(tree: &dyn Tree, files: &[String]) -> Vec<GatePlan> {
    plans(tree, files, |tooling| tooling.type_checkers)
}

/// Linters for the changed `files`.
pub fn lint(tree: &dyn Tree, files: &[String]) -> Vec<GatePlan> {
    plans(tree, files, |tooling| tooling.linters)
}

/// One plan per tool and configuration.
fn plans(tree: &dyn Tree, files: &[String], rows: fn(&Tooling) -> &'static [CheckerRow]) -> Vec<GatePlan> {
    let mut plans: Vec<GatePlan> = Vec::new();
    for file in files {
        let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
        let all = Language::families().flat_map(|language| rows(&language.row().tooling));
        for row in all.filter(|row| row.endings.contains(&ending)) {
            let Some(config) = (row.config)(tree, file) else { continue };
            if row.extent == Extent::Files && !is_within_reach(tree, row, file) {
                continue;
            }
            let own_file = relative(&config.dir, file).to_owned();
            let argv = |command: &str| -> Vec<String> {
                command.split(' ').map(|word| word.replacen("{}", &config.detail, 1)).collect()
            };
            let plan = GatePlan {
                name: row.name.to_owned(),
                tool: row.tool,
                argv: argv(row.command),
                structured: row.structured.map(|(command, format)| (argv(command), format)),
                dir: config.dir,
                why: config.from,
                covered_by: row.covered_by,
                project_use: use_of(tree, row),
                keeps: row.keeps,
                extent: row.extent,
            };
            match row.extent {
                Extent::Project if plans.contains(&plan) => {}
                Extent::Project => plans.push(plan),
                Extent::Files => {
                    let known =
                        plans.iter().position(|known| known.name == plan.name && known.why == plan.why);
                    let at = known.unwrap_or(plans.len());
                    if known.is_none() {
                        plans.push(plan);
                    }
                    if let Some((argv, _)) = &mut plans[at].structured {
                        argv.push(own_file.clone());
                    }
                    plans[at].argv.push(own_file);
                }
            }
        }
    }
    plans
}

/// Whether the repository gives a file to a tool, as far as its commands name files.
fn is_within_reach(tree: &dyn Tree, row: &CheckerRow, file: &str) -> bool {
    let below = |path: &String| {
        file.strip_prefix(path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    reach(tree, row.name).is_none_or(|paths| paths.iter().any(below))
}

/// Tools that belong to a language are always used; others by what the repository runs.
fn use_of(tree: &dyn Tree, row: &CheckerRow) -> ProjectUse {
    match row.tool {
        CheckerTool::Clippy | CheckerTool::OfLanguage => ProjectUse::Runs,
        CheckerTool::Tsc | CheckerTool::Other => project_use(tree, row.name),
    }
}

#[cfg(test)]
mod tests;
