//! A directory as a tree of files: what git would track, and what it would if somebody added it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::{WalkBuilder, WalkState};
use windlass_code::repo::Tree;

/// The files below a directory.
pub struct DiskTree {
    root: PathBuf,
    paths: Arc<Vec<String>>,
}

impl DiskTree {
    /// Lists the directory; ignored files and `.git` stay out.
    pub fn open(root: &Path) -> Self {
        let found: Mutex<Vec<String>> = Mutex::default();
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
                if entry.file_type().is_some_and(|kind| kind.is_file()) {
                    let inner = entry.path().strip_prefix(root).ok().and_then(Path::to_str);
                    batch.own.extend(inner.map(str::to_owned));
                }
                WalkState::Continue
            })
        });
        let mut paths = found.into_inner().unwrap_or_default();
        paths.sort_unstable();
        Self { root: root.to_owned(), paths: Arc::new(paths) }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn listing(&self) -> Arc<Vec<String>> {
        self.paths.clone()
    }
}

/// What one thread found, handed over when it is done: one lock per thread and not per file.
struct Batch<'a> {
    found: &'a Mutex<Vec<String>>,
    own: Vec<String>,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        if let Ok(mut found) = self.found.lock() {
            found.append(&mut self.own);
        }
    }
}

impl Tree for DiskTree {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        // Most questions are about files that are not there.
        if self.has(path) { std::fs::read(self.root.join(path)).ok() } else { None }
    }

    fn has(&self, path: &str) -> bool {
        self.paths.binary_search_by(|known| known.as_str().cmp(path)).is_ok()
    }
}
