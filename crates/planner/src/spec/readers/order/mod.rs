//! The order of tasks that documents state: Mermaid charts, drawn arrows, lists of levels, sentences.

mod arrows;
mod fields;
mod levels;
mod mermaid;
mod names;
#[cfg(test)]
mod tests;

use names::TaskNames;

use crate::spec::document::{BlockContent, CodeListing, RunningText};
use crate::spec::model::{StatedEdge, StatedTask};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{dependency_phrase, says_standalone};
use windlass_core::diagnostic::Span;

/// An order of two tasks: the first comes before the second.
type TaskPair = (String, String);

/// Adds every order between the tasks that are known by now.
pub(in crate::spec) fn collect_order(reading: &mut DocumentReading<'_>) {
    let mut names = TaskNames::from_spec(reading.spec);
    if names.is_empty() {
        return;
    }
    for block in &reading.tree.blocks {
        let text = block.running_text().map(RunningText::plain);
        let mut pairs = match (&block.content, &text) {
            (BlockContent::Code(code), _) => pairs_in_code(code, &mut names),
            (_, Some(text)) => pairs_in_sentence(text, &names),
            (_, None) => Vec::new(),
        };
        if let Some(words) = block.running_text() {
            pairs.extend(fields::task_pairs(reading.tree, block, words, &names));
        }
        if let Some(text) = text {
            note_standalone(&text, &mut names);
        }
        if pairs.is_empty() {
            continue;
        }
        reading.claim(block);
        let span = reading.span(&block.at);
        note_tasks(reading, &names, span);
        let edges = pairs.into_iter().map(|(before, after)| StatedEdge { before, after, span });
        reading.spec.edges.extend(edges);
    }
    reading.spec.free.append(&mut names.free);
}

/// `T-005 has no dependencies`.
fn note_standalone(line: &str, names: &mut TaskNames) {
    if says_standalone(line) {
        names.known_ids(line).iter().for_each(|id| names.set_free(id));
    }
}

/// Gives tasks the titles that a drawing has for them, and adds the tasks that only a drawing names.
fn note_tasks(reading: &mut DocumentReading<'_>, names: &TaskNames, span: Span) {
    for (id, title) in &names.titles {
        match reading.spec.tasks.iter_mut().find(|t| t.id == *id) {
            Some(task) if task.title.is_empty() => task.title.clone_from(title),
            Some(_) => {}
            None => reading.spec.tasks.push(StatedTask {
                id: id.clone(),
                title: title.clone(),
                text: String::new(),
                level: None,
                phase: None,
                listed: false,
                span,
            }),
        }
    }
}

/// The orders in a code block: a Mermaid chart, or a drawing in a block without a language.
fn pairs_in_code(code: &CodeListing, names: &mut TaskNames) -> Vec<TaskPair> {
    let info = code.info.trim();
    let first = code.text.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
    if info.starts_with("mermaid") || first.starts_with("graph ") || first.starts_with("flowchart ") {
        return mermaid::task_pairs(&code.text, names);
    }
    if !matches!(info, "" | "text" | "txt" | "ascii" | "plain") {
        return Vec::new();
    }
    code.text.lines().for_each(|line| note_standalone(line, names));
    let mut pairs = arrows::task_pairs(&code.text, names);
    pairs.extend(levels::task_pairs(&code.text, names, &pairs));
    pairs.sort();
    pairs.dedup();
    pairs
}

/// `TASK-002 depends on TASK-001 and TASK-000`, `TASK-003 (needs TASK-001 + TASK-002 …)`.
fn pairs_in_sentence(text: &str, names: &TaskNames) -> Vec<TaskPair> {
    let Some((start, end)) = dependency_phrase(text) else { return Vec::new() };
    let stop = text[start..].find(['.', ';']).map_or(text.len(), |at| start + at);
    let (after, before) = (names.known_ids(&text[..start]), names.known_ids(&text[end..stop]));
    let pairs = before.iter().flat_map(|b| after.iter().map(move |a| (b.clone(), a.clone())));
    pairs.filter(|(before, after)| before != after).collect()
}
