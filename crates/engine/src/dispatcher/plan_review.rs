//! Before the tasks start, the plan reviewer and then the integrator judge the plan, if the team has them.
//!
//! Each verdict is journaled once per sealed plan; a resumed run does not ask again. After an unreadable answer the
//! agent is asked again, and then a person.

use windlass_core::event::{Event, Millis, Role, RunEnd, RunEvent};
use windlass_core::team::{QueueAnswer, Queued, Verdict, settle_queue};
use windlass_planner::brief::{PlanBrief, PlanPurpose, PlannedTask, render_plan};

use super::ledger::now;
use super::looping::Dispatcher;
use crate::agent::TurnStep;
use crate::attempt::{Judged, judge};
use crate::config::RejectedPlan;
use crate::error::EngineError;
use crate::process::CancelLevel;

/// The answer of one member of the team.
enum TeamAnswer {
    Verdict(Verdict),
    Stopped,
    /// Its provider does not serve.
    Refused,
    /// The run's limit is reached.
    NoBudget,
}

impl Dispatcher<'_> {
    /// Asks each of them for a verdict. Returns the end of the run if its tasks do not start.
    pub(super) async fn review_plan(&mut self) -> Result<Option<RunEnd>, EngineError> {
        if !self.has_open_tasks() {
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
                    TeamAnswer::Verdict(verdict) => verdict,
                    TeamAnswer::Stopped => return Ok(Some(RunEnd::Interrupted)),
                    TeamAnswer::Refused => return Ok(Some(RunEnd::Stuck)),
                    TeamAnswer::NoBudget => return Ok(Some(RunEnd::BudgetSpent)),
                },
            };
            if let Some(end) = self.act_on_verdict(step.role(), &verdict)? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// Acts on a verdict on the plan.
    fn act_on_verdict(&mut self, role: Role, verdict: &Verdict) -> Result<Option<RunEnd>, EngineError> {
        let Some(why) = verdict.on_the_plan(role) else { return Ok(None) };
        let (end, what) = match self.ctx.config.rejected_plan {
            RejectedPlan::GoOn => (None, "the run continues, as configured"),
            RejectedPlan::Ask => {
                (Some(RunEnd::Stuck), "change the plan, or continue with `windlass run --yes`")
            }
        };
        self.record(vec![Event::Run(RunEvent::Finding { message: format!("{why}; {what}") })])?;
        Ok(end)
    }

    async fn ask(&mut self, step: TurnStep, agent: &str) -> Result<TeamAnswer, EngineError> {
        let mut left = 1 + self.ledger.scheduler.settings().unread_reviews;
        let brief = self.plan_brief(step)?;
        let hash = self.ledger.scheduler.plan_hash().unwrap_or_default().to_owned();
        loop {
            self.wait_for_provider(agent).await;
            let tip = self.tip();
            match judge(&self.ctx, step, agent, brief.clone(), &tip, &self.stop).await? {
                Judged::Interrupted { turn } => {
                    let verdict = Verdict::Unknown { reason: "it was stopped".into() };
                    self.record(vec![turn.event(&hash, step, agent, verdict)])?;
                    return Ok(TeamAnswer::Stopped);
                }
                Judged::Limited { retry_after_seconds } => self.record_rest(agent, retry_after_seconds)?,
                Judged::Refused { reason } => {
                    let stop = self.stop_provider(agent, &reason);
                    self.record(stop.into_iter().collect())?;
                    return Ok(TeamAnswer::Refused);
                }
                Judged::NoBudget => return Ok(TeamAnswer::NoBudget),
                Judged::Heard { answer, turn } => {
                    let (verdict, queued) = self.read_answer(step, answer);
                    left -= 1;
                    let mut events = vec![turn.event(&hash, step, agent, verdict.clone())];
                    events.extend(queued.iter().flat_map(|q| queue_events(&hash, q)));
                    self.record(events)?;
                    if left == 0 || !matches!(verdict, Verdict::Unknown { .. }) {
                        return Ok(TeamAnswer::Verdict(verdict));
                    }
                }
            }
            if self.stop.level() != CancelLevel::Run {
                return Ok(TeamAnswer::Stopped);
            }
        }
    }

    fn read_answer(
        &self,
        step: TurnStep,
        answer: Result<serde_json::Value, String>,
    ) -> (Verdict, Option<Queued>) {
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

    /// Journals the pause of a provider, once.
    fn record_rest(&mut self, agent: &str, told: Option<u64>) -> Result<(), EngineError> {
        let Some((agent, until)) = self.ledger.scheduler.rest(agent, now(), told) else { return Ok(()) };
        self.record(vec![Event::Run(RunEvent::AgentPaused { agent, until, reason: "rate limit".into() })])
    }

    /// Waits while the provider is paused, or until the run is stopped.
    async fn wait_for_provider(&self, agent: &str) {
        let until: Option<Millis> = self.ledger.scheduler.rests_until(agent, now());
        let Some(until) = until else { return };
        let rest = std::time::Duration::from_millis(u64::try_from(until - now()).unwrap_or(0));
        tokio::select! {
            () = tokio::time::sleep(rest) => {}
            () = self.stop.reached(CancelLevel::Stop) => {}
        }
    }

    fn plan_brief(&self, step: TurnStep) -> Result<String, EngineError> {
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
                contract: task.contract.clone(),
                id: id.to_string(),
            }
        });
        let brief = PlanBrief { purpose, name: self.ctx.name.to_string(), tasks: tasks.collect() };
        render_plan(&brief).map_err(|e| EngineError::WorkerDied(e.to_string()))
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
