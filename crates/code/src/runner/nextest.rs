//! cargo nextest

use windlass_core::report::Runner;

use super::RunnerCall;
use super::cargo_test::{
    LLVM_COV, RUNNER_VARIABLES, cargo_command, cargo_command_for, lint_cap, llvm_cov, selects_exactly,
};
use super::command_line::{past_options, text};
use super::row::{BASE, Behind, BuildFacts, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::coverage::CoverageFacts;
use crate::detect::in_dir;
use crate::language::cargo_root;
use crate::report::ReportFormat;
use crate::script::ScriptEdits;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "cargo nextest",
    find: |words, start| {
        let at = cargo_command(words, start).filter(|at| text(words, *at) == "nextest")?;
        let values = ["--color", "--config-file", "--manifest-path", "-P", "--profile"];
        let run = past_options(words, at + 1, &values);
        matches!(text(words, run), "run" | "r").then_some(run)
    },
    starts_by: RUNNER_VARIABLES,
    idle: Idle { build: &["--no-run"], ..BASE.idle },
    selects_by_name: selects_exactly,
    build: Some(BuildFacts { only: build_only, fails_alike: false }),
    report: Some(ReportFacts {
        runner: Runner::Nextest,
        format: ReportFormat::NextestJson,
        instrument: |edits, call| {
            if !call.has("--message-format") && edits.copy_output(call) {
                // A profile may stop at the first failure, or run a failed test again until it passes.
                let own = ["--fail-fast", "--ff", "--no-fail-fast", "--nff", "--max-fail"];
                let all = if own.iter().any(|name| call.has(name)) { "" } else { " --no-fail-fast" };
                let once = if call.has("--retries") { "" } else { " --retries 0" };
                edits.insert_behind_runner(call, &format!("{all}{once} --message-format libtest-json"));
                edits.set_env("NEXTEST_EXPERIMENTAL_LIBTEST_JSON", "1");
                if let Some((name, value)) = edits.tree().and_then(lint_cap) {
                    edits.set_env(name, value);
                }
            }
        },
        behind: Behind::Unreachable,
        junit: JunitNames::PLAIN,
    }),
    coverage: Some(CoverageFacts {
        measure: |script, _, report| {
            llvm_cov(script, ("cargo nextest run", "cargo llvm-cov nextest"), report)
        },
        ..LLVM_COV
    }),
    detect: Detection {
        endings: &["rs"],
        applies: |tree, file| {
            cargo_root(tree, file).is_some_and(|root| tree.has(&in_dir(&root, ".config/nextest.toml")))
        },
        command: |tree, file| cargo_command_for(tree, file, "cargo nextest run"),
        ..BASE.detect
    },
    ..BASE
};

/// `--no-run`, without the options about running that it cannot stand beside.
fn build_only(edits: &mut ScriptEdits<'_>, call: &RunnerCall<'_>) {
    const ALONE: [&str; 5] = ["--fail-fast", "--ff", "--no-fail-fast", "--nff", "--no-capture"];
    const WITH_VALUE: [&str; 7] =
        ["--max-fail", "--retries", "-j", "--jobs", "--test-threads", "--no-tests", "--run-ignored"];
    edits.leave_out(call, &ALONE, &WITH_VALUE);
    edits.insert_behind_runner(call, " --no-run");
    if let Some((name, value)) = edits.tree().and_then(lint_cap) {
        edits.set_env(name, value);
    }
}

#[cfg(test)]
mod tests;
