//! pytest

use windlass_core::report::Runner;

use super::command_line::has_any;
use super::python::{python_command, python_module, stand_ins};
use super::row::{
    BASE, Behind, Detection, Idle, JunitNames, ReportFacts, RunnerRow, SearchedPlaces, TestSearch,
};
use crate::coverage::{CoverageFacts, CoverageFormat};
use crate::detect::text;
use crate::report::{JunitCase, Need, ReportFormat};
use crate::script::{ScriptEdits, join, quote};

use super::RunnerCall;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "pytest",
    programs: &["pytest", "py.test"],
    find: |words, start| python_module(words, start, "pytest"),
    idle: Idle {
        commands: &[],
        list: &["--collect-only", "--co"],
        build: &[],
        other: &[
            "--version",
            "-V",
            "--help",
            "-h",
            "--markers",
            "--fixtures",
            "--setup-plan",
            "--cache-show",
            "--funcargs",
        ],
    },
    selects_by_name: |args| {
        args.iter().any(|arg| arg.text.contains("::")) || has_any(args, &["-m", "--deselect", "--lf"])
    },
    many_files: |_| {
        Some(&[
            "-q",
            "-qq",
            "-v",
            "-vv",
            "-x",
            "-s",
            "-ra",
            "--quiet",
            "--verbose",
            "--exitfirst",
            "--no-header",
        ])
    },
    framework: None,
    is_assertion: |_| false,
    report: Some(ReportFacts {
        runner: Runner::Pytest,
        format: ReportFormat::Junit,
        instrument: |edits, call| {
            let file = edits.expect(call.report, Need::Required);
            edits.append(call, &report_options(&file));
            // The other forms parse every file of a traceback anew, which takes longer than the tests of most files.
            if !call.has("--tb") {
                edits.append(call, "--tb=native");
            }
            // An unknown option is an error, so only where the plug-in is in use.
            if call.has("--cov") || call.has("--cov-fail-under") || has_coverage(edits, call) {
                edits.append(call, "--no-cov");
            }
        },
        behind: Behind::Variable { name: "PYTEST_ADDOPTS", options: report_options, works: |_| true },
        junit: JunitNames {
            name: node_id,
            is_whole_file: |case| case.class.is_empty(),
            counts_subtests: true,
            ..JunitNames::PLAIN
        },
    }),
    coverage: Some(CoverageFacts {
        tool: "pytest-cov",
        format: CoverageFormat::CoveragePy,
        file: "coverage.json",
        measure: |script, dir, report| {
            let options = format!("--cov=. --cov-report={}", quote(&format!("json:{report}")));
            let env = [("PYTEST_ADDOPTS", options), ("COVERAGE_FILE", format!("{dir}/coverage.data"))];
            Some((script.to_owned(), env.map(|(name, value)| (name.to_owned(), value)).to_vec()))
        },
    }),
    builds_first: false,
    starts_by: &[],
    build: None,
    stand_ins: Some(stand_ins),
    imports: &[],
    modules_only: false,
    detect: Detection {
        endings: &["py"],
        ends_with_files: true,
        search: Some(TestSearch {
            files: &["pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"],
            key: "testpaths",
            lists: SearchedPlaces::Folders,
        }),
        applies: |_, _| true,
        command: |tree, file| {
            let (script, config) = python_command(tree, file, "pytest");
            Some((script, config.unwrap_or_else(|| "a Python test".to_owned())))
        },
        ..BASE.detect
    },
    fresh_build: &[],
};

/// `xunit1` because it is the family that names the file of a test. `-x` in a configuration would hide failures, and
/// so would a file that cannot be loaded.
fn report_options(file: &str) -> String {
    format!("--junitxml={} -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors", quote(file))
}

/// Whether the configuration of the project gives options to pytest-cov. Its threshold is about all code, which one test
/// file of many never reaches; coverage that a task promises is measured apart.
fn has_coverage(edits: &ScriptEdits<'_>, call: &RunnerCall<'_>) -> bool {
    let (Some(tree), Some(dir)) = (edits.tree(), call.command.dir.as_deref()) else { return false };
    let read = |name: &str| join(dir, name).and_then(|path| text(tree, &path)).unwrap_or_default();
    let table: toml::Table = read("pyproject.toml").parse().unwrap_or_default();
    let options = || table.get("tool")?.get("pytest")?.get("ini_options")?.get("addopts").cloned();
    let in_toml = options().is_some_and(|options| options.to_string().contains("--cov"));
    let in_ini = |name: &str| {
        let text = read(name);
        let mut sections = text.split("\n[").filter(|section| {
            let head = section.trim_start_matches('[');
            head.starts_with("pytest]") || head.starts_with("tool:pytest]")
        });
        sections.any(|section| section.contains("addopts") && section.contains("--cov"))
    };
    in_toml || ["pytest.ini", ".pytest.ini", "setup.cfg", "tox.ini"].into_iter().any(in_ini)
}

/// The node id that pytest itself would print.
fn node_id(case: &JunitCase) -> String {
    let within = |outer: &str| format!("{outer}::{}", case.name);
    let Some(file) = &case.file else {
        return if case.class.is_empty() { case.name.clone() } else { within(&case.class) };
    };
    if case.class.is_empty() {
        return file.clone();
    }
    let module = file.trim_end_matches(".py").replace('/', ".");
    match case.class.strip_prefix(&module) {
        Some("") => within(file),
        Some(classes) => within(&format!("{file}::{}", classes.trim_start_matches('.').replace('.', "::"))),
        None => within(&case.class),
    }
}

#[cfg(test)]
mod tests;
