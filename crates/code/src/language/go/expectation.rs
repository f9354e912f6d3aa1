//! What tests in Go expect: `if got != want { t.Errorf(…) }` and testify's `Equal`.

use std::ops::Range;

use tree_sitter::Node;

use crate::expectation::{
    AssertionForm, ExampleForms, ExpectationRules, LiteralKinds, SeenAssertion, ValueMatch, call_parts,
    claims,
};
use crate::syntax::source::{ParsedText, child_of_kind, named_children};

pub(super) const RULES: ExpectationRules = ExpectationRules {
    // What fails inside a function literal, such as a sub-test, fails the test.
    functions: &["function_declaration", "method_declaration"],
    assertion,
    imports_by_name: false,
    bindings: &[
        ("short_var_declaration", "left", "right"),
        ("var_spec", "name", "value"),
        ("const_spec", "name", "value"),
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
    fails: ("", "panic(0)"),
    entry: |source, function| {
        let parameters = function.child_by_field_name("parameters")?;
        let first = child_of_kind(parameters, &["parameter_declaration"])?;
        source.field(first, "name").map(|name| format!("{name}.FailNow();"))
    },
    // What is not there does not compile, and then the test did not run.
    example: Some(ExampleForms {
        gives: "if v := <call>; v != <value> { panic(1) }; ",
        raises: "",
        named: "",
    }),
    shown: output_of,
    either: ("(", "", ")"),
    ..ExpectationRules::NONE
};

/// What an example says that it prints: the text of the comment at its end.
fn output_of(source: &ParsedText<'_>, function: Node<'_>) -> Option<Range<usize>> {
    let _ = source.field(function, "name").filter(|name| name.starts_with("Example"))?;
    let body = function.child_by_field_name("body")?;
    let words = source.text(body).to_lowercase();
    let at = ["// output:", "// unordered output:"]
        .iter()
        .find_map(|word| words.rfind(word).map(|at| at + word.len()))?;
    Some(body.start_byte() + at..body.end_byte() - 1)
}

fn assertion<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    match node.kind() {
        "if_statement" => condition(source, node),
        "expression_switch_statement" => switch(source, node),
        "call_expression" => testify(source, node),
        _ => None,
    }
}

/// `if got != want`, `if !reflect.DeepEqual(got, want)`, `if diff := cmp.Diff(want, got); diff != ""`, with a block that fails
/// the test.
fn condition<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    let fails =
        |block: Option<String>| block.is_some_and(|block| FAILING.iter().any(|call| block.contains(call)));
    let holds = match (fails(source.field(node, "consequence")), fails(source.field(node, "alternative"))) {
        (true, false) => false,
        (false, true) => true,
        (true, true) | (false, false) => return None,
    };
    let condition = node.child_by_field_name("condition")?;
    let forms = match difference(source, node) {
        Some(form) => vec![form],
        None => [claims(source, condition, holds), is_error(source, condition, holds)].concat(),
    };
    let operator = condition.child_by_field_name("operator");
    match (condition.kind(), operator.map(|operator| (operator, source.text(operator)))) {
        ("binary_expression", Some((operator, sign))) if sign == "!=" || sign == "==" => {
            let opposite = if sign == "!=" { "==" } else { "!=" };
            Some(SeenAssertion { forms, denied: Some((operator, opposite)) })
        }
        ("unary_expression", Some((operator, sign))) if sign == "!" => {
            Some(SeenAssertion { forms, denied: Some((operator, " ")) })
        }
        // The values are used elsewhere in the condition, so that it cannot go: its first comparison is turned round.
        _ => {
            let first = forms.first().and_then(|form| match form {
                AssertionForm::Equal(left, right, _) => Some((left.parent()?, right.parent()?)),
                _ => None,
            });
            // `if IsOdd(2) { t.Error(…) }`
            let Some(first) = first else { return Some(SeenAssertion { forms, denied: None }) };
            let operator = first.0.child_by_field_name("operator").filter(|_| first.0 == first.1);
            let sign = operator.map(|operator| (operator, source.text(operator)));
            let denied = sign.and_then(|(operator, sign)| match sign.as_str() {
                "!=" => Some((operator, "==")),
                "==" => Some((operator, "!=")),
                _ => None,
            });
            Some(SeenAssertion { forms, denied })
        }
    }
}

/// Calls that fail a test or end the program.
const FAILING: [&str; 5] = [".Error", ".Fatal", ".Fail", "os.Exit(", "panic("];

