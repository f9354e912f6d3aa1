//! What differs between two trees, as data and as a patch; and what merging two commits gives.

use windlass_core::ids::Oid;

use super::command::GitCall;
use super::error::GitError;
use super::repo::{Repo, nul_separated, parse_mode, parse_oid, parse_path, unreadable};
use super::tree::GITLINK;

/// How a path differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// Its content or its executable bit differs.
    Modified,
    /// It is gone.
    Deleted,
    /// It became another kind of thing: file, symlink or submodule.
    TypeChanged,
}

/// One path that differs between two trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathChange {
    /// The path from the root of the tree.
    pub path: String,
    /// How it differs.
    pub kind: ChangeKind,
    /// Mode and object before.
    pub old: Option<(u32, Oid)>,
    /// Mode and object after.
    pub new: Option<(u32, Oid)>,
}

/// Path, lines added, lines removed (0 and 0 for a binary file).
pub type LineCount = (String, u64, u64);

/// What a merge gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeResult {
    /// Both sides fit.
    Clean {
        /// The merged tree.
        tree: Oid,
    },
    /// They do not.
    Conflict {
        /// The paths in conflict, sorted.
        paths: Vec<String>,
    },
}

impl Repo {
    /// The paths that differ between two trees or commits; renames are a deletion and an addition.
    pub fn diff(&self, a: &Oid, b: &Oid) -> Result<Vec<PathChange>, GitError> {
        let (tree_a, tree_b) = (self.tree_of(a)?, self.tree_of(b)?);
        if let Some(changes) = self.differences(&tree_a, &tree_b) {
            return Ok(changes);
        }
        self.diff_by_git(a, b)
    }

    /// The same in git's words.
    pub(super) fn diff_by_git(&self, a: &Oid, b: &Oid) -> Result<Vec<PathChange>, GitError> {
        let call = self.diff_tree(a, b, &["--raw", "-z", "--no-abbrev"]);
        let out = call.ok()?;
        let mut pieces = nul_separated(&out);
        let mut changes = Vec::new();
        while let Some(header) = pieces.next() {
            let path = pieces.next().ok_or_else(|| unreadable("diff-tree", "a change without a path"))?;
            changes.push(parse_change(header, path)?);
        }
        Ok(changes)
    }

    /// Lines added and removed for each path that differs.
    pub fn line_counts(&self, a: &Oid, b: &Oid) -> Result<Vec<LineCount>, GitError> {
        if let Some(counts) = self.lines_of_new_files(&self.diff(a, b)?)? {
            return Ok(counts);
        }
        let out = self.diff_tree(a, b, &["--numstat", "-z"]).ok()?;
        nul_separated(&out).map(parse_line_count).collect()
    }

    /// The same where files only come and go, which nothing has to be compared for.
    fn lines_of_new_files(&self, changes: &[PathChange]) -> Result<Option<Vec<LineCount>>, GitError> {
        const FEW: usize = 64;
        let is_file = |side: &(u32, Oid)| side.0 != GITLINK;
        let one_side = |change: &PathChange| match (&change.old, &change.new) {
            (None, Some(side)) | (Some(side), None) => Some(side.clone()).filter(is_file),
            (Some(_), Some(_)) | (None, None) => None,
        };
        let sides: Option<Vec<(u32, Oid)>> = changes.iter().map(one_side).collect();
        let Some(sides) = sides.filter(|sides| sides.len() <= FEW) else { return Ok(None) };
        let oids: Vec<Oid> = sides.into_iter().map(|(_, oid)| oid).collect();
        let counts = changes.iter().zip(self.read_blobs(&oids)?).map(|(change, bytes)| {
            let lines = lines_in(&bytes);
            let (added, removed) = if change.new.is_some() { (lines, 0) } else { (0, lines) };
            (change.path.clone(), added, removed)
        });
        Ok(Some(counts.collect()))
    }

    /// The difference as patch text, binary files included.
    pub fn patch(&self, a: &Oid, b: &Oid) -> Result<Vec<u8>, GitError> {
        self.diff_tree(a, b, &["--patch", "--binary", "--full-index"]).ok()
    }

