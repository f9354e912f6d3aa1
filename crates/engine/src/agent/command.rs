//! `cmd:`: any command as an agent. The brief comes on standard input and as a file; the answer is optional.

use std::path::Path;
use std::time::Duration;

use windlass_core::failure::{Budget, Failure};

use super::result_file::read_answer;
use super::{Agent, AgentTurn, Conversation, TurnEnd, TurnFuture, TurnOver};
use crate::config::EnvVar;
use crate::process::{Finished, Invocation, ProcessExit, TimeLimit as Clock};
use crate::sandbox::{self, Needs, Network};

/// The exit code of a wrapper that means "rate limited" without a result file.
const EX_TEMPFAIL: i32 = 75;

/// How many of the last bytes that a command printed are read.
const PRINTED: usize = 8 << 10;

/// The exit codes of a shell that found no such program, or could not start it.
const NOT_FOUND: i32 = 127;
const NOT_STARTED: i32 = 126;

/// An agent that is any command line.
pub(super) struct CommandAgent {
    pub(super) command: String,
    pub(super) env: Vec<EnvVar>,
    pub(super) timeout: Option<Duration>,
    pub(super) idle: Option<Duration>,
}

impl Agent for CommandAgent {
    fn turn<'a>(&'a self, turn: AgentTurn<'a>) -> TurnFuture<'a> {
        Box::pin(self.take(turn))
    }

    /// The command receives the wish in `WINDLASS_SESSION` and decides itself.
    fn session(&self, wish: Conversation, _: &Path) -> Conversation {
        wish
    }
}

impl CommandAgent {
    async fn take(&self, turn: AgentTurn<'_>) -> TurnOver {
        let brief = turn.scratch.join("brief.md");
        let result = turn.scratch.join("result.json");
        if let Err(e) = std::fs::write(&brief, &turn.brief) {
            let message = format!("cannot write the brief: {e}");
            return TurnOver::silent(TurnEnd::Failed(Failure::Spawn { message }));
        }
        let invocation = self.invocation(&turn, &brief, &result);
        let needs = needs(&self.command);
        let finished =
            turn.fence.run(invocation, &needs, &turn.token, turn.cancel.clone(), turn.on_spawn).await;
        // No process of the agent may be alive while its work is checked.
        assert!(finished.still_alive.is_empty(), "a process of the agent could not be ended");
        conclude(&self.command, &finished, &result)
    }

    fn invocation(&self, turn: &AgentTurn<'_>, brief: &Path, result: &Path) -> Invocation {
        let mut env = turn.env.clone();
        env.extend(self.env.iter().cloned());
        env.extend(turn.variables(brief, result));
        let session = match &turn.session {
            Conversation::New => "new".into(),
            Conversation::Resume(id) => format!("resume {id}"),
            Conversation::Fork(id) => format!("fork {id}"),
        };
        env.push(("WINDLASS_SESSION".into(), session.into()));
        Invocation {
            program: "bash".into(),
            args: vec!["-c".into(), (&self.command).into()],
            cwd: turn.dir.clone(),
            env,
            stdin: turn.brief.clone().into_bytes(),
            timeout: self.timeout.map_or(turn.timeout, |own| own.min(turn.timeout)),
            idle_timeout: self.idle.or(turn.idle),
            capture: turn.capture.clone(),
        }
    }
}

/// Absolute paths in the command line are readable, and the network is open: agents call models.
fn needs(command: &str) -> Needs {
    let is_edge = |c: char| c.is_whitespace() || "'\"=;|&()<>`".contains(c);
    let named = command.split(is_edge).filter(|word| word.starts_with('/') && word.len() > 1);
    let found = named.map(Path::new).filter(|path| path.exists() && !sandbox::is_system(path));
    let read_only =
        found.flat_map(|path| if path.is_dir() { vec![path.to_owned()] } else { sandbox::of_program(path) });
    Needs { read_only: read_only.collect(), network: Network::Open, ..Needs::default() }
}

/// How the turn ended, from the exit code and the result file.
fn conclude(name: &str, finished: &Finished, result: &Path) -> TurnOver {
    let mut over = TurnOver::silent(TurnEnd::Done { needs_files: Vec::new() });
    over.output.clone_from(&finished.output.merged);
    over.printed = printed(&finished.output.stdout);
    over.blocked.clone_from(&finished.blocked);
    let answer = read_answer(result);
    if let Some(Ok(answer)) = &answer {
        over.usage = answer.usage;
        over.session.clone_from(&answer.session);
        over.summary.clone_from(&answer.summary);
        over.model.clone_from(&answer.model);
        over.structured = answer.structured();
    }
    over.end = match (&finished.exit, answer) {
        (ProcessExit::Cancelled, _) => TurnEnd::Cancelled,
        (ProcessExit::NotStarted(message), _) => TurnEnd::Failed(Failure::Spawn { message: message.clone() }),
        (ProcessExit::TimedOut(clock), _) => TurnEnd::Failed(timeout(*clock)),
        (ProcessExit::Signal(signal), _) => agent_error(format!("ended by signal {signal}")),
        (ProcessExit::Code(EX_TEMPFAIL), None) => {
            let agent = name.to_owned();
            TurnEnd::Failed(Failure::RateLimited { agent, retry_after_seconds: None, outage: None })
        }
        // No attempt at any task changes that: a person corrects the command.
        (ProcessExit::Code(code @ (NOT_FOUND | NOT_STARTED)), None) => {
            let reason = format!("its command cannot be run: {}", exit_text(*code, finished));
            TurnEnd::Failed(Failure::ProviderRefused { agent: name.to_owned(), reason })
        }
        // A blocked or rate-limited agent may exit with an error; its result file says more.
        (ProcessExit::Code(code), Some(Ok(answer))) => match answer.end(name) {
            TurnEnd::Done { .. } if *code != 0 => agent_error(exit_text(*code, finished)),
            end => end,
        },
        (ProcessExit::Code(0), Some(Err(failure))) => TurnEnd::Failed(failure),
        (ProcessExit::Code(0), None) => TurnEnd::Done { needs_files: Vec::new() },
        (ProcessExit::Code(code), _) => agent_error(exit_text(*code, finished)),
    };
    over
}

/// The end of what a command printed, as plain text: what a person at the terminal would read last.
fn printed(stdout: &Path) -> Option<String> {
    let bytes = std::fs::read(stdout).ok()?;
    let end = bytes.len().saturating_sub(PRINTED);
    let text = windlass_code::text::plain(&bytes[end..]);
    Some(text).filter(|text| !text.trim().is_empty())
}

fn agent_error(message: String) -> TurnEnd {
    TurnEnd::Failed(Failure::AgentError { message })
}

fn exit_text(code: i32, finished: &Finished) -> String {
    let tail = finished.output.tail_text();
    let last = tail.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("").trim();
    if last.is_empty() { format!("exit code {code}") } else { format!("exit code {code}: {last}") }
}

fn timeout(clock: Clock) -> Failure {
    match clock {
        Clock::Wall(d) => Failure::Timeout { budget: Budget::Attempt, seconds: d.as_secs() },
        Clock::Idle(d) => Failure::Timeout { budget: Budget::Idle, seconds: d.as_secs() },
    }
}

#[cfg(test)]
mod tests;
