//! The rules, their names and their default levels.

use std::fmt;
use windlass_core::worded;

worded! {
    /// One rule.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Rule {
        /// Ends the process with success.
        Exit = "exit",
        /// Ends the process by an exception that a runner may or may not take for a failure.
        SoftExit = "soft-exit",
        /// Skips tests from code.
        Skip = "skip",
        /// Runs before the program or in place of a function of the system.
        Constructor = "constructor",
        /// Runs when the process ends.
        AtExit = "at-exit",
        /// Detects that a test is running.
        SniffsTest = "sniffs-test",
        /// Detects that a test is probably running.
        SniffsPlace = "sniffs-place",
        /// Uses the test runner from code.
        UsesRunner = "uses-runner",
        /// Replaces parts of the runner, of assertions or of the language.
        Patches = "patches",
        /// Puts a module under a name that is only known at run time, as importers do.
        ReplacesModules = "replaces-modules",
        /// Replaces the program's own output.
        Redirects = "redirects",
        /// Forges the output of a runner.
        ForgesReport = "forges-report",
        /// Is equal to everything.
        AlwaysEqual = "always-equal",
        /// Ignores a failed assertion.
        CatchesAssertion = "catches-assertion",
        /// Ignores any failure.
        CatchesAll = "catches-all",
        /// Reads expected results at run time.
        ReadsGolden = "reads-golden",
        /// Runs code that is hidden from the other rules until run time.
        DynamicCode = "dynamic-code",
        /// Runs code that is put together at run time from text that can be read.
        EvaluatesCode = "evaluates-code",
        /// Contains machine code.
        MachineCode = "machine-code",
        /// Turns tests off in a new manifest.
        TestsOff = "tests-off",
        /// Silences a linter or a type checker.
        Suppresses = "suppresses",
        /// Adds a package that the project did not depend on.
        NewDependency = "new-dependency",
        /// Cannot be read: too large or nested too deep.
        Unreadable = "unreadable",
    }
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
            Rule::ReplacesModules => "puts a module under a name that is only known at run time",
            Rule::Redirects => "replaces its own output",
            Rule::ForgesReport => "forges the output of a test runner",
            Rule::AlwaysEqual => "is equal to everything",
            Rule::CatchesAssertion => "catches failed assertions",
            Rule::CatchesAll => "catches every failure and drops it",
            Rule::ReadsGolden => "reads expected results at run time",
            Rule::DynamicCode => "runs code that is hidden until run time",
            Rule::EvaluatesCode => "runs code that is put together at run time",
            Rule::MachineCode => "contains machine code",
            Rule::TestsOff => "turns tests off",
            Rule::Suppresses => "silences a linter or a type checker",
            Rule::NewDependency => "adds a dependency",
            Rule::Unreadable => "cannot be read: too large or nested too deep",
        }
    }

    /// The default level.
    pub fn default_level(self) -> Strictness {
        match self {
            Rule::SoftExit
            | Rule::AtExit
            | Rule::SniffsPlace
            | Rule::CatchesAll
            | Rule::ReplacesModules
            | Rule::Redirects
            | Rule::EvaluatesCode
            | Rule::MachineCode
            | Rule::Suppresses
            | Rule::NewDependency => Strictness::Warning,
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
        Self::ALL.into_iter().find(|rule| rule.as_str() == name)
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
        write!(f, "{path}:{line}: {} [{}]: `{code}`", rule.says(), rule.as_str())
    }
}
