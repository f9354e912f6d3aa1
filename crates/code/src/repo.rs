//! A view of one tree of files: its paths, and the bytes of one path on demand.
//!
//! Does not know whether the tree lies on a disk, in git or in a test.

use std::collections::BTreeMap;

/// A read-only tree of files with `/`-separated paths relative to its root.
pub trait Tree {
    /// Every file path in the tree.
    fn paths(&self) -> &[String];
    /// The bytes of one file, if it exists and can be read.
    fn read(&self, path: &str) -> Option<Vec<u8>>;
    /// Whether the tree has this file. Asked very often.
    fn has(&self, path: &str) -> bool;
}

/// A tree held in memory, for tests and for callers that already have the bytes.
#[derive(Debug, Clone, Default)]
pub struct MemoryTree {
    paths: Vec<String>,
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryTree {
    /// A tree without files.
    pub const fn empty() -> Self {
        Self { paths: Vec::new(), files: BTreeMap::new() }
    }

    /// A tree of these files.
    pub fn new<P: Into<String>, B: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        let files: BTreeMap<String, Vec<u8>> =
            files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect();
        Self { paths: files.keys().cloned().collect(), files }
    }
}

impl Tree for MemoryTree {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.files.get(path).cloned()
    }

    fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }
}

/// A tree with files that are still to be made: they hide those below.
pub struct Overlaid<'a> {
    base: &'a dyn Tree,
    added: MemoryTree,
    paths: Vec<String>,
}

impl<'a> Overlaid<'a> {
    /// A tree and what is added to it.
    pub fn new(base: &'a dyn Tree, added: Vec<(String, String)>) -> Self {
        let added = MemoryTree::new(added);
        let mut paths = [base.paths(), added.paths()].concat();
        paths.sort_unstable();
        paths.dedup();
        Self { base, added, paths }
    }
}

impl Tree for Overlaid<'_> {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.added.read(path).or_else(|| self.base.read(path))
    }

    fn has(&self, path: &str) -> bool {
        self.added.has(path) || self.base.has(path)
    }
}
