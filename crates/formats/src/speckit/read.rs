//! `tasks.md` → plan.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::line::TaskLine;
use super::order::{TaskPosition, infer, named};
use super::{COMMENT, DIALECT, FILE, PLAN_COMMENT, confidence, paths};
use crate::markdown::{BodyBlock, SourceLine, TextSlice, blocks, list_item};
use crate::reading::{PlanReading, code, folder_name};
use crate::tree::span_of;
use crate::{Input, Sniff, TextFile, memory, picking, remainder};
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity};
use windlass_core::plan::{Loaded, Plan, Task};

/// The documents beside a task list.
const SPECS: [&str; 5] = ["spec.md", "plan.md", "data-model.md", "research.md", "quickstart.md"];

/// Reads a task list.
pub(super) fn read(input: &Input) -> Loaded {
    let mut reading = PlanReading::default();
    let mut plan = Plan::default();
    let sure = |f: &TextFile| if confidence(f) == Sniff::Sure { Sniff::Sure } else { Sniff::No };
    let file = picking::pick(input, FILE, &mut reading.diagnostics, sure)
        .or_else(|| input.files.iter().find(|f| confidence(f) > Sniff::No))
        .or_else(|| input.files.iter().find(|f| picking::file_name(&f.path) == FILE));
    let Some(file) = file else {
        picking::no_tasks(&mut reading.diagnostics, format!("there is no `{FILE}` with tasks here"));
        return reading.done(DIALECT, plan);
    };
    let folder = file.path.rsplit_once('/').map(|(folder, _)| folder);
    if let Some(ix) = reading.take(input, file) {
        let PlanReading { sources, diagnostics } = &mut reading;
        TaskLines::read(&sources.file(ix).text, ix, &mut plan, diagnostics);
        if plan.tasks.is_empty() {
            picking::no_tasks(diagnostics, format!("`{FILE}` has no line like `- [ ] T001 Create …`"));
        }
        remainder::restore(&mut plan, diagnostics);
    }
    if plan.name.is_empty() {
        let name = folder.map_or_else(|| folder_name(input), |f| picking::file_name(f).to_owned());
        memory::name_from_outside(&mut plan, DIALECT, &name);
    }
    memory::note(&mut plan.extra, DIALECT, "path", file.path.clone());
    beside(input, folder, &mut plan);
    reading.done(DIALECT, plan)
}

/// Adds the documents beside the list, and the stories of the specification.
fn beside(input: &Input, folder: Option<&str>, plan: &mut Plan) {
    let near = |name: &str| {
        let path = folder.map_or_else(|| name.to_owned(), |f| format!("{f}/{name}"));
        input.files.iter().find(|f| f.path == path)
    };
    let found: Vec<String> = SPECS.iter().filter_map(|n| near(n)).map(|f| f.path.clone()).collect();
    if plan.specs.is_empty() && !found.is_empty() {
        plan.specs.clone_from(&found);
        memory::note(&mut plan.extra, DIALECT, memory::OUTSIDE_SPECS, found);
    }
    let stories = near("spec.md").map(stories).unwrap_or_default();
    if !stories.is_empty() {
        memory::note(&mut plan.extra, DIALECT, "stories", Value::Object(stories));
    }
}

/// `### User Story 1 - Title (Priority: P1)` as `US1` and its title.
fn stories(file: &TextFile) -> Map<String, Value> {
    let text = String::from_utf8_lossy(&file.bytes);
    let mut stories = Map::new();
    for line in text.lines() {
        let Some(rest) = line.trim_start_matches('#').trim_start().strip_prefix("User Story ") else {
            continue;
        };
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        if line.starts_with('#') && !number.is_empty() {
            let title = rest[number.len()..].trim_start_matches([' ', '-', ':', '–', '—']);
            stories.insert(format!("US{number}"), title.trim().into());
        }
    }
    stories
}

struct TaskLines<'p> {
    plan: &'p mut Plan,
    file: FileIx,
    positions: Vec<TaskPosition>,
    phase: Option<String>,
    phases: usize,
    made: HashSet<String>,
}

