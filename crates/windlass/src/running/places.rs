//! Machines besides this one: the command that leads to each, and what they are told of the settings.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::process::Stdio;
use std::sync::Arc;

use windlass_engine::config::{AgentSpec, CliSpec, EnvVar, LoginSeen, PlaceSpec, RunConfig, SentSettings};
use windlass_engine::place::{Configure, LaunchCommand};
use windlass_engine::sandbox::{SandboxRung, SandboxWish, Unsandboxed};

use super::agents::{look_at, of_name};
use super::fleet;
use super::mapping::{run_config, with_prices};
use super::prepared::Overrides;
use super::sandbox::{SandboxOverrides, helper, sandbox_config};
use crate::cli::CliError;
use crate::config::{Config, PlaceKeys};
use crate::input::Configuration;
use crate::world::World;

/// What the command of a place gets of the environment: what ssh, Slurm, podman and kubectl need to find their way.
const PASSED: [&str; 15] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LC_ALL",
    "SSH_AUTH_SOCK",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "KUBECONFIG",
    "SLURM_CONF",
    "CONTAINER_HOST",
    "DOCKER_HOST",
    "DOCKER_CONTEXT",
    "DOCKER_CONFIG",
];

/// The options with which ssh carries data and nothing else, asks nothing, and notices a dead link.
const SSH: [&str; 9] = [
    "ssh",
    "-T",
    "-oBatchMode=yes",
    "-oConnectTimeout=5",
    "-oServerAliveInterval=2",
    "-oServerAliveCountMax=3",
    "-oClearAllForwardings=yes",
    "-oForwardAgent=no",
    "--",
];

/// The pod of a connection: no two pods of a namespace have the same name.
const POD: &str = "windlass-{connection}";

/// The options with which `kubectl run` carries data and nothing else, removes its pod, and gives up before a place may take no
/// longer to answer. `--command`: without it an entry point of the image would get the words.
const KUBECTL: [&str; 8] = [
    "--restart=Never",
    "--stdin",
    "--rm",
    "--quiet",
    "--labels=app.kubernetes.io/name=windlass",
    "--pod-running-timeout=25s",
    "--command",
    "--",
];

/// The places of a run.
pub(crate) fn places(world: &World, config: &Config) -> Result<BTreeMap<String, PlaceSpec>, CliError> {
    config.places.iter().map(|(name, keys)| Ok((name.clone(), place(world, name, keys)?))).collect()
}

fn place(world: &World, name: &str, keys: &PlaceKeys) -> Result<PlaceSpec, CliError> {
    if let Some(url) = &keys.nats {
        return fleet(world, name, keys, url);
    }
    let launch = match (&keys.via, keys.launch.is_empty()) {
        (Some(via), true) => preset(via).ok_or_else(|| {
            CliError::usage(format!("`places.{name}.via` is `{via}`, which is not known"))
                .hint("use `\"ssh:HOST\"`, `\"slurm\"`, `\"podman:IMAGE\"`, `\"docker:IMAGE\"` or `\"kubernetes:IMAGE\"`")
                .hint("or set `launch` to a command")
        })?,
        (None, false) => keys.launch.clone(),
        (Some(_), false) => {
            let said = format!("`places.{name}` has `via` and `launch`");
            return Err(CliError::usage(said).hint("leave one of them out"));
        }
        (None, true) => {
            let said = format!("`places.{name}` has no command that leads there");
            return Err(CliError::usage(said).hint("set `via = \"ssh:HOST\"`, or `launch` to a command"));
        }
    };
    plain_name(name)?;
    let logins = world.env_of(keys.logins.iter().map(String::as_str));
    let least_sandbox = least_sandbox(name, keys)?;
    let carrier = Arc::new(LaunchCommand { words: launch, env: world.env_of(PASSED), helper: helper(world) });
    Ok(PlaceSpec { carrier, least_sandbox, logins })
}

fn plain_name(name: &str) -> Result<(), CliError> {
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)) {
        let said = format!("`places.{name}` is no name for a place");
        return Err(CliError::usage(said).hint("use letters, digits, `-`, `_` and `.`"));
    }
    Ok(())
}

fn least_sandbox(name: &str, keys: &PlaceKeys) -> Result<Option<SandboxRung>, CliError> {
    let rung = |word: &String| {
        SandboxRung::parse(word).ok_or_else(|| {
            CliError::usage(format!("`places.{name}.sandbox` is `{word}`, which is not a sandbox"))
                .hint("use `\"bubblewrap\"`, `\"namespaces\"` or `\"landlock\"`")
        })
    };
    keys.sandbox.as_ref().map(rung).transpose()
}

