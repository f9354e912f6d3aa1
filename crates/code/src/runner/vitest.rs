//! vitest

use windlass_core::report::Runner;

use super::command_line::has_any;
use super::node_test::{SCRIPT_ENDINGS, called_command};
use super::row::{BASE, Behind, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::coverage::{CoverageFacts, CoverageFormat, append_to_last};
use crate::report::{JunitCase, Need, ReportFormat};
use crate::script::quote;

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
    detect: Detection {
        endings: SCRIPT_ENDINGS,
        imports: &["vitest"],
        dependencies: &["vitest"],
        configs: &["vitest.config.ts", "vitest.config.js", "vitest.config.mts", "vitest.config.mjs"],
        command: |tree, file| Some(called_command(tree, file, "vitest run")),
        ..BASE.detect
    },
    ..BASE
};

#[cfg(test)]
mod tests;
