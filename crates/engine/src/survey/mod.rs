//! Surveys of real trees: on disk and in git, in parallel, with facts cached by content.
//!
//! The code crate reads single files; this room finds files and caches facts. A damaged cache, or one of another version,
//! counts as empty and is never an error.

mod cache;
mod disk;
mod index;
mod kept_file;
mod reader;
mod rules;
mod stamp;
mod store;
mod walk;

pub use disk::DiskTree;
pub use store::SurveyStore;
