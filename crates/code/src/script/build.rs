//! The build of the tests that a script runs, as a script of its own: with its own limit, and timed apart.

use super::instrument::{Instrumented, ScriptEdits};
use super::shell::{Separator, ShellScript, SimpleCommand};
use crate::repo::Tree;
use crate::runner::{RunnerCall, base_name, runner_call};

/// A script that builds what another one runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildStep {
    /// What to run before the other one, in the same place. That it passes says nothing.
    pub run: Instrumented,
    /// Whether its failure is the failure of the tests: it is the same command, with the same reports, and ends before the
    /// first test.
    pub fails_alike: bool,
}

/// The build of a script, where it calls runners that can build apart, and nothing besides that one would not start twice.
pub fn build_step(tree: &dyn Tree, script: &str, report_dir: &str) -> Option<BuildStep> {
    let commands = ShellScript::parse(script).commands;
    let calls: Vec<Option<RunnerCall<'_>>> = commands.iter().map(runner_call).collect();
    let known = commands.iter().zip(&calls).all(|(command, call)| {
        let in_order = |at| matches!(at, Separator::Line | Separator::Semicolon | Separator::And);
        let builds = |call: &RunnerCall<'_>| call.row.build.is_some();
        let fits = call.as_ref().map_or_else(|| prepares(command), builds);
        fits && !command.conditional && in_order(command.before) && in_order(command.after)
    });
    let calls: Vec<&RunnerCall<'_>> = calls.iter().flatten().collect();
    if !known || calls.is_empty() {
        return None;
    }
    // With a second call the tests of the first would have run before its build.
    let fails_alike = calls.len() == 1
        && calls.iter().all(|call| call.row.build.as_ref().is_some_and(|build| build.fails_alike));
    let mut edits = ScriptEdits::new(Some(tree), report_dir);
    for call in calls {
        if fails_alike {
            (call.report.instrument)(&mut edits, call);
        }
        (call.row.build.as_ref()?.only)(&mut edits, call);
    }
    Some(BuildStep { run: edits.applied_to(script), fails_alike })
}

/// Whether a command only goes somewhere, sets something or builds.
fn prepares(command: &SimpleCommand) -> bool {
    let mut words = command.words.iter().skip_while(|word| word.is_assignment());
    words.next().is_none_or(|word| matches!(base_name(word), "cd" | "export" | "set" | "cmake"))
}

#[cfg(test)]
mod tests;
