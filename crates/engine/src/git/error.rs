//! What can go wrong between Windlass and git, as kinds a caller can match on.

use std::io;
use std::path::PathBuf;

use windlass_core::ids::Oid;

/// A failure of a git call.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// No `git` program on the search path.
    #[error("`git` was not found on the search path")]
    GitMissing,
    /// The program is too old for `merge-tree --write-tree`.
    #[error("git {found} is too old, 2.38 or newer is needed")]
    TooOld {
        /// The version found.
        found: String,
    },
    /// The directory is in no repository.
    #[error("`{}` is not inside a git repository", .dir.display())]
    NotARepository {
        /// Where the search began.
        dir: PathBuf,
    },
    /// Git refuses the repository because of its owner.
    #[error("git does not trust the repository at `{}`: {message}", .dir.display())]
    UnsafeDirectory {
        /// Where the search began.
        dir: PathBuf,
        /// What git said.
        message: String,
    },
    /// A directory name git cannot report on one line.
    #[error("the repository's path `{}` holds a line break", .dir.display())]
    OddPath {
        /// Where the search began.
        dir: PathBuf,
    },
    /// A call that needs Windlass's own git directory was made before `with_own_dir`.
    #[error("`{what}` needs the state directory, which is not set up")]
    NoOwnDir {
        /// The call.
        what: &'static str,
    },
    /// A git command ended badly.
    #[error("`git {what}` failed ({ended}): {stderr}")]
    Failed {
        /// The git subcommand.
        what: String,
        /// How it ended, for people.
        ended: String,
        /// What it said, shortened.
        stderr: String,
    },
    /// A commit that the user's configuration wants signed could not be written.
    #[error("a signed commit could not be made: {said}")]
    NotSigned {
        /// What git said, shortened.
        said: String,
    },
    /// A git command answered something that does not have the documented shape.
    #[error("`git {what}` gave an answer that cannot be read: {detail}")]
    Unreadable {
        /// The git subcommand.
        what: &'static str,
        /// The offending piece.
        detail: String,
    },
    /// A file operation beside git failed.
    #[error("{what} `{}`", .path.display())]
    Io {
        /// What was being done, as a verb phrase.
        what: &'static str,
        /// To which file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A tracked path that is not UTF-8.
    #[error("the path `{path}` is not valid UTF-8")]
    PathNotUtf8 {
        /// The path with the odd bytes escaped.
        path: String,
    },
    /// A path that can never be in a tree.
    #[error("`{path}` is not a path inside a tree")]
    BadPath {
        /// The path as given.
        path: String,
    },
    /// An object is not in the store.
    #[error("object {oid} is missing")]
    ObjectMissing {
        /// Which one.
        oid: Oid,
    },
    /// A name that cannot be a ref.
    #[error("`{name}` is not a valid ref name")]
    BadRefName {
        /// The name.
        name: String,
    },
    /// A ref cannot exist beside another: one is a directory of the other.
    #[error("`{name}` cannot be created while `{existing}` exists")]
    RefClash {
        /// The ref that was to be written.
        name: String,
        /// The ref in the way.
        existing: String,
    },
    /// Another git process held the lock of a ref for too long.
    #[error("`{name}` is locked by another git process")]
    RefLocked {
        /// The ref.
        name: String,
    },
}

impl GitError {
    /// The next step a person could take, where there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::GitMissing => Some("install git 2.38 or newer".to_owned()),
            Self::TooOld { .. } => Some("install a newer git".to_owned()),
            Self::NotARepository { .. } => Some("run `git init` and make a first commit".to_owned()),
            Self::UnsafeDirectory { dir, .. } => {
                Some(format!("git config --global --add safe.directory {}", dir.display()))
            }
            Self::RefClash { existing, .. } => {
                let branch = existing.strip_prefix("refs/heads/").unwrap_or(existing);
                Some(format!("rename it, for example `git branch -m {branch} {branch}-old`"))
            }
            Self::RefLocked { name } => Some(format!(
                "if no git process is running, remove the file `{name}.lock` in the git directory"
            )),
            Self::ObjectMissing { .. } => Some("run `git fsck` to see what the repository lacks".to_owned()),
            Self::NotSigned { .. } => {
                Some("repair the key, or set `sign = false` under `[commit]` in windlass.toml".to_owned())
            }
            Self::OddPath { .. }
            | Self::NoOwnDir { .. }
            | Self::Failed { .. }
            | Self::Unreadable { .. }
            | Self::Io { .. }
            | Self::PathNotUtf8 { .. }
            | Self::BadPath { .. }
            | Self::BadRefName { .. } => None,
        }
    }
}
