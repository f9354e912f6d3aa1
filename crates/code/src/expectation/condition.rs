//! What a condition says about values that are equal: `a == b && c == d`, `!(a != b)`, `abs(a - b) < 0.001`.
//!
//! The kinds of nodes differ little from grammar to grammar; what is not known here says nothing.

use tree_sitter::Node;

use super::rules::{AssertionForm, ValueMatch};
use crate::survey::words_of;
use crate::syntax::source::{MAX_DEPTH, ParsedText, children, named_children};

/// A tolerance that no changed number lies within.
const SMALL: f64 = 1.0;

/// A call: the last word of what is called, what it is called on, and its arguments.
pub(crate) struct CallParts<'t> {
    pub(crate) name: String,
    pub(crate) object: Option<Node<'t>>,
    pub(crate) arguments: Vec<Node<'t>>,
}

/// The parts of a call.
pub(crate) fn call_parts<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<CallParts<'t>> {
    if !node.kind().contains("call") && !node.kind().contains("invocation") {
        return None;
    }
    let field = |node: Node<'t>, names: &[&str]| names.iter().find_map(|name| node.child_by_field_name(name));
    let (name, object) = if let Some(function) = node.child_by_field_name("function") {
        let text = source.text(function);
        let last = text.trim_end().rsplit(['.', ':']).next().unwrap_or_default().trim().to_owned();
        (last, field(function, &["object", "value", "operand", "argument", "expression"]))
    } else {
        let name = field(node, &["method", "name"])?;
        (source.text(name), field(node, &["receiver", "object", "scope"]))
    };
    let list = node.child_by_field_name("arguments").map(named_children).unwrap_or_default();
    let value = |argument: Node<'t>| match argument.kind() {
        "argument" => named_children(argument).last().copied().unwrap_or(argument),
        _ => argument,
    };
    let arguments = list.into_iter().filter(|node| !node.kind().contains("comment")).map(value).collect();
    Some(CallParts { name, object, arguments })
}

/// The values that are equal if the condition is as `holds` says. None if it says nothing of the kind, or only perhaps.
pub(crate) fn equalities<'t>(
    source: &ParsedText<'_>,
    condition: Node<'t>,
    holds: bool,
) -> Vec<AssertionForm<'t>> {
    at_depth(source, condition, holds, 0)
}

/// What a condition says, part by part: values that are equal, something that is contained, or else that the part holds.
pub(crate) fn claims<'t>(
    source: &ParsedText<'_>,
    condition: Node<'t>,
    holds: bool,
) -> Vec<AssertionForm<'t>> {
    let of = |(part, holds): (Node<'t>, bool)| {
        let forms = equalities(source, part, holds);
        let by_pattern = call_parts(source, part).is_some_and(|call| call.name == "matches");
        let said = forms.iter().any(|form| matches!(form, AssertionForm::Equal(_, _, ValueMatch::Said)));
        if (by_pattern || said) && !forms.is_empty() {
            return [forms, vec![AssertionForm::Holds(part)]].concat();
        }
        if forms.is_empty() {
            let held = std::iter::once(AssertionForm::Holds(part));
            return contained(source, part, holds).map(AssertionForm::Part).into_iter().chain(held).collect();
        }
        forms
    };
    parts(source, condition, holds, 0).into_iter().flat_map(of).collect::<Vec<_>>()
}

/// The parts of a condition that must all be as `holds` says: those of `a and b`, and of `a or b` that must not hold.
fn parts<'t>(source: &ParsedText<'_>, node: Node<'t>, holds: bool, depth: usize) -> Vec<(Node<'t>, bool)> {
    let named = named_children(node);
    match (node.kind(), named.as_slice()) {
        ("parenthesized_expression" | "parenthesized_statements" | "condition_clause", [one])
            if depth < MAX_DEPTH =>
        {
            parts(source, *one, holds, depth + 1)
        }
        ("boolean_operator" | "binary_expression" | "binary", [left, right]) if depth < MAX_DEPTH => {
            match (operator(source, node).as_str(), holds) {
                ("&&" | "and", true) | ("||" | "or", false) => {
                    [parts(source, *left, holds, depth + 1), parts(source, *right, holds, depth + 1)].concat()
                }
                _ => vec![(node, holds)],
            }
        }
        _ => vec![(node, holds)],
    }
}

