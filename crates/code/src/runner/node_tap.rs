//! tap, also called node-tap

use windlass_core::report::Runner;

use super::RunnerCall;
use super::command_line::has_any;
use super::node_test::{SCRIPT_ENDINGS, package_command};
use super::row::{BASE, Behind, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::detect::json;
use crate::report::ReportFormat;
use crate::script::ScriptEdits;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "tap",
    programs: &["tap"],
    idle: Idle {
        commands: &[
            "list", "config", "versions", "plugin", "repl", "report", "replay", "debug", "help", "build",
        ],
        other: &["--help", "-h", "--version", "-v", "--versions", "--dump-config"],
        ..BASE.idle
    },
    selects_by_name: |args| has_any(args, &["-g", "--grep"]),
    report: Some(ReportFacts {
        runner: Runner::NodeTap,
        format: ReportFormat::TapSubtests,
        instrument,
        behind: Behind::Arguments,
        junit: JunitNames::PLAIN,
    }),
    builds_first: false,
    imports: &[("t", "tap")],
    detect: Detection {
        endings: SCRIPT_ENDINGS,
        imports: &["tap"],
        dependencies: &["tap"],
        configs: &[".taprc"],
        command: |tree, file| Some(package_command(tree, file, "npx --no-install tap")),
        ..BASE.detect
    },
    ..BASE
};

/// tap fails a run for missing coverage, which one test file of many can never reach.
fn instrument(edits: &mut ScriptEdits<'_>, call: &RunnerCall<'_>) {
    if call.has("--reporter")
        || call.args.iter().any(|arg| arg.text.starts_with("-R"))
        || !call.can_copy_output()
    {
        return;
    }
    let coverage = if is_before_18(edits, call) { "--no-check-coverage" } else { "--disable-coverage" };
    edits.append(call, &format!("--reporter=tap --no-bail {coverage}"));
    edits.copy_output(call);
}

/// Whether the package asks for a version that has other options.
fn is_before_18(edits: &ScriptEdits<'_>, call: &RunnerCall<'_>) -> bool {
    let dir = call.command.dir.as_deref().unwrap_or_default();
    let path = if dir.is_empty() { "package.json".to_owned() } else { format!("{dir}/package.json") };
    let manifest = edits.tree().and_then(|tree| json(tree, &path));
    let asked = manifest.and_then(|manifest| {
        let mut lists =
            ["devDependencies", "dependencies"].iter().filter_map(|list| manifest.get(list)?.get("tap"));
        lists.find_map(|version| version.as_str().map(str::to_owned))
    });
    let digits = |version: String| {
        let from = version.trim_start_matches(|c: char| !c.is_ascii_digit());
        from.split(|c: char| !c.is_ascii_digit()).next().and_then(|major| major.parse::<u32>().ok())
    };
    asked.and_then(digits).is_some_and(|major| major < 18)
}

#[cfg(test)]
mod tests;
