//! Reads files that an agent left behind, without following a link, and stores many of them through one process.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use windlass_core::ids::Oid;

use super::error::GitError;
use super::repo::{Repo, parse_oid, unreadable};
use super::resident::Duty;

/// How many bytes are handed to git at once.
const BATCH_BYTES: usize = 16 << 20;

/// The first few blobs are stored one by one, by a process that is there.
const SINGLY: usize = 16;

/// A regular file, opened: its size, its mode bits and its bytes still to be read.
pub(super) struct OpenFile {
    file: File,
    pub(super) bytes: u64,
    pub(super) mode: u32,
}

/// Opens a regular file below `top`, refusing a link at any step. `None` if there is none.
pub(super) fn open_beneath(top: &Path, path: &str) -> io::Result<Option<OpenFile>> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let mut here: OwnedFd = rustix::fs::open(top, flags | OFlags::DIRECTORY, Mode::empty())?;
    let (dirs, name) = path.rsplit_once('/').unwrap_or(("", path));
    for dir in dirs.split('/').filter(|dir| !dir.is_empty()) {
        here = rustix::fs::openat(&here, dir, flags | OFlags::DIRECTORY, Mode::empty())?;
    }
    let file = File::from(rustix::fs::openat(&here, name, flags, Mode::empty())?);
    let meta = file.metadata()?;
    Ok(meta.is_file().then(|| OpenFile { file, bytes: meta.len(), mode: meta.mode() & 0o7777 }))
}

impl OpenFile {
    /// All of its bytes, but never more than it had when it was opened.
    pub(super) fn read(self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(usize::try_from(self.bytes).unwrap_or(0));
        self.file.take(self.bytes).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Collects blobs and stores them batch by batch.
pub(super) struct BlobImport<'a> {
    repo: &'a Repo,
    input: Vec<u8>,
    /// How many blobs `input` holds.
    waiting: usize,
    stored: Vec<Oid>,
}

impl<'a> BlobImport<'a> {
    pub(super) fn new(repo: &'a Repo) -> Self {
        Self { repo, input: Vec::new(), waiting: 0, stored: Vec::new() }
    }

    /// Adds one blob; its id is at the same index in what [`BlobImport::finish`] returns.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<(), GitError> {
        if self.waiting == 0
            && self.stored.len() < SINGLY
            && let Some(blob) = self.repo.store_bytes(Duty::Blobs, bytes)
        {
            self.stored.push(blob);
            return Ok(());
        }
        self.waiting += 1;
        let header = format!("blob\nmark :{}\ndata {}\n", self.waiting, bytes.len());
        self.input.extend_from_slice(header.as_bytes());
        self.input.extend_from_slice(bytes);
        self.input.push(b'\n');
        if self.input.len() >= BATCH_BYTES { self.flush() } else { Ok(()) }
    }

    /// Stores what is left and returns the ids in order.
    pub(super) fn finish(mut self) -> Result<Vec<Oid>, GitError> {
        self.flush()?;
        Ok(self.stored)
    }

    fn flush(&mut self) -> Result<(), GitError> {
        if self.waiting == 0 {
            return Ok(());
        }
        for mark in 1..=self.waiting {
            self.input.extend_from_slice(format!("get-mark :{mark}\n").as_bytes());
        }
        let out = self.repo.own("fast-import")?.arg("--quiet").stdin(&self.input).ok()?;
        let before = self.stored.len();
        for line in out.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
            self.stored.push(parse_oid("fast-import", line)?);
        }
        if self.stored.len() - before != self.waiting {
            return Err(unreadable("fast-import", "another number of marks than asked for"));
        }
        self.input.clear();
        self.waiting = 0;
        Ok(())
    }
}
