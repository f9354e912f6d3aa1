//! Typed reading of values: a value goes into its slot if it fits, and a misfit is reported.
//!
//! Knows the types of slots, but not what they mean.

use super::node::{JsonKind, JsonNode};
use crate::reading::code;
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity, Span};

/// How well a value fits its slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// Exactly: written again, it is the same text.
    Exact,
    /// It was understood, but the original is written differently or says more, so it is kept beside the slot.
    Odd,
    /// Not at all: the original is kept.
    No,
}

impl Fit {
    /// The worse of two.
    pub(crate) fn and(self, other: Fit) -> Fit {
        match (self, other) {
            (Fit::Exact, Fit::Exact) => Fit::Exact,
            (Fit::No, _) | (_, Fit::No) => Fit::No,
            (Fit::Odd, Fit::Exact | Fit::Odd) | (Fit::Exact, Fit::Odd) => Fit::Odd,
        }
    }
}

/// Reads the values of one file, and reports what does not fit.
pub(crate) struct ValueReader<'d> {
    /// The file the values are in.
    pub(crate) file: FileIx,
    pub(crate) out: &'d mut Vec<Diagnostic>,
}

impl<'d> ValueReader<'d> {
    /// A reader for `file`; findings go to `out`.
    pub(crate) fn new(file: FileIx, out: &'d mut Vec<Diagnostic>) -> Self {
        Self { file, out }
    }

    /// Adds a finding at `node`.
    pub(crate) fn find(
        &mut self,
        code: &'static str,
        severity: Severity,
        node: &JsonNode<'_>,
        message: impl Into<String>,
    ) {
        self.find_at(code, severity, Some(node.span(self.file)), message);
    }

    /// Adds a finding at a span.
    pub(crate) fn find_at(
        &mut self,
        code: &'static str,
        severity: Severity,
        span: Option<Span>,
        message: impl Into<String>,
    ) {
        self.out.push(Diagnostic::new(code, severity, message).at(span));
    }

    /// Reports a value of the wrong type, which is kept but not used.
    pub(crate) fn misfit(&mut self, node: &JsonNode<'_>, wanted: &str) -> Fit {
        if !node.is_null() {
            self.wrong_item(node, wanted);
        }
        Fit::No
    }

    /// Reports an item of a list that has the wrong type; nothing stands for nothing only outside lists.
    pub(crate) fn wrong_item(&mut self, node: &JsonNode<'_>, wanted: &str) {
        let message = format!("{wanted} expected, this is {}; it is kept but not used", node.kind.name());
        self.find(code::WRONG_TYPE, Severity::Error, node, message);
    }

    /// Whether an item of a list can be a task; another is reported.
    pub(crate) fn is_task(&mut self, node: &JsonNode<'_>) -> bool {
        if !node.is_object() {
            let message = format!("a task must be an object, this is {}", node.kind.name());
            self.find(code::WRONG_TYPE, Severity::Error, node, message);
        }
        node.is_object()
    }

    /// Reports an assumption.
    pub(crate) fn assume(&mut self, node: &JsonNode<'_>, message: impl Into<String>) {
        self.find(code::ASSUMED, Severity::Note, node, message);
    }

    /// Reports a word that is not one of those a field takes.
    pub(crate) fn unknown_word(&mut self, node: &JsonNode<'_>, word: &str, known: &str) {
        let message = format!("`{}` is not one of {known}; it is kept as written", word.escape_debug());
        self.find(code::UNKNOWN_WORD, Severity::Warning, node, message);
    }

    /// A string; a number is taken as its digits.
    pub(crate) fn text(&mut self, node: &JsonNode<'_>, slot: &mut String) -> Fit {
        match &node.kind {
            JsonKind::Text(text) => {
                text.as_ref().clone_into(slot);
                Fit::Exact
            }
            JsonKind::Number(digits) => {
                (*digits).clone_into(slot);
                self.assume(node, format!("the number {digits} is read as the string `{digits}`"));
                Fit::Odd
            }
            JsonKind::Null | JsonKind::Bool(_) | JsonKind::List(_) | JsonKind::Object(_) => {
                self.misfit(node, "a string")
            }
        }
    }

    /// A string that may be absent.
    pub(crate) fn maybe(&mut self, node: &JsonNode<'_>, slot: &mut Option<String>) -> Fit {
        let mut text = String::new();
        let fit = self.text(node, &mut text);
        if fit != Fit::No {
            *slot = Some(text);
        }
        fit
    }

