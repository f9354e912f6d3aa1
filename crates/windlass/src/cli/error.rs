//! The one error of the binary: what happened, what caused it, what to do.

use std::error::Error;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use windlass_engine::chronicle::ChronicleError;
use windlass_engine::git::GitError;
use windlass_engine::journal::JournalError;

use super::exit::Exit;
use crate::render::{Paint, Screen};

/// An error that is shown to the user.
#[derive(Debug)]
pub(crate) struct CliError {
    /// How the program ends.
    pub(crate) exit: Exit,
    /// What happened: a lowercase fragment.
    pub(crate) message: String,
    /// What caused it, nearest first.
    pub(crate) causes: Vec<String>,
    /// What to do.
    pub(crate) hints: Vec<String>,
}

impl CliError {
    /// Wrong usage, or input that cannot be read.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// The plan has findings that forbid what was asked for.
    pub(crate) fn findings(message: impl Into<String>) -> Self {
        Self::new(Exit::Findings, message)
    }

    /// The environment lacks something.
    pub(crate) fn environment(message: impl Into<String>) -> Self {
        Self::new(Exit::Environment, message)
    }

    /// A person has to decide something first.
    pub(crate) fn blocked(message: impl Into<String>) -> Self {
        Self::new(Exit::Blocked, message)
    }

    fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), causes: Vec::new(), hints: Vec::new() }
    }

    /// An error with its causes.
    pub(crate) fn of(exit: Exit, error: &dyn Error) -> Self {
        Self::new(exit, error.to_string()).because_of(error.source())
    }

    /// A file that could not be used.
    pub(crate) fn file(what: &str, path: &Path, error: &io::Error) -> Self {
        Self::usage(format!("{what} `{}`", path.display())).because_of(Some(error))
    }

    /// Adds an error and everything that caused it.
    pub(crate) fn because_of(mut self, error: Option<&(dyn Error + 'static)>) -> Self {
        let mut next = error;
        while let Some(error) = next {
            self.causes.push(error.to_string());
            next = error.source();
        }
        self
    }

    /// Adds a hint: what to do.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The error for people.
    pub(crate) fn render(&self, screen: &Screen) -> String {
        let mut text = format!("{}: {}\n", screen.paint(Paint::Error, "error"), self.message);
        for cause in &self.causes {
            let _ = writeln!(text, "  {}: {cause}", screen.paint(Paint::Strong, "caused by"));
        }
        for hint in &self.hints {
            let _ = writeln!(text, "  {}: {hint}", screen.paint(Paint::Help, "hint"));
        }
        text
    }
}

impl From<GitError> for CliError {
    fn from(error: GitError) -> Self {
        let mut told = Self::of(Exit::Environment, &error);
        told.hints.extend(error.hint());
        told
    }
}

impl From<JournalError> for CliError {
    fn from(error: JournalError) -> Self {
        Self::of(Exit::Environment, &error)
    }
}

impl From<ChronicleError> for CliError {
    fn from(error: ChronicleError) -> Self {
        Self::of(Exit::Environment, &error)
    }
}

impl From<serde_json::Error> for CliError {
    fn from(error: serde_json::Error) -> Self {
        Self::of(Exit::Environment, &error)
    }
}
