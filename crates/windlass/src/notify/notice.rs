//! What is worth a notice, and its words.

use serde::Serialize;
use windlass_core::event::{Event, EventFact, RunEnd, RunEvent, Stamped, TaskStop, Usage};
use windlass_core::view::{Attention, PersonNeed, View};

use super::percent;
use crate::render::{dollars, short_number, tally};

/// The share of a budget at which a person is told, in percent.
const WARNING: f64 = 80.0;

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NoticeKind {
    /// An agent asks something.
    Question,
    /// A verified change waits for approval.
    Approval,
    /// A task, or the run, cannot go on without a person.
    Blocked,
    /// A task failed, or the run broke.
    Failed,
    /// 80 % of the budget is used, or all of it.
    Budget,
    /// The run is over.
    Finished,
}

impl NoticeKind {
    /// All of them.
    pub(crate) const ALL: [NoticeKind; 6] = [
        NoticeKind::Question,
        NoticeKind::Approval,
        NoticeKind::Blocked,
        NoticeKind::Failed,
        NoticeKind::Budget,
        NoticeKind::Finished,
    ];

    /// Its word.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            NoticeKind::Question => "question",
            NoticeKind::Approval => "approval",
            NoticeKind::Blocked => "blocked",
            NoticeKind::Failed => "failed",
            NoticeKind::Budget => "budget",
            NoticeKind::Finished => "finished",
        }
    }
}

/// A notice: `windlass.notice/1`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Notice {
    /// The name and version of the form.
    pub(crate) schema: &'static str,
    /// What it is about.
    pub(crate) event: NoticeKind,
    /// The plan.
    pub(crate) plan: String,
    /// The task, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) task: Option<String>,
    /// A heading.
    pub(crate) title: String,
    /// The question or the reason.
    pub(crate) text: String,
    /// The next step.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) next: String,
}

impl Notice {
    fn new(event: NoticeKind, title: String, text: String) -> Self {
        let (plan, next) = (String::new(), String::new());
        Self { schema: "windlass.notice/1", event, plan, task: None, title, text, next }
    }

    /// Text and next step together.
    pub(crate) fn body(&self) -> String {
        if self.next.is_empty() { self.text.clone() } else { format!("{}\nnext: {}", self.text, self.next) }
    }
}

/// The notices of an event.
pub(super) fn notices_of_event(stamped: &Stamped, view: &View) -> Vec<Notice> {
    match &stamped.event {
        Event::Task { task, event } => match event.fact() {
            EventFact::TaskStopped(TaskStop::Blocked | TaskStop::Failed) => {
                let need = view.task(task.as_str()).and_then(|task| view.need_of(task));
                need.map(about_task).into_iter().collect()
            }
            EventFact::TaskStopped(TaskStop::Skipped | TaskStop::Cancelled)
            | EventFact::Turn(_)
            | EventFact::Commit { .. }
            | EventFact::RunBegan
            | EventFact::AttemptBegan
            | EventFact::AttemptEnded(_)
            | EventFact::Other => Vec::new(),
        },
        Event::Run(event) => about_run(event, view),
    }
}

fn about_task(one: Attention) -> Notice {
    let task = one.task.map(|task| task.to_string()).unwrap_or_default();
    let (event, words) = match one.need {
        PersonNeed::Question => (NoticeKind::Question, "asks"),
        PersonNeed::Approval => (NoticeKind::Approval, "waits for approval"),
        PersonNeed::Failed => (NoticeKind::Failed, "failed"),
        PersonNeed::Files | PersonNeed::Decision | PersonNeed::Run | PersonNeed::Stale => {
            (NoticeKind::Blocked, "is blocked")
        }
    };
    let title = format!("{task} {words}: {}", one.title);
    Notice { task: Some(task), next: one.next, ..Notice::new(event, title, one.text) }
}