/// `switch f(1) { case 3: default: t.Fatal() }`: the value of the only case that does not fail.
fn switch<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    let value = node.child_by_field_name("value")?;
    let cases: Vec<Node<'t>> =
        named_children(node).into_iter().filter(|case| case.kind().ends_with("_case")).collect();
    let fails = |case: &&Node<'t>| FAILING.iter().any(|call| source.text(**case).contains(call));
    let (bad, good): (Vec<&Node<'t>>, Vec<&Node<'t>>) = cases.iter().partition(fails);
    let ([good], true) = (good.as_slice(), bad.iter().any(|case| case.kind() == "default_case")) else {
        return None;
    };
    match named_children(good.child_by_field_name("value")?).as_slice() {
        [want] => {
            let form = AssertionForm::Equal(value, *want, ValueMatch::Exact);
            Some(SeenAssertion { forms: vec![form], denied: None })
        }
        _ => None,
    }
}

/// Stands around an error to give one that no other error is; that there is none stays as it is.
const OTHER_ERROR: (&str, &str) =
    ("func(e error) error { if e == nil { return e }; return new(struct{ error }) }(", ")");

/// The error that `errors.Is(err, want)` says another one is.
fn is_error<'t>(source: &ParsedText<'_>, node: Node<'t>, holds: bool) -> Vec<AssertionForm<'t>> {
    let inner = named_children(node);
    match (node.kind(), inner.as_slice()) {
        ("parenthesized_expression", [one]) => return is_error(source, *one, holds),
        ("unary_expression", [one]) if source.text(node).starts_with('!') => {
            return is_error(source, *one, !holds);
        }
        _ => {}
    }
    let Some(call) = call_parts(source, node).filter(|_| holds) else { return Vec::new() };
    match (call.name.as_str(), call.object.map(|object| source.text(object)).as_deref(), &*call.arguments) {
        ("Is", Some("errors"), [_, want]) => vec![AssertionForm::Never(*want, OTHER_ERROR)],
        _ => Vec::new(),
    }
}

/// The values of `cmp.Diff(want, got)` in the statement before a condition.
fn difference<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<AssertionForm<'t>> {
    let before = node.child_by_field_name("initializer")?;
    let list = before.child_by_field_name("right")?;
    let call = call_parts(source, *named_children(list).first()?)?;
    match call.arguments.as_slice() {
        [want, got] if call.name == "Diff" => Some(AssertionForm::Equal(*want, *got, ValueMatch::Exact)),
        _ => None,
    }
}

/// `assert.Equal(t, 3, f(1))`, and `is.Equal(3, f(1))` of an object that knows the test.
fn testify<'t>(source: &ParsedText<'_>, call: Node<'t>) -> Option<SeenAssertion<'t>> {
    let parts = call_parts(source, call)?;
    let package = source.text(parts.object?);
    let known = matches!(package.as_str(), "assert" | "require");
    if !known && call.parent().is_none_or(|parent| parent.kind() != "expression_statement") {
        return None;
    }
    let all = if known { parts.arguments.get(1..)? } else { parts.arguments.as_slice() };
    match (parts.name.as_str(), all) {
        ("Equal" | "EqualValues" | "Exactly" | "Len" | "EqualError" | "Equalf", [left, right, ..]) => {
            let form = AssertionForm::Equal(*left, *right, ValueMatch::Exact);
            Some(SeenAssertion { forms: vec![form], denied: None })
        }
        ("ErrorIs" | "ErrorIsf", [_, want, ..]) => {
            let form = AssertionForm::Never(*want, OTHER_ERROR);
            Some(SeenAssertion { forms: vec![form], denied: None })
        }
        ("Contains", [_, part, ..]) => {
            Some(SeenAssertion { forms: vec![AssertionForm::Part(*part)], denied: None })
        }
        ("True" | "False" | "Truef" | "Falsef", [condition, ..]) => {
            let forms = claims(source, *condition, parts.name.starts_with("True"));
            Some(SeenAssertion { forms, denied: None })
        }
        (
            "Greater" | "GreaterOrEqual" | "Less" | "LessOrEqual" | "Nil" | "NotNil" | "Empty" | "NotEmpty",
            _,
        ) if known => Some(SeenAssertion { forms: vec![AssertionForm::Other], denied: None }),
        _ => None,
    }
}
