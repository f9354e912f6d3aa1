//! File sets become links: leaves that change one path never run side by side, and a reader of a new file waits for
//! it to be made.
//!
//! One order of the stated graph is chosen, and every added link follows it. Therefore added links never make a cycle,
//! and no question is asked about all pairs.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use super::claim::{self, Cover, Touch};
use super::line::LeafOrder;
use super::rows::Adjacency;

/// A leaf as this file sees it.
#[derive(Debug)]
pub(super) struct LeafFiles<'a> {
    pub(super) owned: Vec<(Cow<'a, str>, Touch)>,
    pub(super) read: Vec<Cow<'a, str>>,
    /// The level the plan states, if it does.
    pub(super) level: Option<i64>,
}

/// Why two leaves meet on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meet {
    /// Both change it.
    Change,
    /// The first creates it, the second reads it.
    Read,
}

/// Two leaves that meet on a path and were not ordered; the order is the chosen one.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) first: u32,
    pub(super) then: u32,
    pub(super) meet: Meet,
    pub(super) path: String,
    /// On how many further paths they meet.
    pub(super) more: usize,
}

/// Every path that tasks may meet on, with the leaves that change it and those that read it.
#[derive(Debug, Default)]
pub(super) struct SharedPath<'a> {
    pub(super) path: &'a str,
    pub(super) owners: Vec<(u32, Touch)>,
    pub(super) readers: Vec<u32>,
}

/// The pairs that need a link, given what the leaves already need.
pub(super) fn unordered(holders: &[LeafFiles<'_>], needs: impl FnOnce() -> Adjacency) -> Vec<Pair> {
    let spots = spots(holders);
    let covers = covers(&spots);
    let shared = |s: &SharedPath<'_>| {
        let made = s.owners.iter().any(|(_, touch)| *touch == Touch::Create);
        s.owners.len() > 1 || (made && !s.readers.is_empty())
    };
    let busy: Vec<&SharedPath<'_>> = spots.iter().filter(|s| shared(s)).collect();
    if busy.is_empty() && covers.is_empty() {
        return Vec::new();
    }
    let needs = &needs();
    let line = LeafOrder::choose(holders, needs, &busy);
    let mut meets = Meets { line: &line, pairs: BTreeMap::new() };
    for spot in &busy {
        meets.one_path(spot);
    }
    for (cover, below) in &covers {
        meets.cover(cover, below);
    }
    let asked: Vec<(u32, u32)> = meets.pairs.keys().copied().collect();
    let known = super::reach::ordered(needs, &line.order, &line.at, &asked);
    let pairs = meets.pairs.into_values().zip(known).filter(|(_, known)| !known);
    pairs.map(|(pair, _)| pair).collect()
}

