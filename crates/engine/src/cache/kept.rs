//! Which caches there are, how large they are, and freeing them.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::claim::{LOCK, NOTE, empty, note_in};
use crate::removal::remove_any;
use crate::sandbox::disk_usage;

/// A part of a cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachePart {
    /// Its name: `slots`, `exports`, `layers`, `sessions`, …
    pub name: String,
    /// What it takes up on disk.
    pub bytes: u64,
}

/// The cache of one repository.
#[derive(Debug, Clone)]
pub struct KeptCache {
    /// Where it lies.
    pub dir: PathBuf,
    /// The git directory of its repository; `None` for a cache of an older version.
    pub git_dir: Option<PathBuf>,
    /// When it was last used.
    pub last_used: SystemTime,
    /// Whether a process is using it now.
    pub in_use: bool,
}

impl KeptCache {
    /// The cache in a directory; `None` if there is none.
    pub fn at(dir: &Path) -> Option<Self> {
        let changed = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified()).ok();
        let last_used = changed(&dir.join(NOTE)).or_else(|| changed(dir))?;
        let git_dir = note_in(dir).map(|note| note.git_dir);
        Some(Self { dir: dir.to_owned(), git_dir, last_used, in_use: is_used(dir) })
    }

    /// Whether its repository is no longer where it was.
    pub fn is_orphaned(&self) -> bool {
        self.git_dir.as_ref().is_some_and(|dir| !dir.exists())
    }

    /// What it holds, the largest part first.
    pub fn parts(&self) -> Vec<CachePart> {
        let part = |entry: fs::DirEntry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            entry.path().is_dir().then(|| CachePart { name, bytes: disk_usage(&entry.path()) })
        };
        let mut parts: Vec<CachePart> =
            fs::read_dir(&self.dir).into_iter().flatten().flatten().filter_map(part).collect();
        parts.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
        parts
    }
}

/// All caches below a user's cache directory, the last used first.
pub fn kept_caches(cache_home: &Path) -> Vec<KeptCache> {
    let entries = fs::read_dir(cache_home.join("windlass")).into_iter().flatten().flatten();
    let ours = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        name.len() == 16 && name.iter().all(u8::is_ascii_hexdigit)
    };
    let mut found: Vec<KeptCache> =
        entries.map(|entry| entry.path()).filter(ours).filter_map(|path| KeptCache::at(&path)).collect();
    found.sort_by(|a, b| b.last_used.cmp(&a.last_used).then_with(|| a.dir.cmp(&b.dir)));
    found
}

/// Removes a cache; `false` if a process is using it.
pub fn free_cache(dir: &Path) -> io::Result<bool> {
    let Some(_lock) = alone(dir)? else { return Ok(false) };
    empty(dir)?;
    // The lock goes last: until then no process can claim the cache.
    remove_any(&dir.join(LOCK))?;
    match fs::remove_dir(dir) {
        // A process that waited for the lock has begun a new cache.
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(true),
        other => other.map(|()| true),
    }
}

/// Whether a process uses the cache. Looking changes nothing.
fn is_used(dir: &Path) -> bool {
    OpenOptions::new().write(true).open(dir.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_err())
}

/// The lock of a cache that no process uses.
fn alone(dir: &Path) -> io::Result<Option<File>> {
    let lock = OpenOptions::new().write(true).create(true).truncate(false).open(dir.join(LOCK))?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests;
