//! Files on disk from a tree, and which of them still are what was laid down.

use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use windlass_core::ids::Oid;

use super::changes::PathChange;
use super::command::GitCall;
use super::error::GitError;
use super::repo::{Repo, nul_separated, parse_path};
use super::tree::{GITLINK, SYMLINK, TreeEdit, TreeEntry, check_path, is_below};
use super::tree_nodes::PathEdit;

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
        let differing = || {
            let call = self.in_dir("diff-files", dir, index)?;
            let out = call.args(["-z", "--name-only", "--no-renames", "--ignore-submodules=all"]).ok()?;
            nul_separated(&out).map(parse_path).collect::<Result<Vec<String>, GitError>>()
        };
        // Where no stat data differ, nothing does.
        if differing()?.is_empty() {
            return Ok(Vec::new());
        }
        // Compares every file whose stat data differ; exit code 1 only means that some changed.
        let call = self.in_dir("update-index", dir, index)?;
        let answer = call.args(["-q", "--ignore-submodules", "--really-refresh"]).run()?;
        if !matches!(answer.code(), Some(0 | 1)) {
            return Err(answer.failure());
        }
        differing()
    }

    /// Makes the tracked files in `dir` those of a tree, writing only what differs from `index`.
    pub(crate) fn lay_down(&self, treeish: &Oid, dir: &Path, index: &Path) -> Result<(), GitError> {
        self.inner.memory.keep_laid(index, None);
        let call = self.in_dir("read-tree", dir, index)?;
        call.args(["--reset", "-u"]).arg(treeish.as_str()).ok()?;
        self.inner.memory.keep_laid(index, Some(treeish));
        Ok(())
    }

    /// Changes the files in `dir` from the tree `from` to the tree `to`. Only differences are written, so the caller
    /// must know that the files are those of `from`. `index` is created anew. Returns the differences.
    pub(crate) fn move_files(
        &self,
        from: &Oid,
        to: &Oid,
        dir: &Path,
        index: &Path,
    ) -> Result<Vec<PathChange>, GitError> {
        let changes = self.diff(from, to)?;
        for gone in changes.iter().filter(|change| change.old.is_some()) {
            remove_with_parents(dir, &gone.path)?;
        }
        let new: Vec<(&str, u32, &Oid)> = changes.iter().filter_map(new_side).collect();
        let submodule = new.iter().any(|(_, mode, _)| *mode == GITLINK);
        if new.len() <= WRITTEN_HERE && !submodule {
            self.write_files(dir, &new)?;
            return Ok(changes);
        }
        remove_stale(index)?;
        self.inner.memory.keep_laid(index, None);
        self.read_tree_into(to, index)?;
        let paths: Vec<&str> = new.iter().map(|(path, ..)| *path).collect();
        let call = self.in_dir("checkout-index", dir, index)?.args(["--force", "--quiet", "-z", "--stdin"]);
        call.stdin(paths.join("\0").as_bytes()).ok()?;
        Ok(changes)
    }

    /// Writes files and links that are not there.
    fn write_files(&self, dir: &Path, files: &[(&str, u32, &Oid)]) -> Result<(), GitError> {
        let oids: Vec<Oid> = files.iter().map(|(_, _, oid)| (*oid).clone()).collect();
        for ((path, mode, _), bytes) in files.iter().zip(self.read_blobs(&oids)?) {
            check_path(path)?;
            let written = write_file(dir, path, *mode, &bytes);
            let path = || dir.join(path);
            written.map_err(|source| GitError::Io { what: "cannot write", path: path(), source })?;
        }
        Ok(())
    }

    /// The tree without the paths below the prefixes in `hide`; `entries` is what it holds.
    pub(crate) fn tree_without(
        &self,
        treeish: &Oid,
        entries: &[TreeEntry],
        hide: &[&str],
    ) -> Result<Oid, GitError> {
        let whole = self.tree_of(treeish)?;
        let visible = (whole.clone(), hide.iter().map(|prefix| (*prefix).to_owned()).collect());
        if let Some(tree) = self.inner.memory.without(&visible) {
            return Ok(tree);
        }
        let prefixes = hide.iter().map(|prefix| (prefix.trim_end_matches('/'), PathEdit::Prune));
        let tree = if let Some(tree) = self.edited_tree(&whole, &prefixes.collect()) {
            tree
        } else {
            let is_hidden = |entry: &&TreeEntry| hide.iter().any(|prefix| is_below(&entry.path, prefix));
            let hidden = entries.iter().filter(is_hidden);
            let gone = hidden.map(|entry| TreeEdit { path: entry.path.clone(), new: None });
            self.edit_tree(treeish, &gone.collect::<Vec<_>>())?
        };
        self.inner.memory.keep_without(visible, &tree);
        Ok(tree)
    }

    /// A call with `dir` as its work tree, through our own git directory and index.
    fn in_dir<'a>(&self, what: &'static str, dir: &Path, index: &Path) -> Result<GitCall<'a>, GitError> {
        let call = self.own(what)?.env("GIT_WORK_TREE", OsString::from(dir)).cwd(dir);
        Ok(call.env("GIT_INDEX_FILE", index))
    }
}

/// As many new files are written here; for more, git is asked.
const WRITTEN_HERE: usize = 64;

fn new_side(change: &PathChange) -> Option<(&str, u32, &Oid)> {
    change.new.as_ref().map(|(mode, oid)| (change.path.as_str(), *mode, oid))
}

/// Writes one file or link that is not there, and its directories; no link is followed.
fn write_file(top: &Path, relative: &str, mode: u32, bytes: &[u8]) -> std::io::Result<()> {
    let mut dir = top.to_owned();
    let (parents, _) = relative.rsplit_once('/').unwrap_or_default();
    for part in parents.split('/').filter(|part| !part.is_empty()) {
        dir.push(part);
        match fs::symlink_metadata(&dir) {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => return Err(std::io::ErrorKind::NotADirectory.into()),
            Err(_) => fs::create_dir(&dir)?,
        }
    }
    let path = top.join(relative);
    if mode == SYMLINK {
        return std::os::unix::fs::symlink(OsStr::from_bytes(bytes), path);
    }
    let permissions = if mode & 0o100 == 0 { 0o666 } else { 0o777 };
    let mut file = OpenOptions::new().write(true).create_new(true).mode(permissions).open(path)?;
    file.write_all(bytes)
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
