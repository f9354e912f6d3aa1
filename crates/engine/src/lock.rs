//! One coordinator per repository: a lock file with a note of its holder.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A coordinator that was killed while it started a command leaves the lock with the new process until that becomes
/// another program, a moment later.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(20);

/// The lock file could not be used.
#[derive(Debug, thiserror::Error)]
#[error("{what} the lock file `{}`", .path.display())]
pub struct LockError {
    /// What was being done.
    pub what: &'static str,
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

/// Another process holds the lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldBy {
    /// What they wrote about themselves.
    pub note: String,
}

/// The lock, held until dropped; also released when the process dies, however it dies.
#[derive(Debug)]
pub struct CoordinatorLock {
    file: File,
}

impl CoordinatorLock {
    /// Takes the lock and writes `note` to the file, or returns the holder's note.
    pub fn acquire(path: &Path, note: &str) -> Result<Result<Self, HeldBy>, LockError> {
        let failed = |what| move |source| LockError { what, path: path.to_owned(), source };
        if let Some(dir) = path.parent() {
            let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(dir);
            made.map_err(failed("cannot make the directory of"))?;
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        let mut file = options.open(path).map_err(failed("cannot open"))?;
        let asked = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if asked.elapsed() < PATIENCE => sleep(PAUSE),
                Err(TryLockError::WouldBlock) => {
                    let bytes = fs::read(path).map_err(failed("cannot read"))?;
                    return Ok(Err(HeldBy { note: String::from_utf8_lossy(&bytes).trim().to_owned() }));
                }
                Err(TryLockError::Error(source)) => return Err(failed("cannot lock")(source)),
            }
        }
        file.set_len(0).and_then(|()| file.write_all(note.as_bytes())).map_err(failed("cannot write"))?;
        Ok(Ok(Self { file }))
    }
}

impl Drop for CoordinatorLock {
    fn drop(&mut self) {
        // An old note that stays does no harm.
        let _ = self.file.set_len(0);
        // Said aloud: closing releases the lock only once a child that is just being started has closed its copy too.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_about_the_first() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("state/lock");
        let first = CoordinatorLock::acquire(&path, "pid 1, plan a").unwrap().unwrap();
        let second = CoordinatorLock::acquire(&path, "pid 2, plan b").unwrap();
        assert_eq!(second.unwrap_err(), HeldBy { note: "pid 1, plan a".to_owned() });
        drop(first);
        let third = CoordinatorLock::acquire(&path, "x").unwrap().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"x");
        drop(third);
    }
}
