//! Trust in what a repository's `windlass.toml` sets beyond the sandbox.
//!
//! It is kept in the user's state directory, never in the repository: a file per pair of path and settings. An edit of one of
//! the settings, or the same settings elsewhere, need trust of their own.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::CliError;
use crate::config::HostSetting;
use crate::world::World;

/// What is or is not trusted.
#[derive(Debug)]
pub(crate) struct Trust<'a> {
    file: PathBuf,
    settings: &'a [HostSetting],
    /// Where the record lies; `None` without a home.
    record: Option<PathBuf>,
}

impl<'a> Trust<'a> {
    pub(crate) fn new(world: &World, file: &Path, settings: &'a [HostSetting]) -> Self {
        let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        let mut hash = blake3::Hasher::new();
        hash.update(file.as_os_str().as_encoded_bytes());
        for HostSetting { key, value } in settings {
            hash.update(format!("\0{key}={value}").as_bytes());
        }
        let name = hash.finalize().to_hex();
        let record = world.state_home.as_ref().map(|dir| dir.join("windlass/trusted").join(&name[..32]));
        Self { file, settings, record }
    }

    /// Whether the user has trusted exactly these settings here.
    pub(crate) fn is_given(&self) -> bool {
        self.record.as_ref().is_some_and(|record| record.is_file())
    }

    /// The settings, one per line, below a heading.
    pub(crate) fn words(&self, world: &World) -> String {
        let lines: Vec<String> =
            self.settings.iter().map(|s| format!("  {} = {}\n", s.key, s.value)).collect();
        let file = world.shown(&self.file);
        format!("`{file}` sets what reaches beyond the sandbox:\n{}", lines.concat())
    }

    /// Records the trust.
    pub(crate) fn give(&self, world: &World) -> Result<(), CliError> {
        let Some(record) = &self.record else {
            return Err(CliError::environment(
                "neither `HOME` nor `XDG_STATE_HOME` says where trust is kept",
            )
            .hint("set `HOME`"));
        };
        let dir = record.parent().unwrap_or(record);
        fs::create_dir_all(dir).map_err(|e| CliError::file("cannot make", dir, &e))?;
        fs::write(record, self.words(world)).map_err(|e| CliError::file("cannot write", record, &e))
    }

    /// Takes the trust back; `false` if there was none.
    pub(crate) fn take_back(&self) -> Result<bool, CliError> {
        match self.record.as_ref().filter(|record| record.is_file()) {
            None => Ok(false),
            Some(record) => fs::remove_file(record)
                .map(|()| true)
                .map_err(|e| CliError::file("cannot remove", record, &e)),
        }
    }

    /// Asks a person, or refuses where there is none.
    pub(crate) fn ask_or_refuse(&self, world: &World) -> Result<(), CliError> {
        world.tell(&self.words(world));
        if world.can_ask && world.ask("Trust these settings? [y/N] ")? {
            return self.give(world);
        }
        Err(CliError::blocked(format!("the settings of `{}` are not trusted", world.shown(&self.file)))
            .hint("read them, then `windlass trust`")
            .hint("where the file is reviewed elsewhere, as in CI: `WINDLASS_TRUST=1`"))
    }
}
