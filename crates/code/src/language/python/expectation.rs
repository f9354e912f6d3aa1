//! What tests in Python expect: `assert`, `unittest` and `pytest.raises`.

use tree_sitter::Node;

use crate::expectation::{
    AssertionForm, ExampleForms, ExpectationRules, LiteralKinds, SeenAssertion, TextMatch, ValueMatch,
    call_parts, claims, ends_line, indent_of, is_small, own_table,
};
use crate::syntax::source::{ParsedText, call_arguments, child_of_kind, named_children};

pub(super) const RULES: ExpectationRules = ExpectationRules {
    functions: &["function_definition", "lambda"],
    titles: super::titles::titles,
    assertion,
    leaving: &["return_statement", "raise_statement", "yield"],
    bindings: &[("assignment", "left", "right"), ("named_expression", "name", "value")],
    loops: &[("for_statement", "left", "right"), ("for_in_clause", "left", "right")],
    cases,
    classes: Some(("class_definition", "superclasses")),
    literals: LiteralKinds {
        integers: &["integer"],
        floats: &["float"],
        strings: &["string"],
        parts: &["string_content"],
        string_rest: &["string_start", "string_end", "escape_sequence"],
        words: &["true", "false", "none"],
        containers: &[
            "list",
            "tuple",
            "set",
            "dictionary",
            "parenthesized_expression",
            "concatenated_string",
        ],
        pairs: &[("pair", "value")],
        wrapped: |_, node| {
            let sign = (node.kind() == "unary_operator").then(|| node.child_by_field_name("argument"));
            sign.flatten().map(|inner| vec![inner])
        },
    },
    other_value: (
        "(lambda v: not v if type(v) is bool else (-v if v and v == v * 2 else v * 2 + 3 if v > 0 else v * 2 - 3) if type(v) in (int, float) else v + 'x' if type(v) is str else v + b'x' if type(v) is bytes else v + [0] if type(v) is list else v + (0,) if type(v) is tuple else {**v, '-x-': 0} if type(v) is dict else v | {'-x-'} if type(v) in (set, frozenset) else 0 if v is None else (_ for _ in ()).throw(AssertionError()))(",
        ")",
    ),
    other_member: (
        "(lambda a, b: a if repr(a) != repr(b) else (_ for _ in ()).throw(AssertionError()))(",
        ", ",
        ")",
    ),
    rebinds: "\n",
    negation: ("not (", ")"),
    fails: ("assert 0", ""),
    entry: |_, _| Some("assert 0".into()),
    unless_it_fails: |source, _, node| {
        let indent = indent_of(source, node).filter(|_| ends_line(source, node, "#"))?;
        let simple = matches!(node.kind(), "assert_statement" | "expression_statement");
        let frame =
            |others: &str| format!("\n{indent}except AssertionError: pass\n{others}{indent}else: return");
        let others = format!("{indent}except BaseException: return\n");
        simple.then(|| (format!("try:\n{indent} "), frame(&others), frame("")))
    },
    unless_it_throws: |source, _, node| {
        // The body of a block is indented further than the frame, unless tabs say how far.
        let indent = indent_of(source, node).filter(|blanks| !blanks.contains('\t'))?;
        let clause = child_of_kind(node, &["with_clause"]).map(|clause| source.text(clause));
        // What a name is bound to is not there if another exception is expected.
        let framed = match clause {
            Some(clause) => !clause.contains(" as "),
            None => node.kind() == "expression_statement",
        };
        let behind = format!("\n{indent}except BaseException: pass\n{indent}else: return");
        framed.then(|| (format!("try:\n{indent} "), behind.clone(), behind))
    },
    keeps: ("(bites_on := ", "bites_on", ")"),
    free_blanks: false,
    example: Some(ExampleForms {
        gives: "assert <call> == <value>",
        raises: "__import__(\"unittest\").TestCase().assertRaises(<value>, lambda: <call>)",
        named: "(<name>, [<arguments>], <value>)",
    }),
    reach: import_of,
    either: ("(", " if [1] else ", ")"),
    ..ExpectationRules::NONE
};

/// Words of statements that fail a test.
const FAILING: [&str; 5] = ["raise ", "pytest.fail(", "self.fail(", "assert False", "assert 0"];

