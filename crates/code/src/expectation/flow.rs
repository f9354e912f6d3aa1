//! One step of data flow: where the expected side of an equality gets its value from.
//!
//! A name counts if the test, a loop around it or a table of its own binds it once, to literals, and it is used for nothing but
//! comparisons: then it is an expectation and no input.

use std::ops::Range;

use tree_sitter::Node;

use super::constant::ConstantUse;
use super::golden::{self, GoldenFile};
use super::row::cell;
use super::rules::{ExpectationRules, RowPart};
use super::table::template_column;
use crate::syntax::source::{MAX_DEPTH, ParsedText, named_children};

/// What stands in brackets or behind a `&`.
pub(super) fn unwrapped(node: Node<'_>) -> Node<'_> {
    match named_children(node).as_slice() {
        [one] if matches!(node.kind(), "parenthesized_expression" | "reference_expression") => {
            unwrapped(*one)
        }
        _ => node,
    }
}

/// What is known about the values of one test.
pub(super) struct ValueFlow<'a, 's, 't> {
    pub(super) source: &'t ParsedText<'s>,
    pub(super) rules: &'a ExpectationRules,
    /// The test with its attributes and decorators.
    pub(super) item: Node<'t>,
    pub(super) body: Node<'t>,
    pub(super) function: Node<'t>,
    /// The class that runs the test.
    pub(super) class: Option<Node<'t>>,
    /// The sides of all comparisons of the test.
    pub(super) sides: &'a [Node<'t>],
    /// The parts of its assertions that are only printed.
    pub(super) messages: &'a [Node<'t>],
    /// What the other tests of the file compare or print.
    pub(super) other_sides: &'a [Range<usize>],
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
        let laid = |side: Node<'t>| self.laid_in_file(side).into_iter().collect();
        let constant = |side: Node<'t>| self.constant(side, ConstantUse::Own).into_iter().collect();
        let classed = |side: Node<'t>| self.given_by_class(side).into_iter().collect();
        let indexed = |side: Node<'t>| self.indexed(side);
        let found = by(&pure)
            .or_else(|| by(&bound))
            .or_else(|| by(&indexed))
            .or_else(|| by(&laid))
            .or_else(|| by(&classed))
            .or_else(|| by(&constant));
        let found = found.or_else(|| by(&partly)).unwrap_or_default();
        match found.as_slice() {
            [one] if *one == left => self.counterparts(right, left, 0),
            [one] if *one == right => self.counterparts(left, right, 0),
            _ => found,
        }
    }

    /// The parts of an expected value that stand against something the code gave. `{"sum": f(1), "of": [1]}` against
    /// `{"sum": 6, "of": [1]}`: a change of the list says nothing about the code.
    fn counterparts(&self, actual: Node<'t>, expected: Node<'t>, depth: usize) -> Vec<Node<'t>> {
        let literals = &self.rules.literals;
        if literals.is_pure(self.source, actual) {
            return Vec::new();
        }
        let key = |node: Node<'t>| self.source.field(node, "key");
        let (ours, theirs) = (literals.inner(self.source, actual), literals.inner(self.source, expected));
        match (ours, theirs) {
            (Some(ours), Some(theirs))
                if actual.kind() == expected.kind()
                    && ours.len() == theirs.len()
                    && depth < MAX_DEPTH
                    && ours.iter().zip(&theirs).all(|(a, b)| a.kind() != b.kind() || key(*a) == key(*b)) =>
            {
                let pairs = ours.into_iter().zip(theirs);
                pairs.flat_map(|(a, b)| self.counterparts(a, b, depth + 1)).collect()
            }
            _ => vec![expected],
        }
    }

    /// The literals that a name stands for.
    pub(super) fn bound(&self, side: Node<'t>) -> Vec<Node<'t>> {
        let side = self.behind_star(side);
        let (name, member) = if self.is_name(side) {
            (side, None)
        } else {
            let Some((object, member)) = self.member(side) else { return Vec::new() };
            (object, Some(member))
        };
        let text = self.source.text(name);
        let mut bindings = self.bindings_of(&text);
        let mut area = self.body;
        if bindings.is_empty()
            && let Some((around, rows)) = self.bound_around(&text)
        {
            (area, bindings) = (around, vec![rows]);
        }
        let values = match (bindings.as_slice(), &member) {
            ([BoundAt::Unpacked(row, part)], None) => self.unpacked(*row, *part, &text),
            ([BoundAt::Value(value)], None) => vec![*value],
            // `want["sum"]` of a table by name that is written out.
            ([BoundAt::Value(value)], Some(member)) if self.rules.literals.is_pure(self.source, *value) => {
                self.own_entry(*value, member).into_iter().collect()
            }
            ([BoundAt::Rows(list, RowPart::Named | RowPart::Whole)], key)
                if list.kind() == "call_expression"
                    && template_column(self.source, *list, key.as_ref().unwrap_or(&text)).is_some() =>
            {
                template_column(self.source, *list, key.as_ref().unwrap_or(&text)).unwrap_or_default()
            }
            ([BoundAt::Rows(list, RowPart::Named)], None) => {
                self.rows(*list).into_iter().filter_map(|row| self.entry(row, &text)).collect()
            }
            ([BoundAt::Rows(list, part)], None) => {
                self.rows(*list).into_iter().filter_map(|row| cell(row, *part)).collect()
            }
            ([BoundAt::Rows(list, RowPart::Whole | RowPart::At(_))], Some(member)) => {
                self.rows(*list).into_iter().filter_map(|row| self.entry(row, member)).collect()
            }
            ([], None) => (self.rules.cases)(self.source, self.item, &text),
            ([], Some(member)) => {
                let rows = (self.rules.cases)(self.source, self.item, &text).into_iter();
                rows.filter_map(|row| self.entry(row, member)).collect()
            }
            _ => Vec::new(),
        };
        let pure = |value: &Node<'t>| self.rules.literals.is_pure(self.source, *value);
        if values.is_empty() || !self.only_compared(area, &text, member.as_deref()) {
            return Vec::new();
        }
        values.into_iter().filter(pure).collect()
    }

    /// Whether these values are the expected ones of all cases of a test that is reported case by case: one in every row of
    /// a table that stands before or around the test.
    pub(super) fn are_all_cases(&self, left: Node<'t>, right: Node<'t>, values: &[Node<'t>]) -> bool {
        let [first, second, ..] = values else { return false };
        // A name that the test itself binds goes through the rows within one case.
        let within = |side: Node<'t>| {
            let name =
                if self.is_name(side) { Some(side) } else { self.member(side).map(|(object, _)| object) };
            let bindings = |name: Node<'t>| self.bindings_of(&self.source.text(name));
            name.is_some_and(|name| match bindings(name).as_slice() {
                [] => false,
                [BoundAt::Unpacked(row, _)] => !bindings(*row).is_empty(),
                _ => true,
            })
        };
        if [left, right].into_iter().any(|side| !self.bound(side).is_empty() && within(side)) {
            return false;
        }
        let above = |node: Node<'t>| std::iter::successors(Some(node), Node::parent);
        let Some(table) = above(*first).find(|node| above(*second).any(|other| other == *node)) else {
            return false;
        };
        let inside_test =
            self.body.start_byte() <= table.start_byte() && table.end_byte() <= self.body.end_byte();
        let rows: Vec<Node<'t>> =
            named_children(table).into_iter().filter(|row| !row.kind().contains("comment")).collect();
        let holds = |row: &Node<'t>, value: &Node<'t>| {
            row.start_byte() <= value.start_byte() && value.end_byte() <= row.end_byte()
        };
        let one_each = rows.iter().all(|row| values.iter().filter(|value| holds(row, value)).count() == 1);
        !inside_test && one_each && rows.len() == values.len()
    }

    /// The loop around the test that binds a name, and what it binds it to.
    pub(super) fn bound_around(&self, name: &str) -> Option<(Node<'t>, BoundAt<'t>)> {
        std::iter::successors(self.item.parent(), Node::parent).find_map(|node| {
            let in_loop = self.rules.loops.iter().find(|(kind, ..)| *kind == node.kind());
            let looped = in_loop.and_then(|(_, pattern, list)| {
                let part = self.row_part(node.child_by_field_name(pattern)?, name, node.kind())?;
                Some(BoundAt::Rows(node.child_by_field_name(list)?, part))
            });
            let called =
                || (self.rules.around)(self.source, node, name).map(|(list, part)| BoundAt::Rows(list, part));
            looped.or_else(called).map(|rows| (node, rows))
        })
    }

    /// The side of an equality whose value is expected and not what the code gave: what is written out before a name,
    /// a name before a call, a call of the language before one of what the file imports.
    pub(super) fn computed(&self, left: Node<'t>, right: Node<'t>) -> Option<Node<'t>> {
        let literals = &self.rules.literals;
        let pure = |side| literals.is_pure(self.source, side);
        if pure(left) && pure(right) {
            return None;
        }
        Some(if self.remoteness(left, 0) < self.remoteness(right, 0) { left } else { right })
    }

    /// How far a value is from being written out.
    fn remoteness(&self, side: Node<'t>, depth: usize) -> usize {
        if self.rules.literals.is_pure(self.source, side) {
            return 0;
        }
        if self.is_name(side) {
            return match self.bindings_of(&self.source.text(side)).as_slice() {
                [BoundAt::Value(value)] if depth < 4 => self.remoteness(*value, depth + 1).max(1),
                _ => 1,
            };
        }
        let calls = |node: &Node<'_>| node.kind().contains("call") || node.kind().contains("invocation");
        let inside = all_nodes(side);
        if !inside.iter().any(calls) {
            return 2;
        }
        let imported = self.imported();
        let own =
            inside.iter().any(|node| self.is_name(*node) && imported.contains(&self.source.text(*node)));
        if own { 4 } else { 3 }
    }

    /// The names in the imports of the file.
    fn imported(&self) -> Vec<String> {
        let top = named_children(self.source.root());
        let imports = top.into_iter().filter(|node| {
            let text = self.source.text(*node);
            ["import ", "from ", "require", "use "].iter().any(|word| text.starts_with(word))
                || text.contains("require(")
        });
        let names = imports.flat_map(all_nodes).filter(|node| self.is_name(*node));
        names.map(|node| self.source.text(node)).collect()
    }

    /// The file that a side is read from, if the test names it once and uses what it holds for nothing else.
    pub(super) fn golden(&self, side: Node<'t>) -> Option<GoldenFile> {
        let named = all_nodes(side)
            .into_iter()
            .find(|node| self.is_name(*node) && !self.bindings_of(&self.source.text(*node)).is_empty());
        let value = if let Some(name) = named {
            let text = self.source.text(name);
            let bindings = self.bindings_of(&text);
            let [BoundAt::Value(value)] = bindings.as_slice() else { return None };
            let own = |node: &Node<'t>| self.is_name(*node) && self.source.text(*node) == text;
            let uses = all_nodes(self.body).into_iter().filter(own).filter(|node| !self.is_bound_here(*node));
            // What is compared goes nowhere else.
            Some(*value).filter(|_| uses.count() == 1)?
        } else {
            side
        };
        let words = self.source.text(value).to_lowercase();
        if !["read", "open", "load", "include_str", "file_get_contents"]
            .iter()
            .any(|word| words.contains(word))
        {
            return None;
        }
        let strings =
            all_nodes(value).into_iter().filter(|node| self.rules.literals.strings.contains(&node.kind()));
        let names = strings.map(|node| self.source.text(node).trim_matches(['"', '\'', '`']).to_owned());
        let file = names.rev().find(|name| name.rsplit('/').next().is_some_and(|last| last.contains('.')))?;
        let once = String::from_utf8_lossy(self.source.bytes).matches(file.as_str()).count() == 1;
        let all = golden::reads_all(&[self.source.text(value), self.source.text(side)]);
        let file = file.trim_start_matches("./").trim_start_matches("../").to_owned();
        (once && all).then_some(GoldenFile::Named(file))
    }

    /// A name that is a parameter of the test and is used for nothing but comparisons.
    pub(super) fn is_parameter(&self, side: Node<'t>) -> bool {
        let side = unwrapped(side);
        let text = self.written(side);
        // C has the parameters in the declarator; those of a macro have no types.
        let declarators =
            std::iter::successors(Some(self.function), |node| node.child_by_field_name("declarator"));
        let mut lists = declarators.filter_map(|node| node.child_by_field_name("parameters"));
        let declared = lists.next().map(all_nodes).unwrap_or_default();
        self.is_name(side)
            && declared.iter().any(|node| {
                (self.is_name(*node) || node.kind() == "type_identifier") && self.written(*node) == text
            })
            && self.bindings_of(&text).is_empty()
            && self.only_compared(self.body, &text, None)
    }

    /// A name as it is written: a value that a macro of Rust is given has a `$`, which the laid out text lacks.
    pub(super) fn written(&self, node: Node<'_>) -> String {
        let given = node.start_byte() > 0 && self.source.bytes.get(node.start_byte() - 1) == Some(&b'$');
        let own = self.source.slice(self.function.byte_range()).starts_with(b"macro_rules!");
        let text = self.source.text(node);
        if given && own { format!("${text}") } else { text }
    }

    /// The name behind a `*`.
    pub(super) fn behind_star(&self, side: Node<'t>) -> Node<'t> {
        let inner = named_children(side);
        match inner.as_slice() {
            [one]
                if side.kind() == "unary_expression"
                    && self.is_name(*one)
                    && self.source.text(side).starts_with('*') =>
            {
                *one
            }
            _ => side,
        }
    }

    pub(super) fn is_name(&self, node: Node<'_>) -> bool {
        self.rules.names.contains(&node.kind())
    }

    /// `case.want`: the name and the member.
    pub(super) fn member(&self, node: Node<'t>) -> Option<(Node<'t>, String)> {
        let (object, member) = match node.kind() {
            "subscript" => {
                let object = node.child_by_field_name("value").filter(|object| self.is_name(*object))?;
                let key = node.child_by_field_name("subscript").filter(|key| key.kind() == "string")?;
                return Some((object, self.source.text(key).trim_matches(['"', '\'']).to_owned()));
            }
            // Java has the components of a record behind a call.
            "method_invocation" => {
                let arguments = node.child_by_field_name("arguments").map(named_children);
                let object = node.child_by_field_name("object").filter(|object| self.is_name(*object))?;
                return arguments
                    .filter(Vec::is_empty)
                    .and_then(|_| Some((object, self.source.field(node, "name")?)));
            }
            "field_access" => ("object", "field"),
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
    pub(super) fn bindings_of(&self, name: &str) -> Vec<BoundAt<'t>> {
        let mut out = Vec::new();
        for node in all_nodes(self.body) {
            let field = |binding: &super::rules::Binding| {
                let pattern = node.child_by_field_name(binding.1).filter(|_| binding.0 == node.kind())?;
                // A grammar that has no field for the value has it at the end.
                let last =
                    || named_children(node).pop().filter(|last| binding.2.is_empty() && *last != pattern);
                Some((pattern, node.child_by_field_name(binding.2).or_else(last)?))
            };
            if let Some((pattern, value)) = self.rules.bindings.iter().find_map(field) {
                match self.position(pattern, name) {
                    Some(0) if self.is_name(alone(pattern)) => out.push(BoundAt::Value(alone(value))),
                    Some(at) if self.is_name(alone(value)) && has_fixed_places(pattern) => {
                        out.push(BoundAt::Unpacked(alone(value), RowPart::At(at)));
                    }
                    Some(_) => out.push(BoundAt::Elsewhere),
                    None => {
                        let part = self.row_part(pattern, name, node.kind());
                        let taken = part.filter(|_| self.is_name(value));
                        out.extend(taken.map(|part| BoundAt::Unpacked(value, part)));
                    }
                }
            }
            if let Some((pattern, list)) = self.rules.loops.iter().find_map(field)
                && let Some(part) = self.row_part(pattern, name, node.kind())
            {
                out.push(BoundAt::Rows(list, part));
            }
            if let Some((list, part)) = (self.rules.around)(self.source, node, name) {
                out.push(BoundAt::Rows(list, part));
            }
        }
        out
    }

    /// What a name in the pattern of a loop is of a row. Go names the index of a row and then the row.
    fn row_part(&self, pattern: Node<'t>, name: &str, kind: &str) -> Option<RowPart> {
        if pattern.kind() == "object_pattern" {
            let own = named_children(pattern).iter().any(|part| self.source.text(*part) == name);
            return own.then_some(RowPart::Named);
        }
        let parts = named_children(alone(pattern));
        if parts.len() > 1 && !has_fixed_places(alone(pattern)) {
            return None;
        }
        // `[name, { input, want }]`, `name, (prices, want)`
        let inner = parts.iter().enumerate().find_map(|(at, part)| match part.kind() {
            "object_pattern" => self.row_part(*part, name, kind),
            "array_pattern" | "tuple_pattern" => {
                self.position(*part, name).map(|inner| RowPart::Within(at, inner))
            }
            _ => None,
        });
        if inner.is_some() {
            return inner;
        }
        let at = self.position(pattern, name)?;
        let whole = self.is_name(alone(pattern)) || kind == "range_clause";
        Some(if whole { RowPart::Whole } else { RowPart::At(at) })
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

    /// Whether a name, or a member of it, is used for nothing but comparisons.
    pub(super) fn only_compared(&self, area: Node<'t>, name: &str, member: Option<&str>) -> bool {
        let own = |node: &Node<'t>| self.is_name(*node) && self.written(*node) == name;
        // A title may contain the value.
        let titled = |node: &Node<'t>| {
            let inside = |outer: Node<'_>| {
                outer.start_byte() <= node.start_byte() && node.end_byte() <= outer.end_byte()
            };
            inside(self.item) && !inside(self.function)
        };
        let used = all_nodes(area).into_iter().filter(own).filter(|node| !titled(node));
        used.filter(|node| !self.is_bound_here(*node)).all(|node| {
            let whole = match member {
                None => node,
                Some(member) => {
                    let Some(parent) = node.parent() else { return false };
                    match self.member(parent) {
                        Some((_, other)) if other == member => parent,
                        Some(_) => return true,
                        // The row as a whole goes elsewhere, or is printed.
                        None => {
                            let range = node.byte_range();
                            let holds = |part: &Node<'_>| {
                                part.start_byte() <= range.start && range.end <= part.end_byte()
                            };
                            return self.messages.iter().any(holds);
                        }
                    }
                }
            };
            let inside = |outer: &Node<'t>| {
                outer.start_byte() <= whole.start_byte() && whole.end_byte() <= outer.end_byte()
            };
            let compared = |side: &Node<'t>| {
                self.behind_star(*side).byte_range() == whole.byte_range()
                    || unwrapped(*side).byte_range() == whole.byte_range()
            };
            self.sides.iter().any(|side| side.byte_range() == whole.byte_range() || compared(side))
                || self.messages.iter().any(inside)
                || self.is_message(whole)
        })
    }

    /// Whether a name stands in the pattern of a binding or a loop.
    pub(super) fn is_bound_here(&self, name: Node<'_>) -> bool {
        if name.parent().is_some_and(|parent| {
            parent.kind().ends_with("parameters")
                || matches!(parent.kind(), "array_pattern" | "tuple_pattern")
        }) {
            return true;
        }
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

/// Whether every name of a pattern has a place of its own: `first, *rest` has not.
fn has_fixed_places(pattern: Node<'_>) -> bool {
    let parts = named_children(pattern);
    let gathers = |part: &Node<'_>| ["splat", "rest", "spread"].iter().any(|word| part.kind().contains(word));
    parts.len() > 1 && !parts.iter().any(gathers)
}

/// A node and all below it, in order.
pub(crate) fn all_nodes(root: Node<'_>) -> Vec<Node<'_>> {
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
pub(super) enum BoundAt<'t> {
    /// A value.
    Value(Node<'t>),
    /// The rows of a list, and the part of each.
    Rows(Node<'t>, RowPart),
    /// A part of what another name stands for.
    Unpacked(Node<'t>, RowPart),
    /// Something that is not followed.
    Elsewhere,
}

/// The only element of a list of expressions, as Go's grammar has it.
pub(super) fn alone(node: Node<'_>) -> Node<'_> {
    let inner = named_children(node);
    match (node.kind(), inner.as_slice()) {
        (
            "expression_list" | "literal_element" | "parenthesized_expression" | "array_element_initializer",
            [one],
        ) => alone(*one),
        _ => node,
    }
}
