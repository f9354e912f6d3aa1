//! Lists of levels: what stands under `Level 2` waits for what stands under `Level 1`, unless the text says for whom.

use super::{Edge, Names};

/// One level of a list.
#[derive(Debug, Default)]
struct Level {
    tasks: Vec<String>,
    /// Tasks that its heading says it waits for.
    waits: Vec<String>,
    /// Whether its heading says that it waits for nothing.
    free: bool,
    /// Whether its heading says that it waits for everything.
    all: bool,
}

/// The orders that a list of levels implies. Tasks that arrows already put behind something keep what the arrows say.
pub(super) fn edges(text: &str, names: &mut Names, drawn: &[Edge]) -> Vec<Edge> {
    let mut levels: Vec<Level> = Vec::new();
    let mut found: Vec<Edge> = Vec::new();
    for line in text.lines() {
        let body =
            line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '│' | '|' | '├' | '└' | '─'));
        if let Some(rest) = heading(body) {
            let mut level = Level { free: says_free(rest), all: says_all(rest), ..Level::default() };
            if let Some(at) = waiting(rest) {
                level.waits = names.ids(&rest[at..]);
            }
            levels.push(level);
            let own = waiting(rest).map_or(rest, |at| &rest[..at]);
            take(own, names, levels.last_mut(), &mut found);
        } else {
            take(body, names, levels.last_mut(), &mut found);
        }
    }
    let behind = |task: &String| drawn.iter().any(|(_, after)| after == task);
    let named: Vec<&Level> = levels.iter().filter(|l| !l.tasks.is_empty()).collect();
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
        let waiting = pair[1].tasks.iter().filter(|t| !behind(t) && !pair[1].free);
        let own: Vec<String> = found.iter().map(|(_, after)| after.clone()).collect();
        for after in waiting.filter(|t| !own.contains(t)) {
            found.extend(before.iter().filter(|b| *b != after).map(|b| (b.clone(), after.clone())));
        }
    }
    found
}

/// What follows `Level 2` or `L2:` at the beginning of a line.
fn heading(line: &str) -> Option<&str> {
    let rest =
        ["Level ", "LEVEL ", "Phase ", "L", "Wave "].iter().find_map(|word| line.strip_prefix(word))?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after = &rest[digits..];
    (digits > 0 && after.starts_with([':', ' ', '('])).then_some(after)
}

fn waiting(text: &str) -> Option<usize> {
    let lower = text.to_ascii_lowercase();
    ["depends on", "after ", "needs ", "requires "].iter().filter_map(|p| lower.find(p)).min()
}

fn says_free(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.contains("no hard dep") || lower.contains("no dep") || lower.contains("independent")
}

fn says_all(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    waiting(&lower).is_some_and(|at| lower[at..].split(|c: char| !c.is_alphabetic()).any(|w| w == "all"))
}

/// Notes the tasks of a line; what stands behind `needs` is what they wait for.
fn take(line: &str, names: &mut Names, level: Option<&mut Level>, found: &mut Vec<Edge>) {
    let Some(level) = level else { return };
    let (own, rest) = waiting(line).map_or((line, ""), |at| line.split_at(at));
    // `TASK-003: Delete the old one (TASK-001)`: only what the line begins with is the task it lists.
    let listed = own.split_once(':').map_or(own, |(head, _)| head);
    let mut tasks = names.ids(listed);
    if tasks.is_empty() {
        tasks = names.ids(own);
    }
    if let [only] = tasks.as_slice()
        && let Some((_, title)) = own.split_once(':').filter(|_| listed.len() < own.len())
    {
        names.title(only, title.split(['─', '→']).next().unwrap_or_default());
    }
    let waits: Vec<String> = if rest.is_empty() { Vec::new() } else { names.ids(rest) };
    for task in &tasks {
        found.extend(waits.iter().filter(|w| *w != task).map(|w| (w.clone(), task.clone())));
    }
    for task in tasks {
        if !level.tasks.contains(&task) {
            level.tasks.push(task);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        Names {
            known: (1..=5).map(|n| format!("TASK-00{n}")).collect(),
            shapes: vec![("TASK".to_owned(), 2)],
            titles: Vec::new(),
            free: Vec::new(),
        }
    }

    #[test]
    fn levels_wait_for_each_other() {
        let text = "Level 1 (parallel):\n  TASK-001: One\n  TASK-002: Two\n\nLevel 2 (depends on TASK-002):\n  TASK-003: Three\n\nLevel 3 (no hard dependency):\n  TASK-004: Four\n";
        let found = edges(text, &mut names(), &[]);
        assert_eq!(found, [("TASK-002".to_owned(), "TASK-003".to_owned())]);
        let text = "L0: TASK-001 + TASK-002  [parallel, no deps]\nL1: TASK-003  [depends on L0]\n";
        assert_eq!(edges(text, &mut names(), &[]).len(), 2);
    }
}
