//! Finds what commands changed in an overlay by reading its upper directory.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::base::Base;
use super::dir_snapshot::git_mode;
use crate::platform::overlay_marks::{is_opaque, is_whiteout};

/// The files of the base that are no longer what they were, as seen through what was written over it.
pub(super) fn changed(upper: &Path, base: &Base) -> io::Result<Vec<String>> {
    let mut changed = Vec::new();
    let mut pending = vec![String::new()];
    while let Some(dir) = pending.pop() {
        for entry in super::prepare::list(&upper.join(&dir))? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = if dir.is_empty() { name } else { format!("{dir}/{name}") };
            let meta = fs::symlink_metadata(entry.path())?;
            if meta.is_dir() && base.picture().git_mode(&path).is_none() {
                if is_opaque(&entry.path()) {
                    let gone = |name: &&str| fs::symlink_metadata(upper.join(name)).is_err();
                    changed.extend(base.picture().below(&path).filter(gone).map(str::to_owned));
                }
                pending.push(path);
            } else if !is_same(&entry.path(), &meta, &path, base)? {
                // The entry replaces everything below it in the base.
                changed.extend(base.picture().below(&path).map(str::to_owned));
            }
        }
    }
    changed.sort();
    changed.dedup();
    Ok(changed)
}

/// Whether a written file equals the base's. Files that the base does not have do not matter.
fn is_same(file: &Path, meta: &Metadata, path: &str, base: &Base) -> io::Result<bool> {
    let Some(mode) = base.picture().git_mode(path) else { return Ok(!base.picture().has(path)) };
    let below = base.tree().join(path);
    if git_mode(meta.mode()) != mode || is_whiteout(meta) {
        return Ok(false);
    }
    if meta.is_symlink() {
        return Ok(fs::read_link(file)? == fs::read_link(below)?);
    }
    let same = meta.len() == fs::symlink_metadata(&below)?.len()
        && match same_bytes(file, &below) {
            // Commands cannot read it either.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => false,
            other => other?,
        };
    Ok(same)
}

/// Compares two files piece by piece.
fn same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    use std::io::BufRead as _;
    let open = |path| fs::File::open(path).map(|file| io::BufReader::with_capacity(1 << 16, file));
    let (mut one, mut other) = (open(one)?, open(other)?);
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let length = left.len().min(right.len());
        if length == 0 {
            return Ok(left.is_empty() && right.is_empty());
        }
        if left[..length] != right[..length] {
            return Ok(false);
        }
        one.consume(length);
        other.consume(length);
    }
}
