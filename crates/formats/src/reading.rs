//! What every reader has: the texts, the findings, and the codes of findings. Knows no format.

use crate::tree::span_of;
use crate::{Dialect, Input, TextFile};
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity, Sources};
use windlass_core::plan::{Loaded, Plan};

/// The codes of findings of readers; their pages are in the lint catalogue.
pub(crate) mod code {
    /// Not a text, or too large.
    pub(crate) const UNREADABLE: &str = "WL0001";
    /// A syntax error.
    pub(crate) const SYNTAX: &str = "WL0002";
    /// A value that does not fit its key.
    pub(crate) const WRONG_TYPE: &str = "WL0003";
    /// A key that looks like a misspelt one.
    pub(crate) const UNKNOWN_KEY: &str = "WL0004";
    /// A key given twice.
    pub(crate) const DUPLICATE_KEY: &str = "WL0005";
    /// A state written into a plan.
    pub(crate) const STATUS: &str = "WL0006";
    /// An assumption.
    pub(crate) const ASSUMED: &str = "WL0007";
    /// A plan without tasks, or without its file.
    pub(crate) const NO_TASKS: &str = "WL0008";
    /// A code fence that is never closed.
    pub(crate) const OPEN_FENCE: &str = "WL0009";
    /// A line of a known section without a meaning.
    pub(crate) const STRAY_LINE: &str = "WL0010";
    /// A word that is not one of those a field takes.
    pub(crate) const UNKNOWN_WORD: &str = "WL0012";
    /// A part of the input that is not read.
    pub(crate) const LEFT_OUT: &str = "WL0013";
}

/// The largest file that is read; no plan comes near it.
const LARGEST: usize = 512 << 20;

/// The texts and findings while a plan is read.
#[derive(Debug, Default)]
pub(crate) struct PlanReading {
    pub(crate) sources: Sources,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl PlanReading {
    /// Adds a file; `None` if it is not a text, which is reported.
    pub(crate) fn take(&mut self, input: &Input, file: &TextFile) -> Option<FileIx> {
        let path = shown_path(input, file);
        if file.bytes.len() > LARGEST {
            let ix = self.sources.add(path, "");
            let message = format!("the file has {} bytes, the limit is {LARGEST}", file.bytes.len());
            self.report(code::UNREADABLE, message, ix);
            return None;
        }
        match std::str::from_utf8(&file.bytes) {
            Ok(text) if !looks_binary(text) => Some(self.sources.add(path, text)),
            Ok(_) => {
                let ix = self.sources.add(path, "");
                self.report(code::UNREADABLE, "the file is binary, not text".to_owned(), ix);
                None
            }
            Err(error) => {
                let valid = error.valid_up_to();
                let ix = self.sources.add(path, String::from_utf8_lossy(&file.bytes));
                let message = format!("the file is not UTF-8 text: byte {} is not valid", valid + 1);
                self.report(code::UNREADABLE, message, ix);
                None
            }
        }
    }

    fn report(&mut self, code: &'static str, message: String, file: FileIx) {
        let span = span_of(file, 0, 0);
        self.diagnostics.push(Diagnostic::new(code, Severity::Error, message).at(Some(span)));
    }

    /// Ends the reading; findings are sorted by their places.
    pub(crate) fn done(mut self, dialect: Dialect, plan: Plan) -> Loaded {
        let said = self.diagnostics.iter().any(|d| d.severity == Severity::Error);
        if plan.tasks.is_empty() && !said {
            let message = "the plan has no tasks";
            self.diagnostics.push(Diagnostic::new(code::NO_TASKS, Severity::Error, message));
        }
        self.diagnostics.sort_by_key(|d| d.span);
        Loaded {
            plan,
            dialect: dialect.as_str().to_owned(),
            diagnostics: self.diagnostics,
            sources: self.sources,
        }
    }
}

/// Whether valid UTF-8 is binary data all the same: it has a zero byte near its beginning.
fn looks_binary(text: &str) -> bool {
    text.as_bytes().iter().take(8 << 10).any(|b| *b == 0)
}

/// A file's path as the user would write it.
fn shown_path(input: &Input, file: &TextFile) -> String {
    let root = input.root.trim_end_matches('/');
    if root.is_empty() || root == "." {
        file.path.clone()
    } else if root == file.path || root.ends_with(&format!("/{}", file.path)) {
        root.to_owned()
    } else {
        format!("{root}/{}", file.path)
    }
}

/// The name of the folder of the input, for a plan without a name of its own.
pub(crate) fn folder_name(input: &Input) -> String {
    let mut parts: Vec<&str> = input.root.split('/').filter(|p| !p.is_empty() && *p != ".").collect();
    let is_file = parts.last().is_some_and(|last| input.files.iter().any(|f| f.path == *last));
    if is_file {
        parts.pop();
    }
    parts.last().filter(|p| **p != "..").map_or_else(|| "plan".to_owned(), |p| (*p).to_owned())
}
