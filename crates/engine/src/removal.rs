//! Removes whatever lies at a path, without following links, even where a tool made directories read-only.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

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
}
