//! Tests that a macro of the test file makes: which of the values that a macro is given is the expected one of a test.

use tree_sitter::Node;

use crate::expectation::MadeTest;
use crate::syntax::source::{MAX_DEPTH, ParsedText, children};

/// A part of what a macro is given, by its pattern.
enum PatternPart {
    /// `$name:kind`
    Value(String, String),
    /// A word or a sign.
    Token(String),
    /// Parts in brackets.
    Group(Vec<PatternPart>),
    /// `$( … ),*`
    Rows(Vec<PatternPart>),
}

/// What the names of a pattern stand for in one row.
type MacroRow<'t> = Vec<(String, Vec<Node<'t>>)>;

/// The test of a name that a macro of the file makes.
pub(super) fn made<'t>(source: &ParsedText<'_>, root: Node<'t>, name: &str) -> Option<MadeTest<'t>> {
    let nodes = inside(root);
    let rules = nodes.iter().filter(|node| node.kind() == "macro_definition").flat_map(|node| {
        let of = source.field(*node, "name").unwrap_or_default();
        children(*node)
            .into_iter()
            .filter(|rule| rule.kind() == "macro_rule")
            .map(move |rule| (of.clone(), rule))
    });
    for (of, rule) in rules {
        let (Some(left), Some(right)) = (rule.child_by_field_name("left"), rule.child_by_field_name("right"))
        else {
            continue;
        };
        let Some((want, place)) = compared(source, right) else { continue };
        let pattern = parts(source, left);
        let calls = nodes.iter().filter(|node| node.kind() == "macro_invocation");
        let own = calls.filter(|call| source.field(**call, "macro").is_some_and(|text| text == of));
        for tokens in
            own.filter_map(|call| children(*call).into_iter().find(|part| part.kind() == "token_tree"))
        {
            let rows = rows(source, &pattern, &between(tokens));
            let is_named = |row: &&MacroRow<'t>| {
                row.iter().any(|(variable, value)| {
                    matches!(value.as_slice(), [one] if source.text(*one) == name)
                        && source.text(right).contains(&format!("fn {variable}"))
                })
            };
            let row = rows.iter().find(is_named);
            if let Some((_, value)) = row.and_then(|row| row.iter().find(|(variable, _)| *variable == want)) {
                return Some(MadeTest {
                    value: value.clone(),
                    plain: is_plain(source, value),
                    denied: (place, "panic!()"),
                });
            }
        }
    }
    None
}

