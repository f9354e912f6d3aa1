//! Finds and reads the configuration: the repository's `windlass.toml`, above the user's own `config.toml`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::de::DeTable;
use toml::{Table, Value};
use windlass_core::diagnostic::Sources;
use windlass_formats::StateLimits;

use crate::cli::CliError;
use crate::config::{Config, HostSetting, host_settings};
use crate::render;
use crate::trust::Trust;
use crate::world::World;

/// The name of a repository's file.
pub(crate) const FILE: &str = "windlass.toml";
/// The names of the user's own file in `windlass/` of the configuration directory; the first that exists is read.
const OWN: [&str; 2] = ["config.toml", FILE];

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
    /// The files that were read, the one that counts most first.
    files: Vec<ConfigFile>,
}

/// A file of the configuration.
#[derive(Debug, Clone)]
struct ConfigFile {
    path: PathBuf,
    text: String,
    table: Table,
}

/// A key that a file sets.
#[derive(Debug)]
pub(crate) struct SetKey {
    /// Its full name.
    pub(crate) key: String,
    /// Its value.
    pub(crate) value: Value,
    /// The files that set it, with the line: the one that counts, then those it hides.
    pub(crate) places: Vec<(PathBuf, usize)>,
    /// Whether it is without effect until `windlass trust`.
    pub(crate) untrusted: bool,
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
        let mut found = Self::default();
        if let Some((config, file)) = own_file(world)? {
            (found.config, found.set) = (config, file.table.clone());
            found.files.push(file);
        }
        for dir in world.cwd.ancestors() {
            if let Some((config, file)) = read(world, &dir.join(FILE))? {
                found.host = host_settings(&file.table);
                found.dir = Some(dir.to_owned());
                found.config = match found.files.first() {
                    Some(own) => both(world, own, &file, &mut found.set)?,
                    None => config,
                };
                if found.files.is_empty() {
                    found.set = file.table.clone();
                }
                found.files.insert(0, file);
                break;
            }
            if dir.join(".git").exists() {
                break;
            }
        }
        Ok(found)
    }

    /// Every key that a file sets, in the order of their names.
    pub(crate) fn set_keys(&self, world: &World) -> Vec<SetKey> {
        let mut leaves = Vec::new();
        leaves_of(&self.set, &mut Vec::new(), &mut leaves);
        let untrusted = self.untrusted(world);
        let told = |(path, value): (Vec<String>, Value)| {
            let setters = self.files.iter().filter(|file| value_at(&file.table, &path).is_some());
            let key = path.join(".");
            SetKey {
                places: setters.map(|file| (file.path.clone(), line_of(&file.text, &path))).collect(),
                untrusted: untrusted.iter().any(|setting| setting.key == key),
                key,
                value,
            }
        };
        leaves.into_iter().map(told).collect()
    }

    /// The files that were read, the one that counts most first.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| file.path.as_path())
    }

    /// Where the user's own file is, or would be; `None` without a home.
    pub(crate) fn own_path(world: &World) -> Option<PathBuf> {
        let dir = world.config_home.as_ref()?.join("windlass");
        let existing = OWN.iter().map(|name| dir.join(name)).find(|path| path.exists());
        Some(existing.unwrap_or_else(|| dir.join(OWN[0])))
    }

    /// The configuration that a coordinator sent to this place. It is the coordinator's user who started this program.
    pub(crate) fn sent(text: &str) -> Result<Self, CliError> {
        let config = Config::load(text).map_err(|found| {
            let said: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
            CliError::usage(format!("the settings that were sent cannot be read: {}", said.join("; ")))
        })?;
        Ok(Self { config, ..Self::default() })
    }

    /// The settings in force for other machines: without what is about this one.
    pub(crate) fn text_for_places(&self) -> String {
        let mut set = self.set.clone();
        for about_here in ["places", "notify", "plan", "accounts"] {
            set.remove(about_here);
        }
        set.to_string()
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

/// Reads the user's own file.
fn own_file(world: &World) -> Result<Option<(Config, ConfigFile)>, CliError> {
    match Configuration::own_path(world) {
        Some(path) => read(world, &path),
        None => Ok(None),
    }
}

/// Reads one file; `None` where there is none.
fn read(world: &World, path: &Path) -> Result<Option<(Config, ConfigFile)>, CliError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(CliError::file("cannot read", path, &error)),
    };
    refuse_newer(world, path, &text)?;
    let found = match (Config::load(&text), text.parse::<Table>()) {
        (Ok(config), Ok(table)) => {
            return Ok(Some((config, ConfigFile { path: path.to_owned(), text, table })));
        }
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

/// Refuses a file for a newer program before its keys are called mistakes.
fn refuse_newer(world: &World, path: &Path, text: &str) -> Result<(), CliError> {
    let own = env!("CARGO_PKG_VERSION");
    let numbers = |version: &str| -> Vec<u64> {
        version.split(['.', '-', '+']).map_while(|part| part.parse().ok()).take(3).collect()
    };
    let table = text.parse::<Table>().ok();
    let needs = table.as_ref().and_then(|table| table.get("needs")?.as_str()).unwrap_or_default();
    if numbers(needs) <= numbers(own) {
        return Ok(());
    }
    let said = format!("`{}` needs Windlass {needs}, and this is {own}", world.shown(path));
    Err(CliError::environment(said).hint("install a newer Windlass, or take the key `needs` away"))
}

/// Both files together: the repository's keys above the user's, which `set` holds.
fn both(
    world: &World,
    own: &ConfigFile,
    repository: &ConfigFile,
    set: &mut Table,
) -> Result<Config, CliError> {
    lay_over(set, repository.table.clone());
    // Each file was sound alone; together they have no key that neither has.
    Config::load(&set.to_string()).map_err(|found| {
        let said: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
        let (own, here) = (world.shown(&own.path), world.shown(&repository.path));
        CliError::usage(format!("`{own}` and `{here}` contradict each other: {}", said.join("; ")))
    })
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

/// The values of a table that are no tables, with their paths.
fn leaves_of(table: &Table, above: &mut Vec<String>, leaves: &mut Vec<(Vec<String>, Value)>) {
    for (key, value) in table {
        above.push(key.clone());
        match value {
            Value::Table(inner) if !inner.is_empty() => leaves_of(inner, above, leaves),
            value => leaves.push((above.clone(), value.clone())),
        }
        above.pop();
    }
}

fn value_at<'t>(table: &'t Table, path: &[String]) -> Option<&'t Value> {
    let (last, above) = path.split_last()?;
    above.iter().try_fold(table, |table, key| table.get(key)?.as_table())?.get(last)
}

/// The line of a key, from 1.
fn line_of(text: &str, path: &[String]) -> usize {
    let (root, _) = DeTable::parse_recoverable(text);
    let mut table = root.get_ref();
    let mut start = 0;
    for key in path {
        let Some((found, value)) = table.iter().find(|(name, _)| name.get_ref().as_ref() == key) else {
            break;
        };
        start = found.span().start;
        match value.get_ref().as_table() {
            Some(inner) => table = inner,
            None => break,
        }
    }
    text.get(..start).map_or(0, |before| before.matches('\n').count()) + 1
}
