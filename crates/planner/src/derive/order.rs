//! The order of units: stated in the documents, then by level, then implied by layers, tests and imports.
//!
//! An order that would close a cycle is dropped, so the earlier rule wins. Transitive orders are removed at the end.

use std::collections::HashMap;

use super::note::{Note, NoteKind};
use super::unit::Unit;
use super::{SessionFindings, contracts, name, session_findings, uses, usual_order};
use crate::file_kind::FileKind;
use crate::repository::Repository;
use crate::spec::{Operation, Spec};
use windlass_code::survey::subject_stem;

/// Sorts units topologically and sets the dependencies of each.
pub(super) fn order(
    units: &mut Vec<Unit>,
    spec: &Spec,
    repository: &Repository<'_>,
    context: &SessionFindings,
    notes: &mut Vec<Note>,
) {
    let mut before = Precedence::new(units.len());
    let drawn = by_statement(units, spec, &mut before, notes);
    let stated = drawn | by_component(units, spec, &mut before, notes);
    let said = before.clone();
    usual_order::by_preparation(units, &mut before);
    by_level(units, &mut before, spec, stated);
    by_phase(units, &mut before, spec, stated);
    by_file(units, &mut before);
    by_conflict(units, &mut before, context);
    by_tests(units, &mut before, repository);
    if !stated {
        implied(units, spec, repository, &mut before);
    } else if !drawn {
        // Sentences about some components leave the others to the usual order.
        let mut usual = before.clone();
        implied(units, spec, repository, &mut usual);
        before.take_about(&usual, |unit| !said.mentions(unit));
    }
    by_sharing(units, &mut before);
    usual_order::by_ending(units, &mut before);
    sort(units, &before);
}

/// Orders that no document states: what builds on what, and the usual roles of files.
fn implied(units: &[Unit], spec: &Spec, repository: &Repository<'_>, before: &mut Precedence) {
    usual_order::by_manifest(units, before);
    by_stated_use(units, spec, before);
    by_contract(units, before);
    by_import(units, before, repository);
    usual_order::by_index(units, before);
    usual_order::by_layer(units, before);
    if units.iter().all(|u| u.level.is_none()) {
        by_mention(units, spec, before);
        usual_order::by_example(units, before);
        usual_order::by_foundation(units, before);
        usual_order::by_entry(units, before);
        usual_order::by_makefile(units, before);
        usual_order::by_whole_test(units, before);
        usual_order::by_use(units, before);
    }
}

/// An acyclic relation between units.
#[derive(Clone)]
pub(super) struct Precedence {
    pub(super) direct: Vec<Vec<usize>>,
    /// All units that precede each unit, as bits: every rule asks for them.
    earlier: Vec<Vec<u64>>,
}

impl Precedence {
    fn new(units: usize) -> Precedence {
        Precedence { direct: vec![Vec::new(); units], earlier: vec![vec![0; units.div_ceil(64)]; units] }
    }

    /// Whether `first` precedes `second`, directly or transitively.
    fn leads(&self, first: usize, second: usize) -> bool {
        self.earlier[second][first / 64] >> (first % 64) & 1 == 1
    }

    /// What precedes `first`, and `first` itself, precede `second` and all that follow it.
    fn extend(&mut self, first: usize, second: usize) {
        if self.leads(first, second) {
            return;
        }
        let mut gained = self.earlier[first].clone();
        gained[first / 64] |= 1 << (first % 64);
        for at in 0..self.earlier.len() {
            if at == second || self.leads(second, at) {
                self.earlier[at].iter_mut().zip(&gained).for_each(|(own, new)| *own |= new);
            }
        }
    }

    /// Whether a unit waits for no other.
    pub(super) fn is_first(&self, unit: usize) -> bool {
        self.direct[unit].is_empty()
    }

    /// Adds an order, unless it would close a cycle.
    pub(super) fn add(&mut self, first: usize, second: usize) -> bool {
        if first == second || self.leads(second, first) {
            return false;
        }
        if !self.direct[second].contains(&first) {
            self.direct[second].push(first);
            self.extend(first, second);
        }
        true
    }

