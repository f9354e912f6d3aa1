//! Why an attempt failed. An enum, never a string: the ladder decides by it.

mod remedy;

use remedy::refused_code;
pub use remedy::{misses_a_network, misses_a_server, without_label};

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
    /// The time for building the tests.
    Build,
    /// The time without any output.
    Idle,
}

worded! {
    /// Which gate of green said no.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Gate {
        /// The set-up command.
        Setup = "set-up",
        /// The type checker.
        TypeCheck = "type check",
        /// The task's own tests.
        Tests = "tests",
        /// The commands of the task's listed steps.
        Steps = "steps",
        /// The linter on changed files.
        Lint = "lint",
        /// Exported names against the contract.
        Contract = "contract",
        /// The coverage target.
        Coverage = "coverage",
        /// Tests of completed tasks whose files intersect.
        Neighbours = "neighbours",
        /// `verify.suite`.
        Suite = "suite",
        /// Nothing the verification ran may change tracked files.
        Purity = "purity",
        /// Rules against changes that cheat the tests, such as ending the test process.
        Rules = "rules",
        /// Tests the agent never saw.
        HeldOut = "held-out tests",
        /// Tests that must fail: they expose a runner that reports success for everything.
        Canaries = "canaries",
        /// Tests with a changed expectation, which must fail.
        Mutants = "changed expectations",
    }
}

worded! {
    /// Why a test that passes with a changed expectation is no proof.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum BlindSign {
        /// The assertion is reached and holds for whatever is expected.
        AnyValue = "the assertion is reached and passes with either value",
        /// The assertion is never reached, although nothing in the test stands before it.
        NotReached = "the assertion is never reached, although nothing in the test stands before it",
        /// The test passes with a failure as its first step.
        NotRun = "the test passes even with a failure as its first step, so its result is not the runner's",
        /// The same value written in another way fails it.
        OnlyAsWritten = "it passes only as it is written, so the code looks at its text",
        /// A build without debug assertions fails it.
        OnlyInDebug = "it passes only where debug assertions are on, and the code asks for that",
        /// Nothing is certain, and the configuration refuses what is not.
        Uncertain = "it is not known why, and `verify.expectations` is \"on\"",
        /// Nothing in it could be changed, and the configuration refuses that.
        Unchangeable = "nothing that it expects could be changed, and `verify.expectations` is \"on\"",
    }
}

/// What the words of an agent that changed nothing are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stance {
    /// A question.
    Question,
    /// A refusal: the model or the agent declines the work.
    Refusal,
    /// Something else.
    Remark,
}

/// Why a provider serves no agent, with what was reported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ProviderOutage {
    /// A server was reached: it answered with an error of its own, or the connection broke off.
    Faulty(String),
    /// No server was reached. The address may be wrong.
    Unreachable {
        /// What was reported.
        unreachable: String,
    },
}

