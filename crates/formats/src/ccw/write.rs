//! Plan → session folder: the outline, a file per task, and the documents that people read.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::session::ImpliedSessions;
use super::task::TASK;
use super::{DIALECT, STATES, documents, ids, plan_file, queue, read};
use crate::family::TaskForest;
use crate::json::to_text;
use crate::memory::{self, Origin, TASK_KEYS};
use crate::remainder::{self, Remainders};
use crate::table::{GivenValue, Original, write_members};
use crate::{StateOf, TextFile};
use windlass_core::plan::{Action, Criterion, Method, Plan, Step, Task};

/// Writes a session, or the single file the plan was read from.
pub(super) fn write(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    let noted = |key| memory::noted_text(&plan.extra, DIALECT, key);
    let as_is: Vec<usize> = (0..plan.tasks.len()).collect();
    match noted("form") {
        "queue" => remainder::complete(DIALECT, plan, &as_is, &|rests| queue::write(plan, states, rests)),
        "plan" => remainder::complete(DIALECT, plan, &as_is, &|rests| plan_file::write(plan, states, rests)),
        _ => write_session(plan, states),
    }
}

fn write_session(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    let origin = memory::origin(plan, DIALECT);
    let forest = TaskForest::of(plan, 1);
    let ids = match origin {
        Origin::Own => plan.tasks.iter().map(|t| t.id.clone()).collect(),
        Origin::Foreign => ids::assign(plan, &forest),
    };
    let session = plan.session.clone().unwrap_or_else(|| format!("WFS-{}", plan.name));
    let folder = match origin {
        Origin::Own => String::new(),
        Origin::Foreign => format!(".workflow/active/{session}/"),
    };
    let paths: Vec<String> = (0..ids.len()).map(|i| path(plan, i, &ids, &folder)).collect();
    let listed: Vec<String> = match origin {
        Origin::Own => listed(plan),
        Origin::Foreign => forest.order().into_iter().map(|i| ids[i].clone()).collect(),
    };
    let order = read::reading_order(&paths, &ids, &listed);
    let table = plan.tasks.iter().map(|t| t.id.as_str()).zip(ids.iter().map(String::as_str)).collect();
    let implied = ImpliedSessions::new(plan, &session, &ids);
    remainder::complete(DIALECT, plan, &order, &|rests| {
        let writer = SessionWriter {
            plan,
            states,
            rests,
            ids: &ids,
            paths: &paths,
            order: &order,
            table: &table,
            implied: &implied,
            folder: &folder,
            session: &session,
        };
        match origin {
            Origin::Own => writer.own_files(),
            Origin::Foreign => writer.new_files(&forest),
        }
    })
}

/// The ids the outline lists, where it does.
fn listed(plan: &Plan) -> Vec<String> {
    match plan.extra.get("task_ids") {
        Some(Value::Array(ids)) => ids.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(_) | None if !memory::noted_text(&plan.extra, DIALECT, "plan_path").is_empty() => {
            plan.tasks.iter().map(|t| t.id.clone()).collect()
        }
        Some(_) | None => Vec::new(),
    }
}

fn path(plan: &Plan, index: usize, ids: &[String], folder: &str) -> String {
    let noted = memory::noted_text(&plan.tasks[index].extra, DIALECT, "path");
    if noted.is_empty() { format!("{folder}.task/{}.json", ids[index]) } else { noted.to_owned() }
}

struct SessionWriter<'p> {
    plan: &'p Plan,
    states: StateOf<'p>,
    rests: &'p Remainders,
    ids: &'p [String],
    paths: &'p [String],
    order: &'p [usize],
    table: &'p HashMap<&'p str, &'p str>,
    implied: &'p ImpliedSessions<'p>,
    folder: &'p str,
    session: &'p str,
}

