//! Plan → session folder: the outline, a file per task, and the documents people read.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::super::family::Family;
use super::super::foreign::{self, Origin, Shape, TASK_KEYS, read_task};
use super::super::json::{Fields, Fit, Member, Record, to_text};
use super::super::remainder::{self, Remainders};
use super::super::{StateOf, TextFile};
use super::session::{self, Implied};
use super::{DIALECT, WORDS, documents, files, ids, plan_file, queue, read, steps, task};
use windlass_core::plan::{Method, Plan, Task};

/// Types and priorities the format knows.
const TYPES: [&str; 11] = [
    "infrastructure",
    "feature",
    "enhancement",
    "fix",
    "bugfix",
    "refactor",
    "testing",
    "test-gen",
    "test-fix",
    "docs",
    "chore",
];
const PRIORITIES: [&str; 4] = ["critical", "high", "medium", "low"];

/// Writes a session, or the single file the plan was read from.
pub(crate) fn write(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    let noted = |key| foreign::noted_text(&plan.extra, DIALECT, key);
    let as_is: Vec<usize> = (0..plan.tasks.len()).collect();
    match noted("form") {
        "queue" => remainder::complete(DIALECT, plan, &as_is, &|rests| queue::write(plan, states, rests)),
        "plan" => remainder::complete(DIALECT, plan, &as_is, &|rests| plan_file::write(plan, states, rests)),
        _ => write_session(plan, states),
    }
}

fn write_session(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    let origin = foreign::origin(plan, DIALECT);
    let family = Family::of(plan, 1);
    let ids = match origin {
        Origin::Own => plan.tasks.iter().map(|t| t.id.clone()).collect(),
        Origin::Foreign => ids::assign(plan, &family),
    };
    let session = plan.session.clone().unwrap_or_else(|| format!("WFS-{}", plan.name));
    let folder = match origin {
        Origin::Own => String::new(),
        Origin::Foreign => format!(".workflow/active/{session}/"),
    };
    let paths: Vec<String> = (0..ids.len()).map(|i| path(plan, i, &ids, &folder)).collect();
    let listed: Vec<String> = match origin {
        Origin::Own => listed(plan),
        Origin::Foreign => family.order().into_iter().map(|i| ids[i].clone()).collect(),
    };
    let order = read::reading_order(&paths, &ids, &listed);
    let table = plan.tasks.iter().map(|t| t.id.as_str()).zip(ids.iter().map(String::as_str)).collect();
    let implied = Implied::new(plan, &session, &ids);
    remainder::complete(DIALECT, plan, &order, &|rests| {
        let writer = Writer {
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
            Origin::Foreign => writer.new_files(&family),
        }
    })
}

/// The ids the outline lists, where it does.
fn listed(plan: &Plan) -> Vec<String> {
    match plan.extra.get("task_ids") {
        Some(Value::Array(ids)) => ids.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(_) | None if !foreign::noted_text(&plan.extra, DIALECT, "plan_path").is_empty() => {
            plan.tasks.iter().map(|t| t.id.clone()).collect()
        }
        Some(_) | None => Vec::new(),
    }
}

fn path(plan: &Plan, index: usize, ids: &[String], folder: &str) -> String {
    let noted = foreign::noted_text(&plan.tasks[index].extra, DIALECT, "path");
    if noted.is_empty() { format!("{folder}.task/{}.json", ids[index]) } else { noted.to_owned() }
}

struct Writer<'p> {
    plan: &'p Plan,
    states: StateOf<'p>,
    rests: &'p Remainders,
    ids: &'p [String],
    paths: &'p [String],
    order: &'p [usize],
    table: &'p HashMap<&'p str, &'p str>,
    implied: &'p Implied<'p>,
    folder: &'p str,
    session: &'p str,
}

