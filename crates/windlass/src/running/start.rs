//! Refuses a run that could only fail: no agent is logged in, or a limit of money that cannot be held.

use std::collections::BTreeSet;
use std::path::Path;

use windlass_code::detect::existing_tests;
use windlass_core::graph::Node;
use windlass_core::ids::TaskId;
use windlass_core::plan::{Mode, NoTestReason, Proof, Task};
use windlass_core::policy::Rung;
use windlass_engine::agent::BYTES_PER_TOKEN;
use windlass_engine::agent::cli::{CliKind, PriceSource};
use windlass_engine::config::{AgentSpec, CliSpec, LoginSeen};
use windlass_engine::run::RunRequest;
use windlass_engine::survey::SurveyStore;
use windlass_planner::runnable::{RunnablePlan, may_change};

use crate::cli::CliError;

/// Refuses to start before any money is spent.
pub(crate) fn refuse_to_start(request: &RunRequest) -> Result<(), CliError> {
    let agents = first_agents(request);
    refuse_without_login(request, &agents)?;
    refuse_without_price(request, &agents)?;
    refuse_without_tests(request)?;
    refuse_without_place(request)?;
    refuse_without_room(request)
}

/// Refuses a run with tasks that need what no place has: they would never start.
fn refuse_without_place(request: &RunRequest) -> Result<(), CliError> {
    let (settings, places) = (&request.config.settings, &request.config.settings.places);
    let nowhere = |task: &Task| {
        let here = settings.has_here(&task.needs);
        let held_out = !task.test.held_out.is_empty();
        !here && (held_out || !places.values().any(|place| place.has(&task.needs)))
    };
    let leaves = request.runnable.leaves();
    let wanted = |id: &TaskId| request.only.is_empty() || request.only.contains(id);
    let found = leaves.filter(|(node, _)| wanted(&node.id)).find(|(_, task)| nowhere(task));
    let Some((_, task)) = found else { return Ok(()) };
    let needs: Vec<String> = task.needs.iter().map(|need| format!("`{need}`")).collect();
    let said = format!("the run does not start: no place has what `{}` needs: {}", task.id, needs.join(", "));
    let error = CliError::usage(said);
    Err(if task.test.held_out.is_empty() {
        error.hint("give a place of `[places]` these `labels`, or take `needs` out of the task")
    } else {
        error.hint("its held-out tests never leave this machine: take one of both out of the task")
    })
}

/// Refuses a run with tasks that rest on existing tests where none can be found: no attempt could pass.
fn refuse_without_tests(request: &RunRequest) -> Result<(), CliError> {
    let rests = |task: &Task| {
        let reason = |r| matches!(r, NoTestReason::DependencyUpdate | NoTestReason::DeleteDeadCode);
        matches!(task.proof(), Proof::Reason(r) if reason(r))
    };
    let leaves = request.runnable.leaves().filter(|(_, task)| rests(task));
    let named: Vec<String> = leaves.map(|(_, task)| format!("`{}`", task.id)).collect();
    let Some(top) = request.repo.worktree().filter(|_| !named.is_empty()) else { return Ok(()) };
    let found = || existing_tests(&SurveyStore::forgetful().disk(top)).is_some();
    if request.config.verify.suite.is_some() || found() {
        return Ok(());
    }
    let text = format!(
        "the run does not start: {} rests on the existing tests, and none was found",
        named.join(", ")
    );
    Err(CliError::usage(text).hint("set `verify.suite` to the command that runs them"))
}

/// Refuses a run with tasks that do not fit into the context of their agent: no attempt could ask anything.
fn refuse_without_room(request: &RunRequest) -> Result<(), CliError> {
    let config = &request.config;
    let agent = |task: &Task| {
        let (tier, named) = (config.routing.tier(task), config.routing.wanted(task));
        config.settings.cast(tier, named, Rung::First).agent
    };
    let spec = |name: &str| config.agents.get(name).cloned();
    let found = beyond_context(&request.runnable, request.repo.worktree(), agent, spec);
    if found.is_empty() {
        return Ok(());
    }
    let words: Vec<&str> = found.iter().map(|(_, words)| words.as_str()).collect();
    Err(CliError::usage(format!("the run does not start: {}", words.join("; "))).hint(LARGER))
}

/// What to do about a task that does not fit.
pub(crate) const LARGER: &str = "split the task, or give it to an agent with a larger `context`";

/// The tasks that do not fit into the context of their agent, which has no tools to read files, and what is too much.
pub(crate) fn beyond_context<'a>(
    runnable: &'a RunnablePlan,
    top: Option<&Path>,
    agent_of: impl Fn(&Task) -> String,
    spec_of: impl Fn(&str) -> Option<AgentSpec>,
) -> Vec<(&'a Task, String)> {
    let too_large = |(leaf, task): (&Node, &'a Task)| {
        let agent = agent_of(task);
        let AgentSpec::Api(spec) = spec_of(&agent)? else { return None };
        let (needs, room) = (least_bytes(task, &may_change(leaf), top), spec.room_bytes());
        let words = || {
            let (needs, room) = (needs / BYTES_PER_TOKEN, room / BYTES_PER_TOKEN);
            format!("`{}` and its files need about {needs} tokens; `{agent}` has room for {room}", task.id)
        };
        (needs > room).then(|| (task, words()))
    };
    runnable.leaves().filter_map(too_large).collect()
}

