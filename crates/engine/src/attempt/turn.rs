//! One turn of an agent in a workspace: brief in, tree out. The result is imported and kept before it is judged.

use windlass_core::failure::Failure;
use windlass_core::ids::{BlobName, Oid};
use windlass_core::policy::Rung;
use windlass_core::schedule::FrozenTests;
use windlass_planner::brief::{Brief, BriefError, EarlierTask, Purpose, TokenBudget, fit};

use super::criteria::read_answer;
use super::run_turn::{TurnRequest, TurnResult, run_turn, turn_event};
use super::steps::Attempt;
use crate::agent::{TurnEnd, TurnOver, TurnStep, only_words, patch_path};
use crate::briefing::{Bounds, BriefSource, brief_of};
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::{ExpectedRef, Ingest, Ingested};
use crate::git_tree::GitTree;
use crate::listed_step::leave_out_setup;
use crate::place::Workspace;
use crate::process::Mask;
use crate::survey::SurveyStore;
use crate::verify::setup::{SetupInput, set_up, setup_failed_on_base};

/// What came of a turn.
pub(super) struct TurnOutcome {
    pub(super) ingested: Ingested,
    /// Files it requests beyond its own.
    pub(super) wants: Vec<String>,
    /// Whether it waits for them and must be asked again.
    pub(super) again: bool,
}

/// Takes one turn from `start`.
pub(super) async fn take_turn(
    attempt: &mut Attempt<'_>,
    start: &Oid,
    step: TurnStep,
    frozen: Option<&FrozenTests>,
) -> Result<TurnOutcome, EarlyEnd> {
    let ctx = attempt.ctx;
    let workspace = ctx.workspace(start)?;
    make_ready(attempt, &workspace, start).await?;
    let since = std::time::Instant::now();
    let TurnResult { over, brief, meter, .. } = ask_agent(attempt, &workspace, start, step, frozen).await?;
    // Only the agent's turn is timed, not the import.
    let millis = u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
    let taken = take_in(attempt, &workspace, start, step);
    if step == TurnStep::WriteTest {
        attempt.answers.extend(read_answer(&over));
        attempt.test_turns += 1;
    }
    tell_turn(attempt, step, &over, brief, millis)?;
    drop(meter);
    workspace.keep()?;
    conclude(over, taken?, player(attempt, step))
}

/// Runs the set-up in the workspace, so that the agent can run the tests. A failure on the untouched base needs a
/// person.
async fn make_ready(attempt: &Attempt<'_>, workspace: &Workspace, start: &Oid) -> Result<(), EarlyEnd> {
    let tree = attempt.ctx.repo.tree_of(start)?;
    let view = GitTree::open(&attempt.ctx.repo, &tree)?;
    let input = SetupInput {
        dir: workspace.dir(),
        tree: &view,
        scratch: &attempt.scratch,
        cancel: attempt.cancel,
        channel: attempt.channel,
    };
    match set_up(attempt.ctx, &input).await? {
        Some(failure) if *start == attempt.job.base => Err(EarlyEnd::failed(setup_failed_on_base(&failure))),
        Some(failure) => {
            attempt.channel.finding(format!("in the slot: {}", failure.summary()));
            Ok(())
        }
        None => Ok(()),
    }
}

/// The agent of a turn: tests may have their own writer.
fn player<'a>(attempt: &Attempt<'a>, step: TurnStep) -> &'a str {
    let own = attempt.job.test_writer.as_deref().filter(|_| step == TurnStep::WriteTest);
    own.unwrap_or(&attempt.job.agent)
}

