//! Single directories of trees: reading them, what differs between two trees, and a tree with some paths changed.
//!
//! Only the directories on the way to what changes are read and written, whatever the tree holds besides. Every function here gives
//! `None` or `Unsure` where it is not certain: then git itself is asked, with an index.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use windlass_core::ids::Oid;

use super::changes::{ChangeKind, PathChange};
use super::repo::{ObjectFormat, Repo};
use super::resident::Duty;
use super::tree::{GITLINK, SYMLINK};

/// The mode of a directory.
const DIRECTORY: u32 = 0o040_000;

/// One entry of a directory of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DirectoryNode {
    pub(super) mode: u32,
    pub(super) name: String,
    pub(super) oid: Oid,
}

/// The entries of a directory, shared.
pub(super) type Nodes = Arc<[DirectoryNode]>;

/// The differences of two trees found so far, and how many are looked for.
struct Differences {
    changes: Vec<PathChange>,
    most: usize,
}

/// What becomes of one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PathEdit<'a> {
    /// This file, link or submodule.
    Set(u32, &'a Oid),
    /// No file, link or submodule.
    Remove,
    /// Nothing, neither a file nor a directory.
    Prune,
}

/// There is no answer that one could rely on: git itself is to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unsure;

/// An object, as git answers.
pub(super) struct ReadObject {
    pub(super) oid: Oid,
    pub(super) kind: String,
    pub(super) bytes: Vec<u8>,
}

impl DirectoryNode {
    pub(super) fn is_dir(&self) -> bool {
        self.mode == DIRECTORY
    }

    /// In the order of a tree a directory is named with a slash.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let (a, b) = (self.name.as_bytes(), other.name.as_bytes());
        let common = a.len().min(b.len());
        let next = |node: &Self| node.name.as_bytes().get(common).copied().or(node.is_dir().then_some(b'/'));
        a[..common].cmp(&b[..common]).then_with(|| next(self).cmp(&next(other)))
    }

    fn file(&self) -> (u32, Oid) {
        (self.mode, self.oid.clone())
    }
}

impl Repo {
    /// Reads an object by a name without spaces; `None` if it is missing.
    pub(super) fn read_object(&self, name: &str) -> Result<Option<ReadObject>, Unsure> {
        if name.contains(char::is_whitespace) {
            return Err(Unsure);
        }
        let answer = self.ask(Duty::Read, |git| {
            git.ask(format!("contents {name}\n").as_bytes())?;
            let header = git.line()?;
            let fields: Vec<&str> = header.split(' ').collect();
            match fields.as_slice() {
                [asked, "missing"] if *asked == name => Ok(None),
                [oid, kind, size] => {
                    let odd = || io::Error::from(io::ErrorKind::InvalidData);
                    let oid = Oid::new(oid).map_err(|_| odd())?;
                    let mut bytes = git.bytes(size.parse::<usize>().map_err(|_| odd())? + 1)?;
                    bytes.pop().filter(|end| *end == b'\n').ok_or_else(odd)?;
                    Ok(Some(ReadObject { oid, kind: (*kind).to_owned(), bytes }))
                }
                _ => Err(io::ErrorKind::InvalidData.into()),
            }
        });
        answer.ok_or(Unsure)
    }

    /// Whether there is such an object.
    fn has_object(&self, oid: &Oid) -> Option<bool> {
        self.ask(Duty::Read, |git| {
            git.ask(format!("info {oid}\n").as_bytes())?;
            Ok(!git.line()?.ends_with(" missing"))
        })
    }

    /// An object that a tree has and a tree before it has not, and that is not there: one that nothing refers to is removed by the
    /// user's `git gc --prune=now`. `None` if all are there.
    pub(super) fn missing_since(&self, before: Option<&Oid>, tree: &Oid) -> Option<Oid> {
        if before == Some(tree) {
            return None;
        }
        if self.has_object(tree) == Some(false) {
            return Some(tree.clone());
        }
        // Without a tree before it, everything may be new: then only the tree itself is looked for.
        let old = self.nodes(before?)?;
        self.missing_among(&old, tree)
    }

    /// The same for the entries of one directory.
    fn missing_among(&self, old: &[DirectoryNode], tree: &Oid) -> Option<Oid> {
        let nodes = self.nodes(tree)?;
        let known =
            |node: &DirectoryNode| old.binary_search_by(|known| known.order(node)).ok().map(|at| &old[at]);
        let mut new = nodes.iter().filter(|node| node.mode != GITLINK && known(node) != Some(*node));
        new.find_map(|node| {
            if self.has_object(&node.oid) == Some(false) {
                return Some(node.oid.clone());
            }
            node.is_dir().then_some(())?;
            let before = known(node).and_then(|known| self.nodes(&known.oid));
            self.missing_among(before.as_deref().unwrap_or_default(), &node.oid)
        })
    }

