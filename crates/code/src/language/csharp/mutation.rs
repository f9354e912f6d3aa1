//! Mutants of C#.

use crate::mutant::{Guard, MutationRules};

pub(super) const RULES: MutationRules = MutationRules {
    functions: &["method_declaration", "local_function_statement"],
    conditions: &[
        ("if_statement", "condition"),
        ("while_statement", "condition"),
        ("conditional_expression", "condition"),
    ],
    binding_conditions: &["declaration_pattern", "is_pattern_expression"],
    integers: &["integer_literal"],
    calls: &["invocation_expression"],
    default_value: |source, function| {
        let kind = source.field(function, "returns").or_else(|| source.field(function, "type"));
        Some(if kind.as_deref() == Some("void") { String::new() } else { "default".into() })
    },
    guard: Guard::Below("if (true)"),
    ..MutationRules::NONE
};
