//! Events of a run → spans: run, task, attempt, and below it turns of agents and verifications.
//!
//! Every id is derived from the event that opened the span, so the same journal gives the same ids. A trace is one run of a
//! coordinator; the next run of the plan links to it. No text of a brief, an answer or a test is part of a span.

use std::collections::BTreeMap;

use windlass_core::event::{
    AttemptEnd, AttemptStarted, Event, EventFact, Millis, PlanJudged, RunEnd, RunEvent, RunStarted, Stamped,
    TaskEvent, TaskStop, TurnEnded, Usage,
};
use windlass_core::ids::TaskId;
use windlass_core::team::Claim;
use windlass_engine::agent::cli::CliKind;

use super::otlp::{Attribute, Attributes, count, text};

/// The id of a trace.
pub(super) type TraceId = [u8; 16];
/// The id of a span.
pub(super) type SpanId = [u8; 8];

/// A span that is over.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClosedSpan {
    pub(super) trace: TraceId,
    pub(super) id: SpanId,
    pub(super) parent: Option<SpanId>,
    /// The run before, for the span of a run.
    pub(super) follows: Option<(TraceId, SpanId)>,
    pub(super) name: String,
    pub(super) began: Millis,
    pub(super) ended: Millis,
    pub(super) attributes: Attributes,
    /// The kind of error it ended with.
    pub(super) error: Option<&'static str>,
}

/// The trace of the run that an event starts.
pub(super) fn trace_of(stamped: &Stamped, started: &RunStarted) -> TraceId {
    let of = (stamped.seq, stamped.at, started.pid, started.pid_started);
    let name = format!("windlass trace {of:?} {} {}", started.branch, started.base);
    first(blake3::hash(name.as_bytes()).as_bytes())
}

fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|n| bytes.get(n).copied().unwrap_or_default())
}

/// The state that an event brings a task to, for those that end its work for now.
pub(super) fn state_of(event: &TaskEvent) -> Option<&'static str> {
    match event.fact() {
        EventFact::Commit { .. } => Some("completed"),
        EventFact::TaskStopped(TaskStop::Failed) => Some("failed"),
        EventFact::TaskStopped(TaskStop::Blocked) => Some("blocked"),
        EventFact::TaskStopped(TaskStop::Skipped) => Some("skipped"),
        EventFact::TaskStopped(TaskStop::Cancelled) => Some("cancelled"),
        EventFact::RunBegan
        | EventFact::AttemptBegan
        | EventFact::AttemptEnded(_)
        | EventFact::Turn(_)
        | EventFact::Other => None,
    }
}

/// The open spans of the newest run.
#[derive(Debug)]
pub(super) struct SpanFold {
    plan: String,
    titles: BTreeMap<TaskId, String>,
    run: Option<OpenRun>,
    before: Option<(TraceId, SpanId)>,
    last: Millis,
}

#[derive(Debug)]
struct OpenRun {
    span: ClosedSpan,
    providers: BTreeMap<String, String>,
    tasks: BTreeMap<TaskId, OpenTask>,
}

#[derive(Debug)]
struct OpenTask {
    span: ClosedSpan,
    attempt: Option<ClosedSpan>,
    verify: Option<ClosedSpan>,
}

impl OpenTask {
    /// Ends what is open of it, the innermost first.
    fn close(self, at: Millis, error: Option<&'static str>) -> impl Iterator<Item = ClosedSpan> {
        let inner = [self.verify, self.attempt].into_iter().flatten();
        inner.chain([self.span]).map(move |span| ended(span, at, error))
    }
}

fn ended(mut span: ClosedSpan, at: Millis, error: Option<&'static str>) -> ClosedSpan {
    span.ended = at;
    span.error = span.error.or(error);
    if let Some(kind) = span.error {
        span.attributes.push(text("error.type", kind));
    }
    span
}

impl SpanFold {
    pub(super) fn new(plan: &str) -> Self {
        Self { plan: plan.to_owned(), titles: BTreeMap::new(), run: None, before: None, last: 0 }
    }

