//! From the facts of single files to a survey.

use std::collections::BTreeMap;
use std::sync::Arc;

use windlass_core::survey::{FileFacts, Language, Survey};

use super::conventions::conventions;
use super::members::members;
use crate::repo::Tree;
use crate::syntax::{MAX_BYTES, facts};

/// Directories whose code is somebody else's, or made by a program.
const FOREIGN: [&str; 12] = [
    "node_modules",
    "vendor",
    ".venv",
    "venv",
    "target",
    "third_party",
    "dist",
    "build",
    "site-packages",
    ".git",
    "__pycache__",
    "bower_components",
];

/// Whether a survey looks into this file: source code of the repository's own.
pub fn worth_reading(path: &str) -> bool {
    let made = [".min.js", ".d.ts", ".pb.go", "_pb2.py", ".g.cs", ".designer.cs"];
    Language::of_path(path).is_some()
        && !made.iter().any(|ending| path.ends_with(ending))
        && !path.split('/').any(|part| FOREIGN.contains(&part))
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

/// What a source file says, or why it is not read.
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
    let mut unread = Vec::new();
    for path in tree.paths().iter().filter(|path| worth_reading(path)) {
        match tree.read(path).ok_or(Unread::Gone).and_then(|bytes| read_facts(path, &bytes)) {
            Ok(found) => {
                files.insert(path.clone(), Arc::new(found));
            }
            Err(why) => unread.push((path.clone(), why.to_string())),
        }
    }
    assemble(tree, files, unread)
}

/// Puts the facts of single files together.
pub fn assemble(
    tree: &dyn Tree,
    files: BTreeMap<String, Arc<FileFacts>>,
    unread: Vec<(String, String)>,
) -> Survey {
    let mut paths = tree.paths().to_vec();
    paths.sort_unstable();
    paths.dedup();
    let members = members(tree);
    let mut survey = Survey { paths, files, members, conventions: Vec::new(), unread };
    survey.conventions = conventions(tree, &survey);
    survey
}
