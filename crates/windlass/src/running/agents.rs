//! Agents by name: what each name stands for, and whether it is installed.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

use windlass_code::script::ShellScript;
use windlass_code::script::quote;
use windlass_core::event::Millis;
use windlass_core::plan::Tier;
use windlass_core::policy::MECHANICAL_AGENT;
use windlass_core::view::agent_shown;
use windlass_engine::agent::cli::{CliKind, kind_behind};
use windlass_engine::agent::{ApiKey, ApiSpec};
use windlass_engine::config::{AgentSpec, CliSpec, LoginSeen, RunConfig};
use windlass_engine::sandbox::Network;

use super::environment;
use super::prepared::Overrides;
use super::user_settings::UserSettings;
use super::wishes::AgentWishes;
use crate::cli::CliError;
use crate::config::{AgentKind, AgentTable, Config};
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
        let name = over.agent.clone().or_else(|| set.clone()).unwrap_or_else(|| MECHANICAL_AGENT.into());
        if !specs.contains_key(&name) {
            let spec = of_name(world, &name).ok_or_else(|| unknown(&name, specs.keys()))?;
            specs.insert(name.clone(), spec);
        }
        routes.insert(tier, name);
    }
    let team = config.team.team();
    for name in team.values().chain(config.routing.cli.as_ref()) {
        if !specs.contains_key(name) {
            let spec = of_name(world, name).ok_or_else(|| unknown(name, specs.keys()))?;
            specs.insert(name.clone(), spec);
        }
    }
    Ok((routes, specs))
}

/// What stands behind each table of `[agents]`, or what is wrong with it.
pub(crate) fn tables(world: &World, config: &Config) -> Vec<(String, Result<AgentSpec, CliError>)> {
    config.agents.named.iter().map(|(name, table)| (name.clone(), of_table(world, name, table))).collect()
}

/// The provider behind each agent that is not its own: all agents of one kind, or behind one port, share its
/// limits.
pub(super) fn providers(specs: &BTreeMap<String, AgentSpec>) -> BTreeMap<String, String> {
    let provider = |(name, spec): (&String, &AgentSpec)| match spec {
        // Nothing says that two unknown programs have one provider.
        AgentSpec::Cli(cli) if cli.kind == CliKind::Other => None,
        AgentSpec::Cli(cli) if cli.kind.as_str() != name => {
            Some((name.clone(), cli.kind.as_str().to_owned()))
        }
        // Agents behind one port share its limits.
        AgentSpec::Api(api) => Some((name.clone(), api.endpoint.clone())),
        AgentSpec::Cli(_) | AgentSpec::Mechanical | AgentSpec::Replay { .. } | AgentSpec::Command { .. } => {
            None
        }
    };
    specs.iter().filter_map(provider).collect()
}

/// What a name means without a table.
pub(super) fn of_name(world: &World, name: &str) -> Option<AgentSpec> {
    if let Some(kind) = CliKind::parse(name) {
        return Some(AgentSpec::Cli(Box::new(cli(world, kind, &AgentTable::default()))));
    }
    if let Some(command) = name.strip_prefix("acp:").map(str::trim).filter(|c| !c.is_empty()) {
        return Some(acp(world, command, &AgentTable::default()));
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
        (None, None) if table.endpoint.is_some() => AgentKind::Api,
        (Some(AgentKind::Command), _) | (None, Some(_)) => AgentKind::Command,
        (Some(AgentKind::Acp), _) => AgentKind::Acp,
        (Some(kind), None) => kind,
        (Some(_), Some(_)) => {
            let said = format!("`agents.{name}` has a command, and a kind that is not `command`");
            return Err(CliError::usage(said).hint("leave one of them out"));
        }
        (None, None) => {
            let kind = CliKind::parse(name).ok_or_else(|| {
                CliError::usage(format!("`agents.{name}` has no kind"))
                    .hint("give it a `kind`, such as `\"claude\"`, a `command` or an `endpoint`")
            })?;
            AgentKind::Cli(kind)
        }
    };
    match kind {
        AgentKind::Cli(kind) => Ok(AgentSpec::Cli(Box::new(cli(world, kind, table)))),
        AgentKind::Command => command(world, name, table),
        AgentKind::Api => api(world, name, table),
        AgentKind::Acp => {
            let command = table.command.as_ref().ok_or_else(|| {
                CliError::usage(format!("`agents.{name}` has the kind `acp`, and no `command`"))
                    .hint("set `command`, such as `\"gemini --acp\"`")
            })?;
            Ok(acp(world, command, table))
        }
    }
}

