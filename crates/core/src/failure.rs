//! Why an attempt failed. An enum, never a string: the ladder decides by it.

use serde::{Deserialize, Serialize};

use crate::team::{Issue, same_issues};

/// Which budget ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Budget {
    /// The attempt's time.
    Attempt,
    /// The step's time.
    Step,
    /// The verification's time.
    Verification,
    /// The time without any output.
    Idle,
}

/// Which gate of green said no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// The set-up command.
    Setup,
    /// The type checker.
    TypeCheck,
    /// The task's own tests.
    Tests,
    /// The linter on changed files.
    Lint,
    /// Exported names against the contract.
    Contract,
    /// The coverage target.
    Coverage,
    /// Tests of completed tasks whose files intersect.
    Neighbours,
    /// `verify.suite`.
    Suite,
    /// Nothing the verification ran may change tracked files.
    Purity,
    /// Rules against changes that cheat the tests, such as ending the test process.
    Rules,
    /// Tests the agent never saw.
    HeldOut,
    /// Tests that must fail: they expose a runner that reports success for everything.
    Canaries,
}

impl Gate {
    /// Its name for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Gate::Setup => "set-up",
            Gate::TypeCheck => "type check",
            Gate::Tests => "tests",
            Gate::Lint => "lint",
            Gate::Contract => "contract",
            Gate::Coverage => "coverage",
            Gate::Neighbours => "neighbours",
            Gate::Suite => "suite",
            Gate::Purity => "purity",
            Gate::Rules => "rules",
            Gate::HeldOut => "held-out tests",
            Gate::Canaries => "canaries",
        }
    }
}

/// Why an attempt failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "failure", rename_all = "kebab-case")]
pub enum Failure {
    /// The agent could not be started.
    Spawn {
        /// What the system said.
        message: String,
    },
    /// The agent ended with an error.
    AgentError {
        /// What it said.
        message: String,
    },
    /// The provider cannot serve the agent now: a rate limit, a quota or an outage. Pauses the provider; costs no attempt.
    RateLimited {
        /// The agent.
        agent: String,
        /// Seconds to wait, where it said so.
        retry_after_seconds: Option<u64>,
        /// For an outage (an error of the server, a connection refused or cut): what was reported.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outage: Option<String>,
    },
    /// Nothing was changed.
    NoChange,
    /// Files were changed that the task does not own, or in a way that is never taken.
    OutOfScope {
        /// The paths, each with what is wrong with it.
        paths: Vec<String>,
    },
    /// Files other than tests were written in the turn for tests.
    CodeBeforeTests {
        /// The paths.
        paths: Vec<String>,
    },
    /// The new test does not fail.
    NotRed {
        /// What it did instead.
        reason: String,
        /// Whether the plan wrote the test: then only a person can change it.
        #[serde(default)]
        by_plan: bool,
    },
    /// The test fails, but not because of what the task is to provide.
    WrongRed {
        /// What it fails for.
        reason: String,
        /// Whether the plan wrote the test: then only a person can change it.
        #[serde(default)]
        by_plan: bool,
    },
    /// A gate of green said no.
    TestsFailed {
        /// Which gate.
        gate: Gate,
        /// The failing tests, where they are known.
        failed: Vec<String>,
        /// What is wrong, in one line.
        summary: String,
        /// What the command printed, as much as the next agent needs.
        excerpt: String,
    },
    /// A frozen file was changed.
    FrozenChanged {
        /// The paths.
        paths: Vec<String>,
    },
    /// A budget ran out.
    Timeout {
        /// Which.
        budget: Budget,
        /// How long it was.
        seconds: u64,
    },
    /// It does not merge with what was merged meanwhile.
    Conflict {
        /// The paths.
        paths: Vec<String>,
    },
    /// The agent says that the tests contradict the specification. A good outcome: a person decides.
    SpecContradiction {
        /// Its words.
        reason: String,
    },
    /// The agent needs files that it may not have.
    NeedsFiles {
        /// Each file with its owner.
        files: Vec<(String, String)>,
    },
    /// Something outside the agent's reach fails, such as a set-up command on the untouched base.
    Environment {
        /// What.
        message: String,
    },
    /// A reviewer said no.
    Rejected {
        /// What is wrong.
        issues: Vec<Issue>,
    },
}

