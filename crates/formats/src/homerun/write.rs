//! Plan → `tasks.json` and `state.json`, or the Markdown files it came from.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::state::TaskProgress;
use super::task::{TASK, implied_type};
use super::{DIALECT, STATE_FILE, STATES, TASK_FILES, TASKS_FILE, ids, markdown, state};
use crate::family::TaskForest;
use crate::json::to_text;
use crate::memory::{self, Origin, SUBTASK_KEYS, TASK_KEYS};
use crate::remainder::{self, Remainders};
use crate::table::{GivenValue, Original, write_members};
use crate::{StateOf, TextFile};
use windlass_core::plan::{Plan, Task};

/// Writes a homerun plan in the form it was read in; a plan from elsewhere as `tasks.json`.
pub(super) fn write(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    write_as(plan, states, memory::noted_text(&plan.extra, DIALECT, "form"))
}

/// Writes a homerun plan with a Markdown file for each task: `docs/tasks/NNN-slug.md`.
pub fn write_task_files(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    write_as(&leaves(plan), states, "markdown")
}

/// The plan without its parents, which have no file of their own: what waits for one waits for its parts, and its parts wait
/// for what it waits for.
pub(super) fn leaves(plan: &Plan) -> Plan {
    let parts = |id: &str| -> Vec<String> {
        let own = plan.tasks.iter().filter(|t| t.parent.as_deref() == Some(id));
        own.map(|part| part.id.clone()).collect()
    };
    let mut flat = plan.clone();
    flat.tasks.retain(|task| parts(&task.id).is_empty());
    for task in &mut flat.tasks {
        let parent = task.parent.take().and_then(|id| plan.task(&id));
        let inherited = parent.map(|parent| parent.depends_on.clone()).unwrap_or_default();
        let mut after: Vec<String> = Vec::new();
        for id in task.depends_on.iter().chain(&inherited) {
            let own = parts(id);
            after.extend(if own.is_empty() { vec![id.clone()] } else { own });
        }
        let mut seen = std::collections::HashSet::new();
        after.retain(|id| seen.insert(id.clone()));
        task.depends_on = after;
    }
    flat
}

fn write_as(plan: &Plan, states: StateOf<'_>, form: &str) -> Vec<TextFile> {
    let origin = memory::origin(plan, DIALECT);
    let own = origin == Origin::Own;
    let mut forest = TaskForest::of(plan, if own { 16 } else { 1 });
    if form == "markdown" || form == "state" {
        forest = TaskForest {
            roots: (0..plan.tasks.len()).collect(),
            children: vec![Vec::new(); plan.tasks.len()],
        };
    }
    lift_flat(plan, &mut forest);
    let ids = ids::in_file(plan, &forest);
    let table: HashMap<&str, &str> =
        plan.tasks.iter().map(|t| t.id.as_str()).zip(ids.iter().map(String::as_str)).collect();
    remainder::complete(DIALECT, plan, &forest.order(), &|rests| {
        let writer =
            HomerunWriter { plan, states, rests, ids: &ids, forest: &forest, table: &table, own, origin };
        match form {
            "markdown" => writer.markdown(),
            "state" => writer.state_alone(),
            _ => writer.tasks_file(),
        }
    })
}

/// Subtasks that were beside their parent, not in it, stay there.
fn lift_flat(plan: &Plan, forest: &mut TaskForest) {
    let is_flat = |i: &usize| memory::noted(&plan.tasks[*i].extra, DIALECT, "flat").is_some();
    let mut lifted: Vec<usize> = Vec::new();
    for children in &mut forest.children {
        lifted.extend(children.iter().filter(|i| is_flat(i)));
        children.retain(|i| !is_flat(i));
    }
    if !lifted.is_empty() {
        forest.roots.extend(lifted);
        forest.roots.sort_unstable();
    }
}

struct HomerunWriter<'p> {
    plan: &'p Plan,
    states: StateOf<'p>,
    rests: &'p Remainders,
    ids: &'p [String],
    forest: &'p TaskForest,
    table: &'p HashMap<&'p str, &'p str>,
    own: bool,
    origin: Origin,
}

