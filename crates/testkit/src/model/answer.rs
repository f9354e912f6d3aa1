//! What is answered, the same for all dialects, and how a step becomes a call of the tools on offer.

use serde_json::{Value, json};

use super::asked::{Asked, Tool};
use super::script::Step;

/// Tools that write a file, by the names callers give them.
const WRITERS: [&str; 4] = ["Write", "write_file", "write", "create_file"];
/// Tools that run a command.
const SHELLS: [&str; 7] =
    ["Bash", "run_shell_command", "bash", "exec_command", "shell_command", "shell", "container.exec"];
/// Tools by which an answer in a structure is given.
const STRUCTURED: [&str; 2] = ["StructuredOutput", "structured_output"];
/// What a writer calls its path.
const PATHS: [&str; 4] = ["file_path", "filePath", "absolute_path", "path"];

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answer {
    /// Words.
    Text(String),
    /// A call of a tool.
    Call {
        name: String,
        input: Value,
        /// Whether the tool takes free text.
        free: bool,
    },
}

impl Answer {
    /// The answer to an aside: a title, or the fields that routers and judges of a caller ask for.
    pub(super) fn aside(asked: &Asked) -> Self {
        let fields = json!({
            "reasoning": "scripted", "next_speaker": "user", "model_choice": "flash",
            "complexity_reasoning": "scripted", "complexity_score": 1,
        });
        Answer::Text(if asked.json { fields.to_string() } else { "A scripted session".into() })
    }

    /// What a step says to this caller; faults say nothing by themselves.
    pub(super) fn of(step: &Step, asked: &Asked) -> Self {
        match step {
            Step::Say(text) | Step::Body(text) => Answer::Text(text.clone()),
            Step::Write { path, text } => write(asked, path, text),
            Step::Run(command) => run(asked, command),
            Step::Call { tool, input } => {
                let free = asked.tools.iter().any(|t| t.name == *tool && t.free);
                Answer::Call { name: tool.clone(), input: input.clone(), free }
            }
            Step::Data(data) => structured(asked, data),
            Step::Status { .. } | Step::Cut { .. } | Step::Hang { .. } | Step::Slow { .. } => done(),
        }
    }
}

/// What is said when the script has no more to say.
pub(super) fn done() -> Answer {
    Answer::Text("Done.".into())
}

fn find<'a>(asked: &'a Asked, names: &[&str]) -> Option<&'a Tool> {
    names.iter().find_map(|name| asked.tools.iter().find(|t| t.name == *name))
}

fn call(tool: &Tool, input: Value) -> Answer {
    Answer::Call { name: tool.name.clone(), input, free: tool.free }
}

fn no_tool(asked: &Asked) -> Answer {
    let names: Vec<&str> = asked.tools.iter().map(|t| t.name.as_str()).collect();
    Answer::Text(format!("no tool on offer fits: {}", names.join(", ")))
}

fn write(asked: &Asked, path: &str, text: &str) -> Answer {
    let Some(tool) = find(asked, &WRITERS) else {
        let folder = path.rsplit_once('/').map(|(folder, _)| format!("mkdir -p {} && ", quoted(folder)));
        let command = format!("printf %s {} > {}", quoted(text), quoted(path));
        return run(asked, &format!("{}{command}", folder.unwrap_or_default()));
    };
    let field = PATHS.iter().find(|p| tool.properties.contains_key(**p)).unwrap_or(&PATHS[0]);
    let described = tool.properties.get(*field).and_then(|p| p["description"].as_str()).unwrap_or_default();
    let path = match asked.directory() {
        Some(here) if described.contains("absolute") && !path.starts_with('/') => format!("{here}/{path}"),
        _ => path.to_owned(),
    };
    call(tool, json!({ *field: path, "content": text }))
}

fn run(asked: &Asked, command: &str) -> Answer {
    let Some(tool) = find(asked, &SHELLS) else { return no_tool(asked) };
    if tool.properties.contains_key("cmd") {
        return call(tool, json!({ "cmd": command }));
    }
    if tool.properties.get("command").is_some_and(|c| c["type"] == "array") {
        return call(tool, json!({ "command": ["bash", "-lc", command] }));
    }
    let mut input = json!({ "command": command });
    if tool.properties.contains_key("description") {
        input["description"] = json!("scripted");
    }
    if tool.properties.contains_key("is_background") {
        input["is_background"] = json!(false);
    }
    call(tool, input)
}

fn structured(asked: &Asked, data: &Value) -> Answer {
    match find(asked, &STRUCTURED) {
        Some(tool) => call(tool, data.clone()),
        None => Answer::Text(data.to_string()),
    }
}

/// A word for the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::asked::properties;

    fn asked(tools: &[(&str, &[&str])]) -> Asked {
        let tool = |(name, fields): &(&str, &[&str])| Tool {
            name: (*name).into(),
            properties: properties(
                &json!({ "properties": fields.iter().map(|f| ((*f).into(), json!({}))).collect::<serde_json::Map<_, _>>() }),
            ),
            free: false,
        };
        let tools = tools.iter().map(tool).collect();
        Asked { model: "m".into(), stream: false, said: Vec::new(), tools, json: false }
    }

    #[test]
    fn a_step_becomes_a_call_of_the_tool_on_offer() {
        let step = Step::write("a b/c.sh", "it's\n");
        for (tools, name, input) in [
            (
                asked(&[("Bash", &["command"]), ("Write", &["file_path", "content"])]),
                "Write",
                json!({"file_path": "a b/c.sh", "content": "it's\n"}),
            ),
            (
                asked(&[("write", &["filePath", "content"])]),
                "write",
                json!({"filePath": "a b/c.sh", "content": "it's\n"}),
            ),
            (
                asked(&[("exec_command", &["cmd"])]),
                "exec_command",
                json!({"cmd": "mkdir -p 'a b' && printf %s 'it'\\''s\n' > 'a b/c.sh'"}),
            ),
        ] {
            assert_eq!(Answer::of(&step, &tools), Answer::Call { name: name.into(), input, free: false });
        }
        assert_eq!(
            Answer::of(&step, &asked(&[("think", &[])])),
            Answer::Text("no tool on offer fits: think".into())
        );
    }
}
