//! Mutants of JavaScript and TypeScript.

use tree_sitter::Node;

use crate::mutant::{AnswerKind, MutationRules, plain_answer};
use crate::syntax::source::ParsedText;

pub(super) const JAVASCRIPT: MutationRules = MutationRules {
    functions: &[
        "function_declaration",
        "generator_function_declaration",
        "method_definition",
        "arrow_function",
        "function_expression",
    ],
    conditions: &[
        ("if_statement", "condition"),
        ("while_statement", "condition"),
        ("ternary_expression", "condition"),
    ],
    integers: &["number"],
    calls: &["call_expression"],
    default_value: |source, function| Some(value(source, function)),
    constants: &[
        ("variable_declarator", "name", "value"),
        ("public_field_definition", "name", "value"),
        ("field_definition", "property", "value"),
    ],
    ..MutationRules::NONE
};

/// A type checker may be part of the test run.
pub(super) const TYPESCRIPT: MutationRules = MutationRules {
    default_value: |source, function| Some(format!("{} as any", value(source, function))),
    ..JAVASCRIPT
};

fn value(source: &ParsedText<'_>, function: Node<'_>) -> String {
    let plain = plain_answer(source, function, plain).unwrap_or("undefined");
    // The body of an arrow function that is an object would be read as a block.
    if plain.starts_with('{') { format!("({plain})") } else { plain.to_owned() }
}

fn plain(kind: AnswerKind) -> (&'static str, &'static str) {
    match kind {
        AnswerKind::Number => ("0", "1"),
        AnswerKind::Text => ("''", "'x'"),
        AnswerKind::List => ("[]", "[null]"),
        AnswerKind::Map => ("{}", "{ x: null }"),
        AnswerKind::Truth => ("false", "true"),
    }
}
