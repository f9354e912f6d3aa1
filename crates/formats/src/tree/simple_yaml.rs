//! The YAML most front matter consists of, read without a parser: `key: word`, `key: [a, b]`, `key: {a: [b]}`.
//!
//! Several times as fast as the real one, which matters with ten thousand files. Anything else is left to it: when
//! this file is not sure, it says nothing. A property test holds the two to the same answers.

use std::borrow::Cow;

use super::{Entry, Node, Style, Tree, span_of};
use crate::markdown::lines;
use windlass_core::diagnostic::{FileIx, Span};

/// Reads `text`, which stands at byte `base` of `file`, if it is simple.
pub(super) fn parse_simple(text: &str, file: FileIx, base: usize) -> Option<Node<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::with_capacity(16);
    for line in lines(text, base) {
        if line.text.trim_end_matches(' ').is_empty() {
            continue;
        }
        let colon = line.text.find(':')?;
        let (key, rest) = (&line.text[..colon], &line.text[colon + 1..]);
        let value = rest.strip_prefix(' ')?.trim_matches(' ');
        if !is_key(key) || entries.iter().any(|e| e.key == key) {
            return None;
        }
        let at = line.at + colon + 1 + (rest.len() - rest.trim_start_matches(' ').len());
        let mut flow = Flow { text: value, at: 0, file, base: at };
        let node = flow.line_value()?;
        let key_span = span_of(file, line.at, line.at + key.len());
        entries.push(Entry { key: Cow::Borrowed(key), key_span, node });
    }
    let (first, last) = (entries.first()?, entries.last()?);
    let span = Span { end: last.node.span.end, ..first.key_span };
    Some(Node { span, tree: Tree::Map(entries) })
}

/// A key: a word that can mean nothing else.
fn is_key(word: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    word.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && word.bytes().all(fits)
}

/// The rest of a line, being read.
struct Flow<'a> {
    text: &'a str,
    at: usize,
    file: FileIx,
    base: usize,
}

impl<'a> Flow<'a> {
    fn span(&self, from: usize, to: usize) -> Span {
        span_of(self.file, self.base + from, self.base + to)
    }

