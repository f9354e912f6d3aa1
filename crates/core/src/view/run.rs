//! The run as a whole: its coordinator, its branch, and what holds it up.

use serde::{Deserialize, Serialize};

use super::attempts::TurnView;
use crate::event::{Millis, PlanJudged, RunEnd, RunStarted, Usage};
use crate::ids::{Oid, TaskId};
use crate::team::Verdict;

/// The last run of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunView {
    /// The version that ran it.
    pub version: String,
    /// The coordinator's process.
    pub pid: u32,
    /// When that process started, in kernel ticks.
    #[serde(default)]
    pub pid_started: u64,
    /// The integration branch.
    pub branch: String,
    /// Where the branch points, as far as the journal knows.
    pub tip: Oid,
    /// The commit the branch grew from.
    pub base: Oid,
    /// When it started.
    pub started: Millis,
    /// How many attempts and verifications at once.
    pub jobs: u32,
    /// The tasks wanted; empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<TaskId>,
    /// Where the plan was read, from the top of the repository; empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// Its end, once it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<EndedRun>,
    /// Whether a person paused it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
    /// Whether it was asked to stop.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopping: bool,
    /// Why nothing is merged at the moment, and what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merging_paused: Option<String>,
    /// Why its tasks do not start, by the verdict on the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
    /// Agents that rest. Old entries are kept until the agent rests again; compare `until` with the clock.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resting: Vec<AgentRest>,
    /// Providers that do not serve this account.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<StoppedProvider>,
    /// How much was spent of how much, if the limit was reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_spent: Option<String>,
    /// What failed in the closing run: the commands of all tasks together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closing_failed: Option<String>,
    /// Turns about the plan as a whole, in all runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub team: Vec<TurnView>,
}

/// How and when a run ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndedRun {
    /// When.
    pub at: Millis,
    /// How it ended.
    #[serde(flatten)]
    pub end: RunEnd,
}

/// An agent that rests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentRest {
    /// The agent.
    pub agent: String,
    /// Until when.
    pub until: Millis,
    /// The provider's reason.
    pub reason: String,
}

/// A provider that does not serve this account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoppedProvider {
    /// The provider.
    pub provider: String,
    /// Why, and what to do.
    pub reason: String,
}

/// Whether the process that the journal names as coordinator exists; only the caller can know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Liveness {
    /// It does.
    Alive,
    /// It does not.
    Gone,
}

worded! {
    /// The state of a plan's runs, in one word.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum RunState {
        /// Never run.
        New = "new",
        /// A coordinator is at work.
        Running = "running",
        /// A coordinator waits for `resume`.
        Paused = "paused",
        /// Everything wanted is merged.
        Completed = "completed",
        /// Tasks failed, or need a person.
        Stuck = "stuck",
        /// Stopped; the next run goes on.
        Interrupted = "interrupted",
        /// Cancelled by a person.
        Cancelled = "cancelled",
        /// The money or the tokens are used up.
        BudgetSpent = "budget_spent",
        /// Windlass could not go on.
        Broken = "broken",
        /// The coordinator vanished; the next run goes on.
        Lost = "lost",
    }
}

impl RunView {
    /// The state of the run.
    pub fn state(&self, coordinator: Liveness) -> RunState {
        match (&self.ended, coordinator) {
            (Some(ended), _) => of_end(&ended.end),
            (None, Liveness::Gone) => RunState::Lost,
            (None, Liveness::Alive) if self.paused => RunState::Paused,
            (None, Liveness::Alive) => RunState::Running,
        }
    }

    /// What to do about a closing run that failed; `None` if none did.
    pub fn closing_remedy(&self) -> Option<String> {
        self.closing_failed.as_ref().map(|_| {
            format!(
                "`windlass reopen TASK --because REASON` for the task that is wrong, or fix `{}` by hand; then `windlass run` closes again",
                self.branch
            )
        })
    }

    /// The agents that rest at this moment.
    pub fn resting_at(&self, now: Millis) -> impl Iterator<Item = &AgentRest> {
        self.resting.iter().filter(move |r| r.until > now)
    }

    /// What turns about the plan as a whole cost.
    pub(crate) fn team_usage(&self) -> Usage {
        let mut sum = Usage::default();
        self.team.iter().for_each(|turn| sum.add(&turn.usage));
        sum
    }

    /// Records a verdict on the plan as a whole.
    pub(super) fn judged(&mut self, judged: &PlanJudged) {
        self.team.push(TurnView::of_plan(judged));
        self.held = match &judged.verdict {
            Verdict::Approved { .. } => None,
            Verdict::Rejected { .. } | Verdict::Unknown { .. } => judged.verdict.on_the_plan(judged.role),
        };
    }

    pub(super) fn ended(&mut self, at: Millis, end: &RunEnd) {
        self.ended = Some(EndedRun { at, end: end.clone() });
        self.stopping = false;
    }

    pub(super) fn stops(&mut self, provider: &str, reason: &str) {
        self.serves_again(provider);
        self.stopped.push(StoppedProvider { provider: provider.into(), reason: reason.into() });
    }

    pub(super) fn serves_again(&mut self, provider: &str) {
        self.stopped.retain(|s| s.provider != provider);
    }

    pub(super) fn rests(&mut self, agent: &str, until: Millis, reason: &str) {
        self.resting.retain(|r| r.agent != agent);
        self.resting.push(AgentRest { agent: agent.into(), until, reason: reason.into() });
    }
}

/// The run that an event begins. To start one is to want it to go on: a pause ends with its run. Agents rest on.
pub(super) fn begin(started: &RunStarted, at: Millis, before: Option<&RunView>) -> RunView {
    let RunStarted { version, pid, pid_started, branch, tip, base, settings, only, sandbox: _, source } =
        started;
    RunView {
        version: version.clone(),
        pid: *pid,
        pid_started: *pid_started,
        branch: branch.clone(),
        tip: tip.clone(),
        base: base.clone(),
        started: at,
        jobs: settings.jobs,
        only: only.clone(),
        source: source.clone(),
        ended: None,
        paused: false,
        stopping: false,
        merging_paused: None,
        held: before.and_then(|r| r.held.clone()),
        resting: before.map(|r| r.resting.clone()).unwrap_or_default(),
        stopped: Vec::new(),
        budget_spent: None,
        closing_failed: None,
        team: before.map(|r| r.team.clone()).unwrap_or_default(),
    }
}

fn of_end(end: &RunEnd) -> RunState {
    match end {
        RunEnd::Completed => RunState::Completed,
        RunEnd::Stuck => RunState::Stuck,
        RunEnd::Interrupted => RunState::Interrupted,
        RunEnd::Cancelled => RunState::Cancelled,
        RunEnd::BudgetSpent => RunState::BudgetSpent,
        RunEnd::Broken { .. } => RunState::Broken,
    }
}
