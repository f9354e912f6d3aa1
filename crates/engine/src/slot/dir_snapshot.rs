//! A snapshot of file metadata, to detect later whether a file was touched.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW, utimensat};
use serde::{Deserialize, Serialize};

use crate::git::{GITLINK, PathChange};

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
    /// Sets the same current time on every file and takes the snapshot. Build outputs from before are then older than
    /// every file.
    pub(super) fn take_fresh(top: &Path) -> io::Result<Self> {
        let unset = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
        touch(top, unset)?;
        // What the kernel calls now: finer clocks run ahead of the one that files are stamped with.
        let meta = fs::metadata(top)?;
        let now = Timespec { tv_sec: meta.mtime(), tv_nsec: meta.mtime_nsec() };
        let mut picture = Self::default();
        walk(top, &mut String::new(), &mut |path, entry, is_dir| {
            if is_dir {
                picture.dirs.insert(path.to_owned());
            } else {
                touch(&entry.path(), now)?;
                picture.files.insert(path.to_owned(), FileStamp::of(&entry.metadata()?));
            }
            Ok(true)
        })?;
        Ok(picture)
    }

    /// Whether exactly this lies there, and nothing was touched.
    pub(super) fn is_unchanged(&self, top: &Path) -> bool {
        let (mut files, mut dirs) = (0, 0);
        let known = walk(top, &mut String::new(), &mut |path, entry, is_dir| {
            if is_dir {
                dirs += 1;
                return Ok(self.dirs.contains(path));
            }
            files += 1;
            Ok(self.files.get(path) == Some(&FileStamp::of(&entry.metadata()?)))
        });
        known.is_ok_and(|known| known) && (files, dirs) == (self.files.len(), self.dirs.len())
    }

    /// After these changes of files, which get the time of the others. Nothing else is looked at. `None` for a snapshot without files,
    /// and where a submodule comes or goes.
    pub(super) fn after(mut self, top: &Path, changes: &[PathChange]) -> io::Result<Option<Self>> {
        let Some(time) = self.files.values().next().map(|stamp| stamp.modified) else { return Ok(None) };
        let time = Timespec { tv_sec: time.0, tv_nsec: time.1 };
        for PathChange { path, old, new, .. } in changes {
            if [old, new].into_iter().flatten().any(|(mode, _)| *mode == GITLINK) {
                return Ok(None);
            }
            self.files.remove(path);
            if new.is_some() {
                touch(&top.join(path), time)?;
                self.files.insert(path.clone(), FileStamp::of(&fs::symlink_metadata(top.join(path))?));
            }
            for (at, _) in path.match_indices('/') {
                let dir = &path[..at];
                let is_there = fs::symlink_metadata(top.join(dir)).is_ok_and(|meta| meta.is_dir());
                if is_there {
                    self.dirs.insert(dir.to_owned())
                } else {
                    self.dirs.remove(dir)
                };
            }
        }
        Ok(Some(self))
    }

    /// The files in the order of their paths, each with its mode as git would say it.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, u32)> {
        self.files.iter().map(|(path, stamp)| (path.as_str(), git_mode(stamp.mode)))
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

/// Shows every file and directory below `top`, until one is not as it should be.
fn walk(
    top: &Path,
    path: &mut String,
    look: &mut dyn FnMut(&str, &DirEntry, bool) -> io::Result<bool>,
) -> io::Result<bool> {
    let above = path.len();
    for entry in fs::read_dir(top)? {
        let entry = entry?;
        let name = entry.file_name();
        path.truncate(above);
        path.push_str(name.to_str().ok_or(io::ErrorKind::InvalidFilename)?);
        let is_dir = entry.file_type()?.is_dir();
        if !look(path, &entry, is_dir)? {
            return Ok(false);
        }
        if is_dir {
            path.push('/');
            if !walk(&entry.path(), path, look)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
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
