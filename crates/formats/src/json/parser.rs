//! The tolerant reader. A mistake is reported at its place and the rest is still read: a missing or extra comma, a
//! key without quotes, a string without an end, a bracket that is never closed, a comment.
//!
//! A mistake is a warning if everything could still be read, and an error if something was lost.

use std::borrow::Cow;

use super::node::{JsonKind, JsonMember, JsonNode};
use super::scan::{skip_blank, skip_to_delimiter, string_stop};
use super::strings;
use crate::reading::code;
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity, Span};

/// The deepest nesting that is read: no plan needs more, and the stack must suffice.
const DEEPEST: u32 = 128;

/// The most mistakes that are listed: after so many a file is hardly JSON.
const MOST_FINDINGS: u32 = 50;

/// The most open brackets that are shown where a file ends.
const MOST_OPENED: usize = 3;

/// Reads `text`; `None` if there is no value in it at all.
pub(crate) fn parse<'a>(text: &'a str, file: FileIx, out: &mut Vec<Diagnostic>) -> Option<JsonNode<'a>> {
    Parser::new(text, file, out).whole()
}

pub(super) struct Parser<'a, 'd> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    depth: u32,
    open_lists: u32,
    found: u32,
    /// The finding that represents all that are not listed.
    rest_at: Option<usize>,
    /// The finding about a bracket that is never closed, and whether the file ended there.
    unclosed_at: Option<usize>,
    ended: bool,
    pub(super) file: FileIx,
    pub(super) out: &'d mut Vec<Diagnostic>,
    /// Items and members of open lists and objects; each takes its own off the end when it closes.
    items: Vec<JsonNode<'a>>,
    members: Vec<JsonMember<'a>>,
}

/// A 32-bit offset; larger files are refused before they are parsed.
#[expect(clippy::cast_possible_truncation, reason = "files above 4 GiB are refused before they are read")]
pub(super) fn offset(n: usize) -> u32 {
    n as u32
}

impl<'a, 'd> Parser<'a, 'd> {
    fn new(text: &'a str, file: FileIx, out: &'d mut Vec<Diagnostic>) -> Self {
        let (items, members) = (Vec::with_capacity(64), Vec::with_capacity(64));
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            depth: 0,
            open_lists: 0,
            found: 0,
            rest_at: None,
            unclosed_at: None,
            ended: false,
            file,
            out,
            items,
            members,
        }
    }
}

