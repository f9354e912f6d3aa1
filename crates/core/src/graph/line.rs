//! The one order in which overlapping leaves are lined up.
//!
//! Stated needs always hold. Beyond them, in this order: the plan's levels; create before modify before delete, and
//! before reading; shorter chains; the plan's own order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::claim::Touch;
use super::overlap::{LeafFiles, SharedPath};
use super::rows::{Adjacency, placed};

/// A topological order of the leaves.
#[derive(Debug)]
pub(super) struct LeafOrder {
    pub(super) order: Vec<u32>,
    /// Each leaf's place in it.
    pub(super) at: Vec<u32>,
}

impl LeafOrder {
    /// Chooses the order; `needs` is acyclic.
    pub(super) fn choose(
        holders: &[LeafFiles<'_>],
        needs: &Adjacency,
        busy: &[&SharedPath<'_>],
    ) -> LeafOrder {
        let needed_by = needs.reversed();
        let standing = LeafRank::of(holders, needs, &placed(needs, &needed_by));
        let mut wishes = PathPreferences::of(holders.len(), busy);
        let mut waits: Vec<usize> = (0_u32..).take(needs.len()).map(|l| needs.row(l).len()).collect();
        let mut ready: BinaryHeap<_> = BinaryHeap::new();
        let key = |leaf: u32, wishes: &PathPreferences<'_>| {
            let (level, chain) = (standing.level[leaf as usize], standing.chain[leaf as usize]);
            Reverse((level, wishes.open[leaf as usize] > 0, chain, leaf))
        };
        let free = (0_u32..).take(needs.len()).filter(|l| waits[*l as usize] == 0);
        ready.extend(free.map(|leaf| key(leaf, &wishes)));
        let mut line = LeafOrder { order: Vec::with_capacity(needs.len()), at: vec![u32::MAX; needs.len()] };
        while let Some(Reverse((_, _, _, leaf))) = ready.pop() {
            if line.at[leaf as usize] != u32::MAX {
                continue;
            }
            line.at[leaf as usize] = u32::try_from(line.order.len()).unwrap_or(u32::MAX - 1);
            line.order.push(leaf);
            for next in needed_by.row(leaf) {
                waits[*next as usize] -= 1;
                if waits[*next as usize] == 0 {
                    ready.push(key(*next, &wishes));
                }
            }
            for other in wishes.place(leaf) {
                if waits[other as usize] == 0 {
                    ready.push(key(other, &wishes));
                }
            }
        }
        line
    }
}

/// What decides the position of a leaf apart from its dependencies and hints.
struct LeafRank {
    /// The stated level; without one, the highest among its needs.
    level: Vec<i64>,
    /// The longest chain of needs below it.
    chain: Vec<u32>,
}

impl LeafRank {
    fn of(holders: &[LeafFiles<'_>], needs: &Adjacency, order: &[u32]) -> LeafRank {
        let mut standing = LeafRank { level: vec![i64::MIN; holders.len()], chain: vec![0; holders.len()] };
        for leaf in order {
            let (mut level, mut chain) = (i64::MIN, 0);
            for need in needs.row(*leaf) {
                level = level.max(standing.level[*need as usize]);
                chain = chain.max(standing.chain[*need as usize] + 1);
            }
            let at = *leaf as usize;
            standing.level[at] = holders[at].level.unwrap_or(level);
            standing.chain[at] = chain;
        }
        standing
    }
}

/// The preferred order of leaves on the paths they share. Kept as counts, so that the cost is linear in the number of
/// owners of a path.
struct PathPreferences<'a> {
    busy: &'a [&'a SharedPath<'a>],
    /// For each leaf, the spots it owns.
    spots: Adjacency,
    /// For each spot, how many owners of each touch are not placed yet.
    left: Vec<[u32; 4]>,
    /// For each leaf, the number of spots on which another leaf should still come first.
    open: Vec<u32>,
}

impl<'a> PathPreferences<'a> {
    fn of(leaves: usize, busy: &'a [&'a SharedPath<'a>]) -> PathPreferences<'a> {
        let mut pairs = Vec::new();
        let mut left = vec![[0; 4]; busy.len()];
        for (at, spot) in (0_u32..).zip(busy) {
            for (leaf, touch) in &spot.owners {
                pairs.push((*leaf, at));
                left[at as usize][*touch as usize] += 1;
            }
        }
        let mut open = vec![0; leaves];
        for (spot, left) in busy.iter().zip(&left) {
            for (leaf, touch) in &spot.owners {
                open[*leaf as usize] += u32::from(earlier(left, *touch) > 0);
            }
            for reader in &spot.readers {
                open[*reader as usize] += u32::from(left[Touch::Create as usize] > 0);
            }
        }
        PathPreferences { busy, spots: Adjacency::new(leaves, &pairs), left, open }
    }

    /// Notes that a leaf is placed; gives those whose wishes are now all met.
    fn place(&mut self, leaf: u32) -> Vec<u32> {
        let mut met = Vec::new();
        for at in self.spots.row(leaf) {
            let spot = self.busy[*at as usize];
            // Owners were filed leaf by leaf, so they ascend.
            let Ok(own) = spot.owners.binary_search_by_key(&leaf, |(owner, _)| *owner) else { continue };
            let touch = &spot.owners[own].1;
            let left = &mut self.left[*at as usize];
            left[*touch as usize] -= 1;
            if left[*touch as usize] > 0 {
                continue;
            }
            let waited = |(_, other): &&(u32, Touch)| other > touch && earlier(left, *other) == 0;
            met.extend(spot.owners.iter().filter(waited).map(|(other, _)| *other));
            if *touch == Touch::Create {
                met.extend(&spot.readers);
            }
        }
        met.retain(|other| {
            let open = &mut self.open[*other as usize];
            *open -= 1;
            *open == 0
        });
        met
    }
}

/// The number of owners that are not placed yet and whose touch comes before this one.
fn earlier(left: &[u32; 4], touch: Touch) -> u32 {
    left[..touch as usize].iter().sum()
}
