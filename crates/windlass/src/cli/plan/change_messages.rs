//! What a change of documents comes to, in the terms of the plan.

use std::fmt::Write as _;

use windlass_planner::living::{PlanChangeKind, Revision, SentenceChange, TaskChange};

use crate::render::{Paint, Screen, counted, cut};

/// How much of a sentence is shown.
const SENTENCE: usize = 110;

/// The changes, and what they make necessary. `what` changed: the documents, or the language of new files.
pub(super) fn changes(screen: &Screen, revision: &Revision, what: &str) -> String {
    let mut text = String::new();
    if revision.is_nothing() && revision.of(PlanChangeKind::Moved).next().is_none() {
        let tasks = counted(revision.plan.tasks.len(), "task");
        return format!("the documents say what they said: {tasks} untouched\n");
    }
    let counts: Vec<String> = PlanChangeKind::ALL
        .into_iter()
        .map(|kind| (revision.of(kind).count(), kind))
        .filter(|(n, _)| *n > 0)
        .map(|(n, kind)| format!("{n} {}", kind.as_str()))
        .collect();
    let _ = writeln!(text, "the {what} changed; tasks: {}", counts.join(", "));
    for kind in PlanChangeKind::ALL.into_iter().filter(|kind| *kind != PlanChangeKind::Untouched) {
        for change in revision.of(kind) {
            one(screen, change, &mut text);
        }
    }
    for kept in &revision.kept_edits {
        let _ = writeln!(text, "{}: {kept}", screen.paint(Paint::Warning, "hand edit"));
    }
    text.push_str(&stale(screen, revision));
    text
}

fn one(screen: &Screen, change: &TaskChange, text: &mut String) {
    let (mark, paint) = match change.kind {
        PlanChangeKind::New => ("+", Paint::Good),
        PlanChangeKind::Changed | PlanChangeKind::Renamed => ("~", Paint::Warning),
        PlanChangeKind::Gone => ("-", Paint::Error),
        PlanChangeKind::Moved | PlanChangeKind::Untouched => ("=", Paint::Faint),
    };
    let state = match (change.kind, change.completed) {
        (PlanChangeKind::Gone, true) => " (completed: its code stays in the branch)",
        (PlanChangeKind::Gone, false) => " (its file is kept as `.md.old`)",
        (PlanChangeKind::Renamed, true) => " (completed: it keeps its title)",
        (PlanChangeKind::Changed, true) => " (completed: now stale)",
        _ => "",
    };
    let head = format!("{mark} {} {}", change.id, change.kind.as_str());
    let _ = writeln!(text, "{}  {}{state}", screen.paint(paint, &head), cut(&change.title, SENTENCE));
    if change.kind == PlanChangeKind::Changed {
        for sentence in &change.sentences {
            said(sentence, text);
        }
        if !change.fields.is_empty() {
            let _ = writeln!(text, "    also: {}", change.fields.join(", "));
        }
    }
}

fn said(sentence: &SentenceChange, text: &mut String) {
    let SentenceChange { criterion, was, now } = sentence;
    for (mark, words) in [('-', was), ('+', now)] {
        if !words.is_empty() {
            let _ = writeln!(text, "    {mark} {criterion}: {}", cut(words, SENTENCE));
        }
    }
}

/// Completed tasks whose source changed, and how they are carried out again.
fn stale(screen: &Screen, revision: &Revision) -> String {
    let stale: Vec<&str> =
        revision.of(PlanChangeKind::Changed).filter(|c| c.completed).map(|c| c.id.as_str()).collect();
    if stale.is_empty() {
        return String::new();
    }
    let help = screen.paint(Paint::Help, "help");
    format!(
        "{help}: `windlass retry {}` has what changed in {} carried out by the next run\n",
        stale.join(" "),
        if stale.len() == 1 { "it" } else { "them" }
    )
}