/// A model behind a port. Its key is known by the name of a variable and read here, once.
fn api(world: &World, name: &str, table: &AgentTable) -> Result<AgentSpec, CliError> {
    let missing = |key: &str, such: &str| {
        CliError::usage(format!("`agents.{name}` is a model behind an endpoint, and has no `{key}`"))
            .hint(format!("set `{key} = \"{such}\"`"))
    };
    let endpoint = table.endpoint.clone().ok_or_else(|| missing("endpoint", "http://127.0.0.1:11434/v1"))?;
    if !endpoint.starts_with("http://") && !endpoint.starts_with("https://") {
        let said = format!("`agents.{name}.endpoint` is `{endpoint}`, which is not a web address");
        return Err(CliError::usage(said).hint("begin it with `http://` or `https://`"));
    }
    let model = table.model.clone().ok_or_else(|| missing("model", "qwen2.5-coder:7b"))?;
    let answer_tokens = table.answer.unwrap_or(table.context / 3);
    if answer_tokens == 0 || answer_tokens >= table.context {
        let (context, answer) = (table.context, answer_tokens);
        let said = format!("`agents.{name}` leaves no room: {answer} of {context} tokens are for the answer");
        return Err(CliError::usage(said).hint("set `context` to what the model sees"));
    }
    let key = table.key_env.as_ref().map(|variable| {
        let set = world.env_of([variable.as_str()]).pop();
        ApiKey::new(variable, set.map(|(_, value)| value.to_string_lossy().into_owned()))
    });
    Ok(AgentSpec::Api(ApiSpec {
        endpoint,
        dialect: table.dialect,
        model,
        key,
        context_tokens: table.context,
        answer_tokens,
        timeout: table.timeout,
    }))
}

fn command(world: &World, name: &str, table: &AgentTable) -> Result<AgentSpec, CliError> {
    let command = table.command.clone().ok_or_else(|| {
        CliError::usage(format!("`agents.{name}` has the kind `command`, and no `command`"))
            .hint("set `command`")
    })?;
    let mut env = world.env_of(table.env.iter().map(String::as_str));
    env.extend(table.model.iter().map(|model| (MODEL.into(), model.into())));
    Ok(AgentSpec::Command { command, env, timeout: table.timeout, idle: table.idle })
}

