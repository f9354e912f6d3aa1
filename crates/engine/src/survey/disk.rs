//! A directory as a tree of files: what git would track, and what it would if somebody added it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use windlass_code::repo::Tree;
use windlass_code::survey::sources;

use super::look::{now, shows_names};
use super::rules::open_dir;
use super::table::Table;
use super::walk::{Listed, Listing, list, walk};

/// The files below a directory.
pub struct DiskTree {
    root: PathBuf,
    paths: Arc<Vec<String>>,
    sources: Vec<u32>,
    known: Arc<Known>,
}

/// What was known of a directory before, and what is now.
pub(super) struct Known {
    /// What was kept.
    pub(super) table: Option<Table>,
    /// What is there now, without the files; `None` when it is what was kept.
    pub(super) listing: Option<Listing>,
}

/// What a look at a directory gives.
struct Seen {
    paths: Vec<String>,
    sources: Vec<u32>,
    listing: Option<Listing>,
}

impl Seen {
    fn with(root: &Path, table: &Table, now: u128) -> Self {
        let sure = open_dir(root).is_some_and(shows_names);
        match if sure { list(root, table, now) } else { Listed::Other(walk(root, now)) } {
            Listed::Same => {
                let paths = (0..table.files()).into_par_iter().with_min_len(4096);
                let paths = paths.map(|n| table.path(n).to_owned()).collect();
                Self { paths, sources: table.sources().collect(), listing: None }
            }
            Listed::Other(listing) => Self::of(listing),
        }
    }

    fn of(mut listing: Listing) -> Self {
        let paths = std::mem::take(&mut listing.files);
        Self { sources: sources(&paths), paths, listing: Some(listing) }
    }
}

impl DiskTree {
    /// Lists the directory; ignored files and `.git` stay out.
    pub fn open(root: &Path) -> Self {
        Self::open_with(root, None)
    }

    /// Lists the directory with the help of what is kept in a file.
    pub(super) fn open_with(root: &Path, kept: Option<&Path>) -> Self {
        let now = now();
        let table = kept.and_then(Table::read);
        let seen = table.as_ref().and_then(|table| {
            let (whole, seen) = rayon::join(|| table.is_whole(), || Seen::with(root, table, now));
            whole.then_some(seen)
        });
        let table = table.filter(|_| seen.is_some());
        let Seen { paths, sources, listing } = seen.unwrap_or_else(|| Seen::of(walk(root, now)));
        let known = Arc::new(Known { table, listing });
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

    pub(super) fn known(&self) -> Arc<Known> {
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
