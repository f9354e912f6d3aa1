//! What a tree must be before anything in it is run: inside its owner's files, with its frozen tests as they were.

use windlass_code::detect::runner_keys;
use windlass_code::repo::Tree;
use windlass_code::syntax::frozen_items;
use windlass_core::event::FrozenFile;

use crate::git::Change;
use crate::tree_view::GitTree;

/// The frozen files that are not as they were frozen in this tree.
pub(crate) fn frozen_changes(frozen: &[FrozenFile], tree: &GitTree) -> Vec<String> {
    frozen.iter().filter(|f| !is_as_frozen(f, tree)).map(|f| f.path.clone()).collect()
}

/// The same for a merge onto `onto`: configuration that the task does not own may have been changed by whoever owns it,
/// and is then what the branch has.
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

fn is_as_frozen(file: &FrozenFile, tree: &GitTree) -> bool {
    if tree.blob(&file.path) == Some(&file.blob) {
        return true;
    }
    if file.items.is_empty() {
        return false;
    }
    // Inline tests, or the keys of an owned manifest: the rest of the file may change; what was frozen stays.
    let Some(bytes) = tree.read(&file.path) else { return false };
    let now = frozen_parts(&file.path, &bytes);
    file.items.iter().all(|(name, hash)| now.get(name) == Some(hash))
}

/// The parts of a file that are frozen by themselves, with their hashes.
pub(crate) fn frozen_parts(path: &str, bytes: &[u8]) -> std::collections::BTreeMap<String, String> {
    runner_keys(path, bytes).unwrap_or_else(|| frozen_items(path, bytes))
}

/// The changed paths that are not owned.
pub(crate) fn outside<'a>(changes: &'a [Change], owned: &dyn Fn(&str) -> bool) -> Vec<&'a str> {
    changes.iter().map(|c| c.path.as_str()).filter(|p| !owned(p)).collect()
}