impl Failure {
    /// Its name in output and statistics.
    pub fn kind(&self) -> &'static str {
        match self {
            Failure::Spawn { .. } => "spawn",
            Failure::AgentError { .. } => "agent-error",
            Failure::RateLimited { .. } => "rate-limited",
            Failure::NoChange => "no-change",
            Failure::OutOfScope { .. } => "out-of-scope",
            Failure::CodeBeforeTests { .. } => "code-before-tests",
            Failure::NotRed { .. } => "not-red",
            Failure::WrongRed { .. } => "red-for-the-wrong-reason",
            Failure::TestsFailed { .. } => "tests-failed",
            Failure::FrozenChanged { .. } => "frozen-changed",
            Failure::Timeout { .. } => "timeout",
            Failure::Conflict { .. } => "conflict",
            Failure::SpecContradiction { .. } => "spec-contradiction",
            Failure::NeedsFiles { .. } => "needs-files",
            Failure::Environment { .. } => "environment",
            Failure::Rejected { .. } => "rejected",
        }
    }

    /// What happened, in one line for people.
    pub fn summary(&self) -> String {
        match self {
            Failure::Spawn { message } => format!("the agent could not be started: {message}"),
            Failure::AgentError { message } => format!("the agent ended with an error: {message}"),
            Failure::RateLimited { agent, outage: None, .. } => format!("`{agent}` is rate-limited"),
            Failure::RateLimited { agent, outage: Some(why), .. } => {
                format!("the provider of `{agent}` is unavailable: {why}")
            }
            Failure::NoChange => "the agent changed nothing".into(),
            Failure::OutOfScope { paths } => format!("changed outside its files: {}", list(paths)),
            Failure::CodeBeforeTests { paths } => {
                format!("more than tests in the turn for tests: {}", list(paths))
            }
            Failure::NotRed { reason, .. } => format!("the test is not red: {reason}"),
            Failure::WrongRed { reason, .. } => format!("the test is red for the wrong reason: {reason}"),
            Failure::TestsFailed { gate, failed, summary, .. } if failed.is_empty() => {
                format!("{}: {summary}", gate.as_str())
            }
            Failure::TestsFailed { gate, failed, .. } => {
                format!("{}: {} failed", gate.as_str(), list(failed))
            }
            Failure::FrozenChanged { paths } => format!("changed frozen tests: {}", list(paths)),
            Failure::Timeout { budget, seconds } => {
                let what = match budget {
                    Budget::Attempt => "the attempt",
                    Budget::Step => "a step",
                    Budget::Verification => "the verification",
                    Budget::Idle => "the agent, silent,",
                };
                format!("{what} ran longer than {seconds} s")
            }
            Failure::Conflict { paths } => format!("conflicts with what was merged: {}", list(paths)),
            Failure::SpecContradiction { reason } => format!("the agent is blocked: {reason}"),
            Failure::NeedsFiles { files } => {
                let files: Vec<String> = files.iter().map(|(f, o)| format!("{f} ({o})")).collect();
                format!("needs files it may not have: {}", list(&files))
            }
            Failure::Environment { message } => message.clone(),
            Failure::Rejected { issues } => {
                let lines: Vec<String> = issues.iter().map(Issue::line).collect();
                format!("rejected in review: {}", lines.join("; "))
            }
        }
    }

    /// Whether the verifier or the reviewer refused the work: then there is a tree for a bug-hunter to continue with.
    pub fn is_verdict(&self) -> bool {
        match self {
            Failure::TestsFailed { .. } | Failure::Rejected { .. } => true,
            Failure::Spawn { .. }
            | Failure::AgentError { .. }
            | Failure::RateLimited { .. }
            | Failure::NoChange
            | Failure::OutOfScope { .. }
            | Failure::CodeBeforeTests { .. }
            | Failure::NotRed { .. }
            | Failure::WrongRed { .. }
            | Failure::FrozenChanged { .. }
            | Failure::Timeout { .. }
            | Failure::Conflict { .. }
            | Failure::SpecContradiction { .. }
            | Failure::NeedsFiles { .. }
            | Failure::Environment { .. } => false,
        }
    }

    /// Whether two failures are the same to the ladder. The output of a command (times, paths) does not count.
    pub fn same_as(&self, other: &Failure) -> bool {
        match (self, other) {
            (
                Failure::TestsFailed { gate: g1, failed: f1, summary: s1, .. },
                Failure::TestsFailed { gate: g2, failed: f2, summary: s2, .. },
            ) => g1 == g2 && f1 == f2 && s1 == s2,
            (Failure::Rejected { issues: a }, Failure::Rejected { issues: b }) => same_issues(a, b),
            (a, b) => a == b,
        }
    }

    /// The failure without the output of commands: what a view keeps of it.
    pub(crate) fn without_excerpt(&self) -> Failure {
        let mut failure = self.clone();
        if let Failure::TestsFailed { excerpt, .. } = &mut failure {
            excerpt.clear();
        }
        failure
    }

    /// Everything the next agent is told, the output of the failing command included.
    pub fn details(&self) -> String {
        if let Failure::TestsFailed { excerpt, .. } = self
            && !excerpt.is_empty()
        {
            return format!("{}\n\n{excerpt}", self.summary());
        }
        self.summary()
    }
}

/// The first few items and how many more there are.
fn list(items: &[String]) -> String {
    const SHOWN: usize = 4;
    let shown: Vec<String> = items.iter().take(SHOWN).map(|i| format!("`{i}`")).collect();
    let rest = items.len().saturating_sub(SHOWN);
    if rest == 0 { shown.join(", ") } else { format!("{} and {rest} more", shown.join(", ")) }
}

#[cfg(test)]
mod tests;
