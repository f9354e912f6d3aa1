//! `state.json`: the session of a plan, the paths of its specs and their criteria. It comes in several forms; everything
//! else in it is kept and written back.

use serde_json::{Map, Value, json};

use super::{DIALECT, STATE_FILE, STATES, TASKS_FILE};
use crate::json::{JsonNode, ValueReader, to_text};
use crate::memory::{self, Origin};
use crate::reading::code;
use crate::table::{PlanKey, read_members};
use crate::{StateOf, TextFile, picking};
use windlass_core::diagnostic::Severity;
use windlass_core::plan::{Criterion, Plan};
use windlass_core::state::TaskState;

/// The specs by the names homerun gives them.
const SPECS: [(&str, &str); 4] =
    [("prd", "PRD"), ("adr", "ADR"), ("technical_design", "TECHNICAL_DESIGN"), ("wireframes", "WIREFRAMES")];

/// The keys of the state file that say something about the plan.
static STATE: &[PlanKey] = &[
    PlanKey::text("feature", "name", |p| &mut p.name),
    PlanKey::maybe("session_id", "session", |p| &mut p.session),
    PlanKey::maybe("branch", "branch", |p| &mut p.branch),
];

/// Reads what the file says about the plan. The file itself is kept whole by the caller.
pub(super) fn read(reader: &mut ValueReader<'_>, root: &JsonNode<'_>, plan: &mut Plan) {
    let mut said = Plan::default();
    read_members(STATE, reader, root, &mut said);
    if let Some(name) = Some(said.name).filter(|n| !n.is_empty()).or_else(|| said.session.clone()) {
        plan.name = memory::plan_name(&name);
    }
    (plan.session, plan.branch) = (said.session, said.branch);
    plan.specs = specs(root);
    if let Some(criteria) = root.get("traceability").and_then(|t| t.get("acceptance_criteria")) {
        plan.criteria = criteria.members().iter().map(|m| criterion(&m.key, &m.value)).collect();
    }
}

fn specs(root: &JsonNode<'_>) -> Vec<String> {
    let paths = root.get("spec_paths").map(JsonNode::members).unwrap_or_default();
    paths.iter().filter_map(|m| m.value.text()).map(str::to_owned).collect()
}

fn criterion(id: &str, node: &JsonNode<'_>) -> Criterion {
    let text = node.get("description").or_else(|| node.get("criterion")).unwrap_or(node).text();
    Criterion { id: id.to_owned(), text: text.unwrap_or_default().to_owned(), ..Criterion::default() }
}

/// The states of tasks by their ids in the file.
pub(super) struct TaskProgress<'a> {
    /// Ids in the file, by index of the plan's tasks.
    pub(super) ids: &'a [String],
    pub(super) states: StateOf<'a>,
}

/// The state file of a plan; `None` if it had none and needs none.
pub(super) fn value(plan: &Plan, progress: &TaskProgress<'_>) -> Option<Map<String, Value>> {
    match memory::origin(plan, DIALECT) {
        Origin::Foreign => Some(fresh(plan, progress)),
        Origin::Own => match memory::noted(&plan.extra, DIALECT, "state") {
            Some(Value::Object(kept)) => Some(updated(kept.clone(), plan, progress)),
            _ => None,
        },
    }
}

/// The file that homerun's planner writes.
fn fresh(plan: &Plan, progress: &TaskProgress<'_>) -> Map<String, Value> {
    let branch = plan.branch.clone().unwrap_or_else(|| format!("windlass/{}", plan.name));
    let mut state = object(json!({
        "session_id": plan.session.clone().unwrap_or_else(|| plan.name.clone()),
        "branch": branch,
        "feature": plan.name,
        "phase": "implementing",
        "spec_paths": spec_paths(plan),
        "tasks_file": TASKS_FILE,
    }));
    if !plan.criteria.is_empty() {
        state.insert("traceability".to_owned(), traceability(plan, progress));
    }
    let rest = object(json!({
        "current_task": null,
        "config": {
            "auto_mode": false,
            "timeout_minutes": 30,
            "max_identical_rejections": 3,
            "max_iterations_without_progress": 3,
            "retries": { "same_agent": 2, "fresh_agent": 1 },
        },
        "progress": {
            "iteration": 0,
            "tasks_completed_this_iteration": 0,
            "last_completion_iteration": 0,
        },
        "skill_log": [],
    }));
    state.extend(rest);
    show_progress(&mut state, plan, progress);
    state
}

