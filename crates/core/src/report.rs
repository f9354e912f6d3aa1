//! The results of a test run, by test name. Produced by the report readers, stored in evidence.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The program that ran the tests, where it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Runner {
    /// `pytest`
    Pytest,
    /// `cargo test`
    CargoTest,
    /// `cargo nextest`
    Nextest,
    /// `vitest`
    Vitest,
    /// `jest`
    Jest,
    /// `node --test`
    NodeTest,
    /// `go test`
    GoTest,
    /// `python -m unittest`
    Unittest,
    /// `rspec`
    Rspec,
    /// minitest and test-unit: a Ruby file of tests, or `rails test`
    Minitest,
    /// `phpunit` and `pest`
    Phpunit,
    /// `ctest`
    Ctest,
    /// anything that leaves JUnit XML: Maven, Gradle
    Junit,
    /// `uvu`
    Uvu,
    /// `ava`
    Ava,
    /// `tap`, node-tap
    NodeTap,
    /// `tape`
    Tape,
    /// anything else that prints TAP
    Tap,
}

/// The result of one test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TestOutcome {
    /// It ran and its assertions held.
    Passed,
    /// It ran and an assertion failed.
    Failed,
    /// It did not reach its assertions (set-up, import, panic outside a test).
    Errored,
    /// It did not run.
    Skipped,
}

/// The structured result of one run: every test by its exact name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestReport {
    /// The runner that produced it.
    pub runner: Runner,
    /// Outcome by name. A name that occurred twice is listed in `duplicates` and keeps the worse outcome.
    pub tests: BTreeMap<String, TestOutcome>,
    /// Names that occurred more than once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<String>,
    /// Messages about tests that did not pass, by name. Read to judge a failure, not kept.
    #[serde(skip)]
    pub messages: BTreeMap<String, String>,
}

impl TestReport {
    /// An empty report of `runner`.
    pub fn new(runner: Runner) -> Self {
        Self { runner, tests: BTreeMap::new(), duplicates: Vec::new(), messages: BTreeMap::new() }
    }

    /// Adds one result; a second result of the same name is a duplicate and the worse one stays.
    pub fn record(&mut self, name: impl Into<String>, outcome: TestOutcome) {
        let name = name.into();
        match self.tests.get_mut(&name) {
            None => {
                self.tests.insert(name, outcome);
            }
            Some(kept) => {
                if rank(outcome) > rank(*kept) {
                    *kept = outcome;
                }
                if !self.duplicates.contains(&name) {
                    self.duplicates.push(name);
                }
            }
        }
    }

    /// Takes over the results of another call of the same script. A name that both report is not a duplicate (a
    /// script may well run a test twice); the worse outcome stays.
    pub fn absorb(&mut self, other: Self) {
        for (name, outcome) in other.tests {
            let kept = self.tests.entry(name).or_insert(outcome);
            if rank(outcome) > rank(*kept) {
                *kept = outcome;
            }
        }
        self.messages.extend(other.messages);
        for name in other.duplicates {
            if !self.duplicates.contains(&name) {
                self.duplicates.push(name);
            }
        }
    }

    /// The names with a given outcome, in order.
    pub fn names(&self, outcome: TestOutcome) -> impl Iterator<Item = &str> {
        self.tests.iter().filter(move |(_, o)| **o == outcome).map(|(n, _)| n.as_str())
    }

    /// How many tests had this outcome.
    pub fn count(&self, outcome: TestOutcome) -> usize {
        self.names(outcome).count()
    }
}

fn rank(outcome: TestOutcome) -> u8 {
    match outcome {
        TestOutcome::Passed => 0,
        TestOutcome::Skipped => 1,
        TestOutcome::Failed => 2,
        TestOutcome::Errored => 3,
    }
}

#[cfg(test)]
mod tests;
