//! The server of `windlass mcp`: JSON-RPC, a message a line, on standard input and output.
//!
//! It speaks the protocol without a handshake (2026-07-28) and the ones with `initialize` before it. Every tool is a command of
//! this program ([`tools`]), run as a job that outlives the client, or a wish left as the page leaves it ([`act`]); nothing
//! here can set a state or a verdict.

mod act;
mod answer;
mod protocol;
#[cfg(test)]
mod tests;
mod tools;

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

use crate::cli::CliError;
use crate::world::World;
use act::Confirmation;
use answer::ToolAnswer;
use protocol::{Call, LEGACY, MODERN, RpcError, RpcReply};

/// The longest message that is read.
const LONGEST: u64 = 4 << 20;

/// What an agent should know before it calls a tool.
const INSTRUCTIONS: &str = "Windlass turns specifications into verified commits. plan (shows a review) → the person agrees → plan with \
write → run → status until it ended → report → land. Bring every question and approval to the person. `windlass skill` prints more.";

/// Serves the tools until standard input ends.
pub(crate) fn serve(world: &World) -> Result<(), CliError> {
    let failed = |e: io::Error| CliError::environment("the client is gone").because_of(Some(&e));
    let mut server = Server::new(world, io::stdin().lock(), io::stdout().lock());
    server.serve().map_err(failed)
}

/// A server and its one client.
struct Server<'w, R, W> {
    world: &'w World,
    input: R,
    output: W,
    /// Whether a client with a handshake can ask its person.
    asks: bool,
    /// Confirmations that were asked for and not given yet.
    pending: Vec<Confirmation>,
    /// Messages that came while an answer of the client was waited for.
    early: Vec<Value>,
    asked: u64,
}

impl<'w, R: BufRead, W: Write> Server<'w, R, W> {
    fn new(world: &'w World, input: R, output: W) -> Self {
        Self { world, input, output, asks: false, pending: Vec::new(), early: Vec::new(), asked: 0 }
    }

    fn serve(&mut self) -> io::Result<()> {
        loop {
            let message = if self.early.is_empty() {
                match self.read()? {
                    None => return Ok(()),
                    Some(Ok(message)) => message,
                    Some(Err(error)) => {
                        self.send(&error.reply(&Value::Null))?;
                        continue;
                    }
                }
            } else {
                self.early.remove(0)
            };
            self.handle(&message)?;
        }
    }

    /// Reads the next message; `None` at the end.
    fn read(&mut self) -> io::Result<Option<Result<Value, RpcError>>> {
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = io::Read::take(&mut self.input, LONGEST).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(None);
            }
            if read as u64 == LONGEST && !line.ends_with(b"\n") {
                self.input.skip_until(b'\n')?;
                return Ok(Some(Err(RpcError::parse("the message is longer than 4 MiB"))));
            }
            if !line.trim_ascii().is_empty() {
                break;
            }
        }
        Ok(Some(serde_json::from_slice(&line).map_err(|e| RpcError::parse(&e.to_string()))))
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        writeln!(self.output, "{message}")?;
        self.output.flush()
    }

    /// Answers a request. Notifications and late answers need none.
    fn handle(&mut self, message: &Value) -> io::Result<()> {
        let call = match Call::read(message) {
            Ok(Some(call)) => call,
            Ok(None) => return Ok(()),
            Err(error) => return self.send(&error.reply(message.get("id").unwrap_or(&Value::Null))),
        };
        let reply = match self.answer(&call)? {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": call.id, "result": result }),
            Err(error) => error.reply(&call.id),
        };
        self.send(&reply)
    }

    fn answer(&mut self, call: &Call<'_>) -> io::Result<RpcReply> {
        let server = json!({ "name": "windlass", "title": "Windlass", "version": env!("CARGO_PKG_VERSION") });
        Ok(match call.method {
            "initialize" => {
                self.asks = call.params["capabilities"]["elicitation"].is_object();
                let wanted = call.params["protocolVersion"].as_str().unwrap_or_default();
                let version = LEGACY.into_iter().find(|known| *known == wanted).unwrap_or(LEGACY[0]);
                Ok(json!({ "protocolVersion": version, "capabilities": { "tools": {} }, "serverInfo": server,
                    "instructions": INSTRUCTIONS }))
            }
            "ping" => Ok(json!({})),
            "server/discover" => {
                let versions: Vec<&str> = [MODERN].into_iter().chain(LEGACY).collect();
                let meta = json!({ "io.modelcontextprotocol/serverInfo": server });
                Ok(call.complete(json!({ "supportedVersions": versions, "capabilities": { "tools": {} },
                    "instructions": INSTRUCTIONS, "ttlMs": 3_600_000, "cacheScope": "public", "_meta": meta })))
            }
            "tools/list" => {
                let mut list = json!({ "tools": tools::descriptions() });
                if call.is_modern {
                    (list["ttlMs"], list["cacheScope"]) = (3_600_000.into(), "public".into());
                }
                Ok(call.complete(list))
            }
            "tools/call" => return self.call(call),
            other => Err(RpcError::unknown(other)),
        })
    }

    /// Calls a tool. What goes wrong in it is an answer that the agent reads.
    fn call(&mut self, call: &Call<'_>) -> io::Result<RpcReply> {
        let name = call.params["name"].as_str().unwrap_or_default();
        let arguments = call.params.get("arguments").cloned().unwrap_or_else(|| json!({}));
        let checked = match tools::checked(name, &arguments) {
            Ok(Some(tool)) => tool.answer(self.world, &arguments),
            Ok(None) => match self.act(call, &arguments)? {
                Ok(answer) => answer,
                Err(asked) => return Ok(Ok(asked)),
            },
            Err(error) => return Ok(Err(error)),
        };
        let answer = checked.unwrap_or_else(|error| ToolAnswer::refused(&error));
        Ok(Ok(call.complete(answer.content())))
    }
}
