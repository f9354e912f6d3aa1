//! The door of the engine: carry a sealed plan out in a repository, or bring its branch home.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use windlass_core::criteria::criteria_of;
use windlass_core::event::{PoolLimit, RunEnd, RunStarted, SealedTask};
use windlass_core::graph::{Graph, Node, task_hash};
use windlass_core::ids::{Oid, PlanName, TaskId};
use windlass_core::plan::{Mode, NoTestReason, Task, Tier};
use windlass_core::policy::HERE;
use windlass_planner::runnable::{RunnablePlan, may_change};

use crate::agent;
use crate::budget::RunBudget;
use crate::config::{AgentSpec, PlaceSpec, RunConfig};
use crate::context::{Context, TaskInfo};
use crate::dispatcher::{Dispatcher, Ledger, NoSink, SealedPlan, Sink};
use crate::error::EngineError;
use crate::git::{Head, RefMove, Repo, Signing};
use crate::integrate::{self, LandRequest, Landed, SyncEnd};
use crate::integration_branch::find_branch;
use crate::lock::CoordinatorLock;
use crate::output::OutputStore;
use crate::paths::Paths;
use crate::place::{LaunchedPlace, LocalMachine, LocalPlace, Place, RemotePlace};
use crate::process::{CancellationSignal, Containment, Token, Watchdog, kill_leftovers};
use crate::random_token::process_name;
use crate::repository_notes;
use crate::requests::Requests;
use crate::sandbox::{Network, Sandbox, SandboxConfig, SandboxRung, Unsandboxed};
use crate::verify::HeldOutStore;

/// A plan to carry out.
pub struct RunRequest {
    /// The repository.
    pub repo: Repo,
    /// Where its state lies.
    pub paths: Paths,
    /// The plan, as `check` has seen it.
    pub runnable: RunnablePlan,
    /// Its checked name.
    pub name: PlanName,
    /// Everything else.
    pub config: RunConfig,
    /// The integration branch, without `refs/heads/`.
    pub branch: String,
    /// Only these tasks and what they need; empty means all.
    pub only: Vec<TaskId>,
    /// The program's version.
    pub version: String,
    /// Where the plan was read: its path from the top of the repository; empty if it has none.
    pub source: String,
}

/// Carries the plan out until nothing is left to do.
pub async fn run(
    request: RunRequest,
    stop: CancellationSignal,
    sink: &mut dyn Sink,
) -> Result<RunEnd, EngineError> {
    let plan_paths = request.paths.plan(&request.name);
    let note = format!("plan `{}`, process {}", request.name, std::process::id());
    let _lock = match CoordinatorLock::acquire(&request.paths.lock(), &note)? {
        Ok(lock) => lock,
        Err(held) => return Err(EngineError::AlreadyRunning { note: held.note }),
    };
    Containment::establish();
    let mark = Token::new(&run_token(&request.paths, request.name.as_str()));
    let _watch = request.config.sandbox.helper.as_ref().and_then(|helper| Watchdog::set(helper, &mark));
    let sandbox = sandbox(&request)?;
    let ledger = Ledger::open(&plan_paths.journal(), request.config.crash.clone())?;
    kill_what_is_left(&request, &ledger);
    let ctx = Arc::new(context(&request, sandbox)?);
    // What lies in the scratch directories belonged to what was killed.
    ctx.machine.remove_leftovers();
    let start = start_commit(&request.repo)?;
    let known_base = ledger.view.run.as_ref().map(|r| r.base.clone());
    let branch = find_branch(&request.repo, &request.branch, &start, known_base)?;
    let mut findings = repository_notes::findings(&request.repo, &branch.tip)?;
    findings.extend(open_network(&request.config, ctx.machine.sandbox.rung()));
    let started = RunStarted {
        version: request.version.clone(),
        pid: std::process::id(),
        pid_started: own_start(),
        branch: request.branch.clone(),
        tip: branch.tip,
        base: branch.base,
        settings: Box::new(request.config.settings.clone()),
        only: request.only.clone(),
        sandbox: ctx.machine.sandbox.rung().as_str().to_owned(),
        source: request.source.clone(),
    };
    let requests = Requests::open(&plan_paths.requests())?;
    let place: Arc<dyn Place> = Arc::new(LocalPlace::new(Arc::clone(&ctx)));
    let away = launched(&ctx, &request.version);
    let mut dispatcher =
        Dispatcher::new(ctx, place, ledger, requests, stop, request.version.clone(), sink).with_places(away);
    dispatcher.start(started, sealed_plan(&request), findings)?;
    let end = dispatcher.run().await;
    for place in request.config.places.values() {
        place.carrier.finish().await;
    }
    crate::cache::drop_unused(&request.paths, std::time::SystemTime::now());
    end
}

