//! The lines between two rows of a text drawing: which share a track, and the order of the tracks.

use std::collections::{BTreeMap, BTreeSet};

/// Lines that belong together: every top is linked to every bottom.
#[derive(Debug)]
pub(super) struct Net {
    /// Columns where it comes down from the row above.
    pub(super) tops: Vec<usize>,
    /// Columns where it goes down to the row below.
    pub(super) bottoms: Vec<usize>,
    /// Its horizontal track, counted from above; none if it runs straight down.
    pub(super) track: Option<usize>,
}

impl Net {
    fn span(&self) -> (usize, usize) {
        let all = || self.tops.iter().chain(&self.bottoms).copied();
        (all().min().unwrap_or(0), all().max().unwrap_or(0))
    }
}

/// The space between two rows.
#[derive(Debug)]
pub(super) struct Channel {
    pub(super) nets: Vec<Net>,
    pub(super) tracks: usize,
    /// The cells of the lower row with a column at which each is entered, one for every net that leads to it.
    pub(super) entries: Vec<(usize, usize)>,
}

/// A cell of the row below: its middle, and how far from it a line may enter.
#[derive(Debug, Clone, Copy)]
pub(super) struct RouteEnd {
    pub(super) middle: usize,
    pub(super) reach: usize,
}

/// Finds tracks for all lines from the cells above (with their columns) to the cells below, or nothing if two lines
/// would have to lie on each other.
pub(super) fn channel(
    links: &[(usize, usize)],
    tops: &BTreeMap<usize, usize>,
    targets: &BTreeMap<usize, RouteEnd>,
) -> Option<Channel> {
    let mut by_top: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (top, bottom) in links {
        by_top.entry(*top).or_default().insert(*bottom);
    }
    let mut groups: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (top, bottoms) in by_top {
        groups.entry(bottoms.into_iter().collect()).or_default().push(top);
    }
    let mut nets: Vec<Net> = Vec::new();
    let mut leads_to: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (bottoms, above) in groups {
        for cell in &bottoms {
            leads_to.entry(*cell).or_default().push(nets.len());
        }
        let tops = above.iter().map(|cell| tops[cell]).collect();
        nets.push(Net { tops, bottoms: Vec::new(), track: None });
    }
    let mut entries = Vec::new();
    for (cell, own) in &leads_to {
        for (net, column) in enter(&nets, own, targets[cell]) {
            nets[net].bottoms.push(column);
            entries.push((*cell, column));
        }
    }
    let tracks = assign(&mut nets)?;
    Some(Channel { nets, tracks, entries })
}

/// Where each net enters a cell: a column of its own, from left to right as they come, straight down where that can
/// be, and never right below a line of another net.
fn enter(nets: &[Net], own: &[usize], target: RouteEnd) -> Vec<(usize, usize)> {
    let mut own = own.to_vec();
    own.sort_by_key(|n| nets[*n].tops.iter().sum::<usize>() * 16 / nets[*n].tops.len().max(1));
    let apart = (2 * target.reach / own.len()).clamp(1, 4);
    let left = target.middle.saturating_sub(apart * (own.len() - 1) / 2);
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut entries = Vec::new();
    for (at, net) in own.iter().enumerate() {
        let wish = left + apart * at;
        let straight = match nets[*net].tops.as_slice() {
            [top] if own.len() == 1 || top.abs_diff(wish) <= apart / 2 => Some(*top),
            _ => None,
        };
        let others = |column: &usize| {
            nets.iter().enumerate().any(|(n, other)| n != *net && other.tops.contains(column))
        };
        let near = (0..=target.reach).flat_map(|by| [wish + by, wish.saturating_sub(by)]);
        let fits = |c: &usize| c.abs_diff(target.middle) <= target.reach && !taken.contains(c) && !others(c);
        let column = straight.into_iter().chain(near).find(fits).unwrap_or(target.middle);
        taken.insert(column);
        entries.push((*net, column));
    }
    entries
}

/// Gives every net that does not run straight down a track; gives the number of tracks.
fn assign(nets: &mut [Net]) -> Option<usize> {
    let bent: Vec<usize> =
        (0..nets.len()).filter(|n| nets[*n].tops != nets[*n].bottoms || nets[*n].tops.len() > 1).collect();
    // A line that comes down where another goes on must have turned off before.
    let above = |a: usize, b: usize| a != b && nets[a].tops.iter().any(|x| nets[b].bottoms.contains(x));
    let mut left = bent;
    let mut order = Vec::new();
    while !left.is_empty() {
        let free = left.iter().position(|n| !left.iter().any(|m| above(*m, *n)))?;
        order.push(left.remove(free));
    }
    let mut tracks: Vec<Vec<(usize, usize)>> = Vec::new();
    for (at, net) in order.iter().enumerate() {
        let (from, to) = nets[*net].span();
        let after = order[..at].iter().filter(|m| above_now(nets, **m, *net)).filter_map(|m| nets[*m].track);
        let mut track = after.max().map_or(0, |t| t + 1);
        let clash = |row: &Vec<(usize, usize)>| row.iter().any(|(a, b)| from <= b + 1 && *a <= to + 1);
        while tracks.get(track).is_some_and(clash) {
            track += 1;
        }
        if tracks.len() <= track {
            tracks.resize(track + 1, Vec::new());
        }
        tracks[track].push((from, to));
        nets[*net].track = Some(track);
    }
    Some(tracks.len())
}

fn above_now(nets: &[Net], a: usize, b: usize) -> bool {
    nets[a].tops.iter().any(|x| nets[b].bottoms.contains(x))
}
