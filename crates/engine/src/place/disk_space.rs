//! Room on the disk that work is carried out on.
//!
//! A write that fails on a full disk looks like a failure of the agent or the test. So no work begins on a disk that is nearly
//! full, and a failure on such a disk is no verdict on the work.

use std::path::Path;

/// The least free space that work begins with, in bytes.
const LEAST_FREE: u64 = 64 << 20;
/// The least number of free inodes that work begins with.
const LEAST_FILES: u64 = 1000;

/// What is missing on the disk of a directory, for people; `None` if there is enough or it cannot be found out.
pub(crate) fn missing_space(dir: &Path) -> Option<String> {
    let existing = dir.ancestors().find(|dir| dir.exists())?;
    let about = rustix::fs::statvfs(existing).ok()?;
    let bytes = about.f_bavail.saturating_mul(about.f_frsize);
    // Some file systems make inodes as they need them, and count none.
    let files = (about.f_files > 0).then_some(about.f_favail);
    missing(bytes, files)
}

fn missing(bytes: u64, files: Option<u64>) -> Option<String> {
    if bytes < LEAST_FREE {
        return Some(format!(
            "{} MiB left on the disk of the cache; at least {} are needed",
            bytes >> 20,
            LEAST_FREE >> 20
        ));
    }
    let files = files.filter(|files| *files < LEAST_FILES)?;
    Some(format!("room for {files} files left on the disk of the cache; at least {LEAST_FILES} are needed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_is_nearly_full_of_bytes_or_of_files_is_told() {
        for (bytes, files, words) in [
            (u64::MAX, None, ""),
            (LEAST_FREE, Some(LEAST_FILES), ""),
            (LEAST_FREE - 1, None, "63 MiB left"),
            (0, Some(0), "0 MiB left"),
            (LEAST_FREE, Some(999), "room for 999 files left"),
        ] {
            let said = missing(bytes, files);
            assert_eq!(said.is_some(), !words.is_empty(), "{said:?}");
            assert!(said.unwrap_or_default().contains(words));
        }
        assert_eq!(missing_space(Path::new("/no/such/directory")), missing_space(Path::new("/")));
    }
}
