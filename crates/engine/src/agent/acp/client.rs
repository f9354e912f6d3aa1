//! One turn: start the agent, open a session, put the brief to it, answer what it asks, and say how it ended.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::files;
use super::permission::{allows, outcome};
use super::terminals::Terminals;
use super::wire::{AgentRefusal, FromAgent, Wire};
use crate::agent::cli::Permission;
use crate::agent::stream::{LineSplitter, StreamLine};

/// The code for a method that is not known: extensions of one agent or another.
const UNKNOWN: i32 = -32601;
/// How long an agent may take to end after its turn.
const FAREWELL: Duration = Duration::from_secs(1);
/// How often commands that an agent waits for are looked at.
const TICK: Duration = Duration::from_millis(50);

/// What the client is to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AcpRequest {
    /// The agent's command line, for `bash`.
    pub command: String,
    /// The directory to work in.
    pub dir: PathBuf,
    /// The directory for its answer.
    pub scratch: PathBuf,
    /// `read`, `edit` or `full`.
    pub permission: String,
    /// Whether it may have its client read and write files for it.
    pub files: bool,
    /// The model it is to use.
    pub model: Option<String>,
    /// The session to go on with.
    pub session: Option<String>,
    /// Whether that session is to be copied first.
    pub fork: bool,
}

impl AcpRequest {
    fn permitted(&self) -> Permission {
        match self.permission.as_str() {
            "full" => Permission::Full,
            "edit" => Permission::Edit,
            _ => Permission::Read,
        }
    }
}

/// Why a turn has no end of its own.
#[derive(Debug)]
pub(super) enum TurnBroken {
    /// The agent answered with an error.
    Refused(AgentRefusal),
    /// It ended.
    Gone(String),
}

/// A turn under way.
pub(super) struct AcpTurn<'r> {
    pub(super) request: &'r AcpRequest,
    pub(super) permission: Permission,
    pub(super) wire: Wire,
    terminals: Terminals,
    /// Requests of the agent that wait for a command to end.
    waiting: Vec<(Value, Value)>,
    /// Whether updates belong to this turn: before the prompt, an old conversation is told again.
    pub(super) listening: bool,
    /// What the session has cost, as it tells.
    cost: Option<f64>,
}

/// Takes the turn. The exit code is 0 only for an end that the agent told.
pub(super) fn take_turn(request: &AcpRequest, brief: &str) -> ExitCode {
    let ended = start(request).and_then(|wire| {
        let permission = request.permitted();
        let mut turn = AcpTurn {
            request,
            permission,
            wire,
            terminals: Terminals::default(),
            waiting: Vec::new(),
            listening: false,
            cost: None,
        };
        let ended = turn.carry_out(brief);
        turn.say_goodbye();
        // An older session goes on from what it had cost, or does not: only a new one is clear.
        let cost = turn.cost.filter(|_| request.session.is_none());
        ended.map(|result| (result, cost))
    });
    match ended {
        Ok((result, cost)) => {
            tell(&json!({ "acp": "end", "result": result, "cost_usd": cost }));
            ExitCode::SUCCESS
        }
        Err(TurnBroken::Refused(AgentRefusal { code, message })) => {
            tell(&json!({ "acp": "error", "code": code, "message": message }));
            ExitCode::FAILURE
        }
        Err(TurnBroken::Gone(message)) => {
            tell(&json!({ "acp": "gone", "message": message }));
            ExitCode::FAILURE
        }
    }
}

/// Starts the agent; a thread reads what it sends.
fn start(request: &AcpRequest) -> Result<Wire, TurnBroken> {
    let mut command = Command::new("bash");
    command.arg("-c").arg(format!("exec {}", request.command)).current_dir(&request.dir);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child =
        command.spawn().map_err(|e| TurnBroken::Gone(format!("the agent does not start: {e}")))?;
    let (send, incoming) = mpsc::channel();
    if let Some(mut output) = child.stdout.take() {
        std::thread::spawn(move || {
            let (mut lines, mut piece) = (LineSplitter::default(), vec![0; 64 << 10]);
            while let Ok(n @ 1..) = io::Read::read(&mut output, &mut piece) {
                lines.push(&piece[..n], &mut |line| {
                    if let StreamLine::Whole(bytes) = line
                        && let Some(message) = FromAgent::read(bytes)
                    {
                        let _ = send.send(message);
                    }
                });
            }
        });
    }
    Ok(Wire::new(child, incoming))
}

/// Prints what happened.
pub(super) fn tell(event: &Value) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{event}").and_then(|()| out.flush());
}

