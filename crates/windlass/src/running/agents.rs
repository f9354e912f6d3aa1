//! Who stands behind each agent's name, and whether it is here.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

use windlass_core::plan::{Plan, Tier};
use windlass_engine::agent::cli::{CliKind, Permission};
use windlass_engine::config::{AgentSpec, CliSpec, RunConfig};

use super::environment;
use super::prepared::Overrides;
use crate::cli::CliError;
use crate::config::{AgentKind, AgentTable, Config, PermissionKey};
use crate::installed::Installed;
use crate::world::World;

/// The variable in which a command finds the model it is to use.
const MODEL: &str = "WINDLASS_MODEL";

type Routes = (BTreeMap<Tier, String>, BTreeMap<String, AgentSpec>);

/// The agent of each tier, and what stands behind each name.
pub(super) fn agents(world: &World, config: &Config, over: &Overrides) -> Result<Routes, CliError> {
    let mut specs: BTreeMap<String, AgentSpec> = BTreeMap::new();
    for (name, table) in &config.agents.named {
        specs.insert(name.clone(), of_table(world, name, table)?);
    }
    let own = &config.agents.tiers;
    let mut routes = BTreeMap::new();
    for (tier, set) in [(Tier::Small, &own.small), (Tier::Medium, &own.medium), (Tier::Large, &own.large)] {
        let name = over.agent.clone().or_else(|| set.clone()).unwrap_or_else(|| "mechanical".into());
        if !specs.contains_key(&name) {
            let spec = of_name(world, &name).ok_or_else(|| unknown(&name, specs.keys()))?;
            specs.insert(name.clone(), spec);
        }
        routes.insert(tier, name);
    }
    Ok((routes, specs))
}

/// What a name means without a table.
fn of_name(world: &World, name: &str) -> Option<AgentSpec> {
    if let Some(kind) = CliKind::parse(name) {
        return Some(AgentSpec::Cli(Box::new(cli(world, kind, &AgentTable::default()))));
    }
    match AgentSpec::parse(name)? {
        // A recording is named from where the user stands.
        AgentSpec::Replay { dir } => Some(AgentSpec::Replay { dir: world.cwd.join(dir) }),
        other => Some(other),
    }
}

/// What a table means.
fn of_table(world: &World, name: &str, table: &AgentTable) -> Result<AgentSpec, CliError> {
    let kind = match (table.kind, &table.command) {
        (Some(AgentKind::Command), _) | (None, Some(_)) => None,
        (Some(kind), None) => Some(program_of(kind)),
        (Some(_), Some(_)) => {
            let said = format!("`agents.{name}` has a command, and a kind that is not `command`");
            return Err(CliError::usage(said).hint("leave one of them out"));
        }
        (None, None) => Some(CliKind::parse(name).ok_or_else(|| {
            CliError::usage(format!("`agents.{name}` does not say what it is"))
                .hint("give it a `kind`, such as `\"claude\"`, or a `command`")
        })?),
    };
    match kind {
        Some(kind) => Ok(AgentSpec::Cli(Box::new(cli(world, kind, table)))),
        None => command(world, name, table),
    }
}

/// A kind as the engine knows it. A command is none.
fn program_of(kind: AgentKind) -> CliKind {
    match kind {
        AgentKind::Claude => CliKind::Claude,
        AgentKind::Codex => CliKind::Codex,
        AgentKind::Gemini => CliKind::Gemini,
        AgentKind::Qwen => CliKind::Qwen,
        AgentKind::Opencode => CliKind::Opencode,
        AgentKind::Command => unreachable!("asked before"),
    }
}

fn command(world: &World, name: &str, table: &AgentTable) -> Result<AgentSpec, CliError> {
    let command = table.command.clone().ok_or_else(|| {
        CliError::usage(format!("`agents.{name}` is a command, and does not say which")).hint("set `command`")
    })?;
    let mut env = world.env_of(table.env.iter().map(String::as_str));
    env.extend(table.model.iter().map(|model| (MODEL.into(), model.into())));
    Ok(AgentSpec::Command { command, env, timeout: table.timeout, idle: table.idle })
}

fn cli(world: &World, kind: CliKind, table: &AgentTable) -> CliSpec {
    let mut env = world.env_of(kind.variables());
    env.extend(world.env_of(table.env.iter().map(String::as_str)));
    // Its home is one of its own, so tool-chains in the user's are named.
    env.extend(environment::roots(world));
    let named = OsString::from(table.program.as_deref().unwrap_or(kind.as_str()));
    CliSpec {
        program: world.program(&named).map_or(named, Into::into),
        model: table.model.clone(),
        args: table.args.clone(),
        env,
        home: world.home.clone(),
        permission: table.permission.map(|key| match key {
            PermissionKey::Read => Permission::Read,
            PermissionKey::Edit => Permission::Edit,
            PermissionKey::Full => Permission::Full,
        }),
        max_turns: table.max_turns,
        max_budget_usd: table.max_budget_usd,
        timeout: table.timeout,
        idle: table.idle,
        ..CliSpec::of(kind)
    }
}

/// Refuses a run whose agents are not here; gives what should be said of those that are.
pub(crate) fn look_for(world: &World, config: &RunConfig, plan: &Plan) -> Result<Vec<String>, CliError> {
    let routed = config.settings.agents.values();
    let used: BTreeSet<&String> = routed.chain(plan.tasks.iter().filter_map(|t| t.agent.as_ref())).collect();
    let mut notes = BTreeSet::new();
    for name in used {
        let Some(AgentSpec::Cli(spec)) = config.agents.get(name) else { continue };
        let Some(found) = Installed::look(world, spec.kind, &spec.program) else {
            let said = format!(
                "agent `{name}` is not installed: `{}` is not on the search path",
                spec.kind.as_str()
            );
            return Err(CliError::environment(said)
                .hint(format!("`{}` installs it", spec.kind.install()))
                .hint("`windlass doctor` shows which agents are here"));
        };
        notes.extend(found.warning());
        if !found.has_login() {
            let how = spec.kind.facts().login.how;
            notes.insert(format!("{} does not seem to be logged in: {how}", spec.kind.facts().title));
        }
    }
    Ok(notes.into_iter().collect())
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a String>) -> CliError {
    let known: Vec<String> = known.map(|n| format!("`{n}`")).collect();
    let kinds: Vec<String> = CliKind::ALL.iter().map(|k| format!("`{}`", k.as_str())).collect();
    let error = CliError::usage(format!("there is no agent `{name}`")).hint(format!(
        "use {}, `mechanical`, `cmd:COMMAND`, `replay:FOLDER`, or a name from `[agents]` in windlass.toml",
        kinds.join(", ")
    ));
    if known.is_empty() { error } else { error.hint(format!("agents here: {}", known.join(", "))) }
}
