//! Trees: listing one, and making one from another without a work tree.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use windlass_core::ids::Oid;

use super::error::GitError;
use super::object_cache::{Listing, TreeFiles};
use super::repo::{Repo, nul_separated, parse_mode, parse_oid, parse_path, unreadable};

/// One file, symlink or submodule in a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// The git mode: `0o100644`, `0o100755`, `0o120000` or `0o160000`.
    pub mode: u32,
    /// The blob, or the commit of a submodule.
    pub oid: Oid,
    /// The path from the root of the tree, with `/`.
    pub path: String,
}

/// One path to set in or remove from a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEdit {
    /// The path from the root of the tree.
    pub path: String,
    /// Its new mode and object; `None` removes it.
    pub new: Option<(u32, Oid)>,
}

/// The mode of a symbolic link.
pub(super) const SYMLINK: u32 = 0o120_000;
/// The mode of a submodule.
pub(crate) const GITLINK: u32 = 0o160_000;

/// Whether `path` is `prefix` or lies below it; a final `/` of the prefix does not matter.
pub(crate) fn is_below(path: &str, prefix: &str) -> bool {
    let prefix = prefix.trim_end_matches('/');
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Repo {
    /// Every file of a tree or commit, recursively, in git's order.
    pub fn ls_tree(&self, treeish: &Oid) -> Result<Arc<[TreeEntry]>, GitError> {
        if let Some(listing) = self.inner.memory.listing(treeish) {
            return Ok(listing);
        }
        let call = self.objects("ls-tree").args(["-r", "-z", "--full-tree"]).arg(treeish.as_str());
        let listing = nul_separated(&call.ok()?).map(parse_entry).collect::<Result<Arc<[_]>, _>>()?;
        self.inner.memory.keep_listing(treeish, &listing);
        Ok(listing)
    }

    /// The regular files of a tree or commit: neither links nor submodules.
    pub(crate) fn files_of(&self, treeish: &Oid) -> Result<TreeFiles, GitError> {
        if let Some(files) = self.inner.memory.files(treeish) {
            return Ok(files);
        }
        let listing = self.ls_tree(treeish)?;
        let regular = || listing.iter().filter(|entry| entry.mode & 0o170_000 == 0o100_000);
        let files = TreeFiles {
            paths: Arc::new(regular().map(|entry| entry.path.clone()).collect()),
            blobs: Arc::new(regular().map(|entry| (entry.path.clone(), entry.oid.clone())).collect()),
        };
        self.inner.memory.keep_files(treeish, files.clone());
        Ok(files)
    }

    /// The tree that results from `edits` on `base_treeish`.
    pub fn edit_tree(&self, base_treeish: &Oid, edits: &[TreeEdit]) -> Result<Oid, GitError> {
        let index = self.temp_index()?;
        self.read_tree_into(base_treeish, index.path())?;
        self.edit_index(index.path(), edits)?;
        let tree = self.write_index(index.path())?;
        self.inner.memory.keep_index(&tree, index);
        if let Some(base) = self.inner.memory.listing(base_treeish)
            && let Some(listing) = edited(&base, edits)
        {
            self.inner.memory.keep_listing(&tree, &listing);
        }
        Ok(tree)
    }

    /// The tree with nothing in it, written to the store.
    pub fn empty_tree(&self) -> Result<Oid, GitError> {
        let out = self.objects("mktree").arg("-z").stdin(b"").ok()?;
        parse_oid("mktree", &out)
    }

    /// Fills an index with a tree, without any file on disk. One that was made lately is copied: git takes as long as there are
    /// files, and most trees of a run differ from the last one by a few.
    pub(super) fn read_tree_into(&self, treeish: &Oid, index: &Path) -> Result<(), GitError> {
        if let Some(kept) = self.inner.memory.index(treeish)
            && std::fs::copy(kept.path(), index).is_ok()
        {
            return Ok(());
        }
        self.own("read-tree")?.env("GIT_INDEX_FILE", index).arg(treeish.as_str()).ok()?;
        let own = self.temp_index()?;
        if std::fs::copy(index, own.path()).is_ok() {
            self.inner.memory.keep_index(treeish, own);
        }
        Ok(())
    }

    /// Writes the tree an index holds.
    pub(super) fn write_index(&self, index: &Path) -> Result<Oid, GitError> {
        let out = self.own("write-tree")?.env("GIT_INDEX_FILE", index).ok()?;
        parse_oid("write-tree", &out)
    }

    fn edit_index(&self, index: &Path, edits: &[TreeEdit]) -> Result<(), GitError> {
        let mut removals = Vec::new();
        let mut additions = Vec::new();
        for edit in edits {
            check_path(&edit.path)?;
            let (lines, mode, oid) = match &edit.new {
                None => (&mut removals, 0, self.zero()),
                Some((mode, oid)) => (&mut additions, *mode, oid.as_str()),
            };
            lines.extend_from_slice(format!("{mode:o} {oid}\t{}\0", edit.path).as_bytes());
        }
        if removals.is_empty() && additions.is_empty() {
            return Ok(());
        }
        // Removals first: a directory may take the place of a file, or the other way round.
        removals.append(&mut additions);
        let call = self.own("update-index")?.env("GIT_INDEX_FILE", index);
        call.args(["-z", "--index-info"]).stdin(&removals).ok()?;
        Ok(())
    }
}

/// What a tree holds after `edits`, so that git need not list it. `None` where a file and a directory meet: then git decides.
fn edited(base: &[TreeEntry], edits: &[TreeEdit]) -> Option<Listing> {
    let is_usual = |mode: u32| matches!(mode, 0o100_644 | 0o100_755 | SYMLINK | GITLINK);
    if edits.iter().any(|edit| edit.new.as_ref().is_some_and(|(mode, _)| !is_usual(*mode))) {
        return None;
    }
    // The last edit of a path counts, but removals come first.
    let mut new: BTreeMap<&str, Option<(u32, &Oid)>> = BTreeMap::new();
    for edit in edits.iter().filter(|edit| edit.new.is_none()) {
        new.insert(&edit.path, None);
    }
    for edit in edits {
        if let Some((mode, oid)) = &edit.new {
            new.insert(&edit.path, Some((*mode, oid)));
        }
    }
    let entry = |(path, set): (&str, Option<(u32, &Oid)>)| {
        set.map(|(mode, oid)| TreeEntry { mode, oid: oid.clone(), path: path.to_owned() })
    };
    let mut listing = Vec::with_capacity(base.len() + new.len());
    let mut edits = new.into_iter().peekable();
    for old in base {
        while let Some(before) = edits.next_if(|(path, _)| *path < old.path.as_str()) {
            listing.extend(entry(before));
        }
        match edits.next_if(|(path, _)| *path == old.path) {
            Some(same) => listing.extend(entry(same)),
            None => listing.push(old.clone()),
        }
    }
    listing.extend(edits.filter_map(entry));
    let is_odd = |pair: &[TreeEntry]| pair[0].path >= pair[1].path;
    let mut files: Vec<&str> = Vec::new();
    for entry in &listing {
        // In this order a directory's files follow a file of its name, perhaps after others such as `a-b` between `a` and `a/c`.
        files.retain(|file| entry.path.starts_with(file));
        if files.iter().any(|file| is_below(&entry.path, file)) {
            return None;
        }
        files.push(&entry.path);
    }
    (!listing.windows(2).any(is_odd)).then(|| listing.into())
}

/// Refuses what git would silently leave out of an index.
fn check_path(path: &str) -> Result<(), GitError> {
    let bad_part = |part: &str| matches!(part, "" | "." | "..") || part.eq_ignore_ascii_case(".git");
    if path.contains('\0') || path.split('/').any(bad_part) {
        return Err(GitError::BadPath { path: path.escape_debug().to_string() });
    }
    Ok(())
}

/// Reads `<mode> SP <type> SP <oid> TAB <path>`.
pub(super) fn parse_entry(record: &[u8]) -> Result<TreeEntry, GitError> {
    let odd = || unreadable("ls-tree", &record.escape_ascii().to_string());
    let tab = record.iter().position(|b| *b == b'\t').ok_or_else(odd)?;
    let mut fields = record[..tab].split(|b| *b == b' ');
    let (Some(mode), Some(_), Some(oid)) = (fields.next(), fields.next(), fields.next()) else {
        return Err(odd());
    };
    let path = parse_path(&record[tab + 1..])?;
    Ok(TreeEntry { mode: parse_mode("ls-tree", mode)?, oid: parse_oid("ls-tree", oid)?, path })
}

#[cfg(test)]
mod tests;
