//! Runs one turn of an agent in any role and stores its output.

use std::sync::Arc;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use windlass_core::event::{Claim, Event, TaskEvent, TurnEnded};
use windlass_core::failure::Failure;
use windlass_core::ids::{AttemptNo, BlobName, TaskId};
use windlass_core::plan::{Task, Tier};

use crate::agent::{AgentTurn, Conversation, TurnEnd, TurnOver, TurnStep};
use crate::budget::TurnMeter;
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::output::OutputError;
use crate::place::{ScratchDir, Workspace, report_process};
use crate::process::CancellationSignal;
use crate::proxy::{BlockedHost, HostFailure};
use crate::sandbox::FenceRole;
use crate::verify::alive;
use crate::worker_channel::WorkerChannel;

/// One turn of an agent.
pub(super) struct TurnRequest<'a> {
    pub(super) task: &'a TaskId,
    pub(super) text: &'a Task,
    pub(super) attempt: AttemptNo,
    pub(super) step: TurnStep,
    pub(super) nth: u32,
    pub(super) agent: &'a str,
    pub(super) tier: Tier,
    pub(super) workspace: &'a Workspace,
    pub(super) brief: String,
    pub(super) may_change: Vec<String>,
    pub(super) frozen: Vec<String>,
    pub(super) wish: Conversation,
    pub(super) schema: Option<serde_json::Value>,
    pub(super) scratch: &'a ScratchDir,
    pub(super) cancel: &'a CancellationSignal,
    pub(super) channel: &'a WorkerChannel,
}

/// What came of it.
pub(super) struct TurnResult {
    pub(super) over: TurnOver,
    pub(super) brief: BlobName,
    /// Whether the agent could not continue the requested conversation.
    pub(super) fell_back: bool,
    /// Counts as a turn at work until the event of the turn is on its way.
    pub(super) meter: Arc<TurnMeter>,
}

/// Runs the turn, once the run's budget admits it.
pub(super) async fn run_turn(ctx: &Context, request: TurnRequest<'_>) -> Result<TurnResult, EarlyEnd> {
    let Some(agent) = ctx.agents.get(request.agent) else {
        return Err(EngineError::UnknownAgent { name: request.agent.to_owned() }.into());
    };
    let Some(meter) = ctx.budget.admit(request.cancel).await else { return Err(EarlyEnd::Interrupted) };
    let (under_way, kept) = keep_meanwhile(ctx, &request.brief);
    let n = ctx.machine.next_number();
    let capture = ctx.capture(request.task);
    let output = capture.dir.clone();
    let wish = request.wish;
    let scratch = request.scratch.sub(&format!("turn-{n}"))?;
    let fence = ctx.machine.fence(FenceRole::Agent, request.workspace.dir(), &scratch);
    let wished = wish != Conversation::New;
    let session = agent.session(wish, &fence.inside(request.workspace.dir()));
    let fell_back = wished && session == Conversation::New;
    let turn = AgentTurn {
        id: request.task,
        task: request.text,
        step: request.step,
        nth: request.nth,
        dir: request.workspace.dir().to_owned(),
        slot: request.workspace.number(),
        tier: request.tier,
        brief: request.brief,
        may_change: request.may_change,
        frozen: request.frozen,
        session,
        schema: request.schema,
        fence,
        scratch,
        env: ctx.config.agent_env.clone(),
        timeout: ctx.config.timeouts.attempt,
        idle: ctx.config.timeouts.idle,
        capture,
        meter: Arc::clone(&meter),
        token: ctx.machine.token_of(request.task, request.attempt),
        cancel: request.cancel.clone(),
        on_spawn: {
            let report = report_process(request.channel);
            Box::new(move |id| {
                report(id);
                drop(under_way);
            })
        },
    };
    let progress = || Some(meter.progress());
    let over = alive(ctx, request.channel, &output, progress, agent.turn(turn)).await;
    settle(ctx, request.agent, &meter, &over);
    for finding in network_findings(&over.blocked) {
        request.channel.finding(finding);
    }
    let brief = kept.await.map_err(|e| EngineError::WorkerDied(e.to_string()))??;
    Ok(TurnResult { over, brief, fell_back, meter })
}

