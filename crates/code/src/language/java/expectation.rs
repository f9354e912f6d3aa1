//! What tests in Java expect: JUnit, AssertJ, Hamcrest, `assert`, and programs that end with an error.

use tree_sitter::Node;

use crate::expectation::{AssertionForm, ExpectationRules, LiteralKinds, SeenAssertion, ValueMatch};
use crate::syntax::source::{ParsedText, named_children};

/// Code behind a plain `throw` would not compile.
const FAILS: &str = "if(true)throw null;";

pub(super) const RULES: ExpectationRules = ExpectationRules {
    functions: &["method_declaration", "constructor_declaration", "lambda_expression"],
    main: Some("main"),
    assertion,
    leaving: &["return_statement", "throw_statement"],
    bindings: &[("variable_declarator", "name", "value"), ("assignment_expression", "left", "right")],
    literals: LiteralKinds {
        integers: &["decimal_integer_literal", "hex_integer_literal"],
        floats: &["decimal_floating_point_literal"],
        strings: &["string_literal", "character_literal"],
        parts: &["string_fragment"],
        string_rest: &["escape_sequence"],
        words: &["true", "false", "null_literal"],
        containers: &["array_initializer", "parenthesized_expression"],
        wrapped,
        ..LiteralKinds::NONE
    },
    entry: |_, _| Some(FAILS.into()),
    ..ExpectationRules::NONE
};

fn wrapped<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<Vec<Node<'t>>> {
    match node.kind() {
        "unary_expression" => node.child_by_field_name("operand").map(|value| vec![value]),
        "array_creation_expression" => node.child_by_field_name("value").map(|value| vec![value]),
        "method_invocation" => {
            let object = source.field(node, "object")?;
            let name = source.field(node, "name")?;
            let makers = ["List.of", "Set.of", "Arrays.asList", "Optional.of"];
            makers.contains(&format!("{object}.{name}").as_str()).then(|| arguments(node))
        }
        _ => None,
    }
}

fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    call.child_by_field_name("arguments").map(named_children).unwrap_or_default()
}

fn assertion<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    let form = match node.kind() {
        "expression_statement" => {
            let call =
                named_children(node).first().copied().filter(|call| call.kind() == "method_invocation")?;
            method(source, call)?
        }
        "assert_statement" => equality(source, *named_children(node).first()?, "==")?,
        "if_statement" => {
            let block = source.field(node, "consequence")?;
            if !block.contains("throw ") && !block.contains("exit(") {
                return None;
            }
            equality(source, node.child_by_field_name("condition")?, "!=")?
        }
        _ => return None,
    };
    Some(SeenAssertion { forms: vec![form], denied: Some((node, FAILS)) })
}

fn equality<'t>(source: &ParsedText<'_>, condition: Node<'t>, wanted: &str) -> Option<AssertionForm<'t>> {
    let condition = match condition.kind() {
        "parenthesized_expression" => *named_children(condition).first()?,
        _ => condition,
    };
    if condition.kind() == "unary_expression" && wanted == "!=" {
        let call = condition.child_by_field_name("operand")?;
        return equals(source, call);
    }
    if let Some(form) = (wanted == "==").then(|| equals(source, condition)).flatten() {
        return Some(form);
    }
    let operator = source.field(condition, "operator").filter(|operator| operator == wanted);
    operator.filter(|_| condition.kind() == "binary_expression")?;
    let (left, right) = (condition.child_by_field_name("left")?, condition.child_by_field_name("right")?);
    Some(AssertionForm::Equal(left, right, ValueMatch::Exact))
}

/// `a.equals(b)`.
fn equals<'t>(source: &ParsedText<'_>, call: Node<'t>) -> Option<AssertionForm<'t>> {
    let is_it = call.kind() == "method_invocation" && source.field(call, "name").as_deref() == Some("equals");
    let object = call.child_by_field_name("object").filter(|_| is_it)?;
    let other = arguments(call).first().copied()?;
    Some(AssertionForm::Equal(object, other, ValueMatch::Exact))
}

fn method<'t>(source: &ParsedText<'_>, call: Node<'t>) -> Option<AssertionForm<'t>> {
    let name = source.field(call, "name")?;
    let all = arguments(call);
    match (name.as_str(), all.as_slice()) {
        ("assertEquals" | "assertSame" | "assertArrayEquals" | "assertIterableEquals", [left, right]) => {
            Some(AssertionForm::Equal(*left, *right, ValueMatch::Exact))
        }
        ("assertEquals" | "assertArrayEquals", [left, right, third]) => Some(match third.kind() {
            "decimal_floating_point_literal" => AssertionForm::Equal(*left, *right, ValueMatch::Near),
            "string_literal" => AssertionForm::Equal(*left, *right, ValueMatch::Exact),
            _ => AssertionForm::Other,
        }),
        ("assertThat", [actual, matcher]) => {
            let matches = matcher.kind() == "method_invocation"
                && matches!(source.field(*matcher, "name").as_deref(), Some("is" | "equalTo"));
            let inner = arguments(*matcher);
            match inner.as_slice() {
                [value] if matches => Some(AssertionForm::Equal(*actual, *value, ValueMatch::Exact)),
                _ => Some(AssertionForm::Other),
            }
        }
        ("isEqualTo", [value]) => {
            let object =
                call.child_by_field_name("object").filter(|object| object.kind() == "method_invocation")?;
            let actual = arguments(object).first().copied()?;
            let known = source.field(object, "name").as_deref() == Some("assertThat");
            known.then_some(AssertionForm::Equal(actual, *value, ValueMatch::Exact))
        }
        (name, _) if name.starts_with("assert") => Some(AssertionForm::Other),
        _ => None,
    }
}
