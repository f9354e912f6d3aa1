//! A planner's answer: the plan is found in the text, laid over the draft, and compared with it.
//!
//! A planner may improve a draft in every way but one: nothing the draft promises may get lost. What a task is checked by,
//! what the criteria say and which agent carries tasks out is not the planner's to change. Knows no rules of a profile.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::plan::{Mode, Plan, Task, infer_mode};

/// What a planner may answer with.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanAnswer {
    /// A plan, as it was given.
    Plan(Value),
    /// The draft is to stay as it is.
    Keep,
}

/// Finds the plan in a text: the last object with `tasks`, also inside `plan`, or a bare list of tasks. Text around it is
/// ignored.
pub fn find_plan(text: &str) -> Result<PlanAnswer, String> {
    let mut found = None;
    let mut broken = None;
    let mut at = 0;
    while let Some(offset) = text[at..].find(['{', '[']) {
        let start = at + offset;
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                at = start + stream.byte_offset().max(1);
                found = plan_of(value).or(found);
            }
            Some(Err(error)) => {
                at = start + 1;
                let line = text[..start].matches('\n').count() + error.line();
                broken = broken.or_else(|| text[start..].contains("\"tasks\"").then_some((error, line)));
            }
            None => at = start + 1,
        }
    }
    found.ok_or_else(|| match broken {
        Some((error, line)) => format!("the plan is not valid JSON: {error} (line {line} of the answer)"),
        None => "no JSON object with `tasks` was found in the answer".to_owned(),
    })
}

/// Reads a value as an answer; `None` if it is none.
pub fn plan_of(value: Value) -> Option<PlanAnswer> {
    let is_task = |v: &Value| v.get("id").is_some_and(Value::is_string);
    match value {
        Value::Array(tasks) if !tasks.is_empty() && tasks.iter().all(is_task) => {
            let plan = Map::from_iter([("tasks".to_owned(), Value::Array(tasks))]);
            Some(PlanAnswer::Plan(Value::Object(plan)))
        }
        Value::Object(mut object) => {
            if object.get("tasks").is_some_and(Value::is_array) {
                return Some(PlanAnswer::Plan(Value::Object(object)));
            }
            if object.get("keep_draft") == Some(&Value::Bool(true)) {
                return Some(PlanAnswer::Keep);
            }
            object.remove("plan").and_then(plan_of)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    }
}

/// Lays an answer over the draft. A task of the draft keeps every field the answer leaves out, `null` clears a field, and
/// fields that are not the planner's keep the draft's value. All errors are reported at once.
pub fn overlay(draft: &Plan, answer: &Value) -> Result<Plan, Vec<String>> {
    let drafts: BTreeMap<&str, &Task> = draft.tasks.iter().map(|t| (t.id.as_str(), t)).collect();
    let known = keys();
    let mut wrong = Vec::new();
    let mut plan = Plan { tasks: Vec::new(), ..draft.clone() };
    if let Some(objective) = answer.get("objective").and_then(Value::as_str) {
        objective.clone_into(&mut plan.objective);
    }
    if let Some(phases) = answer.get("phases").and_then(|p| serde_json::from_value(p.clone()).ok()) {
        plan.phases = phases;
    }
    let tasks = answer.get("tasks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for (at, value) in (1..).zip(tasks) {
        match task(value, &drafts, &known) {
            Ok(task) => plan.tasks.push(task),
            Err(why) => wrong.push(format!("task {at}: {why}")),
        }
    }
    if plan.tasks.is_empty() && wrong.is_empty() {
        wrong.push("`tasks` is empty".to_owned());
    }
    keep_what_is_not_theirs(&mut plan, draft);
    if wrong.is_empty() { Ok(plan) } else { Err(wrong) }
}

/// The fields a task has.
fn keys() -> BTreeSet<String> {
    let schema = Value::from(schemars::schema_for!(Task));
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(Map::keys).cloned().collect()
}

fn task(value: &Value, drafts: &BTreeMap<&str, &Task>, known: &BTreeSet<String>) -> Result<Task, String> {
    let Some(said) = value.as_object() else { return Err("it is not an object".to_owned()) };
    let Some(id) = said.get("id").and_then(Value::as_str).filter(|id| !id.trim().is_empty()) else {
        return Err("it has no `id`".to_owned());
    };
    let strange: Vec<String> =
        said.keys().filter(|k| !known.contains(*k)).map(|k| format!("`{k}`")).collect();
    if !strange.is_empty() {
        return Err(format!("`{id}` has keys that the schema does not know: {}", strange.join(", ")));
    }
    let base = drafts.get(id).and_then(|task| serde_json::to_value(task).ok());
    let mut fields = match base {
        Some(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    for (key, value) in said {
        if value.is_null() {
            fields.remove(key);
        } else {
            fields.insert(key.clone(), without_nulls(value.clone()));
        }
    }
    serde_json::from_value(Value::Object(fields)).map_err(|e| format!("`{id}` cannot be read: {e}"))
}

/// Models write `null` for what is not there.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(_, v)| !v.is_null());
            Value::Object(kept.map(|(k, v)| (k, without_nulls(v))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_nulls).collect()),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => other,
    }
}

/// Restores the fields that a planner cannot change.
fn keep_what_is_not_theirs(plan: &mut Plan, draft: &Plan) {
    let texts: BTreeMap<&str, &str> = draft
        .tasks
        .iter()
        .flat_map(|t| &t.criteria)
        .chain(&draft.criteria)
        .filter(|c| !c.id.is_empty())
        .map(|c| (c.id.as_str(), c.text.as_str()))
        .collect();
    for task in &mut plan.tasks {
        let own = draft.task(&task.id);
        let like = own.or(draft.tasks.first());
        task.claimed_state = None;
        task.extra = own.map(|t| t.extra.clone()).unwrap_or_default();
        task.agent = like.and_then(|t| t.agent.clone());
        task.method = like.and_then(|t| t.method);
        task.test.held_out = own.map(|t| t.test.held_out.clone()).unwrap_or_default();
        task.test.required = own.and_then(|t| t.test.required);
        task.steps.clear();
        match own {
            Some(own) if own.test.file == task.test.file && own.test.command == task.test.command => {
                task.verification.clone_from(&own.verification);
            }
            // The command follows from the file; what the answer says counts where no runner is known.
            Some(_) | None => {}
        }
        for criterion in &mut task.criteria {
            if let Some(text) = texts.get(criterion.id.as_str()) {
                criterion.text = (*text).to_owned();
            }
        }
    }
}

/// What a plan loses against its draft, each in a line that says how to fix it. `stated` are the files the documents
/// name.
pub fn losses(
    draft: &Plan,
    plan: &Plan,
    stated: &BTreeSet<String>,
    is_test: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let mut lost = Vec::new();
    let (was, is) = (Served::of(draft, is_test), Served::of(plan, is_test));
    for (id, by) in &was.criteria {
        if !is.criteria.contains_key(id) {
            lost.push(format!(
                "criterion `{id}` has no task any more; `{by}` served it: name it in the `criteria` of a task"
            ));
        } else if was.proved.contains(id) && !is.proved.contains(id) {
            lost.push(format!(
                "criterion `{id}` is served only by tasks without a test; give one of them a test file"
            ));
        }
    }
    for id in was.traces.difference(&is.traces) {
        lost.push(format!("nothing traces to `{id}` any more; name it in the `traces_to` of a task"));
    }
    for path in was.files.iter().filter(|path| stated.contains(**path) && !is.files.contains(*path)) {
        lost.push(format!("no task owns `{path}` any more, which the documents name"));
    }
    for task in &plan.tasks {
        if let Some(own) = draft.task(&task.id).filter(|own| !is_same(own, task)) {
            lost.push(format!(
                "the id `{}` stood for \"{}\" and now names other work; give new work a new id",
                task.id, own.title
            ));
        }
    }
    lost
}

/// Whether two tasks with one id are the same work: they share a file, a criterion, or the title.
fn is_same(own: &Task, task: &Task) -> bool {
    let files: BTreeSet<&str> = own.owned().collect();
    let shares_file = task.owned().any(|path| files.contains(path));
    let shares_criterion = task.criteria.iter().any(|c| own.criteria.iter().any(|o| o.id == c.id));
    shares_file || shares_criterion || own.title == task.title
}

/// What a plan serves, and by which task first.
#[derive(Default)]
struct Served<'a> {
    criteria: BTreeMap<&'a str, &'a str>,
    proved: BTreeSet<&'a str>,
    traces: BTreeSet<&'a str>,
    files: BTreeSet<&'a str>,
}

