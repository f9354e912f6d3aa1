//! The floor of the engine against the real world: git, processes, slots and the journal on disk.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

mod git_hygiene;
mod git_merges;
mod git_objects;
mod git_refs;
mod ingest;
mod journal;
mod journal_damage;
mod names_and_modes;
mod place;
mod process;
mod setup_scripts;
mod slots;