impl SessionWriter<'_> {
    /// The files the session had, with what the plan and the run say today.
    fn own_files(&self) -> Vec<TextFile> {
        let mut files = Vec::new();
        let noted = |key| memory::noted_text(&self.plan.extra, DIALECT, key);
        if !noted("plan_path").is_empty() {
            let names: Vec<String> = self.order.iter().map(|i| self.ids[*i].clone()).collect();
            let outline = plan_file::outline(self.plan, &names, self.rests);
            files.push(TextFile {
                path: noted("plan_path").to_owned(),
                bytes: to_text(&Value::Object(outline)),
            });
        }
        for i in 0..self.plan.tasks.len() {
            let mut object = task_object(self.plan, &self.plan.tasks[i], self.states);
            self.rests.add_task(i, &mut object);
            files.push(TextFile { path: self.paths[i].clone(), bytes: to_text(&Value::Object(object)) });
        }
        if let Some(kept) = memory::noted(&self.plan.extra, DIALECT, "session_file") {
            let path = kept["path"].as_str().unwrap_or_default().to_owned();
            files.push(TextFile { path, bytes: to_text(&kept["value"]) });
        }
        let texts = memory::noted(&self.plan.extra, DIALECT, "documents").and_then(Value::as_object);
        for (path, text) in texts.into_iter().flatten() {
            let text = documents::with_marks(text.as_str().unwrap_or_default(), self.plan, self.states);
            files.push(TextFile { path: path.clone(), bytes: text.into_bytes() });
        }
        files
    }

    fn document<'d>(&'d self, forest: &'d TaskForest) -> documents::SessionDocuments<'d> {
        documents::SessionDocuments { plan: self.plan, states: self.states, ids: self.ids, forest }
    }

    /// Everything a session is made of.
    fn new_files(&self, forest: &TaskForest) -> Vec<TextFile> {
        let file = |name: &str, bytes: Vec<u8>| TextFile { path: format!("{}{name}", self.folder), bytes };
        let names: Vec<String> = self.order.iter().map(|i| self.ids[*i].clone()).collect();
        let outline = plan_file::outline(self.plan, &names, self.rests);
        let title = self.plan.title.as_ref().unwrap_or(&self.plan.name);
        let about =
            json!({ "session_id": self.session, "project": title, "type": "tdd", "status": "active" });
        let document = self.document(forest);
        let mut files = vec![
            file("workflow-session.json", to_text(&about)),
            file("plan.json", to_text(&Value::Object(outline))),
            file("IMPL_PLAN.md", document.implementation_plan(self.session).into_bytes()),
            file("TODO_LIST.md", document.todo_list().into_bytes()),
        ];
        for &i in self.order {
            let mut object = self.new_task(i);
            self.rests.add_task(i, &mut object);
            files.push(TextFile { path: self.paths[i].clone(), bytes: to_text(&Value::Object(object)) });
        }
        files
    }

    /// A task with everything the format asks for.
    fn new_task(&self, index: usize) -> Map<String, Value> {
        let task = &self.plan.tasks[index];
        let in_file =
            |d: &String| self.table.get(d.as_str()).map_or_else(|| d.clone(), |id| (*id).to_owned());
        let mut said = Task {
            id: self.ids[index].clone(),
            depends_on: task.depends_on.iter().map(in_file).collect(),
            session: Some(self.implied.session(index)),
            claimed_state: STATES.required(task, self.states, Origin::Foreign),
            ..task.clone()
        };
        if said.description.is_empty() {
            said.description.clone_from(&task.objective);
        }
        if said.focus_paths.is_empty() {
            said.focus_paths = task.owned().map(str::to_owned).collect();
        }
        // A task without a criterion is done when it is what its title says.
        if said.criteria.is_empty() {
            said.criteria.push(Criterion { text: task.title.clone(), ..Criterion::default() });
        }
        if said.steps.is_empty() {
            said.steps.push(Step::of(Action::WriteTest));
        }
        if !said.pre_analysis.iter().any(|p| p.get("step").is_some() && p.get("action").is_some()) {
            said.pre_analysis.clear();
        }
        write_members(TASK, &mut said, &Original::NEW, &mut |key| {
            (key == "meta").then(|| GivenValue { value: new_meta(task), same: false })
        })
    }
}

fn new_meta(task: &Task) -> Value {
    let method = match task.method {
        Some(Method::Cli) => "cli",
        Some(Method::Agent | Method::Hybrid) | None => "agent",
    };
    let resume = task.session.as_ref().and_then(|s| s.enable_resume).unwrap_or(method == "cli");
    let tool = task.agent.as_ref().filter(|_| method == "cli");
    let mut meta = json!({
        "tdd_workflow": true,
        "max_iterations": task.max_iterations.unwrap_or(3),
        "execution_config": { "method": method, "cli_tool": tool, "enable_resume": resume },
    });
    if let (Some(agent), None) = (&task.agent, tool) {
        meta["agent"] = agent.clone().into();
    }
    if let Some(track) = &task.track {
        meta["module"] = track.clone().into();
    }
    meta
}

/// A task as it was, with what the plan says today.
pub(super) fn task_object(plan: &Plan, task: &Task, states: StateOf<'_>) -> Map<String, Value> {
    let original = Original::of_task(plan, task, DIALECT, TASK_KEYS);
    let mut said = Task { claimed_state: STATES.written(task, states, Origin::Own), ..task.clone() };
    let named_by_file = memory::noted(&task.extra, DIALECT, "no_id").is_some();
    if named_by_file {
        said.id.clear();
    }
    let order = Value::from(task.depends_on.clone());
    let implied = memory::noted(&task.extra, DIALECT, plan_file::IMPLIED_ORDER) == Some(&order);
    write_members(TASK, &mut said, &original, &mut |key| {
        (key == "depends_on" && implied).then(|| GivenValue { value: order.clone(), same: true })
    })
}
