//! The slot pool: which slots exist, are free and are clean.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use windlass_core::ids::Oid;

use super::error::SlotError;
use super::prepare;
use crate::git::Repo;
use crate::removal::remove_any;

/// Slots in one directory: `<n>/tree` for the files, `<n>.lock` while in use, `<n>.clean` while at rest.
#[derive(Debug, Clone)]
pub struct SlotPool {
    root: PathBuf,
}

impl SlotPool {
    /// The pool in `root`, made if absent.
    pub fn open(root: &Path) -> Result<Self, SlotError> {
        fs::create_dir_all(root).map_err(|source| SlotError::io("cannot make", root, source))?;
        Ok(Self { root: root.to_owned() })
    }

    /// The free slot with the lowest number; a new one if all are taken, by us or by another process.
    pub fn acquire(&self) -> Result<Slot, SlotError> {
        let (number, lock) = first_free(&self.root)?;
        self.take(number, lock)
    }

    /// Prepares a locked slot. The marker is removed first, so that a crash leaves a slot that is wiped.
    fn take(&self, number: u32, lock: File) -> Result<Slot, SlotError> {
        let home = self.root.join(number.to_string());
        let marker = self.root.join(format!("{number}.clean"));
        match fs::remove_file(&marker) {
            Ok(()) => {}
            Err(source) if source.kind() == io::ErrorKind::NotFound => {
                remove_any(&home).map_err(|source| SlotError::io("cannot wipe", &home, source))?;
            }
            Err(source) => return Err(SlotError::io("cannot remove", &marker, source)),
        }
        let tree = home.join("tree");
        fs::create_dir_all(&tree).map_err(|source| SlotError::io("cannot make", &tree, source))?;
        Ok(Slot { number, tree, index: home.join("index"), marker, state: SlotState::Known, _lock: lock })
    }
}

/// The lowest unused number below `root`, with its lock.
pub(super) fn first_free(root: &Path) -> Result<(u32, File), SlotError> {
    let mut number = 1;
    loop {
        if let Some(lock) = try_lock(root, number)? {
            return Ok((number, lock));
        }
        number += 1;
    }
}

/// Locks a number; `None` if it is in use.
fn try_lock(root: &Path, number: u32) -> Result<Option<File>, SlotError> {
    let path = root.join(format!("{number}.lock"));
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
    let file = file.map_err(|source| SlotError::io("cannot open", &path, source))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(SlotError::io("cannot lock", &path, source)),
    }
}

/// Drops the numbers below `root` that were not used since `before`. One in use, or one that cannot be removed, stays.
pub(crate) fn drop_idle(root: &Path, before: SystemTime) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let Some(number) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let home = entry.path();
        let Ok(Some(_lock)) = try_lock(root, number) else { continue };
        let marker = root.join(format!("{number}.clean"));
        let parts = fs::read_dir(&home).into_iter().flatten().flatten().map(|part| part.path());
        let seen = [home.clone(), marker.clone()].into_iter().chain(parts);
        let changed = |path: PathBuf| fs::metadata(path).and_then(|meta| meta.modified()).ok();
        if seen.filter_map(changed).all(|changed| changed < before) {
            // The marker goes first: half a slot must not count as clean.
            let _ = fs::remove_file(&marker).or_else(absent_is_fine).and_then(|()| remove_any(&home));
        }
    }
}

fn absent_is_fine(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// Whether the content of a slot is known, apart from build caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SlotState {
    Known,
    HalfPrepared,
}

/// A slot in use. Dropped without [`Slot::release`] it stays dirty and is wiped before its next use.
#[derive(Debug)]
pub struct Slot {
    number: u32,
    tree: PathBuf,
    index: PathBuf,
    marker: PathBuf,
    state: SlotState,
    /// Held as long as the slot.
    _lock: File,
}

impl Slot {
    /// Its number, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The directory of its files.
    pub fn tree(&self) -> &Path {
        &self.tree
    }

    /// The index that says what was laid down in it.
    pub fn index(&self) -> &Path {
        &self.index
    }

    /// Changes its files to those of `commit`: tracked files exactly, ignored files kept (build caches), all others
    /// removed, `.git` created anew. Paths below the prefixes in `hide` are absent from the files and from `.git`.
    pub fn prepare(&mut self, repo: &Repo, commit: &Oid, hide: &[&str]) -> Result<(), SlotError> {
        self.state = SlotState::HalfPrepared;
        if prepare::prepare(repo, commit, hide, &self.tree, &self.index).is_err() {
            // What lies in it may be damaged, or speak of objects that are gone. A fresh slot tells whether it is.
            self.wipe()?;
            prepare::prepare(repo, commit, hide, &self.tree, &self.index)?;
        }
        self.state = SlotState::Known;
        Ok(())
    }

    /// Removes everything in it.
    fn wipe(&self) -> Result<(), SlotError> {
        let home = self.tree.parent().unwrap_or(&self.tree);
        remove_any(home).map_err(|source| SlotError::io("cannot wipe", home, source))?;
        fs::create_dir_all(&self.tree).map_err(|source| SlotError::io("cannot make", &self.tree, source))
    }

    /// Returns it as clean, or as dirty if its last preparation failed.
    pub fn release(self) -> Result<(), SlotError> {
        match self.state {
            SlotState::Known => fs::write(&self.marker, "")
                .map_err(|source| SlotError::io("cannot write", &self.marker, source)),
            SlotState::HalfPrepared => Ok(()),
        }
    }
}
