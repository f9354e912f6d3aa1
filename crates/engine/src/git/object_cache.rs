//! A small cache of object contents, which never change, and of what was made of them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use windlass_core::ids::Oid;

use super::repo::TempIndex;
use super::tree::TreeEntry;

/// How many single names are remembered.
const NAMES: usize = 64;
/// How many entries the remembered listings may have together; one listing is always remembered.
const ENTRIES: usize = 100_000;

/// How many index files are kept.
const INDEXES: usize = 6;

/// How many bytes the remembered blobs may have together, and how many one of them.
const BLOB_BYTES: usize = 4 << 20;
const LARGEST_BLOB: usize = 128 << 10;

/// A listing that several readers share.
pub(crate) type Listing = Arc<[TreeEntry]>;

/// The regular files of a tree, as several readers share them.
#[derive(Debug, Clone)]
pub(crate) struct TreeFiles {
    /// Their paths, in git's order.
    pub(crate) paths: Arc<Vec<String>>,
    /// Their blobs.
    pub(crate) blobs: Arc<HashMap<String, Oid>>,
}

/// The trees and blobs met last.
#[derive(Debug, Default)]
pub(super) struct Memory {
    listings: Mutex<VecDeque<(Oid, Listing)>>,
    files: Mutex<VecDeque<(Oid, TreeFiles)>>,
    trees: Mutex<VecDeque<(Oid, Oid)>>,
    visible: Mutex<VecDeque<(Visible, Oid)>>,
    blobs: Mutex<Blobs>,
    indexes: Mutex<VecDeque<(Oid, Arc<TempIndex>)>>,
}

/// The blobs met last, oldest first, and how many bytes they have together.
#[derive(Debug, Default)]
struct Blobs {
    known: HashMap<Oid, Arc<[u8]>>,
    order: VecDeque<Oid>,
    bytes: usize,
}

/// A tree and what is hidden of it.
pub(super) type Visible = (Oid, Vec<String>);

impl Memory {
    /// What a tree holds.
    pub(super) fn listing(&self, treeish: &Oid) -> Option<Listing> {
        find(&self.listings, treeish)
    }

    pub(super) fn keep_listing(&self, treeish: &Oid, listing: &Listing) {
        keep_large(&self.listings, treeish, Arc::clone(listing), |listing| listing.len());
    }

    /// The regular files of a tree.
    pub(super) fn files(&self, treeish: &Oid) -> Option<TreeFiles> {
        find(&self.files, treeish)
    }

    pub(super) fn keep_files(&self, treeish: &Oid, files: TreeFiles) {
        keep_large(&self.files, treeish, files, |files| files.paths.len());
    }

    /// The bytes of a blob.
    pub(super) fn blob(&self, oid: &Oid) -> Option<Arc<[u8]>> {
        self.blobs.lock().unwrap_or_else(PoisonError::into_inner).known.get(oid).cloned()
    }

    pub(super) fn keep_blob(&self, oid: &Oid, bytes: &[u8]) {
        let mut blobs = self.blobs.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes.len() > LARGEST_BLOB || blobs.known.insert(oid.clone(), bytes.into()).is_some() {
            return;
        }
        blobs.order.push_back(oid.clone());
        blobs.bytes += bytes.len();
        while blobs.bytes > BLOB_BYTES
            && let Some(oldest) = blobs.order.pop_front()
        {
            let gone = blobs.known.remove(&oldest).map_or(0, |bytes| bytes.len());
            blobs.bytes -= gone;
        }
    }

    /// An index file that holds a tree. Nobody writes to it.
    pub(super) fn index(&self, treeish: &Oid) -> Option<Arc<TempIndex>> {
        find(&self.indexes, treeish)
    }

    pub(super) fn keep_index(&self, treeish: &Oid, index: TempIndex) {
        let mut indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        indexes.retain(|(known, _)| known != treeish);
        indexes.push_back((treeish.clone(), Arc::new(index)));
        if indexes.len() > INDEXES {
            indexes.pop_front();
        }
    }

    /// The tree of a commit.
    pub(super) fn tree(&self, commit: &Oid) -> Option<Oid> {
        find(&self.trees, commit)
    }

    pub(super) fn keep_tree(&self, commit: &Oid, tree: &Oid) {
        keep(&self.trees, commit.clone(), tree.clone());
    }

    /// A tree without what is hidden of it.
    pub(super) fn without(&self, visible: &Visible) -> Option<Oid> {
        find(&self.visible, visible)
    }

    pub(super) fn keep_without(&self, visible: Visible, tree: &Oid) {
        keep(&self.visible, visible, tree.clone());
    }
}

fn find<K: PartialEq, V: Clone>(known: &Mutex<VecDeque<(K, V)>>, key: &K) -> Option<V> {
    let known = known.lock().unwrap_or_else(PoisonError::into_inner);
    known.iter().rev().find(|(k, _)| k == key).map(|(_, value)| value.clone())
}

fn keep<K, V>(known: &Mutex<VecDeque<(K, V)>>, key: K, value: V) {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    known.push_back((key, value));
    if known.len() > NAMES {
        known.pop_front();
    }
}

/// Keeps what has many entries: as many of them as `ENTRIES` allows, and always the last one.
fn keep_large<V>(known: &Mutex<VecDeque<(Oid, V)>>, key: &Oid, value: V, entries: impl Fn(&V) -> usize) {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    known.retain(|(kept, _)| kept != key);
    known.push_back((key.clone(), value));
    let too_much = |all: &VecDeque<(Oid, V)>| {
        all.len() > NAMES || all.iter().map(|(_, value)| entries(value)).sum::<usize>() > ENTRIES
    };
    while known.len() > 1 && too_much(&known) {
        known.pop_front();
    }
}

#[cfg(test)]
mod tests;
