//! A turn that judges the plan as a whole, before its tasks begin.

use std::time::Instant;

use serde_json::Value;
use tokio::sync::mpsc;
use windlass_core::event::{Event, PlanJudged, RunEvent, Usage};
use windlass_core::failure::Failure;
use windlass_core::ids::{AttemptNo, BlobName, Oid, TaskId};
use windlass_core::plan::{Task, Tier};
use windlass_core::schedule::Conversation;
use windlass_core::team::Verdict;

use super::review::{answer, schema};
use super::run_turn::{TurnRequest, TurnResult, output_of, run_turn};
use crate::agent::{TurnEnd, TurnStep};
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::process::CancellationSignal;
use crate::worker_channel::WorkerChannel;

/// What came of it.
pub(crate) enum Judged {
    /// It ended, with or without a readable answer.
    Heard {
        /// The answer, or why there is none.
        answer: Result<Value, String>,
        /// What the turn was.
        turn: TurnFacts,
    },
    /// A rate limit of its provider.
    Limited { retry_after_seconds: Option<u64> },
    /// Its provider does not serve this account.
    Refused { reason: String },
    /// The run's limit of money or tokens is reached.
    NoBudget,
    /// It was cancelled; its usage so far counts.
    Interrupted {
        /// What the turn was.
        turn: TurnFacts,
    },
}

/// The facts of a plan review turn.
pub(crate) struct TurnFacts {
    millis: u64,
    usage: Usage,
    model: Option<String>,
    session: Option<String>,
    brief: BlobName,
    output: BlobName,
}

impl TurnFacts {
    /// The event of this turn.
    pub(crate) fn event(self, hash: &str, step: TurnStep, agent: &str, verdict: Verdict) -> Event {
        Event::Run(RunEvent::PlanJudged(PlanJudged {
            hash: hash.to_owned(),
            role: step.role(),
            agent: agent.to_owned(),
            millis: self.millis,
            usage: self.usage,
            model: self.model,
            session: self.session,
            verdict,
            brief: self.brief,
            output: self.output,
        }))
    }
}

/// Lets an agent judge the plan, in a workspace with the tip that is wiped afterwards.
pub(crate) async fn judge(
    ctx: &Context,
    step: TurnStep,
    agent: &str,
    brief: String,
    tip: &Oid,
    cancel: &CancellationSignal,
) -> Result<Judged, EngineError> {
    let (file, key) = match step {
        TurnStep::Integrate => ("queue.schema.json", "queue"),
        TurnStep::WriteTest
        | TurnStep::Implement
        | TurnStep::Fix
        | TurnStep::Refactor
        | TurnStep::Review
        | TurnStep::ReviewPlan
        | TurnStep::Plan => ("review.schema.json", "verdict"),
    };
    let scratch = ctx.machine.scratch("judge")?;
    let workspace = ctx.workspace(tip)?;
    let name = TaskId::new(&format!("plan.{}", step.role().as_str()));
    let name = name.unwrap_or_else(|e| unreachable!("a fixed name: {e}"));
    let task = Task { id: name.to_string(), title: ctx.plan.name.clone(), ..Task::default() };
    // Events of this channel are dropped: there is no task yet.
    let (to, _) = mpsc::unbounded_channel();
    let channel = WorkerChannel::new(to, name.clone(), AttemptNo(0), &[]);
    let since = Instant::now();
    let request = TurnRequest {
        task: &name,
        text: &task,
        attempt: AttemptNo(0),
        step,
        nth: 1,
        agent,
        tier: Tier::Large,
        workspace: &workspace,
        brief,
        may_change: Vec::new(),
        frozen: Vec::new(),
        wish: Conversation::New,
        schema: schema(file),
        scratch: &scratch,
        cancel,
        channel: &channel,
    };
    let TurnResult { over, brief, .. } = match run_turn(ctx, request).await {
        Ok(result) => result,
        Err(EarlyEnd::Broken(error)) => return Err(error),
        // No turn is at work before the plan is judged: only a budget that is spent keeps this one from starting.
        Err(EarlyEnd::Interrupted | EarlyEnd::Failed { .. }) => return Ok(Judged::NoBudget),
    };
    drop(workspace);
    let turn = TurnFacts {
        millis: u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX),
        usage: ctx.config.prices.price(over.usage, over.model.as_deref()),
        model: over.model.clone(),
        session: over.session.clone(),
        brief,
        output: output_of(ctx, &over)?,
    };
    let answer = match &over.end {
        TurnEnd::Cancelled | TurnEnd::OutOfBudget => return Ok(Judged::Interrupted { turn }),
        TurnEnd::Failed(Failure::RateLimited { retry_after_seconds, .. }) => {
            return Ok(Judged::Limited { retry_after_seconds: *retry_after_seconds });
        }
        TurnEnd::Failed(Failure::ProviderRefused { reason, .. }) => {
            return Ok(Judged::Refused { reason: reason.clone() });
        }
        TurnEnd::Failed(failure) => Err(failure.summary()),
        TurnEnd::Done { .. } | TurnEnd::NeedsFiles(_) => {
            answer(&over, key).ok_or_else(|| "it gave no answer".to_owned())
        }
    };
    Ok(Judged::Heard { answer, turn })
}