    /// Whether a unit is before or after another.
    fn mentions(&self, unit: usize) -> bool {
        !self.direct[unit].is_empty() || self.direct.iter().any(|before| before.contains(&unit))
    }

    /// Adds the orders of another relation in which one of the two units satisfies a condition.
    fn take_about(&mut self, other: &Precedence, wanted: impl Fn(usize) -> bool) {
        for (second, before) in other.direct.iter().enumerate() {
            for first in before.iter().filter(|first| wanted(**first) || wanted(second)) {
                self.join(*first, second);
            }
        }
    }

    /// Adds an order between two units that have none yet.
    pub(super) fn join(&mut self, first: usize, second: usize) {
        if !self.leads(first, second) {
            self.add(first, second);
        }
    }
}

/// Orders stated in the documents. Returns whether there are any.
fn by_statement(units: &[Unit], spec: &Spec, before: &mut Precedence, notes: &mut Vec<Note>) -> bool {
    let mut places: HashMap<&str, usize> =
        units.iter().enumerate().map(|(i, u)| (u.stated.as_str(), i)).collect();
    // Where tasks name no files, the sections below their headings are the units.
    for task in &spec.tasks {
        let is_told = |unit: &Unit| {
            unit.span.is_some_and(|own| own.file == task.span.file && own.start == task.span.start)
        };
        if let Some(at) = units.iter().position(is_told) {
            places.entry(task.id.as_str()).or_insert(at);
        }
    }
    let mut any = false;
    for edge in &spec.edges {
        let (Some(first), Some(second)) = (places.get(edge.before.as_str()), places.get(edge.after.as_str()))
        else {
            continue;
        };
        any = true;
        if !before.add(*first, *second) && first != second {
            let text =
                format!("`{}` before `{}` contradicts an order stated elsewhere", edge.before, edge.after);
            notes.push(Note::new(NoteKind::Contradiction, text).at(edge.span));
        }
    }
    any
}

/// Orders from the dependencies of components. Returns whether there are any.
fn by_component(units: &[Unit], spec: &Spec, before: &mut Precedence, notes: &mut Vec<Note>) -> bool {
    let mut any = false;
    let named = |name: &str| spec.components.iter().find(|c| c.name.eq_ignore_ascii_case(name));
    let owners = |files: &[String]| -> Vec<usize> {
        let owns = |unit: &Unit| !unit.prepares() && files.iter().any(|f| unit.owns(f));
        (0..units.len()).filter(|at| owns(&units[*at])).collect()
    };
    for component in &spec.components {
        let own = owners(&component.files);
        for need in component.needs.iter().filter_map(|n| named(n)) {
            for (first, second) in owners(&need.files)
                .iter()
                .flat_map(|f| own.iter().map(move |s| (*f, *s)))
                .filter(|(f, s)| f != s)
            {
                any = true;
                if !before.add(first, second) {
                    let text = format!(
                        "`{}` before `{}` contradicts an order stated elsewhere",
                        need.name, component.name
                    );
                    notes.push(Note::new(NoteKind::Contradiction, text).at(component.span));
                }
            }
        }
    }
    any
}

/// Orders from what builds on what, the plainest statements first.
fn by_stated_use(units: &[Unit], spec: &Spec, before: &mut Precedence) {
    for found in uses::unit_uses(units, spec) {
        before.join(found.used, found.user);
    }
}

/// A unit without a stated order waits for the units of the level below.
fn by_level(units: &[Unit], before: &mut Precedence, spec: &Spec, stated: bool) {
    let mut levels: Vec<u32> = units.iter().filter_map(|u| u.level).collect();
    levels.sort_unstable();
    levels.dedup();
    for pair in levels.windows(2) {
        let of = |level: u32| {
            units.iter().enumerate().filter(move |(_, u)| u.level == Some(level)).map(|(i, _)| i)
        };
        let lower: Vec<usize> = of(pair[0]).collect();
        for at in of(pair[1]) {
            let known = (stated && !before.direct[at].is_empty()) || spec.free.contains(&units[at].stated);
            for first in lower.iter().filter(|_| !known) {
                before.add(*first, at);
            }
        }
    }
}

