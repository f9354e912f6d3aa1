//! Wishes of an agent: left as the page leaves them. What is a person's needs the person's confirmation.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};
use windlass_core::wish::Wish;

use super::Server;
use super::answer::ToolAnswer;
use super::protocol::Call;
use crate::cli::CliError;
use crate::cli::steer::{PlanState, StateArgs, leave, task_in};

/// What may be asked of a run.
pub(super) const ACTIONS: [&str; 10] = [
    "pause",
    "resume",
    "cancel",
    "retry",
    "retry_blocked",
    "retry_failed",
    "reopen",
    "answer",
    "skip",
    "approve",
];

/// The most confirmations that are open at once.
const OPEN: usize = 16;

/// A confirmation that a client without a handshake was asked for.
#[derive(Debug)]
pub(super) struct Confirmation {
    state: String,
    arguments: Value,
}

/// An answer, or the question that the client has to put to its person first.
type Acted = Result<Result<ToolAnswer, CliError>, Value>;

/// Whether the person agreed, or else why not; or the question as above.
type Confirmed = Result<Result<(), &'static str>, Value>;

impl<R: BufRead, W: Write> Server<'_, R, W> {
    /// Leaves a wish, after a confirmation where one is needed.
    pub(super) fn act(&mut self, call: &Call<'_>, arguments: &Value) -> io::Result<Acted> {
        let (state, wish) = match self.wish(arguments) {
            Ok(found) => found,
            Err(error) => return Ok(Ok(Err(error))),
        };
        if let Wish::Approve { task, .. } = &wish {
            let question = match question(&state, &wish) {
                Ok(question) => question,
                Err(error) => return Ok(Ok(Err(error))),
            };
            let confirmed = match self.confirmed(call, arguments, &question)? {
                Ok(confirmed) => confirmed,
                Err(asked) => return Ok(Err(asked)),
            };
            if let Err(why) = confirmed {
                let refused = CliError::blocked(format!("`{task}` is not approved: {why}"))
                    .hint(format!("the person looks with `windlass diff {task}` and runs `windlass approve {task}` in a terminal"));
                return Ok(Ok(Err(refused)));
            }
        }
        Ok(Ok(leave(self.world, &state, &wish).map(ToolAnswer::said)))
    }

    /// The wish of a call, and whose it is.
    fn wish(&self, arguments: &Value) -> Result<(PlanState, Wish), CliError> {
        let args = StateArgs { plan: arguments["plan"].as_str().map(str::to_owned) };
        let state = PlanState::find(self.world, &args)?;
        let action = arguments["action"].as_str().unwrap_or_default();
        let mut doc = json!({ "wish": action });
        let mut take = |from: &str, to: &str| {
            if let Some(value) = arguments.get(from) {
                doc[to] = value.clone();
            }
        };
        take("task", "task");
        take("files", "files");
        take("text", if action == "reopen" { "because" } else { "text" });
        let wish = Wish::from_json(&doc.to_string()).map_err(|error| {
            CliError::usage(format!("`{action}` cannot be asked for like this: {error}"))
                .hint("answer and reopen take `task` and `text`, approve `task` and perhaps `files`, the others `task` or nothing")
        })?;
        Ok((state, wish))
    }

    /// Whether the person confirmed; in its place the question for a client that asks and calls again.
    fn confirmed(&mut self, call: &Call<'_>, arguments: &Value, question: &str) -> io::Result<Confirmed> {
        let form = json!({ "message": question, "requestedSchema": { "type": "object", "required": ["approve"],
            "properties": { "approve": { "type": "boolean", "title": "Approve" } } } });
        if !call.is_modern {
            return Ok(Ok(if self.asks { said_yes(&self.ask(&form)?) } else { Err(NOBODY) }));
        }
        if let Some(state) = call.params["requestState"].as_str() {
            let at = self.pending.iter().position(|open| open.state == state && open.arguments == *arguments);
            // A confirmation is good once, and for the call it was asked for.
            let Some(at) = at else { return Ok(Ok(Err("the confirmation belongs to another call"))) };
            self.pending.remove(at);
            return Ok(Ok(said_yes(&call.params["inputResponses"]["confirm"])));
        }
        if !call.can_ask() {
            return Ok(Ok(Err(NOBODY)));
        }
        self.asked += 1;
        let state = format!("confirm-{}", self.asked);
        if self.pending.len() == OPEN {
            self.pending.remove(0);
        }
        self.pending.push(Confirmation { state: state.clone(), arguments: arguments.clone() });
        let mut params = form;
        params["mode"] = "form".into();
        let ask = json!({ "confirm": { "method": "elicitation/create", "params": params } });
        Ok(Err(json!({ "resultType": "input_required", "inputRequests": ask, "requestState": state })))
    }

    /// Asks the person through a client with a handshake, and waits for the answer.
    fn ask(&mut self, form: &Value) -> io::Result<Value> {
        self.asked += 1;
        let id = Value::from(format!("confirm-{}", self.asked));
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": form }))?;
        loop {
            match self.read()? {
                None => return Ok(Value::Null),
                Some(Ok(answer)) if answer["id"] == id && answer.get("method").is_none() => {
                    return Ok(answer["result"].clone());
                }
                // The client cancelled the call, so the person at it no longer waits.
                Some(Ok(note)) if note["method"] == "notifications/cancelled" => return Ok(Value::Null),
                Some(Ok(other)) => self.early.push(other),
                Some(Err(_)) => {}
            }
        }
    }
}

const NOBODY: &str = "approval is the person's, and this client cannot ask them";

fn said_yes(answer: &Value) -> Result<(), &'static str> {
    match (answer["action"].as_str(), answer["content"]["approve"].as_bool()) {
        (Some("accept"), Some(true)) => Ok(()),
        _ => Err("the person did not confirm it"),
    }
}

/// What the person is asked.
fn question(state: &PlanState, wish: &Wish) -> Result<String, CliError> {
    let Wish::Approve { task, files } = wish else { return Ok(String::new()) };
    let view = state.run_chronicle()?.view()?;
    let found = task_in(&view, task.as_str())?;
    let why = view.why(found).map(|why| why.to_string()).unwrap_or_default();
    Ok(if files.is_empty() {
        format!(
            "Let task {task} of plan {} be merged? {why} (`windlass diff {task}` shows its change)",
            state.name
        )
    } else {
        format!("Give task {task} of plan {} these files: {}? {why}", state.name, files.join(", "))
    })
}
