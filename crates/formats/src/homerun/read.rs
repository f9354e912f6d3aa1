//! Files → plan: which of the files hold the tasks, and what the state file adds.

use serde_json::Value;

use super::task::TASK;
use super::{DIALECT, HomerunFile, STATE_FILE, TASKS_FILE, markdown, role, state};
use crate::json::{JsonKind, JsonNode, ValueReader, parse};
use crate::memory::{self, KeyOrder, SUBTASK_KEYS, TASK_KEYS};
use crate::reading::{PlanReading, code, folder_name};
use crate::table::read_task;
use crate::{Input, Sniff, TextFile, picking, remainder};
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity, Sources};
use windlass_core::plan::{Loaded, Plan, Task};

/// The files of the input by what they are.
#[derive(Default)]
struct HomerunFiles<'i> {
    tasks: Option<&'i TextFile>,
    state: Option<&'i TextFile>,
    markdown: Vec<&'i TextFile>,
}

/// Reads a homerun plan.
pub(super) fn read(input: &Input) -> Loaded {
    let mut reading = PlanReading::default();
    let mut plan = Plan::default();
    let found = sort_out(input, &mut reading.diagnostics);
    let state = found.state.and_then(|f| reading.take(input, f).map(|ix| (f, ix)));
    let tasks = found.tasks.and_then(|f| reading.take(input, f).map(|ix| (f, ix)));
    let wanted = if found.tasks.is_some() { Vec::new() } else { found.markdown.clone() };
    let files: Vec<(&TextFile, FileIx)> =
        wanted.into_iter().filter_map(|f| reading.take(input, f).map(|ix| (f, ix))).collect();
    let PlanReading { sources, diagnostics } = &mut reading;
    let state_root = state.and_then(|(_, ix)| parse(&sources.file(ix).text, ix, diagnostics));
    if let (Some((file, ix)), Some(root)) = (state, &state_root) {
        read_state(file, &mut ValueReader::new(ix, diagnostics), root, &mut plan);
    }
    let mut list = TaskList {
        plan: &mut plan,
        top: KeyOrder::new(DIALECT, TASK_KEYS),
        below: KeyOrder::new(DIALECT, SUBTASK_KEYS),
    };
    if let Some((file, ix)) = tasks {
        list.tasks_file(file, sources, ix, diagnostics);
        left_out(&found.markdown, &format!("the tasks are in `{}`", file.path), diagnostics);
    } else if !files.is_empty() {
        list.markdown(&files, state_root.as_ref(), sources, diagnostics);
    } else if let (Some((_, ix)), Some(root)) = (state, &state_root) {
        list.state_tasks(&mut ValueReader::new(ix, diagnostics), root);
    } else {
        picking::no_tasks(diagnostics, format!("there is neither `{TASKS_FILE}` nor a Markdown task here"));
    }
    list.finish();
    remainder::restore(&mut plan, diagnostics);
    if plan.name.is_empty() {
        memory::name_from_outside(&mut plan, DIALECT, &folder_name(input));
    }
    reading.done(DIALECT, plan)
}

fn sort_out<'i>(input: &'i Input, out: &mut Vec<Diagnostic>) -> HomerunFiles<'i> {
    let named = |f: &TextFile| picking::file_name(&f.path) == "tasks.json";
    let as_a =
        |wanted: HomerunFile| move |f: &TextFile| if role(f) == wanted { Sniff::Sure } else { Sniff::No };
    let mut found = HomerunFiles {
        state: picking::pick(input, STATE_FILE, out, as_a(HomerunFile::State)),
        tasks: picking::pick(input, "tasks.json", out, as_a(HomerunFile::Tasks)),
        markdown: input.files.iter().filter(|f| role(f) == HomerunFile::Markdown).collect(),
    };
    found.markdown.sort_by(|a, b| a.path.cmp(&b.path));
    if found.tasks.is_none() {
        found.tasks = input.files.iter().find(|f| named(f) && role(f) == HomerunFile::Other);
    }
    if let ([only], None, None, true) =
        (&input.files[..], found.state, found.tasks, found.markdown.is_empty())
    {
        if picking::is_markdown(&only.path) {
            found.markdown.push(only);
        } else {
            found.tasks = Some(only);
        }
    }
    found
}

