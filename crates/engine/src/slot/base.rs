//! Base trees for verifications, kept from one to the next.
//!
//! Checking out a tree anew costs a file for every file. A base is checked out once and then moved from tree to tree by
//! its differences. This is sound because only this module writes to it: commands see it below an upper directory of
//! their own. A base is compared with its snapshot when a run meets it for the first time and after the commands of every
//! verification; one that differs is wiped, and so is one that cannot be moved.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use windlass_core::ids::Oid;

use super::dir_snapshot::DirSnapshot;
use super::error::SlotError;
use super::pool::first_free;
use crate::git::{GITLINK, Repo, TreeEntry};
use crate::random_token::process_name;
use crate::removal::remove_any;

/// Of so many parts of the time at most one goes to writing snapshots down, however many files there are. A base whose snapshot is
/// not written down is made anew by the next run.
const NOTES_SHARE: u32 = 50;

/// Bases in one directory: `<n>/tree` for the files, `<n>/picture` for their snapshot, `<n>.lock` while in use.
#[derive(Debug, Clone)]
pub struct Bases {
    root: PathBuf,
    known: Arc<Mutex<HashMap<u32, KnownBase>>>,
}

/// What this process knows of a base that is not in use.
#[derive(Debug)]
struct KnownBase {
    tree: Oid,
    picture: DirSnapshot,
    /// When its snapshot was written down, and how long that took.
    noted: Option<(Instant, Duration)>,
}

/// How old the files of a base may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BaseAge {
    /// All files get the current time: what a set-up built from them before must be older.
    Now,
    /// Files that are written get the time of those that are there.
    Kept,
}

impl Bases {
    /// The bases in `root`, which need not exist.
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_owned(), known: Arc::default() }
    }

    /// A base with exactly this tree, locked while in use.
    pub(super) fn take(&self, repo: &Repo, tree: &Oid, age: BaseAge) -> Result<Base, SlotError> {
        fs::create_dir_all(&self.root).map_err(|e| SlotError::io("cannot make", &self.root, e))?;
        let (number, lock) = first_free(&self.root)?;
        let home = self.root.join(number.to_string());
        let place =
            BaseFiles { tree: home.join("tree"), index: home.join("index"), notes: home.join("picture") };
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
        let known = known.filter(|_| self.was_last(number));
        let noted = known.as_ref().and_then(|known| known.noted);
        self.sign(number)?;
        let wanted = repo.ls_tree(tree)?;
        let picture = match place.move_to(repo, known, tree, age) {
            Ok(picture) if shows(&picture, &wanted) => picture,
            // It is damaged, or the tree that it holds is no longer in the repository.
            Ok(_) | Err(_) => {
                place.wipe()?;
                place.move_to(repo, None, tree, age)?
            }
        };
        if !shows(&picture, &wanted) {
            let why = std::io::Error::other("git checked out other files than the tree has");
            return Err(SlotError::io("cannot fill", &place.tree, why));
        }
        let known = KnownBase { tree: tree.clone(), picture, noted };
        Ok(Base {
            files: place,
            known: Some(known),
            number,
            bases: self.clone(),
            is_spoilt: AtomicBool::new(false),
            _lock: lock,
        })
    }
}

impl Bases {
    fn lock_file(&self, number: u32) -> PathBuf {
        self.root.join(format!("{number}.lock"))
    }

    /// Whether no other process has used a base since this one did.
    fn was_last(&self, number: u32) -> bool {
        fs::read(self.lock_file(number)).is_ok_and(|name| name == process_name().as_bytes())
    }

    fn sign(&self, number: u32) -> Result<(), SlotError> {
        let path = self.lock_file(number);
        fs::write(&path, process_name()).map_err(|e| SlotError::io("cannot write", &path, e))
    }
}

/// A base in use.
#[derive(Debug)]
pub(super) struct Base {
    files: BaseFiles,
    /// There until it is dropped.
    known: Option<KnownBase>,
    number: u32,
    bases: Bases,
    /// Whether it was found to be changed.
    is_spoilt: AtomicBool,
    /// Held as long as the base.
    _lock: File,
}

impl Base {
    /// The directory of its files.
    pub(super) fn tree(&self) -> &Path {
        &self.files.tree
    }

    /// What it looks like.
    pub(super) fn picture(&self) -> &DirSnapshot {
        let known = self.known.as_ref();
        &known.unwrap_or_else(|| unreachable!("a base in use is not dropped")).picture
    }

    /// Whether it is unchanged.
    pub(super) fn is_untouched(&self) -> bool {
        let is_untouched = self.picture().is_unchanged(&self.files.tree);
        if !is_untouched {
            self.is_spoilt.store(true, Ordering::Relaxed);
        }
        is_untouched
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        let Some(mut known) = self.known.take().filter(|_| !*self.is_spoilt.get_mut()) else { return };
        if known.noted.is_none_or(|(when, took)| when.elapsed() >= took * NOTES_SHARE) {
            let began = Instant::now();
            // Without it the base is made anew, which is all that is lost.
            let _ = self.files.note(&known);
            known.noted = Some((Instant::now(), began.elapsed()));
        }
        self.bases.known.lock().unwrap_or_else(PoisonError::into_inner).insert(self.number, known);
    }
}

/// Where one base lies.
#[derive(Debug)]
struct BaseFiles {
    tree: PathBuf,
    index: PathBuf,
    notes: PathBuf,
}

impl BaseFiles {
    /// Changes the files to those of the tree. A base of which nothing is known is incomplete and is wiped.
    fn move_to(
        &self,
        repo: &Repo,
        known: Option<KnownBase>,
        tree: &Oid,
        age: BaseAge,
    ) -> Result<DirSnapshot, SlotError> {
        let left = known.map(|known| (known.tree, known.picture)).or_else(|| self.as_noted());
        // Until it is in its new state nothing is known of it.
        remove_any(&self.notes).map_err(|e| SlotError::io("cannot remove", &self.notes, e))?;
        let failed = |e| SlotError::io("cannot look at", &self.tree, e);
        if let Some((before, picture)) = left {
            let changes = repo.move_files(&before, tree, &self.tree, &self.index)?;
            if age == BaseAge::Kept
                && let Some(picture) = picture.after(&self.tree, &changes).map_err(failed)?
            {
                return Ok(picture);
            }
        } else {
            self.wipe()?;
            repo.materialise(tree, &self.tree, &self.index)?;
        }
        DirSnapshot::take_fresh(&self.tree).map_err(failed)
    }

    /// The tree that it contains by its notes, if it is untouched.
    fn as_noted(&self) -> Option<(Oid, DirSnapshot)> {
        let noted: (Oid, DirSnapshot) = serde_json::from_slice(&fs::read(&self.notes).ok()?).ok()?;
        noted.1.is_unchanged(&self.tree).then_some(noted)
    }

    fn note(&self, known: &KnownBase) -> std::io::Result<()> {
        fs::write(&self.notes, serde_json::to_vec(&(&known.tree, &known.picture))?)
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
    picture.files().eq(files.map(|entry| (entry.path.as_str(), entry.mode)))
}
