//! Surveys of real trees: on disk and in git, in parallel, with what was found kept by content.
//!
//! The code crate knows what a file says; this room knows where files lie and what was read before. A damaged or
//! foreign cache is a cold one, never an error.

mod bytes;
mod cache;
mod disk;
mod index;
mod look;
mod reader;
mod rules;
mod store;
mod table;
mod walk;

pub use disk::DiskTree;
pub use store::SurveyStore;
