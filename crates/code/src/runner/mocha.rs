//! mocha, read by the TAP it prints

use windlass_core::report::Runner;

use super::command_line::has_any;
use super::node_test::{SCRIPT_ENDINGS, called_command};
use super::row::{BASE, Behind, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::report::ReportFormat;
use crate::survey::Framework;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "mocha",
    programs: &["mocha"],
    idle: Idle {
        list: &["--dry-run", "--list-files"],
        other: &["--help", "-h", "--version", "-V"],
        ..BASE.idle
    },
    selects_by_name: |args| has_any(args, &["-g", "--grep"]),
    many_files: |_| Some(&["--exit", "--bail", "-b"]),
    framework: Some(Framework::Mocha),
    report: Some(ReportFacts {
        runner: Runner::Tap,
        format: ReportFormat::Tap,
        instrument: |edits, call| {
            // Mocha takes one reporter only; TAP is the one that both a person and a program can read.
            if !call.has("--reporter") && !call.has("-R") && call.can_copy_output() {
                edits.append(call, "--no-bail --reporter tap");
                edits.copy_output(call);
            }
        },
        behind: Behind::Arguments,
        junit: JunitNames::PLAIN,
    }),
    detect: Detection {
        endings: SCRIPT_ENDINGS,
        dependencies: &["mocha"],
        command: |tree, file| Some(called_command(tree, file, "mocha")),
        ..BASE.detect
    },
    ..BASE
};

#[cfg(test)]
mod tests;