impl HomerunWriter<'_> {
    fn noted(&self, key: &str) -> &str {
        memory::noted_text(&self.plan.extra, DIALECT, key)
    }

    fn tasks_file(&self) -> Vec<TextFile> {
        let tasks: Value = self.forest.roots.iter().map(|i| Value::Object(self.task(*i, false))).collect();
        let root = if memory::noted(&self.plan.extra, DIALECT, "list").is_some() {
            tasks
        } else {
            let own = Map::from_iter([("tasks".to_owned(), tasks)]);
            let mut object = Original::of_plan(self.plan, DIALECT).finish(own);
            self.rests.add_plan(&mut object);
            Value::Object(object)
        };
        let path = memory::noted_or(&self.plan.extra, DIALECT, "path", TASKS_FILE);
        let mut files = vec![TextFile { path, bytes: to_text(&root) }];
        if let Some(state) = self.state() {
            files.push(self.state_file(state));
        }
        files
    }

    fn state(&self) -> Option<Map<String, Value>> {
        state::value(self.plan, &TaskProgress { ids: self.ids, states: self.states })
    }

    fn state_file(&self, state: Map<String, Value>) -> TextFile {
        let path = memory::noted_or(&self.plan.extra, DIALECT, "state_path", STATE_FILE);
        TextFile { path, bytes: to_text(&Value::Object(state)) }
    }

    fn task(&self, index: usize, nested: bool) -> Map<String, Value> {
        let task = &self.plan.tasks[index];
        let slot = if nested { SUBTASK_KEYS } else { TASK_KEYS };
        let original = Original::of_task(self.plan, task, DIALECT, slot);
        let children = &self.forest.children[index];
        let listed_by_id = self.own && self.noted("form") == "state" && !original.had("id");
        let mut said = self.as_said(index);
        if listed_by_id {
            said.id.clear();
        }
        if listed_by_id && !original.had("title") {
            said.title.clear();
        }
        let mut object = write_members(TASK, &mut said, &original, &mut |key| match key {
            "subtasks" if !children.is_empty() || !original.is_new() => Some(GivenValue {
                value: children.iter().map(|c| Value::Object(self.task(*c, true))).collect(),
                same: children.is_empty(),
            }),
            _ => None,
        });
        if nested && original.is_new() {
            // The document's form of a subtask names its parent and what it waits for, also inside its parent.
            object.insert("parent_id".to_owned(), json!(task.parent.as_deref().map(|id| self.in_file(id))));
            object.insert(
                "blocked_by".to_owned(),
                object.get("depends_on").cloned().unwrap_or_else(|| json!([])),
            );
        }
        self.rests.add_task(index, &mut object);
        object
    }

    fn in_file<'s>(&'s self, id: &'s str) -> &'s str {
        self.table.get(id).copied().unwrap_or(id)
    }

    /// The task as the file describes it: with homerun's ids, and with what the format requires.
    fn as_said(&self, index: usize) -> Task {
        let task = &self.plan.tasks[index];
        let mut said = Task {
            id: self.ids[index].clone(),
            depends_on: task.depends_on.iter().map(|d| self.in_file(d).to_owned()).collect(),
            claimed_state: STATES.required(task, self.states, self.origin),
            ..task.clone()
        };
        if !self.own {
            said.task_type.get_or_insert_with(|| implied_type(task).to_owned());
            if said.objective.is_empty() {
                said.objective = std::mem::take(&mut said.description);
            }
            if said.objective == said.description {
                said.description.clear();
            }
        }
        said
    }

    fn markdown(&self) -> Vec<TextFile> {
        let mut files: Vec<TextFile> = (0..self.plan.tasks.len()).map(|i| self.markdown_file(i)).collect();
        if let Some(mut state) = self.state() {
            if self.own {
                self.list_new_tasks(&mut state, &files);
            } else {
                state.shift_remove("tasks_file");
                state.insert("tasks".to_owned(), self.listed(&files));
            }
            self.rests.add_plan(&mut state);
            files.push(self.state_file(state));
        }
        files
    }

    /// The tasks as a new state file lists them: each with its file.
    fn listed(&self, files: &[TextFile]) -> Value {
        let entry = |(i, file): (usize, &TextFile)| {
            let word = STATES.required(&self.plan.tasks[i], self.states, self.origin);
            (self.ids[i].clone(), json!({ "status": word, "file": file.path }))
        };
        Value::Object(files.iter().enumerate().map(entry).collect())
    }

    /// A state file that lists its tasks must list them all, or the others are taken for older ones.
    fn list_new_tasks(&self, state: &mut Map<String, Value>, files: &[TextFile]) {
        if let Some(Value::Object(tasks)) = state.get_mut("tasks")
            && !tasks.is_empty()
        {
            for (task, file) in self.plan.tasks.iter().zip(files) {
                let word =
                    STATES.written(task, self.states, self.origin).unwrap_or_else(|| "pending".to_owned());
                tasks.entry(task.id.as_str()).or_insert_with(|| json!({ "status": word, "file": file.path }));
            }
        }
    }

    /// The file as it was, if it still says what the plan says; otherwise the part that differs is written anew.
    fn markdown_file(&self, index: usize) -> TextFile {
        let task = &self.plan.tasks[index];
        let noted = |key| memory::noted_text(&task.extra, DIALECT, key);
        let usual_body = markdown::body_of(task);
        let body = if noted("body").is_empty() { &usual_body } else { noted("body") };
        let usual_front = self.front(index);
        let loose = noted("front").is_empty() && !noted("body").is_empty();
        let old_front = if noted("front").is_empty() && !loose { &usual_front } else { noted("front") };
        let choices = [(old_front, body), (&usual_front, body), (&usual_front, &usual_body)];
        let says_it = |(front, body): &&(&str, &str)| same_task(&markdown::reread(front, body), task);
        let (front, body) = choices.iter().find(says_it).copied().unwrap_or((&usual_front, &usual_body));
        let mut front = front.to_owned();
        if let Some(state) = (self.states)(&task.id) {
            front = markdown::with_status(&front, STATES.of(state));
        }
        if let Some(rest) = self.rests.task(index) {
            let rest = Map::from_iter([(remainder::KEY.to_owned(), rest.clone())]);
            front.push_str(&markdown::front_text(&rest));
        }
        let path = if noted("path").is_empty() { self.new_path(index) } else { noted("path").to_owned() };
        TextFile { path, bytes: markdown::whole(&front, body).into_bytes() }
    }

    fn new_path(&self, index: usize) -> String {
        // `002-create-user-model.md`: the path of the file to write is in the task, not in its name.
        let title = self.plan.tasks[index].title.to_lowercase();
        let words = title.split_whitespace().filter(|word| !word.contains('/'));
        let plain = words.collect::<Vec<_>>().join(" ");
        let slug: Vec<&str> = plain.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
        let slug = slug.strip_suffix(&["in"]).unwrap_or(&slug);
        let slug = if slug.is_empty() { "task".to_owned() } else { slug[..slug.len().min(8)].join("-") };
        format!("{TASK_FILES}/{}-{slug}.md", self.ids[index])
    }

    fn front(&self, index: usize) -> String {
        let mut object = Map::new();
        let full = self.task(index, false);
        let in_body =
            ["objective", "description", "acceptance_criteria", "technical_notes", "files", remainder::KEY];
        for (key, value) in full {
            if !in_body.contains(&key.as_str()) {
                object.insert(key, value);
            }
        }
        markdown::front_text(&object)
    }

    fn state_alone(&self) -> Vec<TextFile> {
        let Some(mut state) = self.state() else { return Vec::new() };
        match state.get_mut("tasks") {
            Some(Value::Object(tasks)) => {
                for i in 0..self.plan.tasks.len() {
                    tasks.insert(self.ids[i].clone(), Value::Object(self.task(i, false)));
                }
            }
            Some(Value::Array(tasks)) => {
                tasks.extend((0..self.plan.tasks.len()).map(|i| Value::Object(self.task(i, false))));
            }
            _ => {}
        }
        self.rests.add_plan(&mut state);
        vec![self.state_file(state)]
    }
}

/// Whether two tasks say the same, progress and memory aside.
fn same_task(a: &Task, b: &Task) -> bool {
    let bare = |t: &Task| {
        let mut t = t.clone();
        t.places.clear();
        t.claimed_state = None;
        t.extra.shift_remove(DIALECT.as_str());
        t.extra.retain(|key, _| key != "status");
        t
    };
    bare(a) == bare(b)
}
