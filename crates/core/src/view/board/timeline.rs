//! Attempts over time, in as many lanes as were at work at once.

use serde::Serialize;

use crate::event::Millis;
use crate::ids::TaskId;
use crate::view::{AttemptOutcome, AttemptView, View};

/// Of more attempts than this the last ones are shown.
const MOST: usize = 4000;

/// Attempts over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimelineDoc {
    /// `windlass.timeline/1`.
    pub schema: &'static str,
    /// The number of the last event.
    pub seq: u64,
    /// The first moment shown.
    pub from: Millis,
    /// The last moment known.
    pub until: Millis,
    /// How many lanes there are.
    pub lanes: usize,
    /// How many earlier attempts are not shown.
    pub left_out: usize,
    /// The attempts, in the order they started.
    pub bars: Vec<Bar>,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bar {
    /// The task.
    pub task: TaskId,
    /// Which attempt.
    #[serde(rename = "n")]
    pub attempt: u32,
    /// Its lane, from 0.
    pub lane: usize,
    /// When it began, in milliseconds after the first moment.
    pub begin: Millis,
    /// How long it took, or takes until now.
    pub length: Millis,
    /// How it ended, or stands.
    pub outcome: AttemptOutcome,
    /// The agent.
    pub agent: String,
    /// What was done in it: how long each turn took, with the part that was played.
    pub turns: Vec<(&'static str, u64)>,
}

/// Every attempt in the lane that was free when it began: the lanes are the slots that were in use at once.
pub fn timeline(view: &View, now: Millis) -> TimelineDoc {
    let attempts = |(task, one)| Attempted { task, one };
    let all = view.tasks.iter().chain(&view.archived);
    let mut tried: Vec<Attempted<'_>> =
        all.flat_map(|t| t.attempts.iter().map(move |one| (t, one))).map(attempts).collect();
    tried.sort_by_key(|t| (t.one.started, t.task.id.clone()));
    let left_out = tried.len().saturating_sub(MOST);
    tried.drain(..left_out);
    let from = tried.first().map_or(now, |t| t.one.started);
    let mut free: Vec<Millis> = Vec::new();
    let bars: Vec<Bar> = tried.iter().map(|t| t.bar(from, now, &mut free)).collect();
    let until = bars.iter().map(|bar| from + bar.begin + bar.length).max().unwrap_or(now);
    TimelineDoc {
        schema: "windlass.timeline/1",
        seq: view.seq,
        from,
        until,
        lanes: free.len(),
        left_out,
        bars,
    }
}

/// An attempt with its task.
struct Attempted<'a> {
    task: &'a crate::view::TaskView,
    one: &'a AttemptView,
}

impl Attempted<'_> {
    /// The attempt in the first lane that is free when it begins.
    fn bar(&self, from: Millis, now: Millis, free: &mut Vec<Millis>) -> Bar {
        let waits = self.task.state == crate::state::TaskState::Blocked && self.one.no == self.task.attempt;
        let until = self.one.ended.unwrap_or(if waits { self.task.heard } else { now }).max(self.one.started);
        let lane = free.iter().position(|end| *end <= self.one.started).unwrap_or(free.len());
        if lane == free.len() {
            free.push(0);
        }
        free[lane] = until;
        let outcome = match &self.one.outcome {
            Some((word, _)) => word.clone(),
            None if waits => AttemptOutcome::Waits,
            None => AttemptOutcome::Open,
        };
        Bar {
            task: self.task.id.clone(),
            attempt: self.one.no.0,
            lane,
            begin: self.one.started - from,
            length: until - self.one.started,
            outcome,
            agent: self.one.agent.clone(),
            turns: self.one.turns.iter().map(|turn| (turn.role.as_str(), turn.millis)).collect(),
        }
    }
}