async fn ask_agent(
    attempt: &mut Attempt<'_>,
    workspace: &Workspace,
    start: &Oid,
    step: TurnStep,
    frozen: Option<&FrozenTests>,
) -> Result<TurnResult, EarlyEnd> {
    let job = attempt.job;
    let agent = player(attempt, step);
    let wish = attempt.conversation(agent);
    let frozen = told_frozen(attempt, frozen);
    let may_change = may_change(attempt, step, &frozen);
    let bounds = Bounds { may_change: may_change.clone(), frozen: frozen.clone() };
    let text = brief_text(attempt, start, step, bounds)?;
    let said = run_turn(
        attempt.ctx,
        TurnRequest {
            task: &job.task,
            text: attempt.ctx.task(&job.task),
            attempt: job.attempt,
            step,
            nth: nth(attempt, step),
            agent,
            tier: job.tier,
            workspace,
            brief: text,
            may_change,
            frozen,
            wish,
            schema: None,
            scratch: &attempt.scratch,
            cancel: attempt.cancel,
            channel: attempt.channel,
        },
    )
    .await?;
    if let Some(session) = &said.over.session {
        attempt.session = Some((agent.to_owned(), session.clone()));
    }
    if said.fell_back {
        attempt.channel.finding(format!(
            "`{agent}` cannot continue the earlier session; its result is in the brief instead"
        ));
    }
    Ok(said)
}

/// Which turn of this step it is. Counted from the ladder's history, so that a repeated interrupted turn has the same
/// number.
fn nth(attempt: &Attempt<'_>, step: TurnStep) -> u32 {
    let count = |wanted: fn(&(Rung, Failure)) -> bool| {
        1 + u32::try_from(attempt.job.history.iter().filter(|h| wanted(h)).count()).unwrap_or(u32::MAX - 1)
    };
    match (step, attempt.job.rung) {
        (TurnStep::Fix, Rung::BugHunter(n)) => n,
        (TurnStep::WriteTest, _) => {
            count(|(_, f)| {
                matches!(f, Failure::NotRed { .. } | Failure::WrongRed { .. } | Failure::WrongTest { .. })
            }) + attempt.test_turns
        }
        (
            TurnStep::Fix
            | TurnStep::Implement
            | TurnStep::Refactor
            | TurnStep::Review
            | TurnStep::ReviewPlan
            | TurnStep::Integrate
            | TurnStep::Plan,
            _,
        ) => {
            count(|(r, f)| !r.continues() && !matches!(f, Failure::NotRed { .. } | Failure::WrongRed { .. }))
        }
    }
}

/// The frozen files that the brief names.
fn told_frozen(attempt: &Attempt<'_>, frozen: Option<&FrozenTests>) -> Vec<String> {
    let task = attempt.ctx.task(&attempt.job.task);
    frozen.iter().flat_map(|f| &f.files).map(|f| f.path.clone()).filter(|p| is_told(p, task)).collect()
}

/// The files that the agent may change in this step.
fn may_change(attempt: &Attempt<'_>, step: TurnStep, frozen: &[String]) -> Vec<String> {
    if step == TurnStep::WriteTest {
        attempt.owner.tests().to_vec()
    } else {
        attempt.owner.list().iter().filter(|p| !frozen.contains(p)).cloned().collect()
    }
}

