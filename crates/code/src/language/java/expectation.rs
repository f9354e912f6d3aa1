//! What tests in Java expect: JUnit, AssertJ, Hamcrest, `assert`, and programs that end with an error.

use tree_sitter::Node;

use crate::expectation::{
    AssertionForm, ExpectationRules, LiteralKinds, SeenAssertion, ValueMatch, call_parts, claims, is_small,
};
use crate::syntax::source::{ParsedText, call_arguments, named_children};

/// Code behind a plain `throw` would not compile.
const FAILS: &str = "if(true)throw null;";

/// An expression that fails.
const FAILING_CALL: &str = "Integer.parseInt(\"\")";

pub(super) const RULES: ExpectationRules = ExpectationRules {
    functions: &["method_declaration", "constructor_declaration", "lambda_expression"],
    main: Some("main"),
    assertion,
    leaving: &["return_statement", "throw_statement"],
    bindings: &[("variable_declarator", "name", "value"), ("assignment_expression", "left", "right")],
    loops: &[("enhanced_for_statement", "name", "value")],
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
    fails: (FAILS, FAILING_CALL),
    entry: |_, _| Some(FAILS.into()),
    unless_it_fails: |source, function, node| {
        let leaves = source.field(function, "type").is_some_and(|kind| kind == "void");
        let frame =
            |others: &str| format!("\nif (true) {{ return; }} }} catch (AssertionError bites) {{ }}{others}");
        let others = frame(" catch (Throwable bites) { return; }");
        let framed = leaves && node.kind() == "expression_statement";
        framed.then(|| ("try {\n".into(), others, frame("")))
    },
    either: ("(1 == 1 ? ", " : ", ")"),
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
            makers.contains(&format!("{object}.{name}").as_str()).then(|| call_arguments(node))
        }
        _ => None,
    }
}

fn assertion<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    let forms = match node.kind() {
        "expression_statement" => {
            let call =
                named_children(node).first().copied().filter(|call| call.kind() == "method_invocation")?;
            stated(source, call).or_else(|| method(source, call).map(|form| vec![form]))?
        }
        // `() -> assertEquals(3, f(1))`
        "method_invocation" if node.parent().is_some_and(|parent| parent.kind() == "lambda_expression") => {
            let forms = stated(source, node).or_else(|| method(source, node).map(|form| vec![form]))?;
            return Some(SeenAssertion { forms, denied: Some((node, FAILING_CALL)) });
        }
        "assert_statement" => claims(source, *named_children(node).first()?, true),
        "if_statement" => {
            let block = source.field(node, "consequence")?;
            if !["throw ", "exit(", "fail("].iter().any(|word| block.contains(word)) {
                return None;
            }
            let condition = node.child_by_field_name("condition")?;
            match negated_name(source, condition) {
                Some(name) => vec![AssertionForm::Holds(name)],
                None => claims(source, condition, false),
            }
        }
        _ => return None,
    };
    (!forms.is_empty()).then_some(SeenAssertion { forms, denied: Some((node, FAILS)) })
}

/// The name in `(!name)`.
fn negated_name<'t>(source: &ParsedText<'_>, condition: Node<'t>) -> Option<Node<'t>> {
    let inner = *named_children(condition).first()?;
    let operand = inner.child_by_field_name("operand").filter(|_| source.text(inner).starts_with('!'))?;
    (operand.kind() == "identifier").then_some(operand)
}

/// `assertTrue(a == b)`, `assertFalse(a != b)`.
fn stated<'t>(source: &ParsedText<'_>, call: Node<'t>) -> Option<Vec<AssertionForm<'t>>> {
    let holds = match source.field(call, "name")?.as_str() {
        "assertTrue" => true,
        "assertFalse" => false,
        _ => return None,
    };
    let condition = *call_arguments(call).first()?;
    Some(claims(source, condition, holds))
}

fn method<'t>(source: &ParsedText<'_>, call: Node<'t>) -> Option<AssertionForm<'t>> {
    let name = source.field(call, "name")?;
    let all = call_arguments(call);
    match (name.as_str(), all.as_slice()) {
        ("assertEquals" | "assertSame" | "assertArrayEquals" | "assertIterableEquals", [left, right]) => {
            Some(AssertionForm::Equal(*left, *right, ValueMatch::Exact))
        }
        ("assertEquals" | "assertArrayEquals", [left, right, third]) => Some(match third.kind() {
            "decimal_floating_point_literal" if is_small(source, *third) => {
                AssertionForm::Equal(*left, *right, ValueMatch::Near)
            }
            "string_literal" => AssertionForm::Equal(*left, *right, ValueMatch::Exact),
            _ => AssertionForm::Other,
        }),
        ("assertThat", [actual, matcher]) => {
            let matches = matcher.kind() == "method_invocation"
                && matches!(source.field(*matcher, "name").as_deref(), Some("is" | "equalTo"));
            let inner = call_arguments(*matcher);
            match inner.as_slice() {
                [value] if matches => Some(AssertionForm::Equal(*actual, *value, ValueMatch::Exact)),
                _ => Some(AssertionForm::Other),
            }
        }
        (
            "isEqualTo" | "containsExactly" | "hasSize" | "contains" | "startsWith" | "endsWith",
            values @ [first, ..],
        ) => {
            let mut chain = call_parts(source, call.child_by_field_name("object")?)?;
            // `assertThat(x).as("…").isEqualTo(3)`
            while matches!(chain.name.as_str(), "as" | "describedAs" | "isNotNull" | "isNotEmpty") {
                chain = call_parts(source, chain.object?)?;
            }
            let actual = *chain.arguments.first().filter(|_| chain.name == "assertThat")?;
            Some(match values {
                [_] if name == "isEqualTo" => AssertionForm::Equal(actual, *first, ValueMatch::Exact),
                _ if matches!(name.as_str(), "contains" | "startsWith" | "endsWith") => {
                    AssertionForm::Part(*first)
                }
                _ => AssertionForm::Is(*first),
            })
        }
        // What stands in its functions is looked at one by one.
        ("assertAll", _) => None,
        (name, _) if name.starts_with("assert") => Some(AssertionForm::Other),
        _ => None,
    }
}
