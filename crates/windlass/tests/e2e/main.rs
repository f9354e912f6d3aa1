//! The program from outside: what a person types, what they read, what they find in their repository afterwards.

#![expect(clippy::unwrap_used, reason = "a story that cannot be told must fail, and say where")]

mod acp_agents;
mod agents;
mod already;
mod attention;
mod attestations;
mod bites;
mod budget;
mod closing;
mod crash;
mod criteria;
mod damage;
mod demo;
mod edits;
mod failing_base;
mod fake_programs;
mod first_hour;
#[cfg(feature = "nats")]
mod fleets;
mod foreign;
mod formatting;
mod frozen;
mod inside_agents;
mod interrupt;
mod issues;
mod languages;
mod living;
mod machines;
mod needed_files;
mod places;
mod planned;
mod planner;
mod pull_requests;
mod real_checkouts;
mod refusals;
mod scale;
mod screens;
mod team;
mod telemetry;
#[cfg(feature = "nats")]
mod torture;
mod trust;
mod trusted;
mod wishes;
mod world;
