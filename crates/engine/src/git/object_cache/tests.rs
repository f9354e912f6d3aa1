//! Tests: the cache of listings and trees.

use super::*;

fn oid(n: usize) -> Oid {
    Oid::new(&format!("{n:040x}")).unwrap()
}

fn listing(entries: usize) -> TreeListing {
    (0..entries).map(|n| TreeEntry { mode: 0o100_644, oid: oid(n), path: n.to_string() }).collect()
}

#[test]
fn the_oldest_trees_are_forgotten_first() {
    let memory = Memory::default();
    for n in 0..=NAMES {
        memory.keep_tree(&oid(n), &oid(1000 + n));
    }
    assert_eq!(memory.tree(&oid(0)), None);
    assert_eq!(memory.tree(&oid(1)), Some(oid(1001)));
    assert_eq!(memory.tree(&oid(NAMES)), Some(oid(1000 + NAMES)));
}

#[test]
fn listings_are_bounded_by_their_entries_and_one_is_always_kept() {
    let memory = Memory::default();
    memory.keep_listing(&oid(1), &listing(10));
    memory.keep_listing(&oid(2), &listing(ENTRIES + 1));
    assert!(memory.listing(&oid(1)).is_none());
    assert_eq!(memory.listing(&oid(2)).unwrap().len(), ENTRIES + 1);
    memory.keep_listing(&oid(3), &listing(1));
    assert!(memory.listing(&oid(2)).is_none());
    assert_eq!(memory.listing(&oid(3)).unwrap().len(), 1);
}

#[test]
fn blobs_are_bounded_by_their_bytes_and_large_ones_are_not_kept() {
    let memory = Memory::default();
    memory.keep_blob(&oid(0), &vec![0; LARGEST_BLOB + 1]);
    assert!(memory.blob(&oid(0)).is_none());
    let many = BLOB_BYTES / LARGEST_BLOB;
    for n in 1..=many + 1 {
        memory.keep_blob(&oid(n), &vec![u8::try_from(n % 256).unwrap(); LARGEST_BLOB]);
        memory.keep_blob(&oid(n), &vec![0; LARGEST_BLOB]);
    }
    assert!(memory.blob(&oid(1)).is_none(), "the oldest is forgotten");
    assert_eq!(memory.blob(&oid(2)).unwrap().len(), LARGEST_BLOB);
    assert_eq!(memory.blob(&oid(many + 1)).unwrap().len(), LARGEST_BLOB);
}

#[test]
fn a_tree_is_remembered_with_what_is_hidden_of_it() {
    let memory = Memory::default();
    let hidden = (oid(1), vec!["plans".to_owned()]);
    memory.keep_without(hidden.clone(), &oid(2));
    assert_eq!(memory.without(&hidden), Some(oid(2)));
    assert_eq!(memory.without(&(oid(1), Vec::new())), None);
}
