//! Saved conversations, so that a later turn can continue one.
//!
//! A turn's home is deleted; only the files of its conversation are saved, as data. A turn that continues one gets
//! copies in a new home: it inherits no setting or hook, and the original stays unchanged.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use windlass_core::event::Usage;

use super::CliKind;

/// The most that is kept of one conversation.
const LARGEST: u64 = 64 << 20;
/// How many conversations of a program are kept.
const MOST: usize = 256;
/// How deep their files lie.
const DEEPEST: u32 = 8;

/// The conversations of one program.
#[derive(Clone)]
pub(super) struct Sessions {
    kind: CliKind,
    dir: PathBuf,
}

/// Facts about a conversation besides its files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SessionInfo {
    /// The directory its program worked in, as the program saw it.
    pub(super) dir: PathBuf,
    /// What it used in all.
    #[serde(default)]
    pub(super) used: Usage,
}

/// The description beside the files of a conversation. The files are numbered: subdirectories are slow.
#[derive(Debug, Serialize, Deserialize)]
struct SessionFile {
    #[serde(flatten)]
    about: SessionInfo,
    /// Where each file lies below a home, in the order of their numbers.
    files: Vec<PathBuf>,
}

/// A conversation that was kept.
#[derive(Debug)]
pub(super) struct SavedSession {
    pub(super) about: SessionInfo,
    /// Each file, and where it lies below a home.
    pub(super) files: Vec<(PathBuf, PathBuf)>,
}

impl Sessions {
    /// The conversations of a program below a directory.
    pub(super) fn of(kind: CliKind, below: &Path) -> Self {
        Self { kind, dir: below.join(kind.as_str()) }
    }

    /// The conversation of this name, if it was kept.
    pub(super) fn find(&self, id: &str) -> Option<SavedSession> {
        let dir = self.place(id)?;
        let SessionFile { about, files } =
            serde_json::from_slice(&fs::read(dir.join("about.json")).ok()?).ok()?;
        let files = files.into_iter().enumerate().map(|(n, below)| (dir.join(n.to_string()), below));
        Some(SavedSession { about, files: files.collect() })
    }

    /// Saves the files of a conversation from a home. Its processes must have ended, and the home is not used again.
    pub(super) fn keep(&self, id: &str, home: &Path, about: &SessionInfo) -> io::Result<()> {
        let Some(dir) = self.place(id) else { return Ok(()) };
        let found = self.files_in(home)?;
        if found.is_empty() {
            return Ok(());
        }
        let fresh = dir.with_extension("new");
        let _ = fs::remove_dir_all(&fresh);
        fs::create_dir_all(&fresh)?;
        let mut files = Vec::new();
        for path in found {
            let Ok(below) = path.strip_prefix(home) else { continue };
            take(&path, &fresh.join(files.len().to_string()))?;
            files.push(below.to_owned());
        }
        let text = serde_json::to_vec(&SessionFile { about: about.clone(), files })?;
        fs::write(fresh.join("about.json"), text)?;
        let _ = fs::remove_dir_all(&dir);
        fs::rename(&fresh, &dir)?;
        self.forget_old();
        Ok(())
    }

    /// The files of conversations in a home: plain ones, with the right names, in the right place, not too large.
    fn files_in(&self, home: &Path) -> io::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        let mut size = 0;
        for (below, endings) in self.kind.facts().conversations {
            walk(&home.join(below), 0, &mut |path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if endings.iter().any(|end| name.ends_with(end)) {
                    size += fs::symlink_metadata(path).map_or(0, |m| m.len());
                    found.push(path.to_owned());
                }
            })?;
        }
        // A conversation is saved whole or not at all.
        Ok(if size > LARGEST { Vec::new() } else { found })
    }

    /// Where a conversation is kept, if its name can be a file's.
    fn place(&self, id: &str) -> Option<PathBuf> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        (!id.is_empty() && id.len() <= 100 && id.chars().all(plain)).then(|| self.dir.join(id))
    }

    /// Removes the oldest beyond what is kept.
    fn forget_old(&self) {
        let dated = |e: fs::DirEntry| {
            let modified = e.metadata().and_then(|m| m.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
            (modified, e.path())
        };
        let mut all: Vec<_> = fs::read_dir(&self.dir).into_iter().flatten().flatten().map(dated).collect();
        all.sort();
        let excess = all.len().saturating_sub(MOST);
        for (_, path) in &all[..excess] {
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// Moves a file, or copies it when it has a second hard link.
fn take(from: &Path, to: &Path) -> io::Result<()> {
    let alone = fs::symlink_metadata(from)?.nlink() == 1;
    if alone && fs::rename(from, to).is_ok() {
        return Ok(());
    }
    fs::copy(from, to).map(drop)
}

/// Visits every plain file below a directory; links are not followed, and a directory that is not there is empty.
pub(super) fn walk(dir: &Path, depth: u32, each: &mut dyn FnMut(&Path)) -> io::Result<()> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(e),
    };
    for entry in entries {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() && depth < DEEPEST {
            walk(&entry.path(), depth + 1, each)?;
        } else if kind.is_file() {
            each(&entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about() -> SessionInfo {
        SessionInfo { dir: "/work".into(), used: Usage { input_tokens: 7, ..Usage::default() } }
    }

    #[test]
    fn only_the_conversation_is_kept() {
        let temp = tempfile::tempdir().unwrap();
        let home = temp.path().join("home");
        let put = |path: &str| {
            let path = home.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        };
        for path in [
            ".claude/projects/-work/one.jsonl",
            ".claude/projects/-work/memory/MEMORY.md",
            ".claude/settings.json",
            ".claude/.credentials.json",
        ] {
            put(path);
        }
        std::os::unix::fs::symlink("/etc/passwd", home.join(".claude/projects/two.jsonl")).unwrap();
        let sessions = Sessions::of(CliKind::Claude, &temp.path().join("kept"));
        sessions.keep("one", &home, &about()).unwrap();
        let stays = home.join(".claude/projects/-work/one.jsonl");
        assert!(!stays.exists(), "it was moved");
        // A file with a second hard link is copied: the other name could still be written to.
        fs::write(temp.path().join("outside"), "y").unwrap();
        fs::hard_link(temp.path().join("outside"), &stays).unwrap();
        sessions.keep("one", &home, &about()).unwrap();
        fs::write(temp.path().join("outside"), "planted").unwrap();
        let kept = sessions.find("one").unwrap();
        assert_eq!(kept.about, about());
        assert_eq!(fs::read_to_string(&kept.files[0].0).unwrap(), "y");
        let below: Vec<_> = kept.files.iter().map(|(_, below)| below.clone()).collect();
        assert_eq!(below, [Path::new(".claude/projects/-work/one.jsonl")]);
    }

    #[test]
    fn a_name_cannot_lead_elsewhere_and_nothing_is_no_conversation() {
        let temp = tempfile::tempdir().unwrap();
        let sessions = Sessions::of(CliKind::Codex, temp.path());
        for name in ["", "../x", "a/b", "a.b", &"x".repeat(101)] {
            assert!(sessions.place(name).is_none(), "{name}");
        }
        sessions.keep("empty", temp.path(), &about()).unwrap();
        assert!(sessions.find("empty").is_none());
    }
}