impl TaskLines<'_> {
    fn read(text: &str, file: FileIx, plan: &mut Plan, out: &mut Vec<Diagnostic>) {
        let mut list =
            TaskLines { plan, file, positions: Vec::new(), phase: None, phases: 0, made: HashSet::new() };
        for block in blocks(&TextSlice { at: 0, text }) {
            if let BodyBlock::Text(line) = block {
                list.line(&line);
            }
        }
        infer(&mut list.plan.tasks, &list.positions);
        if let Some(first) = list.plan.tasks.first() {
            let message = "files and the order of tasks are inferred from the sentences and their positions";
            out.push(Diagnostic::new(code::ASSUMED, Severity::Note, message).at(first.span("")));
        }
        let ours = |l: &&str| !l.trim_start().starts_with(COMMENT) && !l.starts_with(PLAN_COMMENT);
        let kept: String = text.split_inclusive('\n').filter(ours).collect();
        memory::note(&mut list.plan.extra, DIALECT, "text", kept);
    }

    fn line(&mut self, line: &SourceLine<'_>) {
        if let Some(heading) = line.text.strip_prefix("## ") {
            self.phase = Some(heading.trim().to_owned());
            self.phases += 1;
        } else if let (Some(title), None) = (line.text.strip_prefix("# "), &self.plan.title) {
            self.plan.title = Some(title.trim().trim_start_matches("Tasks:").trim().to_owned());
        } else if let Some(task) = TaskLine::parse(line.text) {
            self.task(line, &task);
        } else if let Some(rest) = line.text.strip_prefix(PLAN_COMMENT) {
            keep_comment(rest, &mut self.plan.extra);
        } else if let Some(rest) = line.text.trim_start().strip_prefix(COMMENT) {
            if let Some(task) = self.plan.tasks.last_mut() {
                keep_comment(rest, &mut task.extra);
            }
        } else if line.text.starts_with([' ', '\t']) && !line.text.trim().is_empty() {
            self.below(line);
        }
    }

    /// A line below a task belongs to it.
    fn below(&mut self, line: &SourceLine<'_>) {
        let in_phase = self.positions.last().is_some_and(|s| s.phase == self.phases);
        if let (true, Some(task)) = (in_phase, self.plan.tasks.last_mut()) {
            let text = list_item(line.text)
                .map_or_else(|| line.text.trim().to_owned(), |(_, item)| format!("- {item}"));
            if !task.description.is_empty() {
                task.description.push('\n');
            }
            task.description.push_str(&text);
        }
    }

    fn task(&mut self, line: &SourceLine<'_>, said: &TaskLine<'_>) {
        let mut task = Task { id: said.id.to_owned(), title: said.text.to_owned(), ..Task::default() };
        let whole = span_of(self.file, line.at, line.end());
        task.places.note("", whole);
        let text_at = line.at + said.text_at;
        task.places.note("title", span_of(self.file, text_at, text_at + said.text.len()));
        task.phase.clone_from(&self.phase);
        task.traces_to.stories = said.stories.iter().map(|s| (*s).to_owned()).collect();
        task.files = paths::files(said.text, &mut self.made);
        if said.mark != ' ' {
            task.claimed_state = Some(said.mark.to_string());
        }
        if said.parallel {
            memory::note(&mut task.extra, DIALECT, "parallel", true);
        }
        if let Some(phase) = &self.phase
            && !self.plan.phases.contains(phase)
        {
            self.plan.phases.push(phase.clone());
        }
        let named = named(said.text);
        self.positions.push(TaskPosition { phase: self.phases, parallel: said.parallel, named });
        self.plan.tasks.push(task);
    }
}

fn keep_comment(rest: &str, extra: &mut Map<String, Value>) {
    let json = rest.trim_end().trim_end_matches("-->").trim();
    if let Ok(value) = serde_json::from_str(json) {
        extra.insert(remainder::KEY.to_owned(), value);
    }
}
