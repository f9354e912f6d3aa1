//! Places for boxes that need not be the leaves of one graph: a page folds phases and asks again. The layout is the one of
//! the svg.

use std::collections::BTreeSet;

use super::layers::{Cell, Layers};
use super::svg::{BOX, COLUMN, GAP, PASSES};

/// A row with more boxes than this goes on in the next column.
const TALL: usize = 64;
/// A drawing with more boxes than this has straight links.
const ROUTED: usize = 1_500;
/// In a drawing with more links than this, those that follow from others are drawn, too.
const REDUCED: usize = 2_000;

/// Boxes and links with their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plotted {
    /// Width and height of a box.
    pub size: (i64, i64),
    /// The distance between two columns.
    pub column: i64,
    /// The column of each box.
    pub columns: Vec<usize>,
    /// The middle of each box, downwards.
    pub middles: Vec<i64>,
    /// The links: first box, then box, and the middles of the columns between that it passes.
    pub links: Vec<(usize, usize, Vec<i64>)>,
}

/// Finds places for `count` boxes. Links may form cycles: those that close one lead nowhere in the order and are left
/// out of it, with straight lines.
pub(crate) fn plot(count: usize, links: &BTreeSet<(usize, usize)>) -> Plotted {
    let level = levels(count, links);
    let (mut forward, mut straight): (Vec<_>, Vec<_>) =
        links.iter().copied().partition(|(first, then)| level[*first] < level[*then]);
    if links.len() <= REDUCED {
        forward = essential(count, &forward, &level);
    }
    let rows = wrapped(&level);
    let mut column = vec![0; count];
    for (at, row) in rows.iter().enumerate() {
        for cell in row {
            column[*cell] = at;
        }
    }
    let passes: usize = forward.iter().map(|(a, b)| column[*b] - column[*a] - 1).sum();
    if count > ROUTED || passes > PASSES {
        let (near, far): (Vec<_>, Vec<_>) =
            forward.into_iter().partition(|(a, b)| column[*b] - column[*a] == 1);
        forward = near;
        straight.extend(far);
    }
    let layers = Layers::of_rows(vec![Cell::Thing; count], rows, &forward);
    let half = |cell| match cell {
        Cell::Task(_) | Cell::Thing => BOX.1 / 2,
        Cell::Pass => 2,
    };
    let middles = layers.middles(half, GAP);
    let routed = layers.routes.iter().map(|route| {
        let inner = route.get(1..route.len().saturating_sub(1)).unwrap_or_default();
        (route[0], route[route.len() - 1], inner.iter().map(|cell| middles[*cell]).collect())
    });
    let mut links: Vec<(usize, usize, Vec<i64>)> =
        routed.chain(straight.into_iter().map(|(a, b)| (a, b, Vec::new()))).collect();
    links.sort_unstable();
    Plotted { size: BOX, column: COLUMN, columns: column, middles: middles[..count].to_vec(), links }
}

/// The longest chain before each box. Where only boxes in cycles are left, the first of them goes ahead.
fn levels(count: usize, links: &BTreeSet<(usize, usize)>) -> Vec<usize> {
    let (mut then, mut waits) = (vec![Vec::new(); count], vec![0_usize; count]);
    for (a, b) in links {
        then[*a].push(*b);
        waits[*b] += 1;
    }
    let mut level = vec![0; count];
    let mut done = vec![false; count];
    let mut ready: Vec<usize> = (0..count).filter(|n| waits[*n] == 0).rev().collect();
    let mut next = 0;
    loop {
        let Some(at) = ready.pop().or_else(|| {
            next = (next..count).find(|n| !done[*n])?;
            Some(next)
        }) else {
            return level;
        };
        if std::mem::replace(&mut done[at], true) {
            continue;
        }
        for b in &then[at] {
            waits[*b] = waits[*b].saturating_sub(1);
            if !done[*b] {
                level[*b] = level[*b].max(level[at] + 1);
                if waits[*b] == 0 {
                    ready.push(*b);
                }
            }
        }
    }
}

/// The links that do not follow from a longer chain.
fn essential(count: usize, links: &[(usize, usize)], level: &[usize]) -> Vec<(usize, usize)> {
    let words = count.div_ceil(64);
    let mut before = vec![vec![0_u64; words]; count];
    let mut sorted = links.to_vec();
    sorted.sort_by_key(|(_, b)| level[*b]);
    for (a, b) in &sorted {
        let above = before[*a].clone();
        for (own, other) in before[*b].iter_mut().zip(&above) {
            *own |= other;
        }
        before[*b][*a / 64] |= 1 << (*a % 64);
    }
    let reaches = |a: usize, b: usize| before[b][a / 64] >> (a % 64) & 1 == 1;
    let mut into = vec![Vec::new(); count];
    for (a, b) in links {
        into[*b].push(*a);
    }
    let implied = |a: usize, b: usize| into[b].iter().any(|d| *d != a && reaches(a, *d));
    links.iter().copied().filter(|(a, b)| !implied(*a, *b)).collect()
}

/// Boxes by column; a level with very many boxes takes several.
fn wrapped(level: &[usize]) -> Vec<Vec<usize>> {
    let last = level.iter().max().map_or(0, |max| max + 1);
    let mut rows = vec![Vec::new(); last];
    for (at, level) in level.iter().enumerate() {
        rows[*level].push(at);
    }
    let pieces = rows.iter().flat_map(|row| {
        // Even pieces look calmer than full ones and a rest.
        let columns = row.len().div_ceil(TALL).max(1);
        row.chunks(row.len().div_ceil(columns).max(1)).map(<[usize]>::to_vec)
    });
    pieces.collect()
}