/// The machines besides this one that a run uses.
fn launched(ctx: &Arc<Context>, version: &str) -> BTreeMap<String, Arc<dyn RemotePlace>> {
    let offer = LaunchedPlace::offer(ctx);
    let place = |(name, spec): (&String, &PlaceSpec)| {
        let place = LaunchedPlace::new(name, spec, version, Arc::clone(ctx), Arc::clone(&offer));
        (name.clone(), Arc::new(place) as Arc<dyn RemotePlace>)
    };
    ctx.config.places.iter().map(place).collect()
}

/// Brings the branch home. Moves the target itself unless it is checked out; then the caller does.
pub async fn land(
    request: RunRequest,
    what: LandRequest,
    stop: CancellationSignal,
) -> Result<Landed, EngineError> {
    Containment::establish();
    let ctx = Arc::new(context(&request, sandbox(&request)?)?);
    let place = LocalPlace::new(Arc::clone(&ctx));
    let landed = integrate::land(&ctx, &place, &what, &stop).await?;
    let Landed::Forward { from, to, .. } = &landed else { return Ok(landed) };
    let checked_out = ctx.repo.checkouts_of(&format!("refs/heads/{}", what.onto))?;
    if !checked_out.is_empty() {
        return Ok(landed);
    }
    match integrate::move_target(&ctx, &what.onto, from, to)? {
        RefMove::Moved => Ok(landed),
        RefMove::Mismatch { .. } => Ok(Landed::Moved),
    }
}

/// Brings a branch of the user into the integration branch.
pub async fn sync(
    request: RunRequest,
    branch: &str,
    stop: CancellationSignal,
) -> Result<SyncEnd, EngineError> {
    let plan_paths = request.paths.plan(&request.name);
    let note = format!("sync of plan `{}`, process {}", request.name, std::process::id());
    let _lock = match CoordinatorLock::acquire(&request.paths.lock(), &note)? {
        Ok(lock) => lock,
        Err(held) => return Err(EngineError::AlreadyRunning { note: held.note }),
    };
    Containment::establish();
    let ledger = Ledger::open(&plan_paths.journal(), request.config.crash.clone())?;
    kill_what_is_left(&request, &ledger);
    let ctx = Arc::new(context(&request, sandbox(&request)?)?);
    ctx.machine.remove_leftovers();
    let tip = |name: &str| {
        let found = ctx.repo.resolve(&format!("refs/heads/{name}"))?;
        found.ok_or_else(|| EngineError::Branch {
            message: format!("there is no branch `{name}`"),
            hint: "`windlass sync --from BRANCH` names another one".into(),
        })
    };
    let (from, onto) = (tip(branch)?, tip(&request.branch)?);
    let requests = Requests::open(&plan_paths.requests())?;
    let place: Arc<dyn Place> = Arc::new(LocalPlace::new(Arc::clone(&ctx)));
    let mut sink = NoSink;
    let version = request.version.clone();
    let dispatcher = Dispatcher::new(Arc::clone(&ctx), place, ledger, requests, stop, version, &mut sink);
    dispatcher.sync(branch, &from, &onto).await
}