/// Workers that fetch attempts from a broker.
fn fleet(world: &World, name: &str, keys: &PlaceKeys, url: &str) -> Result<PlaceSpec, CliError> {
    plain_name(name)?;
    if keys.via.is_some() || !keys.launch.is_empty() {
        let said = format!("`places.{name}` has `nats` and a command");
        return Err(CliError::usage(said).hint("leave one of them out"));
    }
    if !keys.logins.is_empty() {
        let said = format!("`places.{name}` has `nats` and `logins`: a broker could read and keep them");
        return Err(CliError::usage(said).hint("leave `logins` out, and log the agent in on the workers"));
    }
    let carrier = fleet::carrier(world, url, &keys.queue, keys.key.as_deref(), keys.ca.as_deref());
    let carrier = carrier.map_err(|mut error| {
        error.message = format!("`places.{name}`: {}", error.message);
        error
    })?;
    Ok(PlaceSpec { carrier, least_sandbox: least_sandbox(name, keys)?, logins: Vec::new() })
}

/// The command behind the name of a usual way.
fn preset(via: &str) -> Option<Vec<String>> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let attend = ["windlass", "attend"];
    if via == "slurm" {
        // Unbuffered, or pieces wait for a full buffer; of this environment only what a program is found by (with `NONE` not
        // even `PATH` is set there); and not in a queue for longer than a place may take to answer.
        let run = ["srun", "--unbuffered", "--export=HOME,LOGNAME,PATH,USER", "--quiet", "--immediate=30"];
        return Some(words(&[&run[..], &attend].concat()));
    }
    let (kind, target) = via.split_once(':')?;
    // A target that begins with a dash would be an option of the program.
    if target.is_empty() || target.starts_with('-') {
        return None;
    }
    match kind {
        "ssh" => Some(words(&[&SSH[..], &[target], &attend].concat())),
        "podman" | "docker" => {
            let run = [kind, "run", "--rm", "--interactive", "--log-driver", "none", target];
            Some(words(&[&run[..], &attend].concat()))
        }
        "kubernetes" => {
            let image = format!("--image={target}");
            Some(words(&[&["kubectl", "run", POD, image.as_str()], &KUBECTL[..], &attend].concat()))
        }
        _ => None,
    }
}

/// What places are told of the settings in force.
pub(super) fn sent_settings(found: &Configuration, over: &Overrides) -> SentSettings {
    SentSettings {
        toml: found.text_for_places(),
        agent: over.agent.clone(),
        asked: Vec::new(),
        sandbox: over.sandbox.mode.map(|mode| mode.as_str().to_owned()),
        unsandboxed: over.sandbox.unsandboxed == Unsandboxed::Allowed,
    }
}

/// How a place makes its own configuration from what it is sent and what it finds.
pub(crate) fn configure(world: World) -> Configure {
    Box::new(move |sent: &SentSettings, logins: &[EnvVar], used: &[&String]| {
        let world = world.with_logins(logins);
        let made = configured(&world, sent).and_then(|config| {
            used.iter().try_for_each(|name| able(&world, &config, name))?;
            Ok(config)
        });
        made.map_err(|error| {
            let hints: Vec<String> = error.hints.iter().map(|hint| format!("; {hint}")).collect();
            format!("{}{}", error.message, hints.concat())
        })
    })
}

/// Refuses an agent that is not installed at this place, or has no log-in here.
fn able(world: &World, config: &RunConfig, name: &str) -> Result<(), CliError> {
    let Some(spec) = config.agents.get(name) else {
        let said = format!("agent `{name}` is not known at this place");
        return Err(CliError::environment(said));
    };
    match spec {
        AgentSpec::Cli(spec) => cli_able(world, name, spec),
        AgentSpec::Api(_) => look_at(world, config, name).map(drop),
        AgentSpec::Replay { dir } if !dir.is_dir() => {
            let said = format!("there is no recording `{}` at this place", dir.display());
            Err(CliError::environment(said))
        }
        AgentSpec::Command { command, .. } if !has_command(command) => {
            let said = format!("agent `{name}` is not installed at this place: its command is not found");
            Err(CliError::environment(said).hint("install it there"))
        }
        AgentSpec::Mechanical | AgentSpec::Replay { .. } | AgentSpec::Command { .. } => Ok(()),
    }
}

/// Whether the first word of a command line means something to `bash` here. A word that only a shell can make out is left
/// to the attempt.
fn has_command(command: &str) -> bool {
    let first = command.split_whitespace().next().unwrap_or_default();
    if !first.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./+".contains(&b)) {
        return true;
    }
    let mut ask = std::process::Command::new("bash");
    ask.args(["-c", "type -- \"$1\"", "bash", first]);
    ask.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    ask.status().is_ok_and(|status| status.success())
}

