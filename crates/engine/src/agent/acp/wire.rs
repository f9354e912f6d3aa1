//! Messages to and from the agent: JSON-RPC, one a line.

use std::io::{self, Write as _};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::Receiver;

use serde_json::{Map, Value, json};

/// What the agent sends.
#[derive(Debug)]
pub(super) enum FromAgent {
    /// It wants something of its client.
    Request { id: Value, method: String, params: Value },
    /// It tells something.
    Note { method: String, params: Value },
    /// The answer to a request of ours.
    Answer { id: u64, result: Result<Value, AgentRefusal> },
}

/// An error that the agent answers with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AgentRefusal {
    pub(super) code: i64,
    pub(super) message: String,
}

impl FromAgent {
    /// Reads a message; what is none is passed over.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let mut message: Map<String, Value> = serde_json::from_slice(line).ok()?;
        let method = message.get("method").and_then(Value::as_str).map(str::to_owned);
        let id = message.remove("id").filter(|id| !id.is_null());
        let params = message.remove("params").unwrap_or_default();
        match (method, id) {
            (Some(method), Some(id)) => Some(FromAgent::Request { id, method, params }),
            (Some(method), None) => Some(FromAgent::Note { method, params }),
            (None, Some(id)) => {
                let result = match message.get("error").filter(|error| !error.is_null()) {
                    Some(error) => Err(AgentRefusal::of(error)),
                    None => Ok(message.remove("result").unwrap_or_default()),
                };
                Some(FromAgent::Answer { id: id.as_u64()?, result })
            }
            (None, None) => None,
        }
    }
}

impl AgentRefusal {
    fn of(error: &Value) -> Self {
        let said = error["message"].as_str().unwrap_or("it gave no reason");
        // The reason is often in the data, and the message only says "Internal error".
        let more = match &error["data"] {
            Value::Null => String::new(),
            Value::String(text) => format!(": {text}"),
            data => format!(": {}", data["details"].as_str().map_or_else(|| data.to_string(), str::to_owned)),
        };
        Self { code: error["code"].as_i64().unwrap_or(0), message: format!("{said}{more}") }
    }
}

/// The way to the agent.
pub(super) struct Wire {
    pub(super) child: Child,
    pub(super) input: Option<ChildStdin>,
    pub(super) incoming: Receiver<FromAgent>,
    asked: u64,
}

impl Wire {
    pub(super) fn new(mut child: Child, incoming: Receiver<FromAgent>) -> Self {
        let input = child.stdin.take();
        Self { child, input, incoming, asked: 0 }
    }

    /// Sends a request; its number.
    pub(super) fn ask(&mut self, method: &str, params: &Value) -> io::Result<u64> {
        self.asked += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params }))?;
        Ok(self.asked)
    }

    /// Answers a request of the agent's.
    pub(super) fn answer(&mut self, id: &Value, result: Result<Value, (i32, String)>) -> io::Result<()> {
        self.send(&match result {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err((code, message)) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
            }
        })
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        let Some(input) = &mut self.input else { return Err(io::ErrorKind::BrokenPipe.into()) };
        writeln!(input, "{message}")?;
        input.flush()
    }
}
