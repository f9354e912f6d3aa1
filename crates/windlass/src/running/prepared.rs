//! From a checked plan to a request for the engine.

use std::path::{Path, PathBuf};

use windlass_core::ids::TaskId;
use windlass_core::plan::Plan;
use windlass_engine::git::Repo;
use windlass_engine::paths::Paths;
use windlass_engine::run::RunRequest;
use windlass_planner::runnable::make_runnable;

use super::accounts::share_accounts;
use super::mapping::run_config;
use super::places::{places, sent_settings};
use super::sandbox::{SandboxOverrides, hidden, sandbox_config};
use super::wishes::AgentWishes;
use crate::cli::{CheckedPlan, CliError, seal_options, unknown_task};
use crate::input::{Configuration, plan_name};
use crate::world::World;

/// Options of the command line that override the configuration.
#[derive(Debug, Clone, Default)]
pub(crate) struct Overrides {
    /// The agent of every tier.
    pub(crate) agent: Option<String>,
    /// How many at once.
    pub(crate) jobs: Option<u32>,
    /// The most money.
    pub(crate) max_cost_usd: Option<f64>,
    /// The most tokens.
    pub(crate) max_tokens: Option<u64>,
    /// Where to record turns.
    pub(crate) record: Option<PathBuf>,
    /// The sandbox.
    pub(crate) sandbox: SandboxOverrides,
    /// Only these tasks and what they need.
    pub(crate) until: Vec<String>,
    /// Whether to run a plan that its reviewer rejects.
    pub(crate) go_on: bool,
}

/// A run that could start.
pub(crate) struct Prepared {
    /// For the engine.
    pub(crate) request: RunRequest,
    /// The agents that tasks ask for themselves.
    pub(crate) wishes: AgentWishes,
}

/// The repository around a directory, and where its state lies.
pub(crate) fn repository_at(world: &World, dir: &Path) -> Result<(Repo, Paths), CliError> {
    let repo = Repo::discover(world.git_env(), dir)?;
    let paths = world.paths(repo.common_dir())?;
    let repo = repo.with_own_dir(paths.state())?;
    Ok((repo, paths))
}

/// The request of a run without tasks: for what is tried before there is a plan.
pub(crate) fn without_tasks(world: &World, configuration: &Configuration) -> Result<RunRequest, CliError> {
    let (repo, paths) = repository_at(world, &world.cwd)?;
    let config = configuration.trusted(world)?;
    let hidden = hidden(repo.worktree(), repo.common_dir(), &paths);
    let over = Overrides::default();
    let sandbox = sandbox_config(world, &config, &over.sandbox, hidden);
    let branch = format!("{}{NO_PLAN}", config.branch_prefix);
    let mut config = run_config(world, config, &over)?;
    config.sandbox = sandbox;
    let plan = Plan { name: NO_PLAN.to_owned(), ..Plan::default() };
    let Some(runnable) = make_runnable(&plan, &seal_options(&configuration.config)).runnable else {
        return Err(CliError::usage("a plan without tasks cannot be made"));
    };
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let (name, source) = (plan_name(NO_PLAN), String::new());
    Ok(RunRequest { repo, paths, runnable, name, config, branch, only: Vec::new(), version, source })
}

/// The name of a plan without tasks.
const NO_PLAN: &str = "no-plan";

/// Makes the request of a run. The plan must have no errors.
pub(crate) fn prepare(world: &World, checked: &CheckedPlan, over: &Overrides) -> Result<Prepared, CliError> {
    let (repo, paths) = repository_at(world, &world.cwd)?;
    let config = checked.configuration.trusted(world)?;
    let Some(mut runnable) = checked.runnable.clone() else {
        return Err(CliError::usage("the plan has errors and cannot run").hint("`windlass check` shows them"));
    };
    let name = plan_name(&runnable.plan.name);
    let branch = runnable.plan.branch.clone().unwrap_or_else(|| format!("{}{name}", config.branch_prefix));
    let graph = &runnable.graph;
    let mut only: Vec<TaskId> = Vec::new();
    for text in &over.until {
        let Some(ix) = graph.find(text) else {
            return Err(unknown_task(text, graph.nodes().iter().map(|n| n.id.as_str())));
        };
        only.push(graph.node(ix).id.clone());
        only.extend(graph.ancestors(ix).into_iter().map(|a| graph.node(a).id.clone()));
    }
    only.sort();
    only.dedup();
    let hidden = hidden(repo.worktree(), repo.common_dir(), &paths);
    let sandbox = sandbox_config(world, &config, &over.sandbox, hidden);
    let mut config = run_config(world, config, over)?;
    config.sandbox = sandbox;
    config.places = places(world, &checked.configuration.config)?;
    let rules = &checked.configuration.config.places;
    config.settings.places = rules.iter().map(|(name, keys)| (name.clone(), keys.rules())).collect();
    let wishes =
        AgentWishes::settle(world, &mut runnable.plan, &checked.read.loaded.sources, &mut config, over);
    if !config.places.is_empty() {
        config.sent = sent_settings(&checked.configuration, over);
        config.sent.asked = runnable.plan.tasks.iter().filter_map(|task| task.agent.clone()).collect();
        config.sent.asked.sort();
        config.sent.asked.dedup();
    }
    share_accounts(world, &checked.configuration.config, &mut config.agents)?;
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let source = checked.source.clone();
    let request = RunRequest { repo, paths, runnable, name, config, branch, only, version, source };
    Ok(Prepared { request, wishes })
}
