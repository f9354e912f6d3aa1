//! Trees: listing one, and making one from another without a work tree.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use windlass_core::ids::Oid;

use super::error::GitError;
use super::object_cache::{TreeFiles, TreeListing};
use super::repo::{Repo, nul_separated, parse_mode, parse_oid, parse_path, unreadable};
use super::tree_nodes::{DirectoryNode, Nodes, PathEdit};

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

/// The entries of a tree or an index, which git sorts by path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SortedEntries<'a>(pub(crate) &'a [TreeEntry]);

impl<'a> SortedEntries<'a> {
    /// The entry at a path.
    pub(crate) fn get(self, path: &str) -> Option<&'a TreeEntry> {
        let at = self.0.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok()?;
        Some(&self.0[at])
    }

    /// Whether there is one.
    pub(super) fn has(self, path: &str) -> bool {
        self.get(path).is_some()
    }

    /// Whether anything lies below a directory.
    pub(super) fn has_below(self, dir: &str) -> bool {
        let prefix = format!("{dir}/");
        let at = self.0.partition_point(|entry| entry.path < prefix);
        self.0.get(at).is_some_and(|entry| entry.path.starts_with(&prefix))
    }
}

/// One path to set in or remove from a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEdit {
    /// The path from the root of the tree.
    pub path: String,
    /// Its new mode and object; `None` removes it.
    pub new: Option<(u32, Oid)>,
}

/// In how many files a tree differs at most from one whose listing it is made of without a look at others.
pub(super) const NEARLY_THE_SAME: usize = 64;

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
        let alike = self.tree_of(treeish).ok().and_then(|tree| self.listed_by_difference(&tree));
        let listing = if let Some(listing) = alike {
            listing
        } else {
            let call = self.objects("ls-tree").args(["-r", "-z", "--full-tree"]).arg(treeish.as_str());
            nul_separated(&call.ok()?).map(parse_entry).collect::<Result<Arc<[_]>, _>>()?
        };
        self.inner.memory.keep_listing(treeish, &listing);
        Ok(listing)
    }

    /// What a tree holds, made from the listing of one that is nearly the same, or else of the one that it has most in common with.
    fn listed_by_difference(&self, tree: &Oid) -> Option<TreeListing> {
        let memory = &self.inner.memory;
        let known = memory.listings();
        let root = if known.is_empty() { None } else { self.nodes(tree) }?;
        let is_same = |node: &&DirectoryNode| {
            let found = root.binary_search_by(|here| here.order(node));
            found.is_ok_and(|at| root[at] == **node)
        };
        let others = known.into_iter().filter_map(|(treeish, listing)| {
            let other = memory.tree(&treeish).unwrap_or(treeish);
            memory.nodes(&other).map(|nodes| (other, nodes, listing))
        });
        let others: Vec<(Oid, Nodes, TreeListing)> = others.collect();
        let near = others.iter().find_map(|(other, _, listing)| {
            self.few_differences(other, tree, NEARLY_THE_SAME).map(|changes| (listing, changes))
        });
        let (listing, changes) = if let Some(near) = near {
            near
        } else {
            let alike = others
                .iter()
                .map(|(other, nodes, listing)| (nodes.iter().filter(is_same).count(), other, listing));
            let (_, other, listing) =
                alike.filter(|(common, ..)| *common > 0).rev().max_by_key(|(common, ..)| *common)?;
            (listing, self.differences(other, tree)?)
        };
        let edits: Vec<TreeEdit> =
            changes.into_iter().map(|change| TreeEdit { path: change.path, new: change.new }).collect();
        edited(listing, &edits)
    }

    /// The regular files of a tree or commit: neither links nor submodules.
    pub(crate) fn files_of(&self, treeish: &Oid) -> Result<TreeFiles, GitError> {
        if let Some(files) = self.inner.memory.files(treeish) {
            return Ok(files);
        }
        let listing = self.ls_tree(treeish)?;
        let regular = listing.iter().filter(|entry| entry.mode & 0o170_000 == 0o100_000);
        let paths = Arc::new(regular.map(|entry| entry.path.clone()).collect());
        let files = TreeFiles { paths, listing };
        self.inner.memory.keep_files(treeish, files.clone());
        Ok(files)
    }

    /// The tree that results from `edits` on `base_treeish`.
    pub fn edit_tree(&self, base_treeish: &Oid, edits: &[TreeEdit]) -> Result<Oid, GitError> {
        for edit in edits {
            check_path(&edit.path)?;
        }
        let tree = match self.edit_directories(base_treeish, edits)? {
            Some(tree) => tree,
            None => self.edit_with_index(base_treeish, edits)?,
        };
        if let Some(base) = self.inner.memory.listing(base_treeish)
            && let Some(listing) = edited(&base, edits)
        {
            self.inner.memory.keep_listing(&tree, &listing);
        }
        Ok(tree)
    }

    /// The same, if it can be made of single directories: where a file and a directory meet git decides.
    pub(super) fn edit_directories(
        &self,
        base_treeish: &Oid,
        edits: &[TreeEdit],
    ) -> Result<Option<Oid>, GitError> {
        if self.inner.own_dir.is_none() {
            return Err(GitError::NoOwnDir { what: "mktree" });
        }
        // The last edit of a path counts, but removals come first.
        let removals = edits.iter().filter(|edit| edit.new.is_none());
        let mut by_path: BTreeMap<&str, PathEdit<'_>> =
            removals.map(|edit| (edit.path.as_str(), PathEdit::Remove)).collect();
        for edit in edits {
            if let Some((mode, oid)) = &edit.new {
                by_path.insert(&edit.path, PathEdit::Set(*mode, oid));
            }
        }
        Ok(self.edited_tree(&self.tree_of(base_treeish)?, &by_path))
    }

    pub(super) fn edit_with_index(&self, base_treeish: &Oid, edits: &[TreeEdit]) -> Result<Oid, GitError> {
        let index = self.temp_index()?;
        self.read_tree_into(base_treeish, index.path())?;
        self.edit_index(index.path(), edits)?;
        self.write_index(index.path())
    }

    /// The tree with nothing in it, written to the store.
    pub fn empty_tree(&self) -> Result<Oid, GitError> {
        let out = self.objects("mktree").arg("-z").stdin(b"").ok()?;
        parse_oid("mktree", &out)
    }

    /// Fills an index with a tree, without any file on disk.
    pub(super) fn read_tree_into(&self, treeish: &Oid, index: &Path) -> Result<(), GitError> {
        self.own("read-tree")?.env("GIT_INDEX_FILE", index).arg(treeish.as_str()).ok()?;
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
fn edited(base: &[TreeEntry], edits: &[TreeEdit]) -> Option<TreeListing> {
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
pub(super) fn check_path(path: &str) -> Result<(), GitError> {
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
