//! Adjacency in two arrays.

use super::*;

#[test]
fn values_are_filed_in_the_order_given() {
    let rows = Adjacency::new(4, &[(2, 9), (0, 1), (2, 7), (2, 9)]);
    let all: Vec<&[u32]> = (0..4).map(|row| rows.row(row)).collect();
    assert_eq!(all, [&[1][..], &[], &[9, 7, 9], &[]]);
    assert_eq!((rows.len(), Adjacency::new(0, &[]).len()), (4, 0));
}

#[test]
fn reversed_pairs_are_the_same_pairs() {
    let rows = Adjacency::new(3, &[(1, 0), (2, 0), (2, 1)]).reversed();
    let all: Vec<&[u32]> = (0..3).map(|row| rows.row(row)).collect();
    assert_eq!(all, [&[1, 2][..], &[2], &[]]);
}

#[test]
fn rows_on_or_behind_a_cycle_are_not_placed() {
    type Needs = &'static [(u32, u32)];
    let table: [(Needs, &[u32]); 4] = [
        (&[], &[0, 1, 2, 3]),
        (&[(0, 1), (1, 2), (2, 3)], &[3, 2, 1, 0]),
        (&[(0, 1), (1, 0), (2, 0)], &[3]),
        (&[(0, 0)], &[1, 2, 3]),
    ];
    for (needs, expected) in table {
        let needs = Adjacency::new(4, needs);
        assert_eq!(placed(&needs, &needs.reversed()), expected);
    }
}
