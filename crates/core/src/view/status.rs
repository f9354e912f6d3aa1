//! The machine-readable status: `windlass.status/1`. Its keys are public.

use serde::Serialize;

use super::attempts::{AttemptDoc, Outputs, TurnDoc, attempts_of};
use super::attention::Attention;
use super::ending::Ending;
use super::fold::View;
use super::progress::Counts;
use super::run::{AgentRest, Liveness, RunState, StoppedProvider};
use super::steps::StepView;
use super::task::TaskView;
use crate::criteria::CriterionProof;
use crate::event::Millis;
use crate::state::TaskState;
use crate::wish::Wish;

/// The name and version of the form.
pub(super) const SCHEMA: &str = "windlass.status/1";

/// The whole status of a plan.
#[derive(Debug, Clone, Serialize)]
pub struct StatusDoc<'a> {
    /// `windlass.status/1`.
    pub schema: &'static str,
    /// The plan's name.
    pub plan: &'a str,
    /// The state of its runs.
    pub state: RunState,
    /// The integration branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<&'a str>,
    /// Where the branch points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tip: Option<&'a str>,
    /// Why nothing is merged at the moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merging_paused: Option<&'a str>,
    /// Agents that rest, and until when.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resting: Vec<&'a AgentRest>,
    /// Providers that do not serve this account, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<&'a StoppedProvider>,
    /// The number of tasks in each state.
    pub counts: Counts,
    /// What all turns cost, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Turns that used tokens of unknown price; they are not in `cost_usd`.
    #[serde(skip_serializing_if = "is_no_turn")]
    pub unpriced_turns: u32,
    /// Tokens of all turns.
    #[serde(skip_serializing_if = "is_zero")]
    pub tokens: u64,
    /// Turns about the plan as a whole: of its reviewer and its integrator.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub team: Vec<TurnDoc>,
    /// Parents and the fold of their children.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<StatusParent<'a>>,
    /// The tasks, in the order of the plan.
    pub tasks: Vec<StatusTask<'a>>,
    /// What waits for a person, most urgent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attention: Vec<Attention>,
    /// Requests that no run has followed yet. They are not in the journal, so the caller adds them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requested: Vec<Wish>,
}

/// A parent.
#[derive(Debug, Clone, Serialize)]
pub struct StatusParent<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its title, where the plan gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The parent above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<&'a str>,
    /// The fold of its children.
    pub state: TaskState,
    /// How many tasks below it are completed.
    pub completed: usize,
    /// How many tasks are below it.
    pub tasks: usize,
}

/// One task.
#[derive(Debug, Clone, Serialize)]
pub struct StatusTask<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its state.
    pub state: TaskState,
    /// The last attempt, 0 before the first.
    pub attempt: u32,
    /// The step under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<&'static str>,
    /// Its steps.
    pub steps: &'a [StepView],
    /// The step that failed last, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_step: Option<usize>,
    /// The agent of the last attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<&'a str>,
    /// Seconds spent in attempts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// What its turns cost, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Tokens of its turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// The session of its last turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<&'a str>,
    /// The file with what its last turn printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript: Option<String>,
    /// The commit that carries it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<&'a str>,
    /// Whether the plan changed after it was completed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
    /// The reason for its state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// How its criteria stand, and by which tests.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub criteria: &'a [CriterionProof],
    /// Its tests that are not known to depend on the code.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub weak_tests: &'a [String],
    /// How it came to need a person, and the next step.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// Every attempt with its turns, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<AttemptDoc>,
}

impl<'a> StatusDoc<'a> {
    /// The status of a whole plan.
    pub fn new(
        plan: &'a str,
        view: &'a View,
        coordinator: Liveness,
        now: Millis,
        outputs: Outputs<'_>,
    ) -> Self {
        let run = view.run.as_ref();
        let progress = view.progress();
        let usage = progress.usage;
        Self {
            schema: SCHEMA,
            plan,
            state: run.map_or(RunState::New, |r| r.state(coordinator)),
            branch: run.map(|r| r.branch.as_str()),
            tip: run.map(|r| r.tip.as_str()),
            merging_paused: run.and_then(|r| r.merging_paused.as_deref()),
            resting: run.iter().flat_map(|r| r.resting_at(now)).collect(),
            stopped: run.iter().flat_map(|r| &r.stopped).collect(),
            counts: view.counts(),
            cost_usd: usage.cost_usd,
            unpriced_turns: progress.unpriced,
            tokens: usage.tokens(),
            team: run.iter().flat_map(|r| &r.team).map(|t| TurnDoc::new(t, outputs)).collect(),
            parents: status_parents(view),
            tasks: view.tasks.iter().map(|t| status_task(view, t, now, outputs)).collect(),
            attention: view.waits_for_person(),
            requested: Vec::new(),
        }
    }
}

/// The parents of a view, in its order. Titles are the plan's: a journal has only ids.
pub fn status_parents(view: &View) -> Vec<StatusParent<'_>> {
    let folded = view.parents.iter().zip(view.parent_states()).zip(view.parent_tallies());
    let made = folded.map(|((parent, state), (completed, tasks))| StatusParent {
        id: &parent.id,
        title: None,
        parent: parent.up.and_then(|up| view.parents.get(up as usize)).map(|up| up.id.as_str()),
        state,
        completed,
        tasks,
    });
    made.collect()
}

/// The status of one task.
pub fn status_task<'a>(view: &View, task: &'a TaskView, now: Millis, outputs: Outputs<'_>) -> StatusTask<'a> {
    let worked = task.worked_until(now);
    #[expect(clippy::cast_precision_loss, reason = "no attempt lasts long enough for it to matter")]
    let seconds = (worked > 0).then_some(worked as f64 / 1000.0);
    let tokens = task.usage.tokens();
    StatusTask {
        id: task.id.as_str(),
        title: &task.title,
        state: task.state,
        attempt: task.attempt.0,
        step: task.steps.running().map(|s| s.action.as_str()),
        steps: &task.steps.0,
        failed_step: task.steps.failed(),
        agent: task.agent.as_deref(),
        seconds,
        cost_usd: task.usage.cost_usd,
        tokens: (tokens > 0).then_some(tokens),
        session: task.session.as_deref(),
        transcript: task.transcript.as_ref().and_then(|name| outputs.path(name)),
        commit: task.commit.as_ref().map(crate::ids::Oid::as_str),
        stale: task.is_stale(),
        why: view.why(task).map(|why| why.to_string()),
        criteria: &task.criteria,
        weak_tests: &task.weak_tests,
        ending: Ending::of(task, view.why(task).as_ref()),
        attempts: attempts_of(task, now, outputs),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_no_turn(n: &u32) -> bool {
    *n == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}