    /// The provider of an agent, by the name that the conventions have for it.
    pub(super) fn provider(&self, agent: &str) -> String {
        let known = self.run.as_ref().and_then(|run| run.providers.get(agent));
        let name = known.map_or(agent, String::as_str);
        match CliKind::parse(name) {
            Some(kind) => kind.facts().telemetry_provider.to_owned(),
            // Only the endpoint is sent: its path and query may hold private data.
            None => name.split_once("://").map_or(name, |(_, rest)| host(rest)).to_owned(),
        }
    }

    /// Takes one event in, and gives the spans that end with it.
    pub(super) fn apply(&mut self, stamped: &Stamped) -> Vec<ClosedSpan> {
        let last = std::mem::replace(&mut self.last, stamped.at);
        match &stamped.event {
            Event::Run(RunEvent::RunStarted(started)) => {
                let closed = self.close_run(last, "ended", Some("lost"));
                self.open_run(stamped, started);
                closed
            }
            Event::Run(RunEvent::PlanSealed { tasks, .. }) => {
                self.titles = tasks.iter().map(|task| (task.id.clone(), task.title.clone())).collect();
                Vec::new()
            }
            Event::Run(RunEvent::RunEnded { end }) => {
                let (word, error) = match end {
                    RunEnd::Completed => ("completed", None),
                    RunEnd::Stuck => ("stuck", None),
                    RunEnd::Interrupted => ("interrupted", None),
                    RunEnd::Cancelled => ("cancelled", None),
                    RunEnd::BudgetSpent => ("budget-spent", Some("budget-spent")),
                    RunEnd::Broken { .. } => ("broken", Some("broken")),
                };
                self.close_run(stamped.at, word, error)
            }
            Event::Run(RunEvent::PlanJudged(judged)) => self.judged(stamped, judged).into_iter().collect(),
            Event::Run(
                RunEvent::Paused
                | RunEvent::Resumed
                | RunEvent::StopRequested { .. }
                | RunEvent::TipMoved { .. }
                | RunEvent::SyncIntended(_)
                | RunEvent::Synced(_)
                | RunEvent::MergingPaused { .. }
                | RunEvent::MergingResumed
                | RunEvent::AgentPaused { .. }
                | RunEvent::PlaceLost { .. }
                | RunEvent::ProviderStopped { .. }
                | RunEvent::ProviderResumed { .. }
                | RunEvent::BudgetSpent { .. }
                | RunEvent::ClosingFailed { .. }
                | RunEvent::QueueFormed { .. }
                | RunEvent::Finding { .. },
            ) => Vec::new(),
            Event::Task { task, event } => self.task(stamped, task, event),
        }
    }

    fn open_run(&mut self, stamped: &Stamped, started: &RunStarted) {
        let mut span = ClosedSpan {
            trace: trace_of(stamped, started),
            id: SpanId::default(),
            parent: None,
            follows: self.before,
            name: format!("invoke_workflow {}", self.plan),
            began: stamped.at,
            ended: stamped.at,
            attributes: vec![
                text("gen_ai.operation.name", "invoke_workflow"),
                text("gen_ai.workflow.name", &self.plan),
                text("windlass.branch", &started.branch),
                text("windlass.sandbox", &started.sandbox),
            ],
            error: None,
        };
        span.id = id_in(span.trace, stamped.seq, "run");
        let providers = started.settings.providers.clone();
        self.run = Some(OpenRun { span, providers, tasks: BTreeMap::new() });
    }

    fn close_run(&mut self, at: Millis, word: &str, error: Option<&'static str>) -> Vec<ClosedSpan> {
        let Some(OpenRun { mut span, tasks, .. }) = self.run.take() else { return Vec::new() };
        self.before = Some((span.trace, span.id));
        span.attributes.push(text("windlass.run.end", error.unwrap_or(word)));
        let inner = tasks.into_values().flat_map(|task| task.close(at, error));
        inner.chain([ended(span, at, error)]).collect()
    }

