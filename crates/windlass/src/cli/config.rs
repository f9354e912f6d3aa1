//! `windlass config`: which settings count, and which file sets each.

use std::fmt::Write as _;
use std::path::Path;

use clap::Args;
use serde_json::json;

use super::{CliError, Exit};
use crate::config::defaults;
use crate::input::{Configuration, SetKey};
use crate::world::World;

/// Show which settings count here, and which file sets each
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ConfigArgs {
    /// Show the settings. This is what the command does without an option, too.
    #[arg(long)]
    show: bool,

    /// Show keys that have their default as well.
    #[arg(long)]
    all: bool,

    /// Only keys whose name begins so: `limits`, `agents.claude`.
    #[arg(value_name = "KEY")]
    key: Option<String>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass config --show              what windlass.toml and your own file set
  windlass config --all limits        limits with their defaults

Your own file is ~/.config/windlass/config.toml; it takes the keys of windlass.toml, and windlass.toml counts more.";

/// Shows every key that is set, with its place.
pub(crate) fn cmd_config(world: &World, args: &ConfigArgs) -> Result<Exit, CliError> {
    let configuration = Configuration::find(world)?;
    let wanted = |key: &str| {
        args.key.as_deref().is_none_or(|prefix| {
            key.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    let mut set = configuration.set_keys(world);
    set.retain(|key| wanted(&key.key));
    let mut others = defaults();
    others.retain(|(key, _)| wanted(key) && !set.iter().any(|s| s.key == *key));
    if set.is_empty()
        && others.is_empty()
        && let Some(key) = &args.key
    {
        return Err(CliError::usage(format!("there is no key `{key}`"))
            .hint("`windlass explain windlass.toml` lists every key"));
    }
    let text = if args.json {
        in_json(&configuration, world, &set, if args.all { &others } else { &[] })?
    } else {
        in_words(&configuration, world, &set, &others, args.all)
    };
    world.print(&text)?;
    Ok(Exit::Fine)
}

fn in_json(
    configuration: &Configuration,
    world: &World,
    set: &[SetKey],
    others: &[(String, String)],
) -> Result<String, CliError> {
    let place = |(path, line): &(std::path::PathBuf, usize)| json!({ "file": path, "line": line });
    let mut keys: Vec<serde_json::Value> = Vec::new();
    for SetKey { key, value, places, untrusted } in set {
        let value = serde_json::to_value(value)?;
        let places: Vec<_> = places.iter().map(place).collect();
        keys.push(json!({ "key": key, "value": value, "from": places.first(), "hides": places.get(1..),
            "untrusted": untrusted }));
    }
    keys.extend(others.iter().map(|(key, value)| json!({ "key": key, "default": value, "from": null })));
    let files: Vec<&Path> = configuration.paths().collect();
    let own = Configuration::own_path(world);
    let doc = json!({ "schema": "windlass.config/1", "files": files, "own": own, "keys": keys });
    Ok(serde_json::to_string_pretty(&doc)? + "\n")
}

fn in_words(
    configuration: &Configuration,
    world: &World,
    set: &[SetKey],
    others: &[(String, String)],
    all: bool,
) -> String {
    let mut rows: Vec<(String, String)> = Vec::new();
    for SetKey { key, value, places, untrusted } in set {
        let from: Vec<String> =
            places.iter().map(|(path, line)| format!("{}:{line}", at_home(world, path))).collect();
        let mut from = from.join(", instead of ");
        if *untrusted {
            from.push_str(" (no effect before `windlass trust`)");
        }
        rows.push((format!("{key} = {value}"), from));
    }
    if all {
        rows.extend(others.iter().map(|(key, value)| (format!("{key} = {value}"), "default".into())));
    }
    let width = rows.iter().map(|(said, _)| said.chars().count()).filter(|n| *n <= 60).max().unwrap_or(0);
    let mut text = String::new();
    for (said, from) in &rows {
        let _ = writeln!(text, "{said:width$}  {from}");
    }
    if rows.is_empty() {
        text.push_str("no file sets anything here\n");
    }
    if !all && !others.is_empty() {
        let _ = writeln!(text, "\n{} other keys have their defaults; `--all` shows them", others.len());
    }
    if let Some(own) = Configuration::own_path(world)
        && !configuration.paths().any(|path| path == own)
    {
        let _ = writeln!(text, "there is no file of your own; it would be {}", at_home(world, &own));
    }
    text
}

/// A path as the user would write it, with `~` for the home.
fn at_home(world: &World, path: &Path) -> String {
    match world.home.as_ref().and_then(|home| path.strip_prefix(home).ok()) {
        Some(below) if !path.starts_with(&world.cwd) => format!("~/{}", below.display()),
        _ => world.shown(path),
    }
}
