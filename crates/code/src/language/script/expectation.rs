//! What tests in JavaScript and TypeScript expect: `node:assert`, `expect` of jest, vitest and chai, and the assertions
//! of tap, tape, ava and uvu.

use tree_sitter::Node;

use super::syntax::inner_test;
use crate::expectation::{
    AssertionForm, ExampleForms, ExpectationRules, LiteralKinds, RowPart, RowsAround, SeenAssertion,
    TextMatch, ValueMatch, claims, equalities, own_table, template_column,
};
use crate::syntax::source::{ParsedText, call_arguments, named_children};

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
        "((v)=>{const t=typeof v;if(t==='boolean')return !v;if(t==='number')return v!==v?0:v&&v===v*2?-v:v>0?v*2+3:v*2-3;if(t==='bigint')return v+3n;if(t==='string')return v+'x';if(v===null||v===undefined)return 0;if(Array.isArray(v))return [...v,0];const p=Object.getPrototypeOf(v);if(t==='object'&&(p===null||p===Object.prototype))return {...v,'-x-':0};throw Error('Assertion')})(",
        ")",
    ),
    other_member: ("((a,b)=>{if(String(a)===String(b))throw Error('Assertion');return a})(", ", ", ")"),
    fails: ("throw 1;", "(()=>{throw 1})()"),
    unless_it_fails: |source, _, node| {
        let text = source.text(node);
        // Others note a failure and go on.
        let throws = ["expect(", "await expect(", "assert"].iter().any(|word| text.starts_with(word));
        let statement = node.kind() == "expression_statement";
        let block = node.parent().is_some_and(|parent| parent.kind() == "statement_block");
        let frame = |others: &str| {
            format!(
                "\n}} catch (e) {{ bites = /Assertion|ssert|expect/.test(e && `${{e.name}} ${{e.code}} ${{e.message}}`);{others} }} if (!bites) return; }}"
            )
        };
        let strict = frame(" if (!bites) throw e;");
        (statement && block && throws).then(|| ("{ let bites = 0; try {\n".into(), frame(""), strict))
    },
    inner_test,
    // Old versions of tape take a thrown `0` for no error.
    entry: |_, _| Some("throw 1;".into()),
    example: Some(ExampleForms {
        gives: "{ const v = <call>; if (!(v && v.then) && JSON.stringify(v) !== JSON.stringify(<value>)) throw 1; } ",
        raises: "{ let raised = 0; try { const v = <call>; raised = v && v.then; } catch (e) { raised = 1; } if (!raised) throw 1; } ",
        named: "void [<name>, [<arguments>], <value>]; ",
    }),
    either: ("([1] ? ", " : ", ")"),
    ..ExpectationRules::NONE
};

/// An expression statement, or the expression that is the whole body of a function.
fn assertion<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    if node.kind() == "if_statement" {
        return branch(source, node);
    }
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
    let forms = match stated(source, inner, &words) {
        Some(forms) => forms,
        None => vec![form(source, inner, &words)?],
    };
    let failure = if is_statement { "throw 1;" } else { "(()=>{throw 1})()" };
    Some(SeenAssertion { forms, denied: Some((node, failure)) })
}

/// `if (f(1) !== 3) throw …;`
fn branch<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    let fails = |block: Option<String>| {
        let words = ["throw ", "fail(", "process.exit(1", "reject("];
        block.is_some_and(|block| words.iter().any(|word| block.contains(word)))
    };
    let condition = node.child_by_field_name("condition")?;
    let (holds, text) =
        match (fails(source.field(node, "consequence")), fails(source.field(node, "alternative"))) {
            (true, false) => (false, "(true)"),
            (false, true) => (true, "(false)"),
            (true, true) | (false, false) => return None,
        };
    let forms = claims(source, condition, holds);
    (!forms.is_empty()).then_some(SeenAssertion { forms, denied: Some((condition, text)) })
}

