//! The opposite of a condition, written as a person would write it: `a < b` becomes `a >= b`, `not f(1)` becomes `f(1)`,
//! `assertTrue` becomes `assertFalse`.
//!
//! An order is turned by its sign and not by a `not` in front: a value that is greater and smaller than everything passes the
//! turned comparison too, and so gives itself away.

use std::ops::Range;

use tree_sitter::Node;

use super::rules::ExpectationRules;
use crate::syntax::source::{MAX_DEPTH, ParsedText, children, named_children};

/// Signs and their opposites.
const SIGNS: [(&str, &str); 12] = [
    ("<", ">="),
    (">=", "<"),
    (">", "<="),
    ("<=", ">"),
    ("==", "!="),
    ("!=", "=="),
    ("===", "!=="),
    ("!==", "==="),
    ("is", "is not"),
    ("is not", "is"),
    ("in", "not in"),
    ("not in", "in"),
];

/// Names of assertions and of those that say the opposite.
const WORDS: [(&str, &str); 41] = [
    ("assertTrue", "assertFalse"),
    ("assertIn", "assertNotIn"),
    ("assertIsNone", "assertIsNotNone"),
    ("assertIsInstance", "assertNotIsInstance"),
    ("assertNotEqual", "assertEqual"),
    ("assertNotEquals", "assertEquals"),
    ("assertRegex", "assertNotRegex"),
    ("assertNull", "assertNotNull"),
    ("assertContains", "assertNotContains"),
    ("assertStringContainsString", "assertStringNotContainsString"),
    ("assertEmpty", "assertNotEmpty"),
    ("assertArrayHasKey", "assertArrayNotHasKey"),
    ("assertInstanceOf", "assertNotInstanceOf"),
    ("assertNotSame", "assertSame"),
    ("toBeTruthy", "toBeFalsy"),
    ("toBeDefined", "toBeUndefined"),
    ("isTrue", "isFalse"),
    ("isNull", "isNotNull"),
    ("isOk", "isNotOk"),
    ("exists", "notExists"),
    ("notEqual", "equal"),
    ("notStrictEqual", "strictEqual"),
    ("notDeepStrictEqual", "deepStrictEqual"),
    ("doesNotMatch", "match"),
    ("assert_nil", "refute_nil"),
    ("assert_includes", "refute_includes"),
    ("assert_empty", "refute_empty"),
    ("assert_match", "refute_match"),
    ("assert_predicate", "refute_predicate"),
    ("assert_respond_to", "refute_respond_to"),
    ("to", "not_to"),
    ("assert_ne", "assert_eq"),
    ("EXPECT_TRUE", "EXPECT_FALSE"),
    ("ASSERT_TRUE", "ASSERT_FALSE"),
    ("EXPECT_NE", "EXPECT_EQ"),
    ("ASSERT_NE", "ASSERT_EQ"),
    ("True", "False"),
    ("Nil", "NotNil"),
    ("Contains", "NotContains"),
    ("Empty", "NotEmpty"),
    ("NotEqual", "Equal"),
];

/// Names of assertions about an order, each with what is not so.
const ORDERS: [(&str, &str); 24] = [
    ("assertGreater", "assertLessEqual"),
    ("assertGreaterEqual", "assertLess"),
    ("assertLess", "assertGreaterEqual"),
    ("assertLessEqual", "assertGreater"),
    ("assertGreaterThan", "assertLessThanOrEqual"),
    ("assertGreaterThanOrEqual", "assertLessThan"),
    ("assertLessThan", "assertGreaterThanOrEqual"),
    ("assertLessThanOrEqual", "assertGreaterThan"),
    ("toBeGreaterThan", "toBeLessThanOrEqual"),
    ("toBeGreaterThanOrEqual", "toBeLessThan"),
    ("toBeLessThan", "toBeGreaterThanOrEqual"),
    ("toBeLessThanOrEqual", "toBeGreaterThan"),
    ("EXPECT_GT", "EXPECT_LE"),
    ("EXPECT_GE", "EXPECT_LT"),
    ("EXPECT_LT", "EXPECT_GE"),
    ("EXPECT_LE", "EXPECT_GT"),
    ("ASSERT_GT", "ASSERT_LE"),
    ("ASSERT_GE", "ASSERT_LT"),
    ("ASSERT_LT", "ASSERT_GE"),
    ("ASSERT_LE", "ASSERT_GT"),
    ("Greater", "LessOrEqual"),
    ("GreaterOrEqual", "Less"),
    ("Less", "GreaterOrEqual"),
    ("LessOrEqual", "Greater"),
];

/// The changes that make a condition say the opposite, each by itself: `1 < a < 3` has two.
pub(super) fn opposites(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    condition: Node<'_>,
) -> Vec<(Range<usize>, String)> {
    at_depth(source, rules, condition, 0)
}

fn at_depth(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    node: Node<'_>,
    depth: usize,
) -> Vec<(Range<usize>, String)> {
    let named = named_children(node);
    let kind = node.kind();
    if let ("parenthesized_expression" | "parenthesized_statements" | "condition_clause", [one]) =
        (kind, named.as_slice())
        && depth < MAX_DEPTH
    {
        return at_depth(source, rules, *one, depth + 1);
    }
    if matches!(kind, "comparison_operator" | "binary_expression" | "binary") {
        let turned = |child: Node<'_>| {
            let sign = source.text(child);
            let (_, other) = SIGNS.iter().find(|(known, _)| *known == sign)?;
            Some((child.byte_range(), (*other).to_owned()))
        };
        let signs: Vec<(Range<usize>, String)> =
            children(node).into_iter().filter(|child| !child.is_named()).filter_map(turned).collect();
        if !signs.is_empty() {
            return signs;
        }
    }
    if matches!(kind, "not_operator" | "unary_expression" | "unary_op_expression" | "unary")
        || kind == "prefix_unary_expression"
    {
        let sign = children(node).into_iter().next().filter(|first| !first.is_named());
        if let Some(sign) = sign.filter(|sign| matches!(source.text(*sign).as_str(), "!" | "not")) {
            return vec![(sign.byte_range(), " ".repeat(sign.byte_range().len()))];
        }
    }
    let (before, behind) = rules.negation;
    let text = source.text(node);
    let is_call = (kind.contains("call") || kind.contains("invocation")) && text.ends_with(')');
    if is_call || rules.names.contains(&kind) {
        return vec![(node.byte_range(), format!("{}{text}", before.trim_end_matches('(')))];
    }
    vec![(node.byte_range(), format!("{before}{text}{behind}"))]
}

/// A change of the name of an assertion that makes it say the opposite.
pub(super) fn opposite_word(source: &ParsedText<'_>, assertion: Node<'_>) -> Option<(Range<usize>, String)> {
    let mut node = assertion;
    while matches!(node.kind(), "expression_statement" | "await_expression" | "await") {
        node = *named_children(node).first()?;
    }
    if !node.kind().contains("call") && !node.kind().contains("invocation") {
        return None;
    }
    let mut callee = ["function", "method", "name"].iter().find_map(|name| node.child_by_field_name(name))?;
    while let Some(last) = named_children(callee).last() {
        callee = *last;
    }
    let word = source.text(callee);
    let both = WORDS.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
    let (_, other) = both.chain(ORDERS.iter().copied()).find(|(known, _)| *known == word)?;
    Some((callee.byte_range(), other.to_owned()))
}

#[cfg(test)]
mod tests;
