//! Mermaid flow charts: which node comes before which.

use std::collections::HashMap;

use super::TaskPair;
use super::names::TaskNames;

/// The orders of a chart between known tasks.
pub(super) fn task_pairs(text: &str, names: &mut TaskNames) -> Vec<TaskPair> {
    let mut labels: HashMap<String, String> = HashMap::new();
    let mut pairs: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let line = line.trim().trim_end_matches(';');
        if line.starts_with("%%") || line.starts_with("subgraph") || line.starts_with("style") {
            continue;
        }
        let groups: Vec<Vec<String>> =
            split_arrows(line).iter().map(|part| nodes(part, &mut labels)).collect();
        for pair in groups.windows(2) {
            for before in &pair[0] {
                pairs.extend(pair[1].iter().map(|after| (before.clone(), after.clone())));
            }
        }
    }
    let mut ids: HashMap<String, String> = HashMap::new();
    let mut order: Vec<&String> = labels.keys().collect();
    order.sort();
    for node in order {
        if let Some(id) = node_task(node, &labels[node], names) {
            ids.insert(node.clone(), id);
        }
    }
    let both = pairs.iter().filter_map(|(b, a)| Some((ids.get(b)?.clone(), ids.get(a)?.clone())));
    both.filter(|(b, a)| b != a).collect()
}

/// The task a node stands for: the id in its label, else its own name.
fn node_task(node: &str, label: &str, names: &mut TaskNames) -> Option<String> {
    let in_label =
        label.split([':', ' ', '<', '(']).next().map(|w| w.trim_matches(['"', ' '])).unwrap_or_default();
    if let Some(id) = names.id(in_label) {
        let title = label.trim_matches('"').get(in_label.len()..).unwrap_or_default().replace("<br/>", " ");
        names.set_title(&id, &title);
        return Some(id);
    }
    let id = names.id(node)?;
    names.set_title(&id, label);
    Some(id)
}

/// The parts of a line between its arrows.
fn split_arrows(line: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = line.chars().peekable();
    let mut depth = 0_u32;
    while let Some(c) = chars.next() {
        match c {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let arrow = depth == 0
            && matches!(c, '-' | '=')
            && chars.peek().is_some_and(|n| matches!(n, '-' | '=' | '.'));
        if !arrow {
            if let Some(last) = parts.last_mut() {
                last.push(c);
            }
            continue;
        }
        while chars.next_if(|n| matches!(n, '-' | '=' | '.' | '>' | 'x' | 'o')).is_some() {}
        if chars.next_if_eq(&'|').is_some() {
            for label in chars.by_ref() {
                if label == '|' {
                    break;
                }
            }
        }
        parts.push(String::new());
    }
    parts
}

/// The nodes of a part (`A & B`); their labels are noted.
fn nodes(part: &str, labels: &mut HashMap<String, String>) -> Vec<String> {
    let mut found = Vec::new();
    for node in part.split('&') {
        let node = node.trim();
        let end = node.find(['[', '(', '{', '>']).unwrap_or(node.len());
        let name = node[..end].trim();
        let fits = !name.is_empty() && !name.contains(char::is_whitespace);
        if !fits || matches!(name, "graph" | "flowchart" | "end") {
            continue;
        }
        let label = node[end..].trim_matches(['[', ']', '(', ')', '{', '}', '"', '>', ' ']);
        let known = labels.entry(name.to_owned()).or_default();
        if known.is_empty() {
            label.clone_into(known);
        }
        found.push(name.to_owned());
    }
    found
}
