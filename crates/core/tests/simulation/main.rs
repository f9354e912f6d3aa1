//! The scheduler against a world that does its worst, in many small plans. A failure names its seed; the example
//! `simulate` runs as many seeds as one likes, or one of them again.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod bugs;
mod cast;
mod checks;
mod dice;
mod mishaps;
mod people;
mod placement_checks;
mod world;

use bugs::Bug;
use world::World;

const SEEDS: u64 = 2_000;

#[test]
fn invariants_hold_in_every_world() {
    for seed in 0..SEEDS {
        let lived = std::panic::catch_unwind(|| World::new(seed).live());
        assert!(lived.is_ok(), "seed {seed}");
    }
}

#[test]
fn the_same_seed_gives_the_same_journal() {
    let hash = |seed| {
        let mut world = World::new(seed);
        world.live();
        blake3::hash(serde_json::to_string(&world.journal).unwrap().as_bytes())
    };
    for seed in 0..50 {
        assert_eq!(hash(seed), hash(seed), "seed {seed}");
    }
    assert_ne!(hash(1), hash(2));
}

/// The invariants are worth what they notice: each bug is noticed in one of these worlds.
#[test]
fn every_planted_bug_is_found() {
    const WORLDS: u64 = 10_000;
    // Thousands of worlds are to panic.
    std::panic::set_hook(Box::new(|_| {}));
    let found = |bug: Bug| {
        (0..WORLDS).find(|seed| std::panic::catch_unwind(|| World::new(*seed).with(bug).live()).is_err())
    };
    let first: Vec<(Bug, Option<u64>)> = Bug::ALL.iter().map(|bug| (*bug, found(*bug))).collect();
    drop(std::panic::take_hook());
    println!("{} bugs, the first world in which each is noticed: {first:?}", first.len());
    let unnoticed: Vec<_> = first.iter().filter(|(_, seed)| seed.is_none()).collect();
    assert!(unnoticed.is_empty(), "{unnoticed:?}");
}
