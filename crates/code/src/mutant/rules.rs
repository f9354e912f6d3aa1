//! What a language says about its functions, conditions and calls, by the names of its grammar.

use tree_sitter::Node;

use crate::syntax::source::ParsedText;

/// The node kinds and texts that mutants of a language are made of. Empty lists make none.
pub(crate) struct MutationRules {
    /// Functions: nodes with a body.
    pub(crate) functions: &'static [&'static str],
    /// Nodes with a condition, and the field that it stands in.
    pub(crate) conditions: &'static [(&'static str, &'static str)],
    /// Conditions that bind names, so that they cannot be negated.
    pub(crate) binding_conditions: &'static [&'static str],
    /// What stands before and after a negated expression.
    pub(crate) negation: (&'static str, &'static str),
    /// Nodes with two sides and an operator between them.
    pub(crate) comparisons: &'static [&'static str],
    /// Whole numbers.
    pub(crate) integers: &'static [&'static str],
    /// Statements that consist of one expression.
    pub(crate) statements: &'static [&'static str],
    /// Calls.
    pub(crate) calls: &'static [&'static str],
    /// Bindings of constants: the node, its name and its value.
    pub(crate) constants: &'static [(&'static str, &'static str, &'static str)],
    /// A statement that does nothing.
    pub(crate) nothing: &'static str,
    /// The value that a function returns at once: `Some("")` for a function without one, `None` where none is known.
    pub(crate) default_value: fn(&ParsedText<'_>, Node<'_>) -> Option<String>,
    /// How an early return is written.
    pub(crate) guard: Guard,
}

/// How an early return is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guard {
    /// A statement before the first one, as in Python and Ruby.
    Line,
    /// Behind the opening brace.
    Brace,
    /// Behind the opening brace, below this condition: code after it must count as reachable.
    Below(&'static str),
}

impl MutationRules {
    /// A language of which nothing is known.
    pub(crate) const NONE: Self = Self {
        functions: &[],
        conditions: &[],
        binding_conditions: &[],
        negation: ("!(", ")"),
        comparisons: &["binary_expression"],
        integers: &[],
        statements: &["expression_statement"],
        calls: &[],
        constants: &[],
        nothing: ";",
        default_value: |_, _| None,
        guard: Guard::Brace,
    };
}
