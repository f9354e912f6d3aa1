//! Typed reading of an object's members: each value goes into its slot if it fits, and what does not is said and kept.
//!
//! Knows the types of slots, nothing of what they mean.

use serde_json::{Map, Value};

use super::node::{Kind, Member, Node};
use crate::reading::code;
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity, Span};
use windlass_core::plan::Places;

/// How a value went into its slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// Completely: written again, it would look the same.
    Exact,
    /// It was understood, but the original says it differently or says more: it is kept beside the slot.
    Odd,
    /// Not at all: it is kept as it is.
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

/// A reading of one object under way.
pub(crate) struct Fields<'d> {
    /// The file it stands in.
    pub(crate) file: FileIx,
    out: &'d mut Vec<Diagnostic>,
    field: &'static str,
}

impl<'d> Fields<'d> {
    /// A reading in `file`; findings go to `out`.
    pub(crate) fn new(file: FileIx, out: &'d mut Vec<Diagnostic>) -> Self {
        Self { file, out, field: "" }
    }

    /// Names the field the next value belongs to, for readers of their own kind.
    pub(crate) fn field(&mut self, field: &'static str) {
        self.field = field;
    }

    /// Ends the reading of one member: remembers its place, and keeps the original where it must be kept.
    pub(crate) fn settle(
        &mut self,
        fit: Fit,
        member: &Member<'_>,
        places: &mut Places,
        extra: &mut Map<String, Value>,
    ) {
        if fit != Fit::No {
            places.note(self.field, member.value.span(self.file));
        }
        if fit != Fit::Exact {
            extra.insert(member.key.to_string(), member.value.to_value());
        }
    }

    /// Adds a finding at `node`.
    pub(crate) fn find(
        &mut self,
        code: &'static str,
        severity: Severity,
        node: &Node<'_>,
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

    /// Says that a value has the wrong type, and that it is kept but not used.
    pub(crate) fn misfit(&mut self, node: &Node<'_>, wanted: &str) -> Fit {
        if !node.is_null() {
            let message = format!("{wanted} expected, this is {}; it is kept but not used", node.kind.name());
            self.find(code::WRONG_TYPE, Severity::Warning, node, message);
        }
        Fit::No
    }

    /// Says what was assumed.
    pub(crate) fn assume(&mut self, node: &Node<'_>, message: impl Into<String>) {
        self.find(code::ASSUMED, Severity::Note, node, message);
    }

    /// Says that a word is none of those a field takes.
    pub(crate) fn unknown_word(&mut self, node: &Node<'_>, word: &str, known: &str) {
        let message = format!("`{}` is not one of {known}; it is kept as written", word.escape_debug());
        self.find(code::UNKNOWN_WORD, Severity::Warning, node, message);
    }

    /// A string; a number is taken as its digits.
    pub(crate) fn text(&mut self, field: &'static str, node: &Node<'_>, slot: &mut String) -> Fit {
        self.field = field;
        match &node.kind {
            Kind::Text(text) => {
                text.as_ref().clone_into(slot);
                Fit::Exact
            }
            Kind::Number(digits) => {
                (*digits).clone_into(slot);
                self.assume(node, format!("the number {digits} is read as the text `{digits}`"));
                Fit::Odd
            }
            Kind::Null | Kind::Bool(_) | Kind::List(_) | Kind::Object(_) => self.misfit(node, "a string"),
        }
    }

    /// A string that may be absent.
    pub(crate) fn maybe(&mut self, field: &'static str, node: &Node<'_>, slot: &mut Option<String>) -> Fit {
        let mut text = String::new();
        let fit = self.text(field, node, &mut text);
        if fit != Fit::No {
            *slot = Some(text);
        }
        fit
    }

    /// A whole number; one in quotes is taken too.
    pub(crate) fn int(&mut self, field: &'static str, node: &Node<'_>, slot: &mut Option<i64>) -> Fit {
        self.field = field;
        let Some(number) = node.word().and_then(|w| w.trim().parse().ok()) else {
            return self.misfit(node, "a whole number");
        };
        *slot = Some(number);
        self.exact_if_number(node)
    }

    /// A number; one in quotes is taken too.
    pub(crate) fn number(&mut self, field: &'static str, node: &Node<'_>, slot: &mut Option<f64>) -> Fit {
        self.field = field;
        let parsed = node.word().and_then(|w| w.trim().parse::<f64>().ok()).filter(|n| n.is_finite());
        let Some(number) = parsed else {
            return self.misfit(node, "a number");
        };
        *slot = Some(number);
        if matches!(node.kind, Kind::Number(digits) if is_short_count(digits)) {
            return Fit::Exact;
        }
        let fit = self.exact_if_number(node);
        if super::record::number(number) == node.to_value() { fit } else { Fit::Odd }
    }

    fn exact_if_number(&mut self, node: &Node<'_>) -> Fit {
        if matches!(node.kind, Kind::Number(_)) {
            return Fit::Exact;
        }
        self.assume(node, "a number in quotes is read as a number");
        Fit::Odd
    }

    /// A truth value.
    pub(crate) fn flag(&mut self, field: &'static str, node: &Node<'_>, slot: &mut Option<bool>) -> Fit {
        self.field = field;
        match node.kind {
            Kind::Bool(flag) => {
                *slot = Some(flag);
                Fit::Exact
            }
            _ => self.misfit(node, "true or false"),
        }
    }

    /// A list of strings; a single string is a list of one, numbers are taken as their digits.
    pub(crate) fn texts(&mut self, field: &'static str, node: &Node<'_>, slot: &mut Vec<String>) -> Fit {
        self.field = field;
        match &node.kind {
            Kind::List(items) => {
                slot.reserve_exact(items.len());
                let mut fit = Fit::Exact;
                for item in items {
                    fit = fit.and(self.list_item(item, slot));
                }
                fit
            }
            Kind::Text(text) if !text.trim().is_empty() => {
                slot.push(text.to_string());
                self.assume(node, "a single string is read as a list of one");
                Fit::Odd
            }
            Kind::Text(_) | Kind::Null => Fit::No,
            Kind::Bool(_) | Kind::Number(_) | Kind::Object(_) => self.misfit(node, "a list of strings"),
        }
    }

    /// An item that is no string costs the list its exactness, not its other items.
    fn list_item(&mut self, item: &Node<'_>, slot: &mut Vec<String>) -> Fit {
        match &item.kind {
            Kind::Text(text) => {
                slot.push(text.to_string());
                Fit::Exact
            }
            Kind::Number(digits) => {
                slot.push((*digits).to_owned());
                Fit::Odd
            }
            Kind::Null | Kind::Bool(_) | Kind::List(_) | Kind::Object(_) => {
                self.misfit(item, "a string");
                Fit::Odd
            }
        }
    }

    /// Remembers where each item of a list stands, as `field[0]`, `field[1]`, …
    pub(crate) fn item_places(&self, field: &'static str, node: &Node<'_>, places: &mut Places) {
        for (i, item) in node.items().iter().enumerate() {
            places.note_item(field, i, item.span(self.file));
        }
    }
}

/// Whether digits are a whole number that is written in one way only.
fn is_short_count(digits: &str) -> bool {
    let plain = digits.len() < 10 && digits.bytes().all(|b| b.is_ascii_digit());
    plain && (digits.len() == 1 || !digits.starts_with('0'))
}
