//! Findings about inputs, and the places they point at.
//!
//! Works on offsets and texts; colours, terminals and exit codes are not known here.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; changes nothing.
    Note,
    /// The run asks before it goes on.
    Warning,
    /// The run does not start.
    Error,
}

/// One input file among [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileIx(pub u32);

/// A range of bytes in one source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Which file.
    pub file: FileIx,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A position a person can go to; both count from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, for example `WL0101`.
    pub code: &'static str,
    /// How bad it is under the profile in force.
    pub severity: Severity,
    /// One lowercase line naming the thing.
    pub message: String,
    /// The task it is about, as written.
    pub task: Option<String>,
    /// Its place in the source.
    pub span: Option<Span>,
    /// What to do next.
    pub help: Option<String>,
    /// Other places that belong to it, each with a label.
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// A finding without place or help; add them with the `with_` methods.
    pub fn new(code: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            task: None,
            span: None,
            help: None,
            related: Vec::new(),
        }
    }

    /// Names the task.
    pub fn with_task(mut self, task: impl Into<String>) -> Self {
        self.task = Some(task.into());
        self
    }

    /// Points at a place, if there is one.
    pub fn at(mut self, span: Option<Span>) -> Self {
        self.span = span;
        self
    }

    /// Says what to do next.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a labelled second place, if there is one.
    pub fn also(mut self, span: Option<Span>, label: impl Into<String>) -> Self {
        if let Some(span) = span {
            self.related.push((span, label.into()));
        }
        self
    }
}

/// One file that was read.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Its path as the user would write it.
    pub path: String,
    /// Its text.
    pub text: String,
    lines: OnceLock<LineStarts>,
}

/// Where lines begin. Computed when a position is first asked for: most files have no findings.
#[derive(Debug, Clone)]
struct LineStarts {
    starts: Vec<u32>,
    /// Whether every character is one byte: then a column needs no counting, even in a line of megabytes.
    ascii: bool,
}

impl SourceFile {
    fn lines(&self) -> &LineStarts {
        self.lines.get_or_init(|| {
            let bytes = self.text.bytes().enumerate();
            let starts = bytes.filter(|(_, b)| *b == b'\n').map(|(i, _)| offset(i + 1));
            LineStarts { starts: std::iter::once(0).chain(starts).collect(), ascii: self.text.is_ascii() }
        })
    }
}

/// All texts a plan was read from, so that a span can be shown in place.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a file and returns its index.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> FileIx {
        self.files.push(SourceFile { path: path.into(), text: text.into(), lines: OnceLock::new() });
        FileIx(offset(self.files.len() - 1))
    }

    /// The file of a span.
    pub fn file(&self, ix: FileIx) -> &SourceFile {
        &self.files[ix.0 as usize]
    }

    /// Every file in the order it was added.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Where a span starts.
    pub fn position(&self, span: Span) -> Position {
        let file = self.file(span.file);
        let LineStarts { starts, ascii } = file.lines();
        let line = starts.partition_point(|start| *start <= span.start).max(1) - 1;
        let from = starts[line] as usize;
        let to = (span.start as usize).min(file.text.len());
        let before = file.text.get(from..to).filter(|_| !ascii);
        let column = before.map_or(to.saturating_sub(from), |before| before.chars().count());
        Position { line: offset(line + 1), column: offset(column + 1) }
    }

    /// The text of a line, counted from 1, without its line end.
    pub fn line(&self, ix: FileIx, line: u32) -> &str {
        let file = self.file(ix);
        let starts = &file.lines().starts;
        let at = (line as usize).saturating_sub(1).min(starts.len() - 1);
        let from = starts[at] as usize;
        let to = starts.get(at + 1).map_or(file.text.len(), |next| *next as usize);
        file.text[from..to].trim_end_matches(['\n', '\r'])
    }
}

/// Offsets are 32 bits wide; readers refuse larger inputs before they get here.
#[expect(clippy::cast_possible_truncation, reason = "readers refuse inputs above 4 GiB")]
fn offset(n: usize) -> u32 {
    debug_assert!(u32::try_from(n).is_ok());
    n as u32
}

#[cfg(test)]
mod tests;
