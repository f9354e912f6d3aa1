//! What tests in JavaScript and TypeScript expect: `node:assert`, `expect` of jest, vitest and chai, and the assertions
//! of tap, tape, ava and uvu.

use tree_sitter::Node;

use crate::expectation::{
    AssertionForm, ExpectationRules, LiteralKinds, RowsAround, SeenAssertion, TextMatch, ValueMatch,
    own_table,
};
use crate::syntax::source::{ParsedText, named_children};

pub(super) const RULES: ExpectationRules = ExpectationRules {
    functions: &[
        "arrow_function",
        "function_expression",
        "function",
        "function_declaration",
        "method_definition",
    ],
    assertion,
    leaving: &["return_statement", "throw_statement"],
    bindings: &[("variable_declarator", "name", "value"), ("assignment_expression", "left", "right")],
    loops: &[("for_in_statement", "left", "right")],
    cases,
    literals: LiteralKinds {
        integers: &["number"],
        strings: &["string", "template_string"],
        parts: &["string_fragment"],
        string_rest: &["escape_sequence"],
        words: &["true", "false", "null", "undefined"],
        containers: &["array", "object", "parenthesized_expression"],
        pairs: &[("pair", "value")],
        wrapped: |source, node| match node.kind() {
            "unary_expression" => node.child_by_field_name("argument").map(|inner| vec![inner]),
            "new_expression"
                if matches!(source.field(node, "constructor").as_deref(), Some("Set" | "Map")) =>
            {
                node.child_by_field_name("arguments").map(named_children)
            }
            _ => None,
        },
        ..LiteralKinds::NONE
    },
    around,
    other_value: (
        "((v)=>{const t=typeof v;if(t==='boolean')return !v;if(t==='number')return v!==v?0:v&&v===v*2?-v:v>0?v*2+3:v*2-3;if(t==='bigint')return v+3n;if(t==='string')return v+'x';if(v===null||v===undefined)return 0;if(Array.isArray(v))return [...v,0];const p=Object.getPrototypeOf(v);if(t==='object'&&(p===null||p===Object.prototype))return {...v,'-x-':0};throw 1})(",
        ")",
    ),
    // Old versions of tape take a thrown `0` for no error.
    entry: |_, _| Some("throw 1;".into()),
    ..ExpectationRules::NONE
};

/// An expression statement, or the expression that is the whole body of a function.
fn assertion<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    let own = |parent: Node<'_>| matches!(parent.kind(), "arrow_function" | "return_statement");
    let (mut inner, is_statement) = match node.kind() {
        "expression_statement" => (*named_children(node).first()?, true),
        "call_expression" | "await_expression" if node.parent().is_some_and(own) => (node, false),
        _ => return None,
    };
    let awaited = inner.kind() == "await_expression";
    if awaited {
        inner = *named_children(inner).first()?;
    }
    if inner.kind() != "call_expression" {
        return None;
    }
    let words = chain(source, inner);
    // A promise that is not waited for ends after the test.
    let later = words.iter().any(|word| matches!(word.as_str(), "resolves" | "rejects"));
    if later && !awaited && is_statement {
        return None;
    }
    let form = form(source, inner, &words)?;
    let failure = if is_statement { "throw 1;" } else { "(()=>{throw 1})()" };
    Some(SeenAssertion { forms: vec![form], denied: Some((node, failure)) })
}

/// The names of a chain of calls: `expect(x).not.toBe(3)` gives `expect`, `not`, `toBe`.
fn chain(source: &ParsedText<'_>, call: Node<'_>) -> Vec<String> {
    let mut words = Vec::new();
    let mut node = call;
    loop {
        match node.kind() {
            "call_expression" => match node.child_by_field_name("function") {
                Some(function) => node = function,
                None => break,
            },
            "member_expression" => {
                words.extend(source.field(node, "property"));
                match node.child_by_field_name("object") {
                    Some(object) => node = object,
                    None => break,
                }
            }
            "identifier" => {
                words.push(source.text(node));
                break;
            }
            _ => {
                words.push(String::new());
                break;
            }
        }
    }
    words.reverse();
    words
}

fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    let list = call.child_by_field_name("arguments").map(named_children).unwrap_or_default();
    list.into_iter().filter(|argument| argument.kind() != "comment").collect()
}

fn form<'t>(source: &ParsedText<'_>, call: Node<'t>, words: &[String]) -> Option<AssertionForm<'t>> {
    let first = words.first()?.as_str();
    let last = words.last()?.as_str();
    let all = arguments(call);
    if first == "expect" || words.iter().any(|word| word == "should") {
        return Some(expectation(source, call, words, &all));
    }
    let asserts = matches!(first, "assert" | "t" | "tap" | "is" | "expect")
        || matches!(first, "strictEqual" | "deepStrictEqual" | "deepEqual" | "equal");
    if !asserts || words.len() > 3 {
        return None;
    }
    let equal = matches!(
        last,
        "equal"
            | "strictEqual"
            | "deepEqual"
            | "deepStrictEqual"
            | "is"
            | "same"
            | "strictSame"
            | "equals"
            | "eq"
    );
    match (equal, last, all.as_slice()) {
        (true, _, [left, right] | [left, right, _]) => {
            Some(AssertionForm::Equal(*left, *right, ValueMatch::Exact))
        }
        (_, "throws" | "rejects", [_, thrown, ..]) => Some(thrown_by(source, *thrown)),
        // Sub-tests and plans of tap and `node:test` are no assertions.
        (
            _,
            "test" | "plan" | "end" | "teardown" | "before" | "after" | "mock" | "context" | "diagnostic",
            _,
        ) => None,
        _ if first == "assert" || equal => Some(AssertionForm::Other),
        _ if ["ok", "true", "truthy", "falsy", "not", "notEqual", "notOk", "match", "assert"]
            .contains(&last) =>
        {
            Some(AssertionForm::Other)
        }
        _ => None,
    }
}

