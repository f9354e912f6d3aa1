//! The verdict on a turn from its stream, its error fields, its standard error and its exit code together.
//!
//! None of them is reliable alone: programs exit with 0 after a broken answer and report "success" with an error
//! inside.

use std::time::{SystemTime, UNIX_EPOCH};

use windlass_core::failure::{Budget, Failure, ProviderOutage, Stance};

use super::CliKind;
use crate::agent::TurnEnd;
use crate::agent::stream::{ClaimedEnd, Problem, StreamSummary};
use crate::process::{ProcessExit, TimeLimit as Clock};

/// Everything a verdict is made from.
pub(super) struct VerdictInput<'a> {
    pub(super) kind: CliKind,
    /// The agent's name in the configuration.
    pub(super) name: &'a str,
    pub(super) told: &'a StreamSummary,
    pub(super) exit: &'a ProcessExit,
    /// Whether it was ended by the watch, for the failure in `told`.
    pub(super) stopped: bool,
    /// The end of its standard error.
    pub(super) beside: &'a str,
    /// Whether a login is visible.
    pub(super) logged_in: bool,
    /// Whether the program's file is there.
    pub(super) program: ProgramFile,
}

/// Whether the file of a program is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgramFile {
    Here,
    Missing,
}

impl VerdictInput<'_> {
    /// How the turn ended, before its answer is looked at.
    pub(super) fn verdict(&self) -> TurnEnd {
        match self.exit {
            ProcessExit::Cancelled if !self.stopped => TurnEnd::Cancelled,
            ProcessExit::NotStarted(message) => {
                let install = self.kind.install();
                let hint = match self.program {
                    ProgramFile::Missing => format!("; `{install}` installs it"),
                    // Then something around it could not be started: the message names it.
                    ProgramFile::Here => String::new(),
                };
                failed(Failure::Environment { message: format!("{message}{hint}") })
            }
            ProcessExit::TimedOut(clock) => failed(self.out_of_time(*clock)),
            ProcessExit::Cancelled | ProcessExit::Code(_) | ProcessExit::Signal(_) => {
                self.failure().map_or(TurnEnd::Done { needs_files: Vec::new() }, failed)
            }
        }
    }

    /// What is wrong with the run, if anything is.
    fn failure(&self) -> Option<Failure> {
        let told = self.told;
        if let Some((problem, message)) = &told.failure {
            return Some(self.because(*problem, message));
        }
        match (told.end, self.exit) {
            (Some(ClaimedEnd::Done), ProcessExit::Code(0)) => self.empty_answer(),
            (None | Some(ClaimedEnd::Failed), _) if told.trouble.is_some() => {
                told.trouble.as_ref().map(|(problem, message)| self.because(*problem, message))
            }
            (Some(ClaimedEnd::Failed), _) => Some(self.unexplained("it gave up".into())),
            (Some(ClaimedEnd::Done), exit) => {
                Some(self.unexplained(format!("it claimed to be done, but {}", ended(exit))))
            }
            (None, exit) => Some(match limit_of(self.kind, exit) {
                Some(problem) => self.because(problem, &ended(exit)),
                None => self.unexplained(format!("it ended without an end: {}", ended(exit))),
            }),
        }
    }

    /// An empty answer of a run that claims to be done: the answer was cut off on its way.
    fn empty_answer(&self) -> Option<Failure> {
        let told = self.told;
        let said = told.said.as_deref().is_some_and(|s| !s.trim().is_empty());
        if said || told.structured.is_some() {
            return None;
        }
        let message = if told.tools == 0 { "the agent sent no answer" } else { "its last answer broke off" };
        Some(self.because(Problem::Cut, message))
    }

    /// A failure that the stream does not explain; standard error may.
    fn unexplained(&self, message: String) -> Failure {
        let last = self.beside.lines().rev().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
        match Problem::of(None, self.beside) {
            Problem::Other => {
                let message = if last.is_empty() { message } else { format!("{message}: {last}") };
                Failure::AgentError { message }
            }
            known => self.because(known, last),
        }
    }

    /// What a problem means for the task.
    fn because(&self, problem: Problem, message: &str) -> Failure {
        let title = self.kind.facts().title;
        match problem {
            Problem::Login => {
                let how = self.kind.facts().login.how;
                self.refused(format!("{title} is not logged in ({message}): {how}"))
            }
            Problem::RateLimit { retry_after, resets_at } => Failure::RateLimited {
                agent: self.name.to_owned(),
                retry_after_seconds: retry_after.or_else(|| resets_at.map(seconds_until)),
                outage: None,
            },
            Problem::Payment => self
                .refused(format!("the provider of {title} wants to be paid ({message}): check the account")),
            // Not every program says that it is not logged in: a failure before the first answer without a visible
            // login counts as one.
            Problem::Server | Problem::Refused | Problem::Other if self.is_lockout() => {
                let how = self.kind.facts().login.how;
                self.refused(format!("{title} failed and does not seem to be logged in ({message}): {how}"))
            }
            Problem::Unreachable => Failure::RateLimited {
                agent: self.name.to_owned(),
                retry_after_seconds: None,
                outage: Some(ProviderOutage::Unreachable {
                    unreachable: format!("{title} cannot reach its model: {message}"),
                }),
            },
            Problem::Server | Problem::Cut => Failure::RateLimited {
                agent: self.name.to_owned(),
                retry_after_seconds: None,
                outage: Some(ProviderOutage::Faulty(message.to_owned())),
            },
            Problem::Declined => {
                let words = self.told.said.clone().filter(|w| !w.trim().is_empty());
                let words = words.unwrap_or_else(|| message.to_owned());
                Failure::OnlyWords { stance: Stance::Refusal, words }
            }
            Problem::TurnLimit
            | Problem::MoneyLimit
            | Problem::NoSession
            | Problem::Refused
            | Problem::Stopped
            | Problem::Other => Failure::AgentError { message: message.to_owned() },
        }
    }

    fn refused(&self, reason: String) -> Failure {
        Failure::ProviderRefused { agent: self.name.to_owned(), reason }
    }

    fn is_lockout(&self) -> bool {
        !self.logged_in && self.told.steps == 0 && self.told.tools == 0 && self.told.usage.tokens() == 0
    }

    /// A timeout while waiting for the provider is the provider's, not the agent's.
    fn out_of_time(&self, clock: Clock) -> Failure {
        let waits = |problem: &Problem| {
            matches!(
                problem,
                Problem::RateLimit { .. } | Problem::Server | Problem::Cut | Problem::Unreachable
            )
        };
        if let Some((problem, message)) = self.told.trouble.as_ref().filter(|(problem, _)| waits(problem)) {
            return self.because(*problem, message);
        }
        match clock {
            // Silent without a tool at work, it waits for an answer of its model.
            Clock::Idle(d) if self.told.session.is_some() && !self.told.tool_at_work => {
                self.because(Problem::Cut, &format!("no answer for {} s", d.as_secs()))
            }
            Clock::Wall(d) => Failure::Timeout { budget: Budget::Attempt, seconds: d.as_secs() },
            Clock::Idle(d) => Failure::Timeout { budget: Budget::Idle, seconds: d.as_secs() },
        }
    }
}

fn failed(failure: Failure) -> TurnEnd {
    TurnEnd::Failed(failure)
}

fn ended(exit: &ProcessExit) -> String {
    match exit {
        ProcessExit::Code(code) => format!("exit code {code}"),
        ProcessExit::Signal(signal) => format!("ended by signal {signal}"),
        ProcessExit::Cancelled => "it was stopped".into(),
        ProcessExit::TimedOut(_) => "its time was up".into(),
        ProcessExit::NotStarted(message) => message.clone(),
    }
}

/// The limit of the program itself that an exit code stands for.
fn limit_of(kind: CliKind, exit: &ProcessExit) -> Option<Problem> {
    let ProcessExit::Code(code) = exit else { return None };
    let known = kind.facts().limit_exits.iter().find(|(known, _)| known == code);
    known.map(|(_, problem)| *problem)
}

fn seconds_until(moment: u64) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    moment.saturating_sub(now)
}

#[cfg(test)]
mod tests;
