//! Tests that no file spells out because a macro makes them: what they expect is among the values that the macro is given.

use std::ops::Range;

use tree_sitter::Node;

use super::alter::Choice;
use super::edit::SourceEdit;
use super::rules::ValueMatch;
use super::{ExpectationKind, ExpectationMutant, TestExpectations};
use crate::syntax::language_of;
use crate::syntax::source::{ParsedText, children};

/// A test that a macro makes.
pub(crate) struct MadeTest<'t> {
    /// The tokens of the value that it expects.
    pub(crate) value: Vec<Node<'t>>,
    /// Whether this value compares in the way of the language, and not of a type of its own.
    pub(crate) plain: bool,
    /// The assertion in the macro, and a failure in its place.
    pub(crate) denied: (Range<usize>, &'static str),
}

/// What a test of this name expects, changed, if a macro of the file makes it.
pub fn made_expectations(path: &str, bytes: &[u8], test: &str, seed: u64) -> Option<TestExpectations> {
    let language = language_of(path)?;
    let rules = &language.row().expectation;
    let prepared = (rules.prepare)(bytes);
    let source = ParsedText::parse_prepared(language, &prepared, bytes)?;
    let name = test.rsplit([' ', ':']).next().unwrap_or(test);
    let made = (rules.made)(&source, source.root(), name)?;
    let mut choice = Choice::new(seed, path);
    let (mut leaves, mut open) = (Vec::new(), made.value.clone());
    while let Some(node) = open.pop() {
        if rules.literals.leaves(&source, node) == [node] {
            leaves.push(node);
        } else {
            open.extend(children(node));
        }
    }
    let (place, text) = made.denied;
    let denial = vec![SourceEdit::new(place, text)];
    let mutant = |leaf: Node<'_>| {
        let (range, now) = rules.literals.altered(&source, leaf, ValueMatch::Exact, &mut choice)?;
        let was = source.one_line(range.clone());
        Some(ExpectationMutant {
            kind: if made.plain { ExpectationKind::Equality } else { ExpectationKind::Field },
            line: leaf.start_position().row + 1,
            was,
            now: now.clone(),
            straight: false,
            every_case: false,
            change: vec![SourceEdit::new(range, now)],
            denial: Some(denial.clone()),
            same: Vec::new(),
            framed: None,
            may_not_compile: false,
        })
    };
    let mut mutants: Vec<ExpectationMutant> = leaves.into_iter().filter_map(mutant).collect();
    choice.shuffle(&mut mutants);
    let test = test.to_owned();
    (!mutants.is_empty()).then(|| TestExpectations { mutants, ..TestExpectations::empty(test) })
}
