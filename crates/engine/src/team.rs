//! Before the tasks begin: the reviewer of the plan, then the integrator, where the team has them.
//!
//! What they say is journaled once per plan as sealed; a run that goes on does not ask again. What cannot be read is
//! asked again, then a person is.

use windlass_core::event::{Event, Millis, Role, RunEnd, RunEvent};
use windlass_core::state::TaskState;
use windlass_core::team::{QueueAnswer, Queued, Verdict, settle_queue};
use windlass_planner::brief::{PlanBrief, PlanPurpose, PlannedTask, render_plan};

use crate::agent::TurnStep;
use crate::attempt::{Judged, judge};
use crate::config::RejectedPlan;
use crate::context::Context;
use crate::dispatcher::{Ledger, Sink, now};
use crate::error::EngineError;
use crate::process::{CancelLevel, CancellationSignal};

/// The team before the run.
pub(crate) struct Council<'a> {
    pub(crate) ctx: &'a Context,
    pub(crate) ledger: &'a mut Ledger,
    pub(crate) sink: &'a mut dyn Sink,
    pub(crate) stop: &'a CancellationSignal,
}

/// What one part of the team comes to.
enum Said {
    Answer(Verdict),
    Stopped,
}

impl Council<'_> {
    /// Asks everybody who has a part before the tasks begin. The end of the run, if it does not come to that.
    pub(crate) async fn convene(&mut self) -> Result<Option<RunEnd>, EngineError> {
        let open = |s: &windlass_core::schedule::Slate| s.state() != TaskState::Completed;
        if !self.ledger.scheduler.tasks().iter().any(open) {
            return Ok(None);
        }
        for step in [TurnStep::ReviewPlan, TurnStep::Integrate] {
            let Some(agent) = self.ledger.scheduler.settings().player(step.role()).map(str::to_owned) else {
                continue;
            };
            let known = self.ledger.scheduler.judged(step.role()).cloned();
            let verdict = match known {
                Some(known @ (Verdict::Approved { .. } | Verdict::Rejected { .. })) => known,
                Some(Verdict::Unknown { .. }) | None => match self.ask(step, &agent).await? {
                    Said::Answer(verdict) => verdict,
                    Said::Stopped => return Ok(Some(RunEnd::Interrupted)),
                },
            };
            if let Some(end) = self.heed(step.role(), &verdict)? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// What follows from a verdict on the plan.
    fn heed(&mut self, role: Role, verdict: &Verdict) -> Result<Option<RunEnd>, EngineError> {
        let Some(why) = verdict.on_the_plan(role) else { return Ok(None) };
        let (end, what) = match self.ctx.config.rejected_plan {
            RejectedPlan::GoOn => (None, "it is carried out all the same, as you wished"),
            RejectedPlan::Ask => (Some(RunEnd::Stuck), "change the plan, or go on with `windlass run --yes`"),
        };
        self.record(vec![Event::Run(RunEvent::Finding { message: format!("{why}; {what}") })])?;
        Ok(end)
    }

    async fn ask(&mut self, step: TurnStep, agent: &str) -> Result<Said, EngineError> {
        let mut left = 1 + self.ledger.scheduler.settings().unread_reviews;
        let brief = self.brief(step)?;
        let hash = self.ledger.scheduler.plan_hash().unwrap_or_default().to_owned();
        loop {
            self.wait_for(agent).await;
            let Some(tip) = self.ledger.scheduler.tip().cloned() else {
                unreachable!("a started run has a tip")
            };
            match judge(self.ctx, step, agent, brief.clone(), &tip, self.stop).await? {
                Judged::Interrupted { turn } => {
                    let verdict = Verdict::Unknown { reason: "it was stopped".into() };
                    self.record(vec![turn.event(&hash, step, agent, verdict)])?;
                    return Ok(Said::Stopped);
                }
                Judged::Limited { retry_after_seconds } => self.rest(agent, retry_after_seconds)?,
                Judged::Heard { answer, turn } => {
                    let (verdict, queued) = self.read(step, answer);
                    left -= 1;
                    let mut events = vec![turn.event(&hash, step, agent, verdict.clone())];
                    events.extend(queued.iter().flat_map(|q| queue_events(&hash, q)));
                    self.record(events)?;
                    if left == 0 || !matches!(verdict, Verdict::Unknown { .. }) {
                        return Ok(Said::Answer(verdict));
                    }
                }
            }
            if self.stop.level() != CancelLevel::Run {
                return Ok(Said::Stopped);
            }
        }
    }

    fn read(&self, step: TurnStep, answer: Result<serde_json::Value, String>) -> (Verdict, Option<Queued>) {
        let answer = match answer {
            Ok(answer) => answer,
            Err(reason) => return (Verdict::Unknown { reason }, None),
        };
        if step != TurnStep::Integrate {
            return (Verdict::read(&answer), None);
        }
        match serde_json::from_value::<QueueAnswer>(answer) {
            Ok(answer) => {
                let queued = settle_queue(&self.ledger.scheduler.order(), &answer);
                (Verdict::Approved { issues: Vec::new() }, Some(queued))
            }
            Err(e) => (Verdict::Unknown { reason: format!("the answer is not a queue: {e}") }, None),
        }
    }

    /// Writes down that a provider rests, once.
    fn rest(&mut self, agent: &str, told: Option<u64>) -> Result<(), EngineError> {
        let Some((agent, until)) = self.ledger.scheduler.rest(agent, now(), told) else { return Ok(()) };
        self.record(vec![Event::Run(RunEvent::AgentPaused { agent, until, reason: "rate limit".into() })])
    }

    /// Waits while the provider rests, or until somebody wants to stop.
    async fn wait_for(&self, agent: &str) {
        let until: Option<Millis> = self.ledger.scheduler.rests_until(agent, now());
        let Some(until) = until else { return };
        let rest = std::time::Duration::from_millis(u64::try_from(until - now()).unwrap_or(0));
        tokio::select! {
            () = tokio::time::sleep(rest) => {}
            () = self.stop.reached(CancelLevel::Stop) => {}
        }
    }

    fn brief(&self, step: TurnStep) -> Result<String, EngineError> {
        let purpose =
            if step == TurnStep::Integrate { PlanPurpose::Integrate } else { PlanPurpose::ReviewPlan };
        let tasks = self.ledger.scheduler.order().into_iter().map(|(id, after)| {
            let task = self.ctx.task(&id);
            PlannedTask {
                title: task.title.clone(),
                objective: task.objective.clone(),
                after: after.iter().map(ToString::to_string).collect(),
                files: self.ctx.info(&id).owned.clone(),
                criteria: task.criteria.iter().map(|c| c.text.clone()).collect(),
                id: id.to_string(),
            }
        });
        let brief = PlanBrief { purpose, name: self.ctx.name.to_string(), tasks: tasks.collect() };
        render_plan(&brief).map_err(|e| EngineError::WorkerDied(e.to_string()))
    }

    fn record(&mut self, events: Vec<Event>) -> Result<(), EngineError> {
        self.ledger.record(events, self.sink)
    }
}

fn queue_events(hash: &str, queued: &Queued) -> Vec<Event> {
    let mut events = vec![Event::Run(RunEvent::QueueFormed {
        hash: hash.to_owned(),
        queue: queued.queue.clone(),
        edges: queued.edges.clone(),
        conflicts: queued.conflicts.clone(),
    })];
    let refused = queued.refused.iter();
    events.extend(refused.map(|message| Event::Run(RunEvent::Finding { message: message.clone() })));
    events
}
