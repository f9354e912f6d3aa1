//! From the facts of single files to a survey.

use std::collections::BTreeMap;
use std::sync::Arc;

use windlass_core::survey::{FileFacts, Language, Survey};

use super::conventions::conventions;
use super::members::members;
use crate::repo::Tree;
use crate::syntax::facts;

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

/// Surveys a whole tree, file after file.
pub fn survey(tree: &dyn Tree) -> Survey {
    let mut files = BTreeMap::new();
    let mut unread = Vec::new();
    for path in tree.paths().iter().filter(|path| worth_reading(path)) {
        match tree.read(path) {
            None => unread.push((path.clone(), "it cannot be read".to_owned())),
            Some(bytes) => match facts(path, &bytes) {
                Some(found) => {
                    files.insert(path.clone(), Arc::new(found));
                }
                None => unread.push((path.clone(), "it is too large to be source code".to_owned())),
            },
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
