//! Expected values that are taken from a table by position: `cases[at].want`, `want[at]`.

use tree_sitter::Node;

use super::flow::{ValueFlow, all_nodes};
use crate::syntax::source::{MAX_DEPTH, named_children};

/// Places in a list, as the grammars call them.
const POSITIONS: [&str; 6] = [
    "subscript",
    "subscript_expression",
    "index_expression",
    "element_reference",
    "array_access",
    "element_access_expression",
];

/// The list and the position of `want[at]`.
pub(super) fn by_position(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    if !POSITIONS.contains(&node.kind()) {
        return None;
    }
    let parts = named_children(node);
    let [list, at] = parts.as_slice() else { return None };
    let mut at = *at;
    // C++ and C# have a list of arguments there.
    while at.kind().contains("argument") {
        at = named_children(at).first().copied()?;
    }
    Some((*list, at))
}

impl<'t> ValueFlow<'_, '_, 't> {
    /// The values of a table that a side takes by position, if the table is used for nothing else: its other columns may be inputs.
    pub(super) fn indexed(&self, side: Node<'t>) -> Vec<Node<'t>> {
        let Some((table, member)) = self.row_of(side) else { return Vec::new() };
        let name = self.source.text(table);
        let own = |node: &Node<'t>| self.is_name(*node) && self.source.text(*node) == name;
        let uses = all_nodes(self.source.root()).into_iter().filter(own);
        let mut bound = None;
        for node in uses {
            if let Some(value) = self.value_bound_to(node) {
                if bound.replace(value).is_some() {
                    return Vec::new();
                }
            } else if !self.is_harmless(node, member.as_deref()) {
                return Vec::new();
            }
        }
        let Some(rows) = bound.and_then(|list| self.written_rows(list)) else { return Vec::new() };
        let all = named_children(rows).into_iter().filter(|row| !row.kind().contains("comment"));
        let values: Option<Vec<Node<'t>>> = match &member {
            Some(member) => all.map(|row| self.cell_named(rows, row, member)).collect(),
            None => Some(all.collect()),
        };
        let pure = |value: &Node<'t>| self.rules.literals.is_pure(self.source, *value);
        values.filter(|values| values.iter().all(pure)).unwrap_or_default()
    }

    /// The list of a table that is written out, behind the type that it is given: `[]string{"a"}`.
    fn written_rows(&self, list: Node<'t>) -> Option<Node<'t>> {
        let literals = &self.rules.literals;
        let mut list = list;
        for _ in 0..MAX_DEPTH {
            let inner = match list.kind() {
                "expression_list" | "parenthesized_expression" => named_children(list),
                kind if literals.containers.contains(&kind) => return Some(list),
                _ => literals.inner(self.source, list)?,
            };
            list = *inner.first().filter(|_| inner.len() == 1)?;
        }
        None
    }

    /// The table and the member of `cases[at].want`; of `want[at]` the table alone.
    fn row_of(&self, side: Node<'t>) -> Option<(Node<'t>, Option<String>)> {
        let table = |node: Node<'t>| {
            let (object, key) = by_position(node)?;
            let written = self.rules.literals.is_pure(self.source, key);
            (!written && self.is_name(object)).then_some(object)
        };
        if let Some(table) = table(side) {
            return Some((table, None));
        }
        let (object, member) = match side.kind() {
            "field_expression" => ("argument", "field"),
            "member_expression" => ("object", "property"),
            _ => return None,
        };
        let object = side.child_by_field_name(object).and_then(table)?;
        Some((object, self.source.field(side, member)))
    }

