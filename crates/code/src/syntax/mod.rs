//! What source code says, by tree-sitter: does it parse, which tests, which public symbols, which imports.

mod contract;
mod export;
mod frozen;
mod import;
mod language;
mod test_item;

pub use contract::{ContractFinding, contract_check};
pub use export::{Export, ExportKind, exports};
pub use frozen::{frozen_items, test_region};
pub use import::{Import, imports};
pub use language::{Language, SyntaxError, language_of, parses};
pub use test_item::{TestItem, same_test, tests};
