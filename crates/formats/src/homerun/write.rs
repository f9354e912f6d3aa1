//! Plan → `tasks.json` and `state.json`, or the Markdown files it came from.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::super::family::Family;
use super::super::foreign::{self, Origin, SUBTASK_KEYS, TASK_KEYS};
use super::super::json::{Record, to_text};
use super::super::remainder::{self, Remainders};
use super::super::{StateOf, TextFile};
use super::state::Progress;
use super::{DIALECT, STATE_FILE, TASKS_FILE, WORDS, ids, markdown, state, task};
use windlass_core::plan::{Plan, Task};

/// Writes a homerun plan.
pub(crate) fn write(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    let origin = foreign::origin(plan, DIALECT);
    let own = origin == Origin::Own;
    let form = foreign::noted_text(&plan.extra, DIALECT, "form");
    let mut family = Family::of(plan, if own { 16 } else { 1 });
    if form == "markdown" || form == "state" {
        family =
            Family { roots: (0..plan.tasks.len()).collect(), children: vec![Vec::new(); plan.tasks.len()] };
    }
    lift_flat(plan, &mut family);
    let ids = ids::in_file(plan, &family);
    let table: HashMap<&str, &str> =
        plan.tasks.iter().map(|t| t.id.as_str()).zip(ids.iter().map(String::as_str)).collect();
    remainder::complete(DIALECT, plan, &family.order(), &|rests| {
        let writer = Writer { plan, states, rests, ids: &ids, family: &family, table: &table, own, origin };
        match form {
            "markdown" => writer.markdown(),
            "state" => writer.state_alone(),
            _ => writer.tasks_file(),
        }
    })
}

/// Subtasks that stood beside their parent, not in it, stay there.
fn lift_flat(plan: &Plan, family: &mut Family) {
    let is_flat = |i: &usize| foreign::noted(&plan.tasks[*i].extra, DIALECT, "flat").is_some();
    let mut lifted: Vec<usize> = Vec::new();
    for children in &mut family.children {
        lifted.extend(children.iter().filter(|i| is_flat(i)));
        children.retain(|i| !is_flat(i));
    }
    if !lifted.is_empty() {
        family.roots.extend(lifted);
        family.roots.sort_unstable();
    }
}

struct Writer<'p> {
    plan: &'p Plan,
    states: StateOf<'p>,
    rests: &'p Remainders,
    ids: &'p [String],
    family: &'p Family,
    table: &'p HashMap<&'p str, &'p str>,
    own: bool,
    origin: Origin,
}

