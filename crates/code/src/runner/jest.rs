//! jest

use windlass_core::report::Runner;

use super::command_line::has_any;
use super::node_test::{SCRIPT_ENDINGS, called_command};
use super::row::{
    BASE, Behind, Detection, Idle, JunitNames, ReportFacts, RunnerRow, SearchedPlaces, TestSearch,
};
use crate::coverage::{CoverageFacts, CoverageFormat, append_to_last};
use crate::report::{Need, ReportFormat};
use crate::script::quote;
use crate::survey::Framework;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "jest",
    programs: &["jest"],
    idle: Idle {
        list: &["--listTests"],
        other: &["--help", "-h", "--version", "--showConfig", "--init", "--clearCache"],
        ..BASE.idle
    },
    selects_by_name: |args| has_any(args, &["-t", "--testNamePattern"]),
    many_files: |_| {
        Some(&["--runInBand", "-i", "--ci", "--silent", "--verbose", "--no-cache", "--forceExit"])
    },
    framework: Some(Framework::Jest),
    report: Some(ReportFacts {
        runner: Runner::Jest,
        format: ReportFormat::JestJson,
        instrument: |edits, call| {
            // Jest names files by absolute path, so the directory it starts in is noted beside its report.
            let file = edits.expect(call.report, Need::Required);
            let root = quote(&format!("{file}.root"));
            // A threshold for all code can never be met by one test file of many, and every failure is wanted.
            let whole = "--coverage=false --bail=0";
            edits.append(call, &format!("{whole} --json --outputFile={}$(pwd -P >{root})", quote(&file)));
        },
        behind: Behind::Arguments,
        junit: JunitNames::PLAIN,
    }),
    coverage: Some(CoverageFacts {
        tool: "jest --coverage",
        format: CoverageFormat::Lcov,
        file: "lcov.info",
        measure: |script, dir, _| {
            let options = "--coverage --coverageReporters=lcovonly --coverageDirectory";
            append_to_last(script, &format!("{options}={}", quote(dir)))
        },
    }),
    builds_first: false,
    detect: Detection {
        endings: SCRIPT_ENDINGS,
        search: Some(TestSearch {
            files: &[
                "jest.config.js",
                "jest.config.ts",
                "jest.config.mjs",
                "jest.config.cjs",
                "jest.config.json",
                "package.json",
            ],
            key: "testMatch",
            lists: SearchedPlaces::Patterns,
        }),
        imports: &["@jest/globals"],
        dependencies: &["jest", "ts-jest"],
        configs: &["jest.config.js", "jest.config.ts", "jest.config.cjs", "jest.config.mjs"],
        command: |tree, file| Some(called_command(tree, file, "jest")),
        ..BASE.detect
    },
    ..BASE
};

#[cfg(test)]
mod tests;
