//! A parsed text with the few walks that every language needs.
//!
//! Knows trees and bytes, no language. Walks have a limit of depth, because a hostile text can nest without end.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;

use tree_sitter::{Node, Parser, Point, Tree};

use crate::language::Language;

/// Nesting beyond this is not looked at.
pub(crate) const MAX_DEPTH: usize = 200;

/// Files beyond this size are not parsed: no hand-written source is so large.
pub(crate) const MAX_BYTES: usize = 4 * 1024 * 1024;

/// How many trees are remembered, and of texts up to which size.
const REMEMBERED: usize = 6;
const REMEMBERED_BYTES: usize = 512 * 1024;

thread_local! {
    /// The texts that were parsed last, the latest first: the same few files are asked for each of their tests and functions.
    static LATEST: RefCell<VecDeque<(Language, Vec<u8>, Tree)>> = const { RefCell::new(VecDeque::new()) };
}

fn known_tree(language: Language, text: &[u8]) -> Option<Tree> {
    LATEST.with_borrow(|latest| {
        let known = latest.iter().find(|(of, known, _)| *of == language && known == text);
        known.map(|(.., tree)| tree.clone())
    })
}

fn new_tree(language: Language, text: &[u8]) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&(language.row().grammar)()).ok()?;
    let tree = parser.parse(text, None)?;
    if text.len() <= REMEMBERED_BYTES {
        LATEST.with_borrow_mut(|latest| {
            latest.truncate(REMEMBERED - 1);
            latest.push_front((language, text.to_vec(), tree.clone()));
        });
    }
    Some(tree)
}

/// A parsed text.
pub(crate) struct ParsedText<'a> {
    pub(crate) bytes: &'a [u8],
    tree: Tree,
}

impl<'a> ParsedText<'a> {
    /// Parses a text; `None` when it is too large to be source code.
    pub(crate) fn parse(language: Language, bytes: &'a [u8]) -> Option<Self> {
        Self::parse_prepared(language, bytes, bytes)
    }

    /// A text with the tree of another one, in which every byte has the same place.
    pub(crate) fn parse_prepared(language: Language, prepared: &[u8], bytes: &'a [u8]) -> Option<Self> {
        if bytes.len() > MAX_BYTES || prepared.len() != bytes.len() {
            return None;
        }
        let tree = known_tree(language, prepared).or_else(|| new_tree(language, prepared))?;
        Some(Self { bytes, tree })
    }

    /// The whole text.
    pub(crate) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// The text of a node; what is not UTF-8 is replaced.
    pub(crate) fn text(&self, node: Node<'_>) -> String {
        String::from_utf8_lossy(self.slice(node.byte_range())).into_owned()
    }

    /// The text of a node's field.
    pub(crate) fn field(&self, node: Node<'_>, name: &str) -> Option<String> {
        node.child_by_field_name(name).map(|child| self.text(child))
    }

    /// A range of bytes.
    pub(crate) fn slice(&self, range: Range<usize>) -> &'a [u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    /// The text of a range on one line, comments left as they are.
    pub(crate) fn one_line(&self, range: Range<usize>) -> String {
        let text = String::from_utf8_lossy(self.slice(range));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The position of the first syntax error.
    pub(crate) fn first_error(&self) -> Option<Point> {
        let mut node = self.root();
        if !node.has_error() {
            return None;
        }
        // Down to the first smallest node that is itself wrong.
        loop {
            if node.is_error() || node.is_missing() {
                return Some(node.start_position());
            }
            let next = children(node).into_iter().find(|child| child.has_error() || child.is_missing());
            match next {
                Some(child) => node = child,
                None => return Some(node.start_position()),
            }
        }
    }
}

/// The children of a node, punctuation included.
pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

/// The values that a call is given, where each of them stands in a node of its own, behind its name if it has one.
pub(crate) fn argument_values(call: Node<'_>) -> Vec<Node<'_>> {
    let all = call.child_by_field_name("arguments").map(named_children).unwrap_or_default();
    all.into_iter().filter_map(|argument| named_children(argument).last().copied()).collect()
}

/// The arguments of a call, without the comments between them.
pub(crate) fn call_arguments(call: Node<'_>) -> Vec<Node<'_>> {
    let list = call.child_by_field_name("arguments").map(named_children).unwrap_or_default();
    list.into_iter().filter(|argument| !argument.kind().ends_with("comment")).collect()
}

/// The children of a node that are not punctuation.
pub(crate) fn named_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// The first child of one of these kinds.
pub(crate) fn child_of_kind<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|child| kinds.contains(&child.kind()))
}

/// The line of a node, counted from 1.
pub(crate) fn line_of(node: Node<'_>) -> usize {
    node.start_position().row + 1
}

#[cfg(test)]
mod tests;