/// An agent behind the Agent Client Protocol. This program is the client; what is known of the program behind the command
/// (login, variables, hosts) holds for it, too.
fn acp(world: &World, command: &str, table: &AgentTable) -> AgentSpec {
    let kind = kind_behind(command);
    let (first, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    // Inside, it is found by its full path.
    let found =
        world.program(first.as_ref()).map_or_else(|| first.to_owned(), |path| path.display().to_string());
    let args: Vec<String> = table.args.iter().map(|arg| format!(" {}", quote(arg))).collect();
    let spec = CliSpec {
        program: super::sandbox::helper(world).unwrap_or_else(|| "windlass".into()).into(),
        acp: Some(format!("{found} {rest}{}", args.concat())),
        args: Vec::new(),
        ..cli(world, kind, table)
    };
    AgentSpec::Cli(Box::new(spec))
}

fn cli(world: &World, kind: CliKind, table: &AgentTable) -> CliSpec {
    let mut env = world.env_of(kind.variables());
    env.extend(world.env_of(table.env.iter().map(String::as_str)));
    // Its home is one of its own, so tool-chains in the user's are named.
    env.extend(environment::root_vars(world));
    let named = OsString::from(table.program.as_deref().unwrap_or(kind.as_str()));
    let own = UserSettings::of(world, kind);
    // What the environment sets counts more than a file.
    let set: Vec<OsString> = env.iter().map(|(name, _)| name.clone()).collect();
    env.extend(own.env.into_iter().filter(|(name, _)| !set.contains(name)));
    CliSpec {
        program: world.program(&named).map_or(named, Into::into),
        model: table.model.clone().or(own.model),
        carried: own.carried,
        args: table.args.clone(),
        env,
        home: world.home.clone(),
        permission: table.permission,
        max_turns: table.max_turns,
        max_budget_usd: table.max_budget_usd,
        timeout: table.timeout,
        idle: table.idle,
        ..CliSpec::of(kind)
    }
}

/// Refuses a run whose agents are not installed; returns notes about those that are.
pub(crate) fn look_for(
    world: &World,
    config: &RunConfig,
    wishes: &AgentWishes,
) -> Result<Vec<String>, CliError> {
    let settings = &config.settings;
    let routed = settings.agents.values().chain(settings.team.values()).chain(config.routing.cli.as_ref());
    let used: BTreeSet<&String> = routed.chain(wishes.names()).collect();
    let mut notes: BTreeSet<String> = wishes.notes().cloned().collect();
    notes.extend(network_notes(world, config, used.iter().copied()));
    for name in used {
        let found = look_at(world, config, name);
        notes.extend(found.map_err(|error| match wishes.asked_by(name) {
            Some(who) => error.hint(format!("{who}; `--agent NAME` gives every task to another agent")),
            None => error,
        })?);
    }
    Ok(notes.into_iter().collect())
}

/// Which agents reach more than their model, and what stands in the way of it.
fn network_notes<'a>(
    world: &World,
    config: &RunConfig,
    used: impl Iterator<Item = &'a String>,
) -> Vec<String> {
    if config.sandbox.agents_network != Network::Model {
        return Vec::new();
    }
    let open = |name: &&String| {
        let known = config.agents.get(*name).is_none_or(AgentSpec::has_known_hosts);
        !known && config.sandbox.allow.is_empty()
    };
    let open: Vec<String> = used.filter(open).map(|name| format!("`{}`", agent_shown(name))).collect();
    let mut notes: Vec<String> = environment::upstream(world).err().into_iter().collect();
    if !open.is_empty() {
        notes.push(format!(
            "the hosts of {} are not known, so it reaches the whole network; `[sandbox] allow` limits it",
            open.join(", ")
        ));
    }
    notes
}

/// Refuses an agent that is not installed; returns notes about it.
pub(super) fn look_at(world: &World, config: &RunConfig, name: &str) -> Result<Vec<String>, CliError> {
    let spec = match config.agents.get(name) {
        Some(AgentSpec::Cli(spec)) => spec,
        Some(AgentSpec::Api(spec)) => return has_key(name, spec).map(|()| Vec::new()),
        Some(AgentSpec::Command { command, .. }) => {
            return Ok(missing_program(world, command).into_iter().collect());
        }
        Some(AgentSpec::Mechanical | AgentSpec::Replay { .. }) | None => return Ok(Vec::new()),
    };
    if let Some(command) = &spec.acp {
        let first = command.split_whitespace().next().unwrap_or_default();
        return if world.program(first.as_ref()).is_some() {
            Ok(Vec::new())
        } else {
            Err(CliError::environment(format!(
                "agent `{name}` is not installed: `{first}` is not on the search path"
            ))
            .hint("install it, or give its full path"))
        };
    }
    let Some(found) = Installed::look(world, spec.kind, &spec.program) else {
        let program = std::path::Path::new(&spec.program).display();
        let said = format!("agent `{name}` is not installed: `{program}` is not on the search path");
        return Err(CliError::environment(said)
            .hint(format!("`{}` installs it", spec.kind.install()))
            .hint("`windlass doctor` shows the installed agents"));
    };
    let mut notes: Vec<String> = found.warning().into_iter().collect();
    notes.extend(spec.login_ends().and_then(|end| login_note(spec.kind, end, world.now())));
    notes.extend(UserSettings::of(world, spec.kind).note.map(|note| format!("agent `{name}`: {note}")));
    match spec.login() {
        LoginSeen::Yes(_) => {}
        LoginSeen::Unknown | LoginSeen::No => {
            let how = spec.kind.facts().login.how;
            notes.push(format!("{} does not seem to be logged in: {how}", spec.kind.facts().title));
        }
    }
    Ok(notes)
}