    /// A whole number; one in quotes is taken too.
    pub(crate) fn int(&mut self, node: &JsonNode<'_>, slot: &mut Option<i64>) -> Fit {
        let Some(number) = node.word().and_then(|w| w.trim().parse().ok()) else {
            return self.misfit(node, "a whole number");
        };
        *slot = Some(number);
        self.exact_if_number(node)
    }

    /// A whole number that is not negative.
    pub(crate) fn count(&mut self, node: &JsonNode<'_>, slot: &mut Option<u64>) -> Fit {
        let mut number = None;
        let fit = self.int(node, &mut number);
        match number.map(u64::try_from) {
            Some(Ok(number)) => *slot = Some(number),
            Some(Err(_)) => return self.misfit(node, "a number that is not negative"),
            None => {}
        }
        fit
    }

    /// A number; one in quotes is taken too.
    pub(crate) fn number(&mut self, node: &JsonNode<'_>, slot: &mut Option<f64>) -> Fit {
        let parsed = node.word().and_then(|w| w.trim().parse::<f64>().ok()).filter(|n| n.is_finite());
        let Some(number) = parsed.filter(|number| *number >= 0.0) else {
            let wanted = if parsed.is_some() { "a number that is not negative" } else { "a number" };
            return self.misfit(node, wanted);
        };
        *slot = Some(number);
        let fit = self.exact_if_number(node);
        if super::text::number(number) == node.to_value() { fit } else { Fit::Odd }
    }

    fn exact_if_number(&mut self, node: &JsonNode<'_>) -> Fit {
        if matches!(node.kind, JsonKind::Number(_)) {
            return Fit::Exact;
        }
        self.assume(node, "a number in quotes is read as a number");
        Fit::Odd
    }

    /// `true` or `false`.
    pub(crate) fn flag(&mut self, node: &JsonNode<'_>, slot: &mut Option<bool>) -> Fit {
        match node.kind {
            JsonKind::Bool(flag) => {
                *slot = Some(flag);
                Fit::Exact
            }
            _ => self.misfit(node, "true or false"),
        }
    }

    /// A list of strings; a single string is a list of one, numbers are taken as their digits.
    pub(crate) fn texts(&mut self, node: &JsonNode<'_>, slot: &mut Vec<String>) -> Fit {
        match &node.kind {
            JsonKind::List(items) => {
                slot.reserve_exact(items.len());
                let mut fit = Fit::Exact;
                for item in items {
                    fit = fit.and(self.list_item(item, slot));
                }
                fit
            }
            JsonKind::Text(text) if !text.trim().is_empty() => {
                slot.push(text.to_string());
                self.assume(node, "a single string is read as a list of one");
                Fit::Odd
            }
            JsonKind::Text(_) => {
                self.assume(node, "an empty string is read as an empty list");
                Fit::No
            }
            JsonKind::Null => Fit::No,
            JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::Object(_) => {
                self.misfit(node, "a list of strings")
            }
        }
    }

    /// Reads one item. An item that is not a string makes the list inexact; the other items are still read.
    fn list_item(&mut self, item: &JsonNode<'_>, slot: &mut Vec<String>) -> Fit {
        match &item.kind {
            JsonKind::Text(text) => {
                slot.push(text.to_string());
                Fit::Exact
            }
            JsonKind::Number(digits) => {
                slot.push((*digits).to_owned());
                self.assume(item, format!("the number {digits} is read as the string `{digits}`"));
                Fit::Odd
            }
            JsonKind::Null | JsonKind::Bool(_) | JsonKind::List(_) | JsonKind::Object(_) => {
                self.wrong_item(item, "a string");
                Fit::Odd
            }
        }
    }

    /// One of these words, each with its value; another word is reported and not used.
    pub(crate) fn choice<V: Copy>(
        &mut self,
        node: &JsonNode<'_>,
        words: &[(&str, V)],
        slot: &mut Option<V>,
    ) -> Fit {
        let Some(word) = node.text() else { return self.misfit(node, "a string") };
        if let Some((_, value)) = words.iter().find(|(known, _)| *known == word) {
            *slot = Some(*value);
            return Fit::Exact;
        }
        let mut known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        known.dedup();
        self.unknown_word(node, word, &known.join(", "));
        Fit::No
    }
}
