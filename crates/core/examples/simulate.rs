//! The long form of the scheduler's simulation: `simulate 100000` lives that many worlds, `simulate 1 17` lives the
//! one with seed 17 and prints its journal. `simulate 10000 0 StaleLease` lives them with that bug of `bugs.rs`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a failing world panics, and a journal is printed"
)]

#[path = "../tests/simulation/bugs.rs"]
mod bugs;
#[path = "../tests/simulation/cast.rs"]
mod cast;
#[path = "../tests/simulation/checks.rs"]
mod checks;
#[path = "../tests/simulation/dice.rs"]
mod dice;
#[path = "../tests/simulation/mishaps.rs"]
mod mishaps;
#[path = "../tests/simulation/people.rs"]
mod people;
#[path = "../tests/simulation/placement_checks.rs"]
mod placement_checks;
#[path = "../tests/simulation/world.rs"]
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};

use bugs::Bug;
use world::World;

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let count = numbers.first().copied().unwrap_or(20_000);
    let first = numbers.get(1).copied().unwrap_or(0);
    let named = |bug: &&Bug| std::env::args().any(|arg| arg == format!("{bug:?}"));
    let bug = Bug::ALL.iter().find(named).copied();
    let mut events = 0;
    for seed in first..first + count {
        let mut world = World::new(seed);
        if let Some(bug) = bug {
            world = world.with(bug);
        }
        let lived = catch_unwind(AssertUnwindSafe(|| world.live()));
        events += world.journal.len();
        if lived.is_err() || count == 1 {
            for stamped in &world.journal {
                println!(
                    "{:>4} {:>6} {}",
                    stamped.seq,
                    stamped.at,
                    serde_json::to_string(&stamped.event).unwrap()
                );
            }
        }
        if lived.is_err() {
            println!("seed {seed} failed");
            std::process::exit(1);
        }
    }
    println!("{count} worlds, {events} events");
}