/// Merges the state file among `files` into one that is there already: what it says is kept, and what it lacks is added.
/// Planning itself decides only the phase, the path of the tasks, and which tasks serve a criterion.
pub fn keep_state(files: &mut [TextFile], kept: Map<String, Value>) {
    let Some(file) = files.iter_mut().find(|f| f.path == STATE_FILE) else { return };
    let Ok(Value::Object(fresh)) = serde_json::from_slice(&file.bytes) else { return };
    let mut state = Value::Object(kept);
    add_missing(&mut state, &Value::Object(fresh.clone()));
    for key in ["phase", "tasks_file", "tasks"] {
        match (fresh.get(key), &mut state) {
            (Some(value), state) => state[key] = value.clone(),
            (None, Value::Object(state)) => drop(state.shift_remove(key)),
            (None, _) => {}
        }
    }
    let criteria = fresh.get("traceability").and_then(|t| t.get("acceptance_criteria"));
    for (id, criterion) in criteria.and_then(Value::as_object).into_iter().flatten() {
        if let Some(Value::Object(entry)) =
            state.pointer_mut("/traceability/acceptance_criteria").and_then(|c| c.get_mut(id))
        {
            entry.insert("tasks".to_owned(), criterion["tasks"].clone());
        }
    }
    file.bytes = to_text(&state);
}

/// Adds the members that an object lacks, at every depth.
fn add_missing(kept: &mut Value, fresh: &Value) {
    let (Value::Object(kept), Value::Object(fresh)) = (kept, fresh) else { return };
    for (key, value) in fresh {
        match kept.get_mut(key) {
            Some(known) => add_missing(known, value),
            None => {
                kept.insert(key.clone(), value.clone());
            }
        }
    }
}

/// What a state file says in another type than the example of the format has: reported, and not used.
pub(super) fn check_types(reader: &mut ValueReader<'_>, root: &JsonNode<'_>) {
    type NodeCheck = fn(&JsonNode<'_>) -> bool;
    let text: NodeCheck = |node| node.text().is_some();
    let count: NodeCheck = |node| node.to_value().is_u64();
    let flag: NodeCheck = |node| node.to_value().is_boolean();
    let object: NodeCheck = |node| node.is_object();
    let rows: [(&[&str], NodeCheck, &str); 15] = [
        (&["tasks_file"], text, "a path"),
        (&["phase"], text, "a word"),
        (&["worktree"], text, "a path"),
        (&["spec_paths"], object, "an object of paths"),
        (&["spec_paths", "prd"], text, "a path"),
        (&["spec_paths", "adr"], text, "a path"),
        (&["spec_paths", "technical_design"], text, "a path"),
        (&["spec_paths", "wireframes"], text, "a path"),
        (&["config"], object, "an object"),
        (&["config", "auto_mode"], flag, "true or false"),
        (&["config", "timeout_minutes"], count, "a whole number"),
        (&["config", "max_identical_rejections"], count, "a whole number"),
        (&["config", "max_iterations_without_progress"], count, "a whole number"),
        (&["config", "retries", "same_agent"], count, "a whole number"),
        (&["config", "retries", "fresh_agent"], count, "a whole number"),
    ];
    for (path, fits, wanted) in rows {
        let found = path.iter().try_fold(root, |node, key| node.get(key));
        if let Some(node) = found.filter(|node| !node.is_null() && !fits(node)) {
            // A limit that does not count changes the run; what else is wrong is a nuisance.
            let severity = if path[0] == "config" { Severity::Error } else { Severity::Warning };
            let message = format!("{wanted} expected, this is {}; it is kept but not used", node.kind.name());
            reader.find(code::WRONG_TYPE, severity, node, message);
        }
    }
}

/// The limits of a run that a state file sets under `config`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StateLimits {
    /// Whether warnings are accepted without asking.
    pub auto_mode: Option<bool>,
    /// How long one attempt may take.
    pub timeout_minutes: Option<u64>,
    /// Retries by the same agent.
    pub same_agent: Option<u64>,
    /// Retries by a fresh agent.
    pub fresh_agent: Option<u64>,
    /// How many rejections that say the same end a task.
    pub identical_rejections: Option<u64>,
    /// How many rounds without progress end a task.
    pub idle_rounds: Option<u64>,
}

/// The worktree that the state file of a plan names.
pub fn worktree(plan: &Plan) -> Option<String> {
    let state = memory::noted(&plan.extra, DIALECT, "state")?;
    state.get("worktree").and_then(Value::as_str).map(str::to_owned)
}

