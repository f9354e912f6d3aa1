//! Every screen a user reads, through the real program, as it is read.

mod check;
mod config;
mod help;
mod input;
mod journal;
mod plans;
mod setup;
mod space;
mod status;
mod wishes;
