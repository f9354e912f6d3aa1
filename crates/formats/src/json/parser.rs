//! The tolerant reader. A mistake is reported where it stands and the rest is read on: a missing or extra comma, a
//! key without quotes, a string without an end, a bracket that is never closed, a comment.
//!
//! Severity tells what was lost: a warning if everything could still be made out, an error if something could not.

use std::borrow::Cow;
use std::ops::Range;

use super::node::{Kind, Member, Node};
use super::scan::{skip_blank, skip_to_delimiter, string_stop};
use super::strings;
use crate::reading::code;
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity, Span};

/// Nesting beyond this is refused: no plan comes near it, and the stack must hold.
const DEEPEST: u32 = 128;

/// After this many mistakes a file is not JSON with mistakes in it, and the rest is not listed.
const MOST_FINDINGS: u32 = 50;

/// Of the brackets that are open where a file ends, so many are shown.
const MOST_OPENED: usize = 3;

/// Reads `text`; `None` if there is no value in it at all.
pub(crate) fn parse<'a>(text: &'a str, file: FileIx, out: &mut Vec<Diagnostic>) -> Option<Node<'a>> {
    Parser::new(text, file, out).whole()
}

/// Takes the items of a long list as soon as they are read.
pub(super) trait Take {
    /// An item.
    fn item(&mut self, item: &Node<'_>, out: &mut Vec<Diagnostic>);

    /// The first item begins at the byte `at`: where to read on, if what follows was taken before.
    fn skip(&mut self, at: usize, out: &mut Vec<Diagnostic>) -> usize;
}

/// Reads `text` like [`parse`], but hands over the items of the list `key` of the outermost object and forgets them.
pub(super) fn parse_taking<'a>(
    text: &'a str,
    file: FileIx,
    out: &mut Vec<Diagnostic>,
    key: &str,
    take: &mut dyn Take,
) -> Option<Node<'a>> {
    let mut parser = Parser::new(text, file, out);
    parser.take = Some((key, take));
    parser.whole()
}

/// Reads the objects of a list of the outermost object, from one that begins at the start of `range`, up to the first one that
/// begins at its end or behind it, or to the end of the list. Says where that is; `None` if there is any mistake.
pub(super) fn read_items(
    text: &str,
    file: FileIx,
    out: &mut Vec<Diagnostic>,
    range: Range<usize>,
    each: &mut dyn FnMut(&Node<'_>, &mut Vec<Diagnostic>),
) -> Option<usize> {
    let mut parser = Parser::new(text, file, out);
    (parser.at, parser.depth, parser.open_lists) = (range.start, 2, 1);
    while parser.here() == Some(b'{') && parser.at < range.end {
        let item = parser.value();
        parser.after_item(b']');
        if parser.found > 0 {
            return None;
        }
        each(&item, parser.out);
    }
    matches!(parser.here(), Some(b'{' | b']')).then_some(parser.at)
}

pub(super) struct Parser<'a, 'd, 'f> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    depth: u32,
    open_lists: u32,
    found: u32,
    /// Which finding stands for all that are not listed.
    rest_at: Option<usize>,
    /// Which finding says that a bracket is never closed, and whether because the file ends.
    unclosed_at: Option<usize>,
    ended: bool,
    pub(super) file: FileIx,
    pub(super) out: &'d mut Vec<Diagnostic>,
    /// Items and members of what is open; each list and object takes its own off the end, in the right size.
    items: Vec<Node<'a>>,
    members: Vec<Member<'a>>,
    take: Option<(&'f str, &'f mut dyn Take)>,
}

/// Offsets are 32 bits wide; larger files are refused before they get here.
#[expect(clippy::cast_possible_truncation, reason = "files above 4 GiB are refused before they are read")]
pub(super) fn offset(n: usize) -> u32 {
    n as u32
}

impl<'a, 'd> Parser<'a, 'd, '_> {
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
            take: None,
        }
    }
}

impl<'a> Parser<'a, '_, '_> {
    fn whole(mut self) -> Option<Node<'a>> {
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
            self.find(Severity::Error, self.at, "there is text after the end of the JSON value");
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
            // Not listed, but not forgotten: a file with an error in it must never pass for one with warnings.
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
        // The byte may be the first of several: a place never cuts a character.
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

    /// Steps over a comment, which JSON does not have but people do.
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

