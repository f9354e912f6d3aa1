//! The build of the tests that a script runs, as a script of its own: with its own limit, and timed apart.

use super::indirect::look_through;
use super::instrument::{Instrumented, ScriptEdits, instrument_in};
use super::shell::{Separator, ShellScript, SimpleCommand};
use crate::repo::Tree;
use crate::runner::{RunnerCall, base_name, builds_package, runner_call};

/// A script that builds what another one runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildStep {
    /// What to run before the other one, in the same place. That it passes says nothing.
    pub run: Instrumented,
    /// Whether its failure is the failure of the tests: it is the same command, with the same reports, and ends before the
    /// first test.
    pub fails_alike: bool,
    /// The script to run afterwards where that is not the whole one: without the commands that have built.
    pub tests: Option<String>,
}

/// The build of a script: what it calls before its runner, or what its runners build by themselves.
pub fn build_step(tree: &dyn Tree, script: &str, report_dir: &str) -> Option<BuildStep> {
    let parsed = ShellScript::parse(script);
    built_before(tree, script, &parsed, report_dir)
        .or_else(|| built_by_runners(tree, script, &parsed.commands, report_dir))
}

/// A script that builds a package and then runs its tests: `npm run build && npx mocha`. It is divided, and each part runs once.
fn built_before(tree: &dyn Tree, script: &str, parsed: &ShellScript, report_dir: &str) -> Option<BuildStep> {
    let commands = &parsed.commands;
    let runs =
        |command: &SimpleCommand| runner_call(command).is_some() || !look_through(tree, command).is_empty();
    let builds = |command: &SimpleCommand| {
        is_in_order(command) && command.redirects.is_empty() && builds_package(command) && !runs(command)
    };
    let (front, tests) = commands.split_at(commands.iter().position(runs)?);
    let known = |command: &SimpleCommand| builds(command) || (is_in_order(command) && prepares(command));
    if parsed.is_compound || !front.iter().all(known) {
        return None;
    }
    let words = |command: &SimpleCommand| {
        let texts: Vec<String> = command.words.iter().map(|word| word.text.clone()).collect();
        (texts, command.dir.clone())
    };
    let built: Vec<_> = front.iter().filter(|command| builds(command)).map(words).collect();
    let start = |command: &SimpleCommand| command.words.first().map(|word| word.range.start);
    let mut rest = ScriptEdits::new(None, report_dir);
    // The command of a second test file builds the same once more.
    for pair in commands.windows(2).filter(|pair| builds(&pair[0]) && built.contains(&words(&pair[0]))) {
        rest.replace(start(&pair[0])?..start(&pair[1])?, String::new());
    }
    let run = Instrumented {
        script: format!("{}true", &script[..start(tests.first()?)?]),
        env: Vec::new(),
        expects: instrument_in(tree, script, report_dir).expects,
    };
    let tests = rest.applied_to(script).script;
    (!built.is_empty()).then_some(BuildStep { run, fails_alike: true, tests: Some(tests) })
}

/// Whether a command is always run, after the one before it has passed.
fn is_in_order(command: &SimpleCommand) -> bool {
    let in_order = |at| matches!(at, Separator::Line | Separator::Semicolon | Separator::And);
    !command.conditional && in_order(command.before) && in_order(command.after)
}

/// A script whose runners can build apart, and that calls nothing besides that one would not start twice.
fn built_by_runners(
    tree: &dyn Tree,
    script: &str,
    commands: &[SimpleCommand],
    report_dir: &str,
) -> Option<BuildStep> {
    let calls: Vec<Option<RunnerCall<'_>>> = commands.iter().map(runner_call).collect();
    let known = commands.iter().zip(&calls).all(|(command, call)| {
        let builds = |call: &RunnerCall<'_>| call.row.build.is_some();
        call.as_ref().map_or_else(|| prepares(command), builds) && is_in_order(command)
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
    Some(BuildStep { run: edits.applied_to(script), fails_alike, tests: None })
}

/// Whether a command only goes somewhere, sets something or builds.
fn prepares(command: &SimpleCommand) -> bool {
    let mut words = command.words.iter().skip_while(|word| word.is_assignment());
    words.next().is_none_or(|word| matches!(base_name(word), "cd" | "export" | "set" | "cmake"))
}

#[cfg(test)]
mod tests;
