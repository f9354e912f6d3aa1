//! A reviewer's turn on the merged result. Its workspace is wiped, so its changes do not matter.

use serde_json::Value;
use windlass_core::failure::Failure;
use windlass_core::schedule::Conversation;
use windlass_core::team::{Verdict, find_object, schemas};
use windlass_planner::brief::{EarlierTask, ReviewBrief, render_review};

use super::run_turn::{TurnRequest, TurnResult, run_turn, turn_event};
use crate::agent::{TurnEnd, TurnOver, TurnStep};
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::place::ReviewJob;
use crate::process::CancellationSignal;
use crate::worker_channel::WorkerChannel;

/// Lets an agent review a change.
pub(crate) async fn review(
    ctx: &Context,
    job: &ReviewJob,
    channel: &WorkerChannel,
    cancel: &CancellationSignal,
) -> Result<Verdict, EarlyEnd> {
    let scratch = ctx.machine.scratch("review")?;
    let workspace = ctx.workspace(&job.merge)?;
    let since = std::time::Instant::now();
    let request = TurnRequest {
        task: &job.task,
        text: ctx.task(&job.task),
        attempt: job.attempt,
        step: TurnStep::Review,
        nth: u32::try_from(job.rejections.len()).unwrap_or(u32::MAX - 1) + 1,
        agent: &job.agent,
        tier: job.tier,
        workspace: &workspace,
        brief: brief_of(ctx, job)?,
        may_change: Vec::new(),
        frozen: Vec::new(),
        wish: Conversation::New,
        schema: schema("review.schema.json"),
        scratch: &scratch,
        cancel,
        channel,
    };
    let TurnResult { over, brief, meter, .. } = run_turn(ctx, request).await?;
    let millis = u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
    let of = (job.task.clone(), job.attempt);
    channel.event(turn_event(ctx, of, TurnStep::Review, job.agent.clone(), &over, brief, millis)?);
    drop(meter);
    // Not kept: the workspace is wiped before its next use.
    drop(workspace);
    verdict_of(&over)
}

fn brief_of(ctx: &Context, job: &ReviewJob) -> Result<String, EngineError> {
    let patch = ctx.repo.patch(&job.onto, &job.merge)?;
    let others =
        job.others.iter().map(|(t, title)| EarlierTask { task: t.to_string(), summary: title.clone() });
    let brief = ReviewBrief {
        task: ctx.task(&job.task),
        diff: &String::from_utf8_lossy(&patch),
        tests: job.work.frozen.as_ref().map(|f| f.tests.clone()).unwrap_or_default(),
        others: others.collect(),
        rejections: job.rejections.clone(),
    };
    render_review(&brief).map_err(|e| EngineError::WorkerDied(e.to_string()))
}

/// The published schema of an answer.
pub(super) fn schema(name: &str) -> Option<Value> {
    schemas().into_iter().find(|(n, _)| *n == name).map(|(_, s)| s.to_value())
}

/// The verdict of a reviewer's turn. A turn that ends without a readable answer is an unknown verdict.
fn verdict_of(over: &TurnOver) -> Result<Verdict, EarlyEnd> {
    match &over.end {
        TurnEnd::Cancelled | TurnEnd::OutOfBudget => Err(EarlyEnd::Interrupted),
        TurnEnd::Failed(failure @ (Failure::RateLimited { .. } | Failure::ProviderRefused { .. })) => {
            Err(EarlyEnd::failed(failure.clone()))
        }
        TurnEnd::Failed(failure) => Ok(Verdict::Unknown { reason: failure.summary() }),
        TurnEnd::Done { .. } | TurnEnd::NeedsFiles(_) => Ok(match answer(over, "verdict") {
            Some(answer) => Verdict::read(&answer),
            None => Verdict::Unknown { reason: "it gave no verdict".into() },
        }),
    }
}

/// The structured answer of a turn, or the last JSON object with this key in its message.
pub(super) fn answer(over: &TurnOver, key: &str) -> Option<Value> {
    let structured = over.structured.clone().filter(|v| v.get(key).is_some());
    structured.or_else(|| find_object(over.summary.as_deref()?, key))
}

#[cfg(test)]
mod tests;