/// Counts what a turn has used. Tokens without a price end the run's budget: its limit of money could not be held.
fn settle(ctx: &Context, agent: &str, meter: &TurnMeter, over: &TurnOver) {
    let usage = ctx.config.prices.price(over.usage, over.model.as_deref());
    meter.settle(&usage);
    if usage.is_unpriced() && ctx.budget.limits_money() {
        let model = over.model.as_deref().unwrap_or("MODEL");
        ctx.budget.close(format!(
            "what `{agent}` costs is not known, so `--max-cost` cannot be held: set `[prices.\"{model}\"]`, or limit \
             tokens with `--max-tokens`; no further turn of an agent starts"
        ));
    }
}

/// What a turn asked of the network and did not get.
fn network_findings(blocked: &[BlockedHost]) -> Vec<String> {
    let refused: Vec<String> =
        blocked.iter().filter(|host| host.why == HostFailure::NotAllowed).map(BlockedHost::shown).collect();
    let mut findings = Vec::new();
    if !refused.is_empty() {
        findings.push(format!(
            "network: refused {}; agents reach their model only, `[sandbox] allow` adds hosts",
            refused.join(", ")
        ));
    }
    findings.extend(blocked.iter().filter_map(|host| match &host.why {
        HostFailure::NotAllowed => None,
        HostFailure::Unreachable(why) => Some(format!("network: {} cannot be reached: {why}", host.shown())),
    }));
    findings
}

/// Stores the brief while the agent works: it must be stored before the event that names it, and syncing the disk is
/// slow. Starts when the sender is dropped.
fn keep_meanwhile(
    ctx: &Context,
    brief: &str,
) -> (oneshot::Sender<()>, JoinHandle<Result<BlobName, OutputError>>) {
    let (under_way, begun) = oneshot::channel();
    let (store, text) = (ctx.outputs.clone(), brief.to_owned());
    let kept = tokio::task::spawn_blocking(move || {
        let _ = begun.blocking_recv();
        store.put_bytes(text.as_bytes())
    });
    (under_way, kept)
}

/// The event of a turn. Its cost is computed from prices if the agent does not report it.
pub(super) fn turn_event(
    ctx: &Context,
    (task, attempt): (TaskId, AttemptNo),
    step: TurnStep,
    agent: String,
    over: &TurnOver,
    brief: BlobName,
    millis: u64,
) -> Result<Event, EngineError> {
    Ok(TaskEvent::TurnEnded(TurnEnded {
        attempt,
        role: step.role(),
        agent,
        millis,
        claim: claim_of(&over.end),
        usage: ctx.config.prices.price(over.usage, over.model.as_deref()),
        model: over.model.clone(),
        session: over.session.clone(),
        summary: over.summary.clone(),
        brief,
        output: output_of(ctx, over)?,
    })
    .of(task))
}

/// Stores the output of a turn.
pub(super) fn output_of(ctx: &Context, over: &TurnOver) -> Result<BlobName, EngineError> {
    Ok(ctx.outputs.put_output(over.output.as_deref())?)
}

fn claim_of(end: &TurnEnd) -> Claim {
    match end {
        TurnEnd::Done { .. } => Claim::Done,
        TurnEnd::NeedsFiles(_) | TurnEnd::Failed(Failure::SpecContradiction { .. }) => Claim::Blocked,
        TurnEnd::Failed(Failure::RateLimited { .. } | Failure::ProviderRefused { .. }) => Claim::Limited,
        TurnEnd::Failed(_) => Claim::Failed,
        TurnEnd::Cancelled | TurnEnd::OutOfBudget => Claim::Stopped,
    }
}
