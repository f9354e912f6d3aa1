//! The whole line through the engine's door: a plan goes in, verified commits come out.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on may stop")]

mod bench;
mod branch;
mod gates;
mod ladder;
mod modes;
mod review;
mod scope;
mod seen;
mod setup_and_services;
mod stories;
mod wishes;
