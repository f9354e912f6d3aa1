//! Which words stand in the imports of every source file of a directory: how the few files are found that are worth
//! parsing.
//!
//! Kept beside the stamp of each file, so that an unchanged file is not opened again. A file that was changed right before
//! it was read may change again without another stamp; it is read again next time.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use windlass_code::survey::{Language, Unread, mentions, word_hash};

use super::disk::KnownDirectory;
use super::kept_file;
use super::rules::open_dir;
use super::stamp::{Stamp, now, stat};
use super::walk::Listing;

/// What is kept of a directory.
#[derive(Serialize, Deserialize)]
pub(super) struct DirectoryRecord {
    pub(super) listing: Listing,
    /// Its source files, sorted by path.
    pub(super) sources: Vec<SourceRecord>,
}

/// What is kept of a source file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SourceRecord {
    pub(super) path: String,
    /// Its stamp when its words were taken.
    pub(super) stamp: Stamp,
    /// The hashes of the words in its imports, sorted.
    pub(super) words: Vec<u32>,
}

impl SourceRecord {
    fn has_all(&self, words: &[u32]) -> bool {
        words.iter().all(|word| self.words.binary_search(word).is_ok())
    }
}

/// A directory whose index is wanted.
pub(super) struct IndexedDirectory {
    pub(super) root: PathBuf,
    /// Every file, sorted.
    pub(super) paths: Arc<Vec<String>>,
    /// Which of them are source files.
    pub(super) sources: Vec<u32>,
    /// What is known of it.
    pub(super) known: Arc<KnownDirectory>,
    /// Where the index is kept.
    pub(super) kept: Option<PathBuf>,
}

/// The index of a directory, up to date.
pub(super) struct ImportIndex(Vec<SourceRecord>);

impl ImportIndex {
    /// The source files that have all words of one of the terms, sorted.
    pub(super) fn mentioning(&self, terms: &[Vec<String>]) -> Vec<String> {
        let terms: Vec<Vec<u32>> =
            terms.iter().map(|term| term.iter().map(|word| word_hash(word)).collect()).collect();
        let wanted = |record: &&SourceRecord| {
            terms.iter().any(|term: &Vec<u32>| !term.is_empty() && record.has_all(term))
        };
        self.0.iter().filter(wanted).map(|record| record.path.clone()).collect()
    }
}

impl IndexedDirectory {
    fn source_paths(&self) -> Vec<&str> {
        self.sources.iter().filter_map(|at| self.paths.get(*at as usize)).map(String::as_str).collect()
    }

    fn known_sources(&self) -> HashMap<&str, &SourceRecord> {
        self.known.sources.iter().map(|record| (record.path.as_str(), record)).collect()
    }

    /// Brings the index up to date: looks at the stamp of every source file and reads those that changed.
    pub(super) fn open(&self) -> ImportIndex {
        self.open_at(now())
    }

    fn open_at(&self, now: u128) -> ImportIndex {
        let (open, known) = (open_dir(&self.root), self.known_sources());
        let records: Vec<SourceRecord> = self
            .source_paths()
            .into_par_iter()
            .with_min_len(256)
            .map(|path| {
                let found = open.as_ref().and_then(|open| stat(open, path));
                let stamp = found.map_or(Stamp::ABSENT, |found| Stamp::of(&found, now));
                match known.get(path).filter(|old| stamp.is_same(&old.stamp)) {
                    Some(old) => (*old).clone(),
                    None => SourceRecord { path: path.to_owned(), stamp, words: words_of(&self.root, path) },
                }
            })
            .collect();
        if self.known.changed || records != self.known.sources {
            self.write(records.clone());
        }
        ImportIndex(records)
    }

    /// Keeps a changed listing when the index was not asked for.
    pub(super) fn keep_listing(&self) {
        if self.kept.is_none() || !self.known.changed {
            return;
        }
        let known = self.known_sources();
        self.write(
            self.source_paths().into_iter().filter_map(|path| known.get(path).copied().cloned()).collect(),
        );
    }

    fn write(&self, sources: Vec<SourceRecord>) {
        let Some(path) = &self.kept else { return };
        let Listing { dirs, rules, .. } = self.known.listing.clone();
        let listing = Listing { files: self.paths.to_vec(), dirs, rules };
        kept_file::write(path, &DirectoryRecord { listing, sources });
    }
}

/// The words in the imports of a file; none where it cannot be read.
fn words_of(root: &Path, path: &str) -> Vec<u32> {
    let words = || {
        let mut file = File::open(root.join(path)).ok()?;
        let size = file.metadata().ok()?.size();
        if Unread::too_large(size) {
            return None;
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).ok()? + 1);
        file.read_to_end(&mut bytes).ok()?;
        Some(mentions(Language::of_path(path)?, &bytes))
    };
    words().unwrap_or_default()
}

/// Where the index of a directory is kept.
pub(super) fn file_of(dir: &Path, root: &Path) -> PathBuf {
    let name = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
    dir.join(format!("index-{}", &name[..16]))
}

#[cfg(test)]
mod tests {
    use super::super::disk::DiskTree;
    use super::*;

    fn indexed(root: &Path, kept: &Path) -> IndexedDirectory {
        let tree = DiskTree::open_with(root, Some(kept));
        IndexedDirectory {
            root: root.to_owned(),
            paths: tree.listing(),
            sources: tree.sources().to_vec(),
            known: tree.known(),
            kept: Some(kept.to_owned()),
        }
    }

    fn has(disk: &IndexedDirectory, word: &str) -> Vec<String> {
        let later = now() + 60_000_000_000;
        disk.open_at(later).mentioning(&[vec![word.to_owned()]])
    }

    /// What is kept is believed, so another word in it shows that a file was not opened.
    #[test]
    fn an_old_file_is_read_again_only_when_its_stamp_changed() {
        let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (root, kept) = (dir.path(), other.path().join("index"));
        let past = std::time::SystemTime::now() - std::time::Duration::from_hours(1);
        let put = |path: &str, text: &str| {
            std::fs::write(root.join(path), text).unwrap();
            File::open(root.join(path)).unwrap().set_modified(past).unwrap();
        };
        put("a.py", "import one\n");
        put("b.py", "import one\n");
        put("c.md", "import one\n");
        assert_eq!(has(&indexed(root, &kept), "one"), ["a.py", "b.py"]);

        let mut record: DirectoryRecord = kept_file::read(&kept).unwrap();
        record.sources.iter_mut().for_each(|source| source.words = vec![word_hash("two")]);
        kept_file::write(&kept, &record);
        assert_eq!(has(&indexed(root, &kept), "two"), ["a.py", "b.py"]);
        // The same size and the same time of change.
        put("b.py", "import six\n");
        assert_eq!(has(&indexed(root, &kept), "two"), ["a.py"]);
        assert_eq!(has(&indexed(root, &kept), "six"), ["b.py"]);
        // Others come and go around it.
        put("0.py", "import six\n");
        std::fs::remove_file(root.join("b.py")).unwrap();
        assert_eq!(has(&indexed(root, &kept), "two"), ["a.py"]);
        assert_eq!(has(&indexed(root, &kept), "six"), ["0.py"]);
        assert_eq!(has(&indexed(root, &kept), "one"), [""; 0]);
    }
}
