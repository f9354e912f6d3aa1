//! ZERG's `task-graph.json`: tasks in levels, each with its files, its verification command and, rarely, its steps.

mod steps;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::json::{Fit, JsonKind, JsonNode, ValueReader, parse, to_text};
use crate::memory::{self, KeyOrder, Origin, TASK_KEYS};
use crate::picking::{self, sniff_json};
use crate::reading::{PlanReading, code, folder_name};
use crate::remainder::{self, Remainders};
use crate::states::StateWords;
use crate::table::{
    Allowed, Bare, Codec, CriteriaForm, FILES, GivenValue, KeyNeed, Original, PlanKey, TaskKey, read_members,
    read_task, write_members,
};
use crate::{Dialect, Input, PlanFormat, Sniff, StateOf, TextFile, flatten};
use windlass_core::diagnostic::Severity;
use windlass_core::plan::{Loaded, Plan, Task};
use windlass_core::state::TaskState;

const DIALECT: Dialect = Dialect::Zerg;

/// The name of the file.
const FILE: &str = "task-graph.json";

/// The format.
pub(crate) const FORMAT: PlanFormat = PlanFormat {
    usual_file: FILE,
    sniff: |input| picking::surest(input, confidence),
    read,
    write,
    add_run: None,
};

/// Its words for states.
static STATES: StateWords = StateWords(&[
    (TaskState::Pending, "pending"),
    (TaskState::Pending, "todo"),
    (TaskState::InProgress, "in_progress"),
    (TaskState::InProgress, "claimed"),
    (TaskState::Testing, "verifying"),
    (TaskState::TestFailed, "waiting_retry"),
    (TaskState::Completed, "complete"),
    (TaskState::Failed, "failed"),
    (TaskState::Blocked, "blocked"),
    (TaskState::Blocked, "paused"),
    (TaskState::Skipped, "blocked"),
]);

/// The keys of the graph.
static GRAPH: &[PlanKey] = &[
    PlanKey::new("feature", "name", Codec::custom(read_feature, |plan| plan.name.clone().into())).required(),
    PlanKey::text("description", "objective", |p| &mut p.objective),
    PlanKey::new("version", "", Codec::Fixed).needed(KeyNeed::WhenNew),
    PlanKey::new("total_tasks", "", Codec::Fixed).needed(KeyNeed::WhenNew),
    PlanKey::new("max_parallelization", "", Codec::Fixed).needed(KeyNeed::WhenNew),
    PlanKey::new("levels", "", Codec::Fixed).needed(KeyNeed::WhenNew),
    PlanKey::children("tasks").required(),
];

/// The keys of a task.
pub(crate) static TASK: &[TaskKey] = &[
    TaskKey::text("id", "id", |t| &mut t.id).required(),
    TaskKey::text("title", "title", |t| &mut t.title).required(),
    TaskKey::text("description", "description", |t| &mut t.description),
    TaskKey::maybe("phase", "phase", |t| &mut t.phase),
    TaskKey::new("level", "level", Codec::Integer(|t| &mut t.level)),
    TaskKey::texts("dependencies", "depends_on", |t| &mut t.depends_on).required(),
    TaskKey::new("files", "files", FILES).required(),
    // The older form says only that files are owned.
    TaskKey::texts("files_owned", "files.modify", |t| &mut t.files.modify)
        .needed(KeyNeed::InsteadOf("files")),
    TaskKey::texts("files_read", "files.read", |t| &mut t.files.read).needed(KeyNeed::InsteadOf("files")),
    TaskKey::criteria("acceptance_criteria", CriteriaForm::Strings, |t| &mut t.criteria),
    TaskKey::new(
        "verification",
        "verification",
        Codec::Object { keys: VERIFICATION, bare: Some(Bare { key: "command", note: "" }) },
    ),
    TaskKey::new("estimate_minutes", "estimate_minutes", Codec::Number(|t| &mut t.estimate_minutes)),
    TaskKey::maybe("status", "claimed_state", |t| &mut t.claimed_state).allows(Allowed::States(&STATES)),
    TaskKey::texts("consumers", "consumers", |t| &mut t.consumers),
    TaskKey::text("context", "notes", |t| &mut t.notes),
    TaskKey::new("steps", "steps", Codec::custom(steps::read, |t| steps::value(&t.steps))),
];

