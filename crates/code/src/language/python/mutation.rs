//! Mutants of Python.

use crate::mutant::{Guard, MutationRules};

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
    default_value: |_, _| Some("None".into()),
    guard: Guard::Line,
    constants: &[("assignment", "left", "right")],
    ..MutationRules::NONE
};
