//! The files that decide what of a tree is ignored, and whether they are as they were.
//!
//! Those of git alone: `.gitignore` in the tree and above it up to the top of the repository, and `info/exclude`. The
//! global file of a user is left out: a plan is to be the same for everybody.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::look::{Look, is_dir, stat};
use super::table::Table;

const IGNORE: &str = ".gitignore";
const GIT: &str = ".git";

/// A directory to look below.
pub(super) fn open_dir(root: &Path) -> Option<OwnedFd> {
    rustix::fs::open(root, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok()
}

/// Whether a directory lies in a git repository.
pub(super) fn in_repository(root: &Path) -> bool {
    root.ancestors().any(|dir| dir.join(GIT).exists())
}

/// What decides about a tree with these directories, sorted.
pub(super) fn rules(root: &Path, dirs: &[String], now: u128) -> Vec<(String, Look)> {
    let Some(open) = open_dir(root) else { return Vec::new() };
    let mut found: Vec<(String, Look)> = dirs
        .par_iter()
        .with_min_len(256)
        .filter(|dir| !dir.is_empty())
        .flat_map_iter(|dir| below(root, &open, dir, now))
        .collect();
    found.extend(above(root, &open, now));
    found.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    found
}

/// Whether every file that decided before is as it was.
pub(super) fn unchanged(open: &OwnedFd, table: &Table, now: u128) -> bool {
    let rules: Vec<(&str, Look)> = table.rules().collect();
    rules.par_iter().with_min_len(256).all(|(path, before)| look(open, path, now).still(before))
}

/// Whether a directory of the tree has no other rules than it had.
pub(super) fn unchanged_in(root: &Path, open: &OwnedFd, dir: &str, table: &Table, now: u128) -> bool {
    let known = |path: &str| table.rules().any(|(known, _)| known == path);
    below(root, open, dir, now).iter().all(|(path, _)| known(path))
}

/// What stands in a directory of the tree: mostly nothing.
fn below(root: &Path, open: &OwnedFd, dir: &str, now: u128) -> Vec<(String, Look)> {
    let mut found = Vec::new();
    let at = |name: &str| if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") };
    if stat(open, at(IGNORE)).is_some() {
        found.push((at(IGNORE), look(open, &at(IGNORE), now)));
    }
    if stat(open, at(GIT)).is_some() {
        found.push((at(GIT), look(open, &at(GIT), now)));
        found.extend(excludes(&root.join(dir)).into_iter().map(|path| with_look(open, &path, now)));
    }
    found
}

/// What stands in the root and above it, up to the top of the repository; also what is not there, but would decide.
fn above(root: &Path, open: &OwnedFd, now: u128) -> Vec<(String, Look)> {
    let mut found = Vec::new();
    for dir in root.ancestors() {
        found.extend([IGNORE, GIT].map(|name| with_look(open, &dir.join(name), now)));
        if dir.join(GIT).exists() {
            found.extend(excludes(dir).into_iter().map(|path| with_look(open, &path, now)));
            break;
        }
    }
    found
}

fn with_look(open: &OwnedFd, path: &Path, now: u128) -> (String, Look) {
    match path.to_str() {
        Some(path) => (path.to_owned(), look(open, path, now)),
        // Nothing can be said about it, so nothing is believed.
        None => (String::new(), Look::UNSURE),
    }
}

fn look(open: impl AsFd, path: &str, now: u128) -> Look {
    match rustix::fs::statat(&open, path, AtFlags::empty()) {
        Ok(found) if is_dir(&found) => Look::DIRECTORY,
        Ok(found) => Look::of(&found, now),
        // A link to nothing may come to point to something.
        Err(Errno::NOENT | Errno::NOTDIR) if stat(&open, path).is_none() => Look::ABSENT,
        Err(_) => Look::UNSURE,
    }
}

/// Where a directory with a `.git` has its list of excludes. In a linked worktree that is a file which says where the
/// repository lies.
fn excludes(dir: &Path) -> Vec<PathBuf> {
    let git = dir.join(GIT);
    if !git.is_file() {
        return vec![git.join("info/exclude")];
    }
    let first_line = |path: &Path| {
        let text = std::fs::read_to_string(path).ok()?;
        text.lines().next().map(str::to_owned)
    };
    let Some(line) = first_line(&git) else { return Vec::new() };
    let Some(own) = line.strip_prefix("gitdir: ") else { return Vec::new() };
    let own = dir.join(own);
    let pointer = own.join("commondir");
    let common = first_line(&pointer).map(|line| own.join(line).join("info/exclude"));
    [pointer].into_iter().chain(common).collect()
}
