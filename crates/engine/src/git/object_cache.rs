//! A small cache of object contents, which never change, and of what was made of them.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use windlass_core::ids::Oid;

use super::tree::{SortedEntries, TreeEntry};
use super::tree_nodes::Nodes;

/// How many single names are remembered.
const NAMES: usize = 64;
/// How many entries the remembered listings may have together; one listing is always remembered.
const ENTRIES: usize = 100_000;

/// How many listings are looked at for one that is like another.
const LOOKED_AT: usize = 8;

/// How many entries the remembered single directories may have together.
const NODES: usize = 100_000;

/// How many bytes the remembered blobs may have together, and how many one of them.
const BLOB_BYTES: usize = 4 << 20;
const LARGEST_BLOB: usize = 128 << 10;

/// A listing that several readers share.
pub(crate) type TreeListing = Arc<[TreeEntry]>;

/// The regular files of a tree, as several readers share them.
#[derive(Debug, Clone)]
pub(crate) struct TreeFiles {
    /// Their paths, in git's order.
    pub(crate) paths: Arc<Vec<String>>,
    /// What the tree holds, sorted by path.
    pub(super) listing: TreeListing,
}

impl TreeFiles {
    /// The blob of a regular file.
    pub(crate) fn blob(&self, path: &str) -> Option<&Oid> {
        let entry = SortedEntries(&self.listing).get(path)?;
        (entry.mode & 0o170_000 == 0o100_000).then_some(&entry.oid)
    }
}

/// The trees and blobs met last.
#[derive(Debug, Default)]
pub(super) struct Memory {
    listings: Mutex<VecDeque<(Oid, TreeListing)>>,
    files: Mutex<VecDeque<(Oid, TreeFiles)>>,
    trees: Mutex<VecDeque<(Oid, Oid)>>,
    visible: Mutex<VecDeque<(Visible, Oid)>>,
    blobs: Mutex<Blobs>,
    nodes: Mutex<Directories>,
    laid: Mutex<VecDeque<(PathBuf, Oid)>>,
    picked: Mutex<VecDeque<(PickedKey, Arc<[String]>)>>,
}

/// A tree and the rule that picks files of it.
type PickedKey = (Oid, &'static str);

/// The blobs met last, oldest first, and how many bytes they have together.
#[derive(Debug, Default)]
struct Blobs {
    known: HashMap<Oid, Arc<[u8]>>,
    order: VecDeque<Oid>,
    bytes: usize,
}

/// The single directories met last, oldest first, and how many entries they have together.
#[derive(Debug, Default)]
struct Directories {
    known: HashMap<Oid, Nodes>,
    order: VecDeque<Oid>,
    entries: usize,
}

/// A tree and what is hidden of it.
pub(super) type Visible = (Oid, Vec<String>);

impl Memory {
    /// What a tree holds.
    pub(super) fn listing(&self, treeish: &Oid) -> Option<TreeListing> {
        find(&self.listings, treeish)
    }

    /// The listings met last, the newest first.
    pub(super) fn listings(&self) -> Vec<(Oid, TreeListing)> {
        let known = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().rev().take(LOOKED_AT).cloned().collect()
    }

    /// The tree that was laid down with an index.
    pub(super) fn laid(&self, index: &Path) -> Option<Oid> {
        find(&self.laid, &index.to_owned())
    }

    pub(super) fn keep_laid(&self, index: &Path, tree: Option<&Oid>) {
        let mut laid = self.laid.lock().unwrap_or_else(PoisonError::into_inner);
        laid.retain(|(known, _)| known != index);
        drop(laid);
        if let Some(tree) = tree {
            keep(&self.laid, index.to_owned(), tree.clone());
        }
    }

    pub(super) fn keep_listing(&self, treeish: &Oid, listing: &TreeListing) {
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

    /// The entries of one directory of a tree.
    pub(super) fn nodes(&self, tree: &Oid) -> Option<Nodes> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner).known.get(tree).cloned()
    }

    pub(super) fn keep_nodes(&self, tree: &Oid, nodes: &Nodes) {
        let mut all = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
        if all.known.insert(tree.clone(), Arc::clone(nodes)).is_some() {
            return;
        }
        all.order.push_back(tree.clone());
        all.entries += nodes.len();
        while all.entries > NODES
            && all.order.len() > 1
            && let Some(oldest) = all.order.pop_front()
        {
            let gone = all.known.remove(&oldest).map_or(0, |nodes| nodes.len());
            all.entries -= gone;
        }
    }

    /// The files of a tree that a rule picks.
    pub(super) fn picked(&self, tree: &Oid, rule: &'static str) -> Option<Arc<[String]>> {
        find(&self.picked, &(tree.clone(), rule))
    }

    /// What a rule picked last, the newest first.
    pub(super) fn picks(&self, rule: &'static str) -> Vec<(Oid, Arc<[String]>)> {
        let known = self.picked.lock().unwrap_or_else(PoisonError::into_inner);
        let of_rule = known.iter().rev().filter(|((_, by), _)| *by == rule);
        of_rule.take(LOOKED_AT).map(|((tree, _), files)| (tree.clone(), Arc::clone(files))).collect()
    }

    pub(super) fn keep_picked(&self, tree: &Oid, rule: &'static str, files: &Arc<[String]>) {
        keep(&self.picked, (tree.clone(), rule), Arc::clone(files));
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
