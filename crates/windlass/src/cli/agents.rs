//! What `doctor` reports about command line agents: installed versions, abilities and logins.

use std::ffi::OsStr;
use std::thread;

use windlass_engine::agent::ApiSpec;
use windlass_engine::agent::cli::{CliKind, quirks_of};
use windlass_engine::config::AgentSpec;

use super::CliError;
use super::probe::{ProbeFinding, ProbeVerdict};
use crate::input::Configuration;
use crate::installed::Installed;
use crate::running::tables;
use crate::world::World;

/// Looks at all agents in parallel: each start of a program takes a while.
pub(super) fn look(world: &World) -> Vec<ProbeFinding> {
    thread::scope(|scope| {
        let looks = CliKind::ALL.map(|kind| scope.spawn(move || look_at(world, kind)));
        looks.into_iter().filter_map(|look| look.join().ok()).collect()
    })
}

/// Whether one of the known agents can be started.
pub(super) fn is_any_installed(world: &World) -> bool {
    CliKind::ALL.iter().any(|kind| world.program(OsStr::new(kind.facts().program)).is_some())
}

/// Looks at the agents with a table in `windlass.toml`, except tables that only repeat a program's name.
pub(super) fn configured(world: &World) -> Vec<ProbeFinding> {
    // An unreadable file, or one that is not trusted, is reported by the probe of the configuration. Programs that it names
    // would be started here.
    let Ok(found) = Configuration::find(world) else { return Vec::new() };
    if !found.untrusted(world).is_empty() {
        return Vec::new();
    }
    tables(world, &found.config).into_iter().filter_map(|(name, spec)| of_table(world, &name, spec)).collect()
}

fn of_table(world: &World, name: &str, spec: Result<AgentSpec, CliError>) -> Option<ProbeFinding> {
    let what = format!("agents.{name}");
    let spec = match spec {
        Ok(spec) => spec,
        Err(error) => {
            let finding = ProbeFinding::new(&what, ProbeVerdict::Missing, error.message);
            return Some(error.hints.into_iter().fold(finding, ProbeFinding::hint));
        }
    };
    match spec {
        AgentSpec::Cli(cli) => {
            if let Some(command) = &cli.acp {
                let first = command.split_whitespace().next().unwrap_or_default();
                let missing = world.program(OsStr::new(first)).is_none();
                return missing.then(|| {
                    ProbeFinding::new(
                        &what,
                        ProbeVerdict::Weak,
                        format!("`{first}` is not on the search path"),
                    )
                });
            }
            let usual = world.program(OsStr::new(cli.kind.facts().program)).map(Into::into);
            let plain = cli.kind.as_str() == name && usual.as_ref() == Some(&cli.program);
            (!plain).then(|| look_for(world, &what, cli.kind, &cli.program, ProbeVerdict::Weak))
        }
        AgentSpec::Api(api) => Some(of_api(&what, &api)),
        AgentSpec::Command { command, .. } => {
            let line = command.lines().next().unwrap_or_default();
            Some(ProbeFinding::new(
                &what,
                ProbeVerdict::Told,
                format!("command `{}`", crate::render::cut(line, 60)),
            ))
        }
        AgentSpec::Mechanical | AgentSpec::Replay { .. } => None,
    }
}

fn of_api(what: &str, api: &ApiSpec) -> ProbeFinding {
    let said = format!("{} at {}", api.model, api.endpoint);
    match &api.key {
        Some(key) if !key.is_set() => {
            let said = format!("{said} · its key is expected in `{}`, which is not set", key.variable());
            ProbeFinding::new(what, ProbeVerdict::Weak, said).hint(format!("set `{}`", key.variable()))
        }
        Some(key) => {
            ProbeFinding::new(what, ProbeVerdict::Fine, format!("{said} · key in `{}`", key.variable()))
        }
        None => ProbeFinding::new(what, ProbeVerdict::Fine, format!("{said} · no key")),
    }
}

fn look_at(world: &World, kind: CliKind) -> ProbeFinding {
    let program = kind.facts().program;
    look_for(world, program, kind, OsStr::new(program), ProbeVerdict::Told)
}

/// Looks for a program; `absent` is the verdict if it is not installed.
fn look_for(world: &World, what: &str, kind: CliKind, program: &OsStr, absent: ProbeVerdict) -> ProbeFinding {
    let facts = kind.facts();
    let Some(found) = Installed::look(world, kind, program) else {
        let said = format!("not installed (`{}`)", kind.install());
        return ProbeFinding::new(what, absent, said);
    };
    let version = found.version.map_or_else(|| "version unknown".into(), |v| v.to_string());
    let login = found.login.clone().unwrap_or_else(|| "not logged in".into());
    let tried = if found.version == Some(facts.tested) { "" } else { " (not the tested version)" };
    let said = format!("{version}{tried} · {login} · {}", facts.abilities.join(", "));
    let verdict = match (found.warning(), &found.login) {
        (Some(_), _) => ProbeVerdict::Weak,
        (None, None) => ProbeVerdict::Told,
        (None, Some(_)) => ProbeVerdict::Fine,
    };
    let mut finding = ProbeFinding::new(what, verdict, said);
    finding.hint = found.warning().or_else(|| found.login.is_none().then(|| facts.login.how.to_owned()));
    finding.notes = quirks_of(kind).map(|q| format!("{} ({}): {}", q.what, q.seen, q.answer)).collect();
    finding
}
