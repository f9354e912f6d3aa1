//! A list of lists in two arrays: the adjacency lists used while sealing.

/// For each of `n` rows, the values filed under it, in the order they were given.
#[derive(Debug)]
pub(super) struct Adjacency {
    starts: Vec<u32>,
    values: Vec<u32>,
}

impl Adjacency {
    /// Files every `(row, value)`; rows are below `n`.
    pub(super) fn new(n: usize, pairs: &[(u32, u32)]) -> Adjacency {
        let mut starts = vec![0_u32; n + 1];
        for (row, _) in pairs {
            starts[*row as usize + 1] += 1;
        }
        for at in 0..n {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut values = vec![0; pairs.len()];
        for (row, value) in pairs {
            let at = &mut next[*row as usize];
            values[*at as usize] = *value;
            *at += 1;
        }
        Adjacency { starts, values }
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The values filed under a row.
    pub(super) fn row(&self, row: u32) -> &[u32] {
        let at = row as usize;
        &self.values[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The same pairs the other way round.
    pub(super) fn reversed(&self) -> Adjacency {
        let pairs: Vec<(u32, u32)> =
            (0_u32..).take(self.len()).flat_map(|row| self.row(row).iter().map(move |v| (*v, row))).collect();
        Adjacency::new(self.len(), &pairs)
    }
}

/// Places every row after the rows it needs; rows on or behind a cycle are left out.
pub(super) fn placed(needs: &Adjacency, needed_by: &Adjacency) -> Vec<u32> {
    let rows = (0_u32..).take(needs.len());
    let mut waits: Vec<usize> = rows.clone().map(|r| needs.row(r).len()).collect();
    let mut order: Vec<u32> = rows.filter(|r| waits[*r as usize] == 0).collect();
    let mut at = 0;
    while let Some(row) = order.get(at).copied() {
        at += 1;
        for next in needed_by.row(row) {
            waits[*next as usize] -= 1;
            if waits[*next as usize] == 0 {
                order.push(*next);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests;