/// `expect(x).toBe(3)`, `expect(x).to.equal(3)`.
fn expectation<'t>(
    source: &ParsedText<'_>,
    call: Node<'t>,
    words: &[String],
    all: &[Node<'t>],
) -> AssertionForm<'t> {
    if words.iter().any(|word| matches!(word.as_str(), "not" | "any" | "above" | "below")) {
        return AssertionForm::Other;
    }
    let Some(actual) = actual_of(source, call) else { return AssertionForm::Other };
    let last = words.last().map_or("", String::as_str);
    match (last, all) {
        (
            "toBe" | "toEqual" | "toStrictEqual" | "toMatchObject" | "equal" | "equals" | "eq" | "eql"
            | "eqls" | "toHaveLength" | "lengthOf",
            [expected],
        ) => AssertionForm::Equal(actual, *expected, ValueMatch::Exact),
        ("toBeCloseTo", [expected] | [expected, _]) => {
            AssertionForm::Equal(actual, *expected, ValueMatch::Near)
        }
        ("toMatchInlineSnapshot", [expected]) => AssertionForm::Is(*expected),
        ("toThrow" | "toThrowError" | "throw" | "throws", [thrown]) => thrown_by(source, *thrown),
        _ => AssertionForm::Other,
    }
}

/// The argument of `expect`, or what stands in front of `.should`.
fn actual_of<'t>(source: &ParsedText<'_>, call: Node<'t>) -> Option<Node<'t>> {
    let mut node = call;
    loop {
        let next = node.child_by_field_name("function").or_else(|| node.child_by_field_name("object"))?;
        if next.kind() == "identifier" && source.text(next) == "expect" {
            return arguments(node).first().copied();
        }
        if source.field(node, "property").as_deref() == Some("should") {
            return Some(next);
        }
        node = next;
    }
}

fn thrown_by<'t>(source: &ParsedText<'_>, thrown: Node<'t>) -> AssertionForm<'t> {
    match thrown.kind() {
        "string" => AssertionForm::Says(thrown, TextMatch::Part),
        "identifier" if source.text(thrown) != "Error" => AssertionForm::Throws(thrown, "EvalError"),
        "object" => {
            let message = named_children(thrown)
                .into_iter()
                .find(|pair| source.field(*pair, "key").as_deref() == Some("message"));
            let text = message.and_then(|pair| pair.child_by_field_name("value"));
            text.filter(|text| text.kind() == "string").map_or(AssertionForm::Other, AssertionForm::Is)
        }
        _ => AssertionForm::Other,
    }
}

/// The values of a parameter in `test.each([[1, 2], …])('…', (a, b) => …)`.
fn cases<'t>(source: &ParsedText<'_>, item: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let found = || -> Option<Vec<Node<'t>>> {
        let each = item.child_by_field_name("function").filter(|call| call.kind() == "call_expression")?;
        if chain(source, each).last().map(String::as_str) != Some("each") {
            return None;
        }
        let rows = *arguments(each).first()?;
        let rows = if rows.kind() == "identifier" { own_table(source, &RULES, rows)? } else { rows };
        if rows.kind() != "array" {
            return None;
        }
        let function = arguments(item).last().copied()?;
        let list = function.child_by_field_name("parameters").map(named_children).unwrap_or_default();
        let at = list.iter().position(|parameter| is_parameter(source, *parameter, name))?;
        let cell = |row: Node<'t>| match row.kind() {
            "array" => named_children(row).get(at).copied(),
            _ => (list.len() == 1).then_some(row),
        };
        Some(named_children(rows).into_iter().filter_map(cell).collect())
    };
    found().unwrap_or_default()
}

fn is_parameter(source: &ParsedText<'_>, parameter: Node<'_>, name: &str) -> bool {
    source.text(parameter).split([':', '=']).next().map(str::trim) == Some(name)
}

/// `[[1, 2], …].forEach(([a, b]) => …)` around tests.
fn around<'t>(source: &ParsedText<'_>, node: Node<'t>, name: &str) -> RowsAround<'t> {
    let parameters = node.child_by_field_name("parameters").map(named_children).unwrap_or_default();
    let first =
        *parameters.first().filter(|_| matches!(node.kind(), "arrow_function" | "function_expression"))?;
    let call = node.parent()?.parent()?;
    let callee =
        call.child_by_field_name("function").filter(|callee| callee.kind() == "member_expression")?;
    if !matches!(source.field(callee, "property").as_deref(), Some("forEach" | "map")) {
        return None;
    }
    let list = callee.child_by_field_name("object")?;
    // TypeScript wraps a parameter.
    let first = first.child_by_field_name("pattern").unwrap_or(first);
    match first.kind() {
        "array_pattern" => {
            let at = named_children(first).iter().position(|part| is_parameter(source, *part, name))?;
            Some((list, Some(at)))
        }
        _ => is_parameter(source, first, name).then_some((list, None)),
    }
}
