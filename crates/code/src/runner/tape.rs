//! tape, which prints TAP

use windlass_core::report::Runner;

use super::node_test::{SCRIPT_ENDINGS, called_command};
use super::row::{BASE, Behind, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::report::ReportFormat;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "tape",
    programs: &["tape"],
    idle: Idle { other: &["--help", "-h"], ..BASE.idle },
    report: Some(ReportFacts {
        runner: Runner::Tape,
        format: ReportFormat::TapTitles,
        // A formatter behind a pipe reads what tape prints.
        instrument: |edits, call| {
            edits.copy_output(call);
        },
        behind: Behind::Output { env: &[], works: |_| true },
        junit: JunitNames::PLAIN,
    }),
    builds_first: false,
    imports: &[("test", "tape")],
    detect: Detection {
        endings: SCRIPT_ENDINGS,
        imports: &["tape"],
        dependencies: &["tape"],
        command: |tree, file| Some(called_command(tree, file, "tape")),
        ..BASE.detect
    },
    ..BASE
};

#[cfg(test)]
mod tests;