/// The value that a condition says is a part of another: `"a" in f(1)`, `f(1).startswith("a")`, `/a/.test(f(1))`.
fn contained<'t>(source: &ParsedText<'_>, node: Node<'t>, holds: bool) -> Option<Node<'t>> {
    let named = named_children(node);
    if let (Some(inner), "!" | "not") = (named.last(), operator(source, node).as_str()) {
        return contained(source, *inner, !holds);
    }
    if !holds {
        return None;
    }
    if let (true, [left, right]) = (matches!(node.kind(), "comparison_operator" | "binary"), named.as_slice())
    {
        return match signs(source, node).iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["in"] => Some(*left),
            ["=~"] if right.kind() == "regex" => Some(*right),
            _ => None,
        };
    }
    let call = call_parts(source, node)?;
    let of = call.object.map(|object| source.text(object)).unwrap_or_default();
    match (call.name.as_str(), call.object, call.arguments.as_slice()) {
        ("test" | "is_match" | "match?", Some(pattern), [_]) if pattern.kind() == "regex" => Some(pattern),
        ("search" | "match" | "fullmatch", Some(_), [pattern, _, ..]) if of == "re" => Some(*pattern),
        ("Contains" | "HasPrefix" | "HasSuffix", Some(_), [_, part])
            if matches!(of.as_str(), "strings" | "bytes" | "slices") =>
        {
            Some(*part)
        }
        (
            "startswith" | "endswith" | "startsWith" | "endsWith" | "starts_with" | "ends_with" | "includes"
            | "contains" | "include?" | "start_with?" | "end_with?" | "match?" | "match" | "containsKey"
            | "contains_key" | "has_key" | "has" | "key?" | "Contains" | "StartsWith" | "EndsWith",
            Some(_),
            [part],
        )
        | ("str_contains" | "str_starts_with" | "str_ends_with" | "strstr", None, [_, part]) => Some(*part),
        _ => None,
    }
}

fn at_depth<'t>(
    source: &ParsedText<'_>,
    node: Node<'t>,
    holds: bool,
    depth: usize,
) -> Vec<AssertionForm<'t>> {
    if depth > MAX_DEPTH {
        return Vec::new();
    }
    let inner = |node: Node<'t>, holds: bool| at_depth(source, node, holds, depth + 1);
    let named = named_children(node);
    match node.kind() {
        "parenthesized_expression" | "parenthesized_statements" | "condition_clause" => {
            match named.as_slice() {
                [one] => inner(*one, holds),
                _ => Vec::new(),
            }
        }
        "not_operator" => named.last().map(|last| inner(*last, !holds)).unwrap_or_default(),
        "unary_expression" | "unary_op_expression" | "unary" | "prefix_unary_expression" => {
            match (operator(source, node).as_str(), named.last()) {
                ("!" | "not", Some(last)) => inner(*last, !holds),
                _ => Vec::new(),
            }
        }
        "comparison_operator" => {
            let operators: Vec<String> = signs(source, node);
            let equal = if holds { "==" } else { "!=" };
            if operators.iter().all(|sign| sign == equal) && (holds || operators.len() == 1) {
                return named.windows(2).filter_map(|pair| equal_pair(source, pair[0], pair[1])).collect();
            }
            match (named.as_slice(), operators.as_slice()) {
                ([_, right], [sign]) if is_in(sign, holds) && is_written_list(source, *right) => {
                    vec![AssertionForm::OneOf(*right)]
                }
                // `f(1) is True`
                ([left, right], [sign])
                    if matches!(right.kind(), "true" | "false")
                        && sign == (if holds { "is" } else { "is not" }) =>
                {
                    vec![AssertionForm::Equal(*left, *right, ValueMatch::Exact)]
                }
                ([left, right], [sign]) => near(source, *left, sign, *right, holds).into_iter().collect(),
                _ => Vec::new(),
            }
        }
        // A number that is no truth.
        "binary_operator" if !holds => no_difference(source, node).into_iter().collect(),
        "boolean_operator" | "binary_expression" | "binary" => {
            let (Some(left), Some(right)) =
                (node.child_by_field_name("left"), node.child_by_field_name("right"))
            else {
                return Vec::new();
            };
            match (operator(source, node).as_str(), holds) {
                ("&&" | "and", true) | ("||" | "or", false) => {
                    [inner(left, holds), inner(right, holds)].concat()
                }
                ("==" | "===", true) | ("!=" | "!==", false) => {
                    equal_pair(source, left, right).into_iter().collect()
                }
                ("-" | "^", false) => no_difference(source, node).into_iter().collect(),
                (sign, _) => near(source, left, sign, right, holds).into_iter().collect(),
            }
        }
        _ => called(source, node, holds, depth),
    }
}