/// Says that agents reach more than their model, where the sandbox has no network of its own.
fn open_network(config: &RunConfig, rung: SandboxRung) -> Option<String> {
    let limited = config.sandbox.agents_network == Network::Model && !rung.has_own_root();
    let real = config.settings.agents.values().chain(config.settings.team.values());
    let real = real.filter_map(|name| config.agents.get(name)).any(AgentSpec::is_real);
    (limited && real).then(|| {
        format!(
            "network: agents reach the whole network, because the sandbox `{}` has no network of its own",
            rung.as_str()
        )
    })
}

/// Ends every process that an earlier coordinator recorded and that still lives.
fn kill_what_is_left(request: &RunRequest, ledger: &Ledger) {
    let of_this_plan = Token::new(&format!("{}.", token(&request.paths, request.name.as_str())));
    kill_leftovers(of_this_plan.as_str(), &ledger.open_processes());
}

/// The commit a new branch starts from.
fn start_commit(repo: &Repo) -> Result<Oid, EngineError> {
    match repo.head()? {
        Head::Branch { oid, .. } | Head::Detached { oid } => Ok(oid),
        Head::Unborn { .. } => Err(EngineError::NoCommits),
    }
}

/// What marks the processes of this run of a plan, and of no other run of it.
pub(crate) fn run_token(paths: &Paths, name: &str) -> String {
    format!("{}.{}", token(paths, name), process_name())
}

/// What the marks of all runs of a plan begin with.
pub(crate) fn token(paths: &Paths, name: &str) -> String {
    let repository = paths.cache().file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    format!("windlass.{repository}.{name}")
}

/// The sandbox of everything that a run starts.
pub(crate) fn sandbox(request: &RunRequest) -> Result<Sandbox, EngineError> {
    let settings = &request.config.settings;
    let tasks = request.runnable.plan.tasks.iter().filter_map(|t| t.agent.as_ref());
    let named = settings.agents.values().chain(settings.team.values()).chain(tasks);
    let mark = Token::new(&format!("{}.@trial", run_token(&request.paths, request.name.as_str())));
    sandbox_for(&request.config, &request.paths, named, mark)
}

/// The strongest sandbox there is; refused where one of these agents would really be without one. `mark` is the token of what
/// tries it out.
pub(crate) fn sandbox_for<'a>(
    config: &RunConfig,
    paths: &Paths,
    agents: impl IntoIterator<Item = &'a String>,
    mark: Token,
) -> Result<Sandbox, EngineError> {
    let scratch = paths.cache().join("probe").join(process_name());
    let tried = SandboxConfig { trial_token: Some(mark), ..config.sandbox.clone() };
    let sandbox = Sandbox::strongest(&tried, &scratch)?;
    let choice = sandbox.choice();
    if choice.rung == SandboxRung::Off && config.sandbox.unsandboxed == Unsandboxed::Refused {
        let is_real = |name: &&String| config.agents.get(*name).is_some_and(AgentSpec::is_real);
        if let Some(agent) = agents.into_iter().find(is_real) {
            let why = choice.why_not_stronger().unwrap_or_else(|| "it is turned off".into());
            return Err(EngineError::Unfenced { agent: agent.clone(), why });
        }
    }
    Ok(sandbox)
}

fn context(request: &RunRequest, sandbox: Sandbox) -> Result<Context, EngineError> {
    context_with(request, sandbox, &request.paths.plan(&request.name).out())
}

/// What the parts of a run share, with outputs kept in this directory.
pub(crate) fn context_with(
    request: &RunRequest,
    sandbox: Sandbox,
    out: &Path,
) -> Result<Context, EngineError> {
    let people = request.repo.people()?;
    let [author, committer] = [people.author, people.committer].map(|who| who.ok_or(EngineError::NoIdentity));
    let user = request.repo.signing()?;
    let sign = request.config.commit.sign.unwrap_or(user.wanted);
    let signing = if sign { Signing::Key(user.key) } else { Signing::No };
    let plan_paths = request.paths.plan(&request.name);
    let sessions = request.paths.sessions();
    let made = |(name, spec): (&String, _)| (name.clone(), agent::from_spec(name, spec, &sessions));
    let agents = request.config.agents.iter().map(made).collect();
    Ok(Context {
        repo: request.repo.clone(),
        plan: request.runnable.plan.clone(),
        plan_blob: OnceLock::new(),
        last_record: std::sync::Mutex::default(),
        name: request.name.clone(),
        tasks: task_infos(&request.runnable),
        config: request.config.clone(),
        machine: LocalMachine::open(
            &request.paths,
            sandbox,
            run_token(&request.paths, request.name.as_str()),
        )?,
        outputs: OutputStore::open(out)?,
        places: plan_paths,
        held_out: HeldOutStore::at(request.paths.held_out()),
        author: author?,
        committer: committer?,
        signing,
        agents,
        budget: RunBudget::of(&request.config.settings),
        branch: request.branch.clone(),
        told_version: None,
    })
}

