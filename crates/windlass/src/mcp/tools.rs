//! The tools: each is a command of this program with some of its options.
//!
//! What reaches beyond a plan (commands as agents, the sandbox, the disk, trust) has no option here.

use std::ffi::OsString;
use std::sync::mpsc::channel;
use std::time::Instant;

use serde_json::{Value, json};

use super::answer::{ToolAnswer, patience_left};
use super::protocol::RpcError;
use crate::cli::CliError;
use crate::cli::steer::{PlanState, StateArgs};
use crate::job::BackgroundJob;
use crate::world::World;

/// A tool that runs a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommandTool {
    Plan,
    Check,
    Run,
    Status,
    Show,
    Report,
    Land,
}

/// The tool that leaves wishes.
pub(super) const ACT: &str = "act";

impl CommandTool {
    const ALL: [(&'static str, CommandTool); 7] = [
        ("plan", CommandTool::Plan),
        ("check", CommandTool::Check),
        ("run", CommandTool::Run),
        ("status", CommandTool::Status),
        ("show", CommandTool::Show),
        ("report", CommandTool::Report),
        ("land", CommandTool::Land),
    ];
}

/// The names of the tools with what they do and take.
pub(super) fn descriptions() -> Value {
    let text = json!({ "type": "string" });
    let plan = json!({ "type": "string", "description": "name or path; default: the one run last" });
    let list = json!({ "type": "array", "items": { "type": "string" } });
    let flag = json!({ "type": "boolean" });
    let number = json!({ "type": "number" });
    let tool = |name: &str, about: &str, properties: Value, required: Value, reads: bool| {
        json!({ "name": name, "description": about, "annotations": { "readOnlyHint": reads },
            "inputSchema": { "type": "object", "properties": properties, "required": required,
                "additionalProperties": false } })
    };
    json!([
        tool(
            "plan",
            "Plan from documents or an idea. Without `write`: a review to agree on with the person; nothing is written.",
            json!({ "documents": list, "write": flag, "name": text, "profile": { "enum": ["default", "zerg", "homerun", "ccw",
                "superplanner", "contract"] } }),
            json!(["documents"]),
            false
        ),
        tool(
            "check",
            "Everything wrong with a plan, with file and line.",
            json!({ "plan": plan }),
            json!([]),
            true
        ),
        tool(
            "run",
            "Start or continue a run in the background; returns a job. `dry_run`: only what it would do and cost.",
            json!({ "plan": plan, "agent": { "type": "string", "description": "claude, codex, gemini, qwen, opencode, or one of [agents]" },
                "max_cost_usd": number, "until": list, "dry_run": flag,
                "accept_warnings": { "type": "boolean", "description": "only if the person has seen them" } }),
            json!([]),
            false
        ),
        tool(
            "status",
            "Where a run stands and what waits for the person; `since`: what changed after that event. With `job`: output of a job.",
            json!({ "plan": plan, "since": number, "job": text, "offset": number }),
            json!([]),
            true
        ),
        tool(
            "show",
            "One task.",
            json!({ "task": text, "plan": plan,
            "what": { "enum": ["history", "brief", "diff", "log", "evidence"] } }),
            json!(["task"]),
            true
        ),
        tool(
            ACT,
            "Leave a request for the run. `text`: the answer, or why to reopen. approve asks the person.",
            json!({ "action": { "enum": super::act::ACTIONS }, "task": text, "text": text, "files": list, "plan": plan }),
            json!(["action"]),
            false
        ),
        tool(
            "report",
            "Criterion → test → commit, cost, time.",
            json!({ "plan": plan, "format": { "enum": ["markdown", "json"] } }),
            json!([]),
            true
        ),
        tool(
            "land",
            "Bring the verified branch to the person's branch, when they agree. Never forced.",
            json!({ "plan": plan, "onto": text }),
            json!([]),
            false
        ),
    ])
}

/// The tool of a call whose arguments are among those it takes; `None` is [`ACT`].
pub(super) fn checked(name: &str, arguments: &Value) -> Result<Option<CommandTool>, RpcError> {
    let all = descriptions();
    let known = all.as_array().into_iter().flatten().find(|tool| tool["name"] == name);
    let Some(known) = known else {
        return Err(RpcError::params(format!("there is no tool `{name}`")));
    };
    let schema = &known["inputSchema"];
    let Some(given) = arguments.as_object() else {
        return Err(RpcError::params("`arguments` is an object".into()));
    };
    let keys: Vec<&str> =
        schema["properties"].as_object().into_iter().flatten().map(|(k, _)| k.as_str()).collect();
    for (key, value) in given {
        if !keys.contains(&key.as_str()) {
            return Err(RpcError::params(format!("`{name}` takes no `{key}`; it takes {}", keys.join(", "))));
        }
        if !fits(&schema["properties"][key], value) {
            return Err(RpcError::params(format!("`{key}` of `{name}` is {}", schema["properties"][key])));
        }
    }
    let mut missing = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(missing) = missing.find(|key| !given.contains_key(*key)) {
        return Err(RpcError::params(format!("`{name}` needs `{missing}`")));
    }
    Ok(CommandTool::ALL.iter().find(|(known, _)| *known == name).map(|(_, tool)| *tool))
}

fn fits(schema: &Value, value: &Value) -> bool {
    if let Some(words) = schema["enum"].as_array() {
        return words.contains(value);
    }
    match schema["type"].as_str() {
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.as_f64().is_some_and(|n| n >= 0.0),
        _ => value.as_array().is_some_and(|all| all.iter().all(Value::is_string)),
    }
}

impl CommandTool {
    /// Runs the command and waits a little for it.
    pub(super) fn answer(self, world: &World, arguments: &Value) -> Result<ToolAnswer, CliError> {
        let offset = arguments["offset"].as_u64().unwrap_or(0);
        if let Some(id) = arguments["job"].as_str() {
            return ToolAnswer::of_job(&BackgroundJob::find(world, id)?, offset);
        }
        let begun = Instant::now();
        let job = BackgroundJob::start(world, &self.command(arguments)?)?;
        // Looked up while the command is at work, and left out if that takes longer. An event that is written meanwhile is told
        // twice rather than never.
        let wanted = self == CommandTool::Status && arguments.get("since").is_none();
        let looked_up = wanted.then(|| {
            let (send, looked_up) = channel();
            let (world, arguments) = (world.clone(), arguments.clone());
            std::thread::spawn(move || send.send(last_event(&world, &arguments)));
            looked_up
        });
        let answer = ToolAnswer::after(begun, &job)?;
        let last = looked_up.and_then(|event| event.recv_timeout(patience_left(begun)).ok().flatten());
        Ok(match last {
            Some(seq) => {
                answer.and(&format!("[event {seq}: status {{\"since\": {seq}}} tells what changed after it]"))
            }
            None => answer,
        })
    }