impl Writer<'_> {
    fn noted(&self, key: &str) -> &str {
        foreign::noted_text(&self.plan.extra, DIALECT, key)
    }

    fn tasks_file(&self) -> Vec<TextFile> {
        let tasks: Value = self.family.roots.iter().map(|i| Value::Object(self.task(*i, false))).collect();
        let root = if foreign::noted(&self.plan.extra, DIALECT, "list").is_some() {
            tasks
        } else {
            let mut record = foreign::plan_record(self.plan, DIALECT);
            record.put("tasks", tasks, false);
            let mut object = foreign::finish(record);
            self.rests.add_plan(&mut object);
            Value::Object(object)
        };
        let path = if self.noted("path").is_empty() { TASKS_FILE } else { self.noted("path") };
        let mut files = vec![TextFile { path: path.to_owned(), bytes: to_text(&root) }];
        if let Some(state) = self.state() {
            files.push(self.state_file(state));
        }
        files
    }

    fn state(&self) -> Option<Map<String, Value>> {
        state::value(self.plan, &Progress { ids: self.ids, states: self.states })
    }

    fn state_file(&self, state: Map<String, Value>) -> TextFile {
        let path = if self.noted("state_path").is_empty() { STATE_FILE } else { self.noted("state_path") };
        TextFile { path: path.to_owned(), bytes: to_text(&Value::Object(state)) }
    }

    fn task(&self, index: usize, nested: bool) -> Map<String, Value> {
        let task = &self.plan.tasks[index];
        let slot = if nested { SUBTASK_KEYS } else { TASK_KEYS };
        let mut record = foreign::task_record(self.plan, task, DIALECT, slot);
        let echo = foreign::echo(task, task::read_one);
        self.fields(&mut record, index, &echo);
        let children = &self.family.children[index];
        let subtasks = children.iter().map(|c| Value::Object(self.task(*c, true))).collect();
        record.put_if(!children.is_empty(), "subtasks", subtasks, children.is_empty());
        let mut object = foreign::finish(record);
        self.rests.add_task(index, &mut object);
        object
    }

    fn fields(&self, record: &mut Record<'_>, index: usize, echo: &Task) {
        let task = &self.plan.tasks[index];
        let id = &self.ids[index];
        let in_dict = self.own && self.noted("form") == "state" && !record.had("id");
        record.put_if(!in_dict, "id", id.clone().into(), echo.id == *id);
        if !in_dict || record.had("title") {
            task::put_fields(record, task, echo, !self.own);
        }
        let state = WORDS.written(task, self.states, self.origin);
        let word = state.clone().or_else(|| (!self.own).then(|| "pending".to_owned()));
        record.put_if(word.is_some(), "status", json!(word), echo.claimed_state == state);
        self.put_order(record, task, echo);
        task::put_more(record, task, echo);
    }

    fn put_order(&self, record: &mut Record<'_>, task: &Task, echo: &Task) {
        let in_file =
            |d: &String| self.table.get(d.as_str()).map_or_else(|| d.clone(), |id| (*id).to_owned());
        let depends_on: Vec<String> = task.depends_on.iter().map(in_file).collect();
        let same = echo.depends_on == task.depends_on;
        if same && task.extra.contains_key("blocked_by") {
            return;
        }
        record.put_if(!self.own || !depends_on.is_empty(), "depends_on", json!(depends_on), same);
    }

    fn markdown(&self) -> Vec<TextFile> {
        let mut files: Vec<TextFile> = (0..self.plan.tasks.len()).map(|i| self.markdown_file(i)).collect();
        if let Some(mut state) = self.state() {
            self.list_new_tasks(&mut state, &files);
            self.rests.add_plan(&mut state);
            files.push(self.state_file(state));
        }
        files
    }

    /// A state file that lists its tasks must list them all, or the others are taken for older ones.
    fn list_new_tasks(&self, state: &mut Map<String, Value>, files: &[TextFile]) {
        if let Some(Value::Object(tasks)) = state.get_mut("tasks")
            && !tasks.is_empty()
        {
            for (task, file) in self.plan.tasks.iter().zip(files) {
                let word =
                    WORDS.written(task, self.states, self.origin).unwrap_or_else(|| "pending".to_owned());
                tasks.entry(task.id.as_str()).or_insert_with(|| json!({ "status": word, "file": file.path }));
            }
        }
    }

    /// The file as it was, if it still says what the plan says; else what differs is written anew.
    fn markdown_file(&self, index: usize) -> TextFile {
        let task = &self.plan.tasks[index];
        let noted = |key| foreign::noted_text(&task.extra, DIALECT, key);
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
            front = markdown::with_status(&front, WORDS.of(state));
        }
        if let Some(rest) = self.rests.task(index) {
            let rest = Map::from_iter([(remainder::KEY.to_owned(), rest.clone())]);
            front.push_str(&markdown::front_text(&rest));
        }
        let path = if noted("path").is_empty() { self.new_path(index) } else { noted("path").to_owned() };
        TextFile { path, bytes: markdown::whole(&front, body).into_bytes() }
    }

    fn new_path(&self, index: usize) -> String {
        let title = foreign::plan_name(&self.plan.tasks[index].title.to_lowercase());
        format!("docs/tasks/{}-{title}.md", self.ids[index])
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
