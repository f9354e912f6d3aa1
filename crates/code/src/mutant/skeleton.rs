//! A file whose functions all answer with a default at once: right names and signatures, no behaviour.
//!
//! Tests that pass on it show that something can be imported and called, and nothing else.

use std::collections::BTreeSet;

use super::{Mutant, MutantKind, every};

/// The file with every function of these names cut short; `None` if none of them can be.
pub fn skeleton(path: &str, bytes: &[u8], wanted: &dyn Fn(&str) -> bool) -> Option<Vec<u8>> {
    let mut cuts: Vec<Mutant> = every(path, bytes);
    cuts.retain(|mutant| mutant.kind == MutantKind::EarlyReturn && wanted(&mutant.function));
    cuts.sort_by_key(|cut| cut.range.start);
    // The body of an arrow function is replaced, with the functions inside it.
    let mut outer: Vec<Mutant> = Vec::new();
    for cut in cuts {
        if outer.last().is_none_or(|last| last.range.end <= cut.range.start) {
            outer.push(cut);
        }
    }
    if outer.is_empty() {
        return None;
    }
    let mut text = bytes.to_vec();
    for cut in outer.iter().rev() {
        text = cut.apply(&text);
    }
    Some(text)
}

/// The functions of a file that differ from how they were before: those with a line that the file did not have. `None`
/// stands for all of them.
pub fn changed_functions(path: &str, before: Option<&[u8]>, after: &[u8]) -> Option<BTreeSet<String>> {
    let lines = |bytes: &[u8]| -> Vec<String> {
        String::from_utf8_lossy(bytes).lines().map(|line| line.trim().to_owned()).collect()
    };
    let old: BTreeSet<String> = lines(before?).into_iter().collect();
    let new = lines(after);
    let is_new = |mutant: &Mutant| {
        let lines = new.get(mutant.line - 1..mutant.last_line.min(new.len())).unwrap_or_default();
        lines.iter().any(|line| !old.contains(line))
    };
    let changed: BTreeSet<String> =
        every(path, after).into_iter().filter(is_new).map(|m| m.function).collect();
    (!changed.is_empty()).then_some(changed)
}
