//! Mutants of Ruby.

use crate::mutant::{Guard, MutationRules};

pub(super) const RULES: MutationRules = MutationRules {
    functions: &["method", "singleton_method"],
    conditions: &[
        ("if", "condition"),
        ("elsif", "condition"),
        ("unless", "condition"),
        ("while", "condition"),
        ("if_modifier", "condition"),
        ("unless_modifier", "condition"),
        ("conditional", "condition"),
    ],
    comparisons: &["binary"],
    integers: &["integer"],
    default_value: |_, _| Some("nil".into()),
    guard: Guard::Line,
    constants: &[("assignment", "left", "right")],
    ..MutationRules::NONE
};
