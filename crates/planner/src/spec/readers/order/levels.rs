//! Lists of levels: the tasks under `Level 2` wait for those under `Level 1`, unless the text names what they wait for.

use super::TaskPair;
use super::names::TaskNames;
use crate::spec::vocabulary::{dependency_phrase, says_independent, says_standalone};

/// One level of a list.
#[derive(Debug, Default)]
struct TaskLevel {
    tasks: Vec<String>,
    /// The tasks that its heading says it waits for.
    waits: Vec<String>,
    /// Whether its heading says that it waits for nothing.
    free: bool,
    /// Whether its heading says that it waits for everything.
    all: bool,
}

/// The orders that a list of levels implies. Tasks that an arrow points at keep the order of the arrow.
pub(super) fn task_pairs(text: &str, names: &mut TaskNames, drawn: &[TaskPair]) -> Vec<TaskPair> {
    let mut levels: Vec<TaskLevel> = Vec::new();
    let mut found: Vec<TaskPair> = Vec::new();
    for line in text.lines() {
        let body =
            line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '│' | '|' | '├' | '└' | '─'));
        if let Some(rest) = level_heading(body) {
            let mut level =
                TaskLevel { free: says_independent(rest), all: says_all(rest), ..TaskLevel::default() };
            if let Some(at) = waiting(rest) {
                level.waits = names.ids(&rest[at..]);
            }
            levels.push(level);
            let own = waiting(rest).map_or(rest, |at| &rest[..at]);
            note_line(own, names, levels.last_mut(), &mut found);
        } else {
            note_line(body, names, levels.last_mut(), &mut found);
        }
    }
    let behind = |task: &String| drawn.iter().any(|(_, after)| after == task);
    let named: Vec<&TaskLevel> = levels.iter().filter(|l| !l.tasks.is_empty()).collect();
    for level in named.iter().filter(|l| l.free) {
        level.tasks.iter().for_each(|t| names.set_free(t));
    }
    for (at, pair) in named.windows(2).enumerate() {
        let every: Vec<String> = named[..=at].iter().flat_map(|l| l.tasks.clone()).collect();
        let before = match (pair[1].all, pair[1].waits.is_empty()) {
            (true, _) => &every,
            (false, true) => &pair[0].tasks,
            (false, false) => &pair[1].waits,
        };
        let waiting = pair[1].tasks.iter().filter(|t| !behind(t) && !pair[1].free && !names.free.contains(t));
        let own: Vec<String> = found.iter().map(|(_, after)| after.clone()).collect();
        for after in waiting.filter(|t| !own.contains(t)) {
            found.extend(before.iter().filter(|b| *b != after).map(|b| (b.clone(), after.clone())));
        }
    }
    found
}

/// The text behind `Level 2` or `L2:` at the beginning of a line.
fn level_heading(line: &str) -> Option<&str> {
    let rest =
        ["Level ", "LEVEL ", "Phase ", "L", "Wave "].iter().find_map(|word| line.strip_prefix(word))?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after = &rest[digits..];
    (digits > 0 && after.starts_with([':', ' ', '('])).then_some(after)
}

/// Where a text begins to say what is waited for.
fn waiting(text: &str) -> Option<usize> {
    let by_phrase = dependency_phrase(text).map(|(start, _)| start);
    let after = text.to_ascii_lowercase().find("after ");
    by_phrase.into_iter().chain(after).min()
}

fn says_all(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    waiting(&lower).is_some_and(|at| lower[at..].split(|c: char| !c.is_alphabetic()).any(|w| w == "all"))
}

/// Notes the tasks of a line, and the tasks behind `needs` that they wait for.
fn note_line(line: &str, names: &mut TaskNames, level: Option<&mut TaskLevel>, found: &mut Vec<TaskPair>) {
    let Some(level) = level else { return };
    let (own, rest) = waiting(line).map_or((line, ""), |at| line.split_at(at));
    // `TASK-003: Delete the old one (TASK-001)`: the line lists the task it begins with.
    let listed = own.split_once(':').map_or(own, |(head, _)| head);
    let mut tasks = names.ids(listed);
    if tasks.is_empty() {
        tasks = names.ids(own);
    }
    if let [only] = tasks.as_slice()
        && let Some((_, title)) = own.split_once(':').filter(|_| listed.len() < own.len())
    {
        let title = title.split(['─', '→']).next().unwrap_or_default();
        names.set_title(only, title.trim_end_matches([' ', '[', '(', ',', '-', '—', '–']));
    }
    let waits: Vec<String> = if rest.is_empty() { Vec::new() } else { names.ids(rest) };
    if waits.is_empty() && says_standalone(line) {
        for task in &tasks {
            names.set_free(task);
        }
    }
    for task in &tasks {
        found.extend(waits.iter().filter(|w| *w != task).map(|w| (w.clone(), task.clone())));
    }
    for task in tasks {
        if !level.tasks.contains(&task) {
            level.tasks.push(task);
        }
    }
}