/// A note about a command whose program is not to be seen. The set-up of the project may bring it, so it is no refusal.
fn missing_program(world: &World, command: &str) -> Option<String> {
    let script = ShellScript::parse(command);
    let [only] = script.commands.as_slice() else { return None };
    let program = only.argv().first().filter(|word| word.fixed && !script.is_compound)?;
    let name = &program.text;
    if name.contains('/') && !name.starts_with('/') {
        return None;
    }
    let built_in = [
        "cd", "echo", "eval", "exec", "exit", "false", "printf", "read", "set", "source", "test", "true",
        ":", ".", "[",
    ];
    if built_in.contains(&name.as_str()) || world.program(name.as_ref()).is_some() {
        return None;
    }
    let where_ =
        if name.starts_with('/') { "there is no such program" } else { "it is not on the search path" };
    Some(format!(
        "agent `{}` starts `{name}`: {where_}, so only the set-up of the project can bring it",
        agent_shown(command)
    ))
}

/// How long a login lasts, if that is less than a day. Turns get a copy without the refresh token.
fn login_note(kind: CliKind, end: Millis, now: Millis) -> Option<String> {
    const DAY: Millis = 24 * 60 * 60 * 1000;
    let (title, program) = (kind.facts().title, kind.as_str());
    match end - now {
        ..=0 => Some(format!("the login of {title} has expired: start `{program}` once to renew it")),
        left @ 1..DAY => Some(format!(
            "the login of {title} lasts for {}: agents cannot renew it; start `{program}` to do so during the run",
            crate::render::time(left)
        )),
        _ => None,
    }
}

/// Refuses an endpoint whose key is not set, before the first task fails for it.
fn has_key(name: &str, spec: &ApiSpec) -> Result<(), CliError> {
    match &spec.key {
        Some(key) if !key.is_set() => {
            let said =
                format!("the key of agent `{name}` is expected in `{}`, which is not set", key.variable());
            Err(CliError::environment(said).hint(format!("set `{}`, or leave `key_env` out", key.variable())))
        }
        _ => Ok(()),
    }
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a String>) -> CliError {
    let known: Vec<String> = known.map(|n| format!("`{n}`")).collect();
    let kinds: Vec<String> = CliKind::ALL.iter().map(|k| format!("`{}`", k.as_str())).collect();
    if name == "api" {
        return CliError::usage("the agent `api` has no table, so its endpoint and model are unknown").hint(
            "in windlass.toml: `[agents.api]` with `endpoint = \"http://127.0.0.1:11434/v1\"` and `model = \"…\"`",
        );
    }
    let error = CliError::usage(format!("there is no agent `{name}`")).hint(format!(
        "use {}, `mechanical`, `cmd:COMMAND`, `acp:COMMAND`, `replay:FOLDER`, or a name from `[agents]` in windlass.toml",
        kinds.join(", ")
    ));
    if known.is_empty() { error } else { error.hint(format!("agents here: {}", known.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_that_ends_soon_is_told() {
        let note = |end| login_note(CliKind::Claude, end, 1_000_000);
        assert!(note(1_000_000).unwrap().contains("has expired"));
        assert!(note(4_600_000).unwrap().contains("lasts for 1h 00m"));
        assert_eq!(note(1_000_000 + 25 * 3_600_000), None);
    }
}
