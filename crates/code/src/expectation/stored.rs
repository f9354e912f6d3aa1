//! A condition that a test keeps under a name before it asserts it: `ok = f(1) == 3`, then `assert ok`.

use tree_sitter::Node;

use super::condition::equalities;
use super::rules::{AssertionForm, ExpectationRules};
use crate::syntax::source::{ParsedText, named_children};

/// What the condition says that an assertion of a bare name is about, if the test binds the name once.
pub(super) fn condition<'t>(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    function: Node<'t>,
    assertion: Node<'t>,
) -> Option<Vec<AssertionForm<'t>>> {
    let name = asserted_name(source, rules, assertion)?;
    let body = function.child_by_field_name("body")?;
    let mut values = Vec::new();
    let mut open = vec![body];
    while let Some(node) = open.pop() {
        for (kind, pattern, value) in rules.bindings {
            if node.kind() == *kind && source.field(node, pattern).as_deref() == Some(name.as_str()) {
                values.push(node.child_by_field_name(value));
            }
        }
        open.extend(named_children(node));
    }
    let [Some(value)] = values.as_slice() else { return None };
    let forms = equalities(source, *value, true);
    (!forms.is_empty()).then_some(forms)
}

/// The name that `assert ok`, `assertTrue(ok)`, `assert.ok(ok)` or `assert!(ok)` is about.
fn asserted_name(source: &ParsedText<'_>, rules: &ExpectationRules, assertion: Node<'_>) -> Option<String> {
    let inner = if assertion.kind() == "expression_statement" {
        *named_children(assertion).first()?
    } else {
        assertion
    };
    let asserted = match inner.kind() {
        "assert_statement" => *named_children(inner).first()?,
        kind if kind.contains("call") => {
            let callee =
                ["function", "method", "name"].iter().find_map(|field| source.field(inner, field))?;
            let word = callee.rsplit(['.', ':']).next().unwrap_or_default();
            if !matches!(word, "assert" | "ok" | "assertTrue" | "assert_true") {
                return None;
            }
            *inner.child_by_field_name("arguments").map(named_children)?.first()?
        }
        _ => return None,
    };
    rules.names.contains(&asserted.kind()).then(|| source.text(asserted))
}
