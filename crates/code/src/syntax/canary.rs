//! Canaries: tests that must fail, laid among the real ones in the verifier's copy alone.
//!
//! Code that makes a runner pass everything, or that prints a forged report, does not know the names of the canaries: it
//! passes them too, or leaves them out. The random word in their names comes from the caller.

use windlass_core::report::Runner;

use super::language_of;
use super::test_item::{TestItem, tests};

/// A test file with canaries in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CanaryFile {
    /// The file's new content.
    pub bytes: Vec<u8>,
    /// The canaries' names, in the form of [`TestItem::name_in`].
    pub names: Vec<String>,
}

/// Lays canaries into a test file; `None` where it is not known how. `word` makes their names unguessable: letters and
/// digits only. Their names begin like that of a test for which `ran` holds, so that a filter of the command that lets
/// it through lets them through.
pub fn with_canaries(
    path: &str,
    bytes: &[u8],
    runner: Runner,
    word: &str,
    ran: &dyn Fn(&str) -> bool,
) -> Option<CanaryFile> {
    let language = language_of(path)?;
    let items = tests(path, bytes);
    let model = items.iter().rev().find(|item| ran(&item.name_in(path)))?;
    let text = std::str::from_utf8(bytes).ok()?;
    let (text, inner) = (language.row().canaries)(&CanaryRequest { text, model, runner, word })?;
    let names = inner.into_iter().map(|name| TestItem { name, ..model.clone() }.name_in(path)).collect();
    Some(CanaryFile { bytes: text.into_bytes(), names })
}

/// Where canaries are wanted.
pub(crate) struct CanaryRequest<'a> {
    /// The text of the test file.
    pub(crate) text: &'a str,
    /// The test whose neighbours they become.
    pub(crate) model: &'a TestItem,
    /// The runner.
    pub(crate) runner: Runner,
    /// What makes their names unguessable.
    pub(crate) word: &'a str,
}

impl CanaryRequest<'_> {
    /// The last part of the model's name: what a filter of the command most likely looks for.
    pub(crate) fn stem(&self) -> &str {
        self.model.name.rsplit("::").next().unwrap_or(&self.model.name)
    }

    /// The text, with a line end at its end.
    pub(crate) fn ended_text(&self) -> String {
        if self.text.ends_with('\n') { self.text.to_owned() } else { format!("{}\n", self.text) }
    }
}

#[cfg(test)]
mod tests;
