//! Mutants of C and C++.

use tree_sitter::Node;

use crate::mutant::MutationRules;
use crate::syntax::source::ParsedText;

pub(super) const CPP: MutationRules = MutationRules {
    functions: &["function_definition"],
    conditions: &[
        ("if_statement", "condition"),
        ("while_statement", "condition"),
        ("conditional_expression", "condition"),
    ],
    binding_conditions: &["declaration", "init_statement"],
    integers: &["number_literal"],
    calls: &["call_expression"],
    default_value: |source, function| value(source, function, "{}"),
    constants: &[("init_declarator", "declarator", "value")],
    ..MutationRules::NONE
};

pub(super) const C: MutationRules =
    MutationRules { default_value: |source, function| value(source, function, "0"), ..CPP };

fn value(source: &ParsedText<'_>, function: Node<'_>, zero: &str) -> Option<String> {
    let kind = source.field(function, "type")?;
    let head = source.field(function, "declarator")?;
    let nothing = kind == "void" && !head.starts_with('*');
    Some(if nothing { String::new() } else { zero.into() })
}