    fn value(&mut self) -> Node<'a> {
        let start = self.at;
        let kind = match self.here() {
            Some(b'"') => Kind::Text(self.string()),
            Some(open @ (b'{' | b'[')) => self.nested(open),
            Some(b'-' | b'0'..=b'9' | b'+' | b'.') => self.number(),
            Some(_) => self.word(),
            None => {
                self.find(Severity::Error, self.at, "the file ends where a value was expected");
                Kind::Null
            }
        };
        Node { kind, start: offset(start), end: offset(self.at) }
    }

    fn nested(&mut self, open: u8) -> Kind<'a> {
        if self.depth == DEEPEST {
            self.find(
                Severity::Error,
                self.at,
                format!("nested more than {DEEPEST} deep; skipped from here"),
            );
            self.at = skip_to_delimiter(self.bytes, self.at);
            return Kind::Null;
        }
        self.depth += 1;
        let kind = if open == b'{' { self.object() } else { self.list(None) };
        self.depth -= 1;
        kind
    }

    fn object(&mut self) -> Kind<'a> {
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
        Kind::Object(members)
    }

    fn member(&mut self) -> Member<'a> {
        let start = self.at;
        let key = self.string();
        self.member_of(key, start)
    }

    fn member_of(&mut self, key: Cow<'a, str>, start: usize) -> Member<'a> {
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
                Node { kind: Kind::Null, start: offset(self.at), end: offset(self.at) }
            }
            Some(b'[') if self.depth == 1 && self.take.as_ref().is_some_and(|(list, _)| *list == key) => {
                self.each_item()
            }
            _ => self.value(),
        };
        Member { key, start: offset(start), end: offset(end), value }
    }

    /// Something in the place of a key that is no string: a key without quotes is taken, the rest is skipped.
    #[cold]
    fn odd_member(&mut self) -> Option<Member<'a>> {
        let start = self.at;
        let word = self.bare_word();
        let colon = skip_blank(self.bytes, self.at + word.len());
        if !word.is_empty() && self.bytes.get(colon) == Some(&b':') {
            self.find(Severity::Warning, start, format!("the key `{word}` needs double quotes"));
            self.at += word.len();
            return Some(self.member_of(Cow::Borrowed(word), start));
        }
        if self.here() == Some(b',') {
            self.find(Severity::Warning, start, "one comma too many");
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

    /// The list whose items are handed over.
    fn each_item(&mut self) -> Node<'a> {
        let start = self.at;
        let take = self.take.take();
        self.depth += 1;
        let kind = self.list(take.map(|(_, take)| take));
        self.depth -= 1;
        Node { kind, start: offset(start), end: offset(self.at) }
    }

    fn list(&mut self, mut take: Option<&mut dyn Take>) -> Kind<'a> {
        let start = self.at;
        self.at += 1;
        self.open_lists += 1;
        let base = self.items.len();
        if let Some(take) = &mut take {
            self.blank();
            self.at = take.skip(self.at, self.out);
        }
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
                    self.find(Severity::Warning, self.at, "one comma too many");
                    self.at += 1;
                }
                Some(b':') => {
                    self.find(Severity::Error, self.at, "`:` has no place in a list");
                    self.at += 1;
                }
                Some(_) => {
                    let item = self.value();
                    match &mut take {
                        Some(take) => take.item(&item, self.out),
                        None => self.items.push(item),
                    }
                    self.after_item(b']');
                }
            }
        }
        self.open_lists -= 1;
        Kind::List(self.items.split_off(base))
    }

    /// What follows an item: a comma, or the closing bracket, which the caller takes.
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

    /// A bracket without its end. Where the file ends inside several, that is one mistake.
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

    fn number(&mut self) -> Kind<'a> {
        let start = self.at;
        while let Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') = self.here() {
            self.at += 1;
        }
        let digits = &self.text[start..self.at];
        let plain =
            digits.bytes().all(|b| b.is_ascii_digit()) && (!digits.starts_with('0') || digits.len() == 1);
        if !plain && digits.parse::<serde_json::Number>().is_err() {
            self.find(Severity::Warning, start, format!("`{digits}` is not a JSON number; taken as written"));
        }
        Kind::Number(digits)
    }

    fn word(&mut self) -> Kind<'a> {
        let start = self.at;
        let word = self.bare_word();
        self.at += word.len();
        let kind = match word {
            "true" => return Kind::Bool(true),
            "false" => return Kind::Bool(false),
            "null" => return Kind::Null,
            "True" | "TRUE" => Kind::Bool(true),
            "False" | "FALSE" => Kind::Bool(false),
            "None" | "undefined" | "NULL" => Kind::Null,
            _ => {
                self.find(Severity::Error, start, "a value was expected; skipped up to the next comma");
                let from = if word.is_empty() { start + 1 } else { self.at };
                self.at = skip_to_delimiter(self.bytes, from);
                return Kind::Null;
            }
        };
        self.find(Severity::Warning, start, format!("`{word}` is not JSON; taken as it is meant"));
        kind
    }

    fn bare_word(&self) -> &'a str {
        let rest = &self.text[self.at..];
        let len = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'$'));
        &rest[..len.count()]
    }
}