    /// The value that a binding gives to this name, where it is the name of a binding.
    pub(super) fn value_bound_to(&self, name: Node<'t>) -> Option<Node<'t>> {
        let mut node = name;
        loop {
            let parent = node.parent()?;
            let binding = self.rules.bindings.iter().find(|(kind, ..)| *kind == parent.kind());
            if let Some((_, names, value)) = binding {
                let own = parent.child_by_field_name(names) == Some(node);
                return own.then(|| parent.child_by_field_name(value)).flatten();
            }
            // `cases[]`, `*cases`; Go binds lists of names.
            let alone = parent.kind() == "expression_list" && parent.named_child_count() == 1;
            if !parent.kind().ends_with("declarator") && !alone {
                return None;
            }
            node = parent;
        }
    }

    /// Whether a use of a table is a comparison, an input of its own, or its length.
    fn is_harmless(&self, name: Node<'t>, member: Option<&str>) -> bool {
        let above: Vec<Node<'t>> = std::iter::successors(name.parent(), Node::parent).take(4).collect();
        let measured = above.iter().any(|node| node.kind() == "sizeof_expression")
            || above.first().is_some_and(|parent| {
                self.source.field(*parent, "property").as_deref() == Some("length")
                    || parent.parent().is_some_and(|call| self.source.text(call).starts_with("len("))
            });
        let is_side = |node: &Node<'t>| self.sides.iter().any(|side| side.byte_range() == node.byte_range());
        let is_said = |node: &Node<'t>| {
            let inside =
                |m: &Node<'t>| m.start_byte() <= node.start_byte() && node.end_byte() <= m.end_byte();
            self.messages.iter().any(inside)
        };
        let taken = |node: &Node<'t>| match (self.row_of(*node), member) {
            (Some((_, Some(own))), Some(member)) => own != member || is_side(node) || is_said(node),
            (Some((_, None)), None) => is_side(node) || is_said(node),
            _ => false,
        };
        measured || above.iter().take(2).any(taken)
    }

    /// The value of a row's member: by its name, or by its place in the structure that the file declares.
    fn cell_named(&self, rows: Node<'t>, row: Node<'t>, member: &str) -> Option<Node<'t>> {
        let cells = named_children(row);
        let named = cells.iter().find(|cell| {
            let key = ["designator", "key"].iter().find_map(|field| self.source.field(**cell, field));
            key.is_some_and(|key| key.trim_matches(['.', '"', '\'']) == member)
        });
        if let Some(named) = named {
            return named.child_by_field_name("value");
        }
        let declaration =
            std::iter::successors(rows.parent(), Node::parent).find(|node| node.kind() == "declaration")?;
        let kind = declaration.child_by_field_name("type")?;
        let name = self.source.field(kind, "name").unwrap_or_else(|| self.source.text(kind));
        let is_it = |node: &Node<'t>| {
            let own = self
                .source
                .field(*node, "name")
                .or_else(|| node.parent().and_then(|parent| self.source.field(parent, "declarator")));
            node.kind() == "struct_specifier"
                && node.child_by_field_name("body").is_some()
                && (*node == kind || own.as_deref() == Some(&name))
        };
        let declared = all_nodes(self.source.root()).into_iter().find(is_it)?;
        let fields = all_nodes(declared.child_by_field_name("body")?);
        let fields = fields.iter().filter(|node| node.kind() == "field_identifier");
        let at = fields.map(|field| self.source.text(*field)).position(|field| field == member)?;
        cells.get(at).filter(|cell| !cell.kind().contains("pair")).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{expectations, file_expectations};

    fn changed(seen: impl IntoIterator<Item = super::super::TestExpectations>) -> Vec<String> {
        let mutants = seen.into_iter().flat_map(|test| test.mutants);
        let mut out: Vec<String> = mutants
            .filter(|m| m.kind.as_str() == "equality")
            .map(|m| format!("{} {}", m.line, m.was))
            .collect();
        out.sort_unstable();
        out
    }

    #[test]
    fn tables_of_structures_in_c() {
        let text = |kind: &str, row: &str, call: &str| {
            format!(
                "{kind} {{ int in[2]; int count; int want; }};\nstatic const struct one cases[] = {{\n  {row},\n}};\nint main(void) {{\n  for (unsigned at = 0; at < sizeof cases / sizeof *cases; at++) {{\n    if ({call} != cases[at].want) return 1;\n  }}\n  return 0;\n}}\n"
            )
        };
        let call = "f(cases[at].in, cases[at].count)";
        let seen = |text: String| changed(file_expectations("a.c", text.as_bytes(), 1));
        assert_eq!(seen(text("struct one", "{{1, 2}, 2, 33}", call)), ["3 33"]);
        assert_eq!(seen(text("struct one", "{.want = 33, .in = {1, 2}, .count = 2}", call)), ["3 33"]);
        // The expected value is an input as well.
        assert_eq!(seen(text("struct one", "{{1, 2}, 2, 33}", "f(cases[at].want)")), [] as [&str; 0]);
        assert_eq!(seen(text("struct one", "{{1, 2}, 2, 33}", "f(&cases[at])")), [] as [&str; 0]);
    }

    #[test]
    fn lists_by_position() {
        let text = "test('a', () => {\n  const want = [33, 44];\n  for (const [at, sum] of f(1).entries()) {\n    assert.equal(sum, want[at]);\n  }\n});\n";
        let seen = |text: &str| changed(expectations("a.test.js", text.as_bytes(), &|_| true, 1));
        assert_eq!(seen(text), ["2 33", "2 44"]);
        assert_eq!(seen(&text.replace("f(1)", "f(want)")), [] as [&str; 0]);
    }
}
