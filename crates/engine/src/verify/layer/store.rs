//! Where layers lie, and whether one may be used.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::sync::OwnedMutexGuard;
use windlass_core::failure::Failure;

use super::{FinishedLayer, LayerContent};
use crate::removal::remove_any;

/// How many layers are kept. More are kept as long as they are in use: a repository may need a layer for each of its packages.
const KEPT: usize = 12;
/// A layer that was used since may be in use by another run.
const IN_USE: Duration = Duration::from_hours(24);
/// How deep the cheap look at a layer goes.
const DEPTH: usize = 2;
/// Written last: a layer without it is half a layer.
const MARK: &str = "layer.json";

/// The layers of a repository.
#[derive(Debug, Default)]
pub(crate) struct LayerStore {
    dir: PathBuf,
    alone: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    versions: Mutex<HashMap<String, String>>,
    failures: Mutex<HashMap<String, Failure>>,
    /// The layers that this run uses.
    used: Mutex<HashSet<PathBuf>>,
}

impl LayerStore {
    /// The layers in a directory, which need not exist.
    pub(crate) fn new(dir: PathBuf) -> Self {
        Self { dir, ..Self::default() }
    }

    /// Waits until no other task builds this layer.
    pub(super) async fn alone(&self, name: &str) -> OwnedMutexGuard<()> {
        let lock = {
            let mut all = self.alone.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(name.to_owned()).or_default())
        };
        lock.lock_owned().await
    }

    /// What a tool says about itself, asked once.
    pub(super) fn version(&self, tool: &str, ask: impl FnOnce() -> String) -> String {
        let mut known = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(tool.to_owned()).or_insert_with(ask).clone()
    }

    /// Why this layer could not be built in this run.
    pub(super) fn failed(&self, name: &str) -> Option<Failure> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    pub(super) fn keep_failure(&self, name: &str, failure: &Failure) {
        let mut known = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(name.to_owned(), failure.clone());
    }

    /// A finished layer that looks as it did when it was finished.
    pub(super) fn find(&self, name: &str) -> Option<FinishedLayer> {
        let dir = self.dir.join(name);
        let content: LayerContent = serde_json::from_slice(&fs::read(dir.join(MARK)).ok()?).ok()?;
        if looks(&dir) != content.looks {
            let _ = remove_any(&dir);
            return None;
        }
        // The time of its mark is that of its last use. Where it cannot be set, only other runs do not know.
        let mark = fs::File::options().append(true).open(dir.join(MARK));
        let _ = mark.and_then(|mark| mark.set_modified(SystemTime::now()));
        self.use_of(&dir);
        Some(FinishedLayer { dir, content })
    }

    fn use_of(&self, dir: &Path) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(dir.to_owned());
    }

    /// An empty place to make a layer in.
    pub(super) fn begin(&self, name: &str) -> io::Result<PathBuf> {
        let part = self.dir.join(format!("{name}.part"));
        remove_any(&part)?;
        fs::create_dir_all(part.join("files"))?;
        Ok(part)
    }

    /// Finishes a layer: its mark is written last, and only then it gets its name.
    pub(super) fn finish(
        &self,
        name: &str,
        part: &Path,
        mut content: LayerContent,
    ) -> io::Result<FinishedLayer> {
        content.looks = looks(part);
        fs::write(part.join(MARK), serde_json::to_vec(&content)?)?;
        let dir = self.dir.join(name);
        remove_any(&dir)?;
        fs::rename(part, &dir)?;
        self.use_of(&dir);
        self.clear_up();
        Ok(FinishedLayer { dir, content })
    }

    /// Removes the layers beyond the number that is kept, those that were not used for longest, but none that may be in use.
    fn clear_up(&self) {
        let entries = fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let mut marked: Vec<(SystemTime, PathBuf)> = entries
            .filter_map(|e| Some((fs::metadata(e.path().join(MARK)).ok()?.modified().ok()?, e.path())))
            .collect();
        marked.sort();
        let surplus = marked.len().saturating_sub(KEPT);
        let Some(before) = SystemTime::now().checked_sub(IN_USE) else { return };
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, path) in
            marked.into_iter().take(surplus).filter(|(at, path)| *at < before && !used.contains(path))
        {
            let _ = remove_any(&path);
        }
    }
}

/// A hash of names, sizes and times near the top. Only the builder writes to a layer; this detects disk errors and
/// manual changes.
fn looks(dir: &Path) -> String {
    let mut hash = blake3::Hasher::new();
    look_at(dir, DEPTH + 1, &mut hash);
    hash.finalize().to_hex()[..32].to_owned()
}

fn look_at(dir: &Path, depth: usize, hash: &mut blake3::Hasher) {
    let mut entries: Vec<_> = fs::read_dir(dir).into_iter().flatten().flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let Ok(meta) = entry.path().symlink_metadata() else { continue };
        if entry.file_name() == MARK {
            continue;
        }
        hash.update(entry.file_name().as_encoded_bytes());
        hash.update(&[0]);
        let size = if meta.is_dir() { 0 } else { meta.len() };
        hash.update(&size.to_le_bytes());
        hash.update(&meta.mtime().to_le_bytes());
        if meta.is_dir() && depth > 0 {
            look_at(&entry.path(), depth - 1, hash);
        }
    }
}

/// Copies a file, a link or a whole directory.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let meta = from.symlink_metadata()?;
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    if meta.is_symlink() {
        remove_any(to)?;
        return symlink(fs::read_link(from)?, to);
    }
    if !meta.is_dir() {
        return fs::copy(from, to).map(drop);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    fs::set_permissions(to, meta.permissions())
}

#[cfg(test)]
mod tests;
