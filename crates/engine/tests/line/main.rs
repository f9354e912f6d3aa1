//! The whole line through the engine's door: a plan goes in, verified commits come out.

mod bench;
mod modes;
mod stories;
mod surroundings;
