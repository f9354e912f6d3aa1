//! Walks a syntax tree and makes every mutant of it.

use std::ops::Range;

use tree_sitter::Node;

use super::rules::{Guard, MutationRules};
use super::{Mutant, MutantKind};
use crate::expectation::{Choice, LiteralKinds, ValueMatch};
use crate::syntax::source::{MAX_DEPTH, ParsedText, child_of_kind, children, line_of, named_children};

/// The most mutants of one constant: its first value, its last one, and one between them.
const PER_CONSTANT: usize = 3;
/// Functions of two arguments that may stand in any order.
const SYMMETRIC: [&str; 12] =
    ["max", "min", "sum", "add", "gcd", "lcm", "hypot", "equal", "eq", "is_close", "isclose", "print"];

/// Every mutant of the functions and constants of a text.
pub(super) fn all(source: &ParsedText<'_>, rules: &MutationRules, literals: &LiteralKinds) -> Vec<Mutant> {
    let mut maker = MutantMaker { source, rules, literals, made: Vec::new() };
    maker.visit(source.root(), None, 0);
    maker.made
}

struct MutantMaker<'a> {
    source: &'a ParsedText<'a>,
    rules: &'a MutationRules,
    literals: &'a LiteralKinds,
    made: Vec<Mutant>,
}

impl MutantMaker<'_> {
    fn visit(&mut self, node: Node<'_>, within: Option<&str>, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        let own = self.rules.functions.contains(&node.kind()).then(|| name_of(self.source, node)).flatten();
        if let Some(name) = &own {
            self.early_return(node, name);
        }
        let within = own.as_deref().or(within);
        if let Some(function) = within {
            self.condition(node, function);
            self.comparison(node, function);
            self.integer(node, function);
            self.call(node, function);
            self.swapped(node, function);
        } else {
            self.constant(node);
        }
        for child in named_children(node) {
            self.visit(child, within, depth + 1);
        }
    }

    fn push(&mut self, kind: MutantKind, function: &str, node: Node<'_>, range: Range<usize>, text: String) {
        let (function, line) = (function.to_owned(), line_of(node));
        let last_line = node.end_position().row + 1;
        self.made.push(Mutant { kind, function, line, last_line, range, text });
    }

    fn early_return(&mut self, function: Node<'_>, name: &str) {
        let Some(body) = function.child_by_field_name("body") else { return };
        let Some(value) = (self.rules.default_value)(self.source, function) else { return };
        let back = if value.is_empty() { "return".to_owned() } else { format!("return {value}") };
        let is_block = self.source.slice(body.byte_range()).starts_with(b"{");
        let behind_brace = body.start_byte() + 1..body.start_byte() + 1;
        let (range, text) = match self.rules.guard {
            Guard::Line => {
                let first = first_statement(self.source, body);
                let column = first.start_position().column;
                let same_line = first.start_position().row == function.start_position().row;
                let gap = if same_line { "; ".to_owned() } else { format!("\n{}", " ".repeat(column)) };
                (first.start_byte()..first.start_byte(), format!("{back}{gap}"))
            }
            // The body of an arrow function can be an expression.
            Guard::Brace | Guard::Below(_) if !is_block => (body.byte_range(), value),
            Guard::Brace => (behind_brace, format!(" {back};")),
            Guard::Below(condition) => (behind_brace, format!(" {condition} {{ {back}; }}")),
        };
        self.push(MutantKind::EarlyReturn, name, function, range, text);
    }

    fn condition(&mut self, node: Node<'_>, function: &str) {
        let field = self.rules.conditions.iter().find(|(kind, _)| *kind == node.kind());
        let Some(condition) = field.and_then(|(_, field)| node.child_by_field_name(field)) else { return };
        if contains_kind(condition, self.rules.binding_conditions) {
            return;
        }
        let text = self.source.text(condition);
        let (before, after) = self.rules.negation;
        let text = match condition.kind() {
            // The parentheses may belong to the statement: they stay.
            "parenthesized_expression" | "condition_clause" => {
                let inner = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
                format!("({before}{}{after})", inner.unwrap_or(&text))
            }
            _ => format!("{before}{text}{after}"),
        };
        self.push(MutantKind::NegatedCondition, function, condition, condition.byte_range(), text);
    }

    fn comparison(&mut self, node: Node<'_>, function: &str) {
        if !self.rules.comparisons.contains(&node.kind()) {
            return;
        }
        let moved = |operator: &str| match operator {
            "<" => Some("<="),
            "<=" => Some("<"),
            ">" => Some(">="),
            ">=" => Some(">"),
            _ => None,
        };
        for child in children(node) {
            if let Some(text) = moved(&self.source.text(child)) {
                self.push(MutantKind::OffByOne, function, child, child.byte_range(), text.into());
            }
        }
    }

    fn integer(&mut self, node: Node<'_>, function: &str) {
        if !self.rules.integers.contains(&node.kind()) {
            return;
        }
        let text = self.source.text(node);
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, suffix) = text.split_at(digits);
        let plain = suffix.is_empty() || suffix.starts_with(['u', 'i', 'L', 'U']);
        if let (true, Ok(number)) = (plain, number.parse::<u64>()) {
            // The blank changes the size, which byte code caches look at besides the time.
            let text = format!("{}{suffix} ", number.saturating_add(1));
            self.push(MutantKind::OffByOne, function, node, node.byte_range(), text);
        }
    }

    fn swapped(&mut self, node: Node<'_>, function: &str) {
        if !self.rules.calls.contains(&node.kind()) {
            return;
        }
        let name = ["function", "method", "name"].iter().find_map(|field| self.source.field(node, field));
        let word = name.as_deref().and_then(|name| name.rsplit(['.', ':', '>']).next()).unwrap_or_default();
        let all = node.child_by_field_name("arguments").map(named_children).unwrap_or_default();
        let [first, second, ..] = all.as_slice() else { return };
        let (one, other) = (self.source.text(*first), self.source.text(*second));
        let named =
            |n: &Node<'_>| n.kind().contains("keyword") || n.kind().contains("splat") || n.kind() == "pair";
        if one == other || named(first) || named(second) || SYMMETRIC.contains(&word) {
            return;
        }
        let between = self.source.slice(first.end_byte()..second.start_byte());
        let text = format!("{other}{}{one} ", String::from_utf8_lossy(between));
        self.push(MutantKind::SwappedArguments, function, node, first.start_byte()..second.end_byte(), text);
    }

    /// A name that the file or a class binds to values that are written out.
    fn constant(&mut self, node: Node<'_>) {
        let Some((_, name, value)) = self.rules.constants.iter().find(|(kind, ..)| *kind == node.kind())
        else {
            return;
        };
        let (Some(name), Some(value)) = (self.source.field(node, name), node.child_by_field_name(value))
        else {
            return;
        };
        // `__all__`, `__version__`: what the language or its tools read.
        if name.starts_with("__") {
            return;
        }
        // Go's grammar has a list of values even for one.
        let values = if value.kind() == "expression_list" { named_children(value) } else { vec![value] };
        let leaves: Vec<Node<'_>> =
            values.into_iter().flat_map(|value| self.literals.leaves(self.source, value)).collect();
        let last = leaves.len().saturating_sub(1);
        let mut places = vec![0, last / 2, last];
        places.dedup();
        let mut choice = Choice::new(0, &name);
        for at in places.into_iter().take(PER_CONSTANT) {
            let Some(leaf) = leaves.get(at) else { return };
            let Some((range, text)) =
                self.literals.altered(self.source, *leaf, ValueMatch::Exact, &mut choice)
            else {
                continue;
            };
            self.push(MutantKind::OtherConstant, &name, *leaf, range, text);
        }
    }

    fn call(&mut self, node: Node<'_>, function: &str) {
        let is_call = |n: Node<'_>| self.rules.calls.contains(&n.kind());
        let statement = self.rules.statements.contains(&node.kind())
            && matches!(named_children(node)[..], [only] if is_call(only));
        if statement {
            let text = self.rules.nothing.to_owned();
            self.push(MutantKind::DroppedCall, function, node, node.byte_range(), text);
        }
    }
}