/// A condition that is asserted: `assert(a === b)`, `assert.ok(a === b)`, `expect(a === b).toBe(true)`.
fn stated<'t>(source: &ParsedText<'_>, call: Node<'t>, words: &[String]) -> Option<Vec<AssertionForm<'t>>> {
    let all = call_arguments(call);
    let names: Vec<&str> = words.iter().map(String::as_str).collect();
    let (condition, holds) = match (names.as_slice(), all.as_slice()) {
        (["assert"], [condition, ..]) => (*condition, true),
        (["assert" | "t" | "tap", .., last], [condition, ..]) => match *last {
            "ok" | "isTrue" | "true" | "assert" | "truthy" | "isOk" => (*condition, true),
            "notOk" | "isFalse" | "false" | "falsy" => (*condition, false),
            _ => return None,
        },
        (["expect", "toBe" | "toEqual" | "toStrictEqual"], [word]) => match source.text(*word).as_str() {
            "true" => (actual_of(source, call)?, true),
            "false" => (actual_of(source, call)?, false),
            _ => return None,
        },
        (["expect", "toBeTruthy" | "toBeTrue"], []) => (actual_of(source, call)?, true),
        (["expect", "toBeFalsy" | "toBeFalse"], []) => (actual_of(source, call)?, false),
        (
            ["expect", "toHaveBeenCalledWith" | "toHaveBeenLastCalledWith"]
            | ["expect", .., "calledWith" | "calledOnceWith" | "calledWithExactly" | "calledOnceWithExactly"],
            all,
        )
        // The number of the call stands first, the stand-in too.
        | (
            ["expect", "toHaveBeenNthCalledWith"]
            | ["sinon", "assert", "calledWith" | "calledOnceWithExactly" | "calledWithExactly"],
            [_, all @ ..],
        )
            if !names.contains(&"not") =>
        {
            return Some(all.iter().map(|argument| AssertionForm::Is(*argument)).collect());
        }
        (["expect", "toHaveProperty"], [_, value]) => return Some(vec![AssertionForm::Is(*value)]),
        _ => return None,
    };
    let forms = equalities(source, condition, holds);
    match forms.as_slice() {
        // The word that is expected is changed.
        [] if matches!(names.last(), Some(&("toBe" | "toEqual" | "toStrictEqual"))) => None,
        [] => Some(claims(source, condition, holds)),
        _ => Some(forms),
    }
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

fn form<'t>(source: &ParsedText<'_>, call: Node<'t>, words: &[String]) -> Option<AssertionForm<'t>> {
    let first = words.first()?.as_str();
    let last = words.last()?.as_str();
    let all = call_arguments(call);
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
            | "sameMembers"
            | "sameDeepMembers"
            | "sameOrderedMembers"
    );
    match (equal, last, all.as_slice()) {
        (true, _, [left, right] | [left, right, _]) => {
            Some(AssertionForm::Equal(*left, *right, ValueMatch::Exact))
        }
        (_, "match" | "matches" | "include" | "includes" | "like", [_, part, ..]) if first == "assert" => {
            Some(AssertionForm::Part(*part))
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
            "toBe"
            | "toEqual"
            | "toStrictEqual"
            | "toMatchObject"
            | "equal"
            | "equals"
            | "eq"
            | "eql"
            | "eqls"
            | "toHaveLength"
            | "lengthOf"
            | "toHaveBeenCalledTimes"
            | "members",
            [expected],
        ) => AssertionForm::Equal(actual, *expected, ValueMatch::Exact),
        ("toBeCloseTo", [expected] | [expected, _]) => {
            AssertionForm::Equal(actual, *expected, ValueMatch::Near)
        }
        ("toContain" | "toMatch" | "toContainEqual" | "include" | "contain" | "match" | "string", [part]) => {
            AssertionForm::Part(*part)
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
            return call_arguments(node).first().copied();
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
        // `(error) => error.code === "E1"`
        "arrow_function" => {
            let body = thrown.child_by_field_name("body").filter(|body| body.kind() != "statement_block");
            let said = body.map(|body| claims(source, body, true)).unwrap_or_default();
            said.into_iter().next().unwrap_or(AssertionForm::Other)
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
        if each.child_by_field_name("arguments").is_some_and(|text| text.kind() == "template_string") {
            let function = call_arguments(item).last().copied()?;
            let list = function.child_by_field_name("parameters").map(named_children).unwrap_or_default();
            let part = list.first().and_then(|one| object_part(source, *one, name))?;
            return template_column(source, each, &part);
        }
        let rows = *call_arguments(each).first()?;
        let rows = if rows.kind() == "identifier" { own_table(source, &RULES, rows)? } else { rows };
        if rows.kind() != "array" {
            return None;
        }
        let function = call_arguments(item).last().copied()?;
        let list = function.child_by_field_name("parameters").map(named_children).unwrap_or_default();
        if let Some(part) =
            list.first().filter(|_| list.len() == 1).and_then(|one| object_part(source, *one, name))
        {
            let entry = |row: Node<'t>| {
                let own = |pair: &Node<'t>| source.field(*pair, "key").as_deref() == Some(part.as_str());
                named_children(row).into_iter().find(own)?.child_by_field_name("value")
            };
            return Some(named_children(rows).into_iter().filter_map(entry).collect());
        }
        let at = list.iter().position(|parameter| is_parameter(source, *parameter, name))?;
        let cell = |row: Node<'t>| match row.kind() {
            "array" => named_children(row).get(at).copied(),
            _ => (list.len() == 1).then_some(row),
        };
        Some(named_children(rows).into_iter().filter_map(cell).collect())
    };
    found().unwrap_or_default()
}

