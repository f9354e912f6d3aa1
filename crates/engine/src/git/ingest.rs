//! Imports the files of a directory into a tree, with our own walk and index.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use windlass_core::ids::Oid;

use super::blob_import::{self, BlobImport};
use super::changes::PathChange;
use super::error::GitError;
use super::ignore_rules::IgnoreRules;
use super::ingest_walk::{IngestWalk, WalkBaseline, WalkResult};
use super::repo::{Repo, nul_separated, parse_mode, parse_oid, parse_path, unreadable};
use super::tree::{GITLINK, SortedEntries, TreeEdit, TreeEntry};

/// What to import, and the limits.
pub struct Ingest<'a> {
    /// The directory.
    pub dir: &'a Path,
    /// The index written when the directory was laid down. A path of `base` that it lacks was never laid down
    /// and therefore counts as unchanged.
    pub index: &'a Path,
    /// The tree the work started from.
    pub base: &'a Oid,
    /// Whether a path belongs to the task: such a path is taken in even if the base ignores it.
    pub owned: &'a dyn Fn(&str) -> bool,
    /// The largest single file taken in.
    pub max_file_bytes: u64,
    /// The largest sum of changed files taken in.
    pub max_total_bytes: u64,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ingested {
    /// The resulting tree.
    pub tree: Oid,
    /// How it differs from the base, sorted by path.
    pub changes: Vec<PathChange>,
    /// What was not taken in, sorted by path; the tree has the base's version of it.
    pub refused: Vec<Refusal>,
}

/// One path that was not taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The path, odd bytes escaped.
    pub path: String,
    /// The reason.
    pub why: RefusalKind,
}

/// Why a path was not taken in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RefusalKind {
    /// A new or changed symbolic link.
    #[error("a symbolic link")]
    Symlink,
    /// A changed submodule.
    #[error("a changed submodule")]
    Gitlink,
    /// A `.git` below the top.
    #[error("a repository inside the repository")]
    NestedRepository,
    /// A pipe, socket or device.
    #[error("a pipe, socket or device")]
    SpecialFile,
    /// Larger than the limit for one file.
    #[error("{bytes} bytes, more than one file may have")]
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// One file too many for the limit on the sum.
    #[error("{bytes} bytes, more than all files together may have")]
    TotalTooLarge {
        /// Its size.
        bytes: u64,
    },
    /// A name that is not UTF-8.
    #[error("a name that is not UTF-8")]
    NotUtf8,
    /// A set-user-id, set-group-id or sticky bit.
    #[error("a set-user-id, set-group-id or sticky bit")]
    OddMode,
    /// It cannot be read.
    #[error("it cannot be read")]
    Unreadable,
}

impl Repo {
    /// Imports a directory. Every process that could write to it must have ended.
    pub fn ingest(&self, ingest: &Ingest<'_>) -> Result<Ingested, GitError> {
        let base_entries = self.ls_tree(ingest.base)?;
        let laid_entries = self.laid_down(ingest.index)?;
        let dirty: HashSet<String> = self.changed_since(ingest.dir, ingest.index)?.into_iter().collect();
        let rules = IgnoreRules::of_tree(self, &base_entries)?;
        let base = SortedEntries(&base_entries);
        let laid = SortedEntries(&laid_entries);
        let known = WalkBaseline { rules: &rules, base, laid, dirty: &dirty };
        let mut found = IngestWalk::new(ingest, known).run();

        let mut edits = self.read_changed(ingest, &mut found)?;
        edits.extend(untouched_but_not_base(&found, base, laid));
        edits.extend(deletions(&found, base, laid));
        edits.retain(|edit| {
            edit.new.as_ref() != base.get(edit.path.as_str()).map(|e| (e.mode, e.oid.clone())).as_ref()
        });

        let tree =
            if edits.is_empty() { self.tree_of(ingest.base)? } else { self.edit_tree(ingest.base, &edits)? };
        let changes = self.diff(ingest.base, &tree)?;
        found.refused.sort_by(|a, b| a.path.cmp(&b.path));
        found.refused.dedup();
        Ok(Ingested { tree, changes, refused: found.refused })
    }