/// `a in b`, or what is no `a not in b`.
fn is_in(sign: &str, holds: bool) -> bool {
    if holds { sign == "in" } else { sign == "not in" }
}

/// The signs between the parts of a node.
fn signs(source: &ParsedText<'_>, node: Node<'_>) -> Vec<String> {
    let plain = children(node).into_iter().filter(|child| !child.is_named());
    plain.map(|child| source.text(child)).filter(|text| text != "(" && text != ")").collect()
}

fn operator(source: &ParsedText<'_>, node: Node<'_>) -> String {
    let field = source.field(node, "operator");
    field.or_else(|| signs(source, node).into_iter().next()).unwrap_or_default()
}

/// Two values that are equal. `strcmp(a, b) == 0` is about `a` and `b`.
fn equal_pair<'t>(source: &ParsedText<'_>, left: Node<'t>, right: Node<'t>) -> Option<AssertionForm<'t>> {
    if let Some(call) = call_parts(source, left)
        && matches!(call.name.as_str(), "strcmp" | "memcmp" | "strncmp" | "wcscmp")
    {
        return match (source.text(right).as_str(), call.arguments.as_slice()) {
            ("0", [a, b, ..]) => Some(AssertionForm::Equal(*a, *b, ValueMatch::Exact)),
            _ => None,
        };
    }
    if let Some(form) = same_order(source, left, right) {
        return Some(form);
    }
    if source.text(right) == "0"
        && let Some(form) = no_difference(source, left)
    {
        return Some(form);
    }
    Some(AssertionForm::Equal(left, right, ValueMatch::Exact))
}

/// What two equal values say that are no more than the answer to a question about two others: `a.compareTo(b)` and `0`,
/// `a.equals(b)` and `true`. Empty if they are not of that kind.
pub(crate) fn asked_about<'t>(
    source: &ParsedText<'_>,
    left: Node<'t>,
    right: Node<'t>,
) -> Vec<AssertionForm<'t>> {
    for (question, answer) in [(left, right), (right, left)] {
        if let Some(form) = same_order(source, question, answer) {
            return vec![form];
        }
        let holds = match source.text(answer).as_str() {
            "true" | "True" | "TRUE" => true,
            "false" | "False" | "FALSE" => false,
            _ => continue,
        };
        let forms = equalities(source, question, holds);
        if !forms.is_empty() {
            return forms;
        }
    }
    Vec::new()
}

/// What stands inside parentheses.
fn bare(node: Node<'_>) -> Node<'_> {
    let mut inner = node;
    while let (true, [only]) = (inner.kind().starts_with("parenthesized"), named_children(inner).as_slice()) {
        inner = *only;
    }
    inner
}

/// `a.compareTo(b) == 0`, `a.cmp(&b) == Ordering::Equal`, `Integer.compare(a, b) == 0`, `(a <=> b) == 0`.
fn same_order<'t>(source: &ParsedText<'_>, left: Node<'t>, right: Node<'t>) -> Option<AssertionForm<'t>> {
    let equal = source.text(right);
    if equal != "0" && !equal.ends_with("Ordering::Equal") {
        return None;
    }
    order_of(source, bare(left))
}

/// The two values whose order an expression asks for.
fn order_of<'t>(source: &ParsedText<'_>, order: Node<'t>) -> Option<AssertionForm<'t>> {
    if let (true, [a, b]) = (operator(source, order) == "<=>", named_children(order).as_slice()) {
        return Some(AssertionForm::Equal(*a, *b, ValueMatch::Own));
    }
    let call = call_parts(source, order)?;
    let ordering =
        ["compareTo", "CompareTo", "compare_to", "compare", "Compare", "Cmp", "cmp", "localeCompare"];
    if !ordering.contains(&call.name.as_str()) {
        return None;
    }
    match (call.object, call.arguments.as_slice()) {
        (Some(object), [other]) => Some(AssertionForm::Equal(object, *other, ValueMatch::Own)),
        (_, [a, b]) => Some(AssertionForm::Equal(*a, *b, ValueMatch::Own)),
        _ => None,
    }
}