/// The name of an entry that a parameter such as `{ a, b }` takes out of its row.
fn object_part(source: &ParsedText<'_>, parameter: Node<'_>, name: &str) -> Option<String> {
    let pattern = parameter.child_by_field_name("pattern").unwrap_or(parameter);
    let own = pattern.kind() == "object_pattern"
        && named_children(pattern).iter().any(|part| source.text(*part) == name);
    own.then(|| name.to_owned())
}

fn is_parameter(source: &ParsedText<'_>, parameter: Node<'_>, name: &str) -> bool {
    source.text(parameter).split([':', '=']).next().map(str::trim) == Some(name)
}

/// `[[1, 2], …].forEach(([a, b]) => …)` and `describe.each([[1, 2], …])('…', (a, b) => …)` around tests or assertions.
fn around<'t>(source: &ParsedText<'_>, node: Node<'t>, name: &str) -> RowsAround<'t> {
    if !matches!(node.kind(), "arrow_function" | "function_expression") {
        return None;
    }
    let parameters = node.child_by_field_name("parameters").map(named_children).unwrap_or_default();
    let call = node.parent()?.parent().filter(|call| call.kind() == "call_expression")?;
    let callee = call.child_by_field_name("function")?;
    // TypeScript wraps a parameter.
    let plain = |parameter: Node<'t>| parameter.child_by_field_name("pattern").unwrap_or(parameter);
    if callee.kind() == "call_expression" {
        let list = *call_arguments(callee).first()?;
        if chain(source, callee).last().map(String::as_str) != Some("each") || list.kind() != "array" {
            return None;
        }
        return match parameters.as_slice() {
            [one] => part_of(source, plain(*one), name).map(|part| (list, part)),
            all => {
                let at = all.iter().position(|parameter| is_parameter(source, *parameter, name))?;
                Some((list, RowPart::At(at)))
            }
        };
    }
    let own = callee.kind() == "member_expression"
        && matches!(
            source.field(callee, "property").as_deref(),
            Some("forEach" | "map" | "every" | "filter" | "some" | "find")
        );
    let list = callee.child_by_field_name("object").filter(|_| own)?;
    part_of(source, plain(*parameters.first()?), name).map(|part| (list, part))
}

/// What a name is of a row that a parameter takes apart.
fn part_of(source: &ParsedText<'_>, parameter: Node<'_>, name: &str) -> Option<RowPart> {
    match parameter.kind() {
        "array_pattern" => {
            let at = named_children(parameter).iter().position(|part| is_parameter(source, *part, name))?;
            Some(RowPart::At(at))
        }
        "object_pattern" => object_part(source, parameter, name).map(|_| RowPart::Named),
        _ => is_parameter(source, parameter, name).then_some(RowPart::Whole),
    }
}
