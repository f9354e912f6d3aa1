//! What source code says, by tree-sitter: does it parse, which tests, which public symbols, which imports.
//!
//! One file per language and question; nothing here knows what a task is. Broken code is read as far as it goes.

mod beside_canary;
mod c_family;
mod canary;
mod contract;
mod csharp;
mod export;
mod facts;
mod frozen;
mod go;
mod import;
mod java;
mod javascript;
mod language;
mod outline;
mod php;
mod python;
mod ruby;
mod rust;
mod same_test;
mod script_export;
mod signature;
mod skeleton;
mod source;
mod style;
mod test_item;
pub mod tricks;

pub use canary::{Laid, with_canaries};
pub use contract::{ContractFinding, contract_check};
pub use contract::{contract_exports, with_bodies};
pub use export::{Export, ExportKind, exports};
pub use facts::facts;
pub use frozen::{frozen_items, test_region};
pub use import::{Import, imports};
pub use language::of_hint;
pub use language::{Language, SyntaxError, language_of, parses};
pub use same_test::same_test;
pub(crate) use source::MAX_BYTES;
pub use test_item::{TestItem, tests};
