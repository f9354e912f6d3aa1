//! What was asked beside what will be done: the documents line by line with the tasks that came from each line, and the
//! tasks with the lines they came from. Data only; how it is shown is decided elsewhere.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::derive::{Note, NoteKind};
use crate::living::{plain_text, source_lines};
use crate::spec::SpecFile;
use windlass_code::detect::is_test_path;
use windlass_core::plan::{Criterion, Mode, Plan, Task, infer_mode};

/// The key of a task under which an agent's additions are listed: what no document says.
pub const PROPOSED: &str = "proposed";

/// Everything a person needs to agree to a plan.
#[derive(Debug, Clone, Default)]
pub struct PlanPage {
    /// The plan's name.
    pub name: String,
    /// What it is called for people.
    pub title: String,
    /// The documents by section.
    pub sections: Vec<AskedSection>,
    /// The tasks, in the order of the plan.
    pub tasks: Vec<PageTask>,
    /// What is open: gaps, contradictions, assumptions, and what was left out, in the words of planning.
    pub open: Vec<(NoteKind, String)>,
    /// Criteria that have a task, of how many.
    pub covered: (usize, usize),
}

/// A section of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AskedSection {
    /// The document.
    pub document: String,
    /// Its heading; empty above the first.
    pub heading: String,
    /// The level of the heading.
    pub level: usize,
    /// Its lines.
    pub lines: Vec<AskedLine>,
}

/// A line that says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedLine {
    /// Its number, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
    /// The tasks that came from it, by id.
    pub tasks: Vec<String>,
    /// What kind of line it is.
    pub kind: LineKind,
}

/// What kind of line a document has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// A sentence.
    Prose,
    /// The name of what follows: a label, the head of a table.
    Label,
    /// Inside a block of code.
    Code,
}

/// A task as a person judges it.
#[derive(Debug, Clone, Default)]
pub struct PageTask {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is to achieve.
    pub objective: String,
    /// The tasks before it.
    pub after: Vec<String>,
    /// Its files: what is done, and the path.
    pub files: Vec<(&'static str, String)>,
    /// Its criteria, with their ids. Behind one that may belong elsewhere stands why.
    pub criteria: Vec<(String, String)>,
    /// How it is proved.
    pub proof: String,
    /// Where it comes from: document and lines.
    pub sources: Vec<String>,
    /// What an agent added and no document says.
    pub proposed: Vec<String>,
    /// Whether it only groups other tasks.
    pub is_group: bool,
}

/// Why the task of a criterion is not certain.
fn doubt(kind: NoteKind) -> Option<&'static str> {
    match kind {
        NoteKind::CoverageGap => Some("no document says where it belongs"),
        NoteKind::Unsure => Some("a guess by its words"),
        NoteKind::Assumed
        | NoteKind::Question
        | NoteKind::Language
        | NoteKind::Contradiction
        | NoteKind::LeftOut
        | NoteKind::NoRunner
        | NoteKind::Unread
        | NoteKind::NotPlaced => None,
    }
}

impl PlanPage {
    /// Puts documents and tasks beside each other.
    pub fn new(plan: &Plan, documents: &[SpecFile], notes: &[Note]) -> Self {
        let lines = source_lines(&plan.tasks, documents);
        let doubts: BTreeMap<&str, NoteKind> =
            notes.iter().filter_map(|n| Some((n.criterion.as_deref()?, n.kind))).collect();
        let at = |document: usize, line: usize| -> Vec<String> {
            let came = |found: &&Vec<crate::living::SentenceLine>| {
                found.iter().any(|source| source.document == document && source.line == line)
            };
            let tasks = plan.tasks.iter().zip(&lines).filter(|(_, found)| came(found));
            tasks.map(|(task, _)| task.id.clone()).collect()
        };
        let sections = documents.iter().enumerate().flat_map(|(n, d)| sections_of(d, &|line| at(n, line)));
        let tasks = plan.tasks.iter().zip(&lines).map(|(task, found)| {
            let mut page = page_task(plan, task, &doubts);
            page.sources = ranges(found, documents);
            page
        });
        let served: BTreeSet<&str> = plan
            .tasks
            .iter()
            .flat_map(|t| {
                t.criteria
                    .iter()
                    .map(|c| c.id.as_str())
                    .chain(t.traces_to.criteria.iter().map(String::as_str))
            })
            .collect();
        // What no document covers is not covered, whichever task has it.
        let is_open = |id: &str| doubts.get(id) == Some(&NoteKind::CoverageGap);
        let is_covered = |id: &str| served.contains(id) && !is_open(id);
        let covered = plan.criteria.iter().filter(|c| is_covered(&c.id)).count();
        // A remark about a criterion is shown beside it.
        let others = notes.iter().filter(|n| n.criterion.is_none());
        let mut open: Vec<(NoteKind, String)> = others.map(|n| (n.kind, n.text.clone())).collect();
        open.sort_by_key(|(kind, _)| *kind);
        Self {
            name: plan.name.clone(),
            title: plan.title.clone().unwrap_or_else(|| plan.name.clone()),
            sections: sections.collect(),
            tasks: tasks.collect(),
            open,
            covered: (covered, plan.criteria.len()),
        }
    }

    /// How many lines say something that reached no task.
    pub fn unplanned_lines(&self) -> usize {
        let lines = self.sections.iter().flat_map(|s| &s.lines);
        lines.filter(|line| line.tasks.is_empty() && line.kind != LineKind::Label).count()
    }
}

