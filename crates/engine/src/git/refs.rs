//! Refs of the user's repository: reading them, and moving one by compare-and-swap.

use std::io;
use std::sync::{Mutex, PoisonError};

use windlass_core::ids::Oid;

use super::command::{GitCall, GitOutput};
use super::error::GitError;
use super::repo::{Repo, parse_oid, parse_path, unreadable};
use super::resident::{Duty, LostAnswer};

/// Where the user's checkout stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// On a branch.
    Branch {
        /// Its name without `refs/heads/`.
        name: String,
        /// Its tip.
        oid: Oid,
    },
    /// On no branch.
    Detached {
        /// The commit.
        oid: Oid,
    },
    /// On a branch without a commit.
    Unborn {
        /// Its name without `refs/heads/`.
        name: String,
    },
}

/// What a ref must be for it to be moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedRef {
    /// It must not exist.
    Absent,
    /// It must be exactly this.
    Is(Oid),
    /// Whatever it is.
    Anything,
}

/// What became of an attempt to move a ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefMove {
    /// It moved.
    Moved,
    /// It was not what was expected and is untouched.
    Mismatch {
        /// Its value; none if it does not exist.
        actual: Option<Oid>,
    },
}

/// One writer of refs at a time in this process; git's own lock files keep other processes out.
static WRITING: Mutex<()> = Mutex::new(());

/// How often a locked ref is retried, each time after git itself has waited.
const LOCK_TRIES: u32 = 5;

impl Repo {
    /// Where the user's checkout stands.
    pub fn head(&self) -> Result<Head, GitError> {
        let answer = self.user_checkout("symbolic-ref").args(["--quiet", "HEAD"]).run()?;
        let branch = match answer.code() {
            Some(0) => Some(parse_path(answer.stdout.trim_ascii_end())?),
            Some(1) => None,
            _ => return Err(answer.failure()),
        };
        let oid = self.resolve("HEAD")?;
        match (branch, oid) {
            (Some(full), oid) => {
                let name = full.strip_prefix("refs/heads/").unwrap_or(&full).to_owned();
                Ok(oid.map_or(Head::Unborn { name: name.clone() }, |oid| Head::Branch { name, oid }))
            }
            (None, Some(oid)) => Ok(Head::Detached { oid }),
            (None, None) => Err(unreadable("symbolic-ref", "HEAD is neither a branch nor a commit")),
        }
    }

    /// The commit a revision of the user's repository names; `None` if there is none.
    pub fn resolve(&self, rev: &str) -> Result<Option<Oid>, GitError> {
        if rev.starts_with('-') || rev.contains('\0') {
            return Ok(None);
        }
        let commit = format!("{rev}^{{commit}}");
        if let Ok(found) = self.ask_for_commit(&commit) {
            return Ok(found);
        }
        let call = self.user_checkout("rev-parse").args(["--verify", "--quiet"]);
        let answer = call.arg(commit).run()?;
        // Quietly 1 for a name that is not there, 128 for one that cannot be a name.
        if answer.status.success() { parse_oid("rev-parse", &answer.stdout).map(Some) } else { Ok(None) }
    }

    /// The same through a process that is there, by the name of a commit. It reads refs each time it is asked.
    fn ask_for_commit(&self, name: &str) -> Result<Option<Oid>, LostAnswer> {
        if name.contains(char::is_whitespace) {
            return Err(LostAnswer::Refused);
        }
        self.answer_of(Duty::Names, |git| {
            git.ask(format!("info {name}\n").as_bytes())?;
            let line = git.line()?;
            let fields: Vec<&str> = line.split(' ').collect();
            match fields.as_slice() {
                [asked, "missing"] if *asked == name => Ok(None),
                [oid, "commit", _] => Oid::new(oid).map(Some).map_err(|_| io::ErrorKind::InvalidData.into()),
                _ => Err(io::ErrorKind::InvalidData.into()),
            }
        })
    }

    /// Moves a ref of the user's repository if it is what `expect` says; `why` goes into its log.
    #[expect(clippy::needless_pass_by_value, reason = "an expectation is made on the spot and used once")]
    pub fn update_ref(
        &self,
        name: &str,
        new: &Oid,
        expect: ExpectedRef,
        why: &str,
    ) -> Result<RefMove, GitError> {
        let tried = self.move_own_ref(name, new, &expect);
        if tried.is_ok() {
            return Ok(RefMove::Moved);
        }
        let moved = self.write_ref(name, &expect, |call| {
            let why = why.replace(['\n', '\0'], " ");
            call.args(["-m", &why, "--no-deref", name, new.as_str()])
        })?;
        Ok(match moved {
            // The process moved it and was killed before it could say so.
            RefMove::Mismatch { actual: Some(actual) }
                if actual == *new && tried == Err(LostAnswer::Killed) =>
            {
                RefMove::Moved
            }
            moved => moved,
        })
    }

    /// Deletes a ref of the user's repository if it is what `expect` says.
    #[expect(clippy::needless_pass_by_value, reason = "an expectation is made on the spot and used once")]
    pub fn delete_ref(&self, name: &str, expect: ExpectedRef) -> Result<RefMove, GitError> {
        if expect == ExpectedRef::Absent {
            return Ok(match self.ref_value(name)? {
                None => RefMove::Moved,
                actual @ Some(_) => RefMove::Mismatch { actual },
            });
        }
        self.write_ref(name, &expect, |call| call.args(["--no-deref", "-d", name]))
    }

