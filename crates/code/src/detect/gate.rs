//! Type checkers and linters that the repository is set up for.

use windlass_core::report::Runner;

use super::automation::{ProjectUse, project_use, reach};
use super::format::SCRIPT;
use super::manifest::relative;
use super::tool_config::{self as config, ToolConfig};
use crate::checker::CheckerFormat;
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
struct CheckerRow {
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

const fn row(
    name: &'static str,
    endings: &'static [&'static str],
    config: fn(&dyn Tree, &str) -> Option<ToolConfig>,
    command: &'static str,
    extent: Extent,
) -> CheckerRow {
    let tool = CheckerTool::Other;
    CheckerRow {
        name,
        tool,
        endings,
        config,
        command,
        extent,
        covered_by: &[],
        structured: None,
        keeps: None,
    }
}

impl CheckerRow {
    const fn with_report(self, command: &'static str, format: CheckerFormat) -> Self {
        Self { structured: Some((command, format)), ..self }
    }

    const fn known_as(self, tool: CheckerTool) -> Self {
        Self { tool, ..self }
    }

    const fn keeping(self, dir: &'static str) -> Self {
        Self { keeps: Some(dir), ..self }
    }

    const fn within(self, covered_by: &'static [Runner]) -> Self {
        Self { covered_by, ..self }
    }
}

const PY: &[&str] = &["py", "pyi"];
const TYPED: &[&str] = &["ts", "tsx", "mts", "cts"];
const TSC: &str = "npx --no-install tsc --noEmit -p tsconfig.json";
const TSC_PLAIN: &str = "npx --no-install tsc --noEmit --pretty false -p tsconfig.json";
const PHPSTAN: &str = "vendor/bin/phpstan analyse --no-progress --";
const PHPSTAN_RAW: &str = "vendor/bin/phpstan analyse --no-progress --error-format raw --";
const CLIPPY: &str = "cargo clippy --all-targets -p {}";
const CLIPPY_JSON: &str = "cargo clippy --all-targets --message-format json -p {}";
const CHECK_JSON: &str = "cargo check --message-format json -p {}";

const TYPE_CHECKERS: &[CheckerRow] = &[
    row("tsc", TYPED, config::tsc, TSC, Extent::Project)
        .known_as(CheckerTool::Tsc)
        .with_report(TSC_PLAIN, CheckerFormat::Tsc),
    row("mypy", PY, config::mypy, "mypy", Extent::Files)
        .with_report("mypy --output json", CheckerFormat::Mypy)
        .keeping(".mypy_cache"),
    row("pyright", PY, config::pyright, "pyright", Extent::Files)
        .with_report("pyright --outputjson", CheckerFormat::Pyright),
    row("cargo check", &["rs"], config::cargo, "cargo check -p {}", Extent::Project)
        .known_as(CheckerTool::OfLanguage)
        .with_report(CHECK_JSON, CheckerFormat::Cargo)
        .within(&[Runner::CargoTest, Runner::Nextest]),
    row("go build", &["go"], config::go, "go build {}", Extent::Project)
        .known_as(CheckerTool::OfLanguage)
        .within(&[Runner::GoTest]),
    row("phpstan", &["php"], config::phpstan, PHPSTAN, Extent::Files)
        .with_report(PHPSTAN_RAW, CheckerFormat::Lines),
];

const LINTERS: &[CheckerRow] = &[
    row("ruff", PY, config::ruff, "ruff check --", Extent::Files)
        .with_report("ruff check --output-format json --", CheckerFormat::Ruff),
    row("clippy", &["rs"], config::clippy, CLIPPY, Extent::Project)
        .known_as(CheckerTool::Clippy)
        .with_report(CLIPPY_JSON, CheckerFormat::Cargo),
    row("go vet", &["go"], config::go, "go vet {}", Extent::Project).known_as(CheckerTool::OfLanguage),
    row("golangci-lint", &["go"], config::golangci, "golangci-lint run {}", Extent::Project),
    row("rubocop", &["rb"], config::rubocop, "rubocop --force-exclusion --", Extent::Files)
        .with_report("rubocop --force-exclusion --format emacs --", CheckerFormat::Lines),
    row("biome", SCRIPT, config::biome, "npx --no-install biome lint", Extent::Files),
    row("eslint", SCRIPT, config::eslint, "npx --no-install eslint", Extent::Files)
        .with_report("npx --no-install eslint -f json", CheckerFormat::Eslint),
];

/// Type checks for the changed `files`.
pub fn type_check(tree: &dyn Tree, files: &[String]) -> Vec<GatePlan> {
    plans(tree, files, TYPE_CHECKERS)
}

/// Linters for the changed `files`.
pub fn lint(tree: &dyn Tree, files: &[String]) -> Vec<GatePlan> {
    plans(tree, files, LINTERS)
}

/// One plan per tool and configuration.
fn plans(tree: &dyn Tree, files: &[String], rows: &[CheckerRow]) -> Vec<GatePlan> {
    let mut plans: Vec<GatePlan> = Vec::new();
    for file in files {
        let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
        for row in rows.iter().filter(|row| row.endings.contains(&ending)) {
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
