//! The facts of one file. They depend on its text alone, so they can be cached by its hash.

use serde::{Deserialize, Serialize};

use super::style::TestStyle;
use crate::language::Language;

/// The kind of an exported symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportKind {
    /// A function.
    Function,
    /// A method of a type, class, trait or object.
    Method,
    /// A class, struct, enum, union or type alias.
    Type,
    /// A trait or interface.
    Interface,
    /// A constant, a variable, or something passed on from another module.
    Value,
    /// A module.
    Module,
    /// A macro.
    Macro,
}

/// One public symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// Its name; a method is `Owner.name`, in Rust `Owner::name`.
    pub name: String,
    /// Its kind.
    pub kind: ExportKind,
    /// Its declaration without a body, on one line.
    pub signature: String,
    /// Its line, counted from 1.
    pub line: usize,
}

/// One import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The module as written.
    pub module: String,
    /// The names taken from it, `*` for all, `default` for a default import; empty when the module itself is taken.
    pub names: Vec<String>,
    /// Its line, counted from 1.
    pub line: usize,
}

/// The facts of one source file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Its language.
    pub language: Language,
    /// Its public symbols, in order.
    pub exports: Vec<Export>,
    /// Its imports, in order.
    pub imports: Vec<Import>,
    /// Types that its own types extend or implement, as written.
    pub bases: Vec<String>,
    /// The names of its tests.
    pub tests: Vec<String>,
    /// How its tests are written, where it has any.
    pub style: Option<TestStyle>,
    /// Fixtures it defines or sets up (pytest fixtures, `beforeEach`, `@BeforeEach`, `let` of rspec), by name.
    pub fixtures: Vec<String>,
    /// What it declares as its package or namespace.
    pub package: Option<String>,
    /// The first line that does not parse; the other facts are those of the rest.
    pub broken: Option<usize>,
}
