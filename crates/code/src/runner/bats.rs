//! bats, and any other script that prints TAP

use windlass_core::report::Runner;

use super::row::{BASE, Behind, Detection, JunitNames, ReportFacts, RunnerRow};
use crate::report::ReportFormat;
use crate::script::quote;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "bats",
    report: Some(ReportFacts {
        runner: Runner::Tap,
        format: ReportFormat::Tap,
        // TAP in the output of any script is read without a change of the script.
        instrument: |_, _| {},
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
