//! The documents of a session that people read: `IMPL_PLAN.md`, `TODO_LIST.md`, and the log of warnings.

use std::fmt::Write as _;

use serde_json::Value;

use super::{STATES, steps};
use crate::family::TaskForest;
use crate::json::to_text;
use crate::known::RunFacts;
use crate::picking::file_name;
use crate::states::meaning;
use crate::tree::yaml_value;
use crate::{StateOf, TextFile};
use windlass_core::plan::{Plan, Task};
use windlass_core::state::TaskState;

/// Adds what a session has besides its tasks: the time of its outline, and the documents it came without.
pub(super) fn add_run(plan: &Plan, known: &RunFacts<'_>, files: &mut Vec<TextFile>) {
    add_time(known, files);
    add_missing(plan, known, files);
}

/// The documents of a session of files, where it came without them.
fn add_missing(plan: &Plan, known: &RunFacts<'_>, files: &mut Vec<TextFile>) {
    let Some(folder) = files.iter().find_map(|f| f.path.split_once(".task/")).map(|(f, _)| f.to_owned())
    else {
        return;
    };
    let ids: Vec<String> = plan.tasks.iter().map(|t| t.id.clone()).collect();
    let forest = TaskForest::of(plan, 1);
    let document = SessionDocuments { plan, states: known.states, ids: &ids, forest: &forest };
    let session = plan.session.clone().unwrap_or_else(|| format!("WFS-{}", plan.name));
    let made =
        [("IMPL_PLAN.md", document.implementation_plan(&session)), ("TODO_LIST.md", document.todo_list())];
    for (name, text) in made {
        let path = format!("{folder}{name}");
        if !files.iter().any(|f| f.path == path) {
            files.push(TextFile { path, bytes: text.into_bytes() });
        }
    }
}

/// Adds the time to an outline without one.
pub(super) fn add_time(known: &RunFacts<'_>, files: &mut [TextFile]) {
    let Some(file) = files.iter_mut().find(|f| file_name(&f.path) == "plan.json") else { return };
    let Ok(Value::Object(mut outline)) = serde_json::from_slice(&file.bytes) else { return };
    if let Some(Value::Object(metadata)) = outline.get_mut("_metadata")
        && !metadata.contains_key("timestamp")
    {
        metadata.insert("timestamp".to_owned(), known.now.into());
        file.bytes = to_text(&Value::Object(outline));
    }
}

/// The log of findings that do not stop a session, one per line, beside the session's files.
pub fn tdd_warnings_log(session: &[TextFile], warnings: &[String]) -> TextFile {
    let mut text = String::new();
    for warning in warnings {
        let _ = writeln!(text, "WARNING: {}", warning.replace('\n', " "));
    }
    let folder = session.iter().find_map(|f| f.path.split_once(".task/")).map_or("", |(folder, _)| folder);
    TextFile { path: format!("{folder}.process/tdd-warnings.log"), bytes: text.into_bytes() }
}

/// A plan that becomes documents.
pub(super) struct SessionDocuments<'p> {
    pub(super) plan: &'p Plan,
    pub(super) states: StateOf<'p>,
    pub(super) ids: &'p [String],
    pub(super) forest: &'p TaskForest,
}