    fn task(&mut self, stamped: &Stamped, id: &TaskId, event: &TaskEvent) -> Vec<ClosedSpan> {
        let at = stamped.at;
        let mut closed = Vec::new();
        match event {
            TaskEvent::AttemptStarted(started) => {
                let Some(task) = self.open_task(stamped, id) else { return closed };
                closed.extend(task.verify.take().map(|span| ended(span, at, None)));
                closed.extend(task.attempt.take().map(|span| ended(span, at, None)));
                task.attempt = Some(child(&task.span, stamped, "attempt", attempt_name(id, started)));
                if let Some(span) = &mut task.attempt {
                    span.attributes.extend(attempt_attributes(id, started));
                }
            }
            TaskEvent::VerifyIntended { onto, .. } => {
                let Some(task) = self.open_task(stamped, id) else { return closed };
                closed.extend(task.verify.take().map(|span| ended(span, at, None)));
                let parent = task.attempt.as_ref().unwrap_or(&task.span);
                let mut span = child(parent, stamped, "verify", format!("verify {id}"));
                span.attributes =
                    vec![text("windlass.task.id", id.as_str()), text("windlass.onto", onto.as_str())];
                task.verify = Some(span);
            }
            TaskEvent::Verified { tree, .. } => {
                closed.extend(self.end_verify(id, at, "green", text("windlass.tree", tree.as_str())));
            }
            TaskEvent::VerifyAbandoned { .. } => {
                closed.extend(self.end_verify(id, at, "abandoned", text("windlass.task.id", id.as_str())));
            }
            TaskEvent::TurnEnded(turn) => closed.extend(self.turn(stamped, id, turn)),
            TaskEvent::MergeIntended { .. } => {
                self.open_task(stamped, id);
            }
            TaskEvent::AttemptEnded { end, .. } => {
                let error = match end {
                    AttemptEnd::Failed { failure } => Some(failure.kind()),
                    AttemptEnd::Interrupted => None,
                    AttemptEnd::Lost => Some("lost"),
                };
                if let Some(task) = self.run.as_mut().and_then(|run| run.tasks.get_mut(id)) {
                    closed.extend(task.verify.take().map(|span| ended(span, at, error)));
                    closed.extend(task.attempt.take().map(|span| ended(span, at, error)));
                }
            }
            other => closed.extend(self.end_task(id, at, other)),
        }
        closed
    }

    fn open_task(&mut self, stamped: &Stamped, id: &TaskId) -> Option<&mut OpenTask> {
        let title = self.titles.get(id).cloned().unwrap_or_default();
        let run = self.run.as_mut()?;
        Some(run.tasks.entry(id.clone()).or_insert_with(|| {
            let mut span = child(&run.span, stamped, "task", format!("task {id}"));
            span.attributes = vec![text("windlass.task.id", id.as_str()), text("windlass.task.title", title)];
            OpenTask { span, attempt: None, verify: None }
        }))
    }

