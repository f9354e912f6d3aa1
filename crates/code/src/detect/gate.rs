//! Type checkers and linters that the repository is set up for.

use windlass_core::report::Runner;

use super::format::SCRIPT;
use super::manifest::relative;
use super::tool_config::{self as config, ToolConfig};
use crate::repo::Tree;

/// One gate: a command that must exit 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatePlan {
    /// The tool's name.
    pub name: String,
    /// The command, complete with its files where it takes them.
    pub argv: Vec<String>,
    /// Where to run it, relative to the root of the tree (empty for the root itself).
    pub dir: String,
    /// The configuration file that asked for it.
    pub why: String,
    /// Runners whose own run includes this check, so that it need not be made twice.
    pub covered_by: &'static [Runner],
}

/// What is known about a type checker or a linter.
struct CheckerRow {
    name: &'static str,
    endings: &'static [&'static str],
    /// Its configuration for a file, if it is to check it.
    config: fn(&dyn Tree, &str) -> Option<ToolConfig>,
    /// The command. `{}` stands for the configuration's detail.
    command: &'static str,
    /// What the command checks.
    extent: Extent,
    /// Runners whose own run includes this check.
    covered_by: &'static [Runner],
}

/// What a checker is given.
#[derive(Clone, Copy, PartialEq, Eq)]
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
    CheckerRow { name, endings, config, command, extent, covered_by: &[] }
}

const PY: &[&str] = &["py", "pyi"];
const TYPED: &[&str] = &["ts", "tsx", "mts", "cts"];
const TSC: &str = "npx --no-install tsc --noEmit -p tsconfig.json";
const PHPSTAN: &str = "vendor/bin/phpstan analyse --no-progress --";

const TYPE_CHECKERS: &[CheckerRow] = &[
    row("tsc", TYPED, config::tsc, TSC, Extent::Project),
    row("mypy", PY, config::mypy, "mypy", Extent::Files),
    row("pyright", PY, config::pyright, "pyright", Extent::Files),
    CheckerRow {
        covered_by: &[Runner::CargoTest, Runner::Nextest],
        ..row("cargo check", &["rs"], config::cargo, "cargo check -p {}", Extent::Project)
    },
    CheckerRow {
        covered_by: &[Runner::GoTest],
        ..row("go build", &["go"], config::go, "go build {}", Extent::Project)
    },
    row("phpstan", &["php"], config::phpstan, PHPSTAN, Extent::Files),
];

const LINTERS: &[CheckerRow] = &[
    row("ruff", PY, config::ruff, "ruff check --", Extent::Files),
    row("clippy", &["rs"], config::clippy, "cargo clippy --all-targets -p {}", Extent::Project),
    row("go vet", &["go"], config::go, "go vet {}", Extent::Project),
    row("golangci-lint", &["go"], config::golangci, "golangci-lint run {}", Extent::Project),
    row("rubocop", &["rb"], config::rubocop, "rubocop --force-exclusion --", Extent::Files),
    row("biome", SCRIPT, config::biome, "npx --no-install biome lint", Extent::Files),
    row("eslint", SCRIPT, config::eslint, "npx --no-install eslint", Extent::Files),
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
            let own_file = relative(&config.dir, file).to_owned();
            let plan = GatePlan {
                name: row.name.to_owned(),
                argv: row.command.split(' ').map(|word| word.replacen("{}", &config.detail, 1)).collect(),
                dir: config.dir,
                why: config.from,
                covered_by: row.covered_by,
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
                    plans[at].argv.push(own_file);
                }
            }
        }
    }
    plans
}

#[cfg(test)]
mod tests;
