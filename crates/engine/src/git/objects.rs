//! Blobs and commits: reading and writing single objects.

use serde::{Deserialize, Serialize};
use windlass_core::ids::Oid;

use super::command::GitCall;
use super::error::GitError;
use super::repo::{Repo, nul_separated, parse_oid, unreadable};
use super::resident::Duty;
use super::tree::{SYMLINK, parse_entry};

/// The author or committer of a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
    /// The date in a form git reads, for example `@1700000000 +0000`; `None` is now.
    pub date: Option<String>,
}

/// Whether a commit is signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signing {
    /// It is not.
    No,
    /// With this key, or with the user's configured one.
    Key(Option<String>),
}

/// Everything a commit is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitSpec {
    /// Its tree.
    pub tree: Oid,
    /// Its parents, the first-parent chain first.
    pub parents: Vec<Oid>,
    /// Its message, trailers included.
    pub message: String,
    /// The author.
    pub author: Identity,
    /// The committer.
    pub committer: Identity,
    /// Whether it is signed.
    pub sign: Signing,
}

/// How many blobs that are read at once are remembered.
const REMEMBERED: usize = 64;

impl Repo {
    /// The tree of a commit.
    pub fn tree_of(&self, commit: &Oid) -> Result<Oid, GitError> {
        if let Some(tree) = self.inner.memory.tree(commit) {
            return Ok(tree);
        }
        let named = format!("{commit}^{{tree}}");
        if let Ok(Some(found)) = self.read_object(&named) {
            self.inner.memory.keep_tree(commit, &found.oid);
            return Ok(found.oid);
        }
        let call = self.objects("rev-parse").args(["--verify", "--quiet"]).arg(named);
        let answer = call.run()?;
        if !answer.status.success() {
            return Err(GitError::ObjectMissing { oid: commit.clone() });
        }
        let tree = parse_oid("rev-parse", &answer.stdout)?;
        self.inner.memory.keep_tree(commit, &tree);
        Ok(tree)
    }

    /// The bytes of one blob.
    pub fn read_blob(&self, oid: &Oid) -> Result<Vec<u8>, GitError> {
        let mut blobs = self.read_blobs(std::slice::from_ref(oid))?;
        blobs.pop().ok_or_else(|| GitError::ObjectMissing { oid: oid.clone() })
    }

    /// The bytes of many blobs, in the order asked for, through at most one process.
    pub fn read_blobs(&self, oids: &[Oid]) -> Result<Vec<Vec<u8>>, GitError> {
        let memory = &self.inner.memory;
        let known: Vec<Option<Vec<u8>>> =
            oids.iter().map(|oid| memory.blob(oid).map(|bytes| bytes.to_vec())).collect();
        let unknown: Vec<&Oid> =
            oids.iter().zip(&known).filter(|(_, bytes)| bytes.is_none()).map(|(oid, _)| oid).collect();
        let mut read = self.read_unknown(&unknown)?.into_iter();
        let blobs = known.into_iter().map(|bytes| bytes.or_else(|| read.next()).unwrap_or_default());
        Ok(blobs.collect())
    }

    /// Reads these blobs, and remembers them if they are few: those of a whole tree are read once.
    fn read_unknown(&self, oids: &[&Oid]) -> Result<Vec<Vec<u8>>, GitError> {
        if oids.is_empty() {
            return Ok(Vec::new());
        }
        if oids.len() <= REMEMBERED
            && let Some(blobs) = oids.iter().map(|oid| self.read_single(oid)).collect()
        {
            return Ok(blobs);
        }
        let mut input = String::with_capacity(oids.len() * 65);
        for oid in oids {
            input.push_str(oid.as_str());
            input.push('\n');
        }
        let out = self.objects("cat-file").arg("--batch").stdin(input.as_bytes()).ok()?;
        let mut rest = out.as_slice();
        let mut blobs = Vec::with_capacity(oids.len());
        for oid in oids {
            let (blob, after) = parse_batch_entry(rest, oid)?;
            if oids.len() <= REMEMBERED {
                self.inner.memory.keep_blob(oid, blob);
            }
            blobs.push(blob.to_vec());
            rest = after;
        }
        Ok(blobs)
    }

    /// Reads and remembers one blob through a process that is there; `None` if that does not work.
    fn read_single(&self, oid: &Oid) -> Option<Vec<u8>> {
        let found = self.read_object(oid.as_str()).ok()??;
        (found.kind == "blob").then_some(())?;
        self.inner.memory.keep_blob(oid, &found.bytes);
        Some(found.bytes)
    }

    /// The bytes of the file at `path`; `None` if there is no file (or link) there.
    pub fn read_path(&self, treeish: &Oid, path: &str) -> Result<Option<Vec<u8>>, GitError> {
        if let Ok(found) = self.node_at(&self.tree_of(treeish)?, path) {
            let is_blob = |mode: u32| mode & 0o170_000 == 0o100_000 || mode == SYMLINK;
            return found.filter(|node| is_blob(node.mode)).map(|node| self.read_blob(&node.oid)).transpose();
        }
        let call = self.objects("ls-tree").args(["-z", "--full-tree"]).arg(treeish.as_str());
        let out = call.arg("--").arg(path).ok()?;
        for record in nul_separated(&out) {
            let entry = parse_entry(record)?;
            let is_blob = entry.mode & 0o170_000 == 0o100_000 || entry.mode == SYMLINK;
            if entry.path == path && is_blob {
                return self.read_blob(&entry.oid).map(Some);
            }
        }
        Ok(None)
    }

