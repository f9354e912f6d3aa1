//! Files on disk from a tree, and which of them still are what was laid down.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use windlass_core::ids::Oid;

use super::command::GitCall;
use super::error::GitError;
use super::repo::{Repo, nul_separated, parse_path};
use super::tree::{TreeEdit, TreeEntry, is_below};

impl Repo {
    /// Lays a tree down in `dir` (made if absent), remembering the files' stat data in `index`. Nothing is
    /// converted; submodules become empty directories.
    pub fn materialise(&self, treeish: &Oid, dir: &Path, index: &Path) -> Result<(), GitError> {
        let failed =
            |source| GitError::Io { what: "cannot make the directory", path: dir.to_owned(), source };
        fs::create_dir_all(dir).map_err(failed)?;
        // A stale index would make git believe that files are already there.
        remove_stale(index)?;
        self.lay_down(treeish, dir, index)
    }

    /// The laid-down files whose bytes, kind or executable bit are no longer those of the index.
    pub fn changed_since(&self, dir: &Path, index: &Path) -> Result<Vec<String>, GitError> {
        // Compares every file whose stat data differ; exit code 1 only means that some changed.
        let call = self.in_dir("update-index", dir, index)?;
        let answer = call.args(["-q", "--ignore-submodules", "--really-refresh"]).run()?;
        if !matches!(answer.code(), Some(0 | 1)) {
            return Err(answer.failure());
        }
        let call = self.in_dir("diff-files", dir, index)?;
        let out = call.args(["-z", "--name-only", "--no-renames", "--ignore-submodules=all"]).ok()?;
        nul_separated(&out).map(parse_path).collect()
    }

    /// Makes the tracked files in `dir` those of a tree, writing only what differs from `index`.
    pub(crate) fn lay_down(&self, treeish: &Oid, dir: &Path, index: &Path) -> Result<(), GitError> {
        let call = self.in_dir("read-tree", dir, index)?;
        call.args(["--reset", "-u"]).arg(treeish.as_str()).ok()?;
        Ok(())
    }

    /// Changes the files in `dir` from the tree `from` to the tree `to`. Only differences are written, so the caller
    /// must know that the files are those of `from`. `index` is created anew.
    pub(crate) fn move_files(&self, from: &Oid, to: &Oid, dir: &Path, index: &Path) -> Result<(), GitError> {
        let changes = self.diff(from, to)?;
        for gone in changes.iter().filter(|change| change.old.is_some()) {
            remove_with_parents(dir, &gone.path)?;
        }
        let new: Vec<&str> = changes.iter().filter(|c| c.new.is_some()).map(|c| c.path.as_str()).collect();
        if new.is_empty() {
            return Ok(());
        }
        remove_stale(index)?;
        self.read_tree_into(to, index)?;
        let call = self.in_dir("checkout-index", dir, index)?.args(["--force", "--quiet", "-z", "--stdin"]);
        call.stdin(new.join("\0").as_bytes()).ok()?;
        Ok(())
    }

    /// The tree without the paths below the prefixes in `hide`; `entries` is what it holds.
    pub(crate) fn tree_without(
        &self,
        treeish: &Oid,
        entries: &[TreeEntry],
        hide: &[&str],
    ) -> Result<Oid, GitError> {
        let hidden = entries.iter().filter(|entry| hide.iter().any(|prefix| is_below(&entry.path, prefix)));
        let edits: Vec<TreeEdit> =
            hidden.map(|entry| TreeEdit { path: entry.path.clone(), new: None }).collect();
        if edits.is_empty() {
            return self.tree_of(treeish);
        }
        let visible = (self.tree_of(treeish)?, hide.iter().map(|prefix| (*prefix).to_owned()).collect());
        if let Some(tree) = self.inner.memory.without(&visible) {
            return Ok(tree);
        }
        let tree = self.edit_tree(treeish, &edits)?;
        self.inner.memory.keep_without(visible, &tree);
        Ok(tree)
    }

    /// A call with `dir` as its work tree, through our own git directory and index.
    fn in_dir<'a>(&self, what: &'static str, dir: &Path, index: &Path) -> Result<GitCall<'a>, GitError> {
        let call = self.own(what)?.env("GIT_WORK_TREE", OsString::from(dir)).cwd(dir);
        Ok(call.env("GIT_INDEX_FILE", index))
    }
}

fn remove_stale(index: &Path) -> Result<(), GitError> {
    let removed = crate::removal::remove_any(index);
    removed.map_err(|source| GitError::Io { what: "cannot remove", path: index.to_owned(), source })
}

/// Removes a file, and the directories that it leaves empty.
fn remove_with_parents(top: &Path, relative: &str) -> Result<(), GitError> {
    let path = top.join(relative);
    let removed = crate::removal::remove_any(&path);
    removed.map_err(|source| GitError::Io { what: "cannot remove", path: path.clone(), source })?;
    let parents = path.ancestors().skip(1).take_while(|parent| *parent != top);
    for parent in parents {
        if fs::remove_dir(parent).is_err() {
            break;
        }
    }
    Ok(())
}