/// `a - b`, which is nothing if both are equal.
fn no_difference<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<AssertionForm<'t>> {
    let difference = bare(node);
    if !difference.kind().starts_with("binary") || !matches!(operator(source, difference).as_str(), "-" | "^")
    {
        return None;
    }
    let (a, b) = (difference.child_by_field_name("left")?, difference.child_by_field_name("right")?);
    Some(AssertionForm::Equal(a, b, ValueMatch::Exact))
}

/// `abs(a - b) < 0.001`, `(a - b).abs() < 1e-9`.
fn near<'t>(
    source: &ParsedText<'_>,
    left: Node<'t>,
    sign: &str,
    right: Node<'t>,
    holds: bool,
) -> Option<AssertionForm<'t>> {
    if !matches!((sign, holds), ("<" | "<=", true) | (">" | ">=", false)) || !is_small(source, right) {
        return None;
    }
    let call = call_parts(source, left)?;
    if !matches!(call.name.as_str(), "abs" | "fabs" | "Abs" | "fabsf") {
        return None;
    }
    let mut difference = match call.arguments.as_slice() {
        [one] => *one,
        [] => call.object?,
        _ => return None,
    };
    while difference.kind() == "parenthesized_expression" || difference.kind() == "parenthesized_statements" {
        difference = *named_children(difference).first()?;
    }
    let (a, b) = (difference.child_by_field_name("left")?, difference.child_by_field_name("right")?);
    (operator(source, difference) == "-").then_some(AssertionForm::Equal(a, b, ValueMatch::Near))
}

/// Whether a value is a number that is written out, and small.
pub(crate) fn is_small(source: &ParsedText<'_>, node: Node<'_>) -> bool {
    let text = source.text(node);
    let number = text.trim_end_matches(['f', 'F', 'd', 'D']).replace('_', "");
    number.parse::<f64>().is_ok_and(|value| value <= SMALL) || text.ends_with("EPSILON")
}