fn brief_text(
    attempt: &Attempt<'_>,
    start: &Oid,
    step: TurnStep,
    bounds: Bounds,
) -> Result<String, EarlyEnd> {
    let ctx = attempt.ctx;
    let task = ctx.task(&attempt.job.task);
    let agent = player(attempt, step);
    let unknown = || EngineError::UnknownAgent { name: agent.to_owned() };
    let spec = ctx.config.agents.get(agent).ok_or_else(unknown)?;
    let view = GitTree::open(&ctx.repo, &ctx.repo.tree_of(start)?)?;
    let survey = spec.reads_briefs().then(|| SurveyStore::at(&ctx.machine.cache).of_git(&ctx.repo, &view));
    let last = attempt.job.history.len().saturating_sub(1);
    let left_out = &attempt.job.work.left_out;
    let not_taken = (!left_out.is_empty()).then(|| format!("of the last attempt: {}", left_out.words()));
    let failures = attempt
        .job
        .history
        .iter()
        .enumerate()
        .map(|(n, (_, f))| if n == last { f.details() } else { f.summary() })
        .chain(not_taken)
        .collect();
    let purpose = match step {
        TurnStep::WriteTest => Purpose::WriteTest,
        TurnStep::Implement => Purpose::Implement,
        TurnStep::Fix => Purpose::Fix,
        TurnStep::Refactor => Purpose::Refactor,
        TurnStep::Review | TurnStep::ReviewPlan | TurnStep::Integrate | TurnStep::Plan => {
            unreachable!("not a turn of an attempt")
        }
    };
    let before = attempt.job.beginning.before.iter();
    let before = before.map(|(t, said)| EarlierTask { task: t.to_string(), summary: said.clone() }).collect();
    let source = BriefSource { plan: &ctx.plan, tree: &view, survey: survey.as_ref() };
    let reopened = attempt.job.work.reopened.clone();
    let answers = attempt.job.work.answers.clone();
    let (untested, survivors) = (attempt.untested.clone(), attempt.survivors.clone());
    let brief = Brief {
        failures,
        before,
        untested,
        survivors,
        reopened,
        changed: attempt.job.changed.clone(),
        answers,
        ..brief_of(source, task, purpose, spec.reader(), bounds)
    };
    let limit = ctx.config.room.limit(attempt.job.tier);
    let fitted =
        fit(&brief, &TokenBudget { limit, count: &ctx.config.count.0 }).map_err(|error| too_large(&error))?;
    if !fitted.left_out.is_empty() {
        attempt.channel.finding(format!("omitted from the brief: {}", fitted.left_out.join("; ")));
    }
    Ok(fitted.text)
}

/// A brief that does not fit needs a shorter plan.
fn too_large(error: &BriefError) -> EarlyEnd {
    let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
    match error {
        BriefError::Template(_) => EarlyEnd::Broken(EngineError::WorkerDied(error.to_string())),
        BriefError::TooLarge { .. } => {
            EarlyEnd::failed(Failure::BriefTooLarge { message: format!("{error}{hint}") })
        }
    }
}

/// The brief names the task's own frozen tests; a rule covers runner configuration.
fn is_told(path: &str, task: &windlass_core::plan::Task) -> bool {
    task.test_files().contains(&path) && !task.test.inline
}

/// Imports the workspace and keeps it, before anything is judged. Every process of the turn has ended.
fn take_in(
    attempt: &Attempt<'_>,
    workspace: &Workspace,
    start: &Oid,
    step: TurnStep,
) -> Result<Ingested, EarlyEnd> {
    let (ctx, job) = (attempt.ctx, attempt.job);
    let base = ctx.repo.tree_of(start)?;
    let mut ingested = ctx.repo.ingest(&Ingest {
        dir: workspace.dir(),
        index: workspace.index(),
        base: &base,
        owned: &|p| attempt.owner.owns(p),
        max_file_bytes: ctx.config.sizes.file_bytes,
        max_total_bytes: ctx.config.sizes.total_bytes,
    })?;
    leave_out_setup(ctx, &|p| attempt.owner.owns(p), &base, &mut ingested)?;
    refuse_secrets(attempt, &ingested)?;
    if ingested.tree != base {
        let subject = format!("{}: {} (attempt {})", job.task, step.as_str(), job.attempt);
        let commit = ctx.keep(&ingested.tree, &[start], &subject)?;
        let name = ctx.ref_of(&job.task, job.attempt, &turn_name(attempt, step));
        ctx.repo.update_ref(&name, &commit, ExpectedRef::Anything, "windlass: turn")?;
    }
    record(attempt, &base, &ingested.tree, step)?;
    Ok(ingested)
}

/// The name under which a turn's tree is kept. A second turn for tests does not replace the first.
fn turn_name(attempt: &Attempt<'_>, step: TurnStep) -> String {
    match (step, attempt.test_turns) {
        (TurnStep::WriteTest, earlier @ 1..) => format!("{}-{}", step.as_str(), earlier + 1),
        _ => step.as_str().to_owned(),
    }
}

