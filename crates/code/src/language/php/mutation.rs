//! Mutants of PHP.

use crate::mutant::MutationRules;

pub(super) const RULES: MutationRules = MutationRules {
    functions: &["function_definition", "method_declaration"],
    conditions: &[
        ("if_statement", "condition"),
        ("else_if_clause", "condition"),
        ("while_statement", "condition"),
        ("conditional_expression", "condition"),
    ],
    integers: &["integer"],
    calls: &["function_call_expression", "member_call_expression", "scoped_call_expression"],
    default_value: |source, function| {
        let kind = source.field(function, "return_type").unwrap_or_default();
        Some(if kind == "void" { String::new() } else { "null".into() })
    },
    ..MutationRules::NONE
};