impl Writer<'_> {
    /// The files the session had, with what the plan and the run say today.
    fn own_files(&self) -> Vec<TextFile> {
        let mut files = Vec::new();
        let noted = |key| foreign::noted_text(&self.plan.extra, DIALECT, key);
        if !noted("plan_path").is_empty() {
            let names: Vec<String> = self.order.iter().map(|i| self.ids[*i].clone()).collect();
            let outline = plan_file::outline(self.plan, &names, self.rests);
            files.push(TextFile {
                path: noted("plan_path").to_owned(),
                bytes: to_text(&Value::Object(outline)),
            });
        }
        for i in 0..self.plan.tasks.len() {
            let mut object = task_object(self.plan, &self.plan.tasks[i], self.states, task::member);
            self.rests.add_task(i, &mut object);
            files.push(TextFile { path: self.paths[i].clone(), bytes: to_text(&Value::Object(object)) });
        }
        if let Some(kept) = foreign::noted(&self.plan.extra, DIALECT, "session_file") {
            let path = kept["path"].as_str().unwrap_or_default().to_owned();
            files.push(TextFile { path, bytes: to_text(&kept["value"]) });
        }
        let texts = foreign::noted(&self.plan.extra, DIALECT, "documents").and_then(Value::as_object);
        for (path, text) in texts.into_iter().flatten() {
            let text = documents::with_marks(text.as_str().unwrap_or_default(), self.plan, self.states);
            files.push(TextFile { path: path.clone(), bytes: text.into_bytes() });
        }
        files
    }

    /// Everything a session is made of.
    fn new_files(&self, family: &Family) -> Vec<TextFile> {
        let file = |name: &str, bytes: Vec<u8>| TextFile { path: format!("{}{name}", self.folder), bytes };
        let names: Vec<String> = self.order.iter().map(|i| self.ids[*i].clone()).collect();
        let outline = plan_file::outline(self.plan, &names, self.rests);
        let title = self.plan.title.as_ref().unwrap_or(&self.plan.name);
        let about =
            json!({ "session_id": self.session, "project": title, "type": "tdd", "status": "active" });
        let document = documents::Document { plan: self.plan, states: self.states, ids: self.ids, family };
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
        let text = if task.description.is_empty() { &task.objective } else { &task.description };
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        put("id", self.ids[index].clone().into());
        put("title", task.title.clone().into());
        put("description", text.clone().into());
        if let Some(kind) = task.task_type.as_ref().filter(|t| TYPES.contains(&t.as_str())) {
            put("type", kind.clone().into());
        }
        if let Some(priority) = task.priority.as_ref().filter(|p| PRIORITIES.contains(&p.as_str())) {
            put("priority", priority.clone().into());
        }
        if let Some(complexity) = task.complexity {
            put("effort", task::effort_word(complexity).into());
        }
        let focus = if task.focus_paths.is_empty() { owned(task) } else { task.focus_paths.clone() };
        put("focus_paths", json!(focus));
        put("depends_on", task.depends_on.iter().map(in_file).collect());
        put("convergence", complete_convergence(task));
        put("files", files::value(task));
        put("implementation", steps::value(task));
        if task.test.command.is_some() || task.test.coverage.is_some() {
            put("test", task::test_value(task));
        }
        put("meta", new_meta(task));
        put("cli_execution", session::value(&self.implied.session(index)));
        if !task.tdd_cycles.is_empty() {
            put("tdd_cycles", json!(task.tdd_cycles));
        }
        if task.pre_analysis.iter().any(|p| p.get("step").is_some() && p.get("action").is_some()) {
            put("pre_analysis", json!(task.pre_analysis));
        }
        let state = WORDS.written(task, self.states, Origin::Foreign);
        put("status", state.unwrap_or_else(|| "pending".to_owned()).into());
        object
    }
}

fn owned(task: &Task) -> Vec<String> {
    task.owned().map(str::to_owned).collect()
}

/// The format wants a criterion; a task without one is done when it is what its title says.
fn complete_convergence(task: &Task) -> Value {
    let mut value = task::convergence_value(task);
    if task.criteria.is_empty() {
        value["criteria"] = json!([task.title]);
    }
    value
}

fn new_meta(task: &Task) -> Value {
    let method = match task.method {
        Some(Method::Cli) => "cli",
        Some(Method::Agent | Method::Hybrid) | None => "agent",
    };
    let resume = task.session.as_ref().and_then(|s| s.enable_resume).unwrap_or(method == "cli");
    let mut meta = json!({
        "tdd_workflow": true,
        "max_iterations": task.max_iterations.unwrap_or(3),
        "execution_config": { "method": method, "enable_resume": resume },
    });
    if let Some(agent) = &task.agent {
        meta["agent"] = agent.clone().into();
    }
    if let Some(track) = &task.track {
        meta["module"] = track.clone().into();
    }
    meta
}

