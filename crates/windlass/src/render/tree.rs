//! The status of a plan with parents, as a tree; and of one task with its steps.

use std::fmt::Write as _;

use windlass_core::event::Millis;
use windlass_core::state::TaskState;
use windlass_core::view::{Glance, RunState, StepState, TaskView, View};

use super::findings::counted;
use super::screen::{Paint, Screen, cut, pad, width};
use super::status::{row, status, words};

/// The screen with everything below `depth` parents folded into its parent.
pub(crate) fn status_tree(
    plan: &str,
    view: &View,
    state: RunState,
    now: Millis,
    screen: &Screen,
    depth: usize,
) -> String {
    let glance = Glance { tasks: Vec::new(), left_out: 0, ..view.glance_at_all() };
    let mut text = status(plan, &glance, state, now, screen);
    let ids = view.tasks.iter().map(|t| width(t.id.as_str())).max().unwrap_or(0).min(24);
    let states = view.parent_states();
    let tallies = tallies(view);
    let mut shown = vec![false; view.parents.len()];
    for task in &view.tasks {
        let chain = places_of(view, task);
        for (level, at) in chain.iter().enumerate().take(depth + 1) {
            if !std::mem::replace(&mut shown[*at], true) {
                text.push_str(&parent_line(&view.parents[*at].id, states[*at], tallies[*at], level, screen));
            }
        }
        if chain.len() <= depth {
            let indent = "  ".repeat(chain.len());
            let why = view.why(task);
            let line = row(task, why.as_ref(), now, screen, ids);
            text.extend(line.lines().map(|l| format!("{indent}{l}\n")));
        }
    }
    text
}

/// The places of a task's parents, outermost first.
fn places_of(view: &View, task: &TaskView) -> Vec<usize> {
    let mut places = Vec::new();
    let mut up = task.parent;
    while let Some(at) = up {
        places.push(at as usize);
        up = view.parents[at as usize].up;
    }
    places.reverse();
    places
}

/// How many tasks below each parent are completed, of how many.
fn tallies(view: &View) -> Vec<(usize, usize)> {
    let mut tallies = vec![(0, 0); view.parents.len()];
    for task in &view.tasks {
        for at in places_of(view, task) {
            tallies[at].0 += usize::from(task.state == TaskState::Completed);
            tallies[at].1 += 1;
        }
    }
    tallies
}

fn parent_line(
    id: &str,
    state: TaskState,
    (done, all): (usize, usize),
    level: usize,
    screen: &Screen,
) -> String {
    let name = screen.paint(Paint::Strong, &cut(id, 40));
    format!("{}{name} · {} · {done} of {}\n", "  ".repeat(level + 1), words(state), counted(all, "task"))
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
