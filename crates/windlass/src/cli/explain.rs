//! `windlass explain`: why a rule is a rule; or why a task is, or is not, ready.

use std::fmt::Write as _;

use clap::Args;
use windlass_core::diagnostic::Severity;
use windlass_core::graph::{EdgeReason, Graph, TaskIx};
use windlass_core::state::TaskState;
use windlass_core::view::View;
use windlass_planner::lint::{self, LintRule, Profile};
use windlass_planner::runnable::{RunnablePlan, may_change};

use super::checked::{CheckedPlan, PlanSelection, ProfileArgs};
use super::completing::task_ids;
use super::known::{known_view, state_in};
use super::state::unknown_task;
use super::{CliError, Exit};
use crate::config::{self, reference};
use crate::render::{Paint, Screen, words};
use crate::world::World;

/// Explain a rule by its code, or why a task is (not) ready
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// A code such as WL0101, a task, or `windlass.toml` for every key it may have.
    #[arg(value_name = "CODE|TASK", add = task_ids())]
    what: String,

    #[command(flatten)]
    plan: PlanSelection,
}

const EXAMPLES: &str = "\
Examples:
  windlass explain WL0101           a rule, with good and bad examples
  windlass explain T3               why a task waits, and the next command
  windlass explain windlass.toml    every key of the configuration";

/// The title of a rule, where the catalogue has one.
pub(crate) fn title_of(code: &str) -> Option<String> {
    lint::explain(code).map(|rule| rule.summary.to_owned())
}

/// Explains a rule or a task.
pub(crate) fn cmd_explain(world: &World, args: &ExplainArgs) -> Result<Exit, CliError> {
    if args.what == "windlass.toml" {
        world.print(&reference())?;
        return Ok(Exit::Fine);
    }
    if let Some(rule) = lint::explain(&args.what) {
        world.print(&rule_text(rule, &world.out))?;
        return Ok(Exit::Fine);
    }
    if let Some(page) = config::explain(&args.what) {
        world.print(&format!("{page}\n"))?;
        return Ok(Exit::Fine);
    }
    if is_code(&args.what) {
        let error = CliError::usage(format!("there is no rule `{}`", args.what));
        return Err(error.hint("`windlass check` names the code of every finding"));
    }
    let checked = CheckedPlan::load(world, &args.plan, &ProfileArgs::default())?;
    let Some(runnable) = &checked.runnable else {
        let name = &checked.read.loaded.plan.name;
        return Err(CliError::usage(format!("plan `{name}` has errors, so no task is ready"))
            .hint("`windlass check` says why"));
    };
    let RunnablePlan { plan, graph, .. } = runnable;
    let view = known_view(world, &plan.name)?;
    if graph.find(&args.what).is_none() && graph.find_parent(&args.what).is_none() {
        return Err(unknown_task(&args.what, plan.tasks.iter().map(|t| t.id.as_str())));
    }
    world.print(&task_text(runnable, &view, &args.what, &world.out))?;
    Ok(Exit::Fine)
}

/// A rule, how hard each profile takes it, and its page.
fn rule_text(rule: &LintRule, screen: &Screen) -> String {
    let head = screen.paint(Paint::Strong, &format!("{} {}", rule.code, rule.name));
    let mut text = format!("{head}\n{}\n\n", rule.summary);
    for profile in Profile::ALL {
        let (word, paint) = match rule.levels.get(profile) {
            Some(Severity::Error) => ("error", Paint::Error),
            Some(Severity::Warning) => ("warning", Paint::Warning),
            Some(Severity::Note) => ("note", Paint::Note),
            None => ("off", Paint::Faint),
        };
        let _ = writeln!(text, "  {profile:13} {}", screen.paint(paint, word));
    }
    let page = rule.page();
    if !page.is_empty() {
        let _ = write!(text, "\n{page}\n");
    }
    let _ = write!(
        text,
        "\nto change how hard it is taken, in windlass.toml:\n\n  [lint]\n  {} = \"off\"\n",
        rule.code
    );
    text
}

/// Whether the word looks like a rule's code.
fn is_code(text: &str) -> bool {
    let digits = text.strip_prefix("WL").or_else(|| text.strip_prefix("wl"));
    digits.is_some_and(|d| d.len() == 4 && d.bytes().all(|b| b.is_ascii_digit()))
}

