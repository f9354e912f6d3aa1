//! What tests in Ruby expect: minitest's assertions and RSpec's `expect(…).to eq`.

use tree_sitter::Node;

use crate::expectation::{
    AssertionForm, ExampleForms, ExpectationRules, LiteralKinds, RowPart, RowsAround, SeenAssertion,
    TextMatch, ValueMatch, call_parts, claims, ends_line, equalities, indent_of, is_small,
};
use crate::syntax::source::{ParsedText, call_arguments, named_children};

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
        "->(v) { case v when true, false then !v when Integer, Float then (v != 0 && v == v * 2 ? -v : v > 0 ? v * 2 + 3 : v * 2 - 3) when String then v + 'x' when Symbol then :\"#{v}x\" when Array then v + [0] when Hash then v.merge('-x-' => 0) when nil then 0 else raise Class.new(StandardError) { def self.name; 'Assert'; end } end }.call(",
        ")",
    ),
    fails: ("", "fail"),
    entry: |_, _| Some("fail;".into()),
    unless_it_fails: |source, function, node| {
        indent_of(source, node).filter(|_| node.kind() == "call" && ends_line(source, node, "#"))?;
        let leave = if function.kind() == "method" { "return" } else { "next" };
        let fails = "e.class.name.to_s =~ /Assert|Expect/";
        let frame =
            |others: &str| format!("\nrescue Exception => e\n{others} unless {fails}\nelse\n{leave}\nend");
        Some(("begin\n".into(), frame(leave), frame("raise")))
    },
    example: Some(ExampleForms {
        gives: "raise unless (<call>) == (<value>); ",
        raises: "raise unless (begin; <call>; false; rescue StandardError; true; end); ",
        named: "[method(:<name>), [<arguments>], <value>]; ",
    }),
    either: ("([1] ? ", " : ", ")"),
    ..ExpectationRules::NONE
};

fn assertion<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    if matches!(node.kind(), "if" | "unless" | "if_modifier" | "unless_modifier") {
        return branch(source, node);
    }
    // `x.should == 3`
    if node.kind() == "binary"
        && let Some(left) = node.child_by_field_name("left")
        && source.field(left, "method").as_deref() == Some("should")
        && source.field(node, "operator").as_deref() == Some("==")
    {
        let actual = left.child_by_field_name("receiver")?;
        let form = AssertionForm::Equal(actual, node.child_by_field_name("right")?, ValueMatch::Exact);
        return Some(SeenAssertion { forms: vec![form], denied: Some((node, "fail")) });
    }
    if node.kind() != "call" {
        return None;
    }
    let name = source.field(node, "method")?;
    let all = call_arguments(node);
    let form = match (name.as_str(), all.as_slice()) {
        ("assert_equal" | "assert_same", [left, right] | [left, right, _]) => {
            AssertionForm::Equal(*left, *right, ValueMatch::Exact)
        }
        ("assert_in_delta" | "assert_in_epsilon", [left, right, rest @ ..])
            if rest.first().is_none_or(|tolerance| is_small(source, *tolerance)) =>
        {
            AssertionForm::Equal(*left, *right, ValueMatch::Near)
        }
        ("assert_operator", [left, operator, right, ..])
            if matches!(source.text(*operator).as_str(), ":==" | ":===" | ":eql?" | ":equal?") =>
        {
            AssertionForm::Equal(*left, *right, ValueMatch::Exact)
        }
        ("assert" | "refute", [condition, ..]) => {
            let forms = claims(source, *condition, name == "assert");
            return Some(SeenAssertion { forms, denied: Some((node, "fail")) });
        }
        ("assert_includes", [_, part, ..]) | ("assert_match", [part, _, ..]) => AssertionForm::Part(*part),
        ("must_equal", [value]) => {
            let actual = node.child_by_field_name("receiver")?;
            AssertionForm::Equal(actual, *value, ValueMatch::Exact)
        }
        ("to", [matcher]) => {
            if let Some(forms) = stated(source, node, *matcher) {
                return Some(SeenAssertion { forms, denied: Some((node, "fail")) });
            }
            matched(source, node, *matcher)?
        }
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

/// `raise "wrong" unless f(1) == 3`.
fn branch<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    let fails = |block: Option<String>| {
        let words = ["raise", "flunk", "fail", "abort", "exit(1)", "exit 1"];
        block.is_some_and(|block| {
            words
                .iter()
                .any(|word| block.trim_start().starts_with(word) || block.contains(&format!("\n{word}")))
        })
    };
    let inverted = node.kind().starts_with("unless");
    let modified = node.kind().ends_with("_modifier");
    let block = source.field(node, if modified { "body" } else { "consequence" });
    let block = block.map(|block| block.trim_start_matches("then").to_owned());
    let condition = node.child_by_field_name("condition").filter(|_| fails(block))?;
    let forms = claims(source, condition, inverted);
    let text = if inverted { "false" } else { "true" };
    (!forms.is_empty()).then_some(SeenAssertion { forms, denied: Some((condition, text)) })
}

