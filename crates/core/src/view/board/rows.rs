//! Tasks as rows of a table: the ones that were asked for, in the order that was asked for.

use std::cmp::Ordering;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::event::{Event, Millis, Stamped, TaskEvent};
use crate::ids::TaskId;
use crate::policy::Rung;
use crate::state::TaskState;
use crate::view::{Steps, TaskView, View};

/// The most rows in one answer.
const MOST: usize = 500;

/// What agents at work reported last, by task. It is no state: a task that ended has nothing to report.
#[derive(Debug, Default)]
pub struct Doings(HashMap<TaskId, String>);

impl Doings {
    /// Takes in an event.
    pub fn apply(&mut self, stamped: &Stamped) {
        let Event::Task { task, event } = &stamped.event else { return };
        if let TaskEvent::Heartbeat { progress: Some(progress), .. } = event {
            let doing = progress.tool.as_ref().or(progress.said.as_ref());
            self.0.extend(doing.map(|doing| (task.clone(), doing.clone())));
        }
        if matches!(event, TaskEvent::TurnEnded(_) | TaskEvent::AttemptEnded { .. }) {
            self.0.remove(task);
        }
    }
}

/// One task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RowDoc {
    /// Its place in the plan, from 0.
    pub at: usize,
    /// Its id.
    pub id: TaskId,
    /// Its title.
    pub title: String,
    /// Its state.
    pub state: TaskState,
    /// Whether it could start now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ready: bool,
    /// Whether the plan changed after it was completed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
    /// The last attempt, 0 before the first.
    pub attempt: u32,
    /// The kind of that attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rung: Option<String>,
    /// The agent of that attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Its steps, in two letters each.
    #[serde(skip_serializing_if = "Steps::is_empty")]
    pub steps: Steps,
    /// The step under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<&'static str>,
    /// What its agent reported last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doing: Option<String>,
    /// When the running attempt began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub began: Option<Millis>,
    /// Milliseconds spent in attempts that ended.
    pub worked: Millis,
    /// The time of its last event.
    pub heard: Millis,
    /// Tokens of its turns.
    pub tokens: u64,
    /// What its turns cost, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// The commit that carries it, short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The reason for its state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The nearest phase, as a place in the list of phases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<u32>,
}

/// The row of the task at a place.
pub fn row(view: &View, at: usize, doings: &Doings) -> RowDoc {
    let task = &view.tasks[at];
    RowDoc {
        at,
        id: task.id.clone(),
        title: task.title.clone(),
        state: task.state,
        ready: view.is_ready(task),
        stale: task.is_stale(),
        attempt: task.attempt.0,
        rung: task.rung.map(Rung::label),
        agent: task.agent_and_place(),
        steps: task.steps.clone(),
        step: task.steps.running().map(|step| step.action.as_str()),
        doing: doings.0.get(&task.id).cloned(),
        began: task.began,
        worked: task.worked,
        heard: task.heard,
        tokens: task.usage.tokens(),
        cost_usd: task.usage.cost_usd,
        commit: task.commit.as_ref().map(|commit| commit.short().to_owned()),
        why: view.why(task).map(|why| why.to_string()),
        phase: task.parent,
    }
}

/// How rows are sorted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowOrder {
    /// As in the plan.
    #[default]
    Plan,
    /// By id.
    Id,
    /// By state.
    State,
    /// By number of attempts, the most first.
    Attempts,
    /// By time worked, the longest first.
    Time,
    /// By cost, then tokens, the highest first.
    Cost,
    /// By their last event, the newest first.
    Heard,
}

/// Which rows are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowQuery {
    /// Only these states; empty means all.
    pub states: Vec<TaskState>,
    /// Only tasks with this in their id or title, whatever the case.
    pub find: String,
    /// Only tasks below this phase.
    pub phase: Option<u32>,
    /// The order.
    pub order: RowOrder,
    /// Whether the order is turned around.
    pub reversed: bool,
    /// The first row, from 0.
    pub from: usize,
    /// How many rows.
    pub count: usize,
}

/// Rows that were asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RowsDoc {
    /// `windlass.rows/1`.
    pub schema: &'static str,
    /// The number of the last event.
    pub seq: u64,
    /// How many tasks fit what was asked.
    pub total: usize,
    /// The first row.
    pub from: usize,
    /// The rows.
    pub rows: Vec<RowDoc>,
}

/// The rows that were asked for.
pub fn rows(view: &View, query: &RowQuery, doings: &Doings) -> RowsDoc {
    let find = query.find.trim().to_lowercase();
    let fits = |task: &TaskView| {
        (query.states.is_empty() || query.states.contains(&task.state))
            && query.phase.is_none_or(|phase| view.places_of(task).contains(&(phase as usize)))
            && (find.is_empty()
                || task.id.as_str().to_lowercase().contains(&find)
                || task.title.to_lowercase().contains(&find))
    };
    let mut found: Vec<usize> = (0..view.tasks.len()).filter(|at| fits(&view.tasks[*at])).collect();
    found.sort_by(|a, b| {
        let order = compare(query.order, &view.tasks[*a], &view.tasks[*b]).then(a.cmp(b));
        if query.reversed { order.reverse() } else { order }
    });
    let total = found.len();
    let shown = found.into_iter().skip(query.from).take(query.count.min(MOST));
    RowsDoc {
        schema: "windlass.rows/1",
        seq: view.seq,
        total,
        from: query.from,
        rows: shown.map(|at| row(view, at, doings)).collect(),
    }
}

fn compare(order: RowOrder, a: &TaskView, b: &TaskView) -> Ordering {
    match order {
        RowOrder::Plan => Ordering::Equal,
        RowOrder::Id => a.id.cmp(&b.id),
        RowOrder::State => a.state.cmp(&b.state),
        RowOrder::Attempts => b.attempt.cmp(&a.attempt),
        // One moment for both: the one that began earlier has worked longer.
        RowOrder::Time => {
            let now = a.heard.max(b.heard);
            b.worked_until(now).cmp(&a.worked_until(now))
        }
        RowOrder::Cost => {
            let cost = |t: &TaskView| t.usage.cost_usd.unwrap_or(0.0);
            cost(b).total_cmp(&cost(a)).then(b.usage.tokens().cmp(&a.usage.tokens()))
        }
        RowOrder::Heard => b.heard.cmp(&a.heard),
    }
}
