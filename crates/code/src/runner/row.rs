//! What the program knows about a test runner: facts and functions, one row per runner.
//!
//! A row starts from [`BASE`] and states what differs.

use windlass_core::report::Runner;

use super::RunnerCall;
use super::opening::TestImport;
use crate::coverage::CoverageFacts;
use crate::repo::Tree;
use crate::report::{JunitCase, ReportFormat};
use crate::script::{ScriptEdits, ShellWord};
use crate::survey::Framework;

/// Everything that differs from runner to runner.
pub(crate) struct RunnerRow {
    /// Its name on the command line.
    pub(crate) name: &'static str,

    /// Programs that are the runner itself.
    pub(crate) programs: &'static [&'static str],
    /// The index of the word behind which its arguments begin, where another program starts it. The number is the index of
    /// that program.
    pub(crate) find: fn(&[ShellWord], usize) -> Option<usize>,
    /// Arguments with which it runs no tests.
    pub(crate) idle: Idle,
    /// Whether these arguments pick tests by their exact names or marks, so that a new test would not run.
    pub(crate) selects_by_name: fn(&[ShellWord]) -> bool,
    /// Where one call runs any number of test files: the options without a value that may stand before them.
    pub(crate) many_files: fn(&RunnerCall<'_>) -> Option<&'static [&'static str]>,

    /// How results are read by name; `None` where only the exit code is known.
    pub(crate) report: Option<ReportFacts>,
    /// The framework of tests that do not show it, as they use names that the runner defines.
    pub(crate) framework: Option<Framework>,
    /// Whether the message of a failed test is that of an assertion, where its words do not say so.
    pub(crate) is_assertion: fn(&str) -> bool,
    /// How coverage is measured, where that is known.
    pub(crate) coverage: Option<CoverageFacts>,
    /// Whether the next run in the same place is quick because of what this one built.
    pub(crate) builds_first: bool,
    /// How the tests are built without being run, where that is a command of its own.
    pub(crate) build: Option<BuildFacts>,
    /// Variables that make a build cheaper whose result is thrown away.
    pub(crate) fresh_build: &'static [(&'static str, &'static str)],

    /// Variables that name a program which is started in place of what the runner has built, with that as its arguments; `{}` is
    /// the program. None where the runner cannot do that, or starts tests before all is built.
    pub(crate) starts_by: &'static [(&'static str, &'static str)],

    /// How it is started with stand-ins for code that is missing, where it can be: the script with this in front, from
    /// the files of the task.
    pub(crate) stand_ins: Option<fn(&[String], StandInAnswer) -> String>,

    /// What a test file has to import to be one; empty where the runner defines what tests use, or the language has no choice.
    pub(crate) imports: &'static [TestImport],
    /// Whether its test files are modules of ECMAScript, whatever the package says.
    pub(crate) modules_only: bool,

    /// How the command for one test file is found.
    pub(crate) detect: Detection,
}

/// How tests are built without being run.
pub(crate) struct BuildFacts {
    /// Changes a call so that it builds what it would run, and runs none of it.
    pub(crate) only: fn(&mut ScriptEdits<'_>, &RunnerCall<'_>),
    /// Whether a build that fails says what the tests would have said: the same messages and the same exit code.
    pub(crate) fails_alike: bool,
}

/// What stand-ins for missing code say when they are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandInAnswer {
    /// Yes.
    Yes,
    /// No.
    No,
}

/// Arguments with which a runner runs no tests.
pub(crate) struct Idle {
    /// First arguments that are a command of their own.
    pub(crate) commands: &'static [&'static str],
    /// Options that list tests, the one to use first.
    pub(crate) list: &'static [&'static str],
    /// Options that only build, the one to use first.
    pub(crate) build: &'static [&'static str],
    /// Help, versions and the like.
    pub(crate) other: &'static [&'static str],
}

impl Idle {
    /// Whether tests run with these arguments.
    pub(super) fn runs_tests(&self, args: &[ShellWord]) -> bool {
        let command = args.first().is_some_and(|word| self.commands.contains(&word.text.as_str()));
        let given = |names: &[&str]| args.iter().any(|word| names.contains(&word.text.as_str()));
        !command && !given(self.list) && !given(self.build) && !given(self.other)
    }
}

