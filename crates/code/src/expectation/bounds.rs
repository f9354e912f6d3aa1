//! Numbers between two bounds that are written out: `5 < f(1) < 7`, `got >= 6 && got <= 6`, or the same in two assertions.
//!
//! One bound can be turned, but not moved: how far beyond it a value lies is not known. Of two, the range between them can.

use tree_sitter::Node;

use super::find::PlacedAssertion;
use super::rules::{AssertionForm, ExpectationRules};
use crate::syntax::source::{ParsedText, children, named_children};

/// A bound of a value.
struct ValueBound<'t> {
    /// The assertion that states it, by its position.
    at: usize,
    /// The value, as the test writes it.
    of: String,
    is_lower: bool,
    number: Node<'t>,
}

/// Adds to assertions of lower bounds that a value lies between these and upper bounds of the same value.
pub(super) fn pair_bounds(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    found: &mut [PlacedAssertion<'_>],
) {
    let mut bounds = Vec::new();
    for (at, placed) in found.iter().enumerate().filter(|(_, placed)| placed.straight) {
        for form in &placed.seen.forms {
            if let AssertionForm::Holds(condition) = form {
                bounds.extend(
                    bounds_in(source, rules, placed.node, *condition)
                        .into_iter()
                        .map(|bound| ValueBound { at, ..bound }),
                );
            }
        }
    }
    for lower in bounds.iter().filter(|bound| bound.is_lower) {
        let upper = bounds.iter().find(|bound| !bound.is_lower && bound.of == lower.of);
        if let Some(upper) = upper {
            found[lower.at].seen.forms.push(AssertionForm::Between(lower.number, upper.number));
        }
    }
}

/// The bounds that a comparison states.
fn bounds_in<'t>(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    assertion: Node<'t>,
    condition: Node<'t>,
) -> Vec<ValueBound<'t>> {
    if !matches!(condition.kind(), "comparison_operator" | "binary_expression" | "binary") {
        return Vec::new();
    }
    let signs: Vec<String> = children(condition)
        .into_iter()
        .filter(|child| !child.is_named())
        .map(|child| source.text(child))
        .collect();
    let values = named_children(condition);
    let is_number = |node: &Node<'t>| rules.literals.integers.contains(&node.kind());
    let pairs = values.windows(2).zip(&signs);
    let of = |(pair, sign): (&[Node<'t>], &String)| {
        let greater = match sign.chars().next() {
            Some('>') => true,
            Some('<') => false,
            _ => return None,
        };
        let (value, number, is_lower) = match (is_number(&pair[0]), is_number(&pair[1])) {
            (false, true) => (pair[0], pair[1], greater),
            (true, false) => (pair[1], pair[0], !greater),
            _ => return None,
        };
        // `expect(f(1)).to be > 5`
        let of = match source.text(value) {
            word if word == "be" => source.text(assertion).split(".to ").next()?.to_owned(),
            text => text,
        };
        Some(ValueBound { at: 0, of, is_lower, number })
    };
    pairs.filter_map(of).collect()
}
