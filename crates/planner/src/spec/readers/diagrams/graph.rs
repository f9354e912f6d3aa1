//! Flow charts and component diagrams: what points to what.

use std::collections::HashMap;

use super::lines::{DrawnUse, bare_name, drawn_line};
use crate::spec::model::UseStrength;

/// The lines of a chart. A flow of data runs either way, so these lines are the weakest evidence.
pub(super) fn read(text: &str) -> Vec<DrawnUse> {
    let mut names: HashMap<String, String> = HashMap::new();
    let mut uses: Vec<DrawnUse> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some((id, name)) = component(line) {
            names.insert(id, name);
            continue;
        }
        let mut rest = line;
        // `A --> B --> C` is two lines.
        while let Some(drawn) = drawn_line(rest) {
            let next = drawn.right;
            let (right, tail) = split_chain(next);
            let (left_id, left) = node(drawn.left);
            let (right_id, right_name) = node(right);
            names.entry(left_id.clone()).or_insert(left);
            names.entry(right_id.clone()).or_insert(right_name);
            let reversed = drawn.arrow.starts_with('<') && !drawn.arrow.ends_with('>');
            let (user, used) = if reversed { (right_id, left_id) } else { (left_id, right_id) };
            uses.push(DrawnUse { user, used, strength: UseStrength::Charted });
            let Some(tail) = tail else { break };
            rest = tail;
        }
    }
    for line in &mut uses {
        for id in [&mut line.user, &mut line.used] {
            if let Some(name) = names.get(id.as_str()) {
                *id = name.clone();
            }
        }
    }
    uses
}

/// The first node behind an arrow and the rest of a chain.
fn split_chain(text: &str) -> (&str, Option<&str>) {
    match drawn_line(text) {
        Some(inner) => (inner.left, Some(text)),
        None => (text, None),
    }
}

/// A node's id and name: `A[Auth service]`, `[Auth service]`, `Cart`.
fn node(text: &str) -> (String, String) {
    let text = text.trim();
    let open = text.find(['[', '(', '{']).unwrap_or(text.len());
    let inner =
        text[open..].trim_matches(|c: char| matches!(c, '[' | ']' | '(' | ')' | '{' | '}' | '"' | '/' | '>'));
    let id = text[..open].trim();
    let name = if inner.is_empty() { bare_name(id) } else { bare_name(inner) };
    (if id.is_empty() { name.clone() } else { id.to_owned() }, name)
}

/// PlantUML's `component "Auth service" as auth`.
fn component(line: &str) -> Option<(String, String)> {
    let rest = ["component ", "node ", "database "].iter().find_map(|word| line.strip_prefix(word))?;
    let (name, id) = rest.trim_end_matches('{').split_once(" as ")?;
    Some((bare_name(id), bare_name(name)))
}
