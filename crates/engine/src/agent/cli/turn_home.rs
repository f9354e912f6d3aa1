//! The private home directory of one turn: no settings, hooks or conversations of other turns, and none left behind.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use super::CliKind;
use super::login_copy::without_refresh;

/// The private home of one turn, inside the turn's scratch directory.
pub(super) struct TurnHome {
    dir: PathBuf,
    conversations: Vec<PathBuf>,
}

impl TurnHome {
    /// Makes an empty home below a directory.
    pub(super) fn make(below: &Path) -> io::Result<Self> {
        let dir = below.join("home");
        DirBuilder::new().recursive(true).mode(0o700).create(dir.join("tmp"))?;
        Ok(Self { dir, conversations: Vec::new() })
    }

    /// Its directory.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// A place in it.
    pub(super) fn below(&self, path: &str) -> PathBuf {
        self.dir.join(path)
    }

    /// Its temporary directory. Codex does not work if its home is inside that.
    pub(super) fn temporary(&self) -> PathBuf {
        self.dir.join("tmp")
    }

    /// Copies the user's login without its refresh tokens, if there is one, readable by the owner only.
    pub(super) fn bring_login(&self, kind: CliKind, login: &Path) -> io::Result<()> {
        let to = self.dir.join(kind.facts().login.file);
        match fs::read(login) {
            Ok(bytes) => match without_refresh(&bytes) {
                Some(copy) => write(&to, &copy),
                None => make_parent(&to),
            },
            Err(e) if e.kind() == io::ErrorKind::NotFound => make_parent(&to),
            Err(e) => Err(e),
        }
    }

    /// Copies another file of the user's, if it is there; the copy's path.
    pub(super) fn bring(&self, from: &Path, below: &str) -> io::Result<Option<PathBuf>> {
        let to = self.dir.join(below);
        match fs::read(from) {
            Ok(bytes) => write(&to, &bytes).map(|()| Some(to)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Writes a file of ours.
    pub(super) fn put(path: &Path, text: &str) -> io::Result<()> {
        write(path, text.as_bytes())
    }

    /// Copies the files of an earlier conversation.
    pub(super) fn bring_conversation(&mut self, kept: &[(PathBuf, PathBuf)]) -> io::Result<()> {
        for (from, below) in kept {
            let to = self.dir.join(below);
            write(&to, &fs::read(from)?)?;
            self.conversations.push(to);
        }
        Ok(())
    }

    /// The copied file of an earlier conversation whose name contains the id.
    pub(super) fn conversation(&self, id: &str) -> Option<PathBuf> {
        // Gemini names the file by the first part of the id.
        let short = id.split('-').next().unwrap_or(id);
        let named = |p: &&PathBuf| {
            let name = p.file_name().unwrap_or_default().to_string_lossy();
            p.extension().is_some_and(|e| e == "jsonl") && name.contains(short)
        };
        self.conversations.iter().find(named).cloned()
    }
}

/// Writes a file that only its owner reads, and the directories to it.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    make_parent(path)?;
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(bytes)
}

fn make_parent(path: &Path) -> io::Result<()> {
    let parent = path.parent().unwrap_or(path);
    DirBuilder::new().recursive(true).mode(0o700).create(parent)
}
