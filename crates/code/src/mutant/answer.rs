//! What kind of value a function answers with, read off its own text: skeletons and early returns answer with a value of that
//! kind. In a language without types, nothing at all in place of a number would be noticed by a test that looks at types only.

use tree_sitter::Node;

use crate::syntax::source::{MAX_DEPTH, ParsedText, children, named_children};

/// The kinds of values that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerKind {
    Number,
    Text,
    List,
    Map,
    Truth,
}

/// Values of a kind: the one that says the least, and another one for functions that answer with the first.
pub(crate) type PlainValues = fn(AnswerKind) -> (&'static str, &'static str);

/// Functions and methods by what they give, in any of the languages.
const NUMBERS: [&str; 12] = [
    "sum",
    "len",
    "int",
    "float",
    "abs",
    "round",
    "Number",
    "parseInt",
    "parseFloat",
    "floor",
    "ceil",
    "count",
];
const TEXTS: [&str; 22] = [
    "str",
    "repr",
    "join",
    "strip",
    "lstrip",
    "rstrip",
    "lower",
    "upper",
    "title",
    "replace",
    "format",
    "decode",
    "String",
    "trim",
    "toLowerCase",
    "toUpperCase",
    "replaceAll",
    "toString",
    "padStart",
    "padEnd",
    "toFixed",
    "repeat",
];
const LISTS: [&str; 9] =
    ["sorted", "list", "map", "filter", "split", "flat", "flatMap", "splitlines", "sort"];
const MAPS: [&str; 2] = ["dict", "fromEntries"];
const TRUTHS: [&str; 12] = [
    "bool",
    "isinstance",
    "any",
    "all",
    "startswith",
    "endswith",
    "includes",
    "startsWith",
    "endsWith",
    "some",
    "every",
    "test",
];

/// A plain value of the kind that a function answers with; `None` if its text does not tell.
pub(crate) fn plain_answer(
    source: &ParsedText<'_>,
    function: Node<'_>,
    values: PlainValues,
) -> Option<&'static str> {
    let answers = answers(function)?;
    let written = source.field(function, "return_type").and_then(|written| of_type(&written));
    let kind = if let Some(kind) = written {
        kind
    } else {
        let mut kinds = answers.iter().filter_map(|answer| kind_of(source, function, *answer, 0));
        let first = kinds.next()?;
        kinds.all(|kind| kind == first).then_some(first)?
    };
    let (plain, other) = values(kind);
    let is_plain = |answer: &Node<'_>| source.text(*answer).replace('"', "'") == plain.replace('"', "'");
    Some(if answers.iter().all(is_plain) { other } else { plain })
}

