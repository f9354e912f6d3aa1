//! Is a test that does not pass wrong in itself, so that no code of the task can make it pass?
//!
//! Only by proof: the runner's error has its place in the test file, and its cause cannot lie in the task's code. Where
//! code could still make the test pass, the contract decides, if the code keeps it.

use windlass_core::report::{Runner, TestReport};

use super::errors::languages_of;
use super::owned::OwnedFiles;
use crate::text::plain;

/// A run in which frozen tests did not pass.
#[derive(Debug, Clone, Copy)]
pub struct WrongTestInput<'a> {
    /// Its structured report, if any.
    pub report: Option<&'a TestReport>,
    /// The runner that the script calls, if known.
    pub runner: Option<Runner>,
    /// Standard output and error in one stream.
    pub output: &'a [u8],
    /// The frozen test files.
    pub test_files: &'a [(String, Vec<u8>)],
    /// The files of the task that are there.
    pub present: &'a [String],
    /// The names of the task's contract, if it has one and the code keeps it.
    pub kept_contract: Option<&'a [String]>,
}

/// What is wrong with a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// It uses a name that it neither defines nor imports, and that no other file can bring into it.
    Unbound(String),
    /// It imports a module by a path that does not lead to the file, which is there.
    WrongImport(String),
    /// It uses a name that the task's code does not have.
    Lacks(String),
    /// It calls something with other arguments than it takes.
    Arguments,
}

/// A fault of a test file, with the error that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestFault {
    pub(crate) file: String,
    pub(crate) kind: FaultKind,
    pub(crate) said: String,
}

/// What the errors of a language are read with.
#[derive(Clone, Copy)]
pub(crate) struct FaultGround<'a> {
    pub(crate) test_files: &'a [(String, Vec<u8>)],
    pub(crate) present: OwnedFiles<'a>,
}

impl<'a> FaultGround<'a> {
    /// The test file that a printed path means.
    pub(crate) fn test_at(&self, printed: &str) -> Option<&'a str> {
        let ends = |path: &str| {
            printed.strip_suffix(path).is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']))
        };
        self.test_files.iter().map(|(path, _)| path.as_str()).find(|path| ends(path))
    }

    /// The text of a test file.
    pub(crate) fn text(&self, path: &str) -> String {
        let found = self.test_files.iter().find(|(known, _)| known == path);
        found.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
    }
}

/// What is wrong with the test itself, in one line; `None` if that is not proved.
pub fn wrong_test(input: &WrongTestInput<'_>) -> Option<String> {
    let present = OwnedFiles { files: input.present, names: &[], present: &[] };
    let ground = FaultGround { test_files: input.test_files, present };
    let text = said(input);
    let mut faults = languages_of(input.runner, input.test_files)
        .into_iter()
        .flat_map(|language| (language.row().test_faults)(&text, &ground));
    faults.find_map(|fault| {
        let TestFault { file, kind, said } = fault;
        let contract = |name: &str| {
            let known = input.kept_contract?;
            let promised = OwnedFiles { files: &[], names: known, present: &[] }.promises(name);
            (!known.is_empty() && !promised).then_some(())
        };
        Some(match kind {
            FaultKind::Unbound(name) => {
                format!("`{file}` uses `{name}`, which it neither defines nor imports: {said}")
            }
            FaultKind::WrongImport(module) => {
                format!("`{file}` imports `{module}`, which does not lead to the file of the task: {said}")
            }
            FaultKind::Lacks(name) => {
                contract(&name)?;
                format!("`{file}` uses `{name}`, which the contract does not have: {said}")
            }
            FaultKind::Arguments => {
                input.kept_contract.filter(|names| !names.is_empty())?;
                format!("`{file}` makes a call that contradicts the contract: {said}")
            }
        })
    })
}

/// The runner's messages about what did not pass; its output where it has none.
fn said(input: &WrongTestInput<'_>) -> String {
    let messages = input.report.map(|report| &report.messages).filter(|messages| !messages.is_empty());
    match messages {
        Some(messages) => {
            messages.values().map(String::as_str).collect::<Vec<_>>().join("\n____ ERROR ____\n")
        }
        None => plain(input.output),
    }
}

/// Whether a text has a word, not as a part of another one.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

#[cfg(test)]
mod tests;
