//! Many questions about order at once.

use super::super::rows::placed;
use super::*;

/// Answers questions about `n` rows with these needs, each `(row, needed)`.
fn ask(n: usize, needs: &[(u32, u32)], pairs: &[(u32, u32)]) -> Vec<bool> {
    let needs = Adjacency::new(n, needs);
    let order = placed(&needs, &needs.reversed());
    let mut at = vec![0; n];
    for (place, row) in (0_u32..).zip(&order) {
        at[*row as usize] = place;
    }
    ordered(&needs, &order, &at, pairs)
}

#[test]
fn needs_reach_over_any_distance_and_only_one_way() {
    let chain = [(1, 0), (2, 1), (3, 2)];
    assert_eq!(ask(5, &chain, &[(0, 1), (0, 3), (3, 0), (0, 4), (2, 2)]), [true, true, false, false, false]);
    assert_eq!(ask(3, &[], &[(0, 1), (1, 0)]), [false, false]);
    assert_eq!(ask(3, &[], &[]), [false; 0]);
}

#[test]
fn more_than_sixty_four_starts_need_several_walks() {
    // Row 200 needs the even rows below it.
    let needs: Vec<(u32, u32)> = (0..200).step_by(2).map(|row| (200, row)).collect();
    let pairs: Vec<(u32, u32)> = (0..200).map(|row| (row, 200)).collect();
    let expected: Vec<bool> = (0..200).map(|row| row % 2 == 0).collect();
    assert_eq!(ask(201, &needs, &pairs), expected);
}
