//! A file whose functions all answer with a default at once: right names and signatures, no behaviour.
//!
//! Tests that pass on it show that something can be imported and called, and nothing else.

use std::collections::BTreeSet;

use super::{Mutant, MutantKind, every};

/// The file with every function that is wanted cut short; `None` if none of them can be.
pub fn skeleton(path: &str, bytes: &[u8], wanted: &dyn Fn(&Mutant) -> bool) -> Option<Vec<u8>> {
    let mut cuts: Vec<Mutant> = every(path, bytes);
    cuts.retain(|mutant| mutant.kind == MutantKind::EarlyReturn && wanted(mutant));
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

/// What a change touched in a file: functions and constants whose text the file did not have.
///
/// A name alone does not say which function is meant: every type has its `new`, and a trait its method in each implementation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedCode {
    /// Names with their first and last line.
    places: BTreeSet<(String, usize, usize)>,
    /// Names of functions whose lines are not known.
    names: BTreeSet<String>,
}

impl ChangedCode {
    /// Compares a file with how it was before; `None` stands for all of it. A change in which nothing can be made wrong, such as
    /// one of a table outside of functions, touches nothing.
    pub fn between(path: &str, before: Option<&[u8]>, after: &[u8]) -> Option<Self> {
        let lines = |bytes: &[u8]| -> Vec<String> {
            String::from_utf8_lossy(bytes).lines().map(|line| line.trim().to_owned()).collect()
        };
        let block = |lines: &[String]| format!("\n{}\n", lines.join("\n"));
        let old = block(&lines(before?));
        let new = lines(after);
        let is_new = |mutant: &&Mutant| {
            let lines = new.get(mutant.line - 1..mutant.last_line.min(new.len())).unwrap_or_default();
            !old.contains(&block(lines))
        };
        let all = every(path, after);
        let whole: BTreeSet<&str> =
            all.iter().filter(|m| m.kind == MutantKind::EarlyReturn).map(|m| m.function.as_str()).collect();
        let mut changed = Self::default();
        for mutant in all.iter().filter(is_new) {
            let name = mutant.function.clone();
            if mutant.kind == MutantKind::EarlyReturn || whole.contains(name.as_str()) {
                changed.places.insert((name, mutant.line, mutant.last_line));
            } else {
                changed.names.insert(name);
            }
        }
        Some(changed)
    }

    /// Whether a wrong version is one of this code.
    pub fn has(&self, mutant: &Mutant) -> bool {
        let within = |(name, first, last): &(String, usize, usize)| {
            *name == mutant.function && *first <= mutant.line && mutant.last_line <= *last
        };
        self.names.contains(&mutant.function) || self.places.iter().any(within)
    }
}
