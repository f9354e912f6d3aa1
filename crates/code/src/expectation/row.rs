//! The rows of a table that a test goes through, and what is in them.

use tree_sitter::Node;

use super::condition::call_parts;
use super::flow::{BoundAt, ValueFlow, all_nodes, alone};
use super::rules::RowPart;
use super::table::{own_table, table_of_module};
use crate::syntax::source::named_children;

impl<'t> ValueFlow<'_, '_, 't> {
    /// The values of a part of every row, where the test takes a row apart: `prices, want = case`. The row goes nowhere else.
    pub(super) fn unpacked(&self, row: Node<'t>, part: RowPart, name: &str) -> Vec<Node<'t>> {
        let text = self.source.text(row);
        let own = |node: &Node<'t>| self.is_name(*node) && self.source.text(*node) == text;
        let said = |node: &Node<'t>| {
            let range = node.byte_range();
            self.messages.iter().any(|part| part.start_byte() <= range.start && range.end <= part.end_byte())
        };
        let uses = all_nodes(self.body).into_iter().filter(own);
        if uses.filter(|node| !said(node) && !self.is_bound_here(*node)).count() > 1 {
            return Vec::new();
        }
        let mut bindings = self.bindings_of(&text);
        bindings.extend(self.bound_around(&text).filter(|_| bindings.is_empty()).map(|(_, rows)| rows));
        let rows = match bindings.as_slice() {
            [] => (self.rules.cases)(self.source, self.item, &text),
            [BoundAt::Rows(list, RowPart::Whole)] => self.rows(*list),
            _ => Vec::new(),
        };
        let value = |row: Node<'t>| match part {
            RowPart::Named => self.entry(row, name),
            RowPart::Whole | RowPart::At(_) | RowPart::Within(..) => cell(row, part),
        };
        rows.into_iter().filter_map(value).collect()
    }

    /// The rows of a list that is written out, here or where its name is bound.
    pub(super) fn rows(&self, list: Node<'t>) -> Vec<Node<'t>> {
        let list = alone(list);
        if matches!(list.kind(), "attribute" | "member_expression" | "scoped_identifier") {
            return table_of_module(self.source, self.rules, list)
                .map(|table| self.rows(table))
                .unwrap_or_default();
        }
        if self.is_name(list) {
            let bindings = self.bindings_of(&self.source.text(list));
            let value = match bindings.as_slice() {
                [BoundAt::Value(value)] => Some(*value),
                [] => own_table(self.source, self.rules, list),
                _ => None,
            };
            return match value {
                Some(value) if !self.is_name(value) => self.rows(value),
                _ => Vec::new(),
            };
        }
        if let Some(call) = call_parts(self.source, list) {
            // The rows of a table by name are its pairs; those of `[…].iter()` are those of the list.
            match (call.name.as_str(), call.object, call.arguments.as_slice()) {
                ("items" | "iter" | "into_iter", Some(object), []) => return self.rows(object),
                ("entries", Some(_), [object]) => return self.rows(*object),
                ("values", Some(object), rest @ ([] | [_])) => {
                    let pairs = self.rows(rest.first().copied().unwrap_or(object)).into_iter();
                    return pairs.filter_map(|pair| pair.child_by_field_name("value")).collect();
                }
                _ => {}
            }
        }
        let unwrapped = (self.rules.literals.wrapped)(self.source, list);
        // `List.of(a, b)`
        if let Some(rows) = unwrapped.as_ref().filter(|rows| rows.len() > 1) {
            return rows.iter().filter(|row| !row.kind().contains("comment")).copied().collect();
        }
        let list = match unwrapped.as_deref() {
            Some([one]) => *one,
            _ => list,
        };
        // `[]struct{…}{…}` has its rows in a body.
        let list = list.child_by_field_name("body").unwrap_or(list);
        named_children(list).into_iter().filter(|row| !row.kind().contains("comment")).collect()
    }

    /// The value of the entry that a table itself has by this name; of one that is there twice, none.
    pub(super) fn own_entry(&self, table: Node<'t>, name: &str) -> Option<Node<'t>> {
        let is_it = |pair: &Node<'t>| {
            let key = self.source.field(*pair, "key").unwrap_or_default();
            key.trim_matches(['"', '\'']) == name
        };
        let mut pairs = named_children(table).into_iter().filter(is_it);
        let pair = pairs.next().filter(|_| pairs.next().is_none())?;
        pair.child_by_field_name("value")
    }

    /// The value of a row's entry of this name.
    pub(super) fn entry(&self, row: Node<'t>, name: &str) -> Option<Node<'t>> {
        let is_it = |node: &&Node<'t>| {
            let key = ["key", "name", "field"].iter().find_map(|field| self.source.field(**node, field));
            let first = || named_children(**node).first().map(|first| self.source.text(*first));
            let keyed = node.kind() == "keyed_element";
            key.or_else(|| keyed.then(first).flatten())
                .is_some_and(|key| key.trim_matches(['"', '\'', '.']) == name)
        };
        let nodes = all_nodes(row);
        let Some(found) = nodes.iter().find(is_it) else {
            return self.entry_by_position(row, name).or_else(|| self.entry_of_record(row, name));
        };
        let last = || named_children(*found).last().copied();
        found.child_by_field_name("value").or_else(last).map(alone)
    }

    /// The value of a row's entry where the row has no names: Go's `{"a", 1, 3}` of a `[]struct{…}`.
    fn entry_by_position(&self, row: Node<'t>, name: &str) -> Option<Node<'t>> {
        let table = std::iter::successors(row.parent(), Node::parent)
            .find(|node| node.kind() == "composite_literal")?;
        let types = all_nodes(table.child_by_field_name("type")?);
        let written = types.iter().find(|node| node.kind() == "struct_type").copied();
        let by_name = || {
            let element = types.iter().rev().find(|node| node.kind() == "type_identifier")?;
            let root = std::iter::successors(Some(table), Node::parent).last()?;
            let own = |node: &Node<'t>| {
                node.kind() == "type_spec"
                    && self.source.field(*node, "name").as_deref() == Some(&self.source.text(*element))
            };
            all_nodes(root).into_iter().find(own)?.child_by_field_name("type")
        };
        let fields = all_nodes(written.or_else(by_name)?);
        let fields = fields.iter().filter(|node| node.kind() == "field_identifier");
        let at = fields.map(|field| self.source.text(*field)).position(|field| field == name)?;
        let row = if row.kind() == "keyed_element" { *named_children(row).last()? } else { row };
        let cells = named_children(alone(row));
        cells.get(at).filter(|cell| cell.kind() != "keyed_element").map(|cell| alone(*cell))
    }
}

pub(super) fn cell(row: Node<'_>, part: RowPart) -> Option<Node<'_>> {
    match part {
        // Of a map in Go the value is meant.
        RowPart::Whole if row.kind() == "keyed_element" => {
            named_children(row).last().map(|cell| alone(*cell))
        }
        RowPart::Whole => Some(row),
        RowPart::At(at) => named_children(alone(row)).get(at).copied(),
        RowPart::Within(at, inner) => {
            let part = named_children(alone(row)).get(at).copied()?;
            named_children(alone(part)).get(inner).copied()
        }
        RowPart::Named => None,
    }
}
