//! Commit history: the first-parent chain and ancestors.

use windlass_core::ids::Oid;

use super::error::GitError;
use super::repo::{Repo, parse_oid, unreadable};

/// A commit, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitInfo {
    /// Its own id.
    pub oid: Oid,
    /// Its tree.
    pub tree: Oid,
    /// Its parents.
    pub parents: Vec<Oid>,
    /// Its whole message.
    pub message: String,
    /// The trailers at the end of the message, in order.
    pub trailers: Vec<(String, String)>,
}

/// Between key and value, and after each trailer: bytes that git keeps out of neither, but people do.
const KEY_END: char = '\u{1}';
const TRAILER_END: char = '\u{2}';

impl Repo {
    /// The first-parent chain from `tip`, newest first, up to but without `stop` and what it reaches.
    pub fn first_parents(&self, tip: &Oid, stop: Option<&Oid>) -> Result<Vec<CommitInfo>, GitError> {
        let stop = stop.map(|stop| format!("^{stop}"));
        self.log(&["--first-parent"], std::iter::once(tip.to_string()).chain(stop))
    }

    /// The commits up to `tip` whose message has this text, newest first.
    pub(crate) fn commits_saying(&self, tip: &Oid, text: &str) -> Result<Vec<CommitInfo>, GitError> {
        let grep = format!("--grep={text}");
        self.log(&["--fixed-strings", "--regexp-ignore-case", &grep], std::iter::once(tip.to_string()))
    }

    /// One commit.
    pub fn commit(&self, oid: &Oid) -> Result<CommitInfo, GitError> {
        let found = self.log(&["--no-walk"], std::iter::once(oid.to_string()))?;
        found.into_iter().next().ok_or_else(|| unreadable("log", oid.as_str()))
    }

    fn log(
        &self,
        options: &[&str],
        commits: impl Iterator<Item = String>,
    ) -> Result<Vec<CommitInfo>, GitError> {
        let format = "--format=tformat:%H%x00%T%x00%P%x00%B%x00\
                      %(trailers:only=true,unfold=true,key_value_separator=%x01,separator=%x02)";
        let call = self.objects("log").args(["-z", "--no-show-signature", format]);
        let out = call.args(options).args(commits).arg("--").ok()?;
        let text = String::from_utf8_lossy(&out);
        let mut fields = text.split('\0');
        let mut commits = Vec::new();
        while let Some(oid) = fields.next().filter(|oid| !oid.is_empty()) {
            commits.push(parse_commit(oid, &mut fields)?);
        }
        Ok(commits)
    }

    /// The last commit up to `tip` that changed one of these paths.
    pub(crate) fn last_change(&self, tip: &Oid, paths: &[String]) -> Result<Option<Oid>, GitError> {
        let call = self.objects("log").args(["-1", "--no-show-signature", "--format=%H"]);
        let literal = paths.iter().map(|path| format!(":(literal){path}"));
        let out = call.arg(tip.as_str()).arg("--").args(literal).ok()?;
        if out.is_empty() { Ok(None) } else { parse_oid("log", &out).map(Some) }
    }

    /// The nearest tag that a commit reaches, of the user's own: Windlass's git directory has no tags.
    pub(crate) fn nearest_tag(&self, commit: &Oid) -> Result<Option<String>, GitError> {
        let answer = self.user("describe").args(["--tags", "--abbrev=0"]).arg(commit.as_str()).run()?;
        let tag = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        Ok((answer.code() == Some(0) && !tag.is_empty()).then_some(tag))
    }

    /// Whether `a` is `b` or is reachable from it.
    pub fn is_ancestor(&self, a: &Oid, b: &Oid) -> Result<bool, GitError> {
        let call = self.objects("merge-base").arg("--is-ancestor").arg(a.as_str()).arg(b.as_str());
        let answer = call.run()?;
        match answer.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(answer.failure()),
        }
    }

    /// The best common ancestor of two commits.
    pub fn merge_base(&self, a: &Oid, b: &Oid) -> Result<Option<Oid>, GitError> {
        let answer = self.objects("merge-base").arg(a.as_str()).arg(b.as_str()).run()?;
        match answer.code() {
            Some(0) => parse_oid("merge-base", &answer.stdout).map(Some),
            Some(1) => Ok(None),
            _ => Err(answer.failure()),
        }
    }
}

/// Reads the fields of one commit after its id.
fn parse_commit<'a>(oid: &str, fields: &mut impl Iterator<Item = &'a str>) -> Result<CommitInfo, GitError> {
    let mut field = || fields.next().ok_or_else(|| unreadable("log", oid));
    let (tree, parents, message, trailers) = (field()?, field()?, field()?, field()?);
    let id = |text: &str| parse_oid("log", text.as_bytes());
    Ok(CommitInfo {
        oid: id(oid)?,
        tree: id(tree)?,
        parents: parents.split_whitespace().map(id).collect::<Result<_, _>>()?,
        message: message.to_owned(),
        trailers: trailers.split(TRAILER_END).filter_map(parse_trailer).collect(),
    })
}

fn parse_trailer(text: &str) -> Option<(String, String)> {
    let (key, value) = text.split_once(KEY_END)?;
    Some((key.trim().to_owned(), value.trim().to_owned()))
}

#[cfg(test)]
mod tests;