fn assertion<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    match node.kind() {
        "assert_statement" => {
            let condition = *named_children(node).first()?;
            let forms = conditions(source, condition, true);
            Some(SeenAssertion { forms, denied: Some((node, "assert 0")) })
        }
        "if_statement" => branch(source, node),
        "match_statement" => matched(source, node),
        "expression_statement" => {
            let call = child_of_kind(node, &["call"])?;
            let forms = method(source, call)?;
            Some(SeenAssertion { forms, denied: Some((node, "assert 0")) })
        }
        // What happens in the block is what the exception is expected of: it is not looked at.
        "with_statement" => {
            let clause = child_of_kind(node, &["with_clause"])?;
            let items = named_children(clause);
            let calls = items.iter().filter_map(|item| {
                let value = item.child_by_field_name("value")?;
                let value =
                    if value.kind() == "as_pattern" { *named_children(value).first()? } else { value };
                (value.kind() == "call").then_some(value)
            });
            let forms: Vec<AssertionForm<'t>> =
                calls.filter_map(|call| raised(source, call)).flatten().collect();
            (!forms.is_empty()).then_some(SeenAssertion { forms, denied: None })
        }
        _ => None,
    }
}

/// `match f(1): case 3: pass; case _: raise …`: the pattern of the only case that does not fail.
fn matched<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    let cases: Vec<Node<'t>> = named_children(node.child_by_field_name("body")?)
        .into_iter()
        .filter(|case| case.kind() == "case_clause")
        .collect();
    let fails = |case: &&Node<'t>| {
        source
            .field(**case, "consequence")
            .is_some_and(|block| FAILING.iter().any(|word| block.contains(word)))
    };
    let (bad, good): (Vec<&Node<'t>>, Vec<&Node<'t>>) = cases.iter().partition(fails);
    let ([good], false) = (good.as_slice(), bad.is_empty()) else { return None };
    let pattern = named_children(**good).into_iter().find(|part| part.kind() == "case_pattern")?;
    let value = *named_children(pattern).first()?;
    Some(SeenAssertion { forms: vec![AssertionForm::Is(value)], denied: Some((node, "assert 0")) })
}

/// `if f(1) != 3: pytest.fail(…)`, and with an `else` that fails.
fn branch<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<SeenAssertion<'t>> {
    let fails =
        |block: Option<String>| block.is_some_and(|block| FAILING.iter().any(|word| block.contains(word)));
    let condition = node.child_by_field_name("condition")?;
    let (holds, text) =
        match (fails(source.field(node, "consequence")), fails(source.field(node, "alternative"))) {
            (true, false) => (false, "1"),
            (false, true) => (true, "0"),
            (true, true) | (false, false) => return None,
        };
    let forms = conditions(source, condition, holds);
    let skips = ["Skip", "skip"].iter().any(|word| source.text(node).contains(word));
    (!forms.is_empty() && !skips).then_some(SeenAssertion { forms, denied: Some((condition, text)) })
}

/// What a condition says. A value in `pytest.approx(…)` is the value inside.
fn conditions<'t>(source: &ParsedText<'_>, node: Node<'t>, holds: bool) -> Vec<AssertionForm<'t>> {
    let of = |form: AssertionForm<'t>| match form {
        AssertionForm::Equal(left, right, by) => {
            match (approximation(source, left), approximation(source, right)) {
                (None, None) => Some(AssertionForm::Equal(left, right, by)),
                (Some(Approximation::Usual(value)), None) => {
                    Some(AssertionForm::Equal(value, right, ValueMatch::Near))
                }
                (None, Some(Approximation::Usual(value))) => {
                    Some(AssertionForm::Equal(left, value, ValueMatch::Near))
                }
                _ => None,
            }
        }
        other => Some(other),
    };
    let forms: Vec<AssertionForm<'t>> = claims(source, node, holds).into_iter().filter_map(of).collect();
    if forms.is_empty() { vec![AssertionForm::Holds(node)] } else { forms }
}

/// `pytest.approx(…)`.
enum Approximation<'t> {
    /// Of this value, with the usual tolerance or a small one.
    Usual(Node<'t>),
    /// With a tolerance that may be large.
    Own,
}

fn approximation<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<Approximation<'t>> {
    if node.kind() != "call" || !source.field(node, "function")?.ends_with("approx") {
        return None;
    }
    match call_arguments(node).as_slice() {
        [value, rest @ ..] if rest.iter().all(|tolerance| is_small_named(source, *tolerance)) => {
            Some(Approximation::Usual(*value))
        }
        _ => Some(Approximation::Own),
    }
}

/// `abs=1e-6`, `rel=0.01`, `places=5`.
fn is_small_named(source: &ParsedText<'_>, argument: Node<'_>) -> bool {
    let value = argument.child_by_field_name("value").filter(|_| argument.kind() == "keyword_argument");
    let name = source.field(argument, "name").unwrap_or_default();
    match name.as_str() {
        "places" => {
            value.is_some_and(|value| source.text(value).parse::<u32>().is_ok_and(|places| places > 0))
        }
        "rel" | "rtol" | "rel_tol" => {
            value.is_some_and(|value| source.text(value).parse::<f64>().is_ok_and(|part| part <= 0.05))
        }
        "msg" | "err_msg" => true,
        _ => value.is_some_and(|value| is_small(source, value)),
    }
}