/// Looks for the program and its log-in without starting it: this is done before every attempt.
fn cli_able(world: &World, name: &str, spec: &CliSpec) -> Result<(), CliError> {
    let facts = spec.kind.facts();
    let program = match &spec.acp {
        Some(command) => OsStr::new(command.split_whitespace().next().unwrap_or_default()),
        None => spec.program.as_os_str(),
    };
    if world.program(program).is_none() {
        let program = program.display();
        let said =
            format!("agent `{name}` is not installed at this place: `{program}` is not on the search path");
        return Err(CliError::environment(said));
    }
    if spec.login() == LoginSeen::No {
        let said = format!("{} is not logged in at this place", facts.title);
        return Err(CliError::environment(said)
            .hint(format!("there: {}", facts.login.how))
            .hint("or name its variable in `logins` of the place"));
    }
    Ok(())
}

/// Whether a known agent shows no log-in here.
pub(crate) fn is_logged_out(world: &World, name: &str) -> bool {
    matches!(of_name(world, name), Some(AgentSpec::Cli(spec)) if spec.login() == LoginSeen::No)
}

fn configured(world: &World, sent: &SentSettings) -> Result<RunConfig, CliError> {
    let found = Configuration::sent(&sent.toml)?;
    let over = Overrides {
        agent: sent.agent.clone(),
        sandbox: SandboxOverrides {
            mode: sent.sandbox.as_deref().and_then(SandboxWish::parse),
            unsandboxed: if sent.unsandboxed { Unsandboxed::Allowed } else { Unsandboxed::Refused },
            share: Vec::new(),
        },
        ..Overrides::default()
    };
    let trusted = found.trusted(world)?;
    let cache = world.cache_home.iter().map(|dir| dir.join("windlass")).collect();
    let sandbox = sandbox_config(world, &trusted, &over.sandbox, cache);
    let mut config = run_config(world, trusted, &over)?;
    config.sandbox = sandbox;
    for name in &sent.asked {
        if !config.agents.contains_key(name)
            && let Some(mut spec) = of_name(world, name)
        {
            with_prices(&mut spec, &config.prices);
            config.agents.insert(name.clone(), spec);
        }
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_ways_are_commands_and_nothing_of_a_name_becomes_an_option() {
        let shown = |via: &str| preset(via).map(|words| words.join(" "));
        assert_eq!(
            shown("slurm").as_deref(),
            Some("srun --unbuffered --export=HOME,LOGNAME,PATH,USER --quiet --immediate=30 windlass attend")
        );
        assert!(shown("ssh:big").unwrap().ends_with("-- big windlass attend"));
        assert!(shown("podman:img:1").unwrap().ends_with(" none img:1 windlass attend"));
        assert!(shown("docker:img:1").unwrap().starts_with("docker run --rm --interactive "));
        let pod = shown("kubernetes:reg/img:1").unwrap();
        assert!(
            pod.starts_with(
                "kubectl run windlass-{connection} --image=reg/img:1 --restart=Never --stdin --rm"
            )
        );
        assert!(pod.ends_with(" --command -- windlass attend"), "{pod}");
        for bad in
            ["", "ssh", "ssh:", "ssh:-oProxyCommand=x", "podman:--privileged", "kubernetes:", "telnet:big"]
        {
            assert_eq!(shown(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_place_needs_one_way_and_a_plain_name() {
        let world = World::for_test();
        let of = |text: &str| places(&world, &Config::load(text).unwrap()).map_err(|error| error.message);
        let one = of("[places.a]\nlaunch = [\"x\", \"y\"]\n").unwrap();
        assert_eq!(one["a"].carrier.described(), ("command", "x y".into()));
        for (text, words) in [
            ("[places.a]\n", "has no command"),
            ("[places.a]\nvia = \"ssh:a\"\nlaunch = [\"x\"]\n", "has `via` and `launch`"),
            ("[places.a]\nvia = \"fax\"\n", "is not known"),
            ("[places.a]\nvia = \"slurm\"\nnats = \"tls://b\"\n", "has `nats` and a command"),
            ("[places.a]\nnats = \"tls://b\"\nlogins = [\"KEY\"]\n", "a broker could read and keep them"),
            ("[places.\"a b\"]\nvia = \"slurm\"\n", "is no name"),
            ("[places.a]\nvia = \"slurm\"\nsandbox = \"strong\"\n", "is not a sandbox"),
        ] {
            let error = of(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