/// The values that a function returns; `None` if it gives them one by one.
fn answers(function: Node<'_>) -> Option<Vec<Node<'_>>> {
    let body = function.child_by_field_name("body")?;
    let is_block = matches!(body.kind(), "block" | "statement_block");
    if !is_block {
        return Some(vec![body]);
    }
    let mut out = Vec::new();
    let mut open = vec![body];
    while let Some(node) = open.pop() {
        match node.kind() {
            "yield" | "yield_expression" => return None,
            "return_statement" => out.extend(named_children(node).first()),
            kind if kind.contains("function") || kind.contains("method") || kind == "lambda" => {}
            _ => open.extend(named_children(node)),
        }
    }
    (!out.is_empty()).then_some(out)
}

/// The kind that a written type names.
fn of_type(written: &str) -> Option<AnswerKind> {
    let name = written.trim_start_matches(':').trim();
    match name {
        "int" | "float" | "number" | "Decimal" => Some(AnswerKind::Number),
        "str" | "string" => Some(AnswerKind::Text),
        "bool" | "boolean" => Some(AnswerKind::Truth),
        _ if name.starts_with("list[") || name.starts_with("List[") || name.ends_with("[]") => {
            Some(AnswerKind::List)
        }
        _ if name.starts_with("dict[") || name.starts_with("Dict[") || name.starts_with("Record<") => {
            Some(AnswerKind::Map)
        }
        _ => None,
    }
}

fn kind_of(source: &ParsedText<'_>, function: Node<'_>, node: Node<'_>, depth: usize) -> Option<AnswerKind> {
    if depth > MAX_DEPTH.min(12) {
        return None;
    }
    let inner = |node: Node<'_>| kind_of(source, function, node, depth + 1);
    match node.kind() {
        "integer" | "float" | "number" => Some(AnswerKind::Number),
        "string" | "concatenated_string" | "template_string" => Some(AnswerKind::Text),
        "list" | "list_comprehension" | "array" => Some(AnswerKind::List),
        "dictionary" | "dictionary_comprehension" | "object" => Some(AnswerKind::Map),
        "true" | "false" | "comparison_operator" | "not_operator" => Some(AnswerKind::Truth),
        "unary_operator" | "unary_expression" => match sign(source, node).as_str() {
            "!" => Some(AnswerKind::Truth),
            "-" | "+" | "~" => Some(AnswerKind::Number),
            _ => None,
        },
        "binary_operator" | "binary_expression" => {
            let sides = ["left", "right"].map(|side| node.child_by_field_name(side));
            let known = sides.into_iter().flatten().find_map(inner);
            match sign(source, node).as_str() {
                "==" | "===" | "!=" | "!==" | "<" | "<=" | ">" | ">=" => Some(AnswerKind::Truth),
                "-" | "*" | "/" | "//" | "%" | "**" => known.or(Some(AnswerKind::Number)),
                "+" => known,
                _ => None,
            }
        }
        "parenthesized_expression" | "await" | "await_expression" => {
            named_children(node).first().copied().and_then(inner)
        }
        "conditional_expression" => {
            let parts = named_children(node);
            [parts.first(), parts.get(2)].into_iter().flatten().find_map(|part| inner(*part))
        }
        "ternary_expression" => ["consequence", "alternative"]
            .iter()
            .find_map(|part| node.child_by_field_name(part).and_then(inner)),
        "member_expression" => (source.field(node, "property")? == "length").then_some(AnswerKind::Number),
        "call" | "call_expression" => called(source, function, node, depth),
        "identifier" => bound(source, function, node).and_then(inner),
        _ => None,
    }
}

/// The kind of what a call gives, by the name of what is called.
fn called(source: &ParsedText<'_>, function: Node<'_>, call: Node<'_>, depth: usize) -> Option<AnswerKind> {
    let callee = source.field(call, "function")?;
    if callee.starts_with("Math.") {
        return Some(AnswerKind::Number);
    }
    let name = callee.rsplit('.').next().unwrap_or(&callee);
    let kinds: [(&[&str], AnswerKind); 5] = [
        (&NUMBERS, AnswerKind::Number),
        (&TEXTS, AnswerKind::Text),
        (&LISTS, AnswerKind::List),
        (&MAPS, AnswerKind::Map),
        (&TRUTHS, AnswerKind::Truth),
    ];
    if let Some((_, kind)) = kinds.iter().find(|(names, _)| names.contains(&name)) {
        return Some(*kind);
    }
    // `prices.reduce((sum, price) => …, 0)`: what it starts with.
    let arguments = call.child_by_field_name("arguments").map(named_children).unwrap_or_default();
    let start = arguments.get(1).filter(|_| name == "reduce")?;
    kind_of(source, function, *start, depth + 1)
}

/// The value that a name is first bound to in the function.
fn bound<'t>(source: &ParsedText<'_>, function: Node<'t>, name: Node<'_>) -> Option<Node<'t>> {
    let text = source.text(name);
    let mut open = vec![function.child_by_field_name("body")?];
    while let Some(node) = open.pop() {
        let sides = match node.kind() {
            "assignment" | "assignment_expression" => Some(("left", "right")),
            "variable_declarator" => Some(("name", "value")),
            _ => None,
        };
        if let Some((left, right)) = sides
            && source.field(node, left).as_deref() == Some(&text)
        {
            return node.child_by_field_name(right).filter(|value| source.text(*value) != text);
        }
        open.extend(named_children(node).into_iter().rev());
    }
    None
}

fn sign(source: &ParsedText<'_>, node: Node<'_>) -> String {
    let written =
        || children(node).into_iter().find(|child| !child.is_named()).map(|child| source.text(child));
    source.field(node, "operator").or_else(written).unwrap_or_default()
}
