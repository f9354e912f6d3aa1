//! The one discovery: from a directory to the repository around it.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::command::{ConfigScope, GitCall, GitEnv, GitOutput};
use super::error::GitError;
use super::repo::{ObjectFormat, Repo, RepoParts, unreadable};

impl Repo {
    /// Finds the repository around `start`.
    pub fn discover(env: GitEnv, start: &Path) -> Result<Self, GitError> {
        let program = find_program(&env.path).ok_or(GitError::GitMissing)?;
        let answer = ask(&program, &env, start)?;
        let lines: Vec<&[u8]> =
            answer.stdout.split(|b| *b == b'\n').filter(|line| !line.is_empty()).collect();
        // Outside a work tree the last question fails after the others were answered.
        let (head, worktree) = match (lines.as_slice(), answer.status.success()) {
            ([head @ .., top], true) if head.len() == 4 => (head, Some(path_of(top))),
            (head, false) if head.len() == 4 => (head, None),
            ([], false) => return Err(refusal(&answer, start)),
            _ => return Err(GitError::OddPath { dir: start.to_owned() }),
        };
        let format = match head[1] {
            b"sha1" => ObjectFormat::Sha1,
            b"sha256" => ObjectFormat::Sha256,
            other => return Err(unreadable("rev-parse", &String::from_utf8_lossy(other))),
        };
        let inner = RepoParts {
            program,
            env,
            bare: head[0] == b"true",
            format,
            git_dir: path_of(head[2]),
            common_dir: path_of(head[3]),
            worktree,
            own_dir: None,
            memory: Arc::default(),
            residents: Arc::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }
}

/// One call for all questions, the one that may fail last. It reads the user's configuration, because only that can
/// mark a repository of another owner as safe.
fn ask(program: &Path, env: &GitEnv, start: &Path) -> Result<GitOutput, GitError> {
    let call = GitCall::new(program, env, ConfigScope::User, &[], "rev-parse");
    let questions = [
        "--path-format=absolute",
        "--is-bare-repository",
        "--show-object-format",
        "--absolute-git-dir",
        "--git-common-dir",
        "--show-toplevel",
    ];
    if !start.is_dir() {
        return Err(GitError::NotARepository { dir: start.to_owned() });
    }
    call.cwd(start).args(questions).run()
}

/// Why git would not name a repository.
fn refusal(answer: &GitOutput, start: &Path) -> GitError {
    let said = answer.said();
    if said.contains("dubious ownership") || said.contains("unsafe repository") {
        // What to do about it is the error's own hint.
        let message = said.split("; ").next().unwrap_or_default().trim_start_matches("fatal: ").to_owned();
        GitError::UnsafeDirectory { dir: start.to_owned(), message }
    } else if said.contains("not a git repository") {
        GitError::NotARepository { dir: start.to_owned() }
    } else {
        answer.failure()
    }
}

fn path_of(line: &[u8]) -> PathBuf {
    PathBuf::from(std::ffi::OsString::from_vec(line.to_vec()))
}

/// Looks `git` up once, so that later calls cannot find another one.
pub(super) fn find_program(path: &OsStr) -> Option<PathBuf> {
    let dirs = path.as_bytes().split(|b| *b == b':').filter(|dir| dir.starts_with(b"/"));
    dirs.map(|dir| Path::new(OsStr::from_bytes(dir)).join("git")).find(|candidate| {
        let meta = candidate.metadata();
        meta.is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    })
}
