//! The rules, their names and their default levels.

use std::fmt;

/// One rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// Ends the process with success.
    Exit,
    /// Ends the process by an exception that a runner may or may not take for a failure.
    SoftExit,
    /// Skips tests from code.
    Skip,
    /// Runs before the program or in place of a function of the system.
    Constructor,
    /// Runs when the process ends.
    AtExit,
    /// Detects that a test is running.
    SniffsTest,
    /// Detects that a test is probably running.
    SniffsPlace,
    /// Uses the test runner from code.
    UsesRunner,
    /// Replaces parts of the runner, of assertions or of the language.
    Patches,
    /// Replaces the program's own output.
    Redirects,
    /// Forges the output of a runner.
    ForgesReport,
    /// Is equal to everything.
    AlwaysEqual,
    /// Ignores a failed assertion.
    CatchesAssertion,
    /// Ignores any failure.
    CatchesAll,
    /// Reads expected results at run time.
    ReadsGolden,
    /// Runs code that is put together at run time.
    DynamicCode,
    /// Turns tests off in a new manifest.
    TestsOff,
    /// Cannot be read: too large or nested too deep.
    Unreadable,
}

/// The level of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strictness {
    /// Not applied.
    Off,
    /// Shown in the evidence.
    Warning,
    /// The change is refused.
    Error,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 18] = [
        Rule::Exit,
        Rule::SoftExit,
        Rule::Skip,
        Rule::Constructor,
        Rule::AtExit,
        Rule::SniffsTest,
        Rule::SniffsPlace,
        Rule::UsesRunner,
        Rule::Patches,
        Rule::Redirects,
        Rule::ForgesReport,
        Rule::AlwaysEqual,
        Rule::CatchesAssertion,
        Rule::CatchesAll,
        Rule::ReadsGolden,
        Rule::DynamicCode,
        Rule::TestsOff,
        Rule::Unreadable,
    ];

    /// Its name in configuration and evidence.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Exit => "exit",
            Rule::SoftExit => "soft-exit",
            Rule::Skip => "skip",
            Rule::Constructor => "constructor",
            Rule::AtExit => "at-exit",
            Rule::SniffsTest => "sniffs-test",
            Rule::SniffsPlace => "sniffs-place",
            Rule::UsesRunner => "uses-runner",
            Rule::Patches => "patches",
            Rule::Redirects => "redirects",
            Rule::ForgesReport => "forges-report",
            Rule::AlwaysEqual => "always-equal",
            Rule::CatchesAssertion => "catches-assertion",
            Rule::CatchesAll => "catches-all",
            Rule::ReadsGolden => "reads-golden",
            Rule::DynamicCode => "dynamic-code",
            Rule::TestsOff => "tests-off",
            Rule::Unreadable => "unreadable",
        }
    }

    /// What the code does, in a few words that fit behind `it`.
    pub fn says(self) -> &'static str {
        match self {
            Rule::Exit => "ends the process with success",
            Rule::SoftExit => "ends the process by an exception",
            Rule::Skip => "skips tests from code",
            Rule::Constructor => "runs before the program, or in place of the system",
            Rule::AtExit => "runs when the process ends",
            Rule::SniffsTest => "detects that a test is running",
            Rule::SniffsPlace => "detects where it runs",
            Rule::UsesRunner => "uses the test runner outside tests",
            Rule::Patches => "replaces parts of the runner or the language",
            Rule::Redirects => "replaces its own output",
            Rule::ForgesReport => "forges the output of a test runner",
            Rule::AlwaysEqual => "is equal to everything",
            Rule::CatchesAssertion => "catches failed assertions",
            Rule::CatchesAll => "catches every failure and drops it",
            Rule::ReadsGolden => "reads expected results at run time",
            Rule::DynamicCode => "runs code that is put together at run time",
            Rule::TestsOff => "turns tests off",
            Rule::Unreadable => "cannot be read: too large or nested too deep",
        }
    }

    /// The default level.
    pub fn default_level(self) -> Strictness {
        match self {
            Rule::SoftExit | Rule::AtExit | Rule::SniffsPlace | Rule::CatchesAll | Rule::Redirects => {
                Strictness::Warning
            }
            Rule::Exit
            | Rule::Skip
            | Rule::Constructor
            | Rule::SniffsTest
            | Rule::UsesRunner
            | Rule::Patches
            | Rule::ForgesReport
            | Rule::AlwaysEqual
            | Rule::CatchesAssertion
            | Rule::ReadsGolden
            | Rule::DynamicCode
            | Rule::TestsOff
            | Rule::Unreadable => Strictness::Error,
        }
    }

    /// The rule with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }
}

/// One place that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trick {
    /// The rule.
    pub rule: Rule,
    /// The file.
    pub path: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The code, on one line, shortened.
    pub code: String,
}

impl fmt::Display for Trick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, path, line, code } = self;
        write!(f, "{path}:{line}: {} [{}]: `{code}`", rule.says(), rule.name())
    }
}
