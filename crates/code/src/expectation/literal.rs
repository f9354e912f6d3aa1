//! Literals of a language: which nodes are plain values, and the numbers and texts in them that can be changed.

use std::ops::Range;

use tree_sitter::Node;

use super::alter::{self, Choice};
use super::rules::{TextMatch, ValueMatch};
use crate::syntax::source::{MAX_DEPTH, ParsedText, named_children};

/// The node kinds of literals.
pub(crate) struct LiteralKinds {
    /// Whole numbers, or numbers of any kind.
    pub(crate) integers: &'static [&'static str],
    /// Decimal numbers.
    pub(crate) floats: &'static [&'static str],
    /// Texts and single characters.
    pub(crate) strings: &'static [&'static str],
    /// The parts of a text that mean themselves.
    pub(crate) parts: &'static [&'static str],
    /// The parts of a text that are neither its own content nor computed: quotes and escapes.
    pub(crate) string_rest: &'static [&'static str],
    /// Values that are a word: `true`, `null`.
    pub(crate) words: &'static [&'static str],
    /// Lists of values.
    pub(crate) containers: &'static [&'static str],
    /// Parts of a list of which only this field is a value.
    pub(crate) pairs: &'static [(&'static str, &'static str)],
    /// The value inside a node that is as good as its value: `Some(3)`, `-3`, `"a".to_string()`.
    pub(crate) wrapped: for<'t> fn(&ParsedText<'_>, Node<'t>) -> Option<Vec<Node<'t>>>,
}

impl LiteralKinds {
    /// No literals.
    pub(crate) const NONE: Self = Self {
        integers: &[],
        floats: &[],
        strings: &[],
        parts: &[],
        string_rest: &[],
        words: &["true", "false", "null"],
        containers: &[],
        pairs: &[],
        wrapped: |_, _| None,
    };

    /// Whether a node is a value that is written out in full.
    pub(super) fn is_pure(&self, source: &ParsedText<'_>, node: Node<'_>) -> bool {
        self.is_pure_at(source, node, 0)
    }

