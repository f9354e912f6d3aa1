//! YAML text into a [`TreeNode`], from parser events. What precedes a syntax error is kept.

use std::borrow::Cow;
use std::collections::HashSet;

use granit_parser::{Event, Parser, ScalarStyle};

use super::{Quoting, TreeMember, TreeNode, TreeValue, span_of};
use crate::reading::code;
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity, Span};

/// An open collection.
enum OpenNode<'a> {
    List(Span, Vec<TreeNode<'a>>),
    Map(Span, Vec<TreeMember<'a>>, Option<(Cow<'a, str>, Span)>),
}

struct YamlBuilder<'a, 'd> {
    text: &'a str,
    file: FileIx,
    base: usize,
    open: Vec<OpenNode<'a>>,
    root: Option<TreeNode<'a>>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

/// Reads `text`, which begins at byte `base` of `file`; `None` if it is empty.
pub(crate) fn parse_yaml<'a>(
    text: &'a str,
    file: FileIx,
    base: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<TreeNode<'a>> {
    let options = granit_parser::options! {
        emit_comments: false,
        emit_unresolved_aliases: true,
        simple_key_max_lookahead: 1 << 16,
    };
    let mut builder = YamlBuilder { text, file, base, open: Vec::new(), root: None, diagnostics };
    for event in Parser::new_from_str_with_options(text, options) {
        match event {
            Ok((Event::DocumentEnd, _)) => break,
            Ok((event, span)) => builder.event(event, span),
            Err(error) => {
                builder.syntax_error(&error);
                break;
            }
        }
    }
    while !builder.open.is_empty() {
        builder.close();
    }
    builder.root
}

impl<'a> YamlBuilder<'a, '_> {
    fn event(&mut self, event: Event<'a>, span: granit_parser::Span) {
        let span = self.span(&span);
        match event {
            Event::Scalar(text, style, _, _) => {
                let style = if style == ScalarStyle::Plain { Quoting::Plain } else { Quoting::Quoted };
                self.place(TreeNode { span, tree: TreeValue::Scalar(text, style) });
            }
            Event::SequenceStart(..) => self.open.push(OpenNode::List(span, Vec::new())),
            Event::MappingStart(..) => self.open.push(OpenNode::Map(span, Vec::new(), None)),
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.report(span, "an alias is not allowed here; write the value out");
                self.place(TreeNode { span, tree: TreeValue::Scalar(Cow::Borrowed(""), Quoting::Plain) });
            }
            // The parser's enum is non-exhaustive, and the other events carry no data.
            _ => {}
        }
    }

    fn span(&self, span: &granit_parser::Span) -> Span {
        let range = span.byte_range().unwrap_or(0..0);
        span_of(self.file, self.base + self.boundary(range.start), self.base + self.boundary(range.end))
    }

    /// The next place at or after `at` where a character starts: the parser may point into one.
    fn boundary(&self, at: usize) -> usize {
        (at.min(self.text.len())..=self.text.len()).find(|i| self.text.is_char_boundary(*i)).unwrap_or(0)
    }

    fn report(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code::SYNTAX, Severity::Error, message).at(Some(span)));
    }

    fn syntax_error(&mut self, error: &granit_parser::ScanError) {
        let at = self.boundary(error.marker().byte_offset().unwrap_or(0));
        let span = span_of(self.file, self.base + at, self.base + self.boundary(at + 1));
        self.report(span, format!("the YAML cannot be read: {}", error.info()));
    }

    /// Puts a finished node where it belongs: as a key, a value, an item or the root.
    fn place(&mut self, node: TreeNode<'a>) {
        let key_error = match self.open.last_mut() {
            None => {
                self.root.get_or_insert(node);
                None
            }
            Some(OpenNode::List(_, items)) => {
                items.push(node);
                None
            }
            Some(OpenNode::Map(_, entries, key @ None)) => match node.tree {
                TreeValue::Scalar(text, _) => {
                    *key = Some((text, node.span));
                    None
                }
                TreeValue::List(_) | TreeValue::Map(_) => {
                    *key = Some((Cow::Borrowed(""), node.span));
                    let _ = entries;
                    Some(node.span)
                }
            },
            Some(OpenNode::Map(_, entries, key)) => {
                if let Some((key, key_span)) = key.take() {
                    entries.push(TreeMember { key, key_span, node });
                }
                None
            }
        };
        if let Some(span) = key_error {
            self.report(span, "a key must be a single word or text");
        }
    }

    fn close(&mut self) {
        let node = match self.open.pop() {
            None => return,
            Some(OpenNode::List(span, items)) => {
                let span =
                    items.last().map_or(span, |last| Span { end: last.span.end.max(span.end), ..span });
                TreeNode { span, tree: TreeValue::List(items) }
            }
            Some(OpenNode::Map(span, entries, _)) => {
                let entries = self.without_duplicates(entries);
                let span =
                    entries.last().map_or(span, |e| Span { end: e.node.span.end.max(span.end), ..span });
                TreeNode { span, tree: TreeValue::Map(entries) }
            }
        };
        self.place(node);
    }

    /// Reports a key given twice and keeps its last value.
    fn without_duplicates(&mut self, entries: Vec<TreeMember<'a>>) -> Vec<TreeMember<'a>> {
        let mut seen = HashSet::with_capacity(entries.len());
        let repeated: Vec<usize> =
            (0..entries.len()).rev().filter(|i| !seen.insert(entries[*i].key.as_ref())).collect();
        if repeated.is_empty() {
            return entries;
        }
        for i in &repeated {
            let entry = &entries[*i];
            let message = format!("`{}` is given twice; the last one counts", entry.key.escape_debug());
            self.diagnostics.push(
                Diagnostic::new(code::DUPLICATE_KEY, Severity::Error, message).at(Some(entry.key_span)),
            );
        }
        entries.into_iter().enumerate().filter(|(i, _)| !repeated.contains(i)).map(|(_, e)| e).collect()
    }
}
