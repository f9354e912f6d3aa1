//! A small cache of object contents, which never change.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use windlass_core::ids::Oid;

use super::tree::TreeEntry;

/// How many single names are remembered.
const NAMES: usize = 64;
/// How many entries the remembered listings may have together; one listing is always remembered.
const ENTRIES: usize = 100_000;

/// A listing that several readers share.
pub(crate) type Listing = Arc<[TreeEntry]>;

/// The trees met last.
#[derive(Debug, Default)]
pub(super) struct Memory {
    listings: Mutex<VecDeque<(Oid, Listing)>>,
    trees: Mutex<VecDeque<(Oid, Oid)>>,
    visible: Mutex<VecDeque<(Visible, Oid)>>,
}

/// A tree and what is hidden of it.
pub(super) type Visible = (Oid, Vec<String>);

impl Memory {
    /// What a tree holds.
    pub(super) fn listing(&self, treeish: &Oid) -> Option<Listing> {
        find(&self.listings, treeish)
    }

    pub(super) fn keep_listing(&self, treeish: &Oid, listing: &Listing) {
        let mut listings = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        listings.push_back((treeish.clone(), Arc::clone(listing)));
        let too_much = |l: &VecDeque<(Oid, Listing)>| {
            l.len() > NAMES || l.iter().map(|(_, entries)| entries.len()).sum::<usize>() > ENTRIES
        };
        while listings.len() > 1 && too_much(&listings) {
            listings.pop_front();
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

#[cfg(test)]
mod tests;