/// All nodes below a node.
pub(super) fn inside(root: Node<'_>) -> Vec<Node<'_>> {
    let (mut out, mut open) = (Vec::new(), vec![root]);
    while let Some(node) = open.pop() {
        out.push(node);
        open.extend(children(node));
    }
    out
}

/// What stands between the brackets of a node.
fn between(node: Node<'_>) -> Vec<Node<'_>> {
    let mut all = children(node);
    all.retain(|part| !part.kind().contains("comment"));
    all.pop();
    all.into_iter().skip(1).collect()
}

/// The name that a macro compares with what a call gives, and where the assertion stands. It must be used for nothing else.
fn compared(source: &ParsedText<'_>, right: Node<'_>) -> Option<(String, std::ops::Range<usize>)> {
    let text = source.text(right);
    for node in inside(right).into_iter().filter(|node| source.text(*node) == "assert_eq") {
        let mut next = node.next_sibling();
        while let Some(sign) =
            next.filter(|next| next.kind() != "token_tree" && source.text(*next).trim() == "!")
        {
            next = sign.next_sibling();
        }
        let Some(list) = next.filter(|next| next.kind() == "token_tree") else { continue };
        let arguments = between(list);
        let arguments: Vec<Vec<String>> = arguments
            .split(|part| source.text(*part) == ",")
            .map(|part| {
                part.iter().map(|node| source.text(*node)).filter(|text| text != "&" && text != "*").collect()
            })
            .collect();
        let [one, other, ..] = arguments.as_slice() else { continue };
        let (want, call) = match (one.as_slice(), other.as_slice()) {
            ([_, _, ..], [want]) => (want, one),
            ([want], [_, _, ..]) => (want, other),
            _ => continue,
        };
        let calls = call.iter().any(|word| word.starts_with('('));
        let uses = text.matches(want.as_str()).count();
        if want.starts_with('$') && calls && uses == 1 {
            return Some((want.clone(), node.start_byte()..list.end_byte()));
        }
    }
    None
}

/// The parts of a pattern in brackets.
fn parts(source: &ParsedText<'_>, pattern: Node<'_>) -> Vec<PatternPart> {
    between(pattern).into_iter().map(|node| part_of(source, node)).collect()
}

fn part_of(source: &ParsedText<'_>, node: Node<'_>) -> PatternPart {
    match node.kind() {
        "token_binding_pattern" => {
            let name = source.field(node, "name").unwrap_or_default();
            PatternPart::Value(name, source.field(node, "type").unwrap_or_default())
        }
        "token_tree_pattern" => PatternPart::Group(parts(source, node)),
        "token_repetition_pattern" => {
            let inner = children(node);
            let end = inner.iter().rposition(|part| source.text(*part) == ")").unwrap_or(inner.len());
            let begin =
                inner.iter().position(|part| source.text(*part).ends_with('(')).map_or(0, |at| at + 1);
            let rows = inner.get(begin..end).unwrap_or_default();
            PatternPart::Rows(rows.iter().map(|part| part_of(source, *part)).collect())
        }
        _ => PatternPart::Token(source.text(node)),
    }
}

/// What a macro is given, row by row; all of it is one row where its pattern has none.
fn rows<'t>(source: &ParsedText<'_>, pattern: &[PatternPart], tokens: &[Node<'t>]) -> Vec<MacroRow<'t>> {
    let [PatternPart::Rows(inner), ..] = pattern else {
        return row(source, pattern, tokens, 0).map(|(row, _)| row).into_iter().collect();
    };
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some((found, used)) =
        tokens.get(at..).and_then(|rest| row(source, inner, rest, 0)).filter(|(_, used)| *used > 0)
    {
        out.push(found);
        at += used;
        if tokens.get(at).is_some_and(|token| matches!(source.text(*token).as_str(), "," | ";")) {
            at += 1;
        }
    }
    out
}

/// One row at the beginning of some tokens, and how many of them it has.
fn row<'t>(
    source: &ParsedText<'_>,
    pattern: &[PatternPart],
    tokens: &[Node<'t>],
    depth: usize,
) -> Option<(MacroRow<'t>, usize)> {
    let (mut out, mut at) = (Vec::new(), 0);
    for (nth, part) in pattern.iter().enumerate() {
        match part {
            // A last comma, attributes: rows without them are read.
            PatternPart::Rows(_) => {}
            PatternPart::Token(text) => {
                let last = nth + 1 == pattern.len() && at == tokens.len();
                if !last && source.text(*tokens.get(at)?) != *text {
                    return None;
                }
                at += usize::from(!last);
            }
            PatternPart::Group(inner) => {
                let group =
                    tokens.get(at).filter(|token| token.kind() == "token_tree" && depth < MAX_DEPTH)?;
                out.extend(row(source, inner, &between(*group), depth + 1)?.0);
                at += 1;
            }
            PatternPart::Value(name, kind) => {
                let stop = pattern.get(nth + 1).and_then(|next| match next {
                    PatternPart::Token(text) => Some(text.as_str()),
                    PatternPart::Value(..) | PatternPart::Group(_) | PatternPart::Rows(_) => None,
                });
                let rest = tokens.get(at..)?;
                let ends = |token: &Node<'t>| {
                    let text = source.text(*token);
                    stop.map_or(matches!(text.as_str(), "," | ";" | "=>"), |stop| text == stop)
                };
                let used = match kind.as_str() {
                    "ident" | "tt" | "lifetime" => 1,
                    _ => rest.iter().position(ends).unwrap_or(rest.len()),
                };
                let value = rest.get(..used).filter(|value| !value.is_empty())?;
                out.push((name.clone(), value.to_vec()));
                at += used;
            }
        }
    }
    Some((out, at))
}

/// Whether a value compares in the way of the language: literals, alone or in a list or an option.
fn is_plain(source: &ParsedText<'_>, value: &[Node<'_>]) -> bool {
    const WORDS: [&str; 12] = [
        "vec",
        "Some",
        "Ok",
        "Err",
        "None",
        "String",
        "from",
        "to_string",
        "to_owned",
        "into",
        "true",
        "false",
    ];
    value
        .iter()
        .flat_map(|node| inside(*node))
        .all(|node| !node.kind().contains("identifier") || WORDS.contains(&source.text(node).as_str()))
}

#[cfg(test)]
mod tests {
    use crate::expectation::made_expectations;

    fn changed(text: &str, name: &str) -> Vec<(String, String)> {
        let seen = made_expectations("tests/a.rs", text.as_bytes(), name, 1);
        let mutants = seen.into_iter().flat_map(|seen| seen.mutants);
        mutants.map(|mutant| (mutant.kind.as_str().to_owned(), mutant.was)).collect()
    }

    fn equality(was: &str) -> Vec<(String, String)> {
        vec![("equality".to_owned(), was.to_owned())]
    }

    const ROWS: &str = "macro_rules! cases {\n    ($($name:ident: $text:expr => $want:expr,)*) => {\n        $(\n            #[test]\n            fn $name() {\n                assert_eq!(slug($text), $want);\n            }\n        )*\n    };\n}\n\ncases! {\n    plain: \"a\" => \"b\",\n    two: f(&[1, 2], 3) => Some(42),\n    own: \"c\" => Money::new(77),\n}\n";

    #[test]
    fn rows_of_a_macro() {
        assert_eq!(changed(ROWS, "tests/a.rs plain"), equality("b"));
        assert_eq!(changed(ROWS, "tests/a.rs inner::two"), equality("42"));
        assert_eq!(changed(ROWS, "tests/a.rs own"), [("field".to_owned(), "77".to_owned())]);
        assert_eq!(changed(ROWS, "tests/a.rs other"), []);
    }

    #[test]
    fn one_call_for_each_test() {
        let text = "macro_rules! case {\n    ($name:ident, $text:expr, $want:expr) => {\n        #[test]\n        fn $name() { assert_eq!($want, slug($text)); }\n    };\n}\n\ncase!(plain, \"a\", \"b\");\ncase!(two, \"c\", vec![4, 5]);\n";
        assert_eq!(changed(text, "tests/a.rs plain"), equality("b"));
        assert_eq!(changed(text, "tests/a.rs two").len(), 2);
        let grouped = "macro_rules! case {\n    ($($name:ident($text:expr) == $want:literal),* $(,)?) => {\n        $(#[test] fn $name() { assert_eq!(slug($text), $want) })*\n    };\n}\n\ncase!(plain(\"a\") == \"b\", two(\"c\") == \"d\");\n";
        assert_eq!(changed(grouped, "tests/a.rs two"), equality("d"));
    }

    /// A value that is an input as well is left alone, and so is one that is compared with another value.
    #[test]
    fn only_what_is_expected() {
        let input = ROWS.replace("slug($text)", "slug($text, $want)");
        assert_eq!(changed(&input, "tests/a.rs plain"), []);
        let two = ROWS.replace("slug($text)", "$text");
        assert_eq!(changed(&two, "tests/a.rs plain"), []);
    }
}
