//! Mutants of Python.

use crate::mutant::{AnswerKind, Guard, MutationRules, plain_answer};

pub(super) const RULES: MutationRules = MutationRules {
    functions: &["function_definition"],
    conditions: &[
        ("if_statement", "condition"),
        ("elif_clause", "condition"),
        ("while_statement", "condition"),
    ],
    negation: ("not (", ")"),
    comparisons: &["comparison_operator"],
    integers: &["integer"],
    calls: &["call"],
    nothing: "pass",
    default_value: |source, function| {
        Some(plain_answer(source, function, plain).unwrap_or("None").to_owned())
    },
    guard: Guard::Line,
    constants: &[("assignment", "left", "right")],
    ..MutationRules::NONE
};

fn plain(kind: AnswerKind) -> (&'static str, &'static str) {
    match kind {
        AnswerKind::Number => ("0", "1"),
        AnswerKind::Text => ("''", "'x'"),
        AnswerKind::List => ("[]", "[None]"),
        AnswerKind::Map => ("{}", "{'x': None}"),
        AnswerKind::Truth => ("False", "True"),
    }
}