fn about_run(event: &RunEvent, view: &View) -> Vec<Notice> {
    let blocked = |title: &str, text: &str| vec![Notice::new(NoticeKind::Blocked, title.into(), text.into())];
    match event {
        RunEvent::ProviderStopped { provider, reason } => blocked(&format!("{provider} is stopped"), reason),
        RunEvent::MergingPaused { reason } => blocked("merging is paused", reason),
        RunEvent::BudgetSpent { reason } => {
            vec![Notice::new(NoticeKind::Budget, "the budget is spent".into(), reason.clone())]
        }
        RunEvent::RunEnded { end } => ended(end, view).into_iter().collect(),
        RunEvent::RunStarted(_)
        | RunEvent::PlanSealed { .. }
        | RunEvent::Paused
        | RunEvent::Resumed
        | RunEvent::StopRequested { .. }
        | RunEvent::TipMoved { .. }
        | RunEvent::SyncIntended(_)
        | RunEvent::Synced(_)
        | RunEvent::MergingResumed
        | RunEvent::AgentPaused { .. }
        | RunEvent::PlaceLost { .. }
        | RunEvent::ProviderResumed { .. }
        | RunEvent::ClosingFailed { .. }
        | RunEvent::PlanJudged(_)
        | RunEvent::QueueFormed { .. }
        | RunEvent::Finding { .. } => Vec::new(),
    }
}

fn ended(end: &RunEnd, view: &View) -> Option<Notice> {
    let tally = tally(&view.counts());
    let notice = |event, title: &str, next: &str| {
        Some(Notice { next: next.into(), ..Notice::new(event, title.into(), tally.clone()) })
    };
    let closing = view.run.as_ref().and_then(|run| run.closing_failed.clone());
    match (end, closing) {
        (RunEnd::Completed, _) => notice(NoticeKind::Finished, "the run is done", "`windlass land`"),
        (RunEnd::Stuck, Some(why)) => {
            Some(Notice::new(NoticeKind::Failed, "the closing run failed".into(), why))
        }
        (RunEnd::Stuck, None) => {
            notice(NoticeKind::Finished, "the run is over, and not everything is done", "`windlass status`")
        }
        (RunEnd::Broken { message }, _) => {
            Some(Notice::new(NoticeKind::Failed, "the run broke".into(), message.clone()))
        }
        // The person who stopped it knows; a spent budget was told earlier.
        (RunEnd::Interrupted | RunEnd::Cancelled | RunEnd::BudgetSpent, _) => None,
    }
}

/// Watches how much of this run's budget is used.
#[derive(Debug, Default)]
pub(super) struct BudgetWatch {
    used: Usage,
    max_cost: Option<f64>,
    max_tokens: Option<u64>,
    told: bool,
}

impl BudgetWatch {
    /// The notice, once, when most of the budget is used.
    pub(super) fn on_event(&mut self, stamped: &Stamped) -> Option<Notice> {
        if let Event::Run(RunEvent::RunStarted(started)) = &stamped.event {
            let settings = &started.settings;
            *self =
                Self { max_cost: settings.max_cost_usd, max_tokens: settings.max_tokens, ..Self::default() };
        }
        if let Some(turn) = stamped.event.paid_turn() {
            self.used.add(turn.usage);
        }
        let share = percent(&self.used, self.max_cost, self.max_tokens);
        if self.told || share < WARNING {
            return None;
        }
        self.told = true;
        let money = self
            .max_cost
            .map(|max| format!("{} of {}", dollars(self.used.cost_usd.unwrap_or_default()), dollars(max)));
        let tokens = self
            .max_tokens
            .map(|max| format!("{} of {} tokens", short_number(self.used.tokens()), short_number(max)));
        let text: Vec<String> = money.into_iter().chain(tokens).collect();
        let title = format!("{share:.0} % of the budget is used");
        Some(Notice::new(NoticeKind::Budget, title, text.join(", ")))
    }
}