/// The first statement of a body that is not its documentation.
fn first_statement<'t>(source: &ParsedText<'_>, body: Node<'t>) -> Node<'t> {
    let is_text = |n: &Node<'_>| {
        n.kind() == "expression_statement"
            && matches!(source.slice(n.byte_range()).first(), Some(b'"' | b'\''))
    };
    let statements = named_children(body);
    let code = statements.iter().find(|n| n.kind() != "comment" && !is_text(n));
    code.or(statements.first()).copied().unwrap_or(body)
}

/// The name of a function: its own, or that of the variable or key it is assigned to.
fn name_of(source: &ParsedText<'_>, function: Node<'_>) -> Option<String> {
    if let Some(name) = source.field(function, "name") {
        return Some(name);
    }
    if let Some(declarator) = function.child_by_field_name("declarator") {
        return innermost(source, declarator);
    }
    let parent = function.parent()?;
    ["name", "left", "key"].iter().find_map(|field| source.field(parent, field))
}

/// The name in the middle of a declarator of C: `*f(int)`.
fn innermost(source: &ParsedText<'_>, declarator: Node<'_>) -> Option<String> {
    let mut node = declarator;
    while let Some(inner) = node.child_by_field_name("declarator") {
        node = inner;
    }
    let name = child_of_kind(node, &["identifier", "field_identifier"]).unwrap_or(node);
    let text = source.field(node, "name").unwrap_or_else(|| source.text(name));
    (!text.is_empty()).then_some(text)
}

fn contains_kind(node: Node<'_>, kinds: &[&str]) -> bool {
    let mut open = vec![node];
    while let Some(next) = open.pop() {
        if kinds.contains(&next.kind()) {
            return true;
        }
        open.extend(named_children(next));
    }
    false
}
