//! Exports of trees for verification: commands may write to one, and the changes are discarded.

use std::ffi::OsString;
use std::fs::{self, File, FileTimes, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use windlass_core::ids::Oid;

use super::base::{Base, BaseAge, Bases};
use super::error::SlotError;
use super::overlay_changes;
use crate::git::Repo;
use crate::random_token::random_token;
use crate::removal::{RemovalQueue, remove_any};

/// Byte code caches and build tools compare whole seconds.
const APART: Duration = Duration::from_secs(2);

/// The modification time of a file that takes the place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileAge {
    /// That of the file it replaces.
    Kept,
    /// Now, and later than the file it replaces by more than a cache could overlook.
    New,
}

/// A tree for commands to run in; changes are discarded when dropped.
#[derive(Debug)]
pub struct ExportedTree {
    dir: PathBuf,
    below: Below,
    /// What removes it; it does so itself if there is none.
    removals: Option<Arc<RemovalQueue>>,
}

/// Where the unmodified files are.
#[derive(Debug)]
enum Below {
    /// In the same directory; the index beside it lists what was checked out.
    Here { index: PathBuf },
    /// In a base, which the directory is laid over.
    Base(Arc<Base>),
}

/// Checks out `treeish` in `dir` without the paths below the prefixes in `hide`. Earlier content of `dir` is wiped.
pub fn export(repo: &Repo, treeish: &Oid, dir: &Path, hide: &[&str]) -> Result<ExportedTree, SlotError> {
    // From here on a failure wipes what was begun.
    let index = beside(dir, ".index");
    let below = Below::Here { index: index.clone() };
    let export = ExportedTree { dir: dir.to_owned(), below, removals: None };
    remove_any(dir).map_err(|source| SlotError::io("cannot wipe", dir, source))?;
    repo.materialise(&visible(repo, treeish, hide)?, dir, &index)?;
    Ok(export)
}

/// The same as an overlay on a base: `dir` holds only changes.
pub fn export_over(
    bases: &Bases,
    repo: &Repo,
    treeish: &Oid,
    dir: &Path,
    hide: &[&str],
    age: BaseAge,
) -> Result<ExportedTree, SlotError> {
    let base = bases.take(repo, &visible(repo, treeish, hide)?, age)?;
    ExportedTree::over(Arc::new(base), dir)
}

fn visible(repo: &Repo, treeish: &Oid, hide: &[&str]) -> Result<Oid, SlotError> {
    if hide.is_empty() {
        return Ok(treeish.clone());
    }
    Ok(repo.tree_without(treeish, &repo.ls_tree(treeish)?, hide)?)
}

impl ExportedTree {
    fn over(base: Arc<Base>, dir: &Path) -> Result<Self, SlotError> {
        let export = Self { dir: dir.to_owned(), below: Below::Base(base), removals: None };
        remove_any(dir).map_err(|source| SlotError::io("cannot wipe", dir, source))?;
        fs::create_dir_all(dir).map_err(|source| SlotError::io("cannot make", dir, source))?;
        Ok(export)
    }

    /// The same, removed by a queue after it is dropped.
    pub(crate) fn removed_by(mut self, removals: &Arc<RemovalQueue>) -> Self {
        self.removals = Some(Arc::clone(removals));
        self
    }

    /// The directory for changes. It contains the tree as well, unless there is a base.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The base directory of an overlay.
    pub fn base(&self) -> Option<&Path> {
        match &self.below {
            Below::Here { .. } => None,
            Below::Base(base) => Some(base.tree()),
        }
    }

    /// A second, unmodified export of the tree; `None` if that would need a checkout.
    pub(crate) fn twin(&self, dir: &Path) -> Option<Result<Self, SlotError>> {
        match &self.below {
            Below::Here { .. } => None,
            Below::Base(base) => {
                let mut twin = Self::over(Arc::clone(base), dir);
                if let Ok(twin) = &mut twin {
                    twin.removals.clone_from(&self.removals);
                }
                Some(twin)
            }
        }
    }

    /// The tracked files that differ from what was checked out.
    pub fn changed(&self, repo: &Repo) -> Result<Vec<String>, SlotError> {
        match &self.below {
            Below::Here { index } => Ok(repo.changed_since(&self.dir, index)?),
            Below::Base(base) if base.is_untouched() => overlay_changes::changed(&self.dir, base)
                .map_err(|source| SlotError::io("cannot look at", &self.dir, source)),
            Below::Base(base) => {
                let why = io::Error::other("files that must not change were changed");
                Err(SlotError::io("cannot trust", base.tree(), why))
            }
        }
    }

    /// Replaces the content of a tracked file without following links.
    pub(crate) fn replace(&self, relative: &str, bytes: &[u8], age: FileAge) -> io::Result<()> {
        let path = self.dir.join(relative);
        let before = match (fs::symlink_metadata(&path), self.base()) {
            (Ok(meta), _) => meta,
            (Err(_), Some(base)) => fs::symlink_metadata(base.join(relative))?,
            (Err(error), None) => return Err(error),
        };
        self.put(relative, bytes, Some(before.permissions()))?;
        let time = match age {
            FileAge::Kept => before.modified()?,
            FileAge::New => SystemTime::now().max(before.modified()? + APART),
        };
        let file = File::options().write(true).open(&path)?;
        file.set_times(FileTimes::new().set_modified(time).set_accessed(time))
    }

    /// Writes a file without following links that commands may have left.
    pub(crate) fn put(&self, relative: &str, bytes: &[u8], mode: Option<Permissions>) -> io::Result<()> {
        let mut dir = self.dir.clone();
        let (parents, _) = relative.rsplit_once('/').unwrap_or_default();
        for part in parents.split('/').filter(|part| !part.is_empty()) {
            dir.push(part);
            match fs::symlink_metadata(&dir) {
                Ok(meta) if meta.is_dir() => {}
                Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
                Err(_) => self.make_dir(&dir)?,
            }
        }
        let path = self.dir.join(relative);
        let _ = fs::remove_file(&path);
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        file.write_all(bytes)?;
        mode.map_or(Ok(()), |mode| file.set_permissions(mode))
    }

    /// Creates a directory with the mode it has in the base.
    fn make_dir(&self, dir: &Path) -> io::Result<()> {
        let relative = dir.strip_prefix(&self.dir).unwrap_or(dir);
        let below = self.base().and_then(|base| fs::symlink_metadata(base.join(relative)).ok());
        if below.as_ref().is_some_and(|meta| !meta.is_dir()) {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        fs::create_dir(dir)?;
        let mode = below.map_or(0o755, |meta| meta.permissions().mode());
        fs::set_permissions(dir, Permissions::from_mode(mode & 0o7777))
    }
}

/// A path beside a directory.
fn beside(dir: &Path, ending: &str) -> PathBuf {
    let mut path = OsString::from(dir);
    path.push(ending);
    path.into()
}

impl Drop for ExportedTree {
    fn drop(&mut self) {
        // What cannot be removed now is wiped when the directory is used again. A queue gets it under a name of its own, because the
        // directory may be used again before its turn.
        let left = beside(&self.dir, &format!(".{}", random_token()));
        match &self.removals {
            Some(queue) if fs::rename(&self.dir, &left).is_ok() => queue.add(vec![left]),
            Some(_) | None => drop(remove_any(&self.dir)),
        }
        match &self.below {
            Below::Here { index } => drop(remove_any(index)),
            Below::Base(_) => drop(remove_any(&beside(&self.dir, crate::sandbox::KERNEL))),
        }
    }
}

#[cfg(test)]
mod tests;