    /// The command line. Values never become options: they follow `=` or `--`.
    fn command(self, arguments: &Value) -> Result<Vec<OsString>, CliError> {
        let text = |key: &str| arguments[key].as_str();
        let is_set = |key: &str| arguments[key].as_bool() == Some(true);
        let list = |key: &str| arguments[key].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut line: Vec<String> = Vec::new();
        let state = text("plan").map(|plan| format!("--plan={plan}"));
        match self {
            CommandTool::Plan => {
                line.push("plan".into());
                line.extend(text("name").map(|name| format!("--name={name}")));
                line.extend(text("profile").map(|profile| format!("--profile={profile}")));
                if !is_set("write") {
                    line.push("--review=markdown".into());
                }
                line.push("--".into());
                line.extend(list("documents").map(str::to_owned));
            }
            CommandTool::Check => {
                line.extend(["check".into(), "--".into()]);
                line.extend(text("plan").map(str::to_owned));
            }
            CommandTool::Run => {
                line.extend(["run".into(), "--progress=lines".into()]);
                line.extend(agent(text("agent"))?);
                line.extend(arguments["max_cost_usd"].as_f64().map(|usd| format!("--max-cost={usd}")));
                line.extend(list("until").map(|task| format!("--until={task}")));
                line.extend(is_set("dry_run").then(|| "--dry-run".to_owned()));
                line.extend(is_set("accept_warnings").then(|| "--yes".to_owned()));
                line.push("--".into());
                line.extend(text("plan").map(str::to_owned));
            }
            CommandTool::Status => {
                line.push("status".into());
                if let Some(since) = arguments["since"].as_u64() {
                    line.extend(["--json".into(), format!("--since={since}")]);
                }
                line.extend(state);
            }
            CommandTool::Show => {
                line.extend(match text("what") {
                    Some("brief") => vec!["show".to_owned(), "--brief".into()],
                    Some("evidence") => vec!["show".into(), "--evidence".into()],
                    Some("diff") => vec!["diff".into()],
                    Some("log") => vec!["logs".into()],
                    _ => vec!["show".into()],
                });
                line.extend(state);
                line.extend(["--".to_owned(), text("task").unwrap_or_default().to_owned()]);
            }
            CommandTool::Report => {
                line.push("report".into());
                line.extend(text("format").map(|format| format!("--format={format}")));
                line.extend(state);
            }
            CommandTool::Land => {
                line.push("land".into());
                line.extend(text("onto").map(|onto| format!("--onto={onto}")));
                line.extend(state);
            }
        }
        Ok(line.into_iter().map(OsString::from).collect())
    }
}

/// The option for an agent by name. A command as an agent would run whatever the caller likes.
fn agent(name: Option<&str>) -> Result<Option<String>, CliError> {
    match name {
        Some(name) if name.contains(':') => Err(CliError::usage(format!(
            "`{name}` is a command, no name of an agent"
        ))
        .hint(
            "the person names it in `[agents]` of windlass.toml, or runs `windlass run --agent` themselves",
        )),
        name => Ok(name.map(|name| format!("--agent={name}"))),
    }
}

/// The number of the last event of a plan.
fn last_event(world: &World, arguments: &Value) -> Option<u64> {
    let args = StateArgs { plan: arguments["plan"].as_str().map(str::to_owned) };
    PlanState::find(world, &args).ok()?.chronicle().ok()??.last_seq().ok()
}
