//! One task as a Markdown file: front matter with homerun's keys, then sections. Older files have no front matter
//! and have the same values in lines below their title.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::task::TASK;
use super::{DIALECT, ids};
use crate::json::{JsonKind, JsonMember, JsonNode, ValueReader};
use crate::markdown::{
    BodyBlock, RawSection, SectionedText, TextSlice, blocks, join, lines, list_item, without_checkbox,
};
use crate::memory::{self, KeyOrder};
use crate::table::read_task;
use crate::taskfile::criteria;
use crate::tree::{self, parse_yaml, resolve, span_of};
use crate::{TextFile, remainder};
use windlass_core::diagnostic::{Diagnostic, FileIx};
use windlass_core::plan::{Section, Task};

/// Whether a file is such a task.
pub(super) fn is_task(file: &TextFile) -> bool {
    let Ok(text) = std::str::from_utf8(&file.bytes) else { return false };
    let document = SectionedText::parse(text);
    if document.sections.iter().any(|s| matches!(s.heading.text, "Contract" | "Output Files")) {
        return false;
    }
    match document.front {
        Some(front) => {
            let has = |key: &str| front.text.lines().any(|l| l.starts_with(key));
            has("id:") && (has("status:") || has("test_file:"))
        }
        None => heading(&document).is_some() && meta(&document, "Dependencies").is_some(),
    }
}

/// Whether it has front matter, and so is surely homerun's.
pub(super) fn has_front_matter(file: &TextFile) -> bool {
    file.bytes.starts_with(b"---") || file.bytes.starts_with("\u{feff}---".as_bytes())
}

/// Reads a task file.
pub(super) fn read(text: &str, file: FileIx, order: &mut KeyOrder, out: &mut Vec<Diagnostic>) -> Task {
    let document = SectionedText::parse(text);
    let front = document.front.and_then(|front| parse_yaml(front.text, file, front.at, out));
    let node = match front {
        Some(front) => from_yaml(front),
        None => from_heading(&document, file),
    };
    let mut task = read_task(TASK, &mut ValueReader::new(file, out), &node, order);
    if !task.places.contains_key("id") {
        task.places.note("", span_of(file, 0, text.len()));
    }
    if let (true, Some((id, title))) = (task.id.is_empty(), heading(&document)) {
        id.clone_into(&mut task.id);
        title.clone_into(&mut task.title);
    }
    document.intro.text.trim().clone_into(&mut task.description);
    for section in &document.sections {
        read_section(section, file, &mut task);
    }
    keep_original(text, &document, &mut task);
    task
}

/// Keeps the original: the front matter always, for its quotes and order; the body if it would be written differently.
fn keep_original(text: &str, document: &SectionedText<'_>, task: &mut Task) {
    let mut body = text;
    if let Some(front) = document.front {
        let kept = front.text.split_inclusive('\n').filter(|l| !l.starts_with(remainder::KEY));
        memory::note(&mut task.extra, DIALECT, "front", kept.collect::<String>());
        body = text[front.end()..].split_once('\n').map_or("", |(_, body)| body);
    }
    if body_of(task) != body {
        memory::note(&mut task.extra, DIALECT, "body", body);
    }
}

fn read_section(section: &RawSection<'_>, file: FileIx, task: &mut Task) {
    let body = section.body.text.trim();
    let mut place = |field: &str| {
        task.places.insert(field.to_owned(), span_of(file, section.body.at, section.body.end()));
    };
    // `Acceptance Criteria (From PRD)`: the remark says where they come from.
    let named = section.heading.text.split(" (").next().unwrap_or_default();
    match named {
        "Objective" if task.objective.is_empty() => {
            place("objective");
            body.clone_into(&mut task.objective);
        }
        "Technical Notes" if task.notes.is_empty() => {
            place("notes");
            body.clone_into(&mut task.notes);
        }
        "Acceptance Criteria" if task.criteria.is_empty() => {
            place("criteria");
            read_criteria(&section.body, file, task);
        }
        _ => {
            read_other(named, &section.body, file, task);
            task.sections.push(Section { heading: section.heading.text.to_owned(), body: body.to_owned() });
        }
    }
}