/// A secret of the agent must not get into any commit.
fn refuse_secrets(attempt: &Attempt<'_>, ingested: &Ingested) -> Result<(), EarlyEnd> {
    let ctx = attempt.ctx;
    let given = ctx.config.agents.get(&attempt.job.agent).map_or(&[][..], |spec| spec.env());
    let mask = Mask::of(given);
    if mask.is_empty() {
        return Ok(());
    }
    for change in &ingested.changes {
        let Some((_, blob)) = &change.new else { continue };
        if let Some(name) = mask.holds(&ctx.repo.read_blob(blob)?) {
            let message = format!("`{}` holds the value of `{name}`: it is not kept", change.path);
            return Err(EarlyEnd::failed(Failure::AgentError { message }));
        }
    }
    Ok(())
}

/// Writes the turn's patch if a recording is requested.
fn record(attempt: &Attempt<'_>, from: &Oid, to: &Oid, step: TurnStep) -> Result<(), EngineError> {
    let Some(dir) = &attempt.ctx.config.record else { return Ok(()) };
    let path = patch_path(dir, &attempt.job.task, step, nth(attempt, step));
    let patch = attempt.ctx.repo.patch(from, to)?;
    let io = |source| EngineError::Io { what: "write", path: path.clone(), source };
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(io)?;
    }
    std::fs::write(&path, patch).map_err(io)
}

/// Why an agent that claims to be done changed nothing, if its denials or its last message explain it.
fn why_nothing(over: &TurnOver) -> Option<Failure> {
    const NAMED: usize = 4;
    if !over.denied.is_empty() {
        let denied: Vec<String> = over.denied.iter().take(NAMED).map(|d| format!("`{d}`")).collect();
        let message = format!("it changed nothing, and was not allowed to use {}", denied.join(", "));
        return Some(Failure::AgentError { message });
    }
    only_words(over.summary.as_deref().or(over.printed.as_deref())?)
}

fn tell_turn(
    attempt: &Attempt<'_>,
    step: TurnStep,
    over: &TurnOver,
    brief: BlobName,
    millis: u64,
) -> Result<(), EngineError> {
    let agent = player(attempt, step).to_owned();
    let (task, no) = (attempt.job.task.clone(), attempt.job.attempt);
    let event = turn_event(attempt.ctx, (task, no), step, agent, over, brief, millis)?;
    attempt.channel.event(event);
    Ok(())
}

fn conclude(over: TurnOver, ingested: Ingested, agent: &str) -> Result<TurnOutcome, EarlyEnd> {
    let why_nothing = if ingested.changes.is_empty() { why_nothing(&over) } else { None };
    match over.end {
        TurnEnd::Done { needs_files } if needs_files.is_empty() && why_nothing.is_some() => {
            Err(EarlyEnd::failed(why_nothing.unwrap_or(Failure::NoChange)))
        }
        // The adapter reports its command; the run uses the configured name.
        TurnEnd::Failed(Failure::RateLimited { retry_after_seconds, outage, .. }) => {
            let agent = agent.to_owned();
            Err(EarlyEnd::failed(Failure::RateLimited { agent, retry_after_seconds, outage }))
        }
        TurnEnd::Failed(Failure::ProviderRefused { reason, .. }) => {
            Err(EarlyEnd::failed(Failure::ProviderRefused { agent: agent.to_owned(), reason }))
        }
        TurnEnd::Done { needs_files } => Ok(TurnOutcome { ingested, wants: needs_files, again: false }),
        TurnEnd::NeedsFiles(wants) => Ok(TurnOutcome { ingested, wants, again: true }),
        TurnEnd::Failed(failure) => Err(EarlyEnd::failed(failure)),
        TurnEnd::Cancelled | TurnEnd::OutOfBudget => Err(EarlyEnd::Interrupted),
    }
}

#[cfg(test)]
mod tests;
