//! Room on the disk that work is carried out on.
//!
//! What an agent or a test cannot write for lack of room looks like a failure of its own. So no work is begun on a disk that is
//! nearly full, and what fails while it is so says nothing of the work.

use std::path::Path;

/// Work is not begun with less room, in bytes.
const LEAST_FREE: u64 = 64 << 20;
/// Nor if fewer files can be made.
const LEAST_FILES: u64 = 1000;

/// What is missing on the disk of a directory, for people; `None` if there is enough or nobody knows.
pub(crate) fn missing_room(dir: &Path) -> Option<String> {
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
            "{} MiB left on the disk of the cache, and {} are the least",
            bytes >> 20,
            LEAST_FREE >> 20
        ));
    }
    let files = files.filter(|files| *files < LEAST_FILES)?;
    Some(format!("room for {files} files left on the disk of the cache, and for {LEAST_FILES} is the least"))
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
        assert_eq!(missing_room(Path::new("/no/such/directory")), missing_room(Path::new("/")));
    }
}
