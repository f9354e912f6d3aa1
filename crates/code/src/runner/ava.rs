//! ava, read by the TAP it prints

use windlass_core::report::Runner;

use super::command_line::has_any;
use super::node_test::{SCRIPT_ENDINGS, called_command};
use super::row::{BASE, Behind, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::report::ReportFormat;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "ava",
    programs: &["ava"],
    idle: Idle { commands: &["debug", "reset-cache"], other: &["--help", "--version"], ..BASE.idle },
    selects_by_name: |args| has_any(args, &["-m", "--match"]),
    report: Some(ReportFacts {
        runner: Runner::Ava,
        format: ReportFormat::Tap,
        instrument: |edits, call| {
            if call.can_copy_output() {
                let tap = if call.has("--tap") || call.has("-t") { "" } else { " --tap" };
                edits.append(call, &format!("--no-fail-fast{tap}"));
                edits.copy_output(call);
            }
        },
        behind: Behind::Arguments,
        junit: JunitNames::PLAIN,
    }),
    builds_first: false,
    imports: &[("test", "ava")],
    modules_only: true,
    detect: Detection {
        endings: SCRIPT_ENDINGS,
        imports: &["ava"],
        dependencies: &["ava"],
        command: |tree, file| Some(called_command(tree, file, "ava")),
        ..BASE.detect
    },
    ..BASE
};

#[cfg(test)]
mod tests;
