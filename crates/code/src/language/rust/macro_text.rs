//! Assertions that a macro of the test file makes: `macro_rules! check { ($got:expr, $want:expr) => { assert_eq!($got, $want) }; }` is
//! laid open as a function of the same name, and `check!(f(1), 3)` as a call of it, with every byte in its place.
//!
//! A macro is read if its first rule takes plain values between commas, and a call if it has as many: rules are tried in order, so no
//! other one is meant. What makes tests or items is left to [`super::made`].

use tree_sitter::Node;

use super::made::inside;
use crate::language::Language;
use crate::syntax::parses;
use crate::syntax::source::{ParsedText, children};

/// What a parameter may be for its argument to be read as a value.
const VALUES: [&str; 3] = ["expr", "literal", "tt"];

/// A macro that reads like a function.
struct PlainMacro {
    name: String,
    parameters: usize,
}

/// Makes functions of macros and calls of their uses in `text`, which has the bytes of the file.
pub(super) fn lay_open(bytes: &[u8], text: &mut [u8]) {
    if !bytes.windows(12).any(|window| window == b"macro_rules!") {
        return;
    }
    let Some(source) = ParsedText::parse(Language::Rust, bytes) else { return };
    let nodes = inside(source.root());
    let definitions: Vec<Node<'_>> =
        nodes.iter().copied().filter(|node| node.kind() == "macro_definition").collect();
    let named = |name: &str| {
        definitions.iter().filter(|node| source.field(**node, "name").as_deref() == Some(name)).count()
    };
    let plain: Vec<PlainMacro> = definitions
        .iter()
        .filter(|node| source.field(**node, "name").is_some_and(|name| named(&name) == 1))
        .filter_map(|node| as_function(&source, *node, text))
        .collect();
    for node in nodes.iter().filter(|node| node.kind() == "macro_invocation") {
        let Some(name) = node.child_by_field_name("macro") else { continue };
        let Some(list) = children(*node).into_iter().find(|part| part.kind() == "token_tree") else {
            continue;
        };
        let own = plain.iter().find(|one| one.name == source.text(name));
        if own.is_some_and(|one| one.parameters == arguments(&source, list)) {
            blank(text, name.end_byte()..list.start_byte());
        }
    }
}

/// Writes a macro as a function, if it reads like one.
fn as_function(source: &ParsedText<'_>, node: Node<'_>, text: &mut [u8]) -> Option<PlainMacro> {
    let name = node.child_by_field_name("name")?;
    let rule = children(node).into_iter().find(|rule| rule.kind() == "macro_rule")?;
    let (left, right) = (rule.child_by_field_name("left")?, rule.child_by_field_name("right")?);
    let body = source.text(right);
    if !source.text(left).starts_with('(')
        || !body.starts_with('{')
        || ["fn ", "$(", "#[", "macro_rules!"].iter().any(|word| body.contains(word))
    {
        return None;
    }
    let mut parameters = 0;
    let mut laid = text.to_vec();
    for part in children(left) {
        match part.kind() {
            "token_binding_pattern" if VALUES.contains(&source.field(part, "type")?.as_str()) => {
                laid[part.start_byte()] = b' ';
                parameters += 1;
            }
            // A last comma: `$(,)?`.
            "token_repetition_pattern" if source.text(part).replace(' ', "").starts_with("$(,)") => {
                blank(&mut laid, part.byte_range());
            }
            "(" | ")" | "," => {}
            _ => return None,
        }
    }
    blank(&mut laid, node.start_byte()..name.start_byte());
    laid[node.start_byte()..node.start_byte() + 2].copy_from_slice(b"fn");
    blank(&mut laid, name.end_byte()..left.start_byte());
    blank(&mut laid, left.end_byte()..right.start_byte());
    for at in right.byte_range().filter(|at| source.bytes[*at] == b'$') {
        laid[at] = b' ';
    }
    blank(&mut laid, right.end_byte()..node.end_byte());
    parses(Language::Rust, &laid[node.byte_range()]).ok()?;
    text[node.byte_range()].copy_from_slice(&laid[node.byte_range()]);
    Some(PlainMacro { name: source.text(name), parameters })
}

/// How many values stand between the brackets of a call; none if they are no round ones.
fn arguments(source: &ParsedText<'_>, list: Node<'_>) -> usize {
    let mut parts = children(list);
    let closed = parts.pop().is_some_and(|end| source.text(end) == ")");
    let signs: Vec<String> = parts.iter().skip(1).map(|part| source.text(*part)).collect();
    let last = signs.last().is_some_and(|sign| sign == ",");
    let commas = signs.iter().filter(|sign| *sign == ",").count();
    if !closed || signs.is_empty() { 0 } else { commas + usize::from(!last) }
}

fn blank(text: &mut [u8], range: std::ops::Range<usize>) {
    for byte in &mut text[range] {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
}

/// Whether an unread macro fails a test: by its name, or because the file says so.
pub(super) fn asserts(source: &ParsedText<'_>, name: &str) -> bool {
    let last = name.rsplit("::").next().unwrap_or(name).trim();
    if last.trim_start_matches("prop_").starts_with("assert") {
        return true;
    }
    let text = String::from_utf8_lossy(source.bytes);
    let definition = text.split("macro_rules!").skip(1).find(|rest| {
        rest.trim_start().strip_prefix(last).is_some_and(|rest| rest.trim_start().starts_with(['{', '(']))
    });
    let own = definition.and_then(|rest| rest.split("\n}").next());
    own.is_some_and(|body| body.contains("assert") || body.contains("panic!"))
}
