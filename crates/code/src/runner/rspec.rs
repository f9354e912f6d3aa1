//! rspec

use windlass_core::report::Runner;

use super::command_line::has_any;
use super::minitest::bundled;
use super::row::{BASE, Behind, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::report::{Need, ReportFormat};
use crate::script::quote;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "rspec",
    programs: &["rspec"],
    idle: Idle { list: &["--dry-run"], other: &["--init", "-h", "--help", "-v", "--version"], ..BASE.idle },
    selects_by_name: |args| {
        has_any(args, &["-e", "--example"]) || args.iter().any(|arg| arg.text.contains(".rb:"))
    },
    many_files: |_| Some(&["--fail-fast", "--color", "--no-color"]),
    report: Some(ReportFacts {
        runner: Runner::Rspec,
        format: ReportFormat::RspecJson,
        instrument: |edits, call| {
            // An explicit formatter replaces the default one, so the default is requested too.
            let own = call.has("--format") || call.args.iter().any(|arg| arg.text.starts_with("-f"));
            let usual = if own { "" } else { "--format progress " };
            let file = quote(&edits.expect(call.report, Need::Required));
            edits.append(call, &format!("{usual}--format json --out {file}"));
        },
        behind: Behind::Unreachable,
        junit: JunitNames::PLAIN,
    }),
    builds_first: false,
    detect: Detection {
        endings: &["rb"],
        applies: |_, file| file.ends_with("_spec.rb"),
        command: |tree, file| Some(bundled(tree, file, |_, bundle| format!("{bundle}rspec"))),
        ..BASE.detect
    },
    ..BASE
};

#[cfg(test)]
mod tests;
