//! A snapshot of file metadata, to detect later whether a file was touched.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW, utimensat};
use serde::{Deserialize, Serialize};

/// The files and directories below a directory.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct DirSnapshot {
    files: BTreeMap<String, FileStamp>,
    dirs: BTreeSet<String>,
}

/// Metadata of one file. Only root can set the change time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct FileStamp {
    inode: u64,
    mode: u32,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileStamp {
    fn of(meta: &Metadata) -> Self {
        Self {
            inode: meta.ino(),
            mode: meta.mode(),
            size: meta.size(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        }
    }
}

impl DirSnapshot {
    /// What is there now.
    pub(super) fn take(dir: &Path) -> io::Result<Self> {
        Self::walk(dir, &|path| fs::symlink_metadata(path))
    }

    /// Sets the same current time on every file and takes the snapshot. Build outputs from before are then older than
    /// every file.
    pub(super) fn take_fresh(dir: &Path) -> io::Result<Self> {
        let unset = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
        touch(dir, unset)?;
        // What the kernel calls now: finer clocks run ahead of the one that files are stamped with.
        let meta = fs::metadata(dir)?;
        let now = Timespec { tv_sec: meta.mtime(), tv_nsec: meta.mtime_nsec() };
        Self::walk(dir, &|path| {
            touch(path, now)?;
            fs::symlink_metadata(path)
        })
    }

    fn walk(top: &Path, look: &dyn Fn(&Path) -> io::Result<Metadata>) -> io::Result<Self> {
        let mut picture = Self::default();
        let mut pending = vec![String::new()];
        while let Some(dir) = pending.pop() {
            for entry in fs::read_dir(top.join(&dir))? {
                let entry = entry?;
                let name = entry.file_name().into_string().map_err(|_| io::ErrorKind::InvalidFilename)?;
                let path = if dir.is_empty() { name } else { format!("{dir}/{name}") };
                if entry.file_type()?.is_dir() {
                    picture.dirs.insert(path.clone());
                    pending.push(path);
                } else {
                    let seen = FileStamp::of(&look(&entry.path())?);
                    picture.files.insert(path, seen);
                }
            }
        }
        Ok(picture)
    }

    /// How many files it shows.
    pub(super) fn len(&self) -> usize {
        self.files.len()
    }

    /// A file's mode as git would say it.
    pub(super) fn git_mode(&self, path: &str) -> Option<u32> {
        self.files.get(path).map(|look| git_mode(look.mode))
    }

    /// Whether this is a file, or a directory, that it shows.
    pub(super) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path) || self.dirs.contains(path)
    }

    /// The files at a path and below it.
    pub(super) fn below<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a str> {
        let own = self.files.get_key_value(path).map(|(name, _)| name.as_str());
        let within = move |name: &&String| {
            name.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')) || path.is_empty()
        };
        let from = if path.is_empty() { String::new() } else { format!("{path}/") };
        let rest = self.files.range(from..).map(|(name, _)| name).take_while(within);
        own.into_iter().chain(rest.map(String::as_str))
    }
}

/// A mode as git would say it: of its bits only the owner's right to execute counts.
pub(super) fn git_mode(mode: u32) -> u32 {
    match mode & 0o170_000 {
        0o100_000 if mode & 0o100 != 0 => 0o100_755,
        0o100_000 => 0o100_644,
        kind => kind,
    }
}

fn touch(path: &Path, time: Timespec) -> io::Result<()> {
    let times = Timestamps { last_access: time, last_modification: time };
    Ok(utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?)
}

#[cfg(test)]
mod tests;
