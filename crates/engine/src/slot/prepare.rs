//! Resets a slot to a commit: leftovers are removed, build caches stay.

use std::collections::HashSet;
use std::fs::{self, DirEntry, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use windlass_core::ids::Oid;

use super::error::SlotError;
use crate::git::{GITLINK, IgnoreRules, Repo, TreeEntry, is_below};
use crate::removal::remove_any;

/// Makes the files in `dir` those of `commit` without what is hidden.
pub(super) fn prepare(
    repo: &Repo,
    commit: &Oid,
    hide: &[&str],
    dir: &Path,
    index: &Path,
) -> Result<(), SlotError> {
    let entries = repo.ls_tree(&repo.tree_of(commit)?)?;
    let tree = repo.tree_without(commit, &entries, hide)?;
    let rules = IgnoreRules::of_tree(repo, &entries)?;
    let cleaner = Cleaner::new(&entries, &rules, hide);
    cleaner.clean(dir).map_err(|source| SlotError::io("cannot clean", dir, source))?;
    // Both take long in a large repository, and neither needs the other.
    let (laid, begun) = std::thread::scope(|scope| {
        let begun = scope.spawn(|| repo.begin_private(commit, &tree, dir));
        (repo.lay_down(&tree, dir, index), begun.join())
    });
    laid?;
    let begun = begun.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    repo.finish_private(&begun, dir, Some(index))?;
    Ok(())
}

/// Decides which files stay.
struct Cleaner<'a> {
    files: HashSet<&'a str>,
    dirs: HashSet<&'a str>,
    rules: &'a IgnoreRules,
    hide: &'a [&'a str],
}

/// One directory still to be listed.
struct UncleanedDir {
    path: PathBuf,
    relative: PathBuf,
    ignored: bool,
}

impl<'a> Cleaner<'a> {
    fn new(entries: &'a [TreeEntry], rules: &'a IgnoreRules, hide: &'a [&'a str]) -> Self {
        let mut files = HashSet::new();
        let mut dirs = HashSet::new();
        for entry in entries {
            if hide.iter().any(|prefix| is_below(&entry.path, prefix)) {
                continue;
            }
            let own = if entry.mode == GITLINK { &mut dirs } else { &mut files };
            own.insert(entry.path.as_str());
            dirs.extend(entry.path.match_indices('/').map(|(at, _)| &entry.path[..at]));
        }
        Self { files, dirs, rules, hide }
    }

    /// Removes everything that is neither tracked nor ignored. Tracked files are left for git to compare.
    fn clean(&self, top: &Path) -> io::Result<()> {
        let mut pending =
            vec![UncleanedDir { path: top.to_owned(), relative: PathBuf::new(), ignored: false }];
        let mut maybe_empty = Vec::new();
        while let Some(dir) = pending.pop() {
            for entry in list(&dir.path)? {
                let entry = entry?;
                let Some(below) = self.look_at(&dir, &entry)? else { continue };
                if !below.relative.to_str().is_some_and(|path| self.dirs.contains(path)) {
                    maybe_empty.push(below.path.clone());
                }
                pending.push(below);
            }
        }
        for dir in maybe_empty.iter().rev() {
            // Not empty: something ignored lies in it.
            let _ = fs::remove_dir(dir);
        }
        Ok(())
    }

    /// Removes an entry or leaves it; a directory to be looked into is returned.
    fn look_at(&self, dir: &UncleanedDir, entry: &DirEntry) -> io::Result<Option<UncleanedDir>> {
        let kind = entry.file_type()?;
        let (path, relative) = (entry.path(), dir.relative.join(entry.file_name()));
        let name = relative.to_str();
        let is_dir_of_tree = name.is_some_and(|name| self.dirs.contains(name));
        let is_file_of_tree = name.is_some_and(|name| self.files.contains(name));
        let hidden = name.is_some_and(|name| self.hide.iter().any(|prefix| is_below(name, prefix)));
        let ignored = dir.ignored || self.rules.ignores(&relative, kind.is_dir());

        let in_the_way = if kind.is_dir() { is_file_of_tree } else { is_dir_of_tree };
        let repository = entry.file_name() == ".git" && !dir.ignored;
        if hidden || in_the_way || repository {
            remove_any(&path)?;
        } else if kind.is_dir() && (is_dir_of_tree || !ignored) {
            return Ok(Some(UncleanedDir { path, relative, ignored }));
        } else if !is_file_of_tree && !ignored {
            remove_any(&path)?;
        }
        Ok(None)
    }
}

/// Lists a directory, restoring its permissions first.
pub(super) fn list(dir: &Path) -> io::Result<fs::ReadDir> {
    let mode = fs::symlink_metadata(dir)?.permissions().mode();
    if mode & 0o700 != 0o700 {
        fs::set_permissions(dir, Permissions::from_mode(0o755))?;
    }
    fs::read_dir(dir)
}
