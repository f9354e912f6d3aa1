//! A process's claim on a cache: it says that the cache is in use, and that it belongs to this repository.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::EngineError;
use crate::paths::Paths;
use crate::random_token::random_token;
use crate::removal::remove_any;

/// The layout of a cache. Raised when another version could misread what an older one left.
const FORM: u32 = 1;
/// Locked, shared, by every process that uses the cache.
pub(super) const LOCK: &str = "use.lock";
/// Says whose the cache is. Its time of change is the time of the last use.
pub(super) const NOTE: &str = "owner.json";
/// The parts that refer to one repository's objects. Surveys are kept by content and check themselves.
const OWNED: [&str; 4] = ["slots", "exports", "layers", "sessions"];
/// The repository's own name, in its state directory.
const NAME: &str = "repository";
/// How often a cache that disappears while it is claimed is created again.
const TRIES: u32 = 20;

/// Whose a cache is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OwnerNote {
    form: u32,
    /// A random name that a repository gets at its first run. One made anew at the same path has another.
    repository: String,
    /// The git directory, for people.
    pub(super) git_dir: PathBuf,
}

/// A cache in use by this process. Released when dropped, and when the process dies.
#[derive(Debug)]
pub(crate) struct CacheClaim {
    _lock: File,
}

impl CacheClaim {
    /// Claims the cache of a repository. What another repository or another version left in it is removed first.
    pub(crate) fn take(paths: &Paths) -> Result<Self, EngineError> {
        let cache = paths.cache();
        let failed = |source| EngineError::Io { what: "use the cache", path: cache.to_owned(), source };
        let wanted = owner_of(paths).map_err(|source| EngineError::Io {
            what: "use",
            path: paths.state().to_owned(),
            source,
        })?;
        for _ in 0..TRIES {
            match claim(cache, &wanted) {
                Ok(Some(lock)) => return Ok(Self { _lock: lock }),
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Err(failed(io::Error::other("it is removed again and again")))
    }
}

/// One attempt; `None` if the cache was removed meanwhile.
fn claim(cache: &Path, wanted: &OwnerNote) -> io::Result<Option<File>> {
    fs::create_dir_all(cache)?;
    let path = cache.join(LOCK);
    let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&path)?;
    match lock.try_lock() {
        Ok(()) => {
            if note_in(cache).as_ref() != Some(wanted) && OWNED.iter().any(|part| cache.join(part).exists()) {
                empty(cache)?;
            }
            fs::write(cache.join(NOTE), serde_json::to_vec(wanted)?)?;
        }
        // Another process of this repository uses it, and has looked at the note.
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) => return Err(error),
    }
    lock.lock_shared()?;
    let (held, there) = (lock.metadata()?, fs::metadata(&path)?);
    Ok(((held.dev(), held.ino()) == (there.dev(), there.ino())).then_some(lock))
}

/// Removes everything but the lock.
pub(super) fn empty(cache: &Path) -> io::Result<()> {
    for entry in fs::read_dir(cache)? {
        let entry = entry?;
        if entry.file_name() != LOCK {
            remove_any(&entry.path())?;
        }
    }
    Ok(())
}

/// Whose a cache is; `None` for one without a readable note.
pub(super) fn note_in(cache: &Path) -> Option<OwnerNote> {
    serde_json::from_slice(&fs::read(cache.join(NOTE)).ok()?).ok()
}

fn owner_of(paths: &Paths) -> io::Result<OwnerNote> {
    let state = paths.state();
    let git_dir = PathBuf::from(state.parent().unwrap_or(state).to_string_lossy().into_owned());
    Ok(OwnerNote { form: FORM, repository: name_in(state)?, git_dir })
}

/// The name of the repository, given to it once.
fn name_in(state: &Path) -> io::Result<String> {
    let path = state.join(NAME);
    let read = || fs::read_to_string(&path).map(|text| text.trim().to_owned());
    if let Ok(name) = read()
        && !name.is_empty()
    {
        return Ok(name);
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(state)?;
    // Linked into place: two processes agree on the first, and none reads half a name.
    let fresh = state.join(format!("{NAME}.{}", random_token()));
    fs::write(&fresh, random_token())?;
    if fs::metadata(&path).is_ok_and(|meta| meta.len() == 0) {
        remove_any(&path)?;
    }
    let linked = fs::hard_link(&fresh, &path);
    let _ = fs::remove_file(&fresh);
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => read(),
    }
}

#[cfg(test)]
mod tests;