    fn scalar(&self, from: usize, to: usize, style: Style) -> Node<'a> {
        let text = Cow::Borrowed(&self.text[from..to]);
        let quote = usize::from(style == Style::Quoted);
        Node { span: self.span(from - quote, to + quote), tree: Tree::Scalar(text, style) }
    }

    /// The value of a whole line.
    fn line_value(&mut self) -> Option<Node<'a>> {
        match self.text.as_bytes().first()? {
            b'[' | b'{' => {
                let node = self.value(0)?;
                (self.at == self.text.len()).then_some(node)
            }
            b'"' => {
                let inner = self.text.strip_prefix('"')?.strip_suffix('"')?;
                let plain = inner.bytes().all(|b| matches!(b, b' '..=b'~') && b != b'"' && b != b'\\');
                plain.then(|| self.scalar(1, self.text.len() - 1, Style::Quoted))
            }
            _ => self.plain_line(),
        }
    }

    /// A bare text: printable, and nothing in it that could begin a comment or another key.
    fn plain_line(&self) -> Option<Node<'a>> {
        let bytes = self.text.as_bytes();
        let starts = bytes[0].is_ascii_alphanumeric() || matches!(bytes[0], b'_' | b'/' | b'.' | b'(');
        let printable = bytes.iter().all(|b| matches!(b, b' '..=b'~'));
        let clear = !self.text.contains(": ") && !self.text.contains(" #") && !self.text.ends_with(':');
        (starts && printable && clear).then(|| self.scalar(0, self.text.len(), Style::Plain))
    }

    /// A word, a list or a mapping on one line.
    fn value(&mut self, depth: usize) -> Option<Node<'a>> {
        let from = self.at;
        match self.text.as_bytes().get(from)? {
            b'[' if depth < 8 => {
                let items = self.items(b']', |flow| flow.value(depth + 1))?;
                Some(Node { span: self.span(from, self.at), tree: Tree::List(items) })
            }
            b'{' if depth < 8 => {
                let entries = self.items(b'}', |flow| flow.pair(depth + 1))?;
                let repeated = |(i, e): (usize, &Entry<'_>)| entries[..i].iter().any(|o| o.key == e.key);
                if entries.iter().enumerate().any(repeated) {
                    return None;
                }
                Some(Node { span: self.span(from, self.at), tree: Tree::Map(entries) })
            }
            _ => self.word(),
        }
    }

    fn items<T>(&mut self, close: u8, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.at += 1;
        self.skip_spaces();
        let mut items = Vec::new();
        if self.text.as_bytes().get(self.at) == Some(&close) {
            self.at += 1;
            return Some(items);
        }
        loop {
            items.push(item(self)?);
            self.skip_spaces();
            let mark = *self.text.as_bytes().get(self.at)?;
            self.at += 1;
            if mark == close {
                return Some(items);
            }
            if mark != b',' {
                return None;
            }
            self.skip_spaces();
        }
    }

    fn pair(&mut self, depth: usize) -> Option<Entry<'a>> {
        let from = self.at;
        let colon = self.text[from..].find(": ")?;
        let key = &self.text[from..from + colon];
        if !is_key(key) {
            return None;
        }
        self.at = from + colon + 1;
        self.skip_spaces();
        let key_span = self.span(from, from + colon);
        Some(Entry { key: Cow::Borrowed(key), key_span, node: self.value(depth)? })
    }

    fn word(&mut self) -> Option<Node<'a>> {
        let from = self.at;
        let bytes = self.text.as_bytes();
        let inside = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'_' | b'-' | b'.' | b'/');
        let to = bytes[from..].iter().position(|b| !inside(b)).map_or(bytes.len(), |i| from + i);
        let starts = bytes.get(from)?.is_ascii_alphanumeric() || matches!(bytes[from], b'_' | b'/' | b'.');
        let ends = matches!(bytes.get(to), Some(b',' | b']' | b'}'));
        let word = self.text[from..to].trim_end_matches(' ');
        self.at = to;
        (starts && ends && !word.is_empty()).then(|| self.scalar(from, from + word.len(), Style::Plain))
    }

    fn skip_spaces(&mut self) {
        while self.text.as_bytes().get(self.at) == Some(&b' ') {
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tree::from_yaml::parse_events;

    /// The tree without the spans of collections, which the two readers end differently.
    fn shape(node: &Node<'_>) -> String {
        match &node.tree {
            Tree::Scalar(text, style) => format!("{style:?} {text:?} {}..{}", node.span.start, node.span.end),
            Tree::List(items) => format!("[{}]", items.iter().map(shape).collect::<Vec<_>>().join(", ")),
            Tree::Map(entries) => {
                let pair = |e: &Entry<'_>| {
                    format!("{}@{}..{}: {}", e.key, e.key_span.start, e.key_span.end, shape(&e.node))
                };
                format!("{{{}}}", entries.iter().map(pair).collect::<Vec<_>>().join(", "))
            }
        }
    }

    #[test]
    fn ordinary_front_matter_is_simple() {
        let text = "id: T-1\r\ntitle: Add it, don't ask (soon)\n\ndepends_on: [T-0, 007]\nn: 1.50\nq: \"a: b\"\n\
                    t: {stories: [US-1], x: {}}\ne: []\n";
        let node = parse_simple(text, FileIx(0), 4).unwrap();
        assert_eq!(Some(shape(&node)), parse_events(text, FileIx(0), 4, &mut Vec::new()).map(|n| shape(&n)));
    }

    #[test]
    fn what_is_not_simple_is_left_alone() {
        for text in [
            "",
            "a:",
            "a: b: c",
            "a: b # c",
            "a: 'b'",
            "a: &x b",
            "a: *x",
            "a: |\n  b",
            "a: b\n  c",
            "- a",
            "a: [b",
            "a: [b,]",
            "a: [b]c",
            "a: {b}",
            "a: {b: c, b: d}",
            "a: b\na: c",
            "a: é",
            "a: \"\\n\"",
            "# c",
            "a: [\"b\"]",
            "a: - b",
            "a: b:",
            "\ta: b",
            "a:\tb",
        ] {
            assert!(parse_simple(text, FileIx(0), 0).is_none(), "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn where_both_answer_they_agree(
            lines in prop::collection::vec(("[a-c]{1,2}", ": ?", "[ab0\\[\\]{},:#\"'&*!|>%@`.\\-?~=() /]{0,12}"), 1..4),
        ) {
            let text: String = lines.iter().flat_map(|(k, c, v)| [k.as_str(), c, v, "\n"]).collect();
            if let Some(simple) = parse_simple(&text, FileIx(0), 0) {
                let mut found = Vec::new();
                let real = parse_events(&text, FileIx(0), 0, &mut found);
                prop_assert_eq!(&found, &[], "{}", text);
                prop_assert_eq!(Some(shape(&simple)), real.map(|n| shape(&n)), "{}", text);
            }
        }
    }
}
