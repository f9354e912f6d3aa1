//! A directory as a tree of files: what git tracks, and what it would track after `git add`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use windlass_code::repo::Tree;
use windlass_code::survey::sources;

use super::index::{DirectoryRecord, SourceRecord};
use super::kept_file;
use super::rules::open_dir;
use super::stamp::{now, shows_names};
use super::walk::{Listing, relist, walk};

/// The files below a directory.
pub struct DiskTree {
    root: PathBuf,
    paths: Arc<Vec<String>>,
    sources: Vec<u32>,
    known: Arc<KnownDirectory>,
}

/// What is known of a directory beside its files.
pub(super) struct KnownDirectory {
    /// What is there now, without the files.
    pub(super) listing: Listing,
    /// What was kept of its source files.
    pub(super) sources: Vec<SourceRecord>,
    /// Whether the listing is another than the one that was kept.
    pub(super) changed: bool,
}

impl DiskTree {
    /// Lists the directory; ignored files and `.git` stay out.
    pub fn open(root: &Path) -> Self {
        Self::open_with(root, None)
    }

    /// Lists the directory with the help of what is kept in a file.
    pub(super) fn open_with(root: &Path, kept: Option<&Path>) -> Self {
        let now = now();
        let record: Option<DirectoryRecord> = kept.and_then(kept_file::read);
        let (mut listing, known_sources, changed) = match record {
            Some(record) => {
                let sure = open_dir(root).is_some_and(shows_names);
                let other = if sure { relist(root, &record.listing, now) } else { Some(walk(root, now)) };
                let changed = other.is_some();
                (other.unwrap_or(record.listing), record.sources, changed)
            }
            None => (walk(root, now), Vec::new(), true),
        };
        let paths = std::mem::take(&mut listing.files);
        let sources = sources(&paths);
        let known = Arc::new(KnownDirectory { listing, sources: known_sources, changed });
        Self { root: root.to_owned(), paths: Arc::new(paths), sources, known }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn listing(&self) -> Arc<Vec<String>> {
        self.paths.clone()
    }

    pub(super) fn sources(&self) -> &[u32] {
        &self.sources
    }

    pub(super) fn known(&self) -> Arc<KnownDirectory> {
        self.known.clone()
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
