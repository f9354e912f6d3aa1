//! The program from outside: what a person types, what they read, what they find in their repository afterwards.

#![expect(clippy::unwrap_used, reason = "a story that cannot be told must fail, and say where")]

mod agents;
mod crash;
mod demo;
mod edits;
mod fake_programs;
mod foreign;
mod formatting;
mod interrupt;
mod languages;
mod planned;
mod planner;
mod refusals;
mod scale;
mod screens;
mod surroundings;
mod team;
mod wishes;
mod world;