    fn is_pure_at(&self, source: &ParsedText<'_>, node: Node<'_>, depth: usize) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        let kind = node.kind();
        if self.integers.contains(&kind) || self.floats.contains(&kind) || self.words.contains(&kind) {
            return true;
        }
        if self.strings.contains(&kind) {
            return self.is_plain_text(node);
        }
        match self.inner(source, node) {
            Some(inner) => inner.into_iter().all(|child| self.is_pure_at(source, child, depth + 1)),
            None => false,
        }
    }

    /// The values inside a list, a pair or a wrapper.
    pub(super) fn inner<'t>(&self, source: &ParsedText<'_>, node: Node<'t>) -> Option<Vec<Node<'t>>> {
        if let Some((_, field)) = self.pairs.iter().find(|(kind, _)| *kind == node.kind()) {
            return node.child_by_field_name(field).map(|value| vec![value]);
        }
        if self.containers.contains(&node.kind()) {
            return Some(
                named_children(node).into_iter().filter(|n| !n.kind().contains("comment")).collect(),
            );
        }
        (self.wrapped)(source, node)
    }

    /// Whether nothing in a text is computed.
    fn is_plain_text(&self, string: Node<'_>) -> bool {
        named_children(string).iter().all(|part| {
            (self.parts.contains(&part.kind()) && self.is_plain_text(*part))
                || self.string_rest.contains(&part.kind())
        })
    }

    /// The numbers and texts in a value, in order.
    pub(crate) fn leaves<'t>(&self, source: &ParsedText<'_>, node: Node<'t>) -> Vec<Node<'t>> {
        let mut out = Vec::new();
        let mut open = vec![(node, 0)];
        while let Some((node, depth)) = open.pop() {
            let kind = node.kind();
            if self.integers.contains(&kind)
                || self.floats.contains(&kind)
                || self.turned(source, node).is_some()
            {
                out.push(node);
            } else if self.strings.contains(&kind) {
                if self.is_plain_text(node) {
                    out.push(node);
                }
            } else if depth <= MAX_DEPTH {
                let inner = self.inner(source, node).unwrap_or_default();
                open.extend(inner.into_iter().rev().map(|child| (child, depth + 1)));
            }
        }
        out
    }

    /// Another value in place of a number or a text of a value that is compared.
    pub(crate) fn altered(
        &self,
        source: &ParsedText<'_>,
        leaf: Node<'_>,
        by: ValueMatch,
        choice: &mut Choice,
    ) -> Option<(Range<usize>, String)> {
        if let Some(turned) = self.turned(source, leaf) {
            return Some((leaf.byte_range(), turned.to_owned()));
        }
        let text = source.text(leaf);
        if self.strings.contains(&leaf.kind()) {
            return self.altered_text(source, leaf, &|_, _| true, choice);
        }
        let decimal = self.floats.contains(&leaf.kind())
            || text.contains('.')
            || (text.contains(['e', 'E']) && !text.starts_with("0x"));
        let now = match (decimal, by) {
            // An imaginary number is no decimal number.
            _ if text.ends_with(['j', 'J']) => None,
            (_, ValueMatch::Near) if text.contains(['e', 'E']) => None,
            (true, _) | (_, ValueMatch::Near) => alter::float(&text, choice),
            (false, ValueMatch::Exact | ValueMatch::Own | ValueMatch::Said) => alter::integer(&text, choice),
        }?;
        Some((leaf.byte_range(), now))
    }

    /// No in place of yes, and the reverse.
    fn turned(&self, source: &ParsedText<'_>, node: Node<'_>) -> Option<&'static str> {
        let word = self.words.contains(&node.kind()).then(|| source.text(node))?;
        let words = [("true", "false"), ("True", "False"), ("TRUE", "FALSE")];
        let both = words.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]);
        both.into_iter().find(|(known, _)| *known == word).map(|(_, other)| other)
    }

    /// Something that no result contains, in place of a part that must be there.
    pub(super) fn strange(
        &self,
        source: &ParsedText<'_>,
        leaf: Node<'_>,
        choice: &mut Choice,
    ) -> Option<(Range<usize>, String)> {
        let (kind, range) = (leaf.kind(), leaf.byte_range());
        if self.integers.contains(&kind) {
            let plain = source.text(leaf).bytes().all(|b| b.is_ascii_digit());
            return plain.then(|| (range, alter::strange_number(choice).to_string()));
        }
        let is_text = kind == "regex" || (self.strings.contains(&kind) && self.is_plain_text(leaf));
        if !is_text || kind.contains("char") || kind.contains("rune") {
            return None;
        }
        let inner = between_quotes(&source.text(leaf))?;
        let place = range.start + inner.start..range.start + inner.end;
        let word = alter::strange_word(place.len(), choice);
        Some((place, word))
    }

    /// An answer of the same form in place of a part that must be there.
    pub(super) fn another_part(
        &self,
        source: &ParsedText<'_>,
        leaf: Node<'_>,
        choice: &mut Choice,
    ) -> Option<(Range<usize>, String)> {
        let (start, _) = self.strange(source, leaf, choice).map(|(place, _)| (place.start, place.end))?;
        let inner = between_quotes(&source.text(leaf))?;
        let place = start..start + inner.len();
        let now = alter::another_number(std::str::from_utf8(source.slice(place.clone())).ok()?, choice)?;
        Some((place, now))
    }

    /// Another text in place of one that is looked for.
    pub(super) fn altered_search(
        &self,
        source: &ParsedText<'_>,
        leaf: Node<'_>,
        by: TextMatch,
        choice: &mut Choice,
    ) -> Option<(Range<usize>, String)> {
        let text = source.text(leaf);
        // One or two letters may stand in the message by chance.
        if text.chars().filter(|c| c.is_alphanumeric()).count() < 4 {
            return None;
        }
        if by == TextMatch::Pattern && text.contains(['|', '[', '{', '\\']) {
            return None;
        }
        // A letter that may be left out need not be found.
        let allowed = move |rest: &str, c: char| {
            let optional = rest[c.len_utf8()..].starts_with(['?', '*']);
            c.is_ascii_alphanumeric() && !(by == TextMatch::Pattern && optional)
        };
        self.altered_text(source, leaf, &allowed, choice)
    }

    /// Changes one character of a text, outside of its escapes. `allowed` sees the text from the character on.
    fn altered_text(
        &self,
        source: &ParsedText<'_>,
        string: Node<'_>,
        allowed: &dyn Fn(&str, char) -> bool,
        choice: &mut Choice,
    ) -> Option<(Range<usize>, String)> {
        let mut plain = self.plain_ranges(source, string);
        choice.shuffle(&mut plain);
        plain.into_iter().find_map(|range| {
            let text = std::str::from_utf8(source.slice(range.clone())).ok()?;
            let (at, size, other) = alter::text(text, &|at, c| allowed(&text[at..], c), choice)?;
            let start = range.start + at;
            Some((start..start + size, other))
        })
    }

    /// The bytes of a text that mean themselves.
    fn plain_ranges(&self, source: &ParsedText<'_>, string: Node<'_>) -> Vec<Range<usize>> {
        let parts: Vec<Node<'_>> =
            named_children(string).into_iter().filter(|part| self.parts.contains(&part.kind())).collect();
        if parts.is_empty() && named_children(string).is_empty() {
            return inside_quotes(source, string).into_iter().collect();
        }
        parts.into_iter().flat_map(|part| without_children(source, part)).collect()
    }
}

/// What stands between the quotes of a text, however many there are, or between the slashes of a pattern.
fn between_quotes(text: &str) -> Option<Range<usize>> {
    let open = text.find(['"', '\'', '`', '/'])?;
    let quote = text[open..].chars().next()?;
    let three: String = std::iter::repeat_n(quote, 3).collect();
    let size = if text.len() > open + 5 && text[open..].starts_with(&three) { 3 } else { 1 };
    let close = text.rfind(quote)?.checked_sub(size - 1)?;
    (open + size < close).then_some(open + size..close)
}

/// The bytes of a node without those of its children.
fn without_children(source: &ParsedText<'_>, node: Node<'_>) -> Vec<Range<usize>> {
    let mut at = node.start_byte();
    let mut out = Vec::new();
    for child in named_children(node) {
        out.push(at..child.start_byte());
        at = child.end_byte();
    }
    out.push(at..node.end_byte());
    out.retain(|range| !range.is_empty() && !source.slice(range.clone()).contains(&b'\\'));
    out
}

/// The bytes between the quotes of a text that has no parts; none if it has escapes.
fn inside_quotes(source: &ParsedText<'_>, string: Node<'_>) -> Option<Range<usize>> {
    let text = source.slice(string.byte_range());
    let open = text.iter().position(|b| matches!(b, b'"' | b'\'' | b'`'))?;
    let quote = text[open];
    let close = text.iter().rposition(|b| *b == quote)?;
    let inner = text.get(open + 1..close)?;
    let plain = !inner.is_empty() && !inner.contains(&b'\\') && !inner.contains(&quote);
    plain.then(|| string.start_byte() + open + 1..string.start_byte() + close)
}
