//! What tests in Rust expect: `assert_eq!`, `assert!(a == b)` and `#[should_panic(expected = "…")]`.

use std::borrow::Cow;

use tree_sitter::Node;

use crate::expectation::{
    AssertionForm, ExampleForms, ExpectationRules, LiteralKinds, RowPart, RowsAround, SeenAssertion,
    TextMatch, ValueMatch, claims,
};
use crate::syntax::source::{ParsedText, children, named_children};

pub(super) const RULES: ExpectationRules = ExpectationRules {
    prepare,
    functions: &["function_item", "closure_expression"],
    main: Some("main"),
    assertion,
    outside,
    leaving: &["return_expression", "try_expression"],
    bindings: &[
        ("let_declaration", "pattern", "value"),
        ("assignment_expression", "left", "right"),
        ("const_item", "name", "value"),
    ],
    loops: &[("for_expression", "pattern", "value")],
    literals: LiteralKinds {
        integers: &["integer_literal"],
        floats: &["float_literal"],
        strings: &["string_literal", "raw_string_literal", "char_literal"],
        parts: &["string_content"],
        string_rest: &["escape_sequence"],
        words: &["boolean_literal", "unit_expression"],
        containers: &["array_expression", "tuple_expression", "parenthesized_expression"],
        wrapped,
        ..LiteralKinds::NONE
    },
    cases,
    around,
    other_value: (OTHER, ").other() }"),
    has_variants: true,
    other_of_names: true,
    fails: ("", "panic!()"),
    entry: |_, _| Some("panic!();".into()),
    unless_it_fails,
    takes_values: true,
    // What is not there does not compile, and then the test did not run.
    example: Some(ExampleForms { gives: "assert_eq!(<call>, <value>); ", raises: "", named: "" }),
    either: ("(if true { ", " } else { ", " })"),
    made: super::made::made,
    ..ExpectationRules::NONE
};

/// A closure around an assertion, which the test leaves if it does not panic. What leaves the test itself has no place in a closure.
fn unless_it_fails(
    source: &ParsedText<'_>,
    function: Node<'_>,
    node: Node<'_>,
) -> Option<(String, String, String)> {
    let leave = match source.field(function, "return_type") {
        None => "return",
        Some(kind) if kind.contains("Result") => "return Ok(())",
        Some(_) => return None,
    };
    let text = source.text(node);
    if text.contains('?') || text.contains(".await") || node.kind() != "call_expression" {
        return None;
    }
    let before = "if ::std::panic::catch_unwind(::std::panic::AssertUnwindSafe(|| {\n".to_owned();
    let behind = format!("\n}})).is_ok() {{ {leave} }}");
    Some((before, behind.clone(), behind))
}

/// Another value of the same type. One of a type that is not known here is a failure when the test runs.
const OTHER: &str = "{ #[allow(warnings)] trait Otherwise: Sized { fn other(&self) -> Self { panic!() } } impl<T> Otherwise for T {} \
    #[allow(warnings)] trait Other { fn other(self) -> Self; } \
    macro_rules! numbers { ($($t:ty)*) => { $(impl Other for $t { fn other(self) -> Self { if self == 0 as $t { 7 as $t } else { 0 as $t } } })* } } \
    numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64); \
    impl Other for bool { fn other(self) -> Self { !self } } \
    impl Other for char { fn other(self) -> Self { if self == 'x' { 'y' } else { 'x' } } } \
    impl Other for String { fn other(self) -> Self { self + \"~\" } } \
    impl Other for &'static str { fn other(self) -> Self { if self == \"~\" { \"-\" } else { \"~\" } } } (";

