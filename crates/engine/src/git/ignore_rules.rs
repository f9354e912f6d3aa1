//! The ignore rules of a base tree, whatever an agent made of the files since.
//!
//! Nothing of the user's own excludes and nothing on disk has a say.

use std::collections::HashMap;
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use windlass_core::path_text::dir_of;

use super::error::GitError;
use super::repo::Repo;
use super::tree::TreeEntry;

/// The `.gitignore` files of one tree.
pub(crate) struct IgnoreRules {
    /// By directory, `""` for the top.
    files: HashMap<String, Gitignore>,
}

impl IgnoreRules {
    /// Reads the rules out of the files of a tree.
    pub(crate) fn of_tree(repo: &Repo, entries: &[TreeEntry]) -> Result<Self, GitError> {
        let is_rules = |entry: &&TreeEntry| {
            let name = entry.path.rsplit('/').next();
            name == Some(".gitignore") && entry.mode & 0o170_000 == 0o100_000
        };
        let found: Vec<&TreeEntry> = entries.iter().filter(is_rules).collect();
        let oids: Vec<_> = found.iter().map(|entry| entry.oid.clone()).collect();
        let texts = repo.read_blobs(&oids)?;
        let mut files = HashMap::new();
        for (entry, text) in found.iter().zip(texts) {
            let dir = dir_of(&entry.path);
            files.insert(dir.to_owned(), parse(&String::from_utf8_lossy(&text)));
        }
        Ok(Self { files })
    }

    /// Whether a path itself is ignored; the walker tracks ignored parents.
    pub(crate) fn ignores(&self, path: &Path, is_dir: bool) -> bool {
        let mut dir = path.parent();
        while let Some(here) = dir {
            let rules = here.to_str().and_then(|here| self.files.get(here));
            if let (Some(rules), Ok(relative)) = (rules, path.strip_prefix(here)) {
                let verdict = rules.matched(relative, is_dir);
                if !verdict.is_none() {
                    return verdict.is_ignore();
                }
            }
            dir = here.parent();
        }
        false
    }
}

fn parse(text: &str) -> Gitignore {
    // Root `.`: paths are given relative to the directory of the rules.
    let mut builder = GitignoreBuilder::new(".");
    for line in text.trim_start_matches('\u{feff}').lines() {
        // A line that is no pattern ignores nothing, as in git.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

#[cfg(test)]
mod tests;
