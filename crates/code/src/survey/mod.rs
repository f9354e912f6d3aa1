//! The survey of a repository: what its files say taken together, and answers about files that are still to be written.
//!
//! Reads through a [`Tree`](crate::repo::Tree); keeps nothing. Whoever calls may parse the files in parallel and keep
//! [`syntax::facts`](crate::syntax::facts) by the hash of their text: [`assemble`] puts them together.

mod assemble;
mod conventions;
#[cfg(test)]
mod handy;
mod members;
mod mention;
mod repository;

pub use assemble::{Unread, assemble, is_own, read_facts, sources, survey, worth_reading};
pub use mention::{mentions, missed, word_hash};
pub use repository::Repository;