/// How the results of a runner are read by name.
pub(crate) struct ReportFacts {
    /// The name under which the results are recorded. Runners that write the same report share it.
    pub(crate) runner: Runner,
    /// How the report is written.
    pub(crate) format: ReportFormat,
    /// Changes a call so that it leaves the report.
    pub(crate) instrument: fn(&mut ScriptEdits<'_>, &RunnerCall<'_>),
    /// How it is reached where a package script, a make target or a shell script starts it.
    pub(crate) behind: Behind,
    /// How its JUnit report names tests.
    pub(crate) junit: JunitNames,
}

/// How a runner is reached that another file of the repository starts.
pub(crate) enum Behind {
    /// Arguments given to a package script reach it.
    Arguments,
    /// A variable of the environment carries its options.
    Variable {
        /// The variable.
        name: &'static str,
        /// The options for a report in this file.
        options: fn(&str) -> String,
        /// Whether the call lets them work.
        works: fn(&[ShellWord]) -> bool,
    },
    /// Its usual output is the report.
    Output {
        /// Variables that keep the output readable.
        env: &'static [(&'static str, &'static str)],
        /// Whether the call prints names.
        works: fn(&[ShellWord]) -> bool,
    },
    /// It cannot be reached.
    Unreachable,
}

/// How a runner's JUnit report names tests and files.
pub(crate) struct JunitNames {
    /// The full name of a case.
    pub(crate) name: fn(&JunitCase) -> String,
    /// Whether a failed case stands for a file that could not be loaded.
    pub(crate) is_whole_file: fn(&JunitCase) -> bool,
    /// Whether an `error` is an exception that came out of a test that ran.
    pub(crate) errors_are_failures: bool,
    /// Whether a case is a program whose own tests stand in its output.
    pub(crate) cases_are_programs: bool,
    /// Whether the total of tests counts sub-tests that passed, which have no case.
    pub(crate) counts_subtests: bool,
}

impl JunitNames {
    /// Class and name as they stand.
    pub(crate) const PLAIN: Self = Self {
        name: JunitCase::plain_name,
        is_whole_file: |_| false,
        errors_are_failures: false,
        cases_are_programs: false,
        counts_subtests: false,
    };
    /// Methods named by their class.
    pub(crate) const METHODS: Self =
        Self { name: JunitCase::method_name, errors_are_failures: true, ..Self::PLAIN };
}

/// How the command for one test file is found. Imports of the file count most, then dependencies, then configuration
/// files, then `applies`.
pub(crate) struct Detection {
    /// Endings of the files it can run.
    pub(crate) endings: &'static [&'static str],
    /// Modules whose import says that a file is run by it.
    pub(crate) imports: &'static [&'static str],
    /// Packages whose presence in a `package.json` selects it.
    pub(crate) dependencies: &'static [&'static str],
    /// Configuration files whose presence selects it.
    pub(crate) configs: &'static [&'static str],
    /// Whether it runs a file about which nothing above says anything.
    pub(crate) applies: fn(&dyn Tree, &str) -> bool,
    /// The command for the file, and the file that led to it.
    pub(crate) command: fn(&dyn Tree, &str) -> Option<(String, String)>,
    /// Whether that command ends with the file, and takes further ones behind it.
    pub(crate) ends_with_files: bool,
    /// Where it is told which files are tests.
    pub(crate) search: Option<TestSearch>,
}

/// Where a runner is told which files are tests.
pub struct TestSearch {
    /// The files with its settings.
    pub files: &'static [&'static str],
    /// The key.
    pub key: &'static str,
    /// What the key lists.
    pub lists: SearchedPlaces,
}

/// What a runner is given to find tests by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchedPlaces {
    /// Folders.
    Folders,
    /// Patterns of paths.
    Patterns,
}

/// A runner about which nothing is known.
pub(crate) const BASE: RunnerRow = RunnerRow {
    name: "",
    programs: &[],
    find: |_, _| None,
    idle: Idle { commands: &[], list: &[], build: &[], other: &["--help", "-h"] },
    selects_by_name: |_| false,
    many_files: |_| None,
    report: None,
    framework: None,
    is_assertion: |_| false,
    coverage: None,
    builds_first: true,
    build: None,
    fresh_build: &[],
    starts_by: &[],
    stand_ins: None,
    imports: &[],
    modules_only: false,
    detect: Detection {
        endings: &[],
        imports: &[],
        dependencies: &[],
        configs: &[],
        applies: |_, _| false,
        command: |_, _| None,
        ends_with_files: false,
        search: None,
    },
};
