//! The files of a tree that a rule about names picks. Trees follow each other with few differences: the files of one are made
//! from those of another, so that a task costs the same in a repository of ten thousand files.

use std::collections::BTreeSet;
use std::sync::Arc;

use windlass_core::ids::Oid;

use super::error::GitError;
use super::repo::Repo;
use super::tree::NEARLY_THE_SAME;

/// A rule about the names of files.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameRule {
    /// What it is remembered by.
    pub(crate) name: &'static str,
    /// Whether it picks a path; depends on nothing but the path.
    pub(crate) fits: fn(&str) -> bool,
}

impl Repo {
    /// The regular files of a tree or commit that a rule picks, in git's order.
    pub(crate) fn picked(&self, treeish: &Oid, rule: &NameRule) -> Result<Arc<[String]>, GitError> {
        let (tree, memory) = (self.tree_of(treeish)?, &self.inner.memory);
        if let Some(known) = memory.picked(&tree, rule.name) {
            return Ok(known);
        }
        let near = memory.picks(rule.name).into_iter().find_map(|(other, files)| {
            self.few_differences(&other, &tree, NEARLY_THE_SAME).map(|changes| (files, changes))
        });
        let files: Arc<[String]> = if let Some((files, changes)) = near {
            let mut files: BTreeSet<String> = files.iter().cloned().collect();
            for change in changes.into_iter().filter(|change| (rule.fits)(&change.path)) {
                let is_file = change.new.is_some_and(|(mode, _)| mode & 0o170_000 == 0o100_000);
                if is_file {
                    files.insert(change.path);
                } else {
                    files.remove(&change.path);
                }
            }
            files.into_iter().collect()
        } else {
            self.files_of(&tree)?.paths.iter().filter(|path| (rule.fits)(path)).cloned().collect()
        };
        memory.keep_picked(&tree, rule.name, &files);
        Ok(files)
    }
}

#[cfg(test)]
mod tests;
