//! What tests in Ruby expect: minitest's assertions and RSpec's `expect(…).to eq`.

use tree_sitter::Node;

use crate::expectation::{
    AssertionForm, ExpectationRules, LiteralKinds, RowsAround, SeenAssertion, TextMatch, ValueMatch,
};
use crate::syntax::source::{ParsedText, named_children};

pub(super) const RULES: ExpectationRules = ExpectationRules {
    functions: &["method", "do_block", "block", "lambda"],
    assertion,
    leaving: &["return", "next"],
    bindings: &[("assignment", "left", "right")],
    literals: LiteralKinds {
        integers: &["integer"],
        floats: &["float"],
        strings: &["string"],
        parts: &["string_content"],
        string_rest: &["escape_sequence"],
        words: &["true", "false", "nil", "simple_symbol", "hash_key_symbol"],
        containers: &["array", "hash", "parenthesized_statements"],
        pairs: &[("pair", "value")],
        wrapped: |_, node| {
            let sign = (node.kind() == "unary").then(|| node.child_by_field_name("operand"));
            sign.flatten().map(|value| vec![value])
        },
    },
    around,
    other_value: (
        "->(v) { case v when true, false then !v when Integer, Float then (v != 0 && v == v * 2 ? -v : v > 0 ? v * 2 + 3 : v * 2 - 3) when String then v + 'x' when Symbol then :\"#{v}x\" when Array then v + [0] when Hash then v.merge('-x-' => 0) when nil then 0 else raise end }.call(",
        ")",
    ),
    entry: |_, _| Some("fail;".into()),
    ..ExpectationRules::NONE
};

fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    call.child_by_field_name("arguments").map(named_children).unwrap_or_default()
}

fn assertion<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    if node.kind() != "call" {
        return None;
    }
    let name = source.field(node, "method")?;
    let all = arguments(node);
    let form = match (name.as_str(), all.as_slice()) {
        ("assert_equal" | "assert_same", [left, right] | [left, right, _]) => {
            AssertionForm::Equal(*left, *right, ValueMatch::Exact)
        }
        ("assert_in_delta", [left, right]) => AssertionForm::Equal(*left, *right, ValueMatch::Near),
        ("must_equal", [value]) => {
            let actual = node.child_by_field_name("receiver")?;
            AssertionForm::Equal(actual, *value, ValueMatch::Exact)
        }
        ("to", [matcher]) => matched(source, node, *matcher)?,
        ("not_to" | "to_not", _) => AssertionForm::Other,
        (name, _) if name.starts_with("assert_") || name.starts_with("refute_") || name == "assert" => {
            // An assertion with a block stands around code that must raise.
            if node.child_by_field_name("block").is_some() {
                return None;
            }
            AssertionForm::Other
        }
        _ => return None,
    };
    Some(SeenAssertion { forms: vec![form], denied: Some((node, "fail")) })
}

/// `expect(x).to eq(3)`, `expect { … }.to raise_error("…")`.
fn matched<'t>(source: &ParsedText<'_>, call: Node<'t>, matcher: Node<'t>) -> Option<AssertionForm<'t>> {
    let expect = call.child_by_field_name("receiver")?;
    if source.field(expect, "method").as_deref() != Some("expect") {
        return None;
    }
    let inner = arguments(matcher);
    let name = source.field(matcher, "method").unwrap_or_default();
    Some(match (name.as_str(), arguments(expect).first(), inner.as_slice()) {
        ("eq" | "eql", Some(actual), [value]) => AssertionForm::Equal(*actual, *value, ValueMatch::Exact),
        ("raise_error", _, [text] | [_, text]) if text.kind() == "string" => {
            AssertionForm::Says(*text, TextMatch::Part)
        }
        ("raise_error", _, [class]) if class.kind() == "constant" => {
            AssertionForm::Throws(*class, "EOFError")
        }
        _ => AssertionForm::Other,
    })
}

/// `[[1, 2], …].each do |a, b| … end` around tests.
fn around<'t>(source: &ParsedText<'_>, node: Node<'t>, name: &str) -> RowsAround<'t> {
    let call = node.parent().filter(|_| matches!(node.kind(), "do_block" | "block"))?;
    if source.field(call, "method").as_deref() != Some("each") {
        return None;
    }
    let parameters = named_children(node.child_by_field_name("parameters")?);
    let at = parameters.iter().position(|parameter| source.text(*parameter) == name)?;
    let list = call.child_by_field_name("receiver")?;
    let is_hash = list.kind() == "hash";
    Some((list, (is_hash || parameters.len() > 1).then_some(at)))
}