/// `expect(a == b).to be true`.
fn stated<'t>(source: &ParsedText<'_>, call: Node<'t>, matcher: Node<'t>) -> Option<Vec<AssertionForm<'t>>> {
    let words = source.text(matcher);
    let holds = match words.replace(['(', ')'], " ").split_whitespace().collect::<Vec<_>>().as_slice() {
        ["be" | "eq" | "eql", "true"] | ["be_truthy"] => true,
        ["be" | "eq" | "eql", "false"] | ["be_falsey" | "be_falsy"] => false,
        _ => return None,
    };
    let expect = call_parts(source, call.child_by_field_name("receiver")?)?;
    let condition = expect.arguments.first().filter(|_| expect.name == "expect")?;
    let forms = equalities(source, *condition, holds);
    (!forms.is_empty()).then_some(forms)
}

/// `expect(x).to eq(3)`, `expect { … }.to raise_error("…")`.
fn matched<'t>(source: &ParsedText<'_>, call: Node<'t>, matcher: Node<'t>) -> Option<AssertionForm<'t>> {
    let expect = call.child_by_field_name("receiver")?;
    let subject = source.text(expect) == "is_expected";
    if !subject && source.field(expect, "method").as_deref() != Some("expect") {
        return None;
    }
    // `be > 3`
    if matcher.kind() == "binary"
        && source.field(matcher, "left").as_deref() == Some("be")
        && source.field(matcher, "operator").is_some_and(|sign| sign.starts_with(['<', '>']))
    {
        return Some(AssertionForm::Holds(matcher));
    }
    let inner = call_arguments(matcher);
    let name = source.field(matcher, "method").unwrap_or_default();
    // `be == 3`
    if matcher.kind() == "binary"
        && source.field(matcher, "left").as_deref() == Some("be")
        && source.field(matcher, "operator").as_deref() == Some("==")
    {
        return matcher.child_by_field_name("right").map(AssertionForm::Is);
    }
    // `be_within(0.01).of(3.5)`
    if let ("of", [value], Some(within)) =
        (name.as_str(), inner.as_slice(), matcher.child_by_field_name("receiver"))
        && source.field(within, "method").as_deref() == Some("be_within")
        && call_arguments(within).first().is_some_and(|tolerance| is_small(source, *tolerance))
        && let Some(actual) = call_arguments(expect).first()
    {
        return Some(AssertionForm::Equal(*actual, *value, ValueMatch::Near));
    }
    if let ("eq" | "eql" | "be", [value], true) = (name.as_str(), inner.as_slice(), subject) {
        return Some(AssertionForm::Is(*value));
    }
    Some(match (name.as_str(), call_arguments(expect).first(), inner.as_slice()) {
        ("eq" | "eql" | "be" | "equal" | "match_array", Some(actual), [value]) => {
            AssertionForm::Equal(*actual, *value, ValueMatch::Exact)
        }
        ("include", Some(_), [pair]) if pair.kind() == "pair" => {
            pair.child_by_field_name("value").map_or(AssertionForm::Other, AssertionForm::Is)
        }
        ("include" | "start_with" | "end_with" | "match" | "have_key", Some(_), [part]) => {
            AssertionForm::Part(*part)
        }
        ("be_between", Some(_), [low, high]) => AssertionForm::Between(*low, *high),
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
    if !matches!(source.field(call, "method").as_deref(), Some("each" | "all?")) {
        return None;
    }
    let parameters = named_children(node.child_by_field_name("parameters")?);
    let at = parameters.iter().position(|parameter| source.text(*parameter) == name)?;
    let list = call.child_by_field_name("receiver")?;
    let is_hash = list.kind() == "hash";
    let part = if is_hash || parameters.len() > 1 { RowPart::At(at) } else { RowPart::Whole };
    Some((list, part))
}
