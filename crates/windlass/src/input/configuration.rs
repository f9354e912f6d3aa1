//! Finds and reads `windlass.toml`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use windlass_core::diagnostic::Sources;

use crate::cli::CliError;
use crate::config::Config;
use crate::render;
use crate::world::World;

/// The name of the file.
pub(crate) const FILE: &str = "windlass.toml";

/// The configuration in force, and where it comes from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Configuration {
    /// What it says.
    pub(crate) config: Config,
    /// The directory of the file; paths in it are relative to this. `None` where there is no file.
    pub(crate) dir: Option<PathBuf>,
}

impl Configuration {
    /// The nearest `windlass.toml` from where the user stands up to the top of the checkout; defaults without one.
    pub(crate) fn find(world: &World) -> Result<Self, CliError> {
        for dir in world.cwd.ancestors() {
            let path = dir.join(FILE);
            match fs::read_to_string(&path) {
                Ok(text) => return Self::read(world, &text, &path),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(CliError::file("cannot read", &path, &error)),
            }
            if dir.join(".git").exists() {
                break;
            }
        }
        Ok(Self::default())
    }

    fn read(world: &World, text: &str, path: &Path) -> Result<Self, CliError> {
        let found = match Config::load(text) {
            Ok(config) => return Ok(Self { config, dir: path.parent().map(Path::to_owned) }),
            Err(found) => found,
        };
        let mut sources = Sources::default();
        sources.add(world.shown(path), text);
        world.tell(&render::human(&found, &sources, &world.err, usize::MAX));
        let n = found.len();
        let what = if n == 1 { "a mistake".into() } else { format!("{n} mistakes") };
        Err(CliError::usage(format!("`{}` has {what}", world.shown(path))))
    }
}
