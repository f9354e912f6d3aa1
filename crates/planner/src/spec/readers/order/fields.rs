//! `Dependencies: Task 1 (Set up the shop)` below the heading of a task: what the task waits for.

use super::TaskPair;
use super::names::TaskNames;
use crate::spec::document::{DocumentBlock, RunningText, SectionTree};
use crate::spec::vocabulary::{dependency_phrase, ids};

/// The orders that the fields of a task state. A field is a line that begins with the word for it.
pub(super) fn task_pairs(
    tree: &SectionTree,
    block: &DocumentBlock,
    text: &RunningText,
    names: &TaskNames,
) -> Vec<TaskPair> {
    let own = tree.chain(block.section).find_map(|(_, section)| section.meaning.task.as_ref());
    let Some(own) = own.and_then(|named| names.known_id(&named.id)) else { return Vec::new() };
    let mut pairs = Vec::new();
    for line in text.lines() {
        let line = line.trim_start_matches(['*', '_', '-', ' ']);
        // `Dependencies:` is a field, `the cart depends on` a sentence about something.
        let Some((0, end)) = dependency_phrase(line) else { continue };
        for before in waited_for(&line[end..], names) {
            let pair = (before, own.clone());
            if pair.0 != pair.1 && !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    pairs
}

/// The tasks that the value of a field names: by ids, as `Task 2`, or by nothing but numbers.
fn waited_for(value: &str, names: &TaskNames) -> Vec<String> {
    let mut found = names.known_ids(value);
    let plain = value.replace(['*', '`', '#', '[', ']', ':'], " ");
    let words: Vec<&str> =
        plain.split([' ', ',', ';', '&', '(', ')']).filter(|word| !word.is_empty()).collect();
    let only_numbers = words.iter().all(|word| ids::is_number(word) || *word == "and");
    let mut announced = only_numbers;
    for word in words {
        if ids::is_number(word) {
            found.extend(names.known_id(&format!("TASK-{word}")).filter(|_| announced));
        } else {
            // `Tasks 1, 2 and 3`.
            announced = only_numbers
                || matches!(word.to_ascii_lowercase().as_str(), "task" | "tasks")
                || (announced && word == "and");
        }
    }
    found
}
