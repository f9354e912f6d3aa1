//! Expected values that a file binds to a name outside of its tests: `WANT = 6`. All tests that use the name compare it, and nothing else
//! is done with it.

use tree_sitter::Node;

use super::alter::Choice;
use super::beside::BesideChange;
use super::edit::{SourceEdit, with_edits};
use super::find::{PlacedAssertion, TestReader};
use super::flow::{ValueFlow, all_nodes};
use super::rules::{AssertionForm, ValueMatch};
use super::table::is_handed_on;
use super::{ExpectationKind, ExpectationMutant};
use crate::syntax::source::line_of;

/// Who uses a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConstantUse {
    /// This test alone.
    Own,
    /// Several tests.
    Shared,
}

impl<'t> ValueFlow<'_, '_, 't> {
    /// The value of a name that the file binds once outside of the test, and only compares; of `WANT["sum"]`, that entry.
    pub(super) fn constant(&self, side: Node<'t>, by: ConstantUse) -> Option<Node<'t>> {
        let (name, member) = match self.member(side) {
            Some((name, member)) => (name, Some(member)),
            None => (side, None),
        };
        let _ = Some(name).filter(|name| self.is_name(*name) && !self.is_parameter(*name))?;
        let text = self.source.text(name);
        let mut bound = None;
        let mut users = ConstantUse::Own;
        for node in all_nodes(self.source.root()) {
            if !self.is_name(node) || self.source.text(node) != text || is_handed_on(self.source, node) {
                continue;
            }
            if let Some(value) = self.value_bound_to(node) {
                let around = |inner: Node<'t>, outer: Node<'t>| {
                    outer.start_byte() <= inner.start_byte() && inner.end_byte() <= outer.end_byte()
                };
                if bound.replace(value).is_some() || around(value, self.item) {
                    return None;
                }
                continue;
            }
            // Another entry of the same table is compared as well, or it goes elsewhere.
            let whole = match &member {
                None => node,
                Some(_) => node.parent().filter(|parent| self.member(*parent).is_some())?,
            };
            let range = whole.byte_range();
            let is_said = || {
                self.messages
                    .iter()
                    .any(|part| part.start_byte() <= range.start && range.end <= part.end_byte())
            };
            if self.sides.iter().any(|side| side.byte_range() == range) || is_said() {
                continue;
            }
            if !self.other_sides.contains(&range) {
                return None;
            }
            users = ConstantUse::Shared;
        }
        let pure = |value: &Node<'t>| self.rules.literals.is_pure(self.source, *value);
        let table = bound.filter(pure).filter(|_| users == by)?;
        member.map_or(Some(table), |member| self.own_entry(table, &member))
    }
}

impl<'t> TestReader<'_, 't> {
    /// The change of a constant that several tests expect: it is made in a run of its own. Every test draws the same one.
    pub(super) fn shared_constant(
        &self,
        placed: &PlacedAssertion<'t>,
        flow: &ValueFlow<'_, '_, 't>,
        denial: Option<&Vec<SourceEdit>>,
    ) -> Option<BesideChange> {
        let literals = &self.rules.literals;
        placed.seen.forms.iter().find_map(|form| {
            let AssertionForm::Equal(left, right, by @ (ValueMatch::Exact | ValueMatch::Near)) = form else {
                return None;
            };
            let constant = |side: &Node<'t>| flow.constant(*side, ConstantUse::Shared);
            let (value, other) = match (constant(left), constant(right)) {
                (Some(value), None) => (value, right),
                (None, Some(value)) => (value, left),
                _ => return None,
            };
            if literals.is_pure(self.source, *other) {
                return None;
            }
            let mut choice = Choice::new(self.drawn, &value.start_byte().to_string());
            let mut leaves = literals.leaves(self.source, value).into_iter();
            let (range, now) =
                leaves.find_map(|leaf| literals.altered(self.source, leaf, *by, &mut choice))?;
            let was = self.source.text(value.descendant_for_byte_range(range.start, range.end)?);
            let bytes = with_edits(self.source.bytes, &[&SourceEdit::new(range, now.clone())])?;
            let mutant = ExpectationMutant {
                kind: ExpectationKind::Equality,
                line: line_of(value),
                was,
                now,
                straight: false,
                every_case: false,
                change: Vec::new(),
                denial: denial.cloned(),
                same: Vec::new(),
                framed: None,
                may_not_compile: false,
            };
            Some(BesideChange { path: self.path.to_owned(), bytes, mutant })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::expectations;

    #[test]
    fn a_constant_that_every_test_only_compares_is_changed_once_for_all() {
        let text = "WANT = 44\n\n\ndef test_a():\n    assert f(1) == WANT\n\n\ndef test_b():\n    assert g(1) == WANT, WANT\n";
        let shared = |text: &str| -> Vec<String> {
            let seen = expectations("tests/test_a.py", text.as_bytes(), &|_| true, 1);
            let beside = seen.iter().flat_map(|test| &test.beside);
            let mut out: Vec<String> =
                beside.map(|change| String::from_utf8_lossy(&change.bytes).into_owned()).collect();
            out.dedup();
            out
        };
        let [changed] = shared(text).try_into().unwrap();
        assert!(changed.starts_with("WANT = ") && changed[9..] == text[9..] && changed != text, "{changed}");
        // An input as well, bound twice, or what only one test uses: that is changed with its other values.
        assert_eq!(shared(&text.replace("g(1)", "g(WANT)")), [] as [&str; 0]);
        assert_eq!(shared(&format!("WANT = 3\n{text}")), [] as [&str; 0]);
        assert_eq!(shared(&text.replace("== WANT, WANT", "== 7")), [] as [&str; 0]);
        let own =
            expectations("tests/test_a.py", text.replace("== WANT, WANT", "== 7").as_bytes(), &|_| true, 1);
        let own: Vec<&str> = own[0].mutants.iter().map(|m| m.was.as_str()).collect();
        assert!(own.contains(&"44"), "{own:?}");
    }
}
