//! Reduces an agent's work to what its turn may change. The rest is left out and reported; the gates decide on what
//! remains.
//!
//! The whole of the agent's work is archived before this. Links, nested repositories and secrets never get here: they are
//! refused when the directory is taken in.

use std::collections::HashSet;

use windlass_code::syntax::test_region;
use windlass_core::event::{FrozenFile, LeftOut};
use windlass_core::failure::Failure;
use windlass_core::ids::Oid;

use crate::error::EngineError;
use crate::git::{ChangeKind, Ingested, PathChange, Repo, TreeEdit};
use crate::git_tree::GitTree;
use crate::verify::frozen_changes;

/// What became of the changes of one turn.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ScopedChange {
    /// The tree with nothing but permitted changes.
    pub(super) tree: Oid,
    /// What is not part of it.
    pub(super) left_out: LeftOut,
}

impl ScopedChange {
    /// Why nothing is left to verify, where the turn changed only what it may not.
    fn nothing_left(self) -> Failure {
        let LeftOut { paths, frozen } = self.left_out;
        if frozen.is_empty() {
            Failure::OutOfScope { paths }
        } else {
            Failure::FrozenChanged { paths: frozen }
        }
    }
}

/// Cuts `ingested` down to the paths that `may_change` allows and to frozen files as they were. The files `to_delete` are
/// those that the plan wants gone.
///
/// Fails where the rest would be half of something: a file that the task owns was moved to a path outside, or frozen
/// parts of a file cannot be put back.
pub(super) fn cut_to_scope(
    repo: &Repo,
    start_tree: &Oid,
    ingested: &Ingested,
    may_change: &dyn Fn(&str) -> bool,
    frozen: &[FrozenFile],
    to_delete: &[String],
) -> Result<Result<ScopedChange, Failure>, EngineError> {
    let after = GitTree::open(repo, &ingested.tree)?;
    let touched = frozen_changes(frozen, &after);
    let is_frozen_whole =
        |path: &str| frozen.iter().any(|f| f.path == path && f.items.is_empty() && touched.contains(&f.path));
    let outside: Vec<&PathChange> =
        ingested.changes.iter().filter(|c| !may_change(&c.path) && !is_frozen_whole(&c.path)).collect();
    // A frozen file that was moved away is put back, so nothing of it is lost; a file that the plan deletes is to go.
    let may_vanish = |path: &str| {
        let kept = frozen.iter().any(|f| f.path == path);
        may_change(path) && !kept && !to_delete.iter().any(|gone| gone == path)
    };
    let before = GitTree::open(repo, start_tree)?;
    let moved = |from: &str, to: &str| -> Result<bool, EngineError> {
        Ok(is_moved(before.bytes(from)?, after.bytes(to)?))
    };
    if let Some((from, to)) = half_a_move(&ingested.changes, &outside, &may_vanish, &moved)? {
        return Ok(Err(Failure::MovedOut { from, to }));
    }
    let mut edits: Vec<TreeEdit> = outside.iter().map(|change| restored(change)).collect();
    for file in frozen.iter().filter(|file| touched.contains(&file.path)) {
        let Some(edit) = put_back(repo, file, &ingested.changes, &before, &after)? else {
            return Ok(Err(Failure::FrozenChanged { paths: touched }));
        };
        edits.retain(|other| other.path != edit.path);
        edits.push(edit);
    }
    let tree = if edits.is_empty() { ingested.tree.clone() } else { repo.edit_tree(&ingested.tree, &edits)? };
    let left = frozen_changes(frozen, &GitTree::open(repo, &tree)?);
    if !left.is_empty() {
        return Ok(Err(Failure::FrozenChanged { paths: left }));
    }
    let paths = outside.iter().map(|change| change.path.clone()).collect();
    let scoped = ScopedChange { tree, left_out: LeftOut { paths, frozen: touched } };
    Ok(if scoped.tree == *start_tree { Err(scoped.nothing_left()) } else { Ok(scoped) })
}

/// The edit that undoes a change.
fn restored(change: &PathChange) -> TreeEdit {
    TreeEdit { path: change.path.clone(), new: change.old.clone() }
}

/// The first move out of the task's files, from where to where: without the new path the content would be lost. A file that
/// the task may delete and a stray that has nothing of it are no move.
fn half_a_move(
    changes: &[PathChange],
    outside: &[&PathChange],
    may_change: &dyn Fn(&str) -> bool,
    is_moved: &dyn Fn(&str, &str) -> Result<bool, EngineError>,
) -> Result<Option<(String, String)>, EngineError> {
    for gone in changes.iter().filter(|c| c.kind == ChangeKind::Deleted && may_change(&c.path)) {
        for added in outside.iter().filter(|c| c.kind == ChangeKind::Added) {
            if is_moved(&gone.path, &added.path)? {
                return Ok(Some((gone.path.clone(), added.path.clone())));
            }
        }
    }
    Ok(None)
}

/// Whether a new file has at least half of the lines of one that is gone.
fn is_moved(gone: Option<Vec<u8>>, added: Option<Vec<u8>>) -> bool {
    let (Some(gone), Some(added)) = (gone, added) else { return false };
    let lines = |bytes: &'_ [u8]| -> Vec<Vec<u8>> {
        let all = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        all.filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect()
    };
    let (gone, added) = (lines(&gone), lines(&added));
    let kept: HashSet<&[u8]> = added.iter().map(Vec::as_slice).collect();
    let found = gone.iter().filter(|line| kept.contains(line.as_slice())).count();
    !gone.is_empty() && found * 2 >= gone.len()
}

/// The edit that makes a frozen file what it was: the whole of it, or its test items alone. `None` where the items have
/// no place in the new text, or where keys of a manifest are frozen.
fn put_back(
    repo: &Repo,
    file: &FrozenFile,
    changes: &[PathChange],
    before: &GitTree,
    after: &GitTree,
) -> Result<Option<TreeEdit>, EngineError> {
    let path = file.path.as_str();
    let Some(change) = changes.iter().find(|change| change.path == path) else { return Ok(None) };
    let Some((mode, _)) = change.old else { return Ok(None) };
    if file.items.is_empty() {
        return Ok(Some(TreeEdit { path: path.into(), new: Some((mode, file.blob.clone())) }));
    }
    let (Some(old), Some(new)) = (before.bytes(path)?, after.bytes(path)?) else { return Ok(None) };
    let Some(text) = with_test_regions(path, &old, &new) else { return Ok(None) };
    let blob = repo.write_blob(&text)?;
    Ok(Some(TreeEdit { path: path.into(), new: Some((mode, blob)) }))
}

/// The new text with the test regions of the old one in the place of its own; at the end where it has none.
fn with_test_regions(path: &str, old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let (olds, news) = (test_region(path, old), test_region(path, new));
    if olds.is_empty() || !(news.is_empty() || news.len() == olds.len()) {
        return None;
    }
    let mut text = Vec::with_capacity(new.len() + old.len());
    let mut at = 0;
    for (from, to) in olds.iter().zip(&news) {
        text.extend_from_slice(&new[at..to.start]);
        text.extend_from_slice(&old[from.clone()]);
        at = to.end;
    }
    text.extend_from_slice(&new[at..]);
    if news.is_empty() {
        for from in olds {
            text.push(b'\n');
            text.extend_from_slice(&old[from]);
            text.push(b'\n');
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests;
