//! Mutants of Rust.

use crate::mutant::{Guard, MutationRules};

pub(super) const RULES: MutationRules = MutationRules {
    functions: &["function_item"],
    conditions: &[("if_expression", "condition"), ("while_expression", "condition")],
    binding_conditions: &["let_condition", "let_chain"],
    integers: &["integer_literal"],
    calls: &["call_expression", "macro_invocation"],
    default_value: |source, function| {
        let back = source.field(function, "return_type").unwrap_or_default();
        let head = back.split('<').next().unwrap_or_default();
        Some(match head.rsplit("::").next().unwrap_or_default() {
            "" => String::new(),
            "Result" => "Ok(Default::default())".into(),
            _ => "Default::default()".into(),
        })
    },
    guard: Guard::Below("if true"),
    constants: &[("const_item", "name", "value"), ("static_item", "name", "value")],
    ..MutationRules::NONE
};
