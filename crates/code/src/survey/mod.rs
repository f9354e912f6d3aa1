//! The survey of a repository: the facts of its files taken together, and the questions that they answer.
//!
//! Reads through a [`Tree`](crate::repo::Tree); keeps nothing. The caller may parse the files in parallel and keep
//! [`syntax::facts`](crate::syntax::facts) by the hash of their text: [`assemble`] puts them together.

mod assemble;
mod conventions;
mod facts;
mod import_line;
mod members;
mod mention;
mod place;
mod query;
mod resolve;
mod reusable_helpers;
mod style;
mod terms;
#[cfg(test)]
mod tests;

pub use crate::language::Language;
pub use assemble::{Unread, assemble, is_own, read_facts, sources, survey, worth_reading};
pub use facts::{Export, ExportKind, FileFacts, Import};
pub(crate) use import_line::ImportRequest;
pub(crate) use mention::ImportForm;
pub use mention::{mentions, missed, word_hash};
pub use place::{TestFile, TestLocation, TestPlace, places, subject_stem, test_file_for};
pub(crate) use place::{UntestedFile, below, join, split};
pub(crate) use query::words_of;
pub use query::{FactReader, Survey, WorkspaceMember};
pub(crate) use resolve::{resolve_dots, roots};
pub use reusable_helpers::{ReusableHelpers, Seeker, subjects};
pub use style::{Conventions, Framework, Naming, Quotes, TestShape, TestStyle};
pub use terms::words;
pub(crate) use terms::{ImportTerms, ImportedFile};
