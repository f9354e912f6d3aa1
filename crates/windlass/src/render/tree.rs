//! The status of a plan with parents, as a tree; and of one task with its steps.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use windlass_core::event::Millis;
use windlass_core::state::TaskState;
use windlass_core::view::{RunState, StepState, TaskView, View};

use super::screen::{Paint, Screen, cut, pad, width};
use super::status::{StatusKnown, foot, head, progress, row, words};

/// Which part of a tree is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeView<'a> {
    /// Everything below so many levels of parents is folded into its parent.
    pub(crate) depth: usize,
    /// Only this parent, as a place in [`View::parents`].
    pub(crate) phase: Option<usize>,
    /// The titles of parents, by id.
    pub(crate) titles: &'a BTreeMap<String, String>,
    /// What is known besides the journal.
    pub(crate) known: StatusKnown<'a>,
}

/// The screen as a tree of parents and tasks.
pub(crate) fn status_tree(
    plan: &str,
    view: &View,
    state: RunState,
    now: Millis,
    screen: &Screen,
    tree: &TreeView<'_>,
) -> String {
    let glance = view.glance_at_all();
    let mut text = head(plan, glance.run.as_ref(), state, screen);
    text.push_str(&progress(&glance, now, screen));
    text.push('\n');
    text.push_str(&branches(view, now, screen, tree));
    text.push_str(&foot(&glance, state, now, screen, &tree.known));
    text
}

/// One parent with everything below it.
pub(crate) fn phase_status(view: &View, now: Millis, screen: &Screen, tree: &TreeView<'_>) -> String {
    let mut text = branches(view, now, screen, tree);
    text.push_str("\nmore: `windlass show TASK`, `windlass logs TASK`\n");
    text
}

fn branches(view: &View, now: Millis, screen: &Screen, tree: &TreeView<'_>) -> String {
    let mut text = String::new();
    let ids = view.tasks.iter().map(|t| width(t.id.as_str())).max().unwrap_or(0).min(24);
    let states = view.parent_states();
    let tallies = view.parent_tallies();
    let mut shown = vec![false; view.parents.len()];
    for task in &view.tasks {
        let chain = view.places_of(task);
        let Some(below) = below(&chain, tree.phase) else { continue };
        for (level, at) in below.iter().enumerate().take(tree.depth.saturating_add(1)) {
            if !std::mem::replace(&mut shown[*at], true) {
                let id = &view.parents[*at].id;
                let title = tree.titles.get(id).unwrap_or(id);
                text.push_str(&parent_line(title, states[*at], tallies[*at], level, screen));
            }
        }
        if below.len() <= tree.depth {
            let indent = "  ".repeat(below.len());
            let why = view.why(task);
            let line = row(task, why.as_ref(), now, screen, ids);
            text.extend(line.lines().map(|l| format!("{indent}{l}\n")));
        }
    }
    text
}

/// The parents of a task from the wanted one down; `None` where it is not below that one.
fn below(chain: &[usize], phase: Option<usize>) -> Option<&[usize]> {
    match phase {
        None => Some(chain),
        Some(wanted) => chain.iter().position(|at| *at == wanted).map(|at| &chain[at..]),
    }
}

/// `Phase 2: Buffer Management (3/3 tasks complete)`.
fn parent_line(
    title: &str,
    state: TaskState,
    (done, all): (usize, usize),
    level: usize,
    screen: &Screen,
) -> String {
    let name = screen.paint(Paint::Strong, &cut(title, 60));
    let noun = if all == 1 { "task" } else { "tasks" };
    format!("{}{name} ({done}/{all} {noun} complete) · {}\n", "  ".repeat(level + 1), words(state))
}

/// One task with its steps.
pub(crate) fn task_status(view: &View, task: &TaskView, now: Millis, screen: &Screen) -> String {
    let why = view.why(task);
    let mut text = row(task, why.as_ref(), now, screen, width(task.id.as_str()));
    for step in &task.steps.0 {
        let (sign, paint) = step_mark(step.state);
        let _ = writeln!(
            text,
            "      {} {} {}",
            screen.paint(paint, sign),
            pad(step.action.as_str(), 12),
            screen.paint(Paint::Faint, step.state.as_str())
        );
    }
    let _ = writeln!(text, "\nmore: `windlass show {0}`, `windlass logs {0}`", task.id);
    text
}

/// The mark of a step.
pub(crate) fn step_mark(state: StepState) -> (&'static str, Paint) {
    match state {
        StepState::Pending => ("·", Paint::Faint),
        StepState::Running => ("▶", Paint::Busy),
        StepState::Passed => ("✓", Paint::Good),
        StepState::Failed => ("✗", Paint::Error),
        StepState::Skipped => ("-", Paint::Faint),
    }
}
