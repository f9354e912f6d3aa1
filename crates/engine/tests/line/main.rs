//! The whole line through the engine's door: a plan goes in, verified commits come out.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on may stop")]

mod bench;
mod modes;
mod stories;
mod surroundings;
