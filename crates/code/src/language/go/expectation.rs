//! What tests in Go expect: `if got != want { t.Errorf(…) }` and testify's `Equal`.

use tree_sitter::Node;

use crate::expectation::{AssertionForm, ExpectationRules, LiteralKinds, SeenAssertion, ValueMatch};
use crate::syntax::source::{ParsedText, child_of_kind, named_children};

pub(super) const RULES: ExpectationRules = ExpectationRules {
    // What fails inside a function literal, such as a sub-test, fails the test.
    functions: &["function_declaration", "method_declaration"],
    assertion,
    bindings: &[
        ("short_var_declaration", "left", "right"),
        ("var_spec", "name", "value"),
        ("assignment_statement", "left", "right"),
    ],
    loops: &[("range_clause", "left", "right")],
    literals: LiteralKinds {
        integers: &["int_literal"],
        floats: &["float_literal"],
        strings: &["interpreted_string_literal", "raw_string_literal", "rune_literal"],
        parts: &["interpreted_string_literal_content", "raw_string_literal_content"],
        string_rest: &["escape_sequence"],
        words: &["true", "false", "nil"],
        containers: &["literal_value", "literal_element", "parenthesized_expression"],
        wrapped: |_, node| match node.kind() {
            "composite_literal" => node.child_by_field_name("body").map(|body| vec![body]),
            "unary_expression" => node.child_by_field_name("operand").map(|value| vec![value]),
            "keyed_element" => named_children(node).last().map(|value| vec![*value]),
            _ => None,
        },
        ..LiteralKinds::NONE
    },
    entry: |source, function| {
        let parameters = function.child_by_field_name("parameters")?;
        let first = child_of_kind(parameters, &["parameter_declaration"])?;
        source.field(first, "name").map(|name| format!("{name}.FailNow();"))
    },
    ..ExpectationRules::NONE
};

fn assertion<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    match node.kind() {
        "if_statement" => condition(source, node),
        "call_expression" => testify(source, node),
        _ => None,
    }
}

/// `if got != want`, `if !reflect.DeepEqual(got, want)`, with a block that fails the test.
fn condition<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    let block = source.field(node, "consequence")?;
    let fails = [".Error", ".Fatal", ".Fail", "os.Exit(", "panic("];
    if !fails.iter().any(|call| block.contains(call)) {
        return None;
    }
    let condition = node.child_by_field_name("condition")?;
    let operator = condition.child_by_field_name("operator")?;
    match (condition.kind(), source.text(operator).as_str()) {
        ("binary_expression", "!=") => {
            let (left, right) =
                (condition.child_by_field_name("left")?, condition.child_by_field_name("right")?);
            let form = AssertionForm::Equal(left, right, ValueMatch::Exact);
            Some(SeenAssertion { forms: vec![form], denied: Some((operator, "==")) })
        }
        ("unary_expression", "!") => {
            let call =
                condition.child_by_field_name("operand").filter(|call| call.kind() == "call_expression")?;
            let name = source.field(call, "function")?;
            let all = call.child_by_field_name("arguments").map(named_children).unwrap_or_default();
            let equal = ["reflect.DeepEqual", "slices.Equal", "maps.Equal", "bytes.Equal", "cmp.Equal"];
            let form = match all.as_slice() {
                [left, right] if equal.contains(&name.as_str()) => {
                    AssertionForm::Equal(*left, *right, ValueMatch::Exact)
                }
                _ => AssertionForm::Other,
            };
            Some(SeenAssertion { forms: vec![form], denied: Some((operator, " ")) })
        }
        _ => None,
    }
}

/// `assert.Equal(t, 3, f(1))`.
fn testify<'t>(source: &ParsedText<'_>, call: Node<'t>) -> Option<SeenAssertion<'t>> {
    let function = source.field(call, "function")?;
    let (package, name) = function.rsplit_once('.')?;
    if !matches!(package, "assert" | "require") {
        return None;
    }
    let all = call.child_by_field_name("arguments").map(named_children).unwrap_or_default();
    let form = match (name, all.as_slice()) {
        ("Equal" | "EqualValues" | "Exactly" | "Len" | "EqualError" | "Equalf", [_, left, right, ..]) => {
            AssertionForm::Equal(*left, *right, ValueMatch::Exact)
        }
        _ => return None,
    };
    Some(SeenAssertion { forms: vec![form], denied: None })
}
