//! Removes whatever lies at a path, without following links, even where a tool made directories read-only; at once, or on a thread
//! of its own.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How many removals wait at most. One more is done by the thread that asks: work must not fill the disk faster than it is freed.
const WAITING: usize = 16;
/// How long the end of a queue waits for what is in it. The rest goes with the program, and is removed at the next start.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// Removes directories that nothing uses any more. A tree of a build takes a minute and more on a busy disk, which neither a
/// worker nor the end of a run waits for.
#[derive(Debug, Default)]
pub(crate) struct RemovalQueue {
    thread: Mutex<Option<RemovalThread>>,
}

#[derive(Debug)]
struct RemovalThread {
    queue: SyncSender<Vec<PathBuf>>,
    ended: Receiver<()>,
}

impl RemovalQueue {
    /// Removes these soon. None of the paths may be used again.
    pub(crate) fn add(&self, paths: Vec<PathBuf>) {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.is_none() {
            *thread = RemovalThread::start();
        }
        let refused = match thread.as_ref().map(|thread| &thread.queue) {
            Some(queue) => match queue.try_send(paths) {
                Ok(()) => None,
                Err(TrySendError::Full(paths) | TrySendError::Disconnected(paths)) => Some(paths),
            },
            None => Some(paths),
        };
        drop(thread);
        if let Some(paths) = refused {
            remove_all(&paths);
        }
    }
}

impl Drop for RemovalQueue {
    fn drop(&mut self) {
        let thread = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(RemovalThread { queue, ended }) = thread {
            drop(queue);
            let _ = ended.recv_timeout(LAST_WAIT);
        }
    }
}

impl RemovalThread {
    /// None if there can be no further thread.
    fn start() -> Option<Self> {
        let (queue, waiting) = sync_channel::<Vec<PathBuf>>(WAITING);
        let (end, ended) = sync_channel(0);
        let work = move || {
            for paths in &waiting {
                remove_all(&paths);
            }
            drop(end);
        };
        thread::Builder::new().name("removal".into()).spawn(work).ok()?;
        Some(Self { queue, ended })
    }
}

/// As far as possible: leftovers are removed at the next start.
fn remove_all(paths: &[PathBuf]) {
    for path in paths {
        let _ = remove_any(path);
    }
}

/// Removes a file, link or whole directory; nothing there is fine.
pub(crate) fn remove_any(path: &Path) -> io::Result<()> {
    let Some(meta) = absent_is_none(fs::symlink_metadata(path))? else {
        return Ok(());
    };
    if !meta.is_dir() {
        return absent_is_none(fs::remove_file(path)).map(drop);
    }
    match absent_is_none(fs::remove_dir_all(path)) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_up(path)?;
            absent_is_none(fs::remove_dir_all(path)).map(drop)
        }
        other => other.map(drop),
    }
}

/// Makes every directory below writable: Go's module cache, for one, is not.
fn open_up(dir: &Path) -> io::Result<()> {
    fs::set_permissions(dir, Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_up(&entry.path())?;
        }
    }
    Ok(())
}

fn absent_is_none<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_only_directories_and_links_are_removed_and_not_followed() {
        let temp = tempfile::tempdir().unwrap();
        let keep = temp.path().join("keep");
        fs::create_dir(&keep).unwrap();
        fs::write(keep.join("f"), "x").unwrap();
        let doomed = temp.path().join("doomed");
        fs::create_dir_all(doomed.join("a/b")).unwrap();
        fs::write(doomed.join("a/b/c"), "x").unwrap();
        std::os::unix::fs::symlink(&keep, doomed.join("a/link")).unwrap();
        fs::set_permissions(doomed.join("a/b"), Permissions::from_mode(0o555)).unwrap();
        fs::set_permissions(doomed.join("a"), Permissions::from_mode(0o555)).unwrap();
        remove_any(&doomed).unwrap();
        assert!(!doomed.exists());
        assert!(keep.join("f").exists());
        remove_any(&doomed).unwrap();
    }

    #[test]
    fn a_queue_that_ends_has_removed_what_was_added_and_takes_more_than_can_wait() {
        let temp = tempfile::tempdir().unwrap();
        let all: Vec<PathBuf> = (0..WAITING * 3).map(|n| temp.path().join(n.to_string())).collect();
        let queue = RemovalQueue::default();
        for dir in &all {
            fs::create_dir_all(dir.join("a")).unwrap();
            queue.add(vec![dir.join("a"), dir.clone(), temp.path().join("absent")]);
        }
        drop(queue);
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 0);
    }
}
