//! A directory as a tree of files: what git would track, and what it would if somebody added it.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ignore::{WalkBuilder, WalkState};
use windlass_code::repo::Tree;
use windlass_code::survey::worth_reading;

use super::cache::{Key, key};

/// The files below a directory.
pub struct DiskTree {
    root: PathBuf,
    paths: Vec<String>,
    /// Source files: how they look from outside, and their size.
    looks: HashMap<String, (Key, u64)>,
}

impl DiskTree {
    /// Lists the directory; ignored files and `.git` stay out.
    pub fn open(root: &Path) -> Self {
        let found: Mutex<Vec<Found>> = Mutex::default();
        let threads = std::thread::available_parallelism().map_or(2, usize::from).min(8);
        let walk = WalkBuilder::new(root)
            .hidden(false)
            .git_global(false)
            .require_git(false)
            .threads(threads)
            .filter_entry(|entry| entry.file_name() != ".git")
            .build_parallel();
        walk.run(|| {
            let mut batch = Batch { found: &found, own: Vec::new() };
            Box::new(move |entry| {
                let Ok(entry) = entry else { return WalkState::Continue };
                if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                    return WalkState::Continue;
                }
                let inner = entry.path().strip_prefix(root).ok().and_then(Path::to_str);
                if let Some(path) = inner.map(str::to_owned) {
                    let look = if worth_reading(&path) { look(&path, &entry) } else { None };
                    batch.own.push((path, look));
                }
                WalkState::Continue
            })
        });
        let mut found = found.into_inner().unwrap_or_default();
        found.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let looks = found.iter().filter_map(|(path, look)| Some((path.clone(), (*look)?))).collect();
        Self { root: root.to_owned(), paths: found.into_iter().map(|(path, _)| path).collect(), looks }
    }

    /// How a source file looks from outside, and its size.
    pub(super) fn look(&self, path: &str) -> Option<(Key, u64)> {
        self.looks.get(path).copied()
    }
}

/// A file, and how it looks if it is source code.
type Found = (String, Option<(Key, u64)>);

/// What one thread found, handed over when it is done: one lock per thread and not per file.
struct Batch<'a> {
    found: &'a Mutex<Vec<Found>>,
    own: Vec<Found>,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        if let Ok(mut found) = self.found.lock() {
            found.append(&mut self.own);
        }
    }
}

fn look(path: &str, entry: &ignore::DirEntry) -> Option<(Key, u64)> {
    let meta = entry.metadata().ok()?;
    let parts = [
        meta.dev(),
        meta.ino(),
        meta.size(),
        meta.mtime().cast_unsigned(),
        meta.mtime_nsec().cast_unsigned(),
    ];
    let changed = [meta.ctime().cast_unsigned(), meta.ctime_nsec().cast_unsigned()];
    let bytes: Vec<u8> = parts.iter().chain(&changed).flat_map(|part| part.to_le_bytes()).collect();
    Some((key(&[path.as_bytes(), &bytes]), meta.len()))
}

impl Tree for DiskTree {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        std::fs::read(self.root.join(path)).ok()
    }

    fn has(&self, path: &str) -> bool {
        self.paths.binary_search_by(|known| known.as_str().cmp(path)).is_ok()
    }
}
