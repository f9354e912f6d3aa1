//! The fold: events in, the report out.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::coverage::{CriterionCoverage, coverage};
use super::rates::{Rates, SuccessMetric, Trigger, success_metrics};
use super::tasks::{ReportTask, report_tasks};
use crate::criteria::Standing;
use crate::event::{Event, Millis, PlanJudged, RunEvent, RunStarted, Stamped, Usage};
use crate::ids::{BlobName, TaskId};
use crate::plan::Plan;
use crate::view::{
    AttemptDoc, Counts, Outputs, TaskHistory, TaskView, TurnDoc, View, ViewError, attempts_of,
};

/// Takes events in and gives the report.
#[derive(Debug, Default)]
pub struct Reporter {
    view: View,
    histories: HashMap<TaskId, TaskHistory>,
    order: Vec<TaskId>,
    happenings: Vec<Happening>,
    text: Option<BlobName>,
    since: Option<Millis>,
}

/// Something about the runs as a whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Happening {
    /// When, in milliseconds since the Unix epoch.
    pub at: Millis,
    /// The event, in words.
    pub what: String,
}

/// One attempt at a task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttemptLine {
    /// The task.
    pub task: String,
    /// The attempt, with its turns.
    #[serde(flatten)]
    pub attempt: AttemptDoc,
}

/// What an agent or a part cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Spending {
    /// Turns.
    pub turns: u32,
    /// Milliseconds in them.
    pub millis: u64,
    /// Tokens and money.
    pub usage: Usage,
}

/// The report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunReport {
    /// `windlass.report/1`.
    pub schema: &'static str,
    /// The plan.
    pub plan: String,
    /// The integration branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The first and the last event.
    pub from: Millis,
    /// The last event.
    pub until: Millis,
    /// The number of tasks in each state.
    pub counts: Counts,
    /// What everything cost.
    pub usage: Usage,
    /// How every criterion of the plan stands, and by which tests.
    pub coverage: Vec<CriterionCoverage>,
    /// The tasks, in the order of the plan.
    pub tasks: Vec<ReportTask>,
    /// The directory with what agents printed.
    pub transcripts: String,
    /// Every attempt, in the order they started.
    pub attempts: Vec<AttemptLine>,
    /// Turns about the plan as a whole: of its reviewer and its integrator.
    pub team: Vec<TurnDoc>,
    /// What happened to the runs as a whole.
    pub happenings: Vec<Happening>,
    /// What each agent cost.
    pub by_agent: BTreeMap<String, Spending>,
    /// What each part cost.
    pub by_role: BTreeMap<&'static str, Spending>,
    /// How well it goes.
    pub rates: Rates,
    /// When to look at the process again.
    pub triggers: Vec<Trigger>,
    /// Figures that say whether the process does what it is for.
    pub metrics: Vec<SuccessMetric>,
}

impl Reporter {
    /// Takes in one event.
    pub fn apply(&mut self, stamped: &Stamped) -> Result<(), ViewError> {
        self.view.apply(stamped)?;
        self.since.get_or_insert(stamped.at);
        match &stamped.event {
            Event::Task { task, .. } => {
                if !self.histories.contains_key(task) {
                    self.order.push(task.clone());
                }
                self.histories
                    .entry(task.clone())
                    .or_insert_with(|| TaskHistory::new(task.clone()))
                    .apply(stamped);
            }
            Event::Run(event) => {
                if let RunEvent::PlanSealed { text, .. } = event {
                    self.text.clone_from(text);
                }
                let what = in_words(event).map(|what| Happening { at: stamped.at, what });
                self.happenings.extend(what);
            }
        }
        Ok(())
    }

    /// The kept text of the plan as last sealed.
    pub fn plan_text(&self) -> Option<&BlobName> {
        self.text.as_ref()
    }