fn read_criteria(body: &TextSlice<'_>, file: FileIx, task: &mut Task) {
    for item in criteria(&blocks(body)).0 {
        let span = span_of(file, item.line.at, item.line.end());
        task.places.note_item("criteria", task.criteria.len(), span);
        task.criteria.push(item.value);
    }
}

/// Reads sections that fill a field of the plan and are kept as sections too.
fn read_other(heading: &str, body: &TextSlice<'_>, file: FileIx, task: &mut Task) {
    match heading {
        "Files to Create" => task.files.create.extend(paths(body)),
        "Files to Modify" | "Files to Create/Modify" | "Target Files" => {
            task.files.modify.extend(paths(body));
        }
        "Completion Criteria" => read_criteria(body, file, task),
        "Purpose" | "Implementation Content" if task.objective.is_empty() => {
            body.text.trim().clone_into(&mut task.objective);
        }
        _ => {}
    }
}

/// The paths of a list: the first code span of each item.
fn paths(body: &TextSlice<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for block in blocks(body) {
        let BodyBlock::Text(line) = block else { continue };
        let Some((_, item)) = list_item(line.text) else { continue };
        let item = without_checkbox(item);
        let path = match item.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
            Some((path, _)) => path,
            None => item.split_whitespace().next().unwrap_or_default(),
        };
        let looks_like_path = path.contains(['/', '.']) && !path.contains(char::is_whitespace);
        if looks_like_path && !found.iter().any(|p| p == path) {
            found.push(path.to_owned());
        }
    }
    found
}

/// `# TASK-003: Title`, `# 003: Title` or `# Task: TASK-003 Title`.
fn heading<'a>(document: &SectionedText<'a>) -> Option<(&'a str, &'a str)> {
    let title = document.title?.text;
    let title = title.strip_prefix("Task:").unwrap_or(title).trim();
    let (id, rest) = title.split_once([':', ' '])?;
    let ends_in_digit =
        id.trim_end_matches(|c: char| c.is_ascii_lowercase()).ends_with(|c: char| c.is_ascii_digit());
    ends_in_digit.then_some((id, rest.trim_start_matches(':').trim()))
}

/// A value in the lines below the title: `**Phase**: 1` or `- Phase: 1`.
fn meta<'a>(document: &SectionedText<'a>, key: &str) -> Option<TextSlice<'a>> {
    for line in lines(document.intro.text, document.intro.at) {
        let words = list_item(line.text).map_or(line.text, |(_, item)| item);
        let words = words.trim_start_matches('*');
        let Some(rest) = words.strip_prefix(key) else { continue };
        let Some(value) = rest.trim_start_matches('*').strip_prefix(':') else { continue };
        let value = value.trim_start_matches('*').trim();
        return Some(TextSlice { at: line.end() - value.len().min(line.text.len()), text: value });
    }
    None
}

/// The lines below the title as an object with homerun's keys.
fn from_heading<'a>(document: &SectionedText<'a>, file: FileIx) -> JsonNode<'a> {
    let mut members = Vec::new();
    let mut push = |key: &'static str, at: TextSlice<'a>, kind: JsonKind<'a>| {
        let span = span_of(file, at.at, at.end());
        let value = JsonNode { kind, start: span.start, end: span.end };
        members.push(JsonMember { key: key.into(), start: span.start, end: span.end, value });
    };
    if let Some(at) = meta(document, "Dependencies") {
        let ids = at.text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')));
        let is_id = |w: &&str| {
            let stem = w.trim_end_matches(|c: char| c.is_ascii_lowercase());
            stem.contains(|c: char| c.is_ascii_digit()) && (stem.starts_with("TASK-") || ids::fits(w))
        };
        let span = span_of(file, at.at, at.end());
        let item = |w: &'a str| JsonNode { kind: JsonKind::Text(w.into()), start: span.start, end: span.end };
        push("depends_on", at, JsonKind::List(ids.filter(is_id).map(item).collect()));
    }
    JsonNode { kind: JsonKind::Object(members), start: 0, end: 0 }
}

