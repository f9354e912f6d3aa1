//! What tests in C and C++ expect: `assert`, GoogleTest, Catch2, and programs that return an error.

use tree_sitter::Node;

use crate::expectation::{AssertionForm, ExpectationRules, LiteralKinds, SeenAssertion, ValueMatch, claims};
use crate::syntax::source::{ParsedText, named_children};

pub(super) const RULES: ExpectationRules = ExpectationRules {
    prepare: super::macro_text::lay_open,
    functions: &["function_definition", "lambda_expression"],
    main: Some("main"),
    // The bodies of tests give nothing back.
    entry: |source, function| {
        let declarator =
            source.field(function, "declarator").filter(|_| function.kind() == "function_definition")?;
        declarator.starts_with("main").then(|| "return 1;".into())
    },
    assertion,
    imports_by_name: false,
    bindings: &[("init_declarator", "declarator", "value"), ("assignment_expression", "left", "right")],
    literals: LiteralKinds {
        integers: &["number_literal"],
        strings: &["string_literal"],
        parts: &["string_content"],
        string_rest: &["escape_sequence"],
        words: &["true", "false", "null"],
        containers: &["initializer_list", "parenthesized_expression"],
        wrapped,
        ..LiteralKinds::NONE
    },
    has_variants: true,
    fails: ("", "__builtin_trap()"),
    either: ("(1 ? ", " : ", ")"),
    ..ExpectationRules::NONE
};

/// Types of the standard library whose values are all that they are made of, and what makes such values.
const STANDARD: [&str; 8] =
    ["string", "string_view", "optional", "pair", "tuple", "make_pair", "make_tuple", "make_optional"];

/// The values inside `-3`, `std::vector<int>{1, 2}`, `std::string("a")`, `"a"s`.
fn wrapped<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<Vec<Node<'t>>> {
    let standard = |field: &str| source.field(node, field)?.strip_prefix("std::").map(str::to_owned);
    match node.kind() {
        "unary_expression" => node.child_by_field_name("argument").map(|value| vec![value]),
        "user_defined_literal" => named_children(node).first().map(|value| vec![*value]),
        "compound_literal_expression" => {
            standard("type")?;
            node.child_by_field_name("value").map(|value| vec![value])
        }
        "call_expression" => {
            let called = standard("function")?;
            let (name, _) = called.split_once('<').unwrap_or((&called, ""));
            let values = named_children(node.child_by_field_name("arguments")?);
            // `std::string("abc", 2)` is a part of the text.
            let whole = values.len() == 1 || matches!(name, "pair" | "tuple" | "make_pair" | "make_tuple");
            (whole && STANDARD.contains(&name)).then_some(values)
        }
        _ => None,
    }
}

fn assertion<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    match node.kind() {
        "call_expression" => call(source, node),
        "if_statement" => branch(source, node),
        _ => None,
    }
}

fn call<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    let name = source.field(node, "function")?;
    let all = node.child_by_field_name("arguments").map(named_children).unwrap_or_default();
    match (name.as_str(), all.as_slice()) {
        (
            "EXPECT_EQ" | "ASSERT_EQ" | "EXPECT_STREQ" | "ASSERT_STREQ" | "EXPECT_DOUBLE_EQ"
            | "ASSERT_DOUBLE_EQ" | "EXPECT_FLOAT_EQ" | "ASSERT_FLOAT_EQ",
            [left, right],
        ) => {
            let form = AssertionForm::Equal(*left, *right, ValueMatch::Exact);
            Some(SeenAssertion { forms: vec![form], denied: Some((node, "FAIL()")) })
        }
        (
            "TEST_ASSERT_EQUAL"
            | "TEST_ASSERT_EQUAL_INT"
            | "TEST_ASSERT_EQUAL_STRING"
            | "ck_assert_int_eq"
            | "ck_assert_str_eq"
            | "assert_int_equal"
            | "assert_string_equal",
            [left, right],
        ) => {
            let form = AssertionForm::Equal(*left, *right, ValueMatch::Exact);
            Some(SeenAssertion { forms: vec![form], denied: None })
        }
        ("assert" | "REQUIRE" | "CHECK" | "EXPECT_TRUE" | "ASSERT_TRUE", [condition]) => {
            let forms = claims(source, *condition, true);
            Some(SeenAssertion { forms, denied: Some((*condition, "0")) })
        }
        ("EXPECT_FALSE" | "ASSERT_FALSE" | "REQUIRE_FALSE" | "CHECK_FALSE", [condition]) => {
            let forms = claims(source, *condition, false);
            Some(SeenAssertion { forms, denied: Some((*condition, "1")) })
        }
        (
            "EXPECT_NE" | "EXPECT_GT" | "EXPECT_GE" | "EXPECT_LT" | "EXPECT_LE" | "ASSERT_NE" | "ASSERT_GT"
            | "ASSERT_GE" | "ASSERT_LT" | "ASSERT_LE",
            [_, _],
        ) => Some(SeenAssertion { forms: vec![AssertionForm::Other], denied: Some((node, "FAIL()")) }),
        _ => None,
    }
}

/// `if (f(1) != 3) return 1;`, `if (strcmp(f(), "a") != 0) abort();`
fn branch<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    let block = source.field(node, "consequence")?;
    let returned = block.split("return").nth(1).is_some_and(|rest| !rest.trim_start().starts_with("0;"));
    if !returned
        && !block.contains("exit(")
        && !block.contains("abort(")
        && !block.contains("fail")
        && !block.contains("++")
    {
        return None;
    }
    let condition = node.child_by_field_name("condition")?;
    let inner = named_children(condition).first().copied().unwrap_or(condition);
    let mut forms = claims(source, inner, false);
    // `if (!ok) abort();`
    if let Some(name) = inner.child_by_field_name("argument")
        && name.kind() == "identifier"
        && source.text(inner).starts_with('!')
    {
        forms = vec![AssertionForm::Holds(name)];
    }
    (!forms.is_empty()).then_some(SeenAssertion { forms, denied: Some((inner, "1")) })
}