static VERIFICATION: &[TaskKey] = &[
    TaskKey::text("command", "verification.script", |t| &mut t.verification.get_or_insert_default().script)
        .required(),
    TaskKey::new(
        "timeout_seconds",
        "verification.timeout_seconds",
        Codec::Count(|t| &mut t.verification.get_or_insert_default().timeout_seconds),
    ),
];

/// How much a file looks like a task graph.
fn confidence(file: &TextFile) -> Sniff {
    sniff_json(file, |seen| {
        let graph = seen.has("feature") && seen.tasks == Some(b'[') && !seen.has("session_id");
        let placed = seen.task_has("level") || seen.task_has("files") && seen.task_has("dependencies");
        if graph && placed {
            Sniff::Sure
        } else if graph && seen.task_has("dependencies") || picking::file_name(&file.path) == FILE {
            Sniff::Maybe
        } else {
            Sniff::No
        }
    })
}

/// Reads a task graph.
fn read(input: &Input) -> Loaded {
    let mut reading = PlanReading::default();
    let mut plan = Plan::default();
    let file = picking::pick(input, FILE, &mut reading.diagnostics, confidence)
        .or_else(|| input.files.iter().find(|f| picking::is_json(&f.path)));
    let Some(file) = file else {
        picking::no_tasks(&mut reading.diagnostics, format!("there is no `{FILE}` here"));
        return reading.done(DIALECT, plan);
    };
    if let Some(ix) = reading.take(input, file) {
        let PlanReading { sources, diagnostics } = &mut reading;
        if let Some(root) = parse(&sources.file(ix).text, ix, diagnostics) {
            read_graph(&mut ValueReader::new(ix, diagnostics), &root, &mut plan);
            remainder::restore(&mut plan, diagnostics);
        }
    }
    if plan.name.is_empty() {
        memory::name_from_outside(&mut plan, DIALECT, &folder_name(input));
    }
    if file.path != FILE {
        memory::note(&mut plan.extra, DIALECT, "path", file.path.clone());
    }
    reading.done(DIALECT, plan)
}

fn read_graph(reader: &mut ValueReader<'_>, root: &JsonNode<'_>, plan: &mut Plan) {
    read_members(GRAPH, reader, root, plan);
    let mut order = KeyOrder::new(DIALECT, TASK_KEYS);
    match root.get("tasks") {
        Some(tasks) => read_tasks(reader, tasks, &mut order, plan),
        None => reader.find(code::NO_TASKS, Severity::Error, root, "this file has no list `tasks`"),
    }
    for task in &plan.tasks {
        if let Some(phase) = &task.phase
            && !plan.phases.contains(phase)
        {
            plan.phases.push(phase.clone());
        }
    }
    order.keep(plan);
    memory::keep_keys(root, DIALECT, plan);
}

fn read_feature(reader: &mut ValueReader<'_>, node: &JsonNode<'_>, plan: &mut Plan) -> Fit {
    let mut raw = String::new();
    let fit = reader.text(node, &mut raw);
    plan.name = memory::plan_name(&raw);
    if plan.name == raw {
        return fit;
    }
    reader.assume(node, format!("the plan is called `{}`, which is valid in a branch name", plan.name));
    plan.title = Some(raw);
    fit.and(Fit::Odd)
}

fn read_tasks(reader: &mut ValueReader<'_>, node: &JsonNode<'_>, order: &mut KeyOrder, plan: &mut Plan) {
    plan.extra.shift_remove("tasks");
    match &node.kind {
        JsonKind::List(items) => {
            let objects = items.iter().filter(|item| reader.is_task(item)).collect::<Vec<_>>();
            plan.tasks.extend(objects.into_iter().map(|item| read_task(TASK, reader, item, order)));
        }
        JsonKind::Object(members) => {
            reader.assume(node, "tasks by name are read as a list");
            for m in members {
                if reader.is_task(&m.value) {
                    let mut task = read_task(TASK, reader, &m.value, order);
                    if task.id.is_empty() {
                        task.id = m.key.to_string();
                    }
                    plan.tasks.push(task);
                }
            }
        }
        JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::Text(_) => {
            reader.find(code::WRONG_TYPE, Severity::Error, node, "`tasks` must be a list");
        }
    }
}

