//! Sequence diagrams: who calls whom.

use std::collections::HashMap;

use super::lines::{DrawnUse, bare_name, drawn_line};
use crate::spec::model::UseStrength;

/// The calls of a diagram: an answer is no call, whether it is drawn with a dotted arrow or not.
pub(super) fn read(text: &str) -> Vec<DrawnUse> {
    let mut names: HashMap<String, String> = HashMap::new();
    let mut calls: Vec<DrawnUse> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some((id, name)) = participant(line) {
            names.insert(id, name);
            continue;
        }
        let Some(drawn) = drawn_line(line) else { continue };
        let dotted = drawn.arrow.starts_with("--") || drawn.arrow.starts_with('.');
        if dotted || drawn.label.is_empty() {
            continue;
        }
        let (left, right) = (bare_name(drawn.left), bare_name(drawn.right));
        let (left, right) = if drawn.arrow.starts_with('<') { (right, left) } else { (left, right) };
        let full = |id: &String| names.get(id).unwrap_or(id).clone();
        let strength = if is_call(drawn.label) { UseStrength::Called } else { UseStrength::Told };
        let call = DrawnUse { user: full(&left), used: full(&right), strength };
        let is_answer =
            strength == UseStrength::Told && calls.iter().any(|c| c.user == call.used && c.used == call.user);
        if !is_answer && !calls.contains(&call) {
            calls.push(call);
        }
    }
    calls
}

/// Whether a message is a call of something: `add(item)`, `POST /orders`.
fn is_call(label: &str) -> bool {
    let first = label.split_whitespace().next().unwrap_or_default();
    let named = label.find('(').is_some_and(|at| {
        let name = &label[..at];
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'))
    });
    named || matches!(first, "GET" | "POST" | "PUT" | "PATCH" | "DELETE")
}

/// A participant and its full name: `participant wb as Workbook`, `actor "The shop" as shop`.
fn participant(line: &str) -> Option<(String, String)> {
    let words = [
        "participant ",
        "actor ",
        "boundary ",
        "control ",
        "entity ",
        "database ",
        "collections ",
        "create participant ",
    ];
    let rest = words.iter().find_map(|word| line.strip_prefix(word))?;
    let (one, other) = rest.split_once(" as ").unwrap_or((rest, rest));
    let (one, other) = (bare_name(one), bare_name(other));
    // The longer one says more. Mermaid writes the short name first, PlantUML last.
    let full = if one.len() >= other.len() { one.clone() } else { other.clone() };
    let id = if line.contains('"') && one.len() >= other.len() { other } else { one };
    Some((id, full))
}