fn task_infos(runnable: &RunnablePlan) -> HashMap<TaskId, TaskInfo> {
    let info = |(n, task): (&Node, &Task)| {
        let (owned, steps) = (may_change(n), runnable.steps(n));
        (n.id.clone(), TaskInfo { place: n.task, mode: n.mode, hash: task_hash(task), owned, steps })
    };
    runnable.leaves().map(info).collect()
}

/// The plan as it is journaled.
fn sealed_plan(request: &RunRequest) -> SealedPlan {
    let pools = request.runnable.graph.pools().iter();
    SealedPlan {
        tasks: sealed_tasks(request),
        pools: pools.map(|p| PoolLimit { name: p.name.clone(), depth: p.depth }).collect(),
        text: serde_json::to_vec(&request.runnable.plan).unwrap_or_else(|e| unreachable!("plain data: {e}")),
    }
}

fn sealed_tasks(request: &RunRequest) -> Vec<SealedTask> {
    let graph = &request.runnable.graph;
    let routing = &request.config.routing;
    let seal = |(node, task): (&Node, &Task)| {
        let mut parents = Vec::new();
        let mut above = node.parent;
        while let Some(ix) = above {
            parents.push(graph.parent(ix).id.to_string());
            above = graph.parent(ix).parent;
        }
        SealedTask {
            id: node.id.clone(),
            title: task.headline().to_owned(),
            hash: task_hash(task),
            mode: node.mode,
            tier: routing.tier(task),
            agent: routing.wanted(task).map(str::to_owned).filter(|a| request.config.agents.contains_key(a)),
            deps: node.deps.iter().map(|d| graph.node(*d).id.clone()).collect(),
            parents,
            priority: node.priority,
            steps: request.runnable.steps(node).iter().map(|step| step.action).collect(),
            pools: pools_of(graph, node, routing.tier(task)),
            needs: needs_of(task),
            needs_approval: needs_approval(task, node.mode, &request.config),
            criteria: criteria_of(&request.runnable.plan, task).into_iter().map(|c| c.id).collect(),
        }
    };
    request.runnable.leaves().map(seal).collect()
}

/// The pools of a task. One that names no tier has one by its type, and takes its place there.
fn pools_of(graph: &Graph, node: &Node, tier: Tier) -> Vec<String> {
    let default = if node.tier.is_none() { graph.tier_pool(tier) } else { None };
    node.resources.iter().copied().chain(default).map(|r| graph.pool(r).name.clone()).collect()
}

/// What the place of a task's attempts must have. Held-out tests never leave this machine.
fn needs_of(task: &Task) -> Vec<String> {
    let held = (!task.test.held_out.is_empty()).then(|| HERE.to_owned());
    held.into_iter().chain(task.needs.iter().cloned()).collect()
}

fn needs_approval(task: &Task, mode: Mode, config: &RunConfig) -> bool {
    let reason = task.test.none.as_deref().and_then(NoTestReason::parse);
    let waived = task.test.required == Some(false);
    let documents = mode == Mode::None && reason == Some(NoTestReason::DocumentationOnly);
    let documents = documents && !waived && !config.verify.docs_pass;
    // What the plan says of the task overrides the rule for documents.
    task.requires_approval.unwrap_or(documents)
}

/// When this process started, in kernel ticks.
fn own_start() -> u64 {
    crate::process::identify(std::process::id()).map_or(0, |id| id.started)
}
