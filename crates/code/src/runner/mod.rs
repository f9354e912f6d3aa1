//! The test runners: one file each, collected in one list.
//!
//! A new runner is its file here and its line in [`RUNNERS`]; where it writes a report of its own kind, also a variant of
//! [`Runner`] and a reader in `report`. Everything else asks the row, so few other files distinguish runners.
//!
//! A row says how a command line is recognised, which options run no tests (`idle`: it lists, builds or prints help),
//! how the runner is made to leave a report, how coverage is measured, and which command runs one test file.

mod absent_source;
mod ava;
mod bats;
mod bun;
mod cargo_test;
mod command_line;
mod ctest;
mod dotnet;
mod go_test;
mod gradle;
mod jest;
mod make;
mod maven;
mod minitest;
mod mocha;
mod nextest;
mod node_build;
mod node_options;
mod node_tap;
mod node_test;
mod opening;
mod package_script;
mod phpunit;
mod playwright;
mod pytest;
mod python;
mod row;
mod rspec;
mod shell_test;
mod tape;
#[cfg(test)]
mod tests;
mod unittest;
mod uvu;
mod vitest;

use windlass_core::report::Runner;

pub use absent_source::without_sources;
pub use cargo_test::lint_cap;
pub(crate) use command_line::{base_name, past_wrappers, without_threshold};
pub(crate) use make::{MAKEFILES, recipe};
pub(crate) use node_build::builds_package;
pub(crate) use opening::undefined_global;
pub use opening::{TestOpening, test_opening};
pub(crate) use row::{Behind, JunitNames, ReportFacts, RunnerRow};
pub use row::{SearchedPlaces, StandInAnswer, TestSearch};

use crate::script::{ShellWord, SimpleCommand};

/// Every runner. Of several that can run a file, the first that applies runs it.
pub(crate) static RUNNERS: &[RunnerRow] = &[
    unittest::ROW,
    pytest::ROW,
    nextest::ROW,
    cargo_test::ROW,
    vitest::ROW,
    jest::ROW,
    mocha::ROW,
    uvu::ROW,
    ava::ROW,
    node_tap::ROW,
    tape::ROW,
    playwright::ROW,
    bun::ROW,
    package_script::ROW,
    node_test::ROW,
    go_test::ROW,
    rspec::ROW,
    minitest::ROW,
    phpunit::ROW,
    gradle::ROW,
    maven::ROW,
    dotnet::ROW,
    ctest::ROW,
    make::ROW,
    bats::ROW,
    shell_test::ROW,
];

/// The row of the runner that a report names; of runners that share a report, the first.
pub(crate) fn row(runner: Runner) -> &'static RunnerRow {
    let known = |row: &&RunnerRow| row.report.as_ref().is_some_and(|report| report.runner == runner);
    RUNNERS.iter().find(known).unwrap_or(&row::BASE)
}

/// The packages that bring a runner, each the first of those that select it.
pub(crate) fn packages_of_runners() -> impl Iterator<Item = &'static str> {
    RUNNERS.iter().filter_map(|row| row.detect.dependencies.first().copied())
}

/// Where the runners that can run a file are told which files are tests.
pub fn test_searches(path: &str) -> impl Iterator<Item = &'static TestSearch> {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let can_run = move |row: &&RunnerRow| row.detect.endings.contains(&ending);
    RUNNERS.iter().filter(can_run).filter_map(|row| row.detect.search.as_ref())
}

/// Whether the next run in the same place is quick because of what the runner built for this one. A run beside it would
/// build everything twice.
pub fn builds_first(runner: Runner) -> bool {
    row(runner).builds_first
}

/// Variables that make builds cheaper whose results are thrown away, of every runner.
pub fn fresh_build_variables() -> impl Iterator<Item = (&'static str, &'static str)> {
    RUNNERS.iter().flat_map(|row| row.fresh_build).copied()
}

/// The script with stand-ins for what the task's files are to provide, where the runner can have them.
pub fn with_stand_ins(
    script: &str,
    runner: Runner,
    owned: &[String],
    answer: StandInAnswer,
) -> Option<String> {
    let prepare = row(runner).stand_ins?;
    Some(format!("{}\n{script}", prepare(owned, answer)))
}

/// A runner in a command.
pub(crate) struct RunnerCall<'a> {
    pub(crate) row: &'static RunnerRow,
    pub(crate) report: &'static ReportFacts,
    pub(crate) command: &'a SimpleCommand,
    /// The index of the word behind which the runner's own arguments begin.
    pub(crate) at: usize,
    /// The runner's own arguments.
    pub(crate) args: Vec<ShellWord>,
    /// What has to stand before arguments that go through a package script; `None` where the command calls the runner.
    pub(crate) through: Option<String>,
}

impl RunnerCall<'_> {
    /// Whether an option is given, by itself or with a value behind `=`.
    pub(crate) fn has(&self, name: &str) -> bool {
        command_line::has_option(&self.args, name)
    }

    /// Whether its output can be copied: the script does not send it elsewhere.
    pub(crate) fn can_copy_output(&self) -> bool {
        let moved = self.command.redirects.iter().find(|redirect| redirect.moves_stdout());
        moved.is_none_or(|moved| moved.target.fixed && moved.target.text == "/dev/null")
    }

    /// Whether the command picks tests by their exact names or marks.
    pub(crate) fn selects_by_name(&self) -> bool {
        (self.row.selects_by_name)(&self.args)
    }
}

/// The runner that a command starts, if it runs tests and its report can be read.
pub(crate) fn runner_call(command: &SimpleCommand) -> Option<RunnerCall<'_>> {
    let words = command.words.as_slice();
    let start = past_wrappers(words, 0);
    let program = base_name(words.get(start)?);
    RUNNERS.iter().find_map(|row| {
        let report = row.report.as_ref()?;
        let at = if row.programs.contains(&program) { start } else { (row.find)(words, start)? };
        let args = words[at + 1..].to_vec();
        let call = RunnerCall { row, report, command, at, args, through: None };
        row.idle.runs_tests(&call.args).then_some(call)
    })
}