/// `self.assertEqual(…)` and its like, and `assert_allclose(…)` of numpy's kind.
fn method<'t>(source: &ParsedText<'_>, call: Node<'t>) -> Option<Vec<AssertionForm<'t>>> {
    let function = source.field(call, "function")?;
    let name = function.rsplit('.').next().unwrap_or(&function);
    let own = function.starts_with("self.") || function.starts_with("cls.");
    let all = call_arguments(call);
    if let Some(forms) = told_by_mock(name, &all) {
        return Some(forms);
    }
    if !own {
        return compared(source, &function, name, &all);
    }
    if !name.starts_with("assert") {
        return None;
    }
    let form = match (name, all.as_slice()) {
        (
            "assertEqual"
            | "assertEquals"
            | "assertListEqual"
            | "assertDictEqual"
            | "assertTupleEqual"
            | "assertSetEqual"
            | "assertMultiLineEqual"
            | "assertSequenceEqual"
            | "assertCountEqual"
            | "assertIs",
            [left, right] | [left, right, _],
        ) => AssertionForm::Equal(*left, *right, ValueMatch::Exact),
        ("assertAlmostEqual", [left, right, rest @ ..])
            if rest.iter().all(|tolerance| is_small_named(source, *tolerance)) =>
        {
            AssertionForm::Equal(*left, *right, ValueMatch::Near)
        }
        ("assertIn", [_, list, ..]) if matches!(list.kind(), "list" | "tuple" | "set") => {
            AssertionForm::OneOf(*list)
        }
        ("assertIn", [part, ..]) | ("assertRegex", [_, part, ..]) => AssertionForm::Part(*part),
        ("assertTrue", [condition, ..]) => {
            return Some(conditions(source, *condition, true));
        }
        ("assertFalse", [condition, ..]) => {
            return Some(conditions(source, *condition, false));
        }
        ("assertRaises" | "assertRaisesRegex", _) => return raised(source, call),
        _ => AssertionForm::Other,
    };
    Some(vec![form])
}

/// `sender.send.assert_called_once_with("a", subject="b")`: every argument of the call that a stand-in must have seen.
fn told_by_mock<'t>(name: &str, all: &[Node<'t>]) -> Option<Vec<AssertionForm<'t>>> {
    let rest = name.strip_prefix("assert_")?;
    let about_calls = ["called", "awaited", "any_call", "any_await", "has_calls", "has_awaits", "not_called"];
    if !about_calls.iter().any(|word| rest.starts_with(word)) {
        return None;
    }
    let value = |argument: &Node<'t>| argument.child_by_field_name("value").unwrap_or(*argument);
    let forms: Vec<AssertionForm<'t>> =
        all.iter().map(|argument| AssertionForm::Is(value(argument))).collect();
    Some(if forms.is_empty() { vec![AssertionForm::Other] } else { forms })
}

/// `np.testing.assert_allclose(a, b)`, `assert_equal(a, b)`.
fn compared<'t>(
    source: &ParsedText<'_>,
    function: &str,
    name: &str,
    all: &[Node<'t>],
) -> Option<Vec<AssertionForm<'t>>> {
    let by = match name {
        "assert_equal" | "assert_array_equal" | "assert_string_equal" => ValueMatch::Exact,
        "assert_allclose" | "assert_almost_equal" | "assert_approx_equal" => ValueMatch::Near,
        _ => return None,
    };
    let library = function.contains("testing.") || function == name;
    match all {
        [left, right, rest @ ..]
            if library && rest.iter().all(|tolerance| is_small_named(source, *tolerance)) =>
        {
            Some(vec![AssertionForm::Equal(*left, *right, by)])
        }
        _ => None,
    }
}

/// `pytest.raises(X, match="…")`, `self.assertRaises(X)`, `self.assertRaisesRegex(X, "…")`.
fn raised<'t>(source: &ParsedText<'_>, call: Node<'t>) -> Option<Vec<AssertionForm<'t>>> {
    let function = source.field(call, "function")?;
    let name = function.rsplit('.').next().unwrap_or(&function);
    if !matches!(name, "raises" | "assertRaises" | "assertRaisesRegex") {
        return None;
    }
    let all = call_arguments(call);
    let class = all.first().filter(|class| matches!(class.kind(), "identifier" | "attribute"));
    let mut forms: Vec<AssertionForm<'t>> =
        class.map(|class| AssertionForm::Throws(*class, "EOFError")).into_iter().collect();
    let pattern = if name == "assertRaisesRegex" { all.get(1).copied() } else { None };
    let named = all.iter().find(|argument| {
        argument.kind() == "keyword_argument" && source.field(**argument, "name").as_deref() == Some("match")
    });
    let pattern = pattern.or_else(|| named.and_then(|argument| argument.child_by_field_name("value")));
    forms.extend(pattern.map(|pattern| AssertionForm::Says(pattern, TextMatch::Pattern)));
    // A class such as `Exception` covers every other one.
    if class.is_some_and(|class| {
        matches!(source.text(*class).as_str(), "Exception" | "BaseException" | "EOFError")
    }) {
        forms.remove(0);
    }
    if forms.is_empty() {
        forms.push(AssertionForm::Other);
    }
    Some(forms)
}