/// Paths with what is done to them. If no path matches several, the paths that only one leaf names are left out:
/// no two leaves meet there, and nearly all paths are of that kind.
fn spots<'a>(holders: &'a [LeafFiles<'_>]) -> Vec<SharedPath<'a>> {
    let owned = || holders.iter().flat_map(|h| &h.owned).map(|(path, _)| path.as_ref());
    let covered = owned().any(|path| Cover::read(path).is_some());
    let mut named: HashMap<&str, u32> = HashMap::with_capacity(2 * holders.len());
    for path in owned().chain(holders.iter().flat_map(|h| &h.read).map(Cow::as_ref)) {
        *named.entry(path).or_default() += 1;
    }
    let mut spots: Vec<SharedPath<'a>> = Vec::new();
    let mut at: HashMap<&str, usize> = HashMap::new();
    for (leaf, holder) in (0_u32..).zip(holders) {
        let wanted = |path: &str| covered || named.get(path).is_some_and(|n| *n > 1);
        for (path, touch) in holder.owned.iter().filter(|(path, _)| wanted(path)) {
            spot(&mut spots, &mut at, path).owners.push((leaf, *touch));
        }
        let reads =
            holder.read.iter().filter(|p| wanted(p) && !holder.owned.iter().any(|(own, _)| own == *p));
        for path in reads {
            spot(&mut spots, &mut at, path).readers.push(leaf);
        }
    }
    spots
}

fn spot<'s, 'a>(
    spots: &'s mut Vec<SharedPath<'a>>,
    at: &mut HashMap<&'a str, usize>,
    path: &'a str,
) -> &'s mut SharedPath<'a> {
    let place = *at.entry(path).or_insert_with(|| {
        spots.push(SharedPath { path, ..SharedPath::default() });
        spots.len() - 1
    });
    &mut spots[place]
}

/// For every owned directory or pattern, the leaves that own it, and those that own a path it may match.
fn covers<'a>(spots: &'a [SharedPath<'a>]) -> Vec<(&'a SharedPath<'a>, Vec<u32>)> {
    let mut by_dir: HashMap<&str, Vec<(usize, Cover<'_>)>> = HashMap::new();
    let mut found = Vec::new();
    for spot in spots.iter().filter(|s| !s.owners.is_empty()) {
        if let Some(cover) = Cover::read(spot.path) {
            by_dir.entry(cover.dir).or_default().push((found.len(), cover));
            found.push((spot, Vec::new()));
        }
    }
    if found.is_empty() {
        return found;
    }
    for spot in spots.iter().filter(|s| !s.owners.is_empty()) {
        for (at, cover) in claim::dirs(spot.path).filter_map(|dir| by_dir.get(dir)).flatten() {
            if found[*at].0.path != spot.path && cover.may_hold(spot.path) {
                found[*at].1.extend(spot.owners.iter().map(|(leaf, _)| *leaf));
            }
        }
    }
    found.retain(|(_, below)| !below.is_empty());
    found
}

/// Collects the pairs that must be ordered, each once.
struct Meets<'a> {
    line: &'a LeafOrder,
    pairs: BTreeMap<(u32, u32), Pair>,
}

impl Meets<'_> {
    /// The owners of one path, one behind the other; a reader behind the last before it that creates the path.
    fn one_path(&mut self, spot: &SharedPath<'_>) {
        let mut owners = spot.owners.clone();
        owners.sort_by_key(|(leaf, _)| self.line.at[*leaf as usize]);
        for pair in owners.windows(2) {
            self.add(pair[0].0, pair[1].0, Meet::Change, spot.path);
        }
        owners.retain(|(_, touch)| *touch == Touch::Create);
        for reader in &spot.readers {
            let place = self.line.at[*reader as usize];
            let made = owners.partition_point(|(leaf, _)| self.line.at[*leaf as usize] < place);
            if made > 0 {
                self.add(owners[made - 1].0, *reader, Meet::Read, spot.path);
            }
        }
    }

    /// Orders the owners of a directory and the owners of paths below it. Owners below stay unordered among themselves.
    fn cover(&mut self, spot: &SharedPath<'_>, below: &[u32]) {
        let mut all: Vec<(u32, bool)> = below.iter().map(|leaf| (*leaf, false)).collect();
        all.extend(spot.owners.iter().map(|(leaf, _)| (*leaf, true)));
        all.sort_by_key(|(leaf, whole)| (self.line.at[*leaf as usize], *whole));
        let mut last = None;
        let mut since: Vec<u32> = Vec::new();
        for (leaf, whole) in all {
            if whole {
                for small in since.drain(..) {
                    self.add(small, leaf, Meet::Change, spot.path);
                }
                last = Some(leaf);
            } else {
                since.push(leaf);
                if let Some(last) = last {
                    self.add(last, leaf, Meet::Change, spot.path);
                }
            }
        }
    }

    fn add(&mut self, first: u32, then: u32, meet: Meet, path: &str) {
        if first == then {
            return;
        }
        let fresh = || Pair { first, then, meet, path: path.to_owned(), more: 0 };
        let pair = self.pairs.entry((first, then)).and_modify(|p| p.more += 1).or_insert_with(fresh);
        if meet < pair.meet {
            (pair.meet, pair.path) = (meet, path.to_owned());
        }
    }
}