/// A unit without a stated order and without a level waits for the units of the phase before.
fn by_phase(units: &[Unit], before: &mut Precedence, spec: &Spec, stated: bool) {
    let of = |name: &str| -> Vec<usize> {
        let within = |at: &usize| units[*at].level.is_none() && units[*at].phase.as_deref() == Some(name);
        (0..units.len()).filter(within).collect()
    };
    let phases: Vec<Vec<usize>> = spec.phases.iter().map(|p| of(&p.name)).filter(|u| !u.is_empty()).collect();
    for pair in phases.windows(2) {
        for at in &pair[1] {
            let known = stated && !before.direct[*at].is_empty();
            for first in pair[0].iter().filter(|_| !known) {
                before.add(*first, *at);
            }
        }
    }
}

/// The units that share a file, in the order create, modify, delete.
fn sharers(units: &[Unit]) -> Vec<Vec<(u8, usize)>> {
    let rank = |operation: Operation| match operation {
        Operation::Create => 0,
        Operation::Modify | Operation::Unsaid => 1,
        Operation::Delete => 2,
        Operation::Read => 3,
    };
    let mut owners: HashMap<&str, Vec<(u8, usize)>> = HashMap::new();
    for (at, unit) in units.iter().enumerate() {
        for file in unit.owned() {
            owners.entry(&file.path).or_default().push((rank(file.operation), at));
        }
    }
    let mut shared: Vec<Vec<(u8, usize)>> = owners.into_values().filter(|list| list.len() > 1).collect();
    for list in &mut shared {
        list.sort_unstable();
    }
    shared.sort();
    shared
}

/// The unit that creates a file precedes those that modify it, and these precede those that delete it.
fn by_file(units: &[Unit], before: &mut Precedence) {
    for list in sharers(units) {
        for (at, (rank, second)) in list.iter().enumerate() {
            for (lower, first) in &list[..at] {
                if lower < rank {
                    before.join(*first, *second);
                }
            }
        }
    }
}

/// Units that share a file are ordered; without another reason, in the order of the documents.
fn by_sharing(units: &[Unit], before: &mut Precedence) {
    for list in sharers(units) {
        for (at, (_, second)) in list.iter().enumerate() {
            for (_, first) in &list[..at] {
                before.join(*first, *second);
            }
        }
    }
}

/// Units that a conflict of the session names are ordered.
fn by_conflict(units: &[Unit], before: &mut Precedence, context: &SessionFindings) {
    for conflict in &context.conflicts {
        let files = &conflict.files;
        let touches =
            |u: &Unit| u.owned().any(|own| files.iter().any(|f| session_findings::same(&own.path, f)));
        let touched: Vec<usize> = (0..units.len()).filter(|at| touches(&units[*at])).collect();
        for pair in touched.windows(2) {
            before.join(pair[0], pair[1]);
        }
    }
}

/// A unit of tests follows the units of the sources it tests.
fn by_tests(units: &[Unit], before: &mut Precedence, repository: &Repository<'_>) {
    let survey = repository.survey();
    let sources: Vec<(usize, &str)> = units
        .iter()
        .enumerate()
        .flat_map(|(i, u)| u.of_kind(FileKind::Code).map(move |f| (i, f.path.as_str())))
        .collect();
    for (at, unit) in units.iter().enumerate() {
        if unit.makes_code() {
            continue;
        }
        for test in unit.of_kind(FileKind::Test) {
            let stem = subject_stem(&test.path).unwrap_or_default();
            let imported = survey.imported_by(&test.path);
            let subject = subject_source(stem, &sources);
            for (first, path) in &sources {
                let own = subject == Some(name::stem(path)) || imported.iter().any(|i| i == path);
                if own {
                    before.join(*first, at);
                }
            }
        }
    }
}