/// The limits in the state file that a plan was read with.
pub fn state_limits(plan: &Plan) -> StateLimits {
    let config = memory::noted(&plan.extra, DIALECT, "state").and_then(|state| state.get("config"));
    let at = |path: &str| config.and_then(|c| c.pointer(path));
    let number = |path: &str| at(path).and_then(Value::as_u64);
    StateLimits {
        auto_mode: at("/auto_mode").and_then(Value::as_bool),
        timeout_minutes: number("/timeout_minutes"),
        same_agent: number("/retries/same_agent"),
        fresh_agent: number("/retries/fresh_agent"),
        identical_rejections: number("/max_identical_rejections"),
        idle_rounds: number("/max_iterations_without_progress"),
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn spec_paths(plan: &Plan) -> Value {
    let mut left: Vec<&String> = plan.specs.iter().collect();
    let mut paths = Map::new();
    for (key, name) in SPECS {
        let at = left.iter().position(|p| picking::file_name(p).to_ascii_uppercase().starts_with(name));
        let path = at.map(|i| left.remove(i).clone());
        paths.insert(key.to_owned(), json!(path));
    }
    for (i, other) in left.into_iter().enumerate() {
        paths.insert(format!("other_{}", i + 1), other.clone().into());
    }
    Value::Object(paths)
}

fn traceability(plan: &Plan, progress: &TaskProgress<'_>) -> Value {
    let serving = |id: &str| -> Vec<&String> {
        let serves = |i: &usize| {
            let t = &plan.tasks[*i];
            t.traces_to.criteria.iter().any(|c| c == id) || t.criteria.iter().any(|c| c.id == id)
        };
        (0..plan.tasks.len()).filter(serves).map(|i| &progress.ids[i]).collect()
    };
    let criteria: Map<String, Value> = plan
        .criteria
        .iter()
        .map(|c| (c.id.clone(), json!({ "description": c.text, "tasks": serving(&c.id) })))
        .collect();
    json!({ "acceptance_criteria": criteria })
}

/// The file as it was, with what the plan and the run say today.
fn updated(mut state: Map<String, Value>, plan: &Plan, progress: &TaskProgress<'_>) -> Map<String, Value> {
    let said = |key: &str| state.get(key).and_then(Value::as_str);
    let early = matches!(said("phase"), None | Some("discovery" | "planning"));
    let planned = !plan.tasks.is_empty() && said("tasks_file").is_some() == tasks_are_elsewhere(plan);
    let renamed = said("feature").map(memory::plan_name).is_some_and(|name| name != plan.name);
    let (session, branch) =
        (said("session_id") != plan.session.as_deref(), said("branch") != plan.branch.as_deref());
    if early && planned {
        state.insert("phase".to_owned(), "implementing".into());
    }
    if renamed {
        state.insert("feature".to_owned(), plan.name.clone().into());
    }
    if let (true, Some(id)) = (session, &plan.session) {
        state.insert("session_id".to_owned(), id.clone().into());
    }
    if let (true, Some(branch)) = (branch, &plan.branch) {
        state.insert("branch".to_owned(), branch.clone().into());
    }
    show_progress(&mut state, plan, progress);
    state
}

fn tasks_are_elsewhere(plan: &Plan) -> bool {
    memory::noted_text(&plan.extra, DIALECT, "form") == "tasks"
}

/// Phase, current task, counts and the states of tasks, as far as a run knows them.
fn show_progress(state: &mut Map<String, Value>, plan: &Plan, progress: &TaskProgress<'_>) {
    let known: Vec<(usize, TaskState)> = plan
        .tasks
        .iter()
        .enumerate()
        .filter_map(|(i, t)| (progress.states)(&t.id).map(|state| (i, state)))
        .collect();
    if known.is_empty() {
        return;
    }
    let at_work =
        |s: TaskState| matches!(s, TaskState::InProgress | TaskState::Testing | TaskState::TestFailed);
    let current = known.iter().find(|(_, s)| at_work(*s)).map(|(i, _)| progress.ids[*i].clone());
    state.insert("current_task".to_owned(), json!(current));
    let done = known.iter().filter(|(_, s)| *s == TaskState::Completed).count();
    if done == plan.tasks.len() {
        state.insert("phase".to_owned(), "completed".into());
    }
    let counts = state.entry("progress").or_insert_with(|| json!({}));
    counts["tasks_completed_this_iteration"] = done.into();
    if let Some(Value::Object(tasks)) = state.get_mut("tasks") {
        for (i, s) in known {
            if let Some(Value::Object(entry)) = tasks.get_mut(&progress.ids[i]) {
                entry.insert("status".to_owned(), STATES.of(s).into());
            }
        }
    }
}
