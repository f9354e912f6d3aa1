//! What tests in PHP expect: PHPUnit's assertions and Pest's `expect(…)->toBe`.

use tree_sitter::Node;

use crate::expectation::{
    AssertionForm, ExampleForms, ExpectationRules, LiteralKinds, SeenAssertion, TextMatch, ValueMatch,
    claims, is_small,
};
use crate::syntax::source::{ParsedText, argument_values, named_children};

pub(super) const RULES: ExpectationRules = ExpectationRules {
    functions: &["method_declaration", "function_definition", "anonymous_function", "arrow_function"],
    assertion,
    bindings: &[("assignment_expression", "left", "right")],
    names: &["variable_name"],
    literals: LiteralKinds {
        integers: &["integer"],
        floats: &["float"],
        strings: &["string", "encapsed_string"],
        parts: &["string_content"],
        string_rest: &["escape_sequence"],
        words: &["boolean", "null"],
        containers: &["array_creation_expression", "parenthesized_expression"],
        wrapped: |_, node| match node.kind() {
            "unary_op_expression" => named_children(node).last().map(|value| vec![*value]),
            // The value stands behind its key.
            "array_element_initializer" => named_children(node).last().map(|value| vec![*value]),
            _ => None,
        },
        ..LiteralKinds::NONE
    },
    other_value: (
        "(function ($v) { return is_bool($v) ? !$v : (is_int($v) || is_float($v) ? ($v && $v == $v * 2 ? -$v : ($v > 0 ? $v * 2 + 3 : $v * 2 - 3)) : (is_string($v) ? $v . 'x' : (is_array($v) ? $v + ['-x-' => 0] : ($v === null ? 'x' : \\PHPUnit\\Framework\\Assert::fail())))); })(",
        ")",
    ),
    cases,
    rebinds: "; ",
    fails: ("throw new \\Error;", ""),
    switched: &["assert("],
    entry: |_, _| Some("throw new \\Error;".into()),
    unless_it_fails: |_, _, node| {
        let frame = |others: &str| {
            format!(
                "\n}} catch (\\PHPUnit\\Framework\\AssertionFailedError $e) {{ $bites = 1; }}{others} if (!$bites) {{ return; }}"
            )
        };
        let others = frame(" catch (\\Throwable $e) { }");
        (node.kind() == "expression_statement").then(|| ("$bites = 0; try {\n".into(), others, frame("")))
    },
    example: Some(ExampleForms {
        gives: "if ((<call>) != (<value>)) { throw new \\Error; } ",
        raises: "",
        named: "new \\ReflectionFunction('<name>'); ",
    }),
    either: ("([1] ? ", " : ", ")"),
    ..ExpectationRules::NONE
};

