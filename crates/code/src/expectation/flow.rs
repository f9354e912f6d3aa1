//! One step of data flow: where the expected side of an equality gets its value from.
//!
//! A name counts if the test binds it once, to literals, and uses it for nothing but comparisons: then it is an
//! expectation and no input.

use std::ops::Range;

use tree_sitter::Node;

use super::rules::ExpectationRules;
use crate::syntax::source::{ParsedText, named_children};

/// What is known about the values of one test.
pub(super) struct ValueFlow<'a, 's, 't> {
    pub(super) source: &'t ParsedText<'s>,
    pub(super) rules: &'a ExpectationRules,
    pub(super) scope: Range<usize>,
    /// The test with its attributes and decorators.
    pub(super) item: Node<'t>,
    pub(super) body: Node<'t>,
    /// The sides of all comparisons of the test.
    pub(super) sides: &'a [Node<'t>],
}

impl<'t> ValueFlow<'_, '_, 't> {
    /// The values of the side that is expected: the literal one. None if both are, or neither.
    pub(super) fn expected(&self, left: Node<'t>, right: Node<'t>) -> Vec<Node<'t>> {
        let literals = &self.rules.literals;
        let by = |values: &dyn Fn(Node<'t>) -> Vec<Node<'t>>| match (values(left), values(right)) {
            (some, none) | (none, some) if none.is_empty() && !some.is_empty() => Some(some),
            (both, _) if !both.is_empty() => Some(Vec::new()),
            _ => None,
        };
        let pure = |side: Node<'t>| if literals.is_pure(self.source, side) { vec![side] } else { Vec::new() };
        let bound = |side: Node<'t>| self.bound(side);
        let partly = |side: Node<'t>| {
            if literals.leaves(self.source, side).is_empty() { Vec::new() } else { vec![side] }
        };
        by(&pure).or_else(|| by(&bound)).or_else(|| by(&partly)).unwrap_or_default()
    }

    /// The literals that a name stands for.
    fn bound(&self, side: Node<'t>) -> Vec<Node<'t>> {
        let (name, member) = if self.is_name(side) {
            (side, None)
        } else {
            let Some((object, member)) = self.member(side) else { return Vec::new() };
            (object, Some(member))
        };
        let text = self.source.text(name);
        let bindings = self.bindings_of(&text);
        let values = match (bindings.as_slice(), &member) {
            ([BoundAt::Value(value)], None) => vec![*value],
            ([BoundAt::Rows(list, at)], None) => {
                self.rows(*list).into_iter().filter_map(|r| cell(r, *at)).collect()
            }
            ([BoundAt::Rows(list, _)], Some(member)) => {
                self.rows(*list).into_iter().filter_map(|row| self.entry(row, member)).collect()
            }
            ([], None) => (self.rules.cases)(self.source, self.item, &text),
            _ => Vec::new(),
        };
        let pure = |value: &Node<'t>| self.rules.literals.is_pure(self.source, *value);
        if values.is_empty() || !self.only_compared(&text, member.as_deref()) {
            return Vec::new();
        }
        values.into_iter().filter(pure).collect()
    }

    fn is_name(&self, node: Node<'_>) -> bool {
        self.rules.names.contains(&node.kind())
    }

    /// `case.want`: the name and the member.
    fn member(&self, node: Node<'t>) -> Option<(Node<'t>, String)> {
        let (object, member) = match node.kind() {
            "attribute" => ("object", "attribute"),
            "member_expression" => ("object", "property"),
            "field_expression" if node.child_by_field_name("argument").is_some() => ("argument", "field"),
            "field_expression" => ("value", "field"),
            "selector_expression" => ("operand", "field"),
            _ => return None,
        };
        let object = node.child_by_field_name(object).filter(|object| self.is_name(*object))?;
        Some((object, self.source.field(node, member)?))
    }

    /// Where the test binds a name.
    fn bindings_of(&self, name: &str) -> Vec<BoundAt<'t>> {
        let mut out = Vec::new();
        for node in all_nodes(self.body) {
            let field = |binding: &super::rules::Binding| {
                (binding.0 == node.kind())
                    .then(|| {
                        Some((node.child_by_field_name(binding.1)?, node.child_by_field_name(binding.2)?))
                    })
                    .flatten()
            };
            if let Some((pattern, value)) = self.rules.bindings.iter().find_map(field) {
                match self.position(pattern, name) {
                    Some(0) if self.is_name(alone(pattern)) => out.push(BoundAt::Value(alone(value))),
                    Some(_) => out.push(BoundAt::Elsewhere),
                    None => {}
                }
            }
            if let Some((pattern, list)) = self.rules.loops.iter().find_map(field)
                && let Some(at) = self.position(pattern, name)
            {
                // Go names the index of a row and then the row.
                let whole = self.is_name(alone(pattern)) || node.kind() == "range_clause";
                out.push(BoundAt::Rows(list, (!whole).then_some(at)));
            }
        }
        out
    }

    /// The position of a name in a pattern.
    fn position(&self, pattern: Node<'_>, name: &str) -> Option<usize> {
        let is_it = |node: &Node<'_>| self.is_name(*node) && self.source.text(*node) == name;
        let alone = alone(pattern);
        if is_it(&alone) {
            return Some(0);
        }
        named_children(alone).iter().position(is_it)
    }

    /// The rows of a list that is written out, here or where its name is bound.
    fn rows(&self, list: Node<'t>) -> Vec<Node<'t>> {
        let list = alone(list);
        if self.is_name(list) {
            let bindings = self.bindings_of(&self.source.text(list));
            let [BoundAt::Value(value)] = bindings.as_slice() else { return Vec::new() };
            if self.is_name(*value) {
                return Vec::new();
            }
            return self.rows(*value);
        }
        let unwrapped = (self.rules.literals.wrapped)(self.source, list);
        let list = match unwrapped.as_deref() {
            Some([one]) => *one,
            _ => list,
        };
        // `[]struct{…}{…}` has its rows in a body.
        let list = list.child_by_field_name("body").unwrap_or(list);
        named_children(list).into_iter().filter(|row| !row.kind().contains("comment")).collect()
    }

    /// The value of a row's entry of this name.
    fn entry(&self, row: Node<'t>, name: &str) -> Option<Node<'t>> {
        let is_it = |node: &&Node<'t>| {
            let key = ["key", "name", "field"].iter().find_map(|field| self.source.field(**node, field));
            let first = || named_children(**node).first().map(|first| self.source.text(*first));
            let keyed = node.kind() == "keyed_element";
            key.or_else(|| keyed.then(first).flatten())
                .is_some_and(|key| key.trim_matches(['"', '\'', '.']) == name)
        };
        let nodes = all_nodes(row);
        let found = nodes.iter().find(is_it)?;
        let last = || named_children(*found).last().copied();
        found.child_by_field_name("value").or_else(last).map(alone)
    }

    /// Whether a name, or a member of it, is used for nothing but comparisons.
    fn only_compared(&self, name: &str, member: Option<&str>) -> bool {
        let own = |node: &Node<'t>| self.is_name(*node) && self.source.text(*node) == name;
        let used = all_nodes(self.body).into_iter().filter(own);
        used.filter(|node| !self.is_bound_here(*node)).all(|node| {
            let whole = match member {
                None => node,
                Some(member) => {
                    let Some(parent) = node.parent() else { return false };
                    match self.member(parent) {
                        Some((_, other)) if other == member => parent,
                        Some(_) => return true,
                        // The row as a whole goes elsewhere.
                        None => return false,
                    }
                }
            };
            self.sides.iter().any(|side| side.byte_range() == whole.byte_range()) || self.is_message(whole)
        })
    }

    /// Whether a name stands in the pattern of a binding or a loop.
    fn is_bound_here(&self, name: Node<'_>) -> bool {
        let mut node = name;
        while let Some(parent) = node.parent() {
            let bound = self.rules.bindings.iter().chain(self.rules.loops).any(|(kind, pattern, _)| {
                parent.kind() == *kind
                    && parent.child_by_field_name(pattern).is_some_and(|p| {
                        p.start_byte() <= name.start_byte() && name.end_byte() <= p.end_byte()
                    })
            });
            if bound {
                return true;
            }
            if parent.end_byte() > self.scope.end {
                break;
            }
            node = parent;
        }
        false
    }

    /// Whether a name is only printed: an argument of a message such as Go's `t.Errorf`.
    fn is_message(&self, node: Node<'_>) -> bool {
        let mut node = node;
        for _ in 0..4 {
            let Some(parent) = node.parent() else { return false };
            if let Some(function) = self.source.field(parent, "function") {
                let word = function.rsplit('.').next().unwrap_or_default();
                return ["Errorf", "Fatalf", "Logf", "Error", "Fatal", "Log"].contains(&word);
            }
            node = parent;
        }
        false
    }
}

fn cell(row: Node<'_>, at: Option<usize>) -> Option<Node<'_>> {
    match at {
        None => Some(row),
        Some(at) => named_children(alone(row)).get(at).copied(),
    }
}

fn all_nodes(root: Node<'_>) -> Vec<Node<'_>> {
    let mut out = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        out.push(node);
        open.extend(named_children(node).into_iter().rev());
    }
    out
}

/// What a name is bound to.
#[derive(Debug, Clone, Copy)]
enum BoundAt<'t> {
    /// A value.
    Value(Node<'t>),
    /// The rows of a list: the position in each row, or the row itself.
    Rows(Node<'t>, Option<usize>),
    /// Something that is not followed.
    Elsewhere,
}

/// The only element of a list of expressions, as Go's grammar has it.
fn alone(node: Node<'_>) -> Node<'_> {
    let inner = named_children(node);
    match (node.kind(), inner.as_slice()) {
        (
            "expression_list" | "literal_element" | "parenthesized_expression" | "array_element_initializer",
            [one],
        ) => alone(*one),
        _ => node,
    }
}