    fn end_verify(
        &mut self,
        id: &TaskId,
        at: Millis,
        word: &str,
        more: (&'static str, Attribute),
    ) -> Option<ClosedSpan> {
        let mut span = self.run.as_mut()?.tasks.get_mut(id)?.verify.take()?;
        span.attributes.push(text("windlass.verify.result", word));
        if span.attributes.iter().all(|(key, _)| *key != more.0) {
            span.attributes.push(more);
        }
        Some(ended(span, at, None))
    }

    fn end_task(&mut self, id: &TaskId, at: Millis, event: &TaskEvent) -> Vec<ClosedSpan> {
        let Some(state) = state_of(event) else { return Vec::new() };
        let Some(mut task) = self.run.as_mut().and_then(|run| run.tasks.remove(id)) else {
            return Vec::new();
        };
        task.span.attributes.push(text("windlass.task.state", state));
        if let TaskEvent::Merged { commit, .. } = event {
            task.span.attributes.push(text("windlass.commit", commit.as_str()));
        }
        if matches!(event, TaskEvent::TaskFailed { .. }) {
            task.span.error = Some("failed");
        }
        task.close(at, None).collect()
    }

    fn turn(&self, stamped: &Stamped, id: &TaskId, turn: &TurnEnded) -> Option<ClosedSpan> {
        let task = self.run.as_ref()?.tasks.get(id)?;
        let parent = task.attempt.as_ref().unwrap_or(&task.span);
        let mut span = child(parent, stamped, "turn", format!("invoke_agent {}", turn.agent));
        span.began = stamped.at.saturating_sub(Millis::try_from(turn.millis).unwrap_or_default());
        span.attributes = self.agent(&turn.agent, turn.role.as_str(), turn.model.as_deref(), &turn.usage);
        span.attributes.push(text("windlass.task.id", id.as_str()));
        span.attributes.extend(turn.session.as_ref().map(|id| text("gen_ai.conversation.id", id)));
        let error = match turn.claim {
            Claim::Done | Claim::Blocked | Claim::Stopped => None,
            Claim::Failed => Some("failed"),
            Claim::Limited => Some("rate-limited"),
        };
        Some(ended(span, stamped.at, error))
    }

    fn judged(&self, stamped: &Stamped, judged: &PlanJudged) -> Option<ClosedSpan> {
        let run = self.run.as_ref()?;
        let mut span = child(&run.span, stamped, "turn", format!("invoke_agent {}", judged.agent));
        span.began = stamped.at.saturating_sub(Millis::try_from(judged.millis).unwrap_or_default());
        span.attributes =
            self.agent(&judged.agent, judged.role.as_str(), judged.model.as_deref(), &judged.usage);
        Some(ended(span, stamped.at, None))
    }

    fn agent(&self, agent: &str, role: &str, model: Option<&str>, usage: &Usage) -> Attributes {
        let mut all = vec![
            text("gen_ai.operation.name", "invoke_agent"),
            text("gen_ai.provider.name", self.provider(agent)),
            text("gen_ai.agent.name", agent),
            text("windlass.role", role),
        ];
        all.extend(model.map(|model| text("gen_ai.request.model", model)));
        if !usage.is_nothing() {
            all.push(count("gen_ai.usage.input_tokens", usage.input_tokens));
            all.push(count("gen_ai.usage.output_tokens", usage.output_tokens));
            all.push(count("gen_ai.usage.cache_read.input_tokens", usage.cache_read_tokens));
            all.push(count("gen_ai.usage.cache_creation.input_tokens", usage.cache_write_tokens));
        }
        all.extend(usage.cost_usd.map(|cost| ("windlass.cost_usd", Attribute::Number(cost))));
        all
    }
}

fn host(rest: &str) -> &str {
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

fn id_in(trace: TraceId, seq: u64, what: &str) -> SpanId {
    let mut name = trace.to_vec();
    name.extend(seq.to_be_bytes());
    name.extend(what.as_bytes());
    first(blake3::hash(&name).as_bytes())
}

/// A span below another one, opened by this event.
fn child(parent: &ClosedSpan, stamped: &Stamped, what: &str, name: String) -> ClosedSpan {
    ClosedSpan {
        trace: parent.trace,
        id: id_in(parent.trace, stamped.seq, what),
        parent: Some(parent.id),
        follows: None,
        name,
        began: stamped.at,
        ended: stamped.at,
        attributes: Vec::new(),
        error: None,
    }
}

fn attempt_name(id: &TaskId, started: &AttemptStarted) -> String {
    format!("attempt {id} {}", started.attempt)
}

fn attempt_attributes(id: &TaskId, started: &AttemptStarted) -> Attributes {
    let mut all = vec![
        text("windlass.task.id", id.as_str()),
        count("windlass.attempt", started.attempt.0.into()),
        text("windlass.rung", started.rung.label()),
        text("windlass.tier", started.tier.as_str()),
        text("gen_ai.agent.name", &started.agent),
    ];
    all.extend(started.place.as_ref().map(|place| text("windlass.place", place)));
    all
}