/// The sections of one document.
fn sections_of(document: &SpecFile, tasks_at: &dyn Fn(usize) -> Vec<String>) -> Vec<AskedSection> {
    let section = |heading: String, level: usize| AskedSection {
        document: document.path.clone(),
        heading,
        level,
        lines: Vec::new(),
    };
    let mut all = vec![section(String::new(), 0)];
    let mut code = false;
    for (line, text) in (1..).zip(document.text.lines()) {
        let fence = text.trim_start().starts_with("```") || text.trim_start().starts_with("~~~");
        if fence {
            code = !code;
            continue;
        }
        let level = text.len() - text.trim_start_matches('#').len();
        if !code && level > 0 && level < 7 && text[level..].starts_with(' ') {
            all.push(section(text[level..].trim().trim_end_matches('#').trim().to_owned(), level));
            continue;
        }
        let Some(last) = all.last_mut() else { continue };
        let rule = text.trim().chars().all(|c| matches!(c, '-' | '=' | '|' | ':' | '*' | ' '));
        if rule && text.contains('|') {
            // The line above is the head of a table.
            last.lines.iter_mut().next_back().iter_mut().for_each(|head| head.kind = LineKind::Label);
        }
        if rule || plain_text(text).is_empty() {
            continue;
        }
        let kind = match (code, is_label(text)) {
            (true, _) => LineKind::Code,
            (false, true) => LineKind::Label,
            (false, false) => LineKind::Prose,
        };
        last.lines.push(AskedLine { line, text: text.trim_end().to_owned(), tasks: tasks_at(line), kind });
    }
    // The first part is only there for documents that begin without a heading.
    all.retain(|section| !section.heading.is_empty() || !section.lines.is_empty());
    all
}

/// Whether a line only names what follows: `**Acceptance Criteria:**`.
fn is_label(text: &str) -> bool {
    let plain = plain_text(text);
    plain.ends_with(':') && plain.split(' ').count() <= 5 && !text.trim_start().starts_with(['-', '+', '|'])
}

fn page_task(plan: &Plan, task: &Task, doubts: &BTreeMap<&str, NoteKind>) -> PageTask {
    let files = &task.files;
    let kinds = [("create", &files.create), ("change", &files.modify), ("delete", &files.delete)];
    let mut owned: Vec<(&'static str, String)> =
        kinds.iter().flat_map(|(what, paths)| paths.iter().map(|path| (*what, path.clone()))).collect();
    for test in task.test_files() {
        owned.retain(|(_, path)| path != test);
        owned.push(("test", test.to_owned()));
    }
    let proposed = task.extra.get(PROPOSED).and_then(serde_json::Value::as_array);
    let proposed = proposed.into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned));
    let said = |c: &Criterion| match doubts.get(c.id.as_str()).copied().and_then(doubt) {
        Some(doubt) => format!("{} ({doubt})", c.text),
        None => c.text.clone(),
    };
    PageTask {
        id: task.id.clone(),
        title: task.title.clone(),
        objective: task.objective.clone(),
        after: task.depends_on.clone(),
        files: owned,
        criteria: task.criteria.iter().map(|c| (c.id.clone(), said(c))).collect(),
        proof: proof(task),
        sources: Vec::new(),
        proposed: proposed.collect(),
        is_group: plan.tasks.iter().any(|other| other.parent.as_deref() == Some(&task.id)),
    }
}

fn proof(task: &Task) -> String {
    let check = task.verification.as_ref().map(|v| v.script.trim()).or(task.test.command.as_deref());
    let check = check.map(|script| script.lines().next().unwrap_or_default().to_owned());
    match (infer_mode(task, &is_test_path), check) {
        (Mode::Tdd, Some(check)) => format!("`{check}` fails before the work and passes after it"),
        (Mode::Tdd, None) => "its tests fail before the work and pass after it".to_owned(),
        (Mode::TestsOnly, Some(check)) => format!("`{check}` passes, and fails when the code is wrong"),
        (Mode::TestsOnly, None) => "its tests pass, and fail when the code is wrong".to_owned(),
        (Mode::Refactor, Some(check)) => format!("`{check}` passes before and after"),
        (Mode::Refactor, None) => "the tests pass before and after".to_owned(),
        (Mode::Gate, Some(check)) => format!("`{check}` passes"),
        (Mode::Gate, None) => "its check passes".to_owned(),
        (Mode::None, _) => {
            let why = task.test.none.as_deref().unwrap_or("no reason is given").replace('_', " ");
            format!("no test: {why}")
        }
    }
}

/// The lines of a task by document, neighbours together: `docs/PRD.md:3-7,12`.
fn ranges(lines: &[crate::living::SentenceLine], documents: &[SpecFile]) -> Vec<String> {
    let mut all = Vec::new();
    for (at, document) in documents.iter().enumerate() {
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for line in lines.iter().filter(|l| l.document == at).map(|l| l.line) {
            match spans.last_mut() {
                Some((_, to)) if *to + 1 >= line => *to = line,
                Some(_) | None => spans.push((line, line)),
            }
        }
        if spans.is_empty() {
            continue;
        }
        let span =
            |(from, to): &(usize, usize)| if from == to { from.to_string() } else { format!("{from}-{to}") };
        all.push(format!("{}:{}", document.path, spans.iter().map(span).collect::<Vec<_>>().join(",")));
    }
    all
}