/// A call that is a condition: `reflect.DeepEqual(a, b)`, `a.equals(b)`, `all(a == b for …)`.
fn called<'t>(source: &ParsedText<'_>, node: Node<'t>, holds: bool, depth: usize) -> Vec<AssertionForm<'t>> {
    let Some(call) = call_parts(source, node) else { return Vec::new() };
    // `not any(f(a) != b for …)` says that all are equal.
    if let ("any", None, [clause, ..], false) =
        (call.name.as_str(), call.object, call.arguments.as_slice(), holds)
    {
        let own = call.arguments.iter().any(|part| part.kind() == "for_in_clause");
        let rows = if own { node.child_by_field_name("arguments") } else { Some(*clause) };
        let body = rows.and_then(|rows| rows.child_by_field_name("body"));
        return body.map(|body| at_depth(source, body, false, depth + 1)).unwrap_or_default();
    }
    // `(a == b).all()`, `np.all(a == b)`, `not (a != b).any()`: element by element.
    if let Some(compared) = each_element(&call, holds) {
        return at_depth(source, compared, holds, depth + 1);
    }
    let compared = matches!(call.name.as_str(), "strcmp" | "memcmp" | "strncmp");
    if holds == compared {
        return Vec::new();
    }
    let exact = |a: Node<'t>, b: Node<'t>| vec![AssertionForm::Equal(a, b, ValueMatch::Exact)];
    if let ([a, b, ..], true) = (call.arguments.as_slice(), compared) {
        return exact(*a, *b);
    }
    match (call.name.as_str(), call.object, call.arguments.as_slice()) {
        ("isclose", _, [a, b]) => vec![AssertionForm::Equal(*a, *b, ValueMatch::Near)],
        (
            "DeepEqual" | "Equal" | "isEqual" | "isDeepStrictEqual" | "deepEqual" | "array_equal" | "is"
            | "equals",
            Some(_),
            [a, b],
        )
        // `matches` is Rust's `matches!`.
        | ("isDeepStrictEqual" | "isEqual" | "deepEqual" | "matches", None, [a, b]) => exact(*a, *b),
        ("equals" | "eql?" | "equal?" | "Equal" | "eq" | "isEqual" | "is_equal" | "equal", Some(object), [other])
            if source.text(object).chars().next().is_some_and(|first| !first.is_uppercase())
                || object.kind().contains("call")
                || object.kind().contains("invocation") =>
        {
            vec![AssertionForm::Equal(object, *other, ValueMatch::Own)]
        }
        // `a.cmp(&b).is_eq()`
        ("is_eq", Some(order), []) => order_of(source, bare(order)).into_iter().collect(),
        (name, object, arguments) if says_same(name) => match (object, arguments) {
            (Some(object), [other]) => vec![AssertionForm::Equal(object, *other, ValueMatch::Said)],
            (None, [one, other]) => vec![AssertionForm::Equal(*one, *other, ValueMatch::Said)],
            _ => Vec::new(),
        },
        // The argument of `all(… for …)` is the list of arguments itself.
        ("all", None, [_, clause]) if clause.kind() == "for_in_clause" => {
            let rows = node.child_by_field_name("arguments");
            rows.map(|rows| every_in_comprehension(source, rows, depth)).unwrap_or_default()
        }
        ("all", None, [rows]) => every_in_comprehension(source, *rows, depth),
        ("includes" | "contains" | "include?", Some(list), [_]) if is_written_list(source, list) => {
            vec![AssertionForm::OneOf(list)]
        }
        ("in_array", None, [_, list, ..]) if is_written_list(source, *list) => {
            vec![AssertionForm::OneOf(*list)]
        }
        // `[5, 6].iter().any(|want| f(1) == *want)`
        ("any" | "some", Some(list), [function]) if is_written_list(source, list) => {
            let body = function.child_by_field_name("body");
            let compared = body.is_some_and(|body| !at_depth(source, body, true, depth + 1).is_empty());
            let inner = call_parts(source, list).and_then(|call| call.object).unwrap_or(list);
            if compared { vec![AssertionForm::OneOf(inner)] } else { Vec::new() }
        }
        ("every" | "all", Some(list), [function]) if is_written_list(source, list) => {
            let body = function.child_by_field_name("body");
            body.map(|body| at_depth(source, body, true, depth + 1)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// Whether a function says by its name that it is about two values being the same: `same_as`, `isEqualTo`, `money_is`.
fn says_same(name: &str) -> bool {
    let words = words_of(name);
    let last = words.last().map(String::as_str);
    let whole = ["is", "eq", "eql", "eqv", "equals", "equal", "same", "identical", "equivalent"];
    last.is_some_and(|last| whole.contains(&last))
        || words.windows(2).any(|pair| {
            let [first, second] = pair else { return false };
            whole[1..].contains(&first.as_str()) && matches!(second.as_str(), "to" | "as")
        })
}

/// The comparison whose every element an answer is about.
fn each_element<'t>(call: &CallParts<'t>, holds: bool) -> Option<Node<'t>> {
    let whole = if holds { "all" } else { "any" };
    let inner = match (call.object?, call.arguments.as_slice()) {
        (object, []) => object,
        (_, [one]) if one.kind() == "comparison_operator" => *one,
        _ => return None,
    };
    let compares = matches!(inner.kind(), "parenthesized_expression" | "comparison_operator");
    (call.name == whole && compares).then_some(inner)
}

/// `f(a) == b for a, b in [(1, 2)]`: of a list that is written out and not empty.
fn every_in_comprehension<'t>(
    source: &ParsedText<'_>,
    rows: Node<'t>,
    depth: usize,
) -> Vec<AssertionForm<'t>> {
    let parts = named_children(rows);
    let clauses: Vec<&Node<'t>> = parts.iter().filter(|part| part.kind().ends_with("_clause")).collect();
    let written = match clauses.as_slice() {
        [clause] if clause.kind() == "for_in_clause" => {
            clause.child_by_field_name("right").is_some_and(|list| is_written_list(source, list))
        }
        _ => false,
    };
    match rows.child_by_field_name("body") {
        Some(body) if written => at_depth(source, body, true, depth + 1),
        _ => Vec::new(),
    }
}

/// A list that is written out and not empty, or the same behind `.iter()`.
fn is_written_list(source: &ParsedText<'_>, list: Node<'_>) -> bool {
    if let Some(call) = call_parts(source, list)
        && matches!(call.name.as_str(), "iter" | "into_iter")
        && let Some(object) = call.object
    {
        return is_written_list(source, object);
    }
    matches!(
        list.kind(),
        "list" | "tuple" | "set" | "array" | "array_expression" | "array_creation_expression"
    ) && !named_children(list).is_empty()
}
