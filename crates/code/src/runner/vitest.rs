//! vitest

use windlass_core::report::Runner;

use super::command_line::has_any;
use super::node_options::package_with;
use super::node_test::{SCRIPT_ENDINGS, called_command_in};
use super::row::{
    BASE, Behind, Detection, Idle, JunitNames, ReportFacts, RunnerRow, SearchedPlaces, TestSearch,
};
use crate::coverage::{CoverageFacts, CoverageFormat, append_to_last};
use crate::detect::{dir_of, in_dir, nearest, text};
use crate::language::any_depends_on;
use crate::red::has_word;
use crate::repo::Tree;
use crate::report::{JunitCase, Need, ReportFormat};
use crate::script::quote;
use crate::survey::Framework;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "vitest",
    programs: &["vitest"],
    idle: Idle {
        commands: &["list", "init", "bench"],
        other: &["--help", "-h", "--version", "-v"],
        ..BASE.idle
    },
    selects_by_name: |args| has_any(args, &["-t", "--testNamePattern"]),
    many_files: |_| Some(&["--run", "--no-coverage", "--silent"]),
    framework: Some(Framework::Vitest),
    report: Some(ReportFacts {
        runner: Runner::Vitest,
        format: ReportFormat::Junit,
        instrument: |edits, call| {
            let usual = if call.has("--reporter") { "" } else { "--reporter=default " };
            let file = quote(&edits.expect(call.report, Need::Required));
            // A threshold for all code can never be met by one test file of many, and every failure is wanted. Vitest
            // refuses an option that is given twice, and before 1.0 it reads `--coverage.enabled=false` as yes.
            let coverage = if call.has("--no-coverage") { "" } else { "--no-coverage " };
            let bail = if call.has("--bail") { "" } else { "--bail=0 " };
            edits.append(call, &format!("{coverage}{bail}{usual}--reporter=junit --outputFile.junit={file}"));
        },
        behind: Behind::Arguments,
        junit: JunitNames {
            name: |case| format!("{} > {}", case.class, case.name),
            is_whole_file: |case: &JunitCase| case.class == case.name,
            ..JunitNames::PLAIN
        },
    }),
    coverage: Some(CoverageFacts {
        tool: "@vitest/coverage-v8",
        format: CoverageFormat::Lcov,
        file: "lcov.info",
        measure: |script, dir, _| {
            let options = "--coverage --coverage.reporter=lcovonly --coverage.reportsDirectory";
            append_to_last(script, &format!("{options}={}", quote(dir)))
        },
    }),
    builds_first: false,
    imports: &[("{ describe, expect, it, test, vi }", "vitest")],
    modules_only: true,
    detect: Detection {
        endings: SCRIPT_ENDINGS,
        search: Some(TestSearch {
            files: &["vitest.config.ts", "vitest.config.js", "vitest.config.mts", "vite.config.ts"],
            key: "include",
            lists: SearchedPlaces::Patterns,
        }),
        imports: &["vitest"],
        dependencies: &["vitest"],
        configs: &["vitest.config.ts", "vitest.config.js", "vitest.config.mts", "vitest.config.mjs"],
        command: |tree, file| {
            let package = project_root(tree, file).or_else(|| package_with(tree, file, "vitest"));
            Some(called_command_in(tree, package, file, "vitest run"))
        },
        ..BASE.detect
    },
    ..BASE
};

const CONFIG_ENDINGS: [&str; 6] = ["ts", "mts", "js", "mjs", "cts", "cjs"];

/// The `package.json` beside a configuration that names projects, where the package of the file takes its own configuration from
/// there: those projects are named from that directory and are not found from the package.
fn project_root(tree: &dyn Tree, file: &str) -> Option<String> {
    let configs = |dir: &str| {
        let names = ["vitest.config", "vite.config"].into_iter();
        let mut paths = names.flat_map(|name| CONFIG_ENDINGS.map(|ending| format!("{name}.{ending}")));
        paths.find_map(|name| text(tree, &in_dir(dir, &name)))
    };
    let package = nearest(tree, file, &["package.json"])?;
    let own = dir_of(&package);
    let up = configs(own).as_deref().and_then(highest_import)?;
    let root = (0..up).try_fold(own, |dir, _| (!dir.is_empty()).then(|| dir_of(dir)))?;
    let names_projects =
        configs(root).is_some_and(|text| has_word(&text, "projects") || has_word(&text, "workspace"));
    let has_vitest = any_depends_on(tree, &in_dir(root, "package.json"), &["vitest"]);
    (names_projects && has_vitest).then(|| in_dir(root, "package.json")).filter(|path| tree.has(path))
}

/// How many directories up the imports of a module lead, at most: 2 for `../../vitest.config.js`.
fn highest_import(text: &str) -> Option<usize> {
    let quoted = text.split(['"', '\'']);
    quoted.filter(|path| path.starts_with("../")).map(|path| path.matches("../").count()).max()
}

#[cfg(test)]
mod tests;
