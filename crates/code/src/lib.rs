//! Reads repositories: bytes and lists of paths in, plain data out.
//!
//! Test runners and how to hear them by name, formatters, gates, lock files, symbols, test items, and the verdicts
//! red and green. Nothing here touches a file, a process, the environment or the clock: the caller reads the
//! bytes and runs the commands.
//!
//! The way of one verification through the rooms: [`detect::test_command`] (or the plan) gives a script;
//! [`script::instrument_in`] makes it leave reports; the caller runs it with `bash`; [`report::read_any`] (the run
//! failed) or [`report::read_all`] (it passed) reads them, and a report that cannot be believed counts as none;
//! [`red::classify`] or [`red::green`] judges; [`excerpt::failure_excerpt`] is what the next attempt is told.

pub mod checker;
pub mod coverage;
pub mod detect;
pub mod excerpt;
pub mod expectation;
pub mod json_schema;
pub mod language;
pub mod mutant;
pub mod red;
pub mod repo;
pub mod report;
pub mod runner;
pub mod script;
pub mod survey;
pub mod syntax;
pub mod text;
