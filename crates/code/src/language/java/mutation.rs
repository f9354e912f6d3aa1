//! Mutants of Java.

use crate::mutant::{Guard, MutationRules};

pub(super) const RULES: MutationRules = MutationRules {
    functions: &["method_declaration"],
    conditions: &[
        ("if_statement", "condition"),
        ("while_statement", "condition"),
        ("ternary_expression", "condition"),
    ],
    binding_conditions: &["instanceof_expression"],
    integers: &["decimal_integer_literal"],
    calls: &["method_invocation"],
    default_value: |source, function| {
        let kind = source.field(function, "type").unwrap_or_default();
        Some(match kind.as_str() {
            "void" => String::new(),
            "boolean" => "false".into(),
            "byte" | "short" | "int" | "long" | "float" | "double" | "char" => "0".into(),
            "String" => "\"\"".into(),
            _ => "null".into(),
        })
    },
    guard: Guard::Below("if (true)"),
    constants: &[("variable_declarator", "name", "value")],
    ..MutationRules::NONE
};
