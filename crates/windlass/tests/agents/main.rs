//! Agents against a scripted model: the five programs from the cache of `scripts/agents`, and models behind a port.
//!
//! The programs get an environment made from nothing, a home of their own, a dummy key and an address on loopback.

#![expect(clippy::unwrap_used, reason = "a story that cannot be told must fail, and say where")]

mod api;
mod bench;
mod cells;
mod faults;
mod habits;
mod mcp;
mod planner;
mod programs;
mod skill;
mod stories;
mod table;
mod upstream;
