//! Watches the disk usage of a command where no file system limits it.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio::time::sleep;

/// The pause before each measurement.
const EVERY: Duration = Duration::from_secs(2);
/// Measuring takes at most one part in this many of the time.
const SHARE: u32 = 20;
/// Few measurements run at a time: each takes a thread, and they all wait for the same disk.
static TURNS: Semaphore = Semaphore::const_new(2);

/// Returns when these directories exceed `limit` bytes together; never, without a limit.
pub(super) async fn too_much(dirs: Vec<PathBuf>, limit: u64) {
    if limit == 0 {
        return std::future::pending().await;
    }
    let mut pause = EVERY;
    loop {
        sleep(pause).await;
        let _turn = TURNS.acquire().await;
        let began = Instant::now();
        let looked = dirs.clone();
        let used = tokio::task::spawn_blocking(move || holds(&looked, limit)).await;
        if used.is_ok_and(|used| used > limit) {
            return;
        }
        pause = EVERY.max(began.elapsed() * SHARE);
    }
}

/// The disk usage of a directory.
pub(crate) fn disk_usage(dir: &Path) -> u64 {
    holds(&[dir.to_owned()], u64::MAX)
}

/// The disk usage of directories; counting stops above `enough`.
fn holds(dirs: &[PathBuf], enough: u64) -> u64 {
    let mut sum = 0;
    let mut open: Vec<PathBuf> = dirs.to_vec();
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            // Links are not followed.
            let Ok(meta) = fs::symlink_metadata(entry.path()) else { continue };
            sum += meta.blocks() * 512;
            if sum > enough {
                return sum;
            }
            if meta.is_dir() {
                open.push(entry.path());
            }
        }
    }
    sum
}

/// The directories of a command that it can write.
pub(super) fn written(work: &Path, own: &Path) -> Vec<PathBuf> {
    let mut over = own.as_os_str().to_owned();
    over.push(".over");
    let mut dirs = vec![work.to_owned(), over.into()];
    if !own.starts_with(work) {
        dirs.push(own.to_owned());
    }
    dirs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_on_the_disk_is_counted_and_links_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let dirs = vec![dir.path().join("a")];
        fs::create_dir_all(dir.path().join("a/deep/er")).unwrap();
        fs::create_dir(dir.path().join("b")).unwrap();
        fs::write(dir.path().join("b/big"), vec![1; 1 << 20]).unwrap();
        std::os::unix::fs::symlink(dir.path().join("b"), dir.path().join("a/link")).unwrap();
        assert!(holds(&dirs, u64::MAX) < 100_000);
        fs::write(dir.path().join("a/deep/er/big"), vec![1; 1 << 20]).unwrap();
        assert!(holds(&dirs, u64::MAX) >= 1 << 20);
        // A file with a hole takes up what it holds.
        fs::File::create(dir.path().join("a/hole")).unwrap().set_len(1 << 30).unwrap();
        assert!(holds(&dirs, u64::MAX) < 1 << 22);
    }
}
