//! A git directory for an agent: one commit, no remote, no hook, nothing that leads back.
//!
//! The objects are packed straight out of the store, so no second git program has to serve them and no
//! transport has to be allowed.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

use windlass_core::ids::Oid;

use super::error::GitError;
use super::objects::{CommitSpec, Identity, Signing};
use super::own_dir::ATTRIBUTES;
use super::repo::{ObjectFormat, Repo, nul_separated, unreadable};
use super::tree::{GITLINK, parse_entry};

/// The commit an agent sees.
pub(crate) struct AgentCommit {
    commit: Oid,
    tree: Oid,
    has_parents: bool,
}

impl Repo {
    /// Makes `dir/.git` anew with only `commit` in it, detached, its index matching the commit.
    pub fn fetch_into_private(&self, commit: &Oid, dir: &Path) -> Result<(), GitError> {
        let tree = self.tree_of(commit)?;
        let begun = self.begin_private(commit, &tree, dir)?;
        self.finish_private(&begun, dir, None)
    }

    /// The first half, with only the files of `tree`: if that is not the commit's tree, the agent gets a commit with the same
    /// message and no parents. Takes long in a large repository, and may be done while files are laid down in `dir`.
    pub(crate) fn begin_private(
        &self,
        commit: &Oid,
        tree: &Oid,
        dir: &Path,
    ) -> Result<AgentCommit, GitError> {
        let seen = self.visible(commit, tree)?;
        let git = dir.join(".git");
        crate::removal::remove_any(&git).map_err(|source| io("cannot remove", &git, source))?;
        for part in ["objects/pack", "objects/info", "refs/heads", "refs/tags", "info"] {
            fs::create_dir_all(git.join(part)).map_err(|source| io("cannot make", &git, source))?;
        }
        self.pack_for_private(&seen, &git)?;
        if seen.has_parents {
            write(&git.join("shallow"), &format!("{}\n", seen.commit))?;
        }
        write(&git.join("config"), &private_config(self.inner.format))?;
        write(&git.join("info/attributes"), ATTRIBUTES)?;
        write(&git.join("info/exclude"), "")?;
        Ok(seen)
    }

    /// The second half: the index, which is copied if there is one, and `HEAD`.
    pub(crate) fn finish_private(
        &self,
        seen: &AgentCommit,
        dir: &Path,
        index: Option<&Path>,
    ) -> Result<(), GitError> {
        let git = dir.join(".git");
        let target = git.join("index");
        match index {
            Some(index) => drop(fs::copy(index, &target).map_err(|source| io("cannot copy", index, source))?),
            None => self.read_tree_into(&seen.tree, &target)?,
        }
        // Last: until HEAD exists this is no repository.
        write(&git.join("HEAD"), &format!("{}\n", seen.commit))
    }

    fn visible(&self, commit: &Oid, tree: &Oid) -> Result<AgentCommit, GitError> {
        let raw = self.read_object(commit.as_str()).ok().flatten();
        let read = raw.and_then(|object| read_commit(&object.bytes));
        let read = read.map_or_else(|| self.log_of(commit), Ok)?;
        if self.tree_of(commit)? == *tree {
            let has_parents = read.has_parents;
            return Ok(AgentCommit { commit: commit.clone(), tree: tree.clone(), has_parents });
        }
        let author = read.author;
        let spec = CommitSpec {
            tree: tree.clone(),
            parents: Vec::new(),
            message: read.message,
            committer: author.clone(),
            author,
            sign: Signing::No,
        };
        Ok(AgentCommit { commit: self.commit_tree(&spec)?, tree: tree.clone(), has_parents: false })
    }

    /// A commit as git tells it, in the encoding that we use.
    fn log_of(&self, commit: &Oid) -> Result<TextOfCommit, GitError> {
        let format = "--format=tformat:%P%x00%B%x00%an%x00%ae%x00%ad";
        let call = self.objects("log").args(["-1", "--no-show-signature", "--date=raw", format]);
        let out = call.arg(commit.as_str()).arg("--").ok()?;
        let text = String::from_utf8_lossy(&out);
        let fields: Vec<&str> = text.trim_end_matches('\n').split('\0').collect();
        let [parents, message, name, email, date] = fields.as_slice() else {
            return Err(unreadable("log", &text));
        };
        let author =
            Identity { name: (*name).to_owned(), email: (*email).to_owned(), date: Some(format!("@{date}")) };
        Ok(TextOfCommit { has_parents: !parents.is_empty(), message: (*message).to_owned(), author })
    }

