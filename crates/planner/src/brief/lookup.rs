//! Answers the `pre_analysis` steps of a task from the files of the repository.
//!
//! Nothing is run: a named file gives its interface, a folder its files, a search for plain text its places. Other
//! commands are passed on to the agent.

use serde_json::Value;

use super::code_context::{Analysis, BriefInputs};
use windlass_code::script::ShellScript;
use windlass_core::plan::Task;

/// The most lines of one answer.
const LINES: usize = 12;
/// The most files that are searched.
const SEARCHED: usize = 400;

/// The answers to all steps of a task.
pub(super) fn analyses(task: &Task, around: &BriefInputs<'_>) -> Vec<Analysis> {
    task.pre_analysis.iter().filter_map(|step| answer(step, around)).collect()
}

fn answer(step: &Value, around: &BriefInputs<'_>) -> Option<Analysis> {
    let mut said = Vec::new();
    strings(step, &mut said);
    let title = ["step", "action", "title", "name"].iter().find_map(|key| step.get(key)?.as_str());
    let title = title.or(said.first().copied()).unwrap_or("look").to_owned();
    // What the plan says about the place comes first; the place itself follows.
    let told = ["action", "description"].iter().find_map(|key| step.get(key)?.as_str());
    let told = told.filter(|text| *text != title && command(text).is_none());
    let mut lines: Vec<String> = Vec::new();
    for text in &said {
        let found = command(text).map_or_else(|| named(text, around), |command| command.answer(around));
        for line in found {
            // A repeated heading was answered before.
            if line.starts_with(' ') || !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    let told = told.filter(|_| !lines.is_empty()).map(|text| format!("{text}\n")).unwrap_or_default();
    (!lines.is_empty()).then(|| Analysis { title, text: told + &lines.join("\n") })
}

fn strings<'a>(value: &'a Value, out: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => out.push(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, out)),
        Value::Object(fields) => fields.values().for_each(|field| strings(field, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The interfaces of the files that a text names.
fn named(text: &str, around: &BriefInputs<'_>) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || "()'\"`,".contains(c));
    words.flat_map(|word| file(word, around)).collect()
}

/// The interface of a file, or its first lines if it has none.
fn file(path: &str, around: &BriefInputs<'_>) -> Vec<String> {
    if path.is_empty() || !around.survey.has(path) {
        return Vec::new();
    }
    let mut lines = around.survey.interface(path, LINES);
    if lines.is_empty() {
        let text = (around.read)(path).unwrap_or_default();
        lines = text.lines().filter(|l| !l.trim().is_empty()).take(LINES).map(str::to_owned).collect();
    }
    let head = format!("`{path}`:");
    std::iter::once(head).chain(lines.into_iter().map(|line| format!("    {line}"))).collect()
}

/// Something to be run.
struct LookupCommand<'a> {
    text: &'a str,
    /// Empty where it is more than one command.
    words: Vec<String>,
}

/// The command in a text: `rg "Cart" src`, `bash(ls src)`, `Read(src/a.py)`.
fn command(text: &str) -> Option<LookupCommand<'_>> {
    const PROGRAMS: [&str; 12] =
        ["rg", "grep", "cat", "ls", "find", "tree", "head", "git", "read", "search", "glob", "bash"];
    let inner = text.trim();
    let head = inner.split([' ', '(']).next().unwrap_or_default().to_lowercase();
    // A single word is the name of the step.
    if inner == head || !(PROGRAMS.contains(&head.as_str()) || head.starts_with("mcp__")) {
        return None;
    }
    let call = inner.split_once('(').filter(|(name, rest)| !name.contains(' ') && rest.ends_with(')'));
    let body = call.map(|(_, rest)| &rest[..rest.len() - 1]);
    let words = match body {
        Some(body) if head == "bash" => split(body),
        Some(body) => split(&body.replace(',', " ")).map(|args| std::iter::once(head).chain(args).collect()),
        None => split(inner),
    };
    Some(LookupCommand { text: inner, words: words.unwrap_or_default() })
}

/// The words of a command line without their quotes; `None` where it is more than one command.
fn split(text: &str) -> Option<Vec<String>> {
    let script = ShellScript::parse(text);
    let [command] = script.commands.as_slice() else { return None };
    Some(command.words.iter().map(|word| word.text.clone()).collect())
}

impl LookupCommand<'_> {
    fn answer(&self, around: &BriefInputs<'_>) -> Vec<String> {
        let plain = || self.words.iter().skip(1).filter(|w| !w.starts_with('-')).map(String::as_str);
        let found = match self.words.first().map(|w| w.to_lowercase()).as_deref() {
            Some("rg" | "grep" | "search") => {
                let mut words = plain();
                let pattern = words.next();
                pattern.map(|p| search(p, &words.collect::<Vec<_>>(), around)).unwrap_or_default()
            }
            Some("ls" | "find" | "tree" | "glob") => {
                plain().take(1).flat_map(|dir| folder(dir, around)).collect()
            }
            Some("cat" | "head" | "read") => plain().flat_map(|path| file(path, around)).collect(),
            _ => Vec::new(),
        };
        if found.is_empty() {
            vec![format!("not looked up: `{}`", self.text.replace('`', "'"))]
        } else {
            found
        }
    }
}

/// The files of a folder.
fn folder(dir: &str, around: &BriefInputs<'_>) -> Vec<String> {
    let dir = dir.trim_start_matches("./").trim_end_matches(['*', '/']);
    let inside = |path: &&String| {
        dir.is_empty() || dir == "." || path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
    };
    let found: Vec<&String> = around.survey.paths.iter().filter(inside).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("`{dir}/` has {} files:", found.len())];
    lines.extend(found.iter().take(LINES).map(|path| format!("    {path}")));
    lines
}

/// The lines that contain a text. Regular expressions are not searched.
fn search(pattern: &str, places: &[&str], around: &BriefInputs<'_>) -> Vec<String> {
    if pattern.len() < 3 || pattern.contains(['*', '\\', '[', '|', '^', '$', '+', '?']) {
        return Vec::new();
    }
    let within = |path: &str| {
        places.is_empty()
            || places.iter().any(|place| {
                let place = place.trim_start_matches("./").trim_end_matches('/');
                place.is_empty() || place == "." || path.starts_with(place)
            })
    };
    let mut lines = Vec::new();
    for path in around.survey.sources().filter(|p| within(p)).take(SEARCHED) {
        let Some(text) = (around.read)(path) else { continue };
        let hits = (1..).zip(text.lines()).filter(|(_, line)| line.contains(pattern));
        lines.extend(hits.map(|(n, line)| format!("    {path}:{n}: {}", line.trim())));
        if lines.len() >= LINES {
            break;
        }
    }
    lines.truncate(LINES);
    if lines.is_empty() {
        return vec![format!("`{pattern}` not found")];
    }
    lines.insert(0, format!("`{pattern}` found in:"));
    lines
}

#[cfg(test)]
mod tests;
