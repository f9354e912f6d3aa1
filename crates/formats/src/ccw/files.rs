//! The files of a CCW task: a list of paths, each with what is done to it.

use serde_json::{Map, Value, json};

use crate::json::{Fit, JsonNode, Shape, ValueReader};
use windlass_core::plan::Task;

/// The members of a file.
const FILE: Shape = Shape::TextOrObject(&[
    ("path", Shape::Text),
    ("file", Shape::Text),
    ("action", Shape::Text),
    ("target", Shape::Text),
    ("change", Shape::Text),
    ("changes", Shape::Texts),
]);

/// Reads the list.
pub(super) fn read(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    if !node.is_list() {
        return f.misfit(node, "a list of files");
    }
    for item in node.items() {
        file(f, item, t);
    }
    if node.is_written_as(&value(t)) { Fit::Exact } else { Fit::Odd }
}

fn file(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) {
    let path = node.text().or_else(|| node.get("path").or_else(|| node.get("file")).and_then(JsonNode::text));
    let Some(path) = path else {
        f.wrong_item(node, "a file with a path");
        return;
    };
    f.fits(node, FILE);
    let changes = changes(node);
    let action = node.get("action").and_then(JsonNode::text).map(str::to_ascii_lowercase);
    let (field, list) = match action.as_deref() {
        Some("create" | "add") => ("files.create", &mut t.files.create),
        Some("delete" | "remove") => ("files.delete", &mut t.files.delete),
        Some("read") => ("files.read", &mut t.files.read),
        None if begins_with_create(&changes) => ("files.create", &mut t.files.create),
        Some("modify" | "update" | "edit" | "change") | None => ("files.modify", &mut t.files.modify),
        Some(other) => {
            let word = node.get("action").unwrap_or(node);
            f.unknown_word(word, other, "create, modify, delete, read");
            ("files.modify", &mut t.files.modify)
        }
    };
    t.places.note_item(field, list.len(), node.span(f.file));
    list.push(path.to_owned());
    if !changes.is_empty() {
        t.changes.insert(path.to_owned(), changes);
    }
}

fn begins_with_create(changes: &str) -> bool {
    changes.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("create"))
}

/// What is done to the file, in words.
fn changes(node: &JsonNode<'_>) -> String {
    let list = node.get("changes").map(JsonNode::items).unwrap_or_default();
    let mut words: Vec<&str> = list.iter().filter_map(JsonNode::text).collect();
    words.extend(node.get("change").and_then(JsonNode::text));
    words.join("; ")
}

/// The list as it is usually written.
pub(super) fn value(t: &Task) -> Value {
    let lists = [("create", &t.files.create), ("modify", &t.files.modify), ("delete", &t.files.delete)];
    let mut files = Vec::new();
    for (action, paths) in lists {
        for path in paths {
            let mut file =
                Map::from_iter([("path".to_owned(), json!(path)), ("action".to_owned(), json!(action))]);
            if let Some(change) = t.changes.get(path) {
                file.insert("change".to_owned(), json!(change));
            }
            files.push(Value::Object(file));
        }
    }
    files.into()
}
