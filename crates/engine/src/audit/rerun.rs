//! Repeats what a record says was run, on its tree.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use windlass_core::failure::Gate;
use windlass_core::ids::{AttemptNo, PlanName, TaskId};
use windlass_core::plan::{Plan, Task};
use windlass_core::policy::Settings;

use super::record::Audited;
use crate::budget::RunBudget;
use crate::config::{GateSwitch, RunConfig};
use crate::context::{Context, TaskInfo};
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::{Identity, Repo, Signing};
use crate::git_tree::GitTree;
use crate::integrate::Evidence;
use crate::output::OutputStore;
use crate::paths::Paths;
use crate::place::LocalMachine;
use crate::process::{CancellationSignal, Containment};
use crate::sandbox::Sandbox;
use crate::verify::{
    BiteInput, GateInput, GatePurpose, HeldOutStore, SeenAgain, TestsBefore, TryUntil, bite,
    recorded_version, see_again,
};
use crate::worker_channel::WorkerChannel;

/// Where and how records are run again.
pub struct RerunRequest {
    /// The repository with the commits.
    pub repo: Repo,
    /// The plan.
    pub plan: PlanName,
    /// What commands get of the machine.
    pub config: RunConfig,
    /// A directory of its own, outside every checkout.
    pub dir: PathBuf,
}

/// The result of repeating one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RerunResult {
    /// Repeated; holds the differences.
    Seen(SeenAgain),
    /// Not repeated, because the record does not hold.
    NotTried,
}

/// Repeats what each valid record says was run, in order.
pub async fn rerun(
    request: &RerunRequest,
    records: &[Audited],
    stop: &CancellationSignal,
) -> Result<Vec<RerunResult>, EngineError> {
    Containment::establish();
    let mut ctx = context(request)?;
    let mut all = Vec::new();
    for record in records {
        all.push(match &record.evidence {
            Some(evidence) if record.problems.is_empty() => {
                prepare(&mut ctx, evidence)?;
                RerunResult::Seen(again(&ctx, evidence, stop).await?)
            }
            Some(_) | None => RerunResult::NotTried,
        });
    }
    Ok(all)
}

/// Loads the plan of a record, the version of the project and its held-out tests into the context.
fn prepare(ctx: &mut Context, evidence: &Evidence) -> Result<(), EngineError> {
    let text = evidence.plan_text.as_ref().map(|text| ctx.repo.read_blob(text)).transpose()?;
    let plan = text.and_then(|bytes| serde_json::from_slice::<Plan>(&bytes).ok()).unwrap_or_default();
    let place = plan.tasks.iter().position(|t| t.id == evidence.task.as_str());
    ctx.plan = plan;
    ctx.told_version.clone_from(&evidence.green.project_version);
    let place = place.unwrap_or_else(|| {
        // A record without a plan: what was run is all that is known of the task.
        let ran = evidence.green.gates.iter().find(|g| g.gate == Gate::Tests && g.exit.is_some());
        let mut task = Task { id: evidence.task.to_string(), ..Task::default() };
        task.test.command = ran.map(|g| g.command.clone());
        ctx.plan.tasks.push(task);
        ctx.plan.tasks.len() - 1
    });
    let info = TaskInfo {
        place,
        mode: evidence.mode,
        hash: evidence.task_hash.clone(),
        owned: evidence.owned.clone(),
        steps: Vec::new(),
    };
    ctx.tasks = HashMap::from([(evidence.task.clone(), info)]);
    for held in &evidence.green.held_out {
        let bytes = ctx.repo.read_blob(&held.blob)?;
        let path = ctx.places.out();
        ctx.held_out.keep(&bytes).map_err(|source| EngineError::Io { what: "write", path, source })?;
    }
    Ok(())
}