fn assertion<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    if node.kind() == "if_statement" {
        return branch(source, node);
    }
    if node.kind() != "expression_statement" {
        return None;
    }
    let call = *named_children(node).first()?;
    if source.field(call, "function").as_deref() == Some("assert") {
        let condition = *argument_values(call).first()?;
        return Some(SeenAssertion {
            forms: claims(source, condition, true),
            denied: Some((condition, "false")),
        });
    }
    if !matches!(call.kind(), "member_call_expression" | "scoped_call_expression") {
        return None;
    }
    let name = source.field(call, "name")?;
    let all = argument_values(call);
    let form = match (name.as_str(), all.as_slice()) {
        (
            "assertSame" | "assertEquals" | "assertCount" | "assertEqualsCanonicalizing",
            [left, right] | [left, right, _],
        ) => AssertionForm::Equal(*left, *right, ValueMatch::Exact),
        // A method of the value compares: `equals`, where no other one is named.
        ("assertObjectEquals", [left, right, ..]) => AssertionForm::Equal(*left, *right, ValueMatch::Own),
        ("assertEqualsWithDelta", [left, right, tolerance, ..]) if is_small(source, *tolerance) => {
            AssertionForm::Equal(*left, *right, ValueMatch::Near)
        }
        ("assertTrue" | "assertFalse", [condition, ..]) => {
            let forms = claims(source, *condition, name == "assertTrue");
            return Some(SeenAssertion { forms, denied: Some((node, "throw new \\Error;")) });
        }
        (
            "assertContains"
            | "assertStringContainsString"
            | "assertStringStartsWith"
            | "assertStringEndsWith"
            | "assertArrayHasKey",
            [part, _, ..],
        ) => AssertionForm::Part(*part),
        ("assertThat", [actual, matcher, ..])
            if matches!(source.field(*matcher, "name").as_deref(), Some("equalTo" | "identicalTo")) =>
        {
            match argument_values(*matcher).as_slice() {
                [value] => AssertionForm::Equal(*actual, *value, ValueMatch::Exact),
                _ => AssertionForm::Other,
            }
        }
        ("expectExceptionMessage", [text]) => {
            let form = AssertionForm::Says(*text, TextMatch::Part);
            return Some(SeenAssertion { forms: vec![form], denied: None });
        }
        ("toBe" | "toEqual", [value]) => {
            let expect = call.child_by_field_name("object")?;
            let known = source.field(expect, "function").as_deref() == Some("expect");
            let actual = argument_values(expect).first().copied().filter(|_| known)?;
            AssertionForm::Equal(actual, *value, ValueMatch::Exact)
        }
        (name, _) if name.starts_with("assert") => AssertionForm::Other,
        _ => return None,
    };
    Some(SeenAssertion { forms: vec![form], denied: Some((node, "throw new \\Error;")) })
}

/// `if (f(1) !== 3) { throw …; }`
fn branch<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    let block = source.field(node, "body")?;
    if !["throw ", "fail(", "exit(1"].iter().any(|word| block.contains(word)) {
        return None;
    }
    let condition = node.child_by_field_name("condition")?;
    let forms = claims(source, condition, false);
    (!forms.is_empty()).then_some(SeenAssertion { forms, denied: Some((condition, "(true)")) })
}

/// The values of a parameter in the rows that `@dataProvider rows` or `#[DataProvider('rows')]` names, if no other test has them.
fn cases<'t>(source: &ParsedText<'_>, item: Node<'t>, name: &str) -> Vec<Node<'t>> {
    provided(source, item, name).unwrap_or_default()
}

fn provided<'t>(source: &ParsedText<'_>, item: Node<'t>, name: &str) -> Option<Vec<Node<'t>>> {
    let parameters = named_children(item.child_by_field_name("parameters")?);
    let at = parameters.iter().position(|one| source.field(*one, "name").as_deref() == Some(name))?;
    let before = item.prev_named_sibling().filter(|node| node.kind() == "comment");
    let comment = before.map(|node| source.text(node)).unwrap_or_default();
    let by_comment = comment.split("@dataProvider ").nth(1).map(str::to_owned);
    let by_attribute = || {
        let attributes = source.field(item, "attributes")?;
        attributes.split("DataProvider(").nth(1).map(|rest| rest.trim_start_matches(['\'', '"']).to_owned())
    };
    let word = by_comment.or_else(by_attribute)?;
    let provider: String = word.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let text = String::from_utf8_lossy(source.bytes);
    if provider.is_empty() || text.matches(provider.as_str()).count() != 2 {
        return None;
    }
    let mut methods = named_children(item.parent()?).into_iter();
    let method = methods.find(|node| source.field(*node, "name").as_deref() == Some(provider.as_str()))?;
    let [statement] = named_children(method.child_by_field_name("body")?)[..] else { return None };
    let table =
        named_children(statement).first().copied().filter(|_| statement.kind() == "return_statement")?;
    if table.kind() != "array_creation_expression" {
        return None;
    }
    let inner = |element: Node<'t>| named_children(element).last().copied();
    named_children(table).into_iter().map(|row| inner(*named_children(inner(row)?).get(at)?)).collect()
}
