//! Every screen a user reads, through the real program, as it is read.

#![expect(clippy::unwrap_used, reason = "what a test needs and does not get is its failure")]

mod agents;
mod brief;
mod check;
mod check_and_run;
mod config;
mod formats;
mod help;
mod input;
mod journal;
mod pages;
mod planning;
mod plans;
mod setup;
mod space;
mod status;
mod wishes;