/// Reports which Markdown tasks are not read, and why.
fn left_out(files: &[&TextFile], why: &str, out: &mut Vec<Diagnostic>) {
    if let Some(first) = files.first() {
        let message = match files.len() {
            1 => format!("`{}` is not read: {why}", first.path),
            n => format!("`{}` and {} more Markdown tasks are not read: {why}", first.path, n - 1),
        };
        out.push(Diagnostic::new(code::LEFT_OUT, Severity::Note, message));
    }
}

fn read_state(file: &TextFile, f: &mut ValueReader<'_>, root: &JsonNode<'_>, plan: &mut Plan) {
    state::read(f, root, plan);
    state::check_types(f, root);
    let mut kept = root.to_value();
    if let Value::Object(kept) = &mut kept
        && let Some(rest) = kept.shift_remove(remainder::KEY)
    {
        plan.extra.insert(remainder::KEY.to_owned(), rest);
    }
    memory::note(&mut plan.extra, DIALECT, "state", kept);
    if file.path != STATE_FILE {
        memory::note(&mut plan.extra, DIALECT, "state_path", file.path.clone());
    }
}

struct TaskList<'p> {
    plan: &'p mut Plan,
    top: KeyOrder,
    below: KeyOrder,
}

impl TaskList<'_> {
    fn form(&mut self, form: &str) {
        memory::note(&mut self.plan.extra, DIALECT, "form", form);
    }

    fn tasks_file(&mut self, file: &TextFile, sources: &Sources, ix: FileIx, out: &mut Vec<Diagnostic>) {
        self.form("tasks");
        if file.path != TASKS_FILE {
            memory::note(&mut self.plan.extra, DIALECT, "path", file.path.clone());
        }
        let Some(root) = parse(&sources.file(ix).text, ix, out) else { return };
        let mut f = ValueReader::new(ix, out);
        if root.is_list() {
            memory::note(&mut self.plan.extra, DIALECT, "list", true);
            return self.list(&mut f, &root);
        }
        for m in root.members() {
            if m.key == "tasks" {
                self.plan.places.note("tasks", m.value.span(ix));
                self.list(&mut f, &m.value);
            } else {
                self.plan.extra.insert(m.key.to_string(), m.value.to_value());
            }
        }
        if root.get("tasks").is_none() {
            f.find(code::NO_TASKS, Severity::Error, &root, "this file has no list `tasks`");
        }
        memory::keep_keys(&root, DIALECT, self.plan);
    }

    fn list(&mut self, f: &mut ValueReader<'_>, node: &JsonNode<'_>) {
        if !node.is_list() {
            f.find(code::WRONG_TYPE, Severity::Error, node, "`tasks` must be a list");
        }
        for item in node.items() {
            self.task(f, item, None);
        }
    }

    fn task(&mut self, f: &mut ValueReader<'_>, node: &JsonNode<'_>, parent: Option<&str>) {
        if !f.is_task(node) {
            return;
        }
        let order = if parent.is_some() { &mut self.below } else { &mut self.top };
        let mut task = read_task(TASK, f, node, order);
        match parent {
            Some(parent) => task.parent = Some(parent.to_owned()),
            None if task.parent.is_some() => memory::note(&mut task.extra, DIALECT, "flat", true),
            None => {}
        }
        keep_both_orders(node, &mut task);
        let id = task.id.clone();
        self.plan.tasks.push(task);
        for child in node.get("subtasks").map(JsonNode::items).unwrap_or_default() {
            self.task(f, child, Some(&id));
        }
    }

    /// One file per task. The state file says which of them belong to this plan; files of earlier plans are left out.
    fn markdown(
        &mut self,
        files: &[(&TextFile, FileIx)],
        state: Option<&JsonNode<'_>>,
        sources: &Sources,
        out: &mut Vec<Diagnostic>,
    ) {
        self.form("markdown");
        let listed = state.and_then(|s| s.get("tasks")).map(JsonNode::members).unwrap_or_default();
        let listed_files: Vec<&str> =
            listed.iter().filter_map(|m| m.value.get("file")).filter_map(JsonNode::text).collect();
        let belongs = |path: &str| {
            listed_files.is_empty()
                || listed_files.iter().any(|l| l.ends_with(picking::file_name(path)) && same_end(l, path))
        };
        let (own, other): (Vec<_>, Vec<_>) = files.iter().partition(|(f, _)| belongs(&f.path));
        let own = if own.is_empty() { files.iter().collect() } else { own };
        for (file, ix) in &own {
            let mut task = markdown::read(&sources.file(*ix).text, *ix, &mut self.top, out);
            memory::note(&mut task.extra, DIALECT, "path", file.path.clone());
            let claimed = listed.iter().find(|m| m.key == task.id).and_then(|m| m.value.get("status"));
            if let Some(word) = claimed.and_then(JsonNode::text) {
                task.claimed_state = Some(word.to_owned());
            }
            self.plan.tasks.push(task);
        }
        if own.len() < files.len() {
            let rest: Vec<&TextFile> = other.iter().map(|(f, _)| *f).collect();
            left_out(&rest, "the state file does not list them", out);
        }
    }

    /// Tasks that only the state file knows, by id or as a list.
    fn state_tasks(&mut self, f: &mut ValueReader<'_>, root: &JsonNode<'_>) {
        self.form("state");
        let Some(tasks) = root.get("tasks") else { return };
        match &tasks.kind {
            JsonKind::List(_) => self.list(f, tasks),
            JsonKind::Object(members) => {
                for m in members.iter().filter(|m| m.value.is_object()) {
                    let at = self.plan.tasks.len();
                    self.task(f, &m.value, None);
                    let Some(task) = self.plan.tasks.get_mut(at) else { continue };
                    if task.id.is_empty() {
                        task.id = m.key.to_string();
                    }
                    if let (true, Some(file)) = (task.title.is_empty(), m.value.get("file")) {
                        task.title = title_of(file.text().unwrap_or_default(), &task.id);
                        f.assume(file, format!("the title `{}` is taken from the file name", task.title));
                    }
                }
            }
            JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::Text(_) => {
                f.misfit(tasks, "tasks by id or as a list");
            }
        }
        if let Some(Value::Object(kept)) =
            self.plan.extra.get_mut(DIALECT.as_str()).and_then(|m| m.get_mut("state"))
        {
            let empty = if tasks.is_list() {
                Value::Array(Vec::new())
            } else {
                Value::Object(serde_json::Map::new())
            };
            kept.insert("tasks".to_owned(), empty);
        }
    }

    fn finish(self) {
        self.top.keep(self.plan);
        self.below.keep(self.plan);
    }
}

/// A task with both `depends_on` and `blocked_by` keeps both as they are, in their order.
fn keep_both_orders(node: &JsonNode<'_>, task: &mut Task) {
    let mut members = node.members().iter().filter(|m| matches!(m.key.as_ref(), "depends_on" | "blocked_by"));
    if let (Some(first), Some(second)) = (members.next(), members.next()) {
        task.extra.shift_insert(0, first.key.to_string(), first.value.to_value());
        task.extra.shift_insert(1, second.key.to_string(), second.value.to_value());
    }
}

fn same_end(a: &str, b: &str) -> bool {
    let mut parts = a.rsplit('/').zip(b.rsplit('/'));
    parts.all(|(a, b)| a == b)
}

/// `update beach type` of `docs/tasks/001-update-beach-type.md`.
fn title_of(path: &str, id: &str) -> String {
    let stem = picking::file_name(path).trim_end_matches(".md");
    let words = stem.strip_prefix(id).unwrap_or(stem).trim_start_matches('-');
    words.replace('-', " ")
}