async fn again(
    ctx: &Context,
    evidence: &Evidence,
    stop: &CancellationSignal,
) -> Result<SeenAgain, EngineError> {
    let scratch = ctx.machine.scratch("audit")?;
    let (to, _receiver) = tokio::sync::mpsc::unbounded_channel();
    let channel = WorkerChannel::new(to, evidence.task.clone(), AttemptNo(0), &[]);
    let changed: Vec<String> =
        evidence.changes.iter().filter(|c| c.blob.is_some()).map(|c| c.path.clone()).collect();
    let required = evidence.red.as_ref().map_or(&[][..], |red| &red.tests);
    let input = GateInput {
        tree: &evidence.green.tree,
        changed: &changed,
        required,
        neighbours: &[],
        base: None,
        doubt: None,
        author: None,
        // The author of the tests is not recorded: a test that was refused then has no record.
        before: evidence.red.as_ref().map(|red| TestsBefore { base: &evidence.onto, red: Some(&red.commit) }),
        purpose: GatePurpose::Verdict,
        scratch: &scratch,
        cancel: stop,
        channel: &channel,
    };
    let onto = GitTree::open(&ctx.repo, &ctx.repo.tree_of(&evidence.onto)?)?;
    let mut seen = see_again(ctx, &input, &evidence.green, &onto).await?;
    if seen.problems.is_empty() {
        wrong_versions_again(ctx, evidence, &input, &mut seen).await?;
    }
    Ok(seen)
}

/// Wrong versions of the code that the tests noticed must be noticed again.
async fn wrong_versions_again(
    ctx: &Context,
    evidence: &Evidence,
    input: &GateInput<'_>,
    seen: &mut SeenAgain,
) -> Result<(), EngineError> {
    let ran = evidence.green.gates.iter().find(|g| g.gate == Gate::Tests && g.report.is_some());
    let Some(ran) = ran else { return Ok(()) };
    let view = GitTree::open(&ctx.repo, input.tree)?;
    let recorded = evidence.held.iter().flat_map(|held| &held.mutants).chain(&evidence.mutants);
    let mut versions = Vec::new();
    for mutant in recorded.filter(|mutant| !mutant.failed.is_empty()) {
        versions.extend(recorded_version(&ctx.repo, &view, mutant)?);
    }
    if versions.is_empty() {
        return Ok(());
    }
    let GateInput { tree, scratch, cancel, channel, .. } = *input;
    let bitten = BiteInput { tree, script: &ran.command, scratch, cancel, channel };
    let look = match bite(ctx, &bitten, &versions, TryUntil::Spent(3)).await {
        Ok(look) => look,
        Err(EarlyEnd::Broken(e)) => return Err(e),
        Err(EarlyEnd::Failed { .. } | EarlyEnd::Interrupted) => None,
    };
    match look {
        Some(look) if !look.seen.is_empty() => {
            let blind = look.seen.iter().filter(|mutant| mutant.failed.is_empty());
            seen.problems.extend(blind.map(|m| {
                format!("run again: no test notices a wrong version any more: {}: {}", m.path, m.change)
            }));
            seen.wrong_versions = look.seen.iter().filter(|mutant| !mutant.failed.is_empty()).count();
        }
        _ => seen.left_out.push("wrong versions of the code: no run of the tests judged one".into()),
    }
    Ok(())
}

/// A context for running commands, without a plan or history.
fn context(request: &RerunRequest) -> Result<Context, EngineError> {
    let paths = Paths::new(&request.dir.join("state"), &request.dir.join("cache"));
    let places = paths.plan(&request.plan);
    let auditor = Identity { name: "audit".into(), email: "audit@localhost".into(), date: None };
    let sandbox = Sandbox::strongest(&request.config.sandbox, &paths.cache().join("probe"))?;
    let mut config = request.config.clone();
    // The record decides which checks are repeated, not the configuration.
    let verify = &mut config.verify;
    (verify.contract, verify.coverage, verify.canaries, verify.expectations) =
        (GateSwitch::Auto, GateSwitch::Auto, GateSwitch::Auto, GateSwitch::Auto);
    Ok(Context {
        repo: request.repo.clone(),
        plan: Plan::default(),
        plan_blob: std::sync::OnceLock::new(),
        last_record: std::sync::Mutex::default(),
        name: request.plan.clone(),
        tasks: HashMap::<TaskId, _>::new(),
        config,
        outputs: OutputStore::open(&places.out())?,
        machine: LocalMachine::open(&paths, sandbox, token(&request.dir))?,
        held_out: HeldOutStore::at(paths.held_out()),
        places,
        author: auditor.clone(),
        committer: auditor,
        signing: Signing::No,
        agents: std::collections::BTreeMap::new(),
        budget: RunBudget::of(&Settings::default()),
        branch: String::new(),
        told_version: None,
    })
}

fn token(dir: &Path) -> String {
    let name = blake3::hash(dir.as_os_str().as_encoded_bytes()).to_hex();
    format!("windlass.audit.{}", &name[..16])
}