fn task_text(runnable: &RunnablePlan, view: &View, id: &str, screen: &Screen) -> String {
    let graph = &runnable.graph;
    let title = runnable.plan.task(id).map_or("", |t| t.title.as_str());
    let state = state_in(view, id).unwrap_or_default();
    let mut text = format!("{} · {title} · {}\n", screen.paint(Paint::Strong, id), words(state));
    if let Some(parent) = graph.find_parent(id) {
        let parts: Vec<&str> =
            graph.parent(parent).leaves.iter().map(|ix| graph.node(*ix).id.as_str()).collect();
        let _ = writeln!(text, "a parent: it is done when its parts are: {}", parts.join(", "));
    }
    let Some(ix) = graph.find(id) else { return text };
    let task = view.task(id);
    if let Some(why) = task.and_then(|t| view.why(t)).filter(|why| !why.waits_for_tasks()) {
        let _ = writeln!(text, "{why}");
    }
    text.push_str(&verdict(state, task.is_some_and(windlass_core::view::TaskView::is_stale), id));
    text.push_str(&needs(graph, view, ix, state));
    let node = graph.node(ix);
    let after: Vec<&str> = node.dependants.iter().map(|d| graph.node(*d).id.as_str()).collect();
    if !after.is_empty() {
        let _ = writeln!(text, "\nwaiting for it: {}", after.join(", "));
    }
    let _ = writeln!(text, "\nit runs in mode `{}`", node.mode.as_str());
    let may_change = may_change(node);
    if !may_change.is_empty() {
        let _ = writeln!(text, "it may change: {}", may_change.join(", "));
    }
    let _ = writeln!(text, "\n{} {}", screen.paint(Paint::Help, "next:"), next_command(view, id, state));
    text
}

/// The command that goes on.
fn next_command(view: &View, id: &str, state: TaskState) -> String {
    if let Some(need) = view.task(id).and_then(|task| view.need_of(task)) {
        return need.next;
    }
    match state {
        TaskState::Pending => "`windlass run` carries it out when its turn comes".into(),
        TaskState::InProgress | TaskState::Testing | TaskState::TestFailed => {
            format!("`windlass logs {id} -f` follows it")
        }
        TaskState::Completed => {
            format!("`windlass show {id}` has what proves it, `windlass diff {id}` its change")
        }
        TaskState::Failed | TaskState::Blocked | TaskState::Skipped => format!("`windlass retry {id}`"),
    }
}

/// Whether it is carried out, and when.
fn verdict(state: TaskState, stale: bool, id: &str) -> String {
    if stale {
        return format!("it is not run again by itself: `windlass retry {id}` does\n");
    }
    match state {
        TaskState::Pending => String::new(),
        TaskState::InProgress | TaskState::Testing => "it is being carried out\n".into(),
        TaskState::TestFailed => "Windlass retries it\n".into(),
        TaskState::Completed => {
            "it is merged; it is not run again unless the plan changes and you retry it\n".into()
        }
        TaskState::Failed | TaskState::Blocked | TaskState::Skipped => {
            format!("it is not run again by itself: `windlass retry {id}` does\n")
        }
    }
}

/// What comes before a task, each with its state and the reason.
fn needs(graph: &Graph, view: &View, ix: TaskIx, own: TaskState) -> String {
    let edges: Vec<_> = graph.edges().iter().filter(|e| e.then == ix).collect();
    if edges.is_empty() {
        let when = if own == TaskState::Pending { ": it can start at once" } else { "" };
        return format!("it needs no other task{when}\n");
    }
    let state = |ix: TaskIx| state_in(view, graph.node(ix).id.as_str()).unwrap_or_default();
    let open = edges.iter().filter(|e| state(e.first) != TaskState::Completed).count();
    let mut text = match open {
        0 if own == TaskState::Pending => "everything it needs is merged: it is ready\n".to_owned(),
        0 => "everything it needs is merged:\n".to_owned(),
        n if n == edges.len() => "it waits for:\n".to_owned(),
        n => format!("it waits for {n} of {}:\n", edges.len()),
    };
    let ids = edges.iter().map(|e| graph.node(e.first).id.as_str().len()).max().unwrap_or(0);
    for edge in edges {
        let id = graph.node(edge.first).id.as_str();
        let _ = writeln!(text, "  {id:ids$}  {:12}  {}", words(state(edge.first)), reason(&edge.why));
    }
    text
}

fn reason(why: &EdgeReason) -> String {
    match why {
        EdgeReason::Stated => "the plan says so".into(),
        EdgeReason::FromParent => "the plan states it for a parent".into(),
        EdgeReason::Barrier => "its own parts come first".into(),
        EdgeReason::FileOrder { path } => format!("both touch `{path}`"),
    }
}
