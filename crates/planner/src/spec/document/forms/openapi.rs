//! OpenAPI and Swagger → Markdown: the operations by their tags, each with what it answers, and the schemas they name.

use std::collections::BTreeSet;
use windlass_core::path_text::file_name;

use serde_json::Value;
use windlass_formats::yaml_documents;

use super::{MarkdownDraft, TextLine, text_lines, write_code};

const METHODS: [&str; 8] = ["get", "put", "post", "delete", "patch", "head", "options", "trace"];
/// Schemas may name each other this deep.
const DEEPEST: usize = 12;

/// Whether a text describes an HTTP interface: its first keys say so.
pub(super) fn is_description(text: &str) -> bool {
    let opens = |line: &str| {
        let key = line.trim_start_matches(['{', ' ', '\t', '"', '\'']);
        key.starts_with("openapi") || key.starts_with("swagger")
    };
    text.lines().filter(|l| !l.trim().is_empty()).take(8).any(opens) && text.contains("paths")
}

/// The Markdown of a description; `None` if it cannot be read.
pub(super) fn as_markdown(text: &str) -> Option<MarkdownDraft> {
    let value: Value =
        serde_json::from_str(text).ok().or_else(|| yaml_documents(text).ok()?.into_iter().next())?;
    let keys = KeyLines { lines: text_lines(text) };
    let operations = operations(&value, &keys);
    if operations.is_empty() {
        return None;
    }
    let mut writer = OpenApiWriter { draft: MarkdownDraft::default(), value: &value, keys: &keys };
    writer.title();
    let mut tags: Vec<&str> = Vec::new();
    for operation in &operations {
        if !tags.contains(&operation.tag.as_str()) {
            tags.push(&operation.tag);
        }
    }
    for tag in tags {
        let own: Vec<&HttpOperation> = operations.iter().filter(|o| o.tag == tag).collect();
        writer.group(tag, &own);
    }
    Some(writer.draft)
}

/// One operation and where it stands.
struct HttpOperation<'v> {
    tag: String,
    method: String,
    route: &'v str,
    value: &'v Value,
    /// What holds for every operation of the route.
    shared: &'v Value,
    at: usize,
}

impl HttpOperation<'_> {
    fn text(&self, key: &str) -> &str {
        self.value[key].as_str().unwrap_or_default().trim()
    }
}

fn operations<'v>(value: &'v Value, keys: &KeyLines<'_>) -> Vec<HttpOperation<'v>> {
    let mut found: Vec<HttpOperation<'v>> = Vec::new();
    let paths = keys.place("paths", 0).unwrap_or(0);
    for (route, item) in value["paths"].as_object().into_iter().flatten() {
        let start = keys.place(route, paths).unwrap_or(0);
        for (method, operation) in item.as_object().into_iter().flatten() {
            if !METHODS.contains(&method.to_ascii_lowercase().as_str()) {
                continue;
            }
            // Without tags the first part of the route names the group.
            let first = route.split('/').find(|part| !part.is_empty() && !part.starts_with('{'));
            let tag = operation["tags"][0].as_str().or(first).unwrap_or("root").to_owned();
            let at = keys.place(method, start).unwrap_or(start);
            let method = method.to_ascii_uppercase();
            found.push(HttpOperation { tag, method, route, value: operation, shared: item, at });
        }
    }
    // A map of JSON has no order; the document has one.
    found.sort_by_key(|operation| operation.at);
    found
}

/// The lines of a text, in which keys are looked up.
struct KeyLines<'t> {
    lines: Vec<TextLine<'t>>,
}

impl KeyLines<'_> {
    /// Where a key stands first behind a place.
    fn place(&self, key: &str, from: usize) -> Option<usize> {
        let is_key = |body: &str| {
            let body = body.trim_start_matches(['{', ' ', ',']);
            let rest = ['"', '\'']
                .iter()
                .find_map(|quote| body.strip_prefix(*quote)?.strip_prefix(key)?.strip_prefix(*quote));
            rest.or_else(|| body.strip_prefix(key)).is_some_and(|rest| rest.trim_start().starts_with(':'))
        };
        let behind = self.lines.partition_point(|line| line.at < from);
        self.lines[behind..].iter().find(|line| is_key(line.body)).map(|line| line.at)
    }
}

struct OpenApiWriter<'v> {
    draft: MarkdownDraft,
    value: &'v Value,
    keys: &'v KeyLines<'v>,
}