    /// The report. Without the plan's text there is no matrix.
    pub fn finish(mut self, name: &str, plan: Option<&Plan>, outputs: Outputs<'_>) -> RunReport {
        let histories: Vec<TaskHistory> =
            self.order.iter().filter_map(|id| self.histories.remove(id)).collect();
        let rates = Rates::of(&histories);
        let view = &self.view;
        let lines = |t: &TaskView| {
            let task = t.id.to_string();
            let line = move |attempt| AttemptLine { task: task.clone(), attempt };
            attempts_of(t, view.at, outputs).into_iter().map(line)
        };
        let mut attempts: Vec<AttemptLine> =
            view.tasks.iter().chain(&view.archived).flat_map(lines).collect();
        attempts.sort_by_key(|a| a.attempt.started);
        let (by_agent, by_role) = spendings(view);
        let team = view.run.iter().flat_map(|r| &r.team);
        RunReport {
            schema: "windlass.report/1",
            plan: name.to_owned(),
            branch: view.run.as_ref().map(|r| r.branch.clone()),
            from: self.since.unwrap_or(0),
            until: view.at,
            counts: view.counts(),
            usage: view.progress().usage,
            coverage: plan.map(|p| coverage(p, view)).unwrap_or_default(),
            tasks: report_tasks(view),
            transcripts: outputs.0.to_owned(),
            attempts,
            team: team.map(|t| TurnDoc::new(t, outputs)).collect(),
            happenings: self.happenings,
            by_agent,
            by_role,
            triggers: rates.triggers(view, &histories),
            metrics: success_metrics(view, &histories),
            rates,
        }
    }
}

impl RunReport {
    /// How many criteria stand so.
    pub fn standing(&self, standing: Standing) -> usize {
        self.coverage.iter().filter(|c| c.standing == standing).count()
    }
}

type Spendings = (BTreeMap<String, Spending>, BTreeMap<&'static str, Spending>);

fn spendings(view: &View) -> Spendings {
    let mut by_agent: BTreeMap<String, Spending> = BTreeMap::new();
    let mut by_role: BTreeMap<&'static str, Spending> = BTreeMap::new();
    let attempts = view.tasks.iter().chain(&view.archived).flat_map(|t| &t.attempts);
    let team = view.run.iter().flat_map(|r| &r.team);
    for turn in attempts.flat_map(|t| &t.turns).chain(team) {
        let add = |spending: &mut Spending| {
            spending.turns += 1;
            spending.millis += turn.millis;
            spending.usage.add(&turn.usage);
        };
        add(by_agent.entry(turn.agent.clone()).or_default());
        add(by_role.entry(turn.role.as_str()).or_default());
    }
    (by_agent, by_role)
}

/// What of the run's own events is worth a line.
fn in_words(event: &RunEvent) -> Option<String> {
    match event {
        RunEvent::RunStarted(RunStarted { version, settings, .. }) => {
            Some(format!("run started by windlass {version}, {} at once", settings.jobs))
        }
        RunEvent::PlanSealed { tasks, .. } => Some(format!("plan sealed with {} tasks", tasks.len())),
        RunEvent::RunEnded { end } => Some(format!("run ended: {end:?}")),
        RunEvent::AgentPaused { agent, reason, .. } => Some(format!("{agent} paused: {reason}")),
        RunEvent::PlaceLost { place, reason, .. } => Some(format!("place {place} lost: {reason}")),
        RunEvent::ProviderStopped { provider, reason } => Some(format!("{provider} stopped: {reason}")),
        RunEvent::ProviderResumed { provider } => Some(format!("{provider} resumed by a person")),
        RunEvent::BudgetSpent { reason } => Some(reason.clone()),
        RunEvent::ClosingFailed { summary, .. } => Some(format!("the closing run failed: {summary}")),
        RunEvent::PlanJudged(PlanJudged { role, agent, verdict, .. }) => {
            Some(format!("{} {agent}: {}", role.as_str(), verdict.as_str()))
        }
        RunEvent::QueueFormed { edges, conflicts, .. } => {
            Some(format!("queue formed: {} conflicts, {} edges", conflicts.len(), edges.len()))
        }
        RunEvent::Finding { message } => Some(message.clone()),
        RunEvent::MergingPaused { reason } => Some(format!("merging paused: {reason}")),
        RunEvent::TipMoved { .. } => Some("another program moved the branch".into()),
        RunEvent::Synced(synced) => Some(format!("`{}` brought in by a verified merge", synced.branch)),
        RunEvent::Paused => Some("paused by a person".into()),
        RunEvent::Resumed => Some("resumed by a person".into()),
        RunEvent::StopRequested { .. } => Some("stopped by a person".into()),
        RunEvent::MergingResumed | RunEvent::SyncIntended(_) => None,
    }
}
