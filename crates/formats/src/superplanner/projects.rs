//! The projects of a folder, and which of them is the first.

use serde_json::Value;

use crate::json::JsonNode;
use crate::picking;
use crate::reading::code;
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity};

/// One project file.
pub(super) struct Project<'a> {
    pub(super) id: String,
    pub(super) path: &'a str,
    pub(super) file: FileIx,
    pub(super) root: JsonNode<'a>,
}

impl<'a> Project<'a> {
    /// A project with its own id, or else the name of its file.
    pub(super) fn new(path: &'a str, file: FileIx, root: JsonNode<'a>) -> Self {
        let own = root.get("id").or_else(|| root.get("project").and_then(|p| p.get("id")));
        let stem = picking::file_name(path).trim_end_matches(".json");
        let id = own.and_then(JsonNode::text).unwrap_or(stem).to_owned();
        Self { id, path, file, root }
    }

    /// The tasks, by name or in a list.
    pub(super) fn tasks(&self) -> impl Iterator<Item = (Option<&str>, &JsonNode<'a>)> {
        let tasks = self.root.get("tasks");
        let named = tasks.map(JsonNode::members).unwrap_or_default().iter();
        let listed = tasks.map(JsonNode::items).unwrap_or_default().iter();
        named.map(|m| (Some(m.key.as_ref()), &m.value)).chain(listed.map(|n| (None, n)))
    }

    /// Whether a task has this project as its sub-project.
    fn refers_to(&self, id: &str) -> bool {
        self.tasks().any(|(_, task)| sub_project(task) == Some(id))
    }
}

/// The sub-project of a task.
pub(super) fn sub_project<'n>(task: &'n JsonNode<'_>) -> Option<&'n str> {
    task.get("subproject").or_else(|| task.get("sub_project_id")).and_then(JsonNode::text)
}

/// The first project: one that no other refers to, and of several the one with sub-projects.
pub(super) fn first(projects: &[Project<'_>], out: &mut Vec<Diagnostic>) -> usize {
    let above = |i: usize| {
        let id = &projects[i].id;
        (0..projects.len()).any(|other| other != i && projects[other].refers_to(id))
    };
    let roots: Vec<usize> = (0..projects.len()).filter(|i| !above(*i)).collect();
    let has_subs = |i: &&usize| projects.iter().any(|p| projects[**i].refers_to(&p.id));
    let with_subs: Vec<usize> = roots.iter().filter(has_subs).copied().collect();
    let chosen = match (&roots[..], &with_subs[..]) {
        ([only], _) | (_, [only]) => *only,
        ([], _) => {
            // Each is below another: reading begins with one of them, and a project that was read is not read again.
            let names: Vec<&str> = projects.iter().map(|p| p.id.as_str()).collect();
            let start = projects.first().map_or("", |p| p.id.as_str());
            let message = format!(
                "the projects {} are below each other in a cycle; `{start}` is read first",
                names.join(", ")
            );
            let finding = Diagnostic::new(code::LEFT_OUT, Severity::Warning, message);
            out.push(finding.with_help("remove the sub-project from one of their tasks"));
            return 0;
        }
        _ => {
            let names: Vec<&str> = roots.iter().map(|i| projects[*i].id.as_str()).collect();
            let first = roots.first().copied().unwrap_or(0);
            let message = format!(
                "this folder holds several projects ({}); `{}` is read",
                names.join(", "),
                projects[first].id
            );
            let finding = Diagnostic::new(code::LEFT_OUT, Severity::Warning, message);
            out.push(finding.with_help("name the file of the project to read"));
            return first;
        }
    };
    for other in roots.iter().filter(|i| **i != chosen) {
        let message =
            format!("the project `{}` is not read; `{}` is", projects[*other].id, projects[chosen].id);
        out.push(Diagnostic::new(code::LEFT_OUT, Severity::Note, message));
    }
    chosen
}

/// The ids of the sub-projects that the tasks of a project file name.
pub fn named_sub_projects(bytes: &[u8]) -> Vec<String> {
    let Ok(root) = serde_json::from_slice::<Value>(bytes) else { return Vec::new() };
    let tasks: Vec<&Value> = match &root["tasks"] {
        Value::Array(list) => list.iter().collect(),
        Value::Object(named) => named.values().collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    let sub = |task: &&Value| {
        let id = task.get("subproject").or_else(|| task.get("sub_project_id"));
        id.and_then(Value::as_str).map(str::to_owned)
    };
    tasks.iter().filter_map(sub).collect()
}

/// Whether a file holds the project with this id: as it says, else by its name.
pub fn is_project(name: &str, bytes: &[u8], id: &str) -> bool {
    let Ok(root) = serde_json::from_slice::<Value>(bytes) else { return false };
    let own =
        root.get("id").or_else(|| root.get("project").and_then(|p| p.get("id"))).and_then(Value::as_str);
    root.get("tasks").is_some() && own.unwrap_or(name.trim_end_matches(".json")) == id
}
