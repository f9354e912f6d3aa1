//! Finds and reads `windlass.toml`: the repository's, above the user's own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::{Table, Value};
use windlass_core::diagnostic::Sources;
use windlass_formats::StateLimits;

use crate::cli::CliError;
use crate::config::{Config, HostSetting, host_settings};
use crate::render;
use crate::trust::Trust;
use crate::world::World;

/// The name of the file.
pub(crate) const FILE: &str = "windlass.toml";

/// The configuration in force, and where it comes from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Configuration {
    /// What it says.
    pub(crate) config: Config,
    /// The directory of the repository's file; paths in it are relative to this. `None` where there is no file.
    pub(crate) dir: Option<PathBuf>,
    /// What the repository's file sets beyond the sandbox.
    host: Vec<HostSetting>,
    /// The keys that a file sets, the repository's above the user's.
    set: Table,
}

/// A configuration whose settings beyond the sandbox the user has trusted. Nothing runs with any other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TrustedConfig<'a>(&'a Config);

impl std::ops::Deref for TrustedConfig<'_> {
    type Target = Config;

    fn deref(&self) -> &Config {
        self.0
    }
}

impl Configuration {
    /// The nearest `windlass.toml` from where the user stands up to the top of the checkout, above the user's own file;
    /// defaults without one.
    pub(crate) fn find(world: &World) -> Result<Self, CliError> {
        let own = match world.config_home.as_ref().map(|dir| dir.join("windlass").join(FILE)) {
            Some(path) => read(world, &path)?,
            None => None,
        };
        for dir in world.cwd.ancestors() {
            if let Some((config, table)) = read(world, &dir.join(FILE))? {
                let host = host_settings(&table);
                let (config, set) = match own {
                    Some((_, below)) => both(world, below, table)?,
                    None => (config, table),
                };
                return Ok(Self { config, dir: Some(dir.to_owned()), host, set });
            }
            if dir.join(".git").exists() {
                break;
            }
        }
        let (config, set) = own.unwrap_or_default();
        Ok(Self { config, set, ..Self::default() })
    }

    /// Takes the limits that a plan's own state file sets; a key of `windlass.toml` overrides them.
    pub(crate) fn take_limits(&mut self, limits: &StateLimits) {
        let set = |section: &str, key: &str| self.set.get(section).is_some_and(|s| s.get(key).is_some());
        let ladder = &mut self.config.ladder;
        let rungs = [
            ("same_agent", limits.same_agent, &mut ladder.same_agent),
            ("fresh_agent", limits.fresh_agent, &mut ladder.fresh_agent),
            ("identical", limits.identical_rejections, &mut ladder.identical),
            ("rounds_without_progress", limits.idle_rounds, &mut ladder.rounds_without_progress),
        ];
        for (key, said, value) in rungs {
            if let Some(said) = said.filter(|_| !set("ladder", key)) {
                *value = u32::try_from(said).unwrap_or(u32::MAX);
            }
        }
        if let Some(minutes) = limits.timeout_minutes.filter(|_| !set("limits", "attempt")) {
            self.config.limits.attempt = Duration::from_secs(minutes.saturating_mul(60));
        }
        if let Some(auto) = limits.auto_mode.filter(|_| !self.set.contains_key("auto_mode")) {
            self.config.auto_mode = auto;
        }
    }

    /// The settings beyond the sandbox that the user has not trusted yet.
    pub(crate) fn untrusted(&self, world: &World) -> &[HostSetting] {
        if self.host.is_empty() || world.trusts_all || self.trust(world).is_some_and(|t| t.is_given()) {
            &[]
        } else {
            &self.host
        }
    }

    /// The trust in what the repository's file sets beyond the sandbox; `None` where there is nothing to trust.
    pub(crate) fn trust(&self, world: &World) -> Option<Trust<'_>> {
        let dir = self.dir.as_ref().filter(|_| !self.host.is_empty())?;
        Some(Trust::new(world, &dir.join(FILE), &self.host))
    }

    /// The configuration for something that runs. Asks on a terminal, refuses elsewhere, if the repository sets what the
    /// user has not trusted.
    pub(crate) fn trusted(&self, world: &World) -> Result<TrustedConfig<'_>, CliError> {
        if !self.untrusted(world).is_empty()
            && let Some(trust) = self.trust(world)
        {
            trust.ask_or_refuse(world)?;
        }
        Ok(TrustedConfig(&self.config))
    }
}

/// Reads one file; `None` where there is none.
fn read(world: &World, path: &Path) -> Result<Option<(Config, Table)>, CliError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(CliError::file("cannot read", path, &error)),
    };
    let found = match (Config::load(&text), text.parse::<Table>()) {
        (Ok(config), Ok(table)) => return Ok(Some((config, table))),
        (Ok(_), Err(error)) => return Err(CliError::usage(error.to_string())),
        (Err(found), _) => found,
    };
    let mut sources = Sources::default();
    sources.add(world.shown(path), &text);
    world.tell(&render::human(&found, &sources, &world.err, usize::MAX));
    let n = found.len();
    let what = if n == 1 { "a mistake".into() } else { format!("{n} mistakes") };
    Err(CliError::usage(format!("`{}` has {what}", world.shown(path))))
}

/// Both files together: the repository's keys above the user's.
fn both(world: &World, mut own: Table, repository: Table) -> Result<(Config, Table), CliError> {
    lay_over(&mut own, repository);
    // Each file was sound alone; together they have no key that neither has.
    let config = Config::load(&own.to_string()).map_err(|found| {
        let said: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
        let own = world.config_home.clone().unwrap_or_default().join("windlass").join(FILE);
        CliError::usage(format!(
            "`{}` and `{FILE}` contradict each other: {}",
            own.display(),
            said.join("; ")
        ))
    })?;
    Ok((config, own))
}

fn lay_over(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => lay_over(below, above),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}
