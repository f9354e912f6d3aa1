//! bats, which prints TAP

use windlass_core::report::Runner;

use super::command_line::has_any;
use super::row::{BASE, Behind, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::report::ReportFormat;
use crate::script::quote;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "bats",
    programs: &["bats"],
    idle: Idle { list: &["-c", "--count"], other: &["--help", "-h", "--version", "-v"], ..BASE.idle },
    selects_by_name: |args| has_any(args, &["-f", "--filter"]),
    many_files: |_| Some(&["--tap", "-t"]),
    report: Some(ReportFacts {
        runner: Runner::Tap,
        format: ReportFormat::Tap,
        // TAP in the output of any other script is read without a change of the script.
        instrument: |edits, call| {
            let named = has_any(&call.args, &["-F", "--formatter", "-p", "--pretty", "--tap", "-t"]);
            if !named && call.can_copy_output() {
                edits.insert_behind_runner(call, " --tap");
            }
            if !has_any(&call.args, &["-F", "--formatter", "-p", "--pretty"]) {
                edits.copy_output(call);
            }
        },
        behind: Behind::Unreachable,
        junit: JunitNames::PLAIN,
    }),
    detect: Detection {
        endings: &["bats"],
        applies: |_, _| true,
        command: |_, file| Some((format!("bats --tap {}", quote(file)), "a bats file".to_owned())),
        ..BASE.detect
    },
    ..BASE
};

#[cfg(test)]
mod tests;