/// Macros as plain calls, with every byte in its place: the grammar sees no expressions inside a macro.
fn prepare(bytes: &[u8]) -> Cow<'_, [u8]> {
    const CALLS: [&[u8]; 7] = [
        b"assert_eq!",
        b"assert_ne!",
        b"assert!",
        b"matches!",
        b"assert_snapshot!",
        b"assert_relative_eq!",
        b"assert_abs_diff_eq!",
    ];
    let mut text = bytes.to_vec();
    for macro_name in CALLS {
        for at in places(bytes, macro_name) {
            text[at + macro_name.len() - 1] = b' ';
        }
    }
    for at in places(bytes, b"vec![") {
        text[at..at + 4].fill(b' ');
    }
    // Inline snapshots of insta: `@"…"`.
    for at in places(bytes, b"@\"").into_iter().chain(places(bytes, b"@r")) {
        text[at] = b' ';
    }
    super::macro_text::lay_open(bytes, &mut text);
    Cow::Owned(text)
}

/// Where a word begins.
fn places(bytes: &[u8], word: &[u8]) -> Vec<usize> {
    let begins = |at: usize| at == 0 || !(bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
    let found = bytes.windows(word.len()).enumerate().filter(|(_, window)| *window == word);
    found.map(|(at, _)| at).filter(|at| begins(*at)).collect()
}

fn assertion<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    if node.kind() == "if_expression" {
        return branch(source, node);
    }
    if node.kind() == "macro_invocation" {
        let denied = Some((node, "panic!()"));
        let fails = super::macro_text::asserts(source, &source.field(node, "macro")?);
        return fails.then(|| SeenAssertion { forms: vec![AssertionForm::Other], denied });
    }
    if node.kind() != "call_expression" {
        return None;
    }
    let function = source.field(node, "function")?;
    let name = function.rsplit("::").next().unwrap_or(&function).trim();
    let all = node.child_by_field_name("arguments").map(named_children).unwrap_or_default();
    if let ("assert", [condition, ..]) = (name, all.as_slice()) {
        let forms = claims(source, *condition, true);
        return Some(SeenAssertion { forms, denied: Some((node, "panic!()")) });
    }
    let form = match (name, all.as_slice()) {
        ("assert_eq", [left, right, ..]) => AssertionForm::Equal(*left, *right, ValueMatch::Exact),
        ("assert_relative_eq" | "assert_abs_diff_eq", [left, right]) => {
            AssertionForm::Equal(*left, *right, ValueMatch::Near)
        }
        ("assert_snapshot", [_, snapshot]) => AssertionForm::Is(*snapshot),
        ("assert_ne", _) => AssertionForm::Other,
        _ => return None,
    };
    Some(SeenAssertion { forms: vec![form], denied: Some((node, "panic!()")) })
}

/// `if f(1) != 3 { panic!(…) }`, and with an `else` that fails.
fn branch<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    let fails = |block: Option<String>| {
        block.is_some_and(|block| ["panic!", "Err(", "unreachable!"].iter().any(|word| block.contains(word)))
    };
    let condition = node.child_by_field_name("condition")?;
    let (holds, text) =
        match (fails(source.field(node, "consequence")), fails(source.field(node, "alternative"))) {
            (true, false) => (false, "true"),
            (false, true) => (true, "false"),
            (true, true) | (false, false) => return None,
        };
    let forms = claims(source, condition, holds);
    (!forms.is_empty()).then_some(SeenAssertion { forms, denied: Some((condition, text)) })
}

/// `[(1, 2), …].iter().for_each(|(a, b)| …)`.
fn around<'t>(source: &ParsedText<'_>, node: Node<'t>, name: &str) -> RowsAround<'t> {
    let parameters =
        node.child_by_field_name("parameters").filter(|_| node.kind() == "closure_expression")?;
    let call = node.parent()?.parent().filter(|call| call.kind() == "call_expression")?;
    let callee = call.child_by_field_name("function")?;
    if !matches!(source.field(callee, "field").as_deref(), Some("for_each" | "all")) {
        return None;
    }
    let list = callee.child_by_field_name("value")?;
    let mut pattern = named_children(parameters).first().copied()?;
    while pattern.kind() == "reference_pattern" {
        pattern = *named_children(pattern).first()?;
    }
    if pattern.kind() == "tuple_pattern" {
        let at = named_children(pattern).iter().position(|part| source.text(*part) == name)?;
        return Some((list, RowPart::At(at)));
    }
    (source.text(pattern) == name).then_some((list, RowPart::Whole))
}

