//! What tests in C# expect: xUnit, NUnit, MSTest and FluentAssertions.

use tree_sitter::Node;

use crate::expectation::{AssertionForm, ExpectationRules, LiteralKinds, SeenAssertion, ValueMatch, claims};
use crate::syntax::source::{ParsedText, argument_values, named_children};

pub(super) const RULES: ExpectationRules = ExpectationRules {
    functions: &["method_declaration", "local_function_statement", "lambda_expression"],
    main: Some("Main"),
    assertion,
    leaving: &["return_statement", "throw_statement"],
    literals: LiteralKinds {
        integers: &["integer_literal"],
        floats: &["real_literal"],
        strings: &["string_literal"],
        parts: &["string_literal_content"],
        string_rest: &["escape_sequence"],
        words: &["boolean_literal", "null_literal"],
        containers: &["initializer_expression", "parenthesized_expression"],
        wrapped: |_, node| match node.kind() {
            "prefix_unary_expression" => named_children(node).last().map(|value| vec![*value]),
            "array_creation_expression" | "implicit_array_creation_expression" => {
                let inner = named_children(node).into_iter().find(|n| n.kind() == "initializer_expression");
                inner.map(|inner| vec![inner])
            }
            _ => None,
        },
        ..LiteralKinds::NONE
    },
    bindings: &[("variable_declarator", "name", ""), ("assignment_expression", "left", "right")],
    fails: ("throw null;", ""),
    entry: |_, _| Some("throw null;".into()),
    either: ("(1 == 1 ? ", " : ", ")"),
    ..ExpectationRules::NONE
};

fn assertion<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    if node.kind() == "if_statement" {
        let block = source.field(node, "consequence")?;
        let condition = node.child_by_field_name("condition")?;
        let fails = block.contains("throw ") || block.contains("Fail(");
        let forms = if fails { claims(source, condition, false) } else { Vec::new() };
        return (!forms.is_empty()).then_some(SeenAssertion { forms, denied: Some((condition, "true")) });
    }
    if node.kind() != "expression_statement" {
        return None;
    }
    let call = named_children(node).first().copied().filter(|call| call.kind() == "invocation_expression")?;
    let function = source.field(call, "function")?;
    let all = argument_values(call);
    let form = match (function.as_str(), all.as_slice()) {
        ("Assert.Equal" | "Assert.AreEqual" | "Assert.Same" | "Assert.AreSame", [left, right]) => {
            AssertionForm::Equal(*left, *right, ValueMatch::Exact)
        }
        ("Assert.That", [actual, matcher]) => {
            let is_equal = source.field(*matcher, "function").as_deref() == Some("Is.EqualTo");
            match argument_values(*matcher).as_slice() {
                [value] if is_equal => AssertionForm::Equal(*actual, *value, ValueMatch::Exact),
                _ => AssertionForm::Other,
            }
        }
        ("Assert.True" | "Assert.IsTrue" | "Assert.False" | "Assert.IsFalse", [condition, ..]) => {
            let forms = claims(source, *condition, function.ends_with("True"));
            return Some(SeenAssertion { forms, denied: Some((node, "throw null;")) });
        }
        ("Assert.Contains" | "Assert.StartsWith" | "Assert.EndsWith", [part, _]) => {
            AssertionForm::Part(*part)
        }
        (name, _) if name.starts_with("Assert.") => AssertionForm::Other,
        (name, [value]) if name.ends_with(".Should().Be") => AssertionForm::Is(*value),
        _ => return None,
    };
    Some(SeenAssertion { forms: vec![form], denied: Some((node, "throw null;")) })
}
