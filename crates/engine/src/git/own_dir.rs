//! Windlass's own git directory: how it is made and kept in shape.

use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::sync::Arc;

use super::error::GitError;
use super::repo::{ObjectFormat, Repo, RepoParts};
use crate::random_token::{is_left_over, process_name};

/// Turns every conversion off, in the attribute file with the highest precedence. `!` means unspecified, which `merge`
/// and the encodings need: `-merge` would make every merge a conflict.
pub(super) const ATTRIBUTES: &str =
    "* -text -crlf !eol -filter -ident !working-tree-encoding !merge !conflict-marker-size\n";

impl Repo {
    /// Uses `<state>/git` from here on, making or repairing it first.
    pub fn with_own_dir(self, state: &Path) -> Result<Self, GitError> {
        let found = self.git_version()?;
        if version_of(&found).is_some_and(|version| version < (2, 38)) {
            return Err(GitError::TooOld { found });
        }
        let own = state.join("git");
        for dir in ["refs", "objects", "info", "tmp"] {
            make_dir(&own.join(dir))?;
        }
        set_file(&own.join("HEAD"), "ref: refs/heads/none\n")?;
        set_file(&own.join("config"), &own_config(self.inner.format))?;
        set_file(&own.join("info/attributes"), ATTRIBUTES)?;
        remove_leftovers(&own.join("tmp"));
        let inner = RepoParts { own_dir: Some(own), residents: Arc::default(), ..(*self.inner).clone() };
        Ok(Self { inner: Arc::new(inner) })
    }
}

/// The two leading numbers of a version; an odd version is not judged.
fn version_of(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split('.').map(|part| part.parse::<u32>().ok());
    Some((parts.next()??, parts.next()??))
}

/// Settings that affect how files and trees correspond, fixed so that an untouched file never differs.
const SETTINGS: &str = "\
\tbare = true
\tfsync = committed,reference
\tfileMode = true
\tsymlinks = true
\ttrustctime = true
\tcheckStat = default
\tignoreCase = false
\tprecomposeUnicode = false
\tprotectHFS = false
\tprotectNTFS = false
\tautocrlf = false
\tsparseCheckout = false
";

fn own_config(format: ObjectFormat) -> String {
    let (version, extension) = match format {
        ObjectFormat::Sha1 => (0, ""),
        ObjectFormat::Sha256 => (1, "[extensions]\n\tobjectFormat = sha256\n"),
    };
    format!("[core]\n\trepositoryformatversion = {version}\n{SETTINGS}{extension}")
}

fn make_dir(dir: &Path) -> Result<(), GitError> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(dir);
    made.map_err(|source| GitError::Io { what: "cannot make the directory", path: dir.to_owned(), source })
}

/// Writes a file by rename unless it already says this: other processes may be reading it.
fn set_file(path: &Path, text: &str) -> Result<(), GitError> {
    if fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes()) {
        return Ok(());
    }
    let failed = |source| GitError::Io { what: "cannot write", path: path.to_owned(), source };
    let temp = path.with_extension(format!("new-{}", process_name()));
    fs::write(&temp, text).map_err(failed)?;
    fs::rename(&temp, path).map_err(failed)
}

/// Removes the temporary indexes of processes that are gone. Of those of another pid namespace nothing is known; they are
/// removed after a day.
fn remove_leftovers(dir: &Path) {
    const LONG: std::time::Duration = std::time::Duration::from_hours(24);
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let changed = entry.metadata().and_then(|about| about.modified()).ok();
        let is_old = || changed.and_then(|at| at.elapsed().ok()).is_some_and(|age| age > LONG);
        if name.to_str().and_then(is_left_over).unwrap_or_else(is_old) {
            // Only tidiness: a file that stays does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests;