    /// The refs below a prefix such as `refs/windlass/plan/`, sorted by name.
    pub fn refs(&self, prefix: &str) -> Result<Vec<(String, Oid)>, GitError> {
        let call = self.user("for-each-ref").arg("--format=%(objectname) %(refname)").arg(prefix);
        let out = call.ok()?;
        let lines = out.split(|b| *b == b'\n').filter(|line| !line.is_empty());
        let read = |line: &[u8]| {
            let space = line.iter().position(|b| *b == b' ').unwrap_or(line.len());
            let name = line.get(space + 1..).unwrap_or_default();
            Ok((parse_path(name)?, parse_oid("for-each-ref", &line[..space])?))
        };
        lines.map(read).collect()
    }

    /// Writes a ref; on failure the reason is found in the refs, not in git's message.
    fn write_ref<'a>(
        &self,
        name: &str,
        expect: &ExpectedRef,
        order: impl Fn(GitCall<'a>) -> GitCall<'a>,
    ) -> Result<RefMove, GitError> {
        check_ref_name(name)?;
        let old = match expect {
            ExpectedRef::Absent => Some(self.zero()),
            ExpectedRef::Is(oid) => Some(oid.as_str()),
            ExpectedRef::Anything => None,
        };
        let _one_at_a_time = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..LOCK_TRIES {
            let answer = order(self.ref_writer()).args(old).run()?;
            if answer.status.success() {
                return Ok(RefMove::Moved);
            }
            if let Some(settled) = self.why_not(name, expect, &answer)? {
                return Ok(settled);
            }
        }
        Err(GitError::RefLocked { name: name.to_owned() })
    }

    /// A call that writes refs of the user's repository.
    pub(super) fn ref_writer<'a>(&self) -> GitCall<'a> {
        let settings = [
            "core.fsync=committed,reference",
            "core.filesRefLockTimeout=2000",
            "core.packedRefsTimeout=2000",
        ];
        // A name for the ref's log, so that git does not go looking for one.
        let call = self.user_with("update-ref", &settings);
        call.env("GIT_COMMITTER_NAME", "windlass").env("GIT_COMMITTER_EMAIL", "windlass@localhost")
    }

    /// Moves a ref of our own through a process that is there.
    fn move_own_ref(&self, name: &str, new: &Oid, expect: &ExpectedRef) -> Result<(), LostAnswer> {
        // The log of a branch has the time at which it moved, and a process reads the clock once.
        if !name.starts_with("refs/windlass/") || check_ref_name(name).is_err() {
            return Err(LostAnswer::Refused);
        }
        let old = match expect {
            ExpectedRef::Absent => format!(" {}", self.zero()),
            ExpectedRef::Is(oid) => format!(" {oid}"),
            ExpectedRef::Anything => String::new(),
        };
        let order = format!("start\nupdate {name} {new}{old}\ncommit\n");
        let _one_at_a_time = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        self.answer_of(Duty::Refs, |git| {
            git.ask(order.as_bytes())?;
            let answers = [git.line()?, git.line()?];
            let done = answers == ["start: ok", "commit: ok"];
            if done { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
        })
    }

    /// The reason a ref was not written; `None` if it was only locked and may be tried again.
    fn why_not(
        &self,
        name: &str,
        expect: &ExpectedRef,
        answer: &GitOutput,
    ) -> Result<Option<RefMove>, GitError> {
        let actual = self.ref_value(name)?;
        let differs = match expect {
            ExpectedRef::Absent => actual.is_some(),
            ExpectedRef::Is(oid) => actual.as_ref() != Some(oid),
            ExpectedRef::Anything => false,
        };
        if let Some(existing) = self.ref_in_the_way(name)? {
            return Err(GitError::RefClash { name: name.to_owned(), existing });
        }
        if differs {
            return Ok(Some(RefMove::Mismatch { actual }));
        }
        let said = answer.said();
        let locked = said.contains(".lock") || said.contains("cannot lock ref");
        if locked { Ok(None) } else { Err(answer.failure()) }
    }

    /// A ref that conflicts with `name` because one is a prefix of the other.
    fn ref_in_the_way(&self, name: &str) -> Result<Option<String>, GitError> {
        let parents =
            name.match_indices('/').map(|(at, _)| &name[..at]).filter(|p| p.matches('/').count() >= 2);
        for parent in parents {
            if self.ref_value(parent)?.is_some() {
                return Ok(Some(parent.to_owned()));
            }
        }
        Ok(self.refs(&format!("{name}/"))?.into_iter().next().map(|(existing, _)| existing))
    }

    /// The exact value of a ref by its full name, whatever kind of object it names.
    fn ref_value(&self, name: &str) -> Result<Option<Oid>, GitError> {
        let call = self.user("show-ref").args(["--verify", "--hash", "--", name]);
        let answer = call.run()?;
        if answer.status.success() { parse_oid("show-ref", &answer.stdout).map(Some) } else { Ok(None) }
    }
}

/// Refuses what git would read as something other than the full name of a ref.
fn check_ref_name(name: &str) -> Result<(), GitError> {
    let bad_char = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    let bad_part = |part: &str| {
        part.is_empty()
            || part.starts_with('.')
            || part.ends_with('.')
            || part.strip_suffix(".lock").is_some()
    };
    let bad = !name.starts_with("refs/")
        || name.chars().any(bad_char)
        || name.split('/').any(bad_part)
        || name.split('/').count() < 3
        || name.contains("..")
        || name.contains("@{");
    if bad { Err(GitError::BadRefName { name: name.escape_debug().to_string() }) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
