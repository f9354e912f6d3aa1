//! Mutants of Go.

use crate::mutant::MutationRules;

pub(super) const RULES: MutationRules = MutationRules {
    functions: &["function_declaration", "method_declaration"],
    conditions: &[("if_statement", "condition"), ("for_clause", "condition")],
    integers: &["int_literal"],
    calls: &["call_expression"],
    nothing: "",
    default_value: |source, function| {
        let Some(result) = function.child_by_field_name("result") else { return Some(String::new()) };
        let text = source.text(result);
        let Some(list) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
            return Some(zero_value(&text));
        };
        let parts: Vec<&str> = list.split(',').map(str::trim).collect();
        // Results with names are returned as they are: zero at the start.
        if parts.iter().any(|part| part.contains(' ')) {
            return Some(String::new());
        }
        let zeros: Vec<String> = parts.into_iter().map(zero_value).collect();
        Some(zeros.join(", "))
    },
    constants: &[("const_spec", "name", "value"), ("var_spec", "name", "value")],
    ..MutationRules::NONE
};

/// The zero value of a type that can be told by its name.
fn zero_value(name: &str) -> String {
    let kind = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = ["int", "uint", "uintptr", "float", "byte", "rune", "complex"].contains(&kind);
    match name {
        "string" => "\"\"".into(),
        "bool" => "false".into(),
        "error" | "any" => "nil".into(),
        _ if name.starts_with(['*', '[']) || name.starts_with("map[") || name.starts_with("func(") => {
            "nil".into()
        }
        _ if number => "0".into(),
        // A struct or an interface: only one of these compiles, and a mutant that does not is left out.
        _ => format!("*new({name})"),
    }
}