/// What a model without tools has to be told at the least: the words of the task, and the files it may change.
fn least_bytes(task: &Task, files: &[String], top: Option<&Path>) -> usize {
    let code = task.contract.iter().chain(&task.test_code).map(|block| block.code.len());
    let criteria = task.criteria.iter().map(|criterion| criterion.text.len());
    let words = task.title.len() + task.objective.len() + code.chain(criteria).sum::<usize>();
    let size =
        |path: &String| top.and_then(|top| std::fs::metadata(top.join(path)).ok()).map_or(0, |m| m.len());
    words + files.iter().map(|path| usize::try_from(size(path)).unwrap_or(usize::MAX)).sum::<usize>()
}

/// The agents that the tasks of a run are first given to.
fn first_agents(request: &RunRequest) -> BTreeSet<String> {
    let config = &request.config;
    let wanted = |id: &windlass_core::ids::TaskId| request.only.is_empty() || request.only.contains(id);
    let leaves = request.runnable.leaves().filter(|(node, _)| node.mode != Mode::Gate && wanted(&node.id));
    leaves
        .map(|(_, task)| {
            let (tier, named) = (config.routing.tier(task), config.routing.wanted(task));
            config.settings.cast(tier, named, Rung::First).agent
        })
        .collect()
}

/// Refuses a run if all its agents are known not to be logged in.
fn refuse_without_login(request: &RunRequest, agents: &BTreeSet<String>) -> Result<(), CliError> {
    let locked_out = |name: &String| match request.config.agents.get(name) {
        Some(AgentSpec::Cli(spec)) if spec.login() == LoginSeen::No => Some(spec.kind),
        Some(
            AgentSpec::Cli(_)
            | AgentSpec::Mechanical
            | AgentSpec::Replay { .. }
            | AgentSpec::Api(_)
            | AgentSpec::Command { .. },
        )
        | None => None,
    };
    let kinds: Option<BTreeSet<CliKind>> = agents.iter().map(locked_out).collect();
    let Some(kinds) = kinds.filter(|kinds| !kinds.is_empty()) else { return Ok(()) };
    let titles: Vec<&str> = kinds.iter().map(|kind| kind.facts().title).collect();
    let be = if titles.len() == 1 { "is" } else { "are" };
    let said = format!("the run does not start: {} {be} not logged in", titles.join(", "));
    let error = CliError::environment(said);
    Err(kinds.iter().fold(error, |error, kind| error.hint(kind.facts().login.how)))
}

/// Refuses a limit of money that could not be held, because what an agent costs is unknown.
fn refuse_without_price(request: &RunRequest, agents: &BTreeSet<String>) -> Result<(), CliError> {
    if request.config.settings.max_cost_usd.is_none() {
        return Ok(());
    }
    let unpriced = agents.iter().find_map(|name| {
        let what = missing_price(request, request.config.agents.get(name)?)?;
        Some((name, what))
    });
    let Some((name, what)) = unpriced else { return Ok(()) };
    let said = format!(
        "the run does not start: what `{name}` costs is unknown, so the limit of money cannot be held"
    );
    Err(CliError::usage(said).hint(what).hint("or limit tokens instead, with `--max-tokens`"))
}

/// What to set so that the cost of an agent is known. Nothing for those that report their cost or their model themselves.
fn missing_price(request: &RunRequest, spec: &AgentSpec) -> Option<String> {
    let known = |model: &str| request.config.prices.of(model).is_some();
    let for_model = |model: &str| format!("set `[prices.\"{model}\"]` in windlass.toml");
    match spec {
        AgentSpec::Cli(spec) => match (spec.kind.facts().price, spec.model.as_deref()) {
            (PriceSource::Reported, _) | (PriceSource::ModelReported, None) => None,
            (PriceSource::ModelReported | PriceSource::ModelSet, Some(model)) => {
                (!known(model)).then(|| for_model(model))
            }
            (PriceSource::ModelSet, None) => Some(name_the_model(spec)),
        },
        AgentSpec::Api(spec) => (!known(&spec.model)).then(|| for_model(&spec.model)),
        // They report what they report.
        AgentSpec::Command { .. } | AgentSpec::Mechanical | AgentSpec::Replay { .. } => None,
    }
}

/// For a program that never tells which model it asks.
fn name_the_model(spec: &CliSpec) -> String {
    let name = spec.kind.as_str();
    format!("set `model` in `[agents.{name}]`, and `[prices.\"MODEL\"]` if it is not a known one")
}
