//! Finds the repository's common git directory without starting git: for commands that only read.

use std::fs;
use std::path::{Path, PathBuf};

/// A repository that was found without git.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Located {
    /// The git directory that all linked work trees share.
    pub(crate) common_dir: PathBuf,
    /// The top of the checkout; `None` for a bare repository.
    pub(crate) top: Option<PathBuf>,
}

/// The repository around `start`, if there is one.
pub(crate) fn locate(start: &Path) -> Option<Located> {
    let start = start.canonicalize().ok()?;
    start.ancestors().find_map(|dir| {
        let dot_git = dir.join(".git");
        let git_dir = if dot_git.is_dir() { Some(dot_git) } else { linked(dir, &dot_git) };
        match git_dir.filter(|git| git.join("HEAD").exists()) {
            Some(git) => Some(Located { common_dir: common(&git), top: Some(dir.to_owned()) }),
            None if is_bare(dir) => Some(Located { common_dir: dir.to_owned(), top: None }),
            None => None,
        }
    })
}

/// The git directory a `.git` file points at.
fn linked(dir: &Path, file: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(file).ok()?;
    let target = text.strip_prefix("gitdir:")?.trim();
    dir.join(target).canonicalize().ok()
}

/// The directory a linked work tree shares with the others.
fn common(git_dir: &Path) -> PathBuf {
    let shared = fs::read_to_string(git_dir.join("commondir")).ok();
    let shared = shared.and_then(|text| git_dir.join(text.trim()).canonicalize().ok());
    shared.unwrap_or_else(|| git_dir.to_owned())
}

fn is_bare(dir: &Path) -> bool {
    dir.join("HEAD").is_file() && dir.join("objects").is_dir() && dir.join("refs").is_dir()
}
