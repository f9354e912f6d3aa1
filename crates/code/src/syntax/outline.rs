//! The walk over languages whose public symbols are classes with members: Java, C#, PHP, C++.
//!
//! A language says which nodes are what and what is visible; the walk is the same for all.

use tree_sitter::Node;

use super::export::{Export, ExportKind};
use super::source::{MAX_DEPTH, ParsedText, children, line_of, named_children};

/// What the nodes of a language are.
pub(crate) struct Outline {
    /// Nodes to look into that are no symbols themselves: namespaces, include guards.
    pub(crate) containers: &'static [&'static str],
    /// Classes, structs, records, enums.
    pub(crate) types: &'static [&'static str],
    /// Interfaces and traits.
    pub(crate) interfaces: &'static [&'static str],
    /// Functions outside a type.
    pub(crate) functions: &'static [&'static str],
    /// Methods and constructors.
    pub(crate) methods: &'static [&'static str],
    /// What stands between a type and its method.
    pub(crate) separator: &'static str,
    /// What stands before a declaration inside the node and is no part of its signature.
    pub(crate) decoration: &'static [&'static str],
    /// Whether a declaration is visible to others, given whether it is a member of an interface.
    pub(crate) visible: fn(&ParsedText<'_>, Node<'_>, Enclosure) -> bool,
}

/// Where a declaration stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Enclosure {
    /// In a file or namespace.
    File,
    /// In a class, struct, record or enum.
    Type,
    /// In an interface, where everything is public.
    Interface,
}

/// The public symbols of a file.
pub(crate) fn exports(outline: &Outline, source: &ParsedText<'_>) -> Vec<Export> {
    let mut out = Vec::new();
    OutlineWalk { outline, source, out: &mut out }.body(source.root(), "", Enclosure::File, 0);
    out
}

struct OutlineWalk<'a, 's> {
    outline: &'a Outline,
    source: &'a ParsedText<'s>,
    out: &'a mut Vec<Export>,
}

impl OutlineWalk<'_, '_> {
    fn body(&mut self, body: Node<'_>, owner: &str, inside: Enclosure, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        for node in named_children(body) {
            self.node(node, owner, inside, depth);
        }
    }

    fn node(&mut self, node: Node<'_>, owner: &str, inside: Enclosure, depth: usize) {
        let kind = node.kind();
        let outline = self.outline;
        if outline.containers.contains(&kind) {
            self.body(node.child_by_field_name("body").unwrap_or(node), owner, inside, depth + 1);
        } else if outline.types.contains(&kind) {
            self.owner(node, owner, (ExportKind::Type, Enclosure::Type), inside, depth);
        } else if outline.interfaces.contains(&kind) {
            self.owner(node, owner, (ExportKind::Interface, Enclosure::Interface), inside, depth);
        } else if inside == Enclosure::File && outline.functions.contains(&kind) {
            self.symbol(node, owner, ExportKind::Function, inside);
        } else if inside != Enclosure::File && outline.methods.contains(&kind) {
            self.symbol(node, owner, ExportKind::Method, inside);
        }
    }

    fn owner(
        &mut self,
        node: Node<'_>,
        owner: &str,
        (kind, within): (ExportKind, Enclosure),
        inside: Enclosure,
        depth: usize,
    ) {
        let Some(name) = self.symbol(node, owner, kind, inside) else { return };
        if let Some(body) = node.child_by_field_name("body") {
            self.body(body, &name, within, depth + 1);
        }
    }

    fn symbol(&mut self, node: Node<'_>, owner: &str, kind: ExportKind, inside: Enclosure) -> Option<String> {
        let name = self.source.field(node, "name")?;
        if !(self.outline.visible)(self.source, node, inside) {
            return None;
        }
        let name = if owner.is_empty() { name } else { format!("{owner}{}{name}", self.outline.separator) };
        let signature = header(self.source, node, self.outline.decoration);
        self.out.push(Export { name: name.clone(), kind, signature, line: line_of(node) });
        Some(name)
    }
}

/// A declaration without its body, its annotations and its closing semicolon.
pub(crate) fn header(source: &ParsedText<'_>, node: Node<'_>, decoration: &[&str]) -> String {
    let end = node.child_by_field_name("body").map_or(node.end_byte(), |body| body.start_byte());
    let mut start = node.start_byte();
    for child in
        children(node).iter().chain(children(node).first().map(|c| children(*c)).unwrap_or_default().iter())
    {
        if decoration.contains(&child.kind()) && child.end_byte() < end {
            start = start.max(child.end_byte());
        }
    }
    source.one_line(start..end).trim_end_matches([';', '{', ' ']).trim_end_matches("=>").trim().to_owned()
}