    /// The entries of a directory.
    pub(super) fn nodes(&self, tree: &Oid) -> Option<Nodes> {
        if let Some(known) = self.inner.memory.nodes(tree) {
            return Some(known);
        }
        let object = self.read_object(tree.as_str()).ok()??;
        let nodes: Nodes =
            (object.kind == "tree").then(|| parse_nodes(&object.bytes, self.inner.format))??;
        self.inner.memory.keep_nodes(tree, &nodes);
        Some(nodes)
    }

    /// The entry at a path below a tree; `None` if there is none.
    pub(super) fn node_at(&self, tree: &Oid, path: &str) -> Result<Option<DirectoryNode>, Unsure> {
        let mut here = tree.clone();
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            let nodes = self.nodes(&here).ok_or(Unsure)?;
            let Some(node) = nodes.iter().find(|node| node.name == part) else { return Ok(None) };
            match parts.peek() {
                None => return Ok(Some(node.clone())),
                Some(_) if node.is_dir() => here = node.oid.clone(),
                Some(_) => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The paths that differ between two trees, as git tells them.
    pub(super) fn differences(&self, a: &Oid, b: &Oid) -> Option<Vec<PathChange>> {
        self.few_differences(a, b, usize::MAX)
    }

    /// The same, unless there are more than so many.
    pub(super) fn few_differences(&self, a: &Oid, b: &Oid, most: usize) -> Option<Vec<PathChange>> {
        let mut found = Differences { changes: Vec::new(), most };
        self.compare(Some(a), Some(b), "", &mut found)?;
        found.changes.sort_by(|a, b| a.path.cmp(&b.path));
        Some(found.changes)
    }

    fn compare(&self, a: Option<&Oid>, b: Option<&Oid>, above: &str, found: &mut Differences) -> Option<()> {
        if a == b {
            return Some(());
        }
        let read = |tree: Option<&Oid>| tree.map_or(Some(Nodes::from([])), |tree| self.nodes(tree));
        let (old, new) = (read(a)?, read(b)?);
        let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
        loop {
            let order = match (old.peek(), new.peek()) {
                (None, None) => return Some(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => old.order(new),
            };
            let old = old.next_if(|_| order != Ordering::Greater);
            let new = new.next_if(|_| order != Ordering::Less);
            if old != new {
                self.compare_nodes(old, new, above, found)?;
            }
        }
    }

    /// Two entries of one name, of which one may be missing; both are directories or neither is.
    fn compare_nodes(
        &self,
        old: Option<&DirectoryNode>,
        new: Option<&DirectoryNode>,
        above: &str,
        found: &mut Differences,
    ) -> Option<()> {
        let node = old.or(new)?;
        let path = format!("{above}{}", node.name);
        if node.is_dir() {
            return self.compare(old.map(|n| &n.oid), new.map(|n| &n.oid), &format!("{path}/"), found);
        }
        let (old, new) = (old.map(DirectoryNode::file), new.map(DirectoryNode::file));
        let kind = match (&old, &new) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Deleted,
            (Some((a, _)), Some((b, _))) if a & 0o170_000 != b & 0o170_000 => ChangeKind::TypeChanged,
            (Some(_), Some(_)) => ChangeKind::Modified,
        };
        found.changes.push(PathChange { path, kind, old, new });
        (found.changes.len() <= found.most).then_some(())
    }

    /// The tree with these paths changed. Needs our own git directory.
    pub(super) fn edited_tree(&self, base: &Oid, edits: &BTreeMap<&str, PathEdit<'_>>) -> Option<Oid> {
        for edit in edits.values() {
            if let PathEdit::Set(mode, oid) = edit {
                let usual = matches!(*mode, 0o100_644 | 0o100_755 | SYMLINK | GITLINK);
                if !usual || (*mode != GITLINK && !self.has_object(oid)?) {
                    return None;
                }
            }
        }
        let edits: Vec<(&str, &PathEdit<'_>)> = edits.iter().map(|(path, edit)| (*path, edit)).collect();
        match self.edited_directory(Some(base), &edits).ok()? {
            Some(tree) => Some(tree),
            None => self.write_nodes(&[]),
        }
    }

    /// A directory with these paths below it changed; `None` if nothing is left in it.
    fn edited_directory(
        &self,
        base: Option<&Oid>,
        edits: &[(&str, &PathEdit<'_>)],
    ) -> Result<Option<Oid>, Unsure> {
        let before = base.map_or(Some(Nodes::from([])), |tree| self.nodes(tree)).ok_or(Unsure)?;
        let mut grouped: BTreeMap<&str, NameEdits<'_>> = BTreeMap::new();
        for &(path, edit) in edits {
            match path.split_once('/') {
                None => grouped.entry(path).or_default().here = Some(edit),
                Some((name, rest)) => grouped.entry(name).or_default().below.push((rest, edit)),
            }
        }
        let mut after = Vec::with_capacity(before.len() + grouped.len());
        for node in before.iter() {
            match grouped.remove(node.name.as_str()) {
                None => after.push(node.clone()),
                Some(edits) => after.extend(self.edited_node(&node.name, Some(node), &edits)?),
            }
        }
        for (name, edits) in grouped {
            after.extend(self.edited_node(name, None, &edits)?);
        }
        if after.is_empty() {
            return Ok(None);
        }
        after.sort_by(DirectoryNode::order);
        match base {
            Some(base) if *after == *before => Ok(Some(base.clone())),
            Some(_) | None => self.write_nodes(&after).map(Some).ok_or(Unsure),
        }
    }

    /// An entry after its edits; `None` if it is gone. Where a file and a directory meet git decides.
    fn edited_node(
        &self,
        name: &str,
        before: Option<&DirectoryNode>,
        edits: &NameEdits<'_>,
    ) -> Result<Option<DirectoryNode>, Unsure> {
        let was_dir = before.is_some_and(DirectoryNode::is_dir);
        let adds_below = edits.below.iter().any(|(_, edit)| matches!(edit, PathEdit::Set(..)));
        let is_pruned = matches!(edits.here, Some(PathEdit::Prune));
        match edits.here {
            Some(PathEdit::Set(mode, oid)) if !was_dir && edits.below.is_empty() => {
                Ok(Some(DirectoryNode { mode: *mode, name: name.to_owned(), oid: (*oid).clone() }))
            }
            Some(PathEdit::Prune | PathEdit::Remove) if !adds_below && (is_pruned || !was_dir) => Ok(None),
            Some(PathEdit::Remove) | None if was_dir || before.is_none() => {
                let tree = self.edited_directory(before.map(|node| &node.oid), &edits.below)?;
                Ok(tree.map(|oid| DirectoryNode { mode: DIRECTORY, name: name.to_owned(), oid }))
            }
            None if !adds_below => Ok(before.cloned()),
            Some(PathEdit::Set(..) | PathEdit::Prune | PathEdit::Remove) | None => Err(Unsure),
        }
    }

    fn write_nodes(&self, nodes: &[DirectoryNode]) -> Option<Oid> {
        let mut question = Vec::with_capacity(nodes.len() * 80 + 1);
        for DirectoryNode { mode, name, oid } in nodes {
            let kind = match *mode {
                DIRECTORY => "tree",
                GITLINK => "commit",
                _ => "blob",
            };
            question.extend_from_slice(format!("{mode:06o} {kind} {oid}\t{name}\0").as_bytes());
        }
        question.push(0);
        let tree = self.ask(Duty::Trees, |git| {
            git.ask(&question)?;
            git.oid()
        })?;
        self.inner.memory.keep_nodes(&tree, &Nodes::from(nodes));
        Some(tree)
    }
}

/// The edits of one name in a directory.
#[derive(Default)]
struct NameEdits<'a> {
    here: Option<&'a PathEdit<'a>>,
    below: Vec<(&'a str, &'a PathEdit<'a>)>,
}

/// Reads `<mode> SP <name> NUL <id>` again and again.
fn parse_nodes(mut bytes: &[u8], format: ObjectFormat) -> Option<Nodes> {
    let length = match format {
        ObjectFormat::Sha1 => 20,
        ObjectFormat::Sha256 => 32,
    };
    let mut nodes = Vec::new();
    while !bytes.is_empty() {
        let space = bytes.iter().position(|b| *b == b' ')?;
        let end = bytes.iter().position(|b| *b == 0)?;
        let mode = u32::from_str_radix(std::str::from_utf8(&bytes[..space]).ok()?, 8).ok()?;
        let name = std::str::from_utf8(bytes.get(space + 1..end)?).ok()?.to_owned();
        let id = bytes.get(end + 1..end + 1 + length)?;
        nodes.push(DirectoryNode { mode: usual_mode(mode), name, oid: Oid::new(&hex(id)).ok()? });
        bytes = &bytes[end + 1 + length..];
    }
    Some(nodes.into())
}

/// The mode that git takes an odd one of an old tree for.
fn usual_mode(mode: u32) -> u32 {
    match mode & 0o170_000 {
        0o100_000 if mode & 0o100 != 0 => 0o100_755,
        0o100_000 => 0o100_644,
        SYMLINK => SYMLINK,
        DIRECTORY => DIRECTORY,
        _ => GITLINK,
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests;