/// A task as it was, with what the plan says today.
pub(super) fn task_object(
    plan: &Plan,
    task: &Task,
    states: StateOf<'_>,
    arm: fn(&mut Fields<'_>, &Member<'_>, &mut Task) -> Fit,
) -> Map<String, Value> {
    let echo = foreign::echo(task, |f, node| read_task(f, node, &mut Shape::new(DIALECT, TASK_KEYS), arm));
    let mut record = foreign::task_record(plan, task, DIALECT, TASK_KEYS);
    let id = if record.had("task_id") && !record.had("id") { "task_id" } else { "id" };
    let named_by_file = foreign::noted(&task.extra, DIALECT, "no_id").is_some();
    record.put_if(!named_by_file, id, task.id.clone().into(), echo.id == task.id);
    record.put_if(!task.title.is_empty(), "title", task.title.clone().into(), echo.title == task.title);
    let same = echo.description == task.description;
    record.put_if(!task.description.is_empty(), "description", task.description.clone().into(), same);
    let in_meta = echo.task_type == task.task_type && !record.had("type");
    record.put_if(
        task.task_type.is_some() && !in_meta,
        "type",
        json!(task.task_type),
        echo.task_type == task.task_type,
    );
    let same = echo.priority == task.priority;
    record.put_if(task.priority.is_some(), "priority", json!(task.priority), same);
    let effort = task.complexity.map(task::effort_word);
    record.put_if(effort.is_some(), "effort", json!(effort), echo.complexity == task.complexity);
    put_order(&mut record, task, &echo);
    put_proof(&mut record, task, &echo);
    put_work(&mut record, task, &echo);
    let state = WORDS.written(task, states, Origin::Own);
    record.put_if(state.is_some(), "status", json!(state), echo.claimed_state == state);
    foreign::finish(record)
}

fn put_order(record: &mut Record<'_>, task: &Task, echo: &Task) {
    let same = echo.focus_paths == task.focus_paths;
    let elsewhere = same && !record.had("focus_paths");
    record.put_if(!task.focus_paths.is_empty() && !elsewhere, "focus_paths", json!(task.focus_paths), same);
    let implied = foreign::noted(&task.extra, DIALECT, plan_file::IMPLIED_ORDER);
    let same = echo.depends_on == task.depends_on || implied == Some(&task.depends_on.clone().into());
    let elsewhere = same && !record.had("depends_on");
    record.put_if(!task.depends_on.is_empty() && !elsewhere, "depends_on", json!(task.depends_on), same);
}

fn put_proof(record: &mut Record<'_>, task: &Task, echo: &Task) {
    let same = echo.criteria == task.criteria
        && echo.verification == task.verification
        && echo.done_when == task.done_when;
    let elsewhere = same && !record.had("convergence");
    let said = !task.criteria.is_empty() || task.verification.is_some() || !task.done_when.is_empty();
    record.put_if(said && !elsewhere, "convergence", task::convergence_value(task), same);
    let same = echo.test.command == task.test.command
        && echo.test.coverage == task.test.coverage
        && echo.sections == task.sections;
    let said = task.test.command.is_some() || task.test.coverage.is_some();
    record.put_if(said, "test", task::test_value(task), same);
}

fn put_work(record: &mut Record<'_>, task: &Task, echo: &Task) {
    let same = echo.files == task.files && echo.changes == task.changes;
    let elsewhere = same && !record.had("files");
    record.put_if(task.files.owned().next().is_some() && !elsewhere, "files", files::value(task), same);
    let same = echo.steps == task.steps && echo.notes == task.notes;
    if !task.steps.is_empty() || !same {
        record.put_if(!task.steps.is_empty(), "implementation", steps::value(task), same);
    }
    let same = echo.session == task.session;
    let said = task.session.as_ref().filter(|s| s.id.is_some() || s.strategy.is_some() || !s.from.is_empty());
    let value = said.map_or_else(|| json!({}), session::value);
    record.put_if(said.is_some(), "cli_execution", value, same);
    let same = echo.tdd_cycles == task.tdd_cycles;
    let in_meta = same && !record.had("tdd_cycles");
    record.put_if(!task.tdd_cycles.is_empty() && !in_meta, "tdd_cycles", json!(task.tdd_cycles), same);
    let same = echo.pre_analysis == task.pre_analysis;
    record.put_if(!task.pre_analysis.is_empty(), "pre_analysis", json!(task.pre_analysis), same);
}
