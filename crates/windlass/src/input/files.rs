//! Reads the files of a plan, and no more than a plan can be.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use windlass_formats::{Input, TextFile};

use super::homerun_project::homerun_project;
use super::target::PlanTarget;
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
pub(super) fn read(world: &World, target: &PlanTarget) -> Result<Input, CliError> {
    match target {
        PlanTarget::Stdin => from_stdin(),
        PlanTarget::Path(path) if path.is_dir() => from_folder(world, path),
        PlanTarget::Path(path) => from_file(world, path),
    }
}

fn from_stdin() -> Result<Input, CliError> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|e| CliError::usage("cannot read standard input").because_of(Some(&e)))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(too_large("standard input"));
    }
    // Formats are detected by extensions too, and a stream has none.
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
    if let Some(project) = homerun_project(world, path)? {
        return Ok(project);
    }
    let bytes = fs::read(path).map_err(failed)?;
    let name = path.file_name().map_or_else(|| "plan".into(), |n| n.to_string_lossy().into_owned());
    let root = path.parent().map(|dir| world.shown(dir)).filter(|dir| dir != ".").unwrap_or_default();
    Ok(Input { root, files: vec![TextFile { path: name, bytes }] })
}

fn from_folder(world: &World, folder: &Path) -> Result<Input, CliError> {
    let mut gathered = Vec::new();
    gather(folder, "", 0, &mut gathered)?;
    gathered.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    let total = AtomicU64::new(0);
    let files = if gathered.len() > MOST_FILES { Vec::new() } else { read_all(&gathered, &total)? };
    if total.into_inner() > MOST_BYTES || gathered.len() > MOST_FILES {
        return Err(
            too_large(&format!("`{}`", world.shown(folder))).hint("name the plan's own folder or file")
        );
    }
    Ok(Input { root: world.shown(folder), files })
}

/// A file that may belong to a plan.
struct PlanFile {
    at: PathBuf,
    /// Below the folder, with `/`.
    path: String,
}

fn gather(dir: &Path, below: &str, depth: usize, found: &mut Vec<PlanFile>) -> Result<(), CliError> {
    let failed = |e: io::Error| CliError::file("cannot read", dir, &e);
    for entry in fs::read_dir(dir).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        // A name that is not UTF-8 belongs to no format we know.
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_dir() && depth < DEEPEST && !NEVER.contains(&name.as_str()) {
            gather(&entry.path(), &path, depth + 1, found)?;
        } else if wanted(&name) && (kind.is_file() || kind.is_symlink() && entry.path().is_file()) {
            found.push(PlanFile { at: entry.path(), path });
        }
        if found.len() > MOST_FILES {
            return Ok(());
        }
    }
    Ok(())
}

/// Reads the files up to the limit. Many files are read by two threads: most of the time is spent in the kernel.
fn read_all(found: &[PlanFile], total: &AtomicU64) -> Result<Vec<TextFile>, CliError> {
    const MANY: usize = 500;
    let read = |part: &[PlanFile]| part.iter().filter_map(|file| read_one(file, total).transpose()).collect();
    if found.len() < MANY {
        return read(found);
    }
    let (first, second) = found.split_at(found.len() / 2);
    std::thread::scope(|scope| {
        let helper = scope.spawn(|| read(second));
        let mut files: Vec<TextFile> = read(first)?;
        let rest: Result<Vec<TextFile>, CliError> =
            helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        files.append(&mut rest?);
        Ok(files)
    })
}

/// One file; none if what was read is too much already.
fn read_one(found: &PlanFile, total: &AtomicU64) -> Result<Option<TextFile>, CliError> {
    let failed = |e: io::Error| CliError::file("cannot read", &found.at, &e);
    let file = fs::File::open(&found.at).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    let before = total.fetch_add(size, Ordering::Relaxed);
    if before.saturating_add(size) > MOST_BYTES {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    file.take(size + 1).read_to_end(&mut bytes).map_err(failed)?;
    Ok(Some(TextFile { path: found.path.clone(), bytes }))
}

fn wanted(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.iter().any(|e| ending.eq_ignore_ascii_case(e)))
}

fn too_large(what: &str) -> CliError {
    CliError::usage(format!("{what} is larger than any plan: the limit is {} MB", MOST_BYTES / (1024 * 1024)))
}