/// The values of a parameter in `@pytest.mark.parametrize("a, b", [(1, 2), …])`, or in what `pytest_generate_tests` hands out.
fn cases<'t>(source: &ParsedText<'_>, item: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let decorators = named_children(item).into_iter().filter(|node| node.kind() == "decorator");
    let calls = decorators.filter_map(|decorator| child_of_kind(decorator, &["call"]));
    let own: Vec<Node<'t>> = calls.filter_map(|call| cells_of(source, call, name)).flatten().collect();
    if !own.is_empty() {
        return own;
    }
    let root = std::iter::successors(Some(item), Node::parent).last().map(named_children).unwrap_or_default();
    let hook = root.into_iter().find(|node| {
        node.kind() == "function_definition"
            && source.field(*node, "name").as_deref() == Some("pytest_generate_tests")
    });
    let mut open: Vec<Node<'t>> = hook.into_iter().collect();
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        found.extend((node.kind() == "call").then(|| cells_of(source, node, name)).flatten());
        open.extend(named_children(node));
    }
    let [cells] = found.as_slice() else { return Vec::new() };
    cells.clone()
}

/// The values of a parameter in a call of `parametrize`.
fn cells_of<'t>(source: &ParsedText<'_>, call: Node<'t>, name: &str) -> Option<Vec<Node<'t>>> {
    let all = call_arguments(call);
    let (names, rows) = (all.first()?, all.get(1)?);
    let _ = source.field(call, "function").filter(|function| function.ends_with("parametrize"))?;
    let names = parameter_names(source, *names);
    let at = names.iter().position(|known| known == name)?;
    let cell = |row: Node<'t>| {
        if names.len() == 1 {
            return Some(row);
        }
        let row = match row.kind() {
            "call" => row.child_by_field_name("arguments")?,
            _ => row,
        };
        named_children(row).get(at).copied()
    };
    Some(rows_of(source, *rows)?.into_iter().filter_map(cell).collect())
}

/// The rows of a list that is written out, also under a name, or of a table by name: its pairs or its values.
fn rows_of<'t>(source: &ParsedText<'_>, rows: Node<'t>) -> Option<Vec<Node<'t>>> {
    let named = matches!(rows.kind(), "identifier" | "attribute");
    let rows = if named { own_table(source, &RULES, rows)? } else { rows };
    if matches!(rows.kind(), "list" | "tuple") {
        return Some(named_children(rows));
    }
    let call = call_parts(source, rows).filter(|call| call.arguments.is_empty())?;
    let object = call.object?;
    let table = if object.kind() == "identifier" { own_table(source, &RULES, object)? } else { object };
    let pairs = named_children(table).into_iter().filter(|pair| pair.kind() == "pair");
    match call.name.as_str() {
        "items" => Some(pairs.collect()),
        "values" => Some(pairs.filter_map(|pair| pair.child_by_field_name("value")).collect()),
        _ => None,
    }
}

/// The names in `"a, b"`, `("a", "b")` or `["a", "b"]`.
fn parameter_names(source: &ParsedText<'_>, names: Node<'_>) -> Vec<String> {
    let plain = |text: String| text.trim_matches(['"', '\'', ' ']).to_owned();
    match names.kind() {
        "string" => plain(source.text(names)).split(',').map(|name| name.trim().to_owned()).collect(),
        _ => named_children(names).into_iter().map(|name| plain(source.text(name))).collect(),
    }
}

/// An import of what an example calls, if the test file has none and a changed file defines it.
fn import_of(bytes: &[u8], name: &str, code: &[(String, Vec<u8>)]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let has = |line: &str| line.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name);
    let imported = |line: &str| (line.starts_with("from ") || line.starts_with("import ")) && has(line);
    let plain = |line: &str| imported(line) && !line.contains(&format!("{name} as "));
    let by_name = |line: &str| line.starts_with("from ") && line.split(" import ").nth(1).is_some_and(has);
    if text.lines().any(|line| plain(line) && by_name(line)) || text.contains(&format!("def {name}(")) {
        return None;
    }
    let defines = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        text.lines().any(|line| line.starts_with(&format!("def {name}(")))
    };
    let (path, _) = code.iter().find(|(path, bytes)| path.ends_with(".py") && defines(bytes))?;
    let module = path.rsplit('/').next()?.strip_suffix(".py")?;
    Some(format!("from {module} import {name}; "))
}