/// The source that a test is about: the one of its name, else the longest name that it begins with, as
/// `orchestrator` of `orchestrator_container_mode`.
fn subject_source<'s>(stem: &str, sources: &[(usize, &'s str)]) -> Option<&'s str> {
    let names = || sources.iter().map(|(_, path)| name::stem(path));
    let begins = |own: &&str| stem.strip_prefix(*own).is_some_and(|rest| rest.starts_with(['_', '-', '.']));
    names().find(|own| *own == stem).or_else(|| names().filter(begins).max_by_key(|own| own.len()))
}

/// The unit whose contract declares a name precedes the units whose code uses it.
fn by_contract(units: &[Unit], before: &mut Precedence) {
    let declared: Vec<Vec<String>> = units.iter().map(contracts::declared).collect();
    for (first, names) in declared.iter().enumerate() {
        for name in names {
            // Short names are often common words.
            let once = name.len() > 3 && declared.iter().filter(|d| d.contains(name)).count() == 1;
            for second in (0..units.len()).filter(|s| once && *s != first) {
                if contracts::uses(&units[second], name) {
                    before.join(first, second);
                }
            }
        }
    }
}

/// The unit of an existing file precedes the units of its importers.
fn by_import(units: &[Unit], before: &mut Precedence, repository: &Repository<'_>) {
    let survey = repository.survey();
    for (at, unit) in units.iter().enumerate() {
        for file in unit.of_kind(FileKind::Code) {
            for imported in survey.imported_by(&file.path) {
                let first = units.iter().position(|u| u.owns(&imported));
                if let Some(first) = first {
                    before.join(first, at);
                }
            }
        }
    }
}

/// A unit whose component mentions the file name of another unit follows it.
fn by_mention(units: &[Unit], spec: &Spec, before: &mut Precedence) {
    let names: Vec<(usize, String)> = units
        .iter()
        .enumerate()
        .flat_map(|(at, u)| u.of_kind(FileKind::Code).map(move |f| (at, name::stem(&f.path).to_lowercase())))
        .filter(|(_, stem)| stem.len() >= 4)
        .collect();
    for (at, unit) in units.iter().enumerate() {
        if unit.prepares() {
            continue;
        }
        let said = spec.components.iter().filter(|c| c.files.iter().any(|f| unit.owns(f)));
        let said: String = said.map(|c| format!("{} ", c.responsibility.to_lowercase())).collect();
        let spoken: Vec<&str> = said.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        for (first, stem) in &names {
            if spoken.contains(&stem.as_str()) {
                before.join(*first, at);
            }
        }
    }
}

/// Sorts units topologically and keeps only the orders that follow from no others.
fn sort(units: &mut Vec<Unit>, before: &Precedence) {
    let count = units.len();
    let mut placed: Vec<usize> = Vec::with_capacity(count);
    let mut done = vec![false; count];
    while placed.len() < count {
        let ready = |i: &usize| !done[*i] && before.direct[*i].iter().all(|b| done[*b]);
        let Some(next) = (0..count).filter(ready).min_by_key(|i| (units[*i].level.unwrap_or(u32::MAX), *i))
        else {
            // The relation is acyclic, so this does not happen; the rest would keep its order.
            placed.extend((0..count).filter(|i| !done[*i]));
            break;
        };
        done[next] = true;
        placed.push(next);
    }
    let mut place = vec![0; count];
    for (new, old) in placed.iter().enumerate() {
        place[*old] = new;
    }
    let mut sorted: Vec<Unit> = Vec::with_capacity(count);
    for old in &placed {
        let mut unit = std::mem::take(&mut units[*old]);
        let direct = &before.direct[*old];
        let needed =
            direct.iter().filter(|b| !direct.iter().any(|other| other != *b && before.leads(**b, *other)));
        unit.after = needed.map(|b| place[*b]).collect();
        unit.after.sort_unstable();
        sorted.push(unit);
    }
    *units = sorted;
}

#[cfg(test)]
mod tests;
