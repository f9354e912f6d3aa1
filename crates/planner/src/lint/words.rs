//! Wording: phrases in a task's prose that a small model cannot act on.

use std::sync::LazyLock;

use super::context::LintRun;
use super::phrase_finder::Finder;
use super::rule::Profile::{Ccw, Contract, Homerun};
use super::rule::{Levels, LintRule, rules};
use crate::words::is_listed;
use windlass_core::diagnostic::Severity::{Note, Warning};
use windlass_core::plan::Task;

/// The levels of the rules about phrases.
const PHRASE: Levels = Levels::all(Note).with(Contract, Warning);

rules! {
    Words;
    VAGUE = "WL0501" "vague-task", Levels::all(Note).with(Contract, Warning).with(Ccw, Warning).with(Homerun, Warning),
        "a title is too vague";
    PATTERN_ELSEWHERE = "WL0502" "pattern-elsewhere", PHRASE,
        "a task points to a pattern instead of showing it";
    JUDGEMENT = "WL0503" "own-judgement", PHRASE, "a task leaves a decision to the agent";
    EDGE_CASES = "WL0504" "edge-cases", PHRASE, "a task asks for edge cases and does not list them";
    SIMILAR = "WL0505" "similar-to", PHRASE, "a task refers to work the agent cannot remember";
    MULTI_FILE = "WL0506" "multi-file", Levels::off().with(Contract, Warning),
        "a task changes several source files at once";
}

/// Phrases with their rule and the advice against them.
static PHRASES: [(&LintRule, &str, &str); 4] = [
    (&PATTERN_ELSEWHERE, include_str!("../words/pattern_elsewhere.txt"), "copy the pattern into the task"),
    (&JUDGEMENT, include_str!("../words/judgement.txt"), "list the cases and the result of each"),
    (&EDGE_CASES, include_str!("../words/edge_cases.txt"), "list every case"),
    (
        &SIMILAR,
        include_str!("../words/similar.txt"),
        "repeat the description; an agent does not know other tasks",
    ),
];

static FINDER: LazyLock<Finder> = LazyLock::new(|| Finder::new(&PHRASES.map(|(_, phrases, _)| phrases)));

/// Checks one task.
pub(super) fn task(check: &mut LintRun<'_>, at: u32, task: &Task) {
    vague(check, task);
    for text in prose(task) {
        let hits = FINDER.find(text);
        for ((rule, _, help), found) in PHRASES.iter().zip(hits) {
            if let Some(found) = found {
                let field = field_of(task, text);
                check.task(rule, task, &field, format!("`{}` says `{found}`", task.id), help);
            }
        }
    }
    if !check.is_parent(at) {
        multi_file(check, at, task);
    }
}

/// The prose of a task.
pub(super) fn prose(task: &Task) -> impl Iterator<Item = &str> {
    let texts = [&task.title, &task.objective, &task.description, &task.notes].into_iter();
    let criteria = task.criteria.iter().map(|c| &c.text);
    texts.chain(criteria).chain(&task.done_when).chain(task.changes.values()).map(String::as_str)
}

/// The field of a text from [`prose`].
pub(super) fn field_of(task: &Task, text: &str) -> String {
    let is = |other: &str| std::ptr::eq(other, text);
    let named = [("title", &task.title), ("objective", &task.objective), ("description", &task.description)];
    let named =
        named.into_iter().chain([("notes", &task.notes)]).find(|(_, t)| is(t)).map(|(f, _)| f.to_owned());
    let criterion = || task.criteria.iter().position(|c| is(&c.text)).map(|i| format!("criteria[{i}]"));
    let done = || task.done_when.iter().position(|d| is(d)).map(|i| format!("done_when[{i}]"));
    named.or_else(criterion).or_else(done).unwrap_or_else(|| "files".to_owned())
}

/// Whether a text contains a whole name.
pub(super) fn has_phrase(text: &str, phrase: &str) -> bool {
    let mut from = if phrase.is_empty() { text.len() + 1 } else { 0 };
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(phrase)).map(|i| from + i) {
        let before = text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let after = text[at + phrase.len()..].chars().next().is_none_or(|c| !c.is_alphanumeric());
        if before && after {
            return true;
        }
        from = at + phrase.len();
    }
    false
}

/// A title with more words than this is specific enough.
const LONG_TITLE: usize = 6;

/// Unspecific verbs.
const EMPTY_VERBS: [&str; 10] =
    ["implement", "create", "build", "do", "make", "update", "fix", "improve", "refactor", "work on"];

/// Unspecific nouns.
const EMPTY_THINGS: &str = include_str!("../words/empty_things.txt");

/// Reports a title made of an unspecific verb and noun, or of a number.
fn vague(check: &mut LintRun<'_>, task: &Task) {
    let words = task.title.split_ascii_whitespace().take(LONG_TITLE + 1).count();
    if task.title.len() > 60 || words == 0 || words > LONG_TITLE {
        return;
    }
    let title = task.title.trim().to_lowercase();
    let bare = title.trim_start_matches("task").trim_start_matches("step").trim_start_matches("phase");
    let only_number = bare.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || c == '-' || c == '#');
    let rest = EMPTY_VERBS.iter().find_map(|v| title.strip_prefix(v).and_then(|r| r.strip_prefix(' ')));
    let rest = rest.map(|r| {
        ["the ", "a ", "an ", "all ", "some "].iter().fold(r, |r, w| r.strip_prefix(w).unwrap_or(r))
    });
    let empty = rest.is_some_and(|r| is_listed(EMPTY_THINGS, r.trim())) || is_listed(EMPTY_THINGS, &title);
    if only_number || empty {
        let message = format!("`{}` does not say what `{}` does", task.title, task.id);
        check.task(&VAGUE, task, "title", message, "name the functions, endpoints or files");
    }
}

fn multi_file(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let sources = check.owned(at).iter().filter(|o| !o.is_test).count();
    if sources > 2 {
        let message = format!("`{}` changes {sources} source files at once", task.id);
        check.task(
            &MULTI_FILE,
            task,
            "files",
            message,
            "make a task per file; an index that exports it may be included",
        );
    }
}

#[cfg(test)]
mod tests;