impl<'a> Served<'a> {
    fn of(plan: &'a Plan, is_test: &dyn Fn(&str) -> bool) -> Self {
        let mut served = Self::default();
        for task in &plan.tasks {
            let own = task.criteria.iter().map(|c| c.id.as_str());
            let tested = matches!(infer_mode(task, is_test), Mode::Tdd | Mode::TestsOnly);
            for id in own.chain(task.traces_to.criteria.iter().map(String::as_str)) {
                if id.is_empty() {
                    continue;
                }
                served.criteria.entry(id).or_insert(task.id.as_str());
                if tested {
                    served.proved.insert(id);
                }
            }
            let traces = &task.traces_to;
            served.traces.extend(traces.stories.iter().chain(&traces.decisions).map(String::as_str));
            served.files.extend(task.owned());
        }
        served
    }
}

/// How a plan differs from its draft, in counts for a person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changed {
    /// Tasks the draft did not have.
    pub added: usize,
    /// Tasks that are gone.
    pub removed: usize,
    /// Tasks that say something else.
    pub changed: usize,
}

impl Changed {
    /// Compares two plans task by task.
    pub fn between(draft: &Plan, plan: &Plan) -> Self {
        let differs = |t: &&Task| draft.task(&t.id).is_some_and(|own| own != *t);
        Self {
            added: plan.tasks.iter().filter(|t| draft.task(&t.id).is_none()).count(),
            removed: draft.tasks.iter().filter(|t| plan.task(&t.id).is_none()).count(),
            changed: plan.tasks.iter().filter(differs).count(),
        }
    }

    /// Whether they are the same.
    pub fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

#[cfg(test)]
mod tests;