    /// Reads and stores the files that may have changed, within the limits.
    fn read_changed(&self, ingest: &Ingest<'_>, found: &mut WalkResult) -> Result<Vec<TreeEdit>, GitError> {
        let mut import = BlobImport::new(self);
        let mut read = Vec::new();
        let mut total = 0;
        for path in &found.to_read {
            match read_one(ingest, path, &mut total) {
                Ok((mode, bytes)) => {
                    import.add(&bytes)?;
                    read.push((path.clone(), mode));
                }
                Err(why) => found.refused.push(Refusal { path: path.clone(), why }),
            }
        }
        let oids = import.finish()?;
        let edits = read.into_iter().zip(oids);
        Ok(edits.map(|((path, mode), oid)| TreeEdit { path, new: Some((mode, oid)) }).collect())
    }

    /// What an index says was laid down.
    fn laid_down(&self, index: &Path) -> Result<Arc<[TreeEntry]>, GitError> {
        // Only this program writes it, and it wrote all of this tree.
        if let Some(tree) = self.inner.memory.laid(index) {
            return self.ls_tree(&tree);
        }
        let call = self.own("ls-files")?.env("GIT_INDEX_FILE", index).args(["--stage", "-z"]);
        nul_separated(&call.ok()?).map(parse_stage).collect()
    }
}

/// Reads `<mode> SP <oid> SP <stage> TAB <path>`.
fn parse_stage(record: &[u8]) -> Result<TreeEntry, GitError> {
    let odd = || unreadable("ls-files", &record.escape_ascii().to_string());
    let tab = record.iter().position(|b| *b == b'\t').ok_or_else(odd)?;
    let mut fields = record[..tab].split(|b| *b == b' ');
    let (Some(mode), Some(oid)) = (fields.next(), fields.next()) else {
        return Err(odd());
    };
    let path = parse_path(&record[tab + 1..])?;
    Ok(TreeEntry { mode: parse_mode("ls-files", mode)?, oid: parse_oid("ls-files", oid)?, path })
}

/// The mode and bytes of one file, or why it is refused.
fn read_one(ingest: &Ingest<'_>, path: &str, total: &mut u64) -> Result<(u32, Vec<u8>), RefusalKind> {
    let opened = blob_import::open_beneath(ingest.dir, path).map_err(|_| RefusalKind::Unreadable)?;
    let file = opened.ok_or(RefusalKind::SpecialFile)?;
    if file.mode & 0o7000 != 0 {
        return Err(RefusalKind::OddMode);
    }
    if file.bytes > ingest.max_file_bytes {
        return Err(RefusalKind::TooLarge { bytes: file.bytes });
    }
    if total.saturating_add(file.bytes) > ingest.max_total_bytes {
        return Err(RefusalKind::TotalTooLarge { bytes: file.bytes });
    }
    *total += file.bytes;
    let mode = if file.mode & 0o100 != 0 { 0o100_755 } else { 0o100_644 };
    let bytes = file.read().map_err(|_| RefusalKind::Unreadable)?;
    Ok((mode, bytes))
}

/// Files that are as laid down although the base has them otherwise: the index was made from another tree.
fn untouched_but_not_base(
    found: &WalkResult,
    base: SortedEntries<'_>,
    laid: SortedEntries<'_>,
) -> Vec<TreeEdit> {
    let differs = |entry: &&TreeEntry| {
        let before = base.get(&entry.path);
        before.is_none_or(|before| (before.mode, &before.oid) != (entry.mode, &entry.oid))
    };
    let untouched = found.untouched.iter().filter_map(|path| laid.get(path));
    let edits = untouched.filter(differs);
    edits
        .map(|entry| TreeEdit { path: entry.path.clone(), new: Some((entry.mode, entry.oid.clone())) })
        .collect()
}

/// Files of the base that were laid down and are gone. What was never laid down cannot be gone, a submodule is
/// only ever an empty directory, and files below a refused path are not reported.
fn deletions(found: &WalkResult, base: SortedEntries<'_>, laid: SortedEntries<'_>) -> Vec<TreeEdit> {
    let refused: HashSet<&str> = found.refused.iter().map(|refusal| refusal.path.as_str()).collect();
    let below_refused = |path: &str| {
        refused.contains(path) || path.match_indices('/').any(|(at, _)| refused.contains(&path[..at]))
    };
    let gone = laid.0.iter().filter(|entry| {
        let path = entry.path.as_str();
        let here = found.untouched.contains(path) || found.to_read.contains(path);
        !here && base.get(path).is_some_and(|entry| entry.mode != GITLINK) && !below_refused(path)
    });
    gone.map(|entry| TreeEdit { path: entry.path.clone(), new: None }).collect()
}

#[cfg(test)]
mod tests;
