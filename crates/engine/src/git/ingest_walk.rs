//! The walk over a directory an agent has left: what is there, sorted into unchanged, to be read, and refused.
//!
//! Reads names and kinds only; never follows a link and never asks git about the directory.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, DirEntry, FileType};
use std::path::{Path, PathBuf};

use super::ignore_rules::IgnoreRules;
use super::ingest::{Ingest, Refusal, RefusalKind};
use super::tool_output::{is_a_tools_directory, is_left_by_a_tool};
use super::tree::{GITLINK, SortedEntries};

/// What is known before the walk.
pub(super) struct WalkBaseline<'a> {
    pub(super) rules: &'a IgnoreRules,
    /// The base's entries by path.
    pub(super) base: SortedEntries<'a>,
    /// The entries laid down, by path.
    pub(super) laid: SortedEntries<'a>,
    /// Laid-down paths that are no longer what they were.
    pub(super) dirty: &'a HashSet<String>,
}

/// What the walk found.
#[derive(Default)]
pub(super) struct WalkResult {
    /// Files whose bytes must be read.
    pub(super) to_read: BTreeSet<String>,
    /// Laid-down files that are untouched.
    pub(super) untouched: HashSet<String>,
    pub(super) refused: Vec<Refusal>,
}

/// One directory still to be listed.
struct UnwalkedDir {
    path: PathBuf,
    relative: String,
    ignored: bool,
}

/// One thing in a directory.
struct WalkedEntry {
    path: PathBuf,
    relative: String,
    name: String,
    kind: FileType,
    /// By the base's rules or as the output of a tool, itself or through a parent directory.
    ignored: bool,
}

pub(super) struct IngestWalk<'a> {
    ingest: &'a Ingest<'a>,
    known: WalkBaseline<'a>,
    found: WalkResult,
    pending: Vec<UnwalkedDir>,
}

impl<'a> IngestWalk<'a> {
    pub(super) fn new(ingest: &'a Ingest<'a>, known: WalkBaseline<'a>) -> Self {
        let top = UnwalkedDir { path: ingest.dir.to_owned(), relative: String::new(), ignored: false };
        Self { ingest, known, found: WalkResult::default(), pending: vec![top] }
    }

    /// Whether a directory has a file in the base.
    fn is_base_dir(&self, dir: &str) -> bool {
        self.known.base.has_below(dir) || self.known.laid.has_below(dir)
    }

    /// Walks everything. Not by recursion: the depth is the agent's choice.
    pub(super) fn run(mut self) -> WalkResult {
        while let Some(dir) = self.pending.pop() {
            match fs::read_dir(&dir.path) {
                Ok(entries) => {
                    for entry in entries {
                        match entry.and_then(|entry| self.item(&dir, &entry)) {
                            Ok(item) => self.visit(item),
                            Err(_) => self.refuse(dir.relative.clone(), RefusalKind::Unreadable),
                        }
                    }
                }
                Err(_) => self.refuse(dir.relative, RefusalKind::Unreadable),
            }
        }
        self.found
    }

    /// Reads an entry; `None` if it is of no interest or has been refused for its name.
    fn item(&mut self, dir: &UnwalkedDir, entry: &DirEntry) -> std::io::Result<Option<WalkedEntry>> {
        let kind = entry.file_type()?;
        let os_name = entry.file_name();
        let relative = Path::new(&dir.relative).join(&os_name);
        let ignored = dir.ignored || self.known.rules.ignores(&relative, kind.is_dir());
        let Some(name) = os_name.to_str() else {
            if !ignored {
                let bytes = relative.as_os_str().as_encoded_bytes();
                self.refuse(bytes.escape_ascii().to_string(), RefusalKind::NotUtf8);
            }
            return Ok(None);
        };
        if dir.relative.is_empty() && name == ".git" {
            return Ok(None);
        }
        let relative =
            if dir.relative.is_empty() { name.to_owned() } else { format!("{}/{name}", dir.relative) };
        let ignored = ignored || self.is_tool_output(&relative, name, &entry.path(), kind);
        Ok(Some(WalkedEntry { path: entry.path(), relative, name: name.to_owned(), kind, ignored }))
    }

    fn visit(&mut self, item: Option<WalkedEntry>) {
        let Some(item) = item else { return };
        if item.name.eq_ignore_ascii_case(".git") {
            self.nested_repository(item);
        } else if item.kind.is_dir() {
            self.directory(item);
        } else if self.is_untouched(&item.relative) {
            self.found.untouched.insert(item.relative);
        } else if self.is_dropped(&item) {
            // Build output: neither taken nor refused.
        } else if item.kind.is_file() {
            self.found.to_read.insert(item.relative);
        } else if item.kind.is_symlink() {
            self.refuse(item.relative, RefusalKind::Symlink);
        } else {
            self.refuse(item.relative, RefusalKind::SpecialFile);
        }
    }

    fn nested_repository(&mut self, item: WalkedEntry) {
        if !item.ignored {
            self.refuse(item.relative, RefusalKind::NestedRepository);
        }
    }

    fn directory(&mut self, item: WalkedEntry) {
        let is_submodule = self.known.base.get(&item.relative).is_some_and(|entry| entry.mode == GITLINK);
        if !is_submodule {
            // An ignored directory is walked as well: something owned may lie in it.
            self.pending.push(UnwalkedDir {
                path: item.path,
                relative: item.relative,
                ignored: item.ignored,
            });
            return;
        }
        let empty = fs::read_dir(&item.path).is_ok_and(|mut entries| entries.next().is_none());
        if empty {
            self.found.untouched.insert(item.relative);
        } else {
            self.refuse(item.relative, RefusalKind::Gitlink);
        }
    }

    /// A cache, byte code or the like that the base does not have.
    fn is_tool_output(&self, relative: &str, name: &str, path: &Path, kind: FileType) -> bool {
        if kind.is_dir() {
            !self.is_base_dir(relative) && is_a_tools_directory(name, path)
        } else {
            is_left_by_a_tool(name)
        }
    }

    /// Laid down and still what it was, by git's own comparison.
    fn is_untouched(&self, path: &str) -> bool {
        self.known.laid.has(path) && !self.known.dirty.contains(path)
    }

    /// Untracked, ignored by the base or left by a tool, and not owned by the task.
    fn is_dropped(&self, item: &WalkedEntry) -> bool {
        let path = item.relative.as_str();
        let tracked = self.known.base.has(path) || self.known.laid.has(path);
        item.ignored && !tracked && !(self.ingest.owned)(path)
    }

    fn refuse(&mut self, path: String, why: RefusalKind) {
        self.found.refused.push(Refusal { path, why });
    }
}
