//! A file that a compiler accepts only if code keeps its contract, in languages that have one for it.

use super::{language_of, of_hint};

/// What a check file is made from.
pub struct ContractFileRequest<'a> {
    /// The path of the code.
    pub path: &'a str,
    /// The code.
    pub source: &'a str,
    /// The contract.
    pub contract: &'a str,
    /// The contract's language, where it is stated.
    pub hint: Option<&'a str>,
    /// Interfaces that the task relies on: types that the code does not name are looked up here.
    pub known: &'a [String],
}

/// A check file: the code, and behind it its contract with a line per name that compares the two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractFile {
    /// Its text.
    pub text: String,
    /// The first line that is not the code's own, counted from 1.
    pub first_line: usize,
    /// The names that are compared, with the first line of the declaration and the line of the comparison.
    pub names: Vec<ComparedName>,
}

/// A name in a check file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedName {
    /// The name.
    pub name: String,
    /// The first line of its declaration.
    pub declared: usize,
    /// The line that compares it.
    pub compared: usize,
}

impl ContractFile {
    /// The name whose declaration or comparison a line belongs to.
    pub fn name_at(&self, line: usize) -> Option<&ComparedName> {
        let compared = self.names.iter().find(|name| name.compared == line);
        let declared =
            || self.names.iter().filter(|name| name.declared <= line).max_by_key(|name| name.declared);
        compared.or_else(declared)
    }
}

/// The check file of a contract; `None` where its language has none.
pub fn contract_file(request: &ContractFileRequest<'_>) -> Option<ContractFile> {
    let language = language_of(request.path)?;
    let stated = request.hint.map(str::trim).filter(|hint| !hint.is_empty());
    let fits = stated.is_none_or(|hint| of_hint(hint).is_some_and(|own| own.same_family(language)));
    let make = language.row().contract_file.filter(|_| fits)?;
    make(language, request)
}