/// Writes a task graph.
fn write(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    let order: Vec<usize> = (0..plan.tasks.len()).collect();
    remainder::complete(DIALECT, plan, &order, &|rests| {
        let path = memory::noted_or(&plan.extra, DIALECT, "path", FILE);
        vec![TextFile { path, bytes: to_text(&Value::Object(graph(plan, states, rests))) }]
    })
}

fn graph(plan: &Plan, states: StateOf<'_>, rests: &Remainders) -> Map<String, Value> {
    let origin = memory::origin(plan, DIALECT);
    let dependencies = flatten::dependencies(plan);
    let levels = levels(plan, &dependencies);
    let mut tasks = Vec::with_capacity(plan.tasks.len());
    for (i, task) in plan.tasks.iter().enumerate() {
        let original = Original::of_task(plan, task, DIALECT, TASK_KEYS);
        let mut task = Task {
            depends_on: dependencies[i].clone(),
            level: levels[i],
            claimed_state: STATES.written(task, states, origin),
            ..task.clone()
        };
        // The format has no other key for what a task is for.
        if origin == Origin::Foreign && task.description.is_empty() {
            task.description.clone_from(&task.objective);
        }
        let mut object = write_members(TASK, &mut task, &original, &mut |_| None);
        rests.add_task(i, &mut object);
        tasks.push(Value::Object(object));
    }
    let mut head = Plan { tasks: Vec::new(), ..plan.clone() };
    if memory::noted_text(&plan.extra, DIALECT, memory::OUTSIDE_NAME) == plan.name {
        head.name.clear();
    }
    let original = Original::of_plan(plan, DIALECT);
    let mut header = header(plan, &levels);
    header.insert("tasks".to_owned(), Value::Array(tasks));
    let mut graph = write_members(GRAPH, &mut head, &original, &mut |key| {
        header.shift_remove(key).map(|value| GivenValue { value, same: false })
    });
    rests.add_plan(&mut graph);
    graph
}

/// The levels the plan states, if it states them all; otherwise those that follow from its order.
fn levels(plan: &Plan, dependencies: &[Vec<String>]) -> Vec<Option<i64>> {
    let own = memory::origin(plan, DIALECT) == Origin::Own;
    if own || plan.tasks.iter().all(|t| t.level.is_some()) {
        return plan.tasks.iter().map(|t| t.level).collect();
    }
    flatten::levels(plan, dependencies).into_iter().map(Some).collect()
}

/// What ZERG's own planner puts at the top.
fn header(plan: &Plan, levels: &[Option<i64>]) -> Map<String, Value> {
    let mut by_level: BTreeMap<i64, Vec<&str>> = BTreeMap::new();
    let mut phases: BTreeMap<i64, BTreeSet<Option<&str>>> = BTreeMap::new();
    for (task, level) in plan.tasks.iter().zip(levels) {
        let level = level.unwrap_or(1);
        by_level.entry(level).or_default().push(&task.id);
        phases.entry(level).or_default().insert(task.phase.as_deref());
    }
    // A level whose tasks are one phase has its name.
    let named = |level: &i64| match phases.get(level).map(|names| names.iter().collect::<Vec<_>>()).as_deref()
    {
        Some([Some(name)]) => (*name).to_owned(),
        _ => format!("level-{level}"),
    };
    let widest = by_level.values().map(Vec::len).max().unwrap_or(0);
    let level = |(level, ids): (&i64, &Vec<&str>)| {
        (level.to_string(), json!({ "name": named(level), "tasks": ids, "parallel": ids.len() > 1 }))
    };
    let table: Map<String, Value> = by_level.iter().map(level).collect();
    [
        ("version", "2.0".into()),
        ("total_tasks", plan.tasks.len().into()),
        ("max_parallelization", widest.into()),
        ("levels", Value::Object(table)),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into_iter()
    .collect()
}
