//! The files that decide which files of a tree are ignored, and whether they changed.
//!
//! Those of git alone: `.gitignore` in the tree and above it up to the top of the repository, and `info/exclude`. The
//! global file of a user is left out, so that every user gets the same plan.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::stamp::{Stamp, is_dir, stat};

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

/// The rule files of a tree with these directories, sorted.
pub(super) fn rules(root: &Path, dirs: &[String], now: u128) -> Vec<(String, Stamp)> {
    let Some(open) = open_dir(root) else { return Vec::new() };
    let mut found: Vec<(String, Stamp)> = dirs
        .par_iter()
        .with_min_len(256)
        .filter(|dir| !dir.is_empty())
        .flat_map_iter(|dir| below(root, &open, dir, now))
        .collect();
    found.extend(above(root, &open, now));
    found.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    found
}

/// Whether all rule files are unchanged.
pub(super) fn unchanged(open: &OwnedFd, rules: &[(String, Stamp)], now: u128) -> bool {
    rules.par_iter().with_min_len(256).all(|(path, before)| stamp(open, path, now).is_same(before))
}

/// Whether a directory of the tree has no other rules than it had.
pub(super) fn unchanged_in(
    root: &Path,
    open: &OwnedFd,
    dir: &str,
    rules: &[(String, Stamp)],
    now: u128,
) -> bool {
    let known = |path: &str| rules.iter().any(|(known, _)| known == path);
    below(root, open, dir, now).iter().all(|(path, _)| known(path))
}

/// The rule files in a directory of the tree; mostly none.
fn below(root: &Path, open: &OwnedFd, dir: &str, now: u128) -> Vec<(String, Stamp)> {
    let mut found = Vec::new();
    let at = |name: &str| if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") };
    if stat(open, at(IGNORE)).is_some() {
        found.push((at(IGNORE), stamp(open, &at(IGNORE), now)));
    }
    if stat(open, at(GIT)).is_some() {
        found.push((at(GIT), stamp(open, &at(GIT), now)));
        found.extend(excludes(&root.join(dir)).into_iter().map(|path| with_stamp(open, &path, now)));
    }
    found
}

/// The rule files in the root and above it, up to the top of the repository; also absent ones, which would count if they
/// appeared.
fn above(root: &Path, open: &OwnedFd, now: u128) -> Vec<(String, Stamp)> {
    let mut found = Vec::new();
    for dir in root.ancestors() {
        found.extend([IGNORE, GIT].map(|name| with_stamp(open, &dir.join(name), now)));
        if dir.join(GIT).exists() {
            found.extend(excludes(dir).into_iter().map(|path| with_stamp(open, &path, now)));
            break;
        }
    }
    found
}

fn with_stamp(open: &OwnedFd, path: &Path, now: u128) -> (String, Stamp) {
    match path.to_str() {
        Some(path) => (path.to_owned(), stamp(open, path, now)),
        // Nothing can be said about it, so nothing is believed.
        None => (String::new(), Stamp::UNSURE),
    }
}

fn stamp(open: impl AsFd, path: &str, now: u128) -> Stamp {
    match rustix::fs::statat(&open, path, AtFlags::empty()) {
        Ok(found) if is_dir(&found) => Stamp::DIRECTORY,
        Ok(found) => Stamp::of(&found, now),
        // A link to nothing may come to point to something.
        Err(Errno::NOENT | Errno::NOTDIR) if stat(&open, path).is_none() => Stamp::ABSENT,
        Err(_) => Stamp::UNSURE,
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
