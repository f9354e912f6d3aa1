//! Project files → plan.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::projects::{Project, first, sub_project};
use super::{DIALECT, PROJECT, TASK, confidence};
use crate::json::{JsonKind, JsonNode, ValueReader, parse};
use crate::memory::{self, KeyOrder, TASK_KEYS};
use crate::reading::{PlanReading, code, folder_name};
use crate::table::{read_members, read_task};
use crate::{Input, Sniff, TextFile, picking, remainder};
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity};
use windlass_core::plan::{Loaded, Plan};

/// Reads a project with its sub-projects.
pub(super) fn read(input: &Input) -> Loaded {
    let mut reading = PlanReading::default();
    let mut plan = Plan::default();
    let mut wanted: Vec<&TextFile> = input.files.iter().filter(|f| confidence(f) > Sniff::No).collect();
    if let ([only], true) = (&input.files[..], wanted.is_empty()) {
        wanted.push(only);
    }
    let files: Vec<(&TextFile, FileIx)> =
        wanted.into_iter().filter_map(|f| reading.take(input, f).map(|ix| (f, ix))).collect();
    let PlanReading { sources, diagnostics } = &mut reading;
    let mut projects = Vec::new();
    for (file, ix) in files {
        if let Some(root) = parse(&sources.file(ix).text, ix, diagnostics) {
            projects.push(Project::new(&file.path, ix, root));
        }
    }
    if projects.is_empty() {
        picking::no_tasks(diagnostics, "there is no project of super-planner here");
    } else {
        let root = first(&projects, diagnostics);
        let mut reader = ProjectReader::new(&projects, &mut plan, diagnostics);
        reader.top(root);
        reader.project(root, None);
        reader.order.keep(&mut plan);
        remainder::restore(&mut plan, diagnostics);
    }
    if plan.name.is_empty() {
        memory::name_from_outside(&mut plan, DIALECT, &folder_name(input));
    }
    reading.done(DIALECT, plan)
}

struct ProjectReader<'a, 'p> {
    projects: &'a [Project<'a>],
    plan: &'p mut Plan,
    out: &'p mut Vec<Diagnostic>,
    order: KeyOrder,
    /// Ids that are given away, over all projects.
    taken: HashSet<String>,
    read: HashSet<usize>,
}

