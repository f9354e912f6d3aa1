//! Reads the output stream of a command line agent into entries.

use serde_json::Value;

use super::acp;
use super::entry::StreamEntry;
use super::line_splitter::{LineSplitter, StreamLine};
use crate::agent::cli::CliKind;

/// The content of one line.
#[derive(Debug, PartialEq)]
pub enum LineContent<'a> {
    /// An event; one that tells nothing has no entries.
    Entries(Vec<StreamEntry>),
    /// Something that is no event.
    Plain(&'a str),
    /// A line that is too long, with its length in bytes.
    TooLong(u64),
}

/// Reads a stream. Takes anything: what it does not know it passes over.
#[derive(Debug)]
pub struct StreamReader {
    kind: Option<CliKind>,
    lines: LineSplitter,
}

impl StreamReader {
    /// A reader of this program's stream.
    pub fn new(kind: CliKind) -> Self {
        Self { kind: Some(kind), lines: LineSplitter::default() }
    }

    /// A reader that recognises the program by its first event.
    pub fn guessing() -> Self {
        Self { kind: None, lines: LineSplitter::default() }
    }

    /// Whose stream it is, as far as that is known.
    pub fn kind(&self) -> Option<CliKind> {
        self.kind
    }

    /// Takes the next bytes and tells what every line they complete says.
    pub fn push(&mut self, bytes: &[u8], each: &mut dyn FnMut(LineContent<'_>)) {
        let kind = &mut self.kind;
        self.lines.push(bytes, &mut |line| read_line(kind, &line, each));
    }

    /// Tells what the last line says, if it has no end.
    pub fn finish(&mut self, each: &mut dyn FnMut(LineContent<'_>)) {
        let kind = &mut self.kind;
        self.lines.finish(&mut |line| read_line(kind, &line, each));
    }
}

fn read_line(kind: &mut Option<CliKind>, line: &StreamLine<'_>, each: &mut dyn FnMut(LineContent<'_>)) {
    let bytes = match line {
        StreamLine::Whole(bytes) => bytes,
        StreamLine::TooLong(n) => return each(LineContent::TooLong(*n)),
    };
    let text = String::from_utf8_lossy(bytes);
    let event =
        text.trim_start().starts_with('{').then(|| serde_json::from_str::<Value>(&text).ok()).flatten();
    let Some(event) = event else { return each(LineContent::Plain(&text)) };
    if acp::is_acp(&event) {
        return each(LineContent::Entries(acp::entries(&event)));
    }
    if kind.is_none() {
        *kind = CliKind::ALL.into_iter().find(|kind| (kind.facts().begins)(&event));
    }
    match kind {
        Some(kind) => each(LineContent::Entries((kind.facts().entries)(&event))),
        None => each(LineContent::Plain(&text)),
    }
}
