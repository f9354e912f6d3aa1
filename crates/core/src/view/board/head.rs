//! The head of every page: the run in a few figures. And what a page gets first.

use std::collections::BTreeMap;

use serde::Serialize;

use super::attention::{AttentionDoc, attention};
use super::phases::{PhaseDoc, phases};
use super::rows::{Doings, RowDoc, row};
use crate::criteria::Standing;
use crate::event::Millis;
use crate::state::TaskState;
use crate::view::{AgentRest, Counts, Liveness, RunState, View};

/// Of tasks at work and of tasks that were merged last, so many are in the first document.
const FIRST: usize = 60;

/// What the journal does not know: only the caller does.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    /// The plan's name.
    pub plan: &'a str,
    /// Whether the coordinator exists.
    pub coordinator: Liveness,
    /// The time.
    pub now: Millis,
    /// Wishes that were not followed yet, in words.
    pub wishes: &'a [String],
    /// The titles of phases, by id: a journal has only ids.
    pub titles: &'a BTreeMap<String, String>,
    /// Why the journal cannot be read, if it cannot.
    pub trouble: Option<&'a str>,
}

/// The run in a few figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeadDoc {
    /// The number of the last event.
    pub seq: u64,
    /// When it happened.
    pub at: Millis,
    /// The time of the program that says this.
    pub now: Millis,
    /// The plan's name.
    pub plan: String,
    /// The state of its runs.
    pub state: RunState,
    /// The integration branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The commit it points at, short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tip: Option<String>,
    /// When the last run started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<Millis>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Millis>,
    /// How many attempts and verifications at once.
    pub jobs: u32,
    /// The number of tasks in each state.
    pub counts: Counts,
    /// How many criteria are proved, held, merged and open.
    pub criteria: [u32; 4],
    /// What all turns cost, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Turns of unknown price.
    pub unpriced_turns: u32,
    /// Tokens of all turns.
    pub tokens: u64,
    /// The part of the longest chain that is still open, in per cent.
    pub longest_left: u64,
    /// Agents that rest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resting: Vec<AgentRest>,
    /// Whether it was asked to stop.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopping: bool,
    /// Wishes that were not followed yet, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wishes: Vec<String>,
}

/// What a page gets first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverviewDoc {
    /// `windlass.overview/1`.
    pub schema: &'static str,
    /// The run.
    pub head: HeadDoc,
    /// What needs a person.
    pub attention: AttentionDoc,
    /// Tasks at work.
    pub running: Vec<RowDoc>,
    /// Tasks that were merged last, the newest first.
    pub merged: Vec<RowDoc>,
    /// Phases with their tallies.
    pub phases: Vec<PhaseDoc>,
}

impl HeadDoc {
    /// The head for a view.
    pub fn new(view: &View, around: Around<'_>) -> Self {
        let run = view.run.as_ref();
        let progress = view.progress();
        Self {
            seq: view.seq,
            at: view.at,
            now: around.now,
            plan: around.plan.to_owned(),
            state: run.map_or(RunState::New, |r| r.state(around.coordinator)),
            branch: run.map(|r| r.branch.clone()),
            tip: run.map(|r| r.tip.short().to_owned()),
            started: run.map(|r| r.started),
            ended: run.and_then(|r| r.ended.as_ref()).map(|e| e.at),
            jobs: run.map_or(0, |r| r.jobs),
            counts: view.counts(),
            criteria: standings(view),
            cost_usd: progress.usage.cost_usd,
            unpriced_turns: progress.unpriced,
            tokens: progress.usage.tokens(),
            longest_left: (progress.longest_left * 100).checked_div(progress.longest).unwrap_or(0),
            resting: run.iter().flat_map(|r| r.resting_at(around.now)).cloned().collect(),
            stopping: run.is_some_and(|r| r.stopping),
            wishes: around.wishes.to_vec(),
        }
    }
}

/// How many criteria of all tasks stand in each way.
fn standings(view: &View) -> [u32; 4] {
    let mut counts = [0; 4];
    for proof in view.tasks.iter().flat_map(|t| &t.criteria) {
        let at = match proof.standing {
            Standing::Proved => 0,
            Standing::Held => 1,
            Standing::Merged => 2,
            Standing::Open => 3,
        };
        counts[at] += 1;
    }
    counts
}

/// What a page gets first.
pub fn overview(view: &View, around: Around<'_>, doings: &Doings) -> OverviewDoc {
    let at_work = |t: &TaskState| match t {
        TaskState::InProgress | TaskState::Testing | TaskState::TestFailed => true,
        TaskState::Pending
        | TaskState::Completed
        | TaskState::Failed
        | TaskState::Blocked
        | TaskState::Skipped => false,
    };
    let all = || 0..view.tasks.len();
    let running = all().filter(|at| at_work(&view.tasks[*at].state)).take(FIRST);
    let mut merged: Vec<usize> = all().filter(|at| view.tasks[*at].state == TaskState::Completed).collect();
    merged.sort_by_key(|at| std::cmp::Reverse((view.tasks[*at].heard, *at)));
    OverviewDoc {
        schema: "windlass.overview/1",
        head: HeadDoc::new(view, around),
        attention: attention(view, around.trouble),
        running: running.map(|at| row(view, at, doings)).collect(),
        merged: merged.into_iter().take(8).map(|at| row(view, at, doings)).collect(),
        phases: phases(view, around.titles),
    }
}