impl<'a, 'p> ProjectReader<'a, 'p> {
    fn new(projects: &'a [Project<'a>], plan: &'p mut Plan, out: &'p mut Vec<Diagnostic>) -> Self {
        let order = KeyOrder::new(DIALECT, TASK_KEYS);
        Self { projects, plan, out, order, taken: HashSet::new(), read: HashSet::new() }
    }

    /// Reads the first project's own keys, which hold for the whole plan.
    fn top(&mut self, index: usize) {
        let project = &self.projects[index];
        let mut reader = ValueReader::new(project.file, self.out);
        let listed = project.root.get("project").filter(|p| p.is_object());
        let head = listed.unwrap_or(&project.root);
        read_members(PROJECT, &mut reader, head, self.plan);
        match head.get("tasks").filter(|_| listed.is_some()) {
            Some(tasks) => self.plan.extra.insert("tasks".to_owned(), tasks.to_value()),
            None => self.plan.extra.shift_remove("tasks"),
        };
        memory::keep_keys(head, DIALECT, self.plan);
        memory::note(&mut self.plan.extra, DIALECT, "path", project.path);
        if listed.is_some() {
            let around = around(&project.root, &["project", "tasks"]);
            memory::note(&mut self.plan.extra, DIALECT, "list", around);
        }
        if project.root.get("tasks").is_none() {
            reader.find(code::NO_TASKS, Severity::Error, &project.root, "this file has no `tasks`");
        }
    }

    /// Reads the tasks of a project, each followed by those of its sub-project.
    fn project(&mut self, index: usize, parent: Option<&str>) {
        self.read.insert(index);
        let projects = self.projects;
        let project = &projects[index];
        let ids = self.ids(project, parent);
        for (name, node) in project.tasks() {
            let mut reader = ValueReader::new(project.file, self.out);
            if !reader.is_task(node) {
                continue;
            }
            let local = local_id(name, node);
            let mut task = read_task(TASK, &mut reader, node, &mut self.order);
            let known = |id: &String| ids.get(id.as_str()).cloned().unwrap_or_else(|| id.clone());
            task.depends_on = task.depends_on.iter().map(known).collect();
            task.parent = task.parent.as_ref().map(known);
            task.id = known(&local);
            contradictions(&mut reader, project, &local, node);
            let own = node.get("id").filter(|id| id.text() != Some(local.as_str()));
            if own.is_some() || node.get("id").is_none() {
                task.extra.insert("id".to_owned(), own.map_or(Value::Null, JsonNode::to_value));
            }
            if let Some(parent) = parent {
                if task.parent.is_none() {
                    task.parent = Some(parent.to_owned());
                }
                memory::note(&mut task.extra, DIALECT, "project", project.id.clone());
                memory::note(&mut task.extra, DIALECT, "id", local);
            }
            let id = task.id.clone();
            self.plan.tasks.push(task);
            self.sub_project(node, &id, project);
        }
    }

    /// Names for the tasks of a project: their own, or with the parent before it where that is taken.
    fn ids(&mut self, project: &Project<'a>, parent: Option<&str>) -> HashMap<String, String> {
        let mut ids = HashMap::new();
        for (name, node) in project.tasks() {
            let local = local_id(name, node);
            let mut id = local.clone();
            if let (Some(parent), true) = (parent, self.taken.contains(&local)) {
                id = format!("{parent}.{local}");
                let message = format!("`{local}` is in two projects; here it is called `{id}`");
                ValueReader::new(project.file, self.out).assume(node, message);
            }
            self.taken.insert(id.clone());
            ids.insert(local, id);
        }
        ids
    }

    fn sub_project(&mut self, node: &JsonNode<'_>, id: &str, within: &Project<'_>) {
        let Some(sub) = sub_project(node) else { return };
        match self.projects.iter().position(|p| p.id == sub) {
            Some(index) if !self.read.contains(&index) => {
                let project = &self.projects[index];
                let file =
                    serde_json::json!({ "path": project.path, "top": around(&project.root, &["tasks"]) });
                let noted = self.plan.extra.entry(DIALECT.as_str()).or_insert(Value::Null);
                noted["projects"][sub] = file;
                self.project(index, Some(id));
            }
            Some(_) => {
                let message =
                    format!("the project `{sub}` is used by two tasks, or by itself; it is read once");
                ValueReader::new(within.file, self.out).find(
                    code::WRONG_TYPE,
                    Severity::Warning,
                    node,
                    message,
                );
            }
            None => {
                let message = format!("the sub-project `{sub}` is not here, so its tasks are not read");
                ValueReader::new(within.file, self.out).find(
                    code::LEFT_OUT,
                    Severity::Warning,
                    node,
                    message,
                );
            }
        }
    }
}

/// Reports an id that is not the task's key, and a parent without parts.
fn contradictions(reader: &mut ValueReader<'_>, project: &Project<'_>, local: &str, node: &JsonNode<'_>) {
    if let Some(other) = node.get("id").filter(|id| !id.is_null() && id.word() != Some(local)) {
        let message = format!("this is not the task's key `{local}`, which others name it by");
        reader.find(code::WRONG_TYPE, Severity::Warning, other, message);
    }
    let is_part = |other: &JsonNode<'_>| other.get("parent_id").and_then(JsonNode::text) == Some(local);
    let said = node.get("is_parent").filter(|flag| flag.kind == JsonKind::Bool(true));
    let empty = sub_project(node).is_none() && !project.tasks().any(|(_, other)| is_part(other));
    if let Some(flag) = said.filter(|_| empty) {
        let message = format!("`{local}` is a parent without parts and without a `sub_project_id`");
        reader.find(code::WRONG_TYPE, Severity::Warning, flag, message);
    }
}

/// The id that others use for the task: its name in the file, or its own id.
fn local_id(name: Option<&str>, node: &JsonNode<'_>) -> String {
    name.or_else(|| node.get("id").and_then(JsonNode::word)).unwrap_or_default().to_owned()
}

/// The file with null in place of some keys.
fn around(root: &JsonNode<'_>, without: &[&str]) -> Value {
    let keep =
        |key: &str, node: &JsonNode<'_>| if without.contains(&key) { Value::Null } else { node.to_value() };
    let members = root.members().iter().map(|m| (m.key.to_string(), keep(&m.key, &m.value)));
    Value::Object(members.collect())
}