impl<'a> Parser<'a, '_> {
    fn whole(mut self) -> Option<JsonNode<'a>> {
        if self.text.starts_with('\u{feff}') {
            self.at = 3;
        }
        self.blank();
        if self.here().is_none() {
            self.find(Severity::Error, self.at, "the file is empty, a JSON value was expected");
            return None;
        }
        let root = self.value();
        self.blank();
        if self.here().is_some() {
            self.find(Severity::Error, self.at, "text follows the end of the JSON value");
        }
        Some(root)
    }

    #[inline]
    fn here(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Reports a mistake at the byte `at`.
    pub(super) fn find(&mut self, severity: Severity, at: usize, message: impl Into<String>) {
        self.found += 1;
        if self.found > MOST_FINDINGS {
            // A file with an error must not pass as one with warnings, even if the error is not listed.
            if let Some(rest) = self.rest_at.and_then(|at| self.out.get_mut(at)) {
                rest.severity = rest.severity.max(severity);
            }
            return;
        }
        let last = self.found == MOST_FINDINGS;
        if last {
            self.rest_at = Some(self.out.len());
        }
        let message = if last { "too many mistakes to list the rest".into() } else { message.into() };
        // A span must not split a character, and the byte may be the first of several.
        let span = self.span(self.text.floor_char_boundary(at), self.text.ceil_char_boundary(at + 1));
        self.out.push(Diagnostic::new(code::SYNTAX, severity, message).at(Some(span)));
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: offset(start), end: offset(end) }
    }

    #[inline]
    fn blank(&mut self) {
        if self.here().is_some_and(|b| b > b' ' && b != b'/') {
            return;
        }
        self.over_blank();
    }

    fn over_blank(&mut self) {
        self.at = skip_blank(self.bytes, self.at);
        while self.here() == Some(b'/') && self.comment() {
            self.at = skip_blank(self.bytes, self.at);
        }
    }

    /// Skips a comment, which JSON does not have.
    #[cold]
    fn comment(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            return false;
        };
        self.find(Severity::Warning, self.at, "JSON has no comments; this one is skipped");
        self.at += len;
        true
    }

    fn value(&mut self) -> JsonNode<'a> {
        let start = self.at;
        let kind = match self.here() {
            Some(b'"') => JsonKind::Text(self.string()),
            Some(open @ (b'{' | b'[')) => self.nested(open),
            Some(b'-' | b'0'..=b'9' | b'+' | b'.') => self.number(),
            Some(_) => self.word(),
            None => {
                self.find(Severity::Error, self.at, "the file ends where a value was expected");
                JsonKind::Null
            }
        };
        JsonNode { kind, start: offset(start), end: offset(self.at) }
    }

    fn nested(&mut self, open: u8) -> JsonKind<'a> {
        if self.depth == DEEPEST {
            self.find(
                Severity::Error,
                self.at,
                format!("nested more than {DEEPEST} deep; skipped from here"),
            );
            self.at = skip_to_delimiter(self.bytes, self.at);
            return JsonKind::Null;
        }
        self.depth += 1;
        let kind = if open == b'{' { self.object() } else { self.list() };
        self.depth -= 1;
        kind
    }

    fn object(&mut self) -> JsonKind<'a> {
        let start = self.at;
        self.at += 1;
        let base = self.members.len();
        loop {
            self.blank();
            match self.here() {
                Some(b'"') => {
                    let member = self.member();
                    self.members.push(member);
                    self.after_item(b'}');
                }
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                Some(b']') if self.open_lists > 0 => {
                    self.unclosed(start, "`{`");
                    break;
                }
                None => {
                    self.unclosed(start, "`{`");
                    break;
                }
                Some(_) => {
                    if let Some(member) = self.odd_member() {
                        self.members.push(member);
                        self.after_item(b'}');
                    }
                }
            }
        }
        let mut members = self.members.split_off(base);
        super::duplicates::drop_earlier(&mut members, self.file, self.out);
        JsonKind::Object(members)
    }

    fn member(&mut self) -> JsonMember<'a> {
        let start = self.at;
        let key = self.string();
        self.member_of(key, start)
    }

    fn member_of(&mut self, key: Cow<'a, str>, start: usize) -> JsonMember<'a> {
        let end = self.at;
        self.blank();
        if self.here() == Some(b':') {
            self.at += 1;
            self.blank();
        } else {
            self.find(Severity::Error, self.at, format!("`:` expected after the key `{key}`"));
        }
        let value = match self.here() {
            Some(b',' | b'}' | b']') => {
                self.find(Severity::Error, self.at, format!("the key `{key}` has no value"));
                JsonNode { kind: JsonKind::Null, start: offset(self.at), end: offset(self.at) }
            }
            _ => self.value(),
        };
        JsonMember { key, start: offset(start), end: offset(end), value }
    }

    /// Reads a member whose key is not a string: a key without quotes is accepted, anything else is skipped.
    #[cold]
    fn odd_member(&mut self) -> Option<JsonMember<'a>> {
        let start = self.at;
        let word = self.bare_word();
        let colon = skip_blank(self.bytes, self.at + word.len());
        if !word.is_empty() && self.bytes.get(colon) == Some(&b':') {
            self.find(Severity::Warning, start, format!("the key `{word}` needs double quotes"));
            self.at += word.len();
            return Some(self.member_of(Cow::Borrowed(word), start));
        }
        if self.here() == Some(b',') {
            self.find(Severity::Warning, start, "this comma is superfluous");
            self.at += 1;
            return None;
        }
        self.find(
            Severity::Error,
            start,
            "a key in double quotes was expected; skipped up to the next comma",
        );
        self.at = skip_to_delimiter(self.bytes, (self.at + 1).min(self.bytes.len()));
        if self.here() == Some(b',') {
            self.at += 1;
        }
        None
    }

    fn list(&mut self) -> JsonKind<'a> {
        let start = self.at;
        self.at += 1;
        self.open_lists += 1;
        let base = self.items.len();
        loop {
            self.blank();
            match self.here() {
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                None | Some(b'}') => {
                    self.unclosed(start, "`[`");
                    break;
                }
                Some(b',') => {
                    self.find(Severity::Warning, self.at, "this comma is superfluous");
                    self.at += 1;
                }
                Some(b':') => {
                    self.find(Severity::Error, self.at, "`:` does not belong in a list");
                    self.at += 1;
                }
                Some(_) => {
                    let item = self.value();
                    self.items.push(item);
                    self.after_item(b']');
                }
            }
        }
        self.open_lists -= 1;
        JsonKind::List(self.items.split_off(base))
    }

    /// Skips the comma after an item; the closing bracket is left to the caller.
    #[inline]
    fn after_item(&mut self, close: u8) {
        self.blank();
        if self.here() == Some(close) {
            return;
        }
        self.between_items(close);
    }

    fn between_items(&mut self, close: u8) {
        match self.here() {
            Some(b',') => {
                let comma = self.at;
                self.at += 1;
                self.blank();
                if self.here() == Some(close) {
                    self.find(Severity::Warning, comma, "the last item has a comma after it");
                }
            }
            None | Some(b'}' | b']') => {}
            Some(b'"' | b'{' | b'[' | b'-' | b'0'..=b'9') => {
                self.find(Severity::Warning, self.at, "a comma is missing before this");
            }
            Some(_) => {
                let message = format!("`,` or `{}` expected; skipped up to the next one", char::from(close));
                self.find(Severity::Error, self.at, message);
                self.at = skip_to_delimiter(self.bytes, self.at);
                if self.here() == Some(b',') {
                    self.at += 1;
                }
            }
        }
    }

    /// Reports a bracket without its end. If the file ends inside several, that is one mistake.
    #[cold]
    fn unclosed(&mut self, start: usize, what: &str) {
        let opened = self.span(start, start + 1);
        let at_end = self.here().is_none();
        if !(at_end && self.ended) {
            let why = if at_end { "the file ends here, and " } else { "" };
            self.find(Severity::Error, self.at, format!("{why}{what} is never closed"));
            self.unclosed_at = self.out.len().checked_sub(1);
            self.ended = at_end;
        }
        if self.found < MOST_FINDINGS
            && let Some(finding) = self.unclosed_at.and_then(|at| self.out.get_mut(at))
            && finding.related.len() < MOST_OPENED
        {
            finding.related.push((opened, "opened here".into()));
        }
    }

    /// A string, from its opening quote. Plain ones are borrowed.
    fn string(&mut self) -> Cow<'a, str> {
        let start = self.at + 1;
        let stop = string_stop(self.bytes, start);
        if self.bytes.get(stop) == Some(&b'"') {
            self.at = stop + 1;
            return Cow::Borrowed(&self.text[start..stop]);
        }
        Cow::Owned(strings::unescape(self, start, stop))
    }

    fn number(&mut self) -> JsonKind<'a> {
        let start = self.at;
        while let Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') = self.here() {
            self.at += 1;
        }
        let digits = &self.text[start..self.at];
        if digits.parse::<serde_json::Number>().is_err() {
            self.find(
                Severity::Warning,
                start,
                format!("`{digits}` is not a JSON number; it is read as written"),
            );
        }
        JsonKind::Number(digits)
    }

    fn word(&mut self) -> JsonKind<'a> {
        let start = self.at;
        let word = self.bare_word();
        self.at += word.len();
        let kind = match word {
            "true" => return JsonKind::Bool(true),
            "false" => return JsonKind::Bool(false),
            "null" => return JsonKind::Null,
            "True" | "TRUE" => JsonKind::Bool(true),
            "False" | "FALSE" => JsonKind::Bool(false),
            "None" | "undefined" | "NULL" => JsonKind::Null,
            _ => {
                self.find(Severity::Error, start, "a value was expected; skipped up to the next comma");
                let from = if word.is_empty() { start + 1 } else { self.at };
                self.at = skip_to_delimiter(self.bytes, from);
                return JsonKind::Null;
            }
        };
        self.find(Severity::Warning, start, format!("`{word}` is not JSON; it is read as meant"));
        kind
    }

    fn bare_word(&self) -> &'a str {
        let rest = &self.text[self.at..];
        let len = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'$'));
        &rest[..len.count()]
    }
}
