//! Base trees for verifications, kept from one to the next.
//!
//! Checking out a tree anew costs a file for every file. A base is checked out once and then moved from tree to tree by
//! its differences. This is sound because only this module writes to it: commands see it below an upper directory of
//! their own. Before and after each use the base is compared with its snapshot; one that differs is wiped, and so is one
//! that cannot be moved.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use windlass_core::ids::Oid;

use super::dir_snapshot::DirSnapshot;
use super::error::SlotError;
use super::pool::first_free;
use crate::git::{GITLINK, Repo, TreeEntry};
use crate::removal::remove_any;

/// Bases in one directory: `<n>/tree` for the files, `<n>/picture` for their snapshot, `<n>.lock` while in use.
#[derive(Debug, Clone)]
pub struct Bases {
    root: PathBuf,
}

impl Bases {
    /// The bases in `root`, which need not exist.
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// A base with exactly this tree, locked while in use.
    pub(super) fn take(&self, repo: &Repo, tree: &Oid) -> Result<Base, SlotError> {
        fs::create_dir_all(&self.root).map_err(|e| SlotError::io("cannot make", &self.root, e))?;
        let (number, lock) = first_free(&self.root)?;
        let home = self.root.join(number.to_string());
        let place =
            BaseFiles { tree: home.join("tree"), index: home.join("index"), notes: home.join("picture") };
        let wanted = repo.ls_tree(tree)?;
        let picture = match place.move_to(repo, tree) {
            Ok(picture) if shows(&picture, &wanted) => picture,
            // It is damaged, or the tree that it holds is no longer in the repository.
            Ok(_) | Err(_) => {
                place.wipe()?;
                place.move_to(repo, tree)?
            }
        };
        if !shows(&picture, &wanted) {
            let why = std::io::Error::other("git checked out other files than the tree has");
            return Err(SlotError::io("cannot fill", &place.tree, why));
        }
        Ok(Base { tree: place.tree, picture, _lock: lock })
    }
}

/// A base in use.
#[derive(Debug)]
pub(super) struct Base {
    tree: PathBuf,
    picture: DirSnapshot,
    /// Held as long as the base.
    _lock: File,
}

impl Base {
    /// The directory of its files.
    pub(super) fn tree(&self) -> &Path {
        &self.tree
    }

    /// What it looks like.
    pub(super) fn picture(&self) -> &DirSnapshot {
        &self.picture
    }

    /// Whether it is unchanged.
    pub(super) fn is_untouched(&self) -> bool {
        DirSnapshot::take(&self.tree).is_ok_and(|now| now == self.picture)
    }
}

/// Where one base lies.
struct BaseFiles {
    tree: PathBuf,
    index: PathBuf,
    notes: PathBuf,
}

impl BaseFiles {
    /// Changes the files to those of the tree. A base without notes is incomplete and is wiped.
    fn move_to(&self, repo: &Repo, tree: &Oid) -> Result<DirSnapshot, SlotError> {
        if let Some(before) = self.as_left() {
            remove_any(&self.notes).map_err(|e| SlotError::io("cannot remove", &self.notes, e))?;
            repo.move_files(&before, tree, &self.tree, &self.index)?;
        } else {
            self.wipe()?;
            repo.materialise(tree, &self.tree, &self.index)?;
        }
        let picture = DirSnapshot::take_fresh(&self.tree)
            .map_err(|e| SlotError::io("cannot look at", &self.tree, e))?;
        let notes = serde_json::to_vec(&(tree, &picture)).map_err(std::io::Error::from);
        let kept = notes.and_then(|text| fs::write(&self.notes, text));
        kept.map_err(|e| SlotError::io("cannot write", &self.notes, e))?;
        Ok(picture)
    }

    /// The tree that it contains, if it is untouched.
    fn as_left(&self) -> Option<Oid> {
        let (tree, picture): (Oid, DirSnapshot) =
            serde_json::from_slice(&fs::read(&self.notes).ok()?).ok()?;
        DirSnapshot::take(&self.tree).is_ok_and(|now| now == picture).then_some(tree)
    }

    fn wipe(&self) -> Result<(), SlotError> {
        for part in [&self.notes, &self.index, &self.tree] {
            remove_any(part).map_err(|e| SlotError::io("cannot wipe", part, e))?;
        }
        Ok(())
    }
}

/// Whether a snapshot has exactly the files of a tree, with the same modes.
fn shows(picture: &DirSnapshot, wanted: &[TreeEntry]) -> bool {
    let files = wanted.iter().filter(|entry| entry.mode != GITLINK);
    let mut count = 0;
    for entry in files {
        if picture.git_mode(&entry.path) != Some(entry.mode) {
            return false;
        }
        count += 1;
    }
    count == picture.len()
}