    /// The objects below a tree, in directories that are few; `None` if there are more.
    fn objects_below(&self, tree: &Oid, found: &mut Vec<Oid>) -> Option<()> {
        const FEW: usize = 2000;
        for node in self.nodes(tree)?.iter().filter(|node| node.mode != GITLINK) {
            found.push(node.oid.clone());
            if node.is_dir() {
                self.objects_below(&node.oid, found)?;
            }
        }
        (found.len() <= FEW).then_some(())
    }

    /// Packs the commit, its trees and its files, and nothing else.
    fn pack_for_private(&self, seen: &AgentCommit, git: &Path) -> Result<(), GitError> {
        let mut wanted = format!("{}\n{}\n", seen.commit, seen.tree);
        let mut few = Vec::new();
        if self.objects_below(&seen.tree, &mut few).is_some() {
            for oid in &few {
                wanted.push_str(oid.as_str());
                wanted.push('\n');
            }
        } else {
            let call = self.objects("ls-tree").args(["-r", "-t", "-z", "--full-tree"]);
            let listing = call.arg(seen.tree.as_str()).ok()?;
            for record in nul_separated(&listing) {
                let entry = parse_entry(record)?;
                if entry.mode != GITLINK {
                    wanted.push_str(entry.oid.as_str());
                    wanted.push('\n');
                }
            }
        }
        // No search for deltas and no sync: the pack lives as long as the slot's task.
        let settings = ["core.fsync=none", "pack.window=0", "pack.threads=1", "pack.writeReverseIndex=false"];
        let call = self.own_with("pack-objects", &settings)?.arg("-q").arg(git.join("objects/pack/pack"));
        // Written beside where it ends: git moves a finished pack, and the store may lie on another file system.
        let call = call.env("GIT_OBJECT_DIRECTORY", git.join("objects"));
        let call = call.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", quoted(&self.objects_dir()));
        call.stdin(wanted.as_bytes()).ok()?;
        Ok(())
    }
}

/// What is kept of a commit that an agent may not see as it is.
#[derive(Debug, PartialEq, Eq)]
struct TextOfCommit {
    has_parents: bool,
    message: String,
    author: Identity,
}

/// Reads a commit of plain text; `None` for one in another encoding.
fn read_commit(bytes: &[u8]) -> Option<TextOfCommit> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (head, message) = text.split_once("\n\n")?;
    let value = |name: &str| head.lines().find_map(|line| line.strip_prefix(name));
    if value("encoding ").is_some() {
        return None;
    }
    let (name, rest) = value("author ")?.split_once(" <")?;
    let (email, date) = rest.split_once("> ")?;
    let author = Identity { name: name.to_owned(), email: email.to_owned(), date: Some(format!("@{date}")) };
    Some(TextOfCommit { has_parents: value("parent ").is_some(), message: message.to_owned(), author })
}

/// A path as git reads it in a list: bare, a colon would end it.
fn quoted(path: &Path) -> OsString {
    let mut text = vec![b'"'];
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'"' | b'\\' => text.extend([b'\\', *byte]),
            b'\n' => text.extend(b"\\n"),
            other => text.push(*other),
        }
    }
    text.push(b'"');
    OsString::from_vec(text)
}

fn private_config(format: ObjectFormat) -> String {
    let (version, extension) = match format {
        ObjectFormat::Sha1 => (0, ""),
        ObjectFormat::Sha256 => (1, "[extensions]\n\tobjectFormat = sha256\n"),
    };
    format!("[core]\n\trepositoryformatversion = {version}\n\tfileMode = true\n\tbare = false\n{extension}")
}

fn write(path: &Path, text: &str) -> Result<(), GitError> {
    fs::write(path, text).map_err(|source| io("cannot write", path, source))
}

fn io(what: &'static str, path: &Path, source: std::io::Error) -> GitError {
    GitError::Io { what, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests;
