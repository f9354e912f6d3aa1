//! Accounts by program: from the configuration to the pools that agents share.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use windlass_engine::agent::cli::{Account, AccountPool, CliKind};
use windlass_engine::config::AgentSpec;

use crate::cli::CliError;
use crate::config::Config;
use crate::world::World;

/// Gives every agent of a program with several accounts the pool of that program.
pub(super) fn share_accounts(
    world: &World,
    config: &Config,
    agents: &mut BTreeMap<String, AgentSpec>,
) -> Result<(), CliError> {
    for (program, accounts) in &config.accounts {
        let kind = CliKind::parse(program).ok_or_else(|| {
            let known: Vec<&str> = CliKind::ALL.iter().map(|kind| kind.as_str()).collect();
            CliError::usage(format!("`accounts.{program}` is not a known program"))
                .hint(format!("known: {}", known.join(", ")))
        })?;
        let specs = || {
            agents.values().filter_map(|spec| {
                if let AgentSpec::Cli(cli) = spec
                    && cli.kind == kind
                {
                    cli.pool.clone()
                } else {
                    None
                }
            })
        };
        let pool = if let Some(pool) = specs().next() {
            Some(pool)
        } else {
            let made = accounts.iter().enumerate().map(|(at, keys)| {
                let name = keys.name.clone().unwrap_or_else(|| (at + 1).to_string());
                account(world, kind, &name, keys.home.as_deref(), keys.key_env.as_deref())
            });
            AccountPool::new(made.collect::<Result<_, _>>()?).map(Arc::new)
        };
        let Some(pool) = pool else { continue };
        for spec in agents.values_mut() {
            if let AgentSpec::Cli(cli) = spec
                && cli.kind == kind
                && cli.pool.is_none()
            {
                // Whether there is a login is asked of the first account.
                **cli = pool.with_account(0, cli);
                cli.pool = Some(Arc::clone(&pool));
            }
        }
    }
    Ok(())
}

fn account(
    world: &World,
    kind: CliKind,
    name: &str,
    home: Option<&str>,
    key_env: Option<&str>,
) -> Result<Account, CliError> {
    let title = format!("account `{name}` of `{}`", kind.as_str());
    let home = home.map(|dir| match (dir.strip_prefix("~/"), &world.home) {
        (Some(below), Some(home)) => home.join(below),
        _ => PathBuf::from(dir),
    });
    if let Some(missing) = home.as_ref().filter(|dir| !dir.is_dir()) {
        return Err(CliError::environment(format!(
            "the home of {title} is not there: `{}`",
            missing.display()
        ))
        .hint(format!("make it, and log in: `HOME={} {}`", missing.display(), kind.as_str())));
    }
    let key = match key_env {
        None => None,
        Some(variable) => {
            let set =
                world.env_of([variable]).pop().filter(|(_, value)| !value.is_empty()).ok_or_else(|| {
                    CliError::environment(format!(
                        "the key of {title} is expected in `{variable}`, which is not set"
                    ))
                    .hint(format!("set `{variable}`, or leave the account out"))
                })?;
            kind.facts().login.keys.first().map(|read| (read.into(), set.1))
        }
    };
    if home.is_none() && key.is_none() {
        return Err(CliError::usage(format!("{title} has neither a `home` nor a `key_env`"))
            .hint("`home` is a directory with a login of its own, `key_env` the variable with its key"));
    }
    Ok(Account { name: name.to_owned(), home, key })
}