/// The values of a parameter in `#[case(1, 2)]` of rstest, where each is one literal.
fn cases<'t>(source: &ParsedText<'_>, item: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let parameters = item.child_by_field_name("parameters").map(named_children).unwrap_or_default();
    let is_case =
        |node: &Node<'_>| node.kind() == "attribute_item" && source.text(*node).starts_with("#[case");
    let mut at = None;
    for (cases, pair) in parameters.windows(2).filter(|pair| is_case(&pair[0])).enumerate() {
        if source.field(pair[1], "pattern").as_deref() == Some(name) {
            at = Some(cases);
        }
    }
    let Some(at) = at else { return Vec::new() };
    let mut out = Vec::new();
    let mut node = item.prev_named_sibling();
    while let Some(attribute) = node.filter(|node| node.kind() == "attribute_item") {
        out.extend(is_case(&attribute).then(|| case_value(source, attribute, at)).flatten());
        node = attribute.prev_named_sibling();
    }
    out
}

/// The value at a position of `#[case(…)]`, if it is one literal.
fn case_value<'t>(source: &ParsedText<'_>, attribute: Node<'t>, at: usize) -> Option<Node<'t>> {
    let inner = *named_children(attribute).first()?;
    let values = inner.child_by_field_name("arguments")?;
    let mut parts: Vec<Vec<Node<'t>>> = vec![Vec::new()];
    for token in children(values) {
        match source.text(token).as_str() {
            "(" | ")" if !token.is_named() => {}
            "," => parts.push(Vec::new()),
            _ => parts.last_mut()?.push(token),
        }
    }
    match parts.get(at)?.as_slice() {
        [one] if one.kind().ends_with("_literal") => Some(*one),
        _ => None,
    }
}

/// `Some(3)`, `&[1]`, `-3`, `"a".to_string()`, `String::from("a")`.
fn wrapped<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<Vec<Node<'t>>> {
    match node.kind() {
        "reference_expression" => node.child_by_field_name("value").map(|value| vec![value]),
        "unary_expression" => named_children(node).first().map(|value| vec![*value]),
        "call_expression" => {
            let function = node.child_by_field_name("function")?;
            let all = node.child_by_field_name("arguments").map(named_children).unwrap_or_default();
            let owned = ["to_string", "to_owned", "into", "to_vec", "as_bytes"];
            let method = source.field(function, "field").filter(|name| owned.contains(&name.as_str()));
            if method.is_some() && all.is_empty() {
                return function.child_by_field_name("value").map(|value| vec![value]);
            }
            let makers = ["Some", "Ok", "Err", "String::from", "Box::new", "Cow::Borrowed", "Vec::from"];
            makers.contains(&source.text(function).as_str()).then_some(all)
        }
        _ => None,
    }
}

/// The text of `#[should_panic(expected = "…")]` in front of a function.
fn outside<'t>(source: &ParsedText<'_>, item: Node<'t>) -> Vec<AssertionForm<'t>> {
    let mut out = Vec::new();
    let mut node = item.prev_named_sibling();
    while let Some(attribute) = node.filter(|node| matches!(node.kind(), "attribute_item" | "line_comment")) {
        if source.text(attribute).contains("should_panic") {
            let mut open = vec![attribute];
            while let Some(inner) = open.pop() {
                if inner.kind() == "string_literal" {
                    out.push(AssertionForm::Says(inner, TextMatch::Part));
                }
                open.extend(named_children(inner));
            }
        }
        node = attribute.prev_named_sibling();
    }
    out
}