impl AcpTurn<'_> {
    /// Asks the agent for something, and serves it until the answer is there.
    pub(super) fn ask(&mut self, method: &str, params: &Value) -> Result<Value, TurnBroken> {
        let id = self.wire.ask(method, params).map_err(|e| self.gone(&e.to_string()))?;
        loop {
            match self.wire.incoming.recv_timeout(TICK) {
                Ok(FromAgent::Answer { id: answered, result }) if answered == id => {
                    return result.map_err(TurnBroken::Refused);
                }
                Ok(message) => self.handle(message).map_err(|e| self.gone(&e.to_string()))?,
                Err(RecvTimeoutError::Timeout) => {
                    self.look_at_waiting().map_err(|e| self.gone(&e.to_string()))?;
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone("it closed its output")),
            }
        }
    }

    fn gone(&mut self, why: &str) -> TurnBroken {
        let until = Instant::now() + FAREWELL;
        loop {
            match self.wire.child.try_wait() {
                Ok(Some(status)) => {
                    return TurnBroken::Gone(format!("the agent ended before its turn did: {status}"));
                }
                Ok(None) if Instant::now() < until => std::thread::sleep(TICK),
                Ok(None) | Err(_) => {
                    return TurnBroken::Gone(format!("the agent is not to be reached: {why}"));
                }
            }
        }
    }

    fn handle(&mut self, message: FromAgent) -> io::Result<()> {
        match message {
            FromAgent::Answer { .. } => Ok(()),
            FromAgent::Note { method, params } => {
                let cost = &params["update"]["cost"];
                if cost["currency"] == "USD" {
                    self.cost = cost["amount"].as_f64();
                }
                let kind = params["update"]["sessionUpdate"].as_str().unwrap_or_default();
                if method == "session/update" && self.listening && kind != "available_commands_update" {
                    tell(&json!({ "acp": "update", "update": params["update"] }));
                }
                Ok(())
            }
            FromAgent::Request { id, method, params } => self.serve(id, &method, &params),
        }
    }

    /// Answers a request of the agent's.
    fn serve(&mut self, id: Value, method: &str, params: &Value) -> io::Result<()> {
        let roots: [&Path; 2] = [&self.request.dir, &self.request.scratch];
        let may_write = self.permission != Permission::Read;
        let answer = match method {
            "session/request_permission" => Ok(self.permit(params)),
            "fs/read_text_file" => files::read(params, &roots),
            "fs/write_text_file" if may_write => files::write(params, &roots),
            "terminal/create" if self.permission == Permission::Full => {
                self.terminals.create(params, &self.request.dir, &roots)
            }
            "fs/write_text_file" | "terminal/create" => {
                Err((-32603, "this is not permitted in this session".into()))
            }
            "terminal/output" => self.terminals.output(params),
            "terminal/kill" => self.terminals.end(params, false),
            "terminal/release" => self.terminals.end(params, true),
            "terminal/wait_for_exit" => {
                self.waiting.push((id, params.clone()));
                return self.look_at_waiting();
            }
            other => Err((UNKNOWN, format!("there is no method `{other}`"))),
        };
        if let Err((code, why)) = &answer
            && ![files::NOT_FOUND, UNKNOWN].contains(code)
        {
            tell(&json!({ "acp": "denied", "call": id, "what": format!("{method}: {why}") }));
        }
        self.wire.answer(&id, answer)
    }

    fn permit(&self, params: &Value) -> Value {
        let call = &params["toolCall"];
        let roots: [&Path; 2] = [&self.request.dir, &self.request.scratch];
        let allowed = allows(self.permission, call, &roots);
        if !allowed {
            let what = call["title"].as_str().or_else(|| call["kind"].as_str()).unwrap_or("a tool");
            tell(&json!({ "acp": "denied", "call": call["toolCallId"], "what": what }));
        }
        outcome(&params["options"], allowed)
    }

    /// Answers those whose command has ended.
    fn look_at_waiting(&mut self) -> io::Result<()> {
        for (id, params) in std::mem::take(&mut self.waiting) {
            match self.terminals.exit(&params) {
                Some(answer) => self.wire.answer(&id, answer)?,
                None => self.waiting.push((id, params)),
            }
        }
        Ok(())
    }

    /// Closes the agent's input, which ends most, and ends the others.
    fn say_goodbye(&mut self) {
        self.wire.input = None;
        let until = Instant::now() + FAREWELL;
        while Instant::now() < until {
            if !matches!(self.wire.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(TICK);
        }
        let _ = self.wire.child.kill();
        let _ = self.wire.child.wait();
    }
}
