//! `windlass next`: the tasks that could start now, and other questions of a conductor.

use std::fmt::Write as _;

use clap::Args;
use serde_json::{Value, json};
use windlass_core::graph::{Graph, TaskIx};
use windlass_core::plan::{Plan, Task};
use windlass_core::state::TaskState;
use windlass_core::view::View;
use windlass_formats::Dialect;

use super::checked::{CheckedPlan, PlanSelection, ProfileArgs};
use super::known::{known_view, state_in};
use super::state::unknown_task;
use super::{CliError, Exit};
use crate::input::locate;
use crate::render::{pad, width, words};
use crate::world::World;

/// List the tasks that could start now; answer a conductor's other questions
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("question"), after_help = EXAMPLES)]
pub(crate) struct NextArgs {
    #[command(flatten)]
    plan: PlanSelection,

    /// One task, whole.
    #[arg(long, value_name = "TASK", group = "question")]
    task: Option<String>,

    /// What an implementer needs to know of one task.
    #[arg(long, value_name = "TASK", group = "question")]
    input: Option<String>,

    /// The parts of a parent.
    #[arg(long, value_name = "TASK", group = "question")]
    parts: Option<String>,

    /// How many tasks are in each state.
    #[arg(long, group = "question")]
    count: bool,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass next                    tasks that could start now
  windlass next --json | jq .";

/// A plan with what is known of its tasks.
struct PlanProgress<'a> {
    plan: &'a Plan,
    /// Only a plan without errors has a graph. Only the question what is ready needs it.
    graph: Option<&'a Graph>,
    view: &'a View,
    /// The top of the checkout.
    worktree: Option<String>,
    /// Tasks that the plan's own files call completed.
    done_before: &'a [String],
}

/// What is answered.
enum NextAnswer {
    /// Fields of an object.
    Fields(Value),
    /// A task, and what of it is told to programs.
    Task(Box<Task>, Value),
}

/// Answers the question.
pub(crate) fn cmd_next(world: &World, args: &NextArgs) -> Result<Exit, CliError> {
    let checked = CheckedPlan::load(world, &args.plan, &ProfileArgs::default())?;
    let plan = checked.runnable.as_ref().map_or(&checked.read.loaded.plan, |r| &r.plan);
    let view = known_view(world, &plan.name)?;
    let top = locate(&world.cwd).and_then(|located| located.top);
    let worktree = top.map(|top| top.to_string_lossy().into_owned());
    let graph = checked.runnable.as_ref().map(|r| &r.graph);
    let done_before = &checked.done_before;
    let known = PlanProgress { plan, graph, view: &view, worktree, done_before };
    let text = match (known.answer(args)?, args.json) {
        (NextAnswer::Task(task, _), false) => as_markdown(*task),
        (NextAnswer::Fields(fields), false) => human(&fields),
        (NextAnswer::Task(_, fields) | NextAnswer::Fields(fields), true) => {
            let mut whole = json!({ "schema": "windlass.next/1", "plan": plan.name });
            for (key, value) in fields.as_object().into_iter().flatten() {
                whole[key] = value.clone();
            }
            whole.to_string() + "\n"
        }
    };
    world.print(&text)?;
    Ok(Exit::Fine)
}

impl<'a> PlanProgress<'a> {
    fn answer(&self, args: &NextArgs) -> Result<NextAnswer, CliError> {
        if let Some(id) = &args.task {
            let task = self.task(id)?;
            let mut whole = serde_json::to_value(task)?;
            whole["state"] = self.state(id).as_str().into();
            return Ok(NextAnswer::Task(Box::new(task.clone()), json!({ "task": whole })));
        }
        if let Some(id) = &args.input {
            let task = minimal(self.task(id)?);
            let worktree = windlass_formats::worktree(self.plan).or_else(|| self.worktree.clone());
            let fields =
                json!({ "task": always(&task), "specs": self.plan.specs, "worktree_path": worktree });
            return Ok(NextAnswer::Task(Box::new(task), fields));
        }
        if let Some(id) = &args.parts {
            let parent = self.task(id)?.id.as_str();
            let parts = self.plan.tasks.iter().filter(|t| t.parent.as_deref() == Some(parent));
            return Ok(NextAnswer::Fields(
                json!({ "parts": parts.map(|t| self.part(t)).collect::<Value>() }),
            ));
        }
        let graph = self.sealed()?;
        let mut fields = json!({});
        if !self.done_before.is_empty() {
            fields["done_before"] = json!(self.done_before);
        }
        if !args.count {
            fields["ready"] = self.ready(graph).iter().map(|ix| self.line(self.of(graph, *ix))).collect();
        }
        fields["counts"] = self.counts(graph);
        Ok(NextAnswer::Fields(fields))
    }

