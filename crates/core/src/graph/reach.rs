//! Tells which of many pairs are ordered already. One walk answers the questions of sixty-four starts.

use super::rows::Adjacency;

/// For each `(a, b)`, whether `a` is needed by `b`, directly or not. `at` is each row's place in an order in which
/// every row comes after its needs.
pub(super) fn ordered(needs: &Adjacency, order: &[u32], at: &[u32], pairs: &[(u32, u32)]) -> Vec<bool> {
    let mut asked: Vec<usize> = (0..pairs.len()).collect();
    asked.sort_unstable_by_key(|q| at[pairs[*q].0 as usize]);
    let mut answers = vec![false; pairs.len()];
    let mut reached = vec![0_u64; order.len()];
    let mut rest = asked.as_slice();
    while !rest.is_empty() {
        let (batch, later) = rest.split_at(batch_len(rest, pairs));
        rest = later;
        walk(needs, order, at, pairs, batch, &mut reached, &mut answers);
    }
    answers
}

/// How many of the first questions have at most sixty-four different starts.
fn batch_len(asked: &[usize], pairs: &[(u32, u32)]) -> usize {
    let mut starts = 0;
    let mut last = None;
    for (count, q) in asked.iter().enumerate() {
        if last != Some(pairs[*q].0) {
            if starts == 64 {
                return count;
            }
            starts += 1;
            last = Some(pairs[*q].0);
        }
    }
    asked.len()
}

/// Carries one bit per start from the first start to the last target.
fn walk(
    needs: &Adjacency,
    order: &[u32],
    at: &[u32],
    pairs: &[(u32, u32)],
    batch: &[usize],
    reached: &mut [u64],
    answers: &mut [bool],
) {
    let from = batch.iter().map(|q| at[pairs[*q].0 as usize]).min().unwrap_or(0) as usize;
    let to = batch.iter().map(|q| at[pairs[*q].1 as usize]).max().unwrap_or(0) as usize;
    if to < from {
        return;
    }
    let mut bits = Vec::with_capacity(batch.len());
    let (mut bit, mut last) = (0, None);
    for q in batch {
        let start = pairs[*q].0;
        if last.is_some_and(|last| last != start) {
            bit += 1;
        }
        last = Some(start);
        bits.push(1_u64 << bit);
        reached[start as usize] = bits[bits.len() - 1];
    }
    for row in &order[from..=to] {
        let carried = needs.row(*row).iter().fold(0, |sum, need| sum | reached[*need as usize]);
        reached[*row as usize] |= carried;
    }
    for (q, bit) in batch.iter().zip(&bits) {
        let (start, target) = pairs[*q];
        answers[*q] = start != target && reached[target as usize] & bit != 0;
    }
    for row in &order[from..=to] {
        reached[*row as usize] = 0;
    }
}

#[cfg(test)]
mod tests;
