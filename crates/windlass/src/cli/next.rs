//! `windlass next`: what could be started now, and the other questions a conductor asks.

use std::fmt::Write as _;

use clap::Args;
use serde_json::{Value, json};
use windlass_core::graph::{Graph, TaskIx};
use windlass_core::plan::{Plan, Task};
use windlass_core::state::TaskState;
use windlass_core::view::View;

use super::checked::{Checked, PlanArgs, ProfileArgs};
use super::known::{known_view, state_in};
use super::state::unknown_task;
use super::{CliError, Exit};
use crate::render::{pad, width, words};
use crate::world::World;

/// List the tasks that could start now; answer a conductor's other questions
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("question"))]
pub(crate) struct NextArgs {
    #[command(flatten)]
    plan: PlanArgs,

    /// One task, whole.
    #[arg(long, value_name = "TASK", group = "question")]
    task: Option<String>,

    /// What an implementer needs of one task, and no more.
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

/// A plan with what is known of its tasks.
struct Known<'a> {
    plan: &'a Plan,
    graph: &'a Graph,
    view: &'a View,
}

/// Answers the question.
pub(crate) fn cmd_next(world: &World, args: &NextArgs) -> Result<Exit, CliError> {
    let checked = Checked::of(world, &args.plan, &ProfileArgs::default())?;
    let plan = &checked.read.loaded.plan;
    let Some(graph) = &checked.graph else {
        return Err(CliError::usage(format!("plan `{}` cannot be sealed, so nothing is ready", plan.name))
            .hint("`windlass check` says why"));
    };
    let view = known_view(world, &plan.name)?;
    let known = Known { plan, graph, view: &view };
    let mut answer = json!({ "schema": "windlass.next/1", "plan": plan.name });
    if let Some(id) = &args.task {
        let task = known.task(id)?;
        answer["task"] = serde_json::to_value(task)?;
        answer["task"]["state"] = known.state(id).as_str().into();
    } else if let Some(id) = &args.input {
        answer["task"] = minimal(known.task(id)?);
        answer["specs"] = json!(plan.specs);
    } else if let Some(id) = &args.parts {
        let parent = known.task(id)?.id.as_str();
        let parts = plan.tasks.iter().filter(|t| t.parent.as_deref() == Some(parent));
        answer["parts"] = parts.map(|t| known.line(t)).collect();
    } else if args.count {
        answer["counts"] = known.counts();
    } else {
        answer["ready"] = known.ready().iter().map(|ix| known.line(known.of(*ix))).collect();
        answer["counts"] = known.counts();
    }
    let text = if args.json { answer.to_string() + "\n" } else { human(&answer) };
    world.print(&text)?;
    Ok(Exit::Fine)
}

impl<'a> Known<'a> {
    fn task(&self, id: &str) -> Result<&'a Task, CliError> {
        self.plan.task(id).ok_or_else(|| unknown_task(id, self.plan.tasks.iter().map(|t| t.id.as_str())))
    }

    fn of(&self, ix: TaskIx) -> &'a Task {
        &self.plan.tasks[self.graph.node(ix).task]
    }

    fn state(&self, id: &str) -> TaskState {
        state_in(self.view, id).unwrap_or_default()
    }

    /// The tasks whose needs are all merged, the most urgent first.
    fn ready(&self) -> Vec<TaskIx> {
        let done = |ix: &TaskIx| self.state(self.graph.node(*ix).id.as_str()) == TaskState::Completed;
        let open = |ix: &TaskIx| self.state(self.graph.node(*ix).id.as_str()) == TaskState::Pending;
        let ready = |ix: &TaskIx| open(ix) && self.graph.node(*ix).deps.iter().all(done);
        self.graph.order().iter().copied().filter(ready).collect()
    }

    fn counts(&self) -> Value {
        let mut counts = serde_json::Map::new();
        counts.insert("total".into(), self.graph.nodes().len().into());
        for state in TaskState::ALL {
            let n = self.graph.nodes().iter().filter(|n| self.state(n.id.as_str()) == state).count();
            counts.insert(state.as_str().into(), n.into());
        }
        counts.insert("ready".into(), self.ready().len().into());
        counts.into()
    }

    fn line(&self, task: &Task) -> Value {
        let mut line = json!({ "id": task.id, "title": task.title, "state": self.state(&task.id).as_str() });
        if let Some(ix) = self.graph.find(&task.id) {
            let node = self.graph.node(ix);
            line["mode"] = node.mode.as_str().into();
            line["priority"] = node.priority.into();
        }
        if let Some(tier) = task.tier {
            line["tier"] = tier.as_str().into();
        }
        line
    }
}

/// The fields an implementer works from.
fn minimal(task: &Task) -> Value {
    json!({
        "id": task.id,
        "title": task.title,
        "objective": task.objective,
        "criteria": task.criteria,
        "test": task.test,
        "files": task.files,
        "contract": task.contract,
        "interfaces": task.interfaces,
        "verification": task.verification,
    })
}

/// The answer as lines.
fn human(answer: &Value) -> String {
    if let Some(task) = answer.get("task") {
        return format!("{task:#}\n");
    }
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
