//! Reads source code with tree-sitter: syntax errors, tests, public symbols, imports.
//!
//! One file per language and question; nothing here knows what a task is. Broken code is read as far as it goes.

mod canary;
mod colour;
mod contract;
mod contract_file;
mod export;
mod facts;
mod frozen;
mod import;
pub(crate) mod outline;
mod parses;
pub(crate) mod reformatted;
pub(crate) mod same_test;
pub(crate) mod signature;
pub(crate) mod skeleton;
pub(crate) mod source;
pub(crate) mod style;
mod test_item;
pub mod tricks;

pub use crate::language::Language;
pub use crate::language::contract_project;
pub(crate) use canary::CanaryRequest;
pub use canary::{CanaryFile, with_canaries};
pub use colour::{TokenKind, colours};
pub use contract::{
    ContractFinding, ContractReport, contract_exports, contract_offset, contract_report, promised_names,
};
pub use contract_file::{ComparedName, ContractFile, ContractFileRequest, contract_file};
pub use export::{Export, ExportKind, exports};
pub use facts::facts;
pub use frozen::{frozen_items, is_around_tests, test_region};
pub use import::{Import, imports, missing_imports};
pub use parses::{SyntaxError, parses};
pub use reformatted::is_reformatted;
pub use same_test::{is_named_in, same_test};
pub(crate) use source::MAX_BYTES;
pub use test_item::{TestItem, tests};

/// The language of a file, by its name.
pub fn language_of(path: &str) -> Option<Language> {
    Language::of_path(path)
}

/// The language that the info string of a fence names.
pub fn of_hint(hint: &str) -> Option<Language> {
    Language::of_hint(hint)
}
