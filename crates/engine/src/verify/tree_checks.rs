//! Checks on a tree before anything in it runs: owned files only, frozen tests unchanged.

use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::UnicodeNormalization as _;
use windlass_code::detect::runner_keys;
use windlass_code::repo::Tree;
use windlass_code::syntax::frozen_items;
use windlass_core::event::FrozenFile;

use super::proof::ReformattedTest;
use crate::git::{ChangeKind, PathChange};
use crate::git_tree::GitTree;

/// The frozen files that differ in this tree.
pub(crate) fn frozen_changes(frozen: &[FrozenFile], tree: &GitTree) -> Vec<String> {
    frozen.iter().filter(|f| !is_as_frozen(f, tree)).map(|f| f.path.clone()).collect()
}

/// The same for a merge onto `onto`: configuration that the task does not own may have been changed by its owner, and
/// then equals the branch.
pub(crate) fn frozen_changes_on(
    frozen: &[FrozenFile],
    tree: &GitTree,
    onto: &GitTree,
    owned: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let theirs = |path: &str| !owned(path) && tree.blob(path) == onto.blob(path);
    let mut changed = frozen_changes(frozen, tree);
    changed.retain(|path| !theirs(path));
    changed
}

/// The frozen files as a verification left them: what a formatter brought into another form has its new blob.
pub(crate) fn in_new_form(frozen: &[FrozenFile], reformatted: &[ReformattedTest]) -> Vec<FrozenFile> {
    let mut files = frozen.to_vec();
    for file in files.iter_mut().filter(|file| file.items.is_empty()) {
        if let Some(new) = reformatted.iter().find(|new| new.path == file.path && new.from == file.blob) {
            file.blob = new.to.clone();
        }
    }
    files
}

fn is_as_frozen(file: &FrozenFile, tree: &GitTree) -> bool {
    if tree.blob(&file.path) == Some(&file.blob) {
        return true;
    }
    if file.items.is_empty() {
        return false;
    }
    // Inline tests or keys of an owned manifest: only the frozen parts must be unchanged.
    let Some(bytes) = tree.read(&file.path) else { return false };
    let now = frozen_parts(&file.path, &bytes);
    file.items.iter().all(|(name, hash)| now.get(name) == Some(hash))
}

/// The separately frozen parts of a file, with their hashes.
pub(crate) fn frozen_parts(path: &str, bytes: &[u8]) -> std::collections::BTreeMap<String, String> {
    runner_keys(path, bytes).unwrap_or_else(|| frozen_items(path, bytes))
}

/// New paths that equal another path on file systems that ignore case or Unicode form, where one would replace the
/// other; each with a description.
pub(crate) fn twins(changes: &[PathChange], paths: &[String]) -> Vec<String> {
    let added: Vec<&str> =
        changes.iter().filter(|c| c.kind == ChangeKind::Added).map(|c| c.path.as_str()).collect();
    let known: BTreeMap<String, &str> =
        added.iter().flat_map(|path| prefixes(path)).map(|prefix| (folded(prefix), prefix)).collect();
    let mut found = BTreeSet::new();
    let mut tell = |new: &str, prefix: &str| {
        if new != prefix {
            found.insert(format!("{new} (another spelling of {prefix})"));
        }
    };
    // There may be ten thousand paths, and most are plain: those are compared where they lie.
    let plain: Vec<(&str, &str)> =
        known.iter().map(|(fold, new)| (fold.as_str(), *new)).filter(|(fold, _)| fold.is_ascii()).collect();
    for path in paths.iter().filter(|_| !known.is_empty()) {
        if path.is_ascii() {
            for (fold, new) in &plain {
                let Some((prefix, rest)) = path.split_at_checked(fold.len()) else { continue };
                if (rest.is_empty() || rest.starts_with('/')) && prefix.eq_ignore_ascii_case(fold) {
                    tell(new, prefix);
                }
            }
            continue;
        }
        for prefix in prefixes(path) {
            if let Some(new) = known.get(&folded(prefix)) {
                tell(new, prefix);
            }
        }
    }
    found.into_iter().collect()
}

/// A path and the directories that it lies in.
fn prefixes(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at]).chain([path])
}

fn folded(path: &str) -> String {
    if path.is_ascii() {
        return path.to_ascii_lowercase();
    }
    path.nfc().flat_map(char::to_lowercase).collect()
}

/// The changed paths that are not owned.
pub(crate) fn outside<'a>(changes: &'a [PathChange], owned: &dyn Fn(&str) -> bool) -> Vec<&'a str> {
    changes.iter().map(|c| c.path.as_str()).filter(|p| !owned(p)).collect()
}

#[cfg(test)]
mod tests;