impl OpenApiWriter<'_> {
    fn title(&mut self) {
        let info = &self.value["info"];
        let at = self.keys.place("info", 0).unwrap_or(0);
        let title = info["title"].as_str().unwrap_or("HTTP interface");
        self.draft.line("# ", title, self.keys.place("title", at).unwrap_or(at));
        self.draft.blank();
        self.paragraph(info["description"].as_str().unwrap_or_default(), at);
    }

    fn paragraph(&mut self, words: &str, at: usize) {
        if !words.trim().is_empty() {
            self.draft.line("", &words.split_whitespace().collect::<Vec<_>>().join(" "), at);
            self.draft.blank();
        }
    }

    /// The operations of a tag, and the schemas that they name.
    fn group(&mut self, tag: &str, operations: &[&HttpOperation<'_>]) {
        let at = operations.first().map_or(0, |o| o.at);
        self.draft.blank();
        self.draft.line("## Feature: ", tag, at);
        self.draft.blank();
        let mut named = BTreeSet::new();
        for operation in operations {
            self.operation(operation);
            if operation.value["deprecated"] != Value::Bool(true) {
                self.schemas_of(operation.value, &mut named, 0);
            }
        }
        for name in named {
            let Some(schema) = self.schema(&name) else { continue };
            let place = self.keys.place(&name, 0).unwrap_or(at);
            let shown = serde_json::to_string_pretty(schema).unwrap_or_default();
            self.draft.line("### Schema ", &name, place);
            let mut lines = text_lines(&shown);
            for line in &mut lines {
                line.at = place;
            }
            write_code(&mut self.draft, "json", &lines);
        }
    }

    fn operation(&mut self, operation: &HttpOperation<'_>) {
        let HttpOperation { method, route, value, shared, at, .. } = operation;
        let deprecated = value["deprecated"] == Value::Bool(true);
        let suffix = if deprecated { " (deprecated, not now)" } else { "" };
        self.draft.line("### ", &format!("{method} {route}{suffix}"), *at);
        self.draft.blank();
        self.paragraph(operation.text("summary"), *at);
        if operation.text("description") != operation.text("summary") {
            self.paragraph(operation.text("description"), *at);
        }
        let parameters = [*value, *shared].into_iter().filter_map(|v| v["parameters"].as_array()).flatten();
        for parameter in parameters {
            let parameter = self.resolved(parameter);
            let Some(line) = parameter_line(method, route, parameter) else { continue };
            self.draft.line("- ", &line, *at);
        }
        for (status, response) in value["responses"].as_object().into_iter().flatten() {
            let response = self.resolved(response);
            let said = response["description"].as_str().unwrap_or_default();
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            let place = self.keys.place(status, *at).unwrap_or(*at);
            let answers = if said.is_empty() { String::new() } else { format!(": {said}") };
            self.draft.line("- ", &format!("`{method} {route}` answers {status}{answers}"), place);
        }
        self.draft.blank();
        self.examples(value, *at);
    }

    /// The bodies that are given as examples.
    fn examples(&mut self, operation: &Value, at: usize) {
        let asked = &operation["requestBody"]["content"];
        for (kind, media) in asked.as_object().into_iter().flatten() {
            if let Some(example) = media.get("example") {
                let shown = serde_json::to_string_pretty(example).unwrap_or_default();
                self.draft.line("", &format!("Body (`{kind}`):"), at);
                let mut lines = text_lines(&shown);
                for line in &mut lines {
                    line.at = at;
                }
                write_code(&mut self.draft, "json", &lines);
            }
        }
    }

    /// The schemas that a value names, and those that they name.
    fn schemas_of(&self, value: &Value, named: &mut BTreeSet<String>, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        match value {
            Value::Object(fields) => {
                for (key, inner) in fields {
                    match inner.as_str().filter(|_| key == "$ref") {
                        Some(path) => {
                            let name = file_name(path);
                            let known = self.schema(name);
                            if let Some(schema) = known.filter(|_| named.insert(name.to_owned())) {
                                self.schemas_of(schema, named, depth + 1);
                            }
                        }
                        None => self.schemas_of(inner, named, depth + 1),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.schemas_of(item, named, depth + 1)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn schema(&self, name: &str) -> Option<&Value> {
        self.value["components"]["schemas"].get(name).or_else(|| self.value["definitions"].get(name))
    }

    /// What a reference stands for.
    fn resolved<'r>(&'r self, value: &'r Value) -> &'r Value {
        let path = value["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
        path.and_then(|path| self.value.pointer(path)).unwrap_or(value)
    }
}

/// What a parameter does, if the description says so.
fn parameter_line(method: &str, route: &str, parameter: &Value) -> Option<String> {
    let name = parameter["name"].as_str()?;
    let place = parameter["in"].as_str().unwrap_or("query");
    let said = parameter["description"].as_str().unwrap_or_default();
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    // The parts of a route are in the route.
    if place == "path" && said.is_empty() {
        return None;
    }
    let needed = if parameter["required"] == Value::Bool(true) { "needs" } else { "takes" };
    let said = if said.is_empty() { String::new() } else { format!(": {said}") };
    Some(format!("`{method} {route}` {needed} `{name}` ({place}){said}"))
}