impl SessionDocuments<'_> {
    fn title(&self) -> &str {
        self.plan.title.as_deref().unwrap_or(&self.plan.name)
    }

    fn state(&self, task: &Task) -> TaskState {
        let claimed = || task.claimed_state.as_deref().and_then(meaning);
        (self.states)(&task.id).or_else(claimed).unwrap_or_default()
    }

    /// Front matter, a summary, and every task with its three phases.
    pub(super) fn implementation_plan(&self, session: &str) -> String {
        let features = self.forest.roots.len();
        let containers = self.forest.roots.iter().filter(|i| !self.forest.children[**i].is_empty()).count();
        let parts = self.plan.tasks.len() - features;
        let breakdown = match parts {
            0 => format!("{features} features, no subtasks"),
            _ => format!("{features} features, {containers} of them with {parts} subtasks"),
        };
        let mut text = String::from("---\n");
        for (key, value) in [
            ("identifier", yaml_value(&session.into())),
            ("workflow_type", "\"tdd\"".to_owned()),
            ("tdd_workflow", "true".to_owned()),
            ("feature_count", features.to_string()),
            ("task_count", self.plan.tasks.len().to_string()),
            ("task_breakdown", format!("{breakdown:?}")),
        ] {
            let _ = writeln!(text, "{key}: {value}");
        }
        let _ = write!(text, "---\n\n# Implementation Plan: {}\n\n## Summary\n\n", self.title());
        let summary = if self.plan.objective.is_empty() { self.title() } else { &self.plan.objective };
        let _ = write!(text, "{summary}\n\n## TDD Implementation Tasks\n");
        for i in self.forest.order() {
            self.task_section(i, &mut text);
        }
        text
    }

    fn task_section(&self, index: usize, text: &mut String) {
        let task = &self.plan.tasks[index];
        let _ = write!(text, "\n### {}: {}\n\n", self.ids[index], task.title);
        let mut line = |key: &str, value: &str| {
            let _ = writeln!(text, "- **{key}**: {value}");
        };
        let parts = &self.forest.children[index];
        if parts.is_empty() {
            line("Red", &steps::red(task));
            line("Green", &steps::green(task));
            line("Refactor", &steps::refactor(task));
        } else {
            let names: Vec<&str> = parts.iter().map(|i| self.ids[*i].as_str()).collect();
            line("Contains", &names.join(", "));
        }
        if !task.depends_on.is_empty() {
            line("Depends on", &task.depends_on.iter().map(|d| self.name(d)).collect::<Vec<_>>().join(", "));
        }
        let owned: Vec<String> = task.owned().map(|p| format!("`{p}`")).collect();
        if !owned.is_empty() {
            line("Files", &owned.join(", "));
        }
        for criterion in &task.criteria {
            line("Accepted when", &criterion.text);
        }
        if let Some(v) = &task.verification {
            line("Verified by", &format!("`{}`", v.script.replace('\n', " && ")));
        }
    }

    fn name(&self, id: &str) -> String {
        let at = self.plan.tasks.iter().position(|t| t.id == id);
        at.map_or_else(|| id.to_owned(), |i| self.ids[i].clone())
    }

    /// A check list with the phases and the state of each task.
    pub(super) fn todo_list(&self) -> String {
        let mut text = format!("# Tasks: {}\n\n## Task Progress\n\n", self.title());
        for &root in &self.forest.roots {
            self.todo(root, "", &mut text);
            for &child in &self.forest.children[root] {
                self.todo(child, "  ", &mut text);
            }
        }
        text.push_str("\n## Status Legend\n\n- `- [ ]` open\n- `- [x]` completed\n");
        text
    }

    fn todo(&self, index: usize, indent: &str, text: &mut String) {
        let task = &self.plan.tasks[index];
        let id = &self.ids[index];
        let state = self.state(task);
        let mark = if state == TaskState::Completed { 'x' } else { ' ' };
        let word = STATES.of(state);
        let container = !self.forest.children[index].is_empty();
        let phases = if container { "" } else { " · Red → Green → Refactor" };
        let _ = writeln!(
            text,
            "{indent}- [{mark}] **{id}**: {}{phases} ({word}) [task](./.task/{id}.json)",
            task.title
        );
    }
}

/// A kept document with the check boxes of tasks set to what a run knows.
pub(super) fn with_marks(text: &str, plan: &Plan, states: StateOf<'_>) -> String {
    let known: Vec<(&str, TaskState)> =
        plan.tasks.iter().filter_map(|t| states(&t.id).map(|s| (t.id.as_str(), s))).collect();
    if known.is_empty() {
        return text.to_owned();
    }
    text.split_inclusive('\n').map(|line| marked(line, &known)).collect()
}

fn marked(line: &str, known: &[(&str, TaskState)]) -> String {
    let trimmed = line.trim_start();
    let Some(rest) = trimmed.strip_prefix("- [").filter(|r| r.get(1..2) == Some("]")) else {
        return line.to_owned();
    };
    let words = rest.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '.' | '_')));
    let first = words.map(|w| w.trim_end_matches('.')).find(|w| w.len() > 1);
    let Some((_, state)) = first.and_then(|id| known.iter().find(|(k, _)| *k == id)) else {
        return line.to_owned();
    };
    let indent = &line[..line.len() - trimmed.len()];
    let mark = if *state == TaskState::Completed { 'x' } else { ' ' };
    format!("{indent}- [{mark}{}", with_word(&rest[1..], *state))
}

/// A line whose state in parentheses, if it has one, is the task's: `(pending)` becomes `(completed)`.
fn with_word(line: &str, state: TaskState) -> String {
    let known = |(at, _): &(usize, &str)| {
        let end = line[*at..].find(')').map(|end| at + end);
        end.is_some_and(|end| STATES.knows(&line[at + 1..end]))
    };
    let Some((at, _)) = line.rmatch_indices('(').find(known) else { return line.to_owned() };
    let rest = &line[at..];
    let end = rest.find(')').unwrap_or(rest.len());
    format!("{}({}{}", &line[..at], STATES.of(state), &rest[end..])
}
