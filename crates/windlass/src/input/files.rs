//! Reads the files of a plan, and no more than a plan can be.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use windlass_core::dialect::{Input, TextFile};

use super::target::Target;
use crate::cli::CliError;
use crate::world::World;

/// The most bytes a plan may have.
const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// The most files.
const MOST_FILES: usize = 200_000;
/// How deep below the folder files are looked for.
const DEEPEST: usize = 6;
/// What plan files end in.
const ENDINGS: [&str; 5] = ["md", "json", "toml", "yaml", "yml"];
/// Folders that never hold a plan and may hold very much.
const NEVER: [&str; 6] = [".git", "node_modules", "target", ".venv", "venv", "dist"];

/// Reads what the target holds.
pub(super) fn read(world: &World, target: &Target) -> Result<Input, CliError> {
    match target {
        Target::Stdin => from_stdin(),
        Target::Path(path) if path.is_dir() => from_folder(world, path),
        Target::Path(path) => from_file(world, path),
    }
}

fn from_stdin() -> Result<Input, CliError> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|e| CliError::usage("cannot read standard input").because_of(Some(&e)))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(too_large("standard input"));
    }
    // Formats are told apart by the ends of names too, and a stream has none.
    let first = bytes.iter().find(|b| !b.is_ascii_whitespace());
    let name = if matches!(first, Some(b'{' | b'[')) { "stdin.json" } else { "stdin.md" };
    Ok(Input { root: String::new(), files: vec![TextFile { path: name.into(), bytes }] })
}

fn from_file(world: &World, path: &Path) -> Result<Input, CliError> {
    let failed = |e: io::Error| CliError::file("cannot read", path, &e);
    let meta = fs::metadata(path).map_err(failed)?;
    if !meta.is_file() {
        return Err(CliError::usage(format!("`{}` is neither a file nor a folder", world.shown(path))));
    }
    if meta.len() > MOST_BYTES {
        return Err(too_large(&format!("`{}`", world.shown(path))));
    }
    let bytes = fs::read(path).map_err(failed)?;
    let name = path.file_name().map_or_else(|| "plan".into(), |n| n.to_string_lossy().into_owned());
    let root = path.parent().map(|dir| world.shown(dir)).filter(|dir| dir != ".").unwrap_or_default();
    Ok(Input { root, files: vec![TextFile { path: name, bytes }] })
}

fn from_folder(world: &World, folder: &Path) -> Result<Input, CliError> {
    let mut gathered = Gathered::default();
    gathered.folder(folder, "", 0)?;
    if gathered.bytes > MOST_BYTES || gathered.files.len() > MOST_FILES {
        return Err(
            too_large(&format!("`{}`", world.shown(folder))).hint("name the plan's own folder or file")
        );
    }
    gathered.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Input { root: world.shown(folder), files: gathered.files })
}

/// What was found so far.
#[derive(Default)]
struct Gathered {
    files: Vec<TextFile>,
    bytes: u64,
}

impl Gathered {
    fn folder(&mut self, dir: &Path, below: &str, depth: usize) -> Result<(), CliError> {
        let failed = |e: io::Error| CliError::file("cannot read", dir, &e);
        for entry in fs::read_dir(dir).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            // A name that is not UTF-8 belongs to no format we know.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
            let kind = entry.file_type().map_err(failed)?;
            if kind.is_dir() && depth < DEEPEST && !NEVER.contains(&name.as_str()) {
                self.folder(&entry.path(), &path, depth + 1)?;
            } else if wanted(&name) && entry.path().is_file() {
                self.file(&entry.path(), path)?;
            }
            if self.bytes > MOST_BYTES || self.files.len() > MOST_FILES {
                return Ok(());
            }
        }
        Ok(())
    }

    fn file(&mut self, at: &Path, path: String) -> Result<(), CliError> {
        let failed = |e: io::Error| CliError::file("cannot read", at, &e);
        let file = fs::File::open(at).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        let left = MOST_BYTES.saturating_sub(self.bytes) + 1;
        if size > left {
            // Not worth reading: what is here is too much already.
            self.bytes += size;
            return Ok(());
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
        file.take(left).read_to_end(&mut bytes).map_err(failed)?;
        self.bytes += bytes.len() as u64;
        self.files.push(TextFile { path, bytes });
        Ok(())
    }
}

fn wanted(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.iter().any(|e| ending.eq_ignore_ascii_case(e)))
}

fn too_large(what: &str) -> CliError {
    CliError::usage(format!("{what} is larger than any plan: the limit is {} MB", MOST_BYTES / (1024 * 1024)))
}