    fn sealed(&self) -> Result<&'a Graph, CliError> {
        let name = &self.plan.name;
        self.graph.ok_or_else(|| {
            CliError::usage(format!("plan `{name}` has errors, so no task is ready"))
                .hint("`windlass check` says why")
        })
    }

    fn task(&self, id: &str) -> Result<&'a Task, CliError> {
        self.plan.task(id).ok_or_else(|| unknown_task(id, self.plan.tasks.iter().map(|t| t.id.as_str())))
    }

    fn of(&self, graph: &Graph, ix: TaskIx) -> &'a Task {
        &self.plan.tasks[graph.node(ix).task]
    }

    fn state(&self, id: &str) -> TaskState {
        state_in(self.view, id).unwrap_or_default()
    }

    /// The tasks whose needs are all merged, the most urgent first.
    fn ready(&self, graph: &Graph) -> Vec<TaskIx> {
        let done = |ix: &TaskIx| self.state(graph.node(*ix).id.as_str()) == TaskState::Completed;
        let open = |ix: &TaskIx| self.state(graph.node(*ix).id.as_str()) == TaskState::Pending;
        let ready = |ix: &TaskIx| open(ix) && graph.node(*ix).deps.iter().all(done);
        graph.order().iter().copied().filter(ready).collect()
    }

    fn counts(&self, graph: &Graph) -> Value {
        let mut counts = serde_json::Map::new();
        counts.insert("total".into(), graph.nodes().len().into());
        for state in TaskState::ALL {
            let n = graph.nodes().iter().filter(|n| self.state(n.id.as_str()) == state).count();
            counts.insert(state.as_str().into(), n.into());
        }
        counts.insert("ready".into(), self.ready(graph).len().into());
        counts.into()
    }

    /// A part of a parent, with what it asks for.
    fn part(&self, task: &Task) -> Value {
        let mut line = self.line(task);
        line["objective"] = task.objective.clone().into();
        line["criteria"] = json!(task.criteria);
        line["depends_on"] = json!(task.depends_on);
        line["test"] = json!(task.test);
        line
    }

    fn line(&self, task: &Task) -> Value {
        let mut line = json!({ "id": task.id, "title": task.title, "state": self.state(&task.id).as_str() });
        if let Some(node) = self.graph.and_then(|g| Some(g.node(g.find(&task.id)?))) {
            line["mode"] = node.mode.as_str().into();
            line["priority"] = node.priority.into();
        }
        if let Some(tier) = task.tier {
            line["tier"] = tier.as_str().into();
        }
        line
    }
}

/// The part of a task that an implementer works from. Without an objective, the description takes its place.
fn minimal(task: &Task) -> Task {
    let objective = if task.objective.is_empty() { &task.description } else { &task.objective };
    Task {
        id: task.id.clone(),
        title: task.title.clone(),
        objective: objective.clone(),
        criteria: task.criteria.clone(),
        test: task.test.clone(),
        files: task.files.clone(),
        contract: task.contract.clone(),
        interfaces: task.interfaces.clone(),
        test_code: task.test_code.clone(),
        verification: task.verification.clone(),
        done_when: task.done_when.clone(),
        ..Task::default()
    }
}

/// The same for programs: empty fields are included.
fn always(task: &Task) -> Value {
    json!({
        "id": task.id,
        "title": task.title,
        "objective": task.objective,
        "criteria": task.criteria,
        "test": task.test,
        "files": task.files,
        "contract": task.contract,
        "interfaces": task.interfaces,
        "test_code": task.test_code,
        "verification": task.verification,
        "done_when": task.done_when,
    })
}

/// A task as the native format writes it.
fn as_markdown(task: Task) -> String {
    let plan = Plan { name: "plan".into(), tasks: vec![task], ..Plan::default() };
    let files = windlass_formats::write(Dialect::Native, &plan, &|_| None);
    let task = files.iter().find(|file| file.path.ends_with(".md"));
    task.map(|file| String::from_utf8_lossy(&file.bytes).into_owned()).unwrap_or_default()
}

/// The answer as lines.
fn human(answer: &Value) -> String {
    let mut text = String::new();
    let list = answer.get("ready").or_else(|| answer.get("parts")).and_then(Value::as_array);
    if let Some(list) = list {
        let field = |line: &Value, key: &str| line[key].as_str().unwrap_or("").to_owned();
        let ids = list.iter().map(|l| width(&field(l, "id"))).max().unwrap_or(0);
        for line in list {
            let state = TaskState::ALL.into_iter().find(|s| s.as_str() == line["state"]).unwrap_or_default();
            let id = pad(&field(line, "id"), ids);
            let _ = writeln!(text, "{id}  {}  {}", pad(words(state), 11), field(line, "title"));
        }
        if list.is_empty() {
            text.push_str("none\n");
        }
    }
    if let Some(counts) = answer.get("counts").and_then(Value::as_object) {
        let parts: Vec<String> = counts
            .iter()
            .filter(|(name, n)| n.as_u64() != Some(0) || *name == "ready")
            .map(|(name, n)| format!("{n} {}", name.replace('_', " ")))
            .collect();
        let _ = writeln!(text, "{}{}", if text.is_empty() { "" } else { "\n" }, parts.join(" · "));
    }
    text
}
