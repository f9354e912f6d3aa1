//! A request, the same for all dialects: what was said so far, and which tools are offered.

use serde_json::{Map, Value};

/// A tool on offer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tool {
    pub(super) name: String,
    /// What it is given, by name.
    pub(super) properties: Map<String, Value>,
    /// Whether it is given free text instead.
    pub(super) free: bool,
}

/// One thing that was said.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    /// By the caller.
    Prompt(String),
    /// By a tool.
    ToolResult,
    /// By the model, or by the set-up of the caller.
    Other,
}

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    pub(super) model: String,
    pub(super) stream: bool,
    pub(super) said: Vec<Said>,
    pub(super) tools: Vec<Tool>,
    /// Whether the answer is to be JSON.
    pub(super) json: bool,
}

/// How callers tell where they are, before a path that ends with its line or begins the next as in a list.
const HERE: [&str; 3] =
    ["working in the directory: ", "working in the following directories:", "working directory: "];

impl Asked {
    /// What the caller said, oldest first.
    pub(super) fn prompts(&self) -> Vec<String> {
        let prompt = |said: &Said| match said {
            Said::Prompt(text) => Some(text.clone()),
            Said::ToolResult | Said::Other => None,
        };
        self.said.iter().filter_map(prompt).collect()
    }

    /// The directory the caller says it works in.
    pub(super) fn directory(&self) -> Option<String> {
        self.prompts().iter().find_map(|text| {
            let after = HERE.iter().find_map(|here| text.split_once(here)).map(|(_, after)| after)?;
            let line = after.lines().find(|l| !l.trim().is_empty())?;
            let path = line.trim().trim_start_matches("- ");
            path.starts_with('/').then(|| path.to_owned())
        })
    }

    /// The newest prompt that is known, with how many tool results have come since.
    pub(super) fn newest<'a>(&self, known: impl Fn(&str) -> Option<&'a str>) -> Option<(&'a str, usize)> {
        let mut results = 0;
        for said in self.said.iter().rev() {
            match said {
                Said::Prompt(text) => {
                    if let Some(word) = known(text) {
                        return Some((word, results));
                    }
                }
                Said::ToolResult => results += 1,
                Said::Other => {}
            }
        }
        None
    }
}

/// The prompts in a field that is a text, or a list of parts with a text each: callers put what they know of the place
/// in parts of its own, before what the user said.
pub(super) fn prompts(value: &Value) -> Vec<Said> {
    let prompt = |text: &str| Said::Prompt(text.to_owned());
    match value {
        Value::String(text) => vec![prompt(text)],
        Value::Array(parts) => parts.iter().filter_map(|p| p["text"].as_str()).map(prompt).collect(),
        _ => Vec::new(),
    }
}

/// The properties of a JSON schema.
pub(super) fn properties(schema: &Value) -> Map<String, Value> {
    schema["properties"].as_object().cloned().unwrap_or_default()
}

/// A field that is a list; nothing where it is none.
pub(super) fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().map_or(&[], Vec::as_slice)
}