    /// Stores bytes as a blob, unconverted.
    pub fn write_blob(&self, bytes: &[u8]) -> Result<Oid, GitError> {
        if let Some(blob) = self.store_bytes(Duty::Blobs, bytes) {
            return Ok(blob);
        }
        let call = self.objects("hash-object").args(["-w", "-t", "blob", "--no-filters", "--stdin"]);
        parse_oid("hash-object", &call.stdin(bytes).ok()?)
    }

    /// Writes a commit object; moves no ref.
    pub fn commit_tree(&self, spec: &CommitSpec) -> Result<Oid, GitError> {
        let parent = spec.parents.first().and_then(|parent| self.tree_of(parent).ok());
        if let Some(oid) = self.missing_since(parent.as_ref(), &spec.tree) {
            return Err(GitError::ObjectMissing { oid });
        }
        if let Some(commit) = plain_commit(spec).and_then(|text| self.store_bytes(Duty::Commits, &text)) {
            self.inner.memory.keep_tree(&commit, &spec.tree);
            return Ok(commit);
        }
        // Signing needs the user's configuration: which program, which key ring.
        let call = match &spec.sign {
            Signing::No => self.objects("commit-tree").arg("--no-gpg-sign"),
            Signing::Key(None) => self.as_user("commit-tree").arg("--gpg-sign"),
            Signing::Key(Some(key)) => self.as_user("commit-tree").arg(format!("--gpg-sign={key}")),
        };
        let mut call =
            with_identity(with_identity(call, "AUTHOR", &spec.author), "COMMITTER", &spec.committer);
        for parent in &spec.parents {
            call = call.arg("-p").arg(parent.as_str());
        }
        let out = call.args(["-F", "-"]).arg(spec.tree.as_str()).stdin(spec.message.as_bytes()).ok();
        let out = out.map_err(|e| match (e, &spec.sign) {
            (GitError::Failed { stderr: said, .. }, Signing::Key(_)) => GitError::NotSigned { said },
            (e, _) => e,
        })?;
        let commit = parse_oid("commit-tree", &out)?;
        self.inner.memory.keep_tree(&commit, &spec.tree);
        Ok(commit)
    }
}

/// The bytes of a commit, if nothing in it is left for git to find out or to tidy up.
fn plain_commit(spec: &CommitSpec) -> Option<Vec<u8>> {
    if spec.sign != Signing::No || spec.message.contains('\0') {
        return None;
    }
    let mut text = format!("tree {}\n", spec.tree);
    for parent in &spec.parents {
        text.push_str(&format!("parent {parent}\n"));
    }
    text.push_str(&format!("author {}\n", plain_identity(&spec.author)?));
    text.push_str(&format!("committer {}\n\n", plain_identity(&spec.committer)?));
    text.push_str(&spec.message);
    Some(text.into_bytes())
}

/// An identity with its date as a commit has it; `None` if git would change something.
fn plain_identity(who: &Identity) -> Option<String> {
    let is_plain = |text: &str| {
        let ends = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        ends(text.chars().next())
            && ends(text.chars().next_back())
            && !text.contains(|c: char| c.is_control() || matches!(c, '<' | '>'))
    };
    let (seconds, zone) = who.date.as_deref()?.strip_prefix('@')?.split_once(' ')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let hours = zone.strip_prefix(['+', '-'])?;
    let dated = digits(seconds) && digits(hours) && hours.len() == 4;
    let usual = dated && is_plain(&who.name) && is_plain(&who.email);
    usual.then(|| format!("{} <{}> {seconds} {zone}", who.name, who.email))
}

fn with_identity<'a>(call: GitCall<'a>, role: &str, who: &Identity) -> GitCall<'a> {
    let call = call.env(&format!("GIT_{role}_NAME"), &who.name);
    let call = call.env(&format!("GIT_{role}_EMAIL"), &who.email);
    match &who.date {
        Some(date) => call.env(&format!("GIT_{role}_DATE"), date),
        None => call,
    }
}

/// Reads `<oid> SP blob SP <size> LF <bytes> LF` and returns the bytes and what follows.
fn parse_batch_entry<'a>(bytes: &'a [u8], oid: &Oid) -> Result<(&'a [u8], &'a [u8]), GitError> {
    let end = bytes.iter().position(|b| *b == b'\n').unwrap_or(bytes.len());
    let header = String::from_utf8_lossy(&bytes[..end]);
    let mut fields = header.split(' ').skip(1);
    match (fields.next(), fields.next().and_then(|size| size.parse::<usize>().ok())) {
        (Some("blob"), Some(size)) if bytes.len() > end + 1 + size => {
            let start = end + 1;
            Ok((&bytes[start..start + size], &bytes[start + size + 1..]))
        }
        (Some("missing"), None) => Err(GitError::ObjectMissing { oid: oid.clone() }),
        _ => Err(unreadable("cat-file", &header)),
    }
}

#[cfg(test)]
mod tests;