impl ProviderOutage {
    /// What was reported.
    pub fn reason(&self) -> &str {
        match self {
            ProviderOutage::Faulty(reason) | ProviderOutage::Unreachable { unreachable: reason } => reason,
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
        /// For an outage: what was reported.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outage: Option<ProviderOutage>,
    },
    /// The provider does not serve this account: not logged in, no money left, or not to be reached at all. Stops the
    /// provider; costs no attempt.
    ProviderRefused {
        /// The agent.
        agent: String,
        /// Why, and what to do.
        reason: String,
    },
    /// Nothing was changed.
    NoChange,
    /// Nothing was changed, and the agent said something instead.
    OnlyWords {
        /// What its words are.
        stance: Stance,
        /// Its words.
        words: String,
    },
    /// Files were changed that the task does not own.
    OutOfScope {
        /// The paths.
        paths: Vec<String>,
    },
    /// A file of the task was moved to a path that the task does not own: either half alone would lose its content.
    MovedOut {
        /// Its own file.
        from: String,
        /// Where its content is now.
        to: String,
    },
    /// The work has something that is taken from no agent: a link, a repository inside the repository, a device.
    NeverTaken {
        /// The paths, each with what it is.
        things: Vec<String>,
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
        /// Whether the tests ran and all of them passed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        passing: bool,
        /// Whether there was no test to run.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        without_tests: bool,
    },
    /// The test fails, but not because of what the task is to provide.
    WrongRed {
        /// What it fails for.
        reason: String,
        /// Whether the plan wrote the test: then only a person can change it.
        #[serde(default)]
        by_plan: bool,
        /// Whether something of the environment is missing, so that no code of the task ran.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        environment: bool,
        /// Whether the tests were skipped instead of failing.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        skipped: bool,
    },
    /// No test could run on the candidate: the command, its runner or a module of the environment is missing.
    CannotRun {
        /// The gate that could not be run.
        gate: Gate,
        /// What is missing, in one line.
        summary: String,
        /// What the command printed.
        excerpt: String,
    },
    /// A frozen test is wrong in itself: no code of the task can make it pass.
    WrongTest {
        /// What is wrong with it, with its place.
        reason: String,
        /// What the runner said.
        excerpt: String,
        /// Whether an agent wrote it: then it goes back to the test-writer, once.
        by_agent: bool,
    },
    /// A gate of green said no.
    TestsFailed {
        /// Which gate.
        gate: Gate,
        /// The failing tests, where they are known; for the rules, their names.
        failed: Vec<String>,
        /// What is wrong, in one line.
        summary: String,
        /// What the command printed, as much as the next agent needs.
        excerpt: String,
    },
    /// A test passes although what it expects was changed: its result does not depend on the code.
    NoBite {
        /// The test.
        test: String,
        /// Its file and line; empty for a test that agents do not see.
        place: String,
        /// What was expected.
        was: String,
        /// What was put in its place.
        now: String,
        /// Why this cannot be.
        sign: BlindSign,
        /// What the command printed.
        excerpt: String,
    },
    /// A frozen file was changed.
    FrozenChanged {
        /// The paths.
        paths: Vec<String>,
    },
    /// A budget ran out.
    Timeout {
        /// The budget that ran out.
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
        /// What. The output of a command may follow after an empty line.
        message: String,
    },
    /// No command is known that would run the task's tests.
    NoTestCommand {
        /// What has none.
        message: String,
    },
    /// The brief does not fit into the model's context.
    BriefTooLarge {
        /// Its size, the limit, and what takes the room.
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
            Failure::ProviderRefused { .. } => "provider-refused",
            Failure::NoChange | Failure::OnlyWords { stance: Stance::Remark, .. } => "no-change",
            Failure::OnlyWords { stance: Stance::Question, .. } => "question",
            Failure::OnlyWords { stance: Stance::Refusal, .. } => "refusal",
            Failure::OutOfScope { .. } | Failure::MovedOut { .. } => "out-of-scope",
            Failure::NeverTaken { .. } => "never-taken",
            Failure::CodeBeforeTests { .. } => "code-before-tests",
            Failure::NotRed { .. } => "not-red",
            Failure::WrongRed { .. } => "red-for-the-wrong-reason",
            Failure::TestsFailed { .. } => "tests-failed",
            Failure::CannotRun { .. } => "cannot-run",
            Failure::WrongTest { .. } => "wrong-test",
            Failure::NoBite { .. } => "no-bite",
            Failure::FrozenChanged { .. } => "frozen-changed",
            Failure::Timeout { .. } => "timeout",
            Failure::Conflict { .. } => "conflict",
            Failure::SpecContradiction { .. } => "spec-contradiction",
            Failure::NeedsFiles { .. } => "needs-files",
            Failure::Environment { .. } | Failure::NoTestCommand { .. } | Failure::BriefTooLarge { .. } => {
                "environment"
            }
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
                format!("the provider of `{agent}` is unavailable: {}", why.reason())
            }
            Failure::ProviderRefused { reason, .. } => reason.clone(),
            Failure::NoChange => "the agent changed nothing".into(),
            Failure::OnlyWords { stance, words } => {
                let did = match stance {
                    Stance::Question => "asked",
                    Stance::Refusal => "declined",
                    Stance::Remark => "said",
                };
                format!("the agent changed nothing and {did}: {words}")
            }
            Failure::OutOfScope { paths } => format!("changed outside its files: {}", list(paths)),
            Failure::MovedOut { from, to } => moved(from, to),
            Failure::NeverTaken { things } => format!("left what is never taken in: {}", things.join(", ")),
            Failure::CodeBeforeTests { paths } => {
                format!("more than tests in the turn for tests: {}", list(paths))
            }
            Failure::NotRed { reason, .. } => format!("the test is not red: {reason}"),
            Failure::WrongRed { reason, environment: true, .. } => {
                format!("no test could be run: {reason}")
            }
            Failure::WrongRed { reason, environment: false, .. } => {
                format!("the test is red for the wrong reason: {reason}")
            }
            Failure::TestsFailed { gate, failed, summary, .. }
                if failed.is_empty() || *gate == Gate::Rules =>
            {
                format!("{}: {summary}", gate.as_str())
            }
            Failure::CannotRun { gate, summary, .. } => {
                format!("{}: nothing could be run: {summary}", gate.as_str())
            }
            Failure::WrongTest { reason, .. } => format!("a frozen test is wrong in itself: {reason}"),
            Failure::TestsFailed { gate, failed, .. } => {
                format!("{}: {} failed", gate.as_str(), list(failed))
            }
            Failure::NoBite { test, place, was, now, sign, .. } => {
                no_bite_words(*sign, (test, place), (was, now))
            }
            Failure::FrozenChanged { paths } => format!("changed frozen tests: {}", list(paths)),
            Failure::Timeout { budget, seconds } => {
                let what = match budget {
                    Budget::Attempt => "the attempt",
                    Budget::Step => "a step",
                    Budget::Verification => "the verification",
                    Budget::Build => "the build of the tests",
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
            Failure::NoTestCommand { message } | Failure::BriefTooLarge { message } => message.clone(),
            Failure::Environment { message } => {
                message.split_once("\n\n").map_or(message.as_str(), |(what, _)| what).to_owned()
            }
            Failure::Rejected { issues } => {
                let lines: Vec<String> = issues.iter().map(Issue::line).collect();
                format!("rejected in review: {}", lines.join("; "))
            }
        }
    }

    /// Whether the verifier or the reviewer refused the work: then there is a tree for a bug-hunter to continue with.
    pub fn is_verdict(&self) -> bool {
        match self {
            Failure::TestsFailed { .. }
            | Failure::CannotRun { .. }
            | Failure::NoBite { .. }
            | Failure::Rejected { .. } => true,
            Failure::Spawn { .. }
            | Failure::AgentError { .. }
            | Failure::RateLimited { .. }
            | Failure::ProviderRefused { .. }
            | Failure::NoChange
            | Failure::OnlyWords { .. }
            | Failure::OutOfScope { .. }
            | Failure::MovedOut { .. }
            | Failure::NeverTaken { .. }
            | Failure::CodeBeforeTests { .. }
            | Failure::NotRed { .. }
            | Failure::WrongRed { .. }
            | Failure::WrongTest { .. }
            | Failure::FrozenChanged { .. }
            | Failure::Timeout { .. }
            | Failure::Conflict { .. }
            | Failure::SpecContradiction { .. }
            | Failure::NeedsFiles { .. }
            | Failure::Environment { .. }
            | Failure::NoTestCommand { .. }
            | Failure::BriefTooLarge { .. } => false,
        }
    }

    /// Whether no code of the task ran: a set-up, a runner or an import of the environment failed. Another attempt at
    /// the task rarely changes that.
    pub fn no_code_ran(&self) -> bool {
        match self {
            Failure::Environment { .. }
            | Failure::NoTestCommand { .. }
            | Failure::BriefTooLarge { .. }
            | Failure::CannotRun { .. }
            | Failure::WrongRed { environment: true, .. }
            | Failure::TestsFailed { gate: Gate::Setup, .. } => true,
            Failure::Spawn { .. }
            | Failure::AgentError { .. }
            | Failure::RateLimited { .. }
            | Failure::ProviderRefused { .. }
            | Failure::NoChange
            | Failure::OnlyWords { .. }
            | Failure::OutOfScope { .. }
            | Failure::MovedOut { .. }
            | Failure::NeverTaken { .. }
            | Failure::CodeBeforeTests { .. }
            | Failure::NotRed { .. }
            | Failure::WrongRed { .. }
            | Failure::TestsFailed { .. }
            | Failure::WrongTest { .. }
            | Failure::NoBite { .. }
            | Failure::FrozenChanged { .. }
            | Failure::Timeout { .. }
            | Failure::Conflict { .. }
            | Failure::SpecContradiction { .. }
            | Failure::NeedsFiles { .. }
            | Failure::Rejected { .. } => false,
        }
    }

    /// Whether a run of tests that went wrong is what failed: a file that is not there may be why.
    pub(crate) fn is_about_a_run(&self) -> bool {
        matches!(
            self,
            Failure::WrongRed { .. }
                | Failure::CannotRun { .. }
                | Failure::TestsFailed {
                    gate: Gate::Tests | Gate::Neighbours | Gate::Suite | Gate::TypeCheck,
                    ..
                }
        )
    }

    /// Whether two failures are the same to the ladder. The output of a command (times, paths) does not count.
    pub fn same_as(&self, other: &Failure) -> bool {
        match (self, other) {
            // Each line names a rule, a file and the code. Where in the file it stands does not matter.
            (
                Failure::TestsFailed { gate: Gate::Rules, excerpt: e1, .. },
                Failure::TestsFailed { gate: Gate::Rules, excerpt: e2, .. },
            ) => refused_code(e1) == refused_code(e2),
            (
                Failure::TestsFailed { gate: g1, failed: f1, summary: s1, .. },
                Failure::TestsFailed { gate: g2, failed: f2, summary: s2, .. },
            ) => g1 == g2 && f1 == f2 && s1 == s2,
            (
                Failure::CannotRun { gate: g1, summary: s1, .. },
                Failure::CannotRun { gate: g2, summary: s2, .. },
            ) => g1 == g2 && s1 == s2,
            (Failure::WrongTest { reason: r1, .. }, Failure::WrongTest { reason: r2, .. }) => r1 == r2,
            // Which value was changed is a matter of chance.
            (Failure::NoBite { test: t1, sign: s1, .. }, Failure::NoBite { test: t2, sign: s2, .. }) => {
                t1 == t2 && s1 == s2
            }
            (Failure::Rejected { issues: a }, Failure::Rejected { issues: b }) => same_issues(a, b),
            (a, b) => a == b,
        }
    }

    /// The failure with the most telling line of its output alone: what a view keeps of it.
    pub(crate) fn at_a_glance(&self) -> Failure {
        let mut failure = self.clone();
        let line = self.evidence().unwrap_or_default();
        if let Failure::TestsFailed { excerpt, .. }
        | Failure::CannotRun { excerpt, .. }
        | Failure::NoBite { excerpt, .. }
        | Failure::WrongTest { excerpt, .. } = &mut failure
        {
            *excerpt = line;
        }
        failure
    }

    /// The most telling line of what the failing command printed, if it says more than the summary.
    pub fn evidence(&self) -> Option<String> {
        let line = remedy::telling_line(self.excerpt()?)?;
        (!self.summary().contains(without_label(&line))).then_some(line)
    }

    /// Everything the next agent is told, the output of the failing command included.
    pub fn details(&self) -> String {
        if let Failure::OnlyWords { stance: Stance::Question, .. } = self {
            return format!(
                "{}\n\nNobody answers questions during a task. Decide from this brief; if it leaves the matter open, take \
                 the plainest reading. Report `blocked` with the reason only if the work cannot be done at all.",
                self.summary()
            );
        }
        match self.excerpt() {
            Some(excerpt) if !excerpt.is_empty() => format!("{}\n\n{excerpt}", self.summary()),
            Some(_) | None => self.summary(),
        }
    }

    fn excerpt(&self) -> Option<&str> {
        if let Failure::TestsFailed { excerpt, .. }
        | Failure::CannotRun { excerpt, .. }
        | Failure::NoBite { excerpt, .. }
        | Failure::WrongTest { excerpt, .. } = self
        {
            return Some(excerpt);
        }
        if let Failure::Environment { message } = self {
            return message.split_once("\n\n").map(|(_, output)| output);
        }
        None
    }
}

/// What a test that does not depend on the code did, and with which value.
fn no_bite_words(sign: BlindSign, (test, place): (&str, &str), (was, now): (&str, &str)) -> String {
    let why = sign.as_str();
    if place.is_empty() {
        return format!("a held-out test does not depend on the code: {why}");
    }
    match sign {
        BlindSign::OnlyAsWritten => {
            format!("`{test}` fails when {place} says the same as `{was}` in another way: {why}")
        }
        BlindSign::OnlyInDebug => {
            format!("`{test}` ({place}) fails when it is built or run as a release is: {why}")
        }
        BlindSign::Unchangeable => format!("`{test}` is not known to depend on the code: {why}"),
        BlindSign::AnyValue | BlindSign::NotReached | BlindSign::NotRun | BlindSign::Uncertain => {
            format!("`{test}` still passes when {place} expects `{now}` in place of `{was}`: {why}")
        }
    }
}

/// The words for a file that was moved out of the task's files.
fn moved(from: &str, to: &str) -> String {
    format!("moved its file `{from}` to `{to}`, which is not one of its files")
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
