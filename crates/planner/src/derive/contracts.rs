//! Contracts: an interface that a design shows as code becomes the contract of the unit that owns the file, where the
//! file and its owner are unambiguous.

use std::collections::HashSet;

use super::unit::Unit;
use crate::file_kind::FileKind;
use crate::lint::contract_code::{exports_of, short_name};
use crate::snippet::interface_of;
use crate::spec::{DetailCode, DetailSection, Operation, Spec};
use crate::words::is_listed;
use windlass_code::survey::Language;
use windlass_code::syntax::{Export, ExportKind, of_hint};
use windlass_core::plan::CodeBlock;

/// Words around a code block that is not to be implemented.
const ASIDE: &str = include_str!("../words/aside.txt");

/// Adds to units the interfaces that the documents state for their files.
pub(super) fn contracts(units: &mut [Unit], spec: &Spec) {
    for detail in &spec.details {
        for code in &detail.code {
            let Some(path) = subject(detail, code) else { continue };
            let Some(at) = owner(units, detail, path) else { continue };
            let Some(interface) = interface_of(path, &code.text) else { continue };
            let block = CodeBlock {
                path: Some(path.to_owned()),
                language: Language::of_path(path).map(|l| l.fence().to_owned()),
                code: interface,
                ..CodeBlock::default()
            };
            if !units[at].contract.contains(&block) {
                units[at].contract.push(block);
                units[at].shown.push_str(&code.text);
            }
        }
    }
}

/// The file that a code block belongs to: named in its first line, else by the heading above it.
fn subject<'s>(detail: &'s DetailSection, code: &'s DetailCode) -> Option<&'s str> {
    let path = code.path.as_deref().or(detail.subject.as_deref())?;
    let language = Language::of_path(path)?;
    let other = !code.language.is_empty() && !of_hint(&code.language)?.same_family(language);
    (!other && !only_shows(detail, code)).then_some(path)
}

/// Whether a code block is said not to be what is implemented: how it was before, an example.
pub(super) fn only_shows(detail: &DetailSection, code: &DetailCode) -> bool {
    let first = code.text.lines().next().unwrap_or_default();
    let said = [detail.heading.as_str(), code.label.as_deref().unwrap_or_default(), first];
    said.iter().any(|text| is_aside(text))
}

fn is_aside(text: &str) -> bool {
    let lower = text.to_lowercase();
    // The words of a path are not prose.
    let prose = lower.split_whitespace().filter(|w| !w.contains(['/', '.', '`']));
    prose.flat_map(|w| w.split(|c: char| !c.is_alphabetic())).any(|w| is_listed(ASIDE, w))
}

/// The unit that writes a file; among several, the one that the section names.
fn owner(units: &[Unit], detail: &DetailSection, path: &str) -> Option<usize> {
    let writes = |u: &Unit| {
        u.owned().any(|f| {
            f.path == path
                && f.operation != Operation::Delete
                && matches!(f.kind, FileKind::Code | FileKind::Types)
        })
    };
    let owners: Vec<usize> =
        (0..units.len()).filter(|at| writes(&units[*at]) && !units[*at].prepares()).collect();
    match owners.as_slice() {
        [only] => Some(*only),
        several => {
            let mut named = several.iter().filter(|at| detail.ids.contains(&units[**at].stated));
            named.next().copied().filter(|_| named.next().is_none())
        }
    }
}

/// The types, functions and methods that a contract declares, in its order.
fn declarations(contract: &[CodeBlock]) -> impl Iterator<Item = Export> {
    let named =
        |export: &Export| !matches!(export.kind, ExportKind::Value | ExportKind::Module | ExportKind::Macro);
    contract.iter().flat_map(exports_of).filter(named).filter(|export| short_name(export).len() > 2)
}

/// The names that a unit's contract declares.
pub(super) fn declared(unit: &Unit) -> Vec<String> {
    let mut names: Vec<String> = declarations(&unit.contract).map(|e| short_name(&e).to_owned()).collect();
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

/// The functions and methods that a contract declares, in its order.
pub(super) fn functions(contract: &[CodeBlock]) -> Vec<String> {
    let callable = |e: &Export| matches!(e.kind, ExportKind::Function | ExportKind::Method);
    declarations(contract).filter(callable).map(|e| short_name(&e).to_owned()).collect()
}

/// Whether the unit's code blocks use a name as a type or in a call.
pub(super) fn uses(unit: &Unit, name: &str) -> bool {
    let edge = |c: Option<char>| c.is_none_or(|c| !(c.is_alphanumeric() || c == '_'));
    unit.shown.match_indices(name).any(|(at, _)| {
        let rest = &unit.shown[at + name.len()..];
        let whole = edge(unit.shown[..at].chars().next_back()) && edge(rest.chars().next());
        whole && (rest.starts_with('(') || name.starts_with(char::is_uppercase))
    })
}