    /// Merges two commits in memory. Renames are not followed: a change must not move into another file.
    pub fn merge(&self, ours: &Oid, theirs: &Oid) -> Result<MergeResult, GitError> {
        // There is nothing to merge with what `theirs` was made on alone.
        if self.inner.own_dir.is_some() && self.only_parent(theirs).as_ref() == Some(ours) {
            return Ok(MergeResult::Clean { tree: self.tree_of(theirs)? });
        }
        let call = self.own_with("merge-tree", &["merge.renames=false", "merge.directoryRenames=false"])?;
        let call = call.args(["--write-tree", "-z", "--name-only", "--no-messages"]);
        let answer = call.arg(ours.as_str()).arg(theirs.as_str()).run()?;
        let mut pieces = nul_separated(&answer.stdout);
        let first = pieces.next().unwrap_or_default();
        match answer.code() {
            Some(0) => Ok(MergeResult::Clean { tree: parse_oid("merge-tree", first)? }),
            Some(1) => {
                let mut paths = pieces.map(parse_path).collect::<Result<Vec<_>, _>>()?;
                paths.sort();
                paths.dedup();
                Ok(MergeResult::Conflict { paths })
            }
            _ => Err(answer.failure()),
        }
    }

    /// The parent of a commit that has one.
    fn only_parent(&self, commit: &Oid) -> Option<Oid> {
        let object = self.read_object(commit.as_str()).ok()??;
        let text = String::from_utf8_lossy(&object.bytes);
        let head = text.split("\n\n").next().filter(|_| object.kind == "commit")?;
        let mut parents = head.lines().filter_map(|line| line.strip_prefix("parent "));
        let parent = Oid::new(parents.next()?).ok()?;
        parents.next().is_none().then_some(parent)
    }

    fn diff_tree<'a>(&self, a: &Oid, b: &Oid, options: &[&str]) -> GitCall<'a> {
        let call = self.objects("diff-tree");
        let call = call.args(["-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"]);
        call.args(options).arg(a.as_str()).arg(b.as_str()).arg("--")
    }
}

/// The lines of a file as git counts them; none in one that it takes for binary.
fn lines_in(bytes: &[u8]) -> u64 {
    const LOOKED_AT: usize = 8000;
    if bytes.iter().take(LOOKED_AT).any(|byte| *byte == 0) {
        return 0;
    }
    let ends = memchr::memchr_iter(b'\n', bytes).count();
    let open = usize::from(bytes.last().is_some_and(|last| *last != b'\n'));
    u64::try_from(ends + open).unwrap_or(u64::MAX)
}

/// Reads `:<mode> SP <mode> SP <oid> SP <oid> SP <status>` and its path.
fn parse_change(header: &[u8], path: &[u8]) -> Result<PathChange, GitError> {
    let fields: Vec<&[u8]> = header.split(|b| *b == b' ').collect();
    let [old_mode, new_mode, old_oid, new_oid, [status, ..]] = fields.as_slice() else {
        return Err(unreadable("diff-tree", &header.escape_ascii().to_string()));
    };
    let old_mode = old_mode.strip_prefix(b":").unwrap_or(old_mode);
    let kind = match status {
        b'A' => ChangeKind::Added,
        b'M' => ChangeKind::Modified,
        b'D' => ChangeKind::Deleted,
        b'T' => ChangeKind::TypeChanged,
        _ => return Err(unreadable("diff-tree", &header.escape_ascii().to_string())),
    };
    Ok(PathChange {
        path: parse_path(path)?,
        kind,
        old: parse_side(old_mode, old_oid)?,
        new: parse_side(new_mode, new_oid)?,
    })
}

/// One side of a change; mode 0 means that the path is not there.
fn parse_side(mode: &[u8], oid: &[u8]) -> Result<Option<(u32, Oid)>, GitError> {
    match parse_mode("diff-tree", mode)? {
        0 => Ok(None),
        mode => Ok(Some((mode, parse_oid("diff-tree", oid)?))),
    }
}

/// Reads `<added> TAB <removed> TAB <path>`; a binary file has `-` for both.
fn parse_line_count(record: &[u8]) -> Result<LineCount, GitError> {
    let mut fields = record.splitn(3, |b| *b == b'\t');
    let (Some(added), Some(removed), Some(path)) = (fields.next(), fields.next(), fields.next()) else {
        return Err(unreadable("diff-tree", &record.escape_ascii().to_string()));
    };
    let number = |field: &[u8]| std::str::from_utf8(field).ok().and_then(|f| f.parse().ok()).unwrap_or(0);
    Ok((parse_path(path)?, number(added), number(removed)))
}

#[cfg(test)]
mod tests;
