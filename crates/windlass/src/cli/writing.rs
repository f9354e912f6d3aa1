//! Writes files below a folder, never outside it and never over others by accident.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use windlass_formats::TextFile;

use super::CliError;
use crate::world::World;

/// Whether files that exist are written over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overwrite {
    /// Existing files are replaced, and task files of an earlier plan are set aside.
    Yes,
    /// Existing files are replaced, and everything else stays.
    InPlace,
    /// Existing files are kept, and the command fails.
    No,
}

/// Writes the files below `root`; a single file may be given its own name. Nothing is written if any of them exists.
pub(super) fn write_files(
    world: &World,
    root: &Path,
    files: &[TextFile],
    overwrite: Overwrite,
) -> Result<Vec<PathBuf>, CliError> {
    let places: Vec<PathBuf> = match files {
        [only] if !root.is_dir() && root.extension() == Path::new(&only.path).extension() => {
            vec![root.to_owned()]
        }
        all => all.iter().map(|f| below(root, &f.path)).collect::<Result<_, _>>()?,
    };
    if overwrite == Overwrite::No
        && let Some(exists) = places.iter().find(|p| p.exists())
    {
        return Err(CliError::usage(format!("`{}` exists", world.shown(exists)))
            .hint("choose another place with `-o`, or pass `--force`"));
    }
    if overwrite == Overwrite::Yes && files.iter().any(|f| f.path == "plan.toml") {
        set_aside(world, &root.join("tasks"), &places)?;
    }
    for (place, file) in places.iter().zip(files) {
        write(place, &file.bytes).map_err(|e| CliError::file("cannot write", place, &e))?;
    }
    Ok(places)
}

/// Renames the task files of an earlier plan, which would become part of the new one.
fn set_aside(world: &World, tasks: &Path, written: &[PathBuf]) -> Result<(), CliError> {
    let entries = fs::read_dir(tasks).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_task = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "md");
    for old in entries.filter(|path| is_task(path) && !written.contains(path)) {
        let aside = old.with_extension("md.old");
        fs::rename(&old, &aside).map_err(|e| CliError::file("cannot rename", &old, &e))?;
        let (old, aside) = (world.shown(&old), world.shown(&aside));
        world.tell(&format!("note: `{old}` is not part of the new plan; it is now `{aside}`\n"));
    }
    Ok(())
}

/// The place of a file below a root; a name that would leave the root is refused.
fn below(root: &Path, path: &str) -> Result<PathBuf, CliError> {
    let relative = Path::new(path);
    if relative.components().all(|c| matches!(c, Component::Normal(_))) {
        Ok(root.join(relative))
    } else {
        Err(CliError::usage(format!("`{path}` would be written outside the folder")))
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
    file.write_all(bytes)
}