/// Front matter as JSON, so that one table serves both.
fn from_yaml(node: tree::TreeNode<'_>) -> JsonNode<'_> {
    let kind = match node.tree {
        tree::TreeValue::Scalar(text, style) => match (resolve(&text, style), text) {
            (Value::Null, _) => JsonKind::Null,
            (Value::Bool(flag), _) => JsonKind::Bool(flag),
            (Value::Number(_), std::borrow::Cow::Borrowed(digits)) => JsonKind::Number(digits),
            (_, text) => JsonKind::Text(text),
        },
        tree::TreeValue::List(items) => JsonKind::List(items.into_iter().map(from_yaml).collect()),
        tree::TreeValue::Map(entries) => {
            JsonKind::Object(entries.into_iter().map(member_from_yaml).collect())
        }
    };
    JsonNode { kind, start: node.span.start, end: node.span.end }
}

fn member_from_yaml(entry: tree::TreeMember<'_>) -> JsonMember<'_> {
    let (start, end) = (entry.key_span.start, entry.key_span.end);
    JsonMember { key: entry.key, start, end, value: from_yaml(entry.node) }
}

/// The body of a task's file, as it is usually written.
pub(super) fn body_of(task: &Task) -> String {
    let mut text = format!("\n# {}: {}\n", task.id, task.title);
    if !task.description.is_empty() {
        let _ = write!(text, "\n{}\n", task.description);
    }
    let mut section = |heading: &str, body: &str| {
        if !body.is_empty() {
            let _ = write!(text, "\n## {heading}\n\n{body}\n");
        }
    };
    section("Objective", &task.objective);
    section("Acceptance Criteria", &criteria_text(task));
    section("Technical Notes", &task.notes);
    for other in &task.sections {
        section(&other.heading, &other.body);
    }
    text
}

fn criteria_text(task: &Task) -> String {
    let lines: Vec<String> = task
        .criteria
        .iter()
        .map(|c| {
            if c.id.is_empty() { format!("- [ ] {}", c.text) } else { format!("- [ ] {}: {}", c.id, c.text) }
        })
        .collect();
    join(lines.iter().map(String::as_str))
}

/// Front matter from an object, a line per key.
pub(super) fn front_text(object: &Map<String, Value>) -> String {
    let mut text = String::new();
    for (key, value) in object {
        let _ = writeln!(text, "{key}: {}", tree::yaml_value(value));
    }
    text
}

/// The task that a file with this content gives.
pub(super) fn reread(front: &str, body: &str) -> Task {
    let text = whole(front, body);
    read(&text, FileIx(0), &mut KeyOrder::new(DIALECT, memory::TASK_KEYS), &mut Vec::new())
}

/// A file of front matter and body; without front matter, the body alone.
pub(super) fn whole(front: &str, body: &str) -> String {
    if front.is_empty() { body.to_owned() } else { format!("---\n{front}---\n{body}") }
}

/// The front matter with another status in it.
pub(super) fn with_status(front: &str, word: &str) -> String {
    let line = format!("status: {}", tree::yaml_value(&word.into()));
    let mut found = false;
    let mut text = String::new();
    for old in front.split_inclusive('\n') {
        if old.starts_with("status:") {
            found = true;
            text.push_str(&line);
            text.push_str(if old.ends_with("\r\n") { "\r\n" } else { "\n" });
        } else {
            text.push_str(old);
        }
    }
    if !found {
        text.push_str(&line);
        text.push('\n');
    }
    text
}
