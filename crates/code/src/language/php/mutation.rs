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
        let value = match kind.as_str() {
            "void" => "",
            "int" => "0",
            "float" => "0.0",
            "string" => "''",
            "array" | "iterable" => "[]",
            "bool" => "false",
            _ => "null",
        };
        Some(value.to_owned())
    },
    ..MutationRules::NONE
};
