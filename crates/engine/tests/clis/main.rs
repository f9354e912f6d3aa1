//! Command line agents: their streams as they were seen, and turns of programs that behave like them.

#![expect(clippy::unwrap_used, reason = "what a test needs and does not get is its failure")]

mod readers;
mod turns;
