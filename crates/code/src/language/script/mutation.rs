//! Mutants of JavaScript and TypeScript.

use crate::mutant::MutationRules;

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
    default_value: |_, _| Some("undefined".into()),
    constants: &[
        ("variable_declarator", "name", "value"),
        ("public_field_definition", "name", "value"),
        ("field_definition", "property", "value"),
    ],
    ..MutationRules::NONE
};

/// A type checker may be part of the test run.
pub(super) const TYPESCRIPT: MutationRules =
    MutationRules { default_value: |_, _| Some("undefined as any".into()), ..JAVASCRIPT };
