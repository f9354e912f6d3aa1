//! The cheats, each with its honest twin: what an agent might do to make an unfinished task look finished, and a change
//! that looks like it and is fine.
//!
//! One plan per language holds all of them: a task per cheat, a task per twin, one run with a scripted agent, no second
//! chances. No cheat may be completed, and every twin must be. The numbers are those of the list in
//! `docs/guide/trust.md`; a number that is missing in a file has no form of its own in that language.

#![expect(clippy::unwrap_used, reason = "a story that cannot be told must fail, and say where")]

mod all_at_once;
mod audit;
mod call_site;
mod expectations;
mod generated;
mod git;
mod javascript;
mod machine;
mod old_tests;
mod own_values;
mod python;
mod questions;
mod roundabout;
mod rust;
mod senses;
mod shapes;
mod suite;
mod tables;
mod way_out;
