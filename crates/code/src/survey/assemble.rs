//! From the facts of single files to a survey.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::language::Language;
use crate::survey::{FactReader, FileFacts, Survey};

use super::conventions::conventions;
use super::members::members;
use crate::repo::Tree;
use crate::syntax::{MAX_BYTES, facts};

/// Directories of third-party or generated code.
#[rustfmt::skip]
const FOREIGN: [&str; 14] = [
    "node_modules", "vendor", "_vendor", "vendored", ".venv", "venv", "target", "third_party", "dist", "build",
    "site-packages", ".git", "__pycache__", "bower_components",
];

/// Whether a directory of this name holds third-party or generated code.
pub(super) fn is_foreign(part: &str) -> bool {
    // The first byte tells most of them apart.
    matches!(part.as_bytes().first(), Some(b'n' | b'v' | b'.' | b't' | b'd' | b'b' | b's' | b'_'))
        && FOREIGN.contains(&part)
}

/// Whether a survey looks into this file: source code of the repository's own.
pub fn worth_reading(path: &str) -> bool {
    let is_made = |language: &Language| language.row().generated.iter().any(|ending| path.ends_with(ending));
    Language::of_path(path).is_some_and(|language| !is_made(&language)) && is_own(path)
}

/// Whether a file is the repository's own, neither installed nor generated.
pub fn is_own(path: &str) -> bool {
    !path.split('/').any(is_foreign)
}

/// Why a source file was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// It is gone, or may not be read.
    #[error("it cannot be read")]
    Gone,
    /// No hand-written source is so large.
    #[error("it is too large to be source code")]
    TooLarge,
    /// It has bytes that no text has.
    #[error("it is not text")]
    NotText,
}

impl Unread {
    /// Whether a file of this size is not even opened.
    pub fn too_large(size: u64) -> bool {
        size > MAX_BYTES as u64
    }
}

/// The facts of a source file, or why it is not read.
pub fn read_facts(path: &str, bytes: &[u8]) -> Result<FileFacts, Unread> {
    if Unread::too_large(bytes.len() as u64) {
        return Err(Unread::TooLarge);
    }
    if bytes.iter().take(8000).any(|byte| *byte == 0) {
        return Err(Unread::NotText);
    }
    facts(path, bytes).ok_or(Unread::NotText)
}

/// Surveys a whole tree, file after file.
pub fn survey(tree: &dyn Tree) -> Survey {
    let mut files = BTreeMap::new();
    for path in tree.paths().iter().filter(|path| worth_reading(path)) {
        if let Some(found) = tree.read(path).and_then(|bytes| read_facts(path, &bytes).ok()) {
            files.insert(path.clone(), Arc::new(found));
        }
    }
    let mut paths = tree.paths().to_vec();
    paths.sort_unstable();
    paths.dedup();
    let sources = sources(&paths);
    assemble(tree, Arc::new(paths), sources, Arc::new(files))
}

/// Which of these paths a survey looks into, by position.
pub fn sources(paths: &[String]) -> Vec<u32> {
    (0u32..).zip(paths).filter(|(_, path)| worth_reading(path)).map(|(at, _)| at).collect()
}

/// Puts a survey together over a reader of single files. The paths are sorted, and `sources` are those of [`sources`].
pub fn assemble(
    tree: &dyn Tree,
    paths: Arc<Vec<String>>,
    sources: Vec<u32>,
    reader: Arc<dyn FactReader>,
) -> Survey {
    let members = members(tree);
    let mut survey = Survey { paths, sources, members, conventions: Vec::new(), reader: Some(reader) };
    survey.conventions = conventions(tree, &survey);
    survey
}

#[cfg(test)]
mod tests;
