//! Conditions that a test asserts in two steps: under a name (`ok = f(1) == 3`, then `assert ok`), or as a list of what went
//! wrong that must be empty (`wrong = [a for a, b in CASES if f(a) != b]`, then `assert not wrong`).

use tree_sitter::Node;

use super::condition::{call_parts, equalities};
use super::rules::{AssertionForm, ExpectationRules, ValueMatch};
use crate::syntax::source::{ParsedText, named_children};

/// What the condition says that an assertion of a bare name is about, if the test binds the name once.
pub(super) fn condition<'t>(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    function: Node<'t>,
    assertion: Node<'t>,
) -> Option<Vec<AssertionForm<'t>>> {
    let name = asserted_name(source, rules, assertion)?;
    let forms = equalities(source, bound_once(source, rules, function, &name)?, true);
    (!forms.is_empty()).then_some(forms)
}

/// What a list of differences says that an assertion wants to be empty.
pub(super) fn differences<'t>(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    function: Node<'t>,
    forms: &[AssertionForm<'t>],
) -> Option<Vec<AssertionForm<'t>>> {
    let mut list = match forms {
        [AssertionForm::Holds(condition)] => negated(source, *condition)?,
        [AssertionForm::Equal(left, right, _), ..] => emptied(source, rules, *left, *right)?,
        _ => return None,
    };
    if rules.names.contains(&list.kind()) {
        list = bound_once(source, rules, function, &source.text(list))?;
    }
    let forms = differing(source, list);
    (!forms.is_empty()).then_some(forms)
}

/// What `not x` and `!x` are about.
fn negated<'t>(source: &ParsedText<'_>, condition: Node<'t>) -> Option<Node<'t>> {
    let text = source.text(condition);
    let is_not = text.starts_with("not ") || (text.starts_with('!') && !text.starts_with("!="));
    let inner = named_children(condition).last().copied();
    inner.filter(|_| is_not && condition.kind() != "binary_expression")
}

/// The side that is compared with an empty list, or whose length is compared with 0.
fn emptied<'t>(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    left: Node<'t>,
    right: Node<'t>,
) -> Option<Node<'t>> {
    let empty =
        |node: Node<'t>| rules.literals.containers.contains(&node.kind()) && named_children(node).is_empty();
    match (left, right) {
        (list, none) | (none, list) if empty(none) => Some(list),
        (length, zero) | (zero, length) if source.text(zero) == "0" => match call_parts(source, length) {
            Some(call) if call.name == "len" => call.arguments.first().copied(),
            Some(_) => None,
            None => {
                let measured = matches!(source.field(length, "property").as_deref(), Some("length"));
                length.child_by_field_name("object").filter(|_| measured)
            }
        },
        _ => None,
    }
}

/// What holds of every row of a list if nothing is left of it: `[a for a, b in x if f(a) != b]`, `x.filter(([a, b]) => f(a) !== b)`.
fn differing<'t>(source: &ParsedText<'_>, list: Node<'t>) -> Vec<AssertionForm<'t>> {
    if matches!(list.kind(), "list_comprehension" | "generator_expression" | "set_comprehension") {
        let clauses = named_children(list);
        let mut conditions = clauses.iter().filter(|part| part.kind() == "if_clause");
        return match (conditions.next(), conditions.next()) {
            (Some(only), None) => {
                let condition = named_children(*only).first().copied();
                condition.map(|condition| equalities(source, condition, false)).unwrap_or_default()
            }
            _ => Vec::new(),
        };
    }
    let Some(call) = call_parts(source, list) else { return Vec::new() };
    match (call.name.as_str(), call.object, call.arguments.as_slice()) {
        ("list" | "set" | "tuple", None, [inner]) => differing(source, *inner),
        ("unified_diff" | "context_diff", _, [a, b, ..]) => {
            let (a, b) = (without_lines(source, *a), without_lines(source, *b));
            vec![AssertionForm::Equal(a, b, ValueMatch::Exact)]
        }
        ("filter" | "some" | "find", Some(_), [function]) => {
            let body = function.child_by_field_name("body");
            body.map(|body| equalities(source, body, false)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// The text that `text.splitlines()` takes apart.
fn without_lines<'t>(source: &ParsedText<'_>, lines: Node<'t>) -> Node<'t> {
    let call = call_parts(source, lines).filter(|call| matches!(call.name.as_str(), "splitlines" | "split"));
    call.and_then(|call| call.object).unwrap_or(lines)
}

/// The value of a name that a function binds once.
fn bound_once<'t>(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    function: Node<'t>,
    name: &str,
) -> Option<Node<'t>> {
    let body = function.child_by_field_name("body")?;
    let mut values = Vec::new();
    let mut open = vec![body];
    while let Some(node) = open.pop() {
        for (kind, pattern, value) in rules.bindings {
            if node.kind() == *kind && source.field(node, pattern).as_deref() == Some(name) {
                values.push(node.child_by_field_name(value));
            }
        }
        open.extend(named_children(node));
    }
    match values.as_slice() {
        [Some(value)] => Some(*value),
        _ => None,
    }
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
