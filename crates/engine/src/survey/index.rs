//! Which words stand in the imports of every source file of a directory: how the few files are found that are worth
//! parsing.
//!
//! Kept beside how each file looked from outside (size, times, inode), so that an unchanged file is not opened again.
//! A file that was touched just before it was read may change without looking different; it is read again next time.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use windlass_code::survey::Language;
use windlass_code::survey::{Unread, mentions, word_hash};

use super::cache::replace;
use super::disk::Known;
use super::look::{Look, now, stat};
use super::rules::open_dir;
use super::table::{Rows, Table};

/// A directory whose index is wanted.
pub(super) struct Indexed {
    pub(super) root: PathBuf,
    /// Every file, sorted.
    pub(super) paths: Arc<Vec<String>>,
    /// Which of them are source files.
    pub(super) sources: Vec<u32>,
    /// What is known of it.
    pub(super) known: Arc<Known>,
    /// Where the index is kept.
    pub(super) kept: Option<PathBuf>,
}

/// The index of a directory, up to date.
pub(super) struct Index(Holder);

enum Holder {
    Kept(Arc<Known>),
    Fresh(Table),
}

/// A source file that was not there before.
const NEW: u32 = u32::MAX;

impl Indexed {
    fn path(&self, source: usize) -> &str {
        self.sources.get(source).and_then(|at| self.paths.get(*at as usize)).map_or("", String::as_str)
    }

    /// Brings the index up to date: looks at every source file, reads those that look different.
    pub(super) fn open(&self) -> Index {
        self.open_at(now())
    }

    fn open_at(&self, now: u128) -> Index {
        let looks = self.looks(now);
        let old = self.known.table.as_ref();
        let still = |n: usize, before: u32| {
            old.is_some_and(|old| before != NEW && looks[n].still(&old.look(before as usize)))
        };
        if self.known.listing.is_none() && (0..looks.len()).all(|n| still(n, u32::try_from(n).unwrap_or(NEW)))
        {
            return Index(Holder::Kept(self.known.clone()));
        }
        let before = self.before();
        let read: Vec<(u32, Vec<u32>)> = (0..looks.len())
            .into_par_iter()
            .filter(|n| !still(*n, before[*n]))
            .map(|n| (u32::try_from(n).unwrap_or(NEW), read(&self.root, self.path(n))))
            .collect();
        let table = self.table(&looks, &before, &read);
        self.write(&table);
        Index(Holder::Fresh(table))
    }

    /// Keeps the listing, where it is a new one and nobody asked for the index.
    pub(super) fn keep_listing(&self) {
        if self.kept.is_none() || self.known.listing.is_none() {
            return;
        }
        let before = self.before();
        let old = self.known.table.as_ref();
        let looks: Vec<Look> = before
            .iter()
            .map(|n| old.filter(|_| *n != NEW).map_or(Look::UNSURE, |old| old.look(*n as usize)))
            .collect();
        self.write(&self.table(&looks, &before, &[]));
    }

    fn write(&self, table: &Table) {
        if let Some(path) = &self.kept {
            // It only saves time.
            let _ = replace(path, table.bytes());
        }
    }

    fn looks(&self, now: u128) -> Vec<Look> {
        let Some(open) = open_dir(&self.root) else { return vec![Look::ABSENT; self.sources.len()] };
        (0..self.sources.len())
            .into_par_iter()
            .with_min_len(1024)
            .map(|n| stat(&open, self.path(n)).map_or(Look::ABSENT, |found| Look::of(&found, now)))
            .collect()
    }

    /// Where each source file stood before.
    fn before(&self) -> Vec<u32> {
        let Some(old) = &self.known.table else { return vec![NEW; self.sources.len()] };
        let mut olds = (0u32..).zip(old.sources()).map(|(n, file)| (old.path(file as usize), n)).peekable();
        let mut out = Vec::with_capacity(self.sources.len());
        for path in (0..self.sources.len()).map(|n| self.path(n)) {
            while olds.next_if(|(old, _)| *old < path).is_some() {}
            out.push(olds.next_if(|(old, _)| *old == path).map_or(NEW, |(_, n)| n));
        }
        out
    }

    fn table(&self, looks: &[Look], before: &[u32], read: &[(u32, Vec<u32>)]) -> Table {
        let old = self.known.table.as_ref();
        // From the old place to the new one, for what was not read again.
        let mut after = vec![NEW; old.map_or(0, Table::source_count)];
        for (new, old) in (0u32..).zip(before) {
            if let Some(place) = after.get_mut(*old as usize) {
                *place = new;
            }
        }
        for (new, _) in read {
            if let Some(place) = after.get_mut(before[*new as usize] as usize) {
                *place = NEW;
            }
        }
        let mut words: Vec<(u32, u32)> = old
            .into_iter()
            .flat_map(Table::words)
            .map(|(word, source)| (word, after.get(source as usize).copied().unwrap_or(NEW)))
            .filter(|(_, source)| *source != NEW)
            .collect();
        words.extend(read.iter().flat_map(|(source, words)| words.iter().map(|word| (*word, *source))));
        words.par_sort_unstable();
        let kept: (Vec<_>, Vec<_>);
        let (dirs, rules) = match (&self.known.listing, old) {
            (Some(listing), _) => (&listing.dirs, &listing.rules),
            (None, old) => {
                let owned = |(path, look): (&str, Look)| (path.to_owned(), look);
                kept = old.map_or_else(Default::default, |old| {
                    (old.dirs().map(owned).collect(), old.rules().map(owned).collect())
                });
                (&kept.0, &kept.1)
            }
        };
        Table::new(Rows { files: &self.paths, dirs, rules, sources: &self.sources, looks, words: &words })
    }
}

impl Index {
    fn table(&self) -> Option<&Table> {
        match &self.0 {
            Holder::Kept(known) => known.table.as_ref(),
            Holder::Fresh(table) => Some(table),
        }
    }

    /// The source files, by their place among them, that have all words of one of the terms; sorted.
    pub(super) fn mentioning(&self, terms: &[Vec<String>]) -> Vec<u32> {
        let Some(table) = self.table() else { return Vec::new() };
        let mut found: Vec<u32> = terms.iter().flat_map(|term| having_all(table, term)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn having_all(table: &Table, term: &[String]) -> Vec<u32> {
    let mut words = term.iter().map(|word| table.having(word_hash(word)));
    let Some(mut left) = words.next() else { return Vec::new() };
    for more in words {
        left.retain(|source| more.binary_search(source).is_ok());
    }
    left
}

fn read(root: &Path, path: &str) -> Vec<u32> {
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

    fn indexed(root: &Path, kept: &Path) -> Indexed {
        let tree = DiskTree::open_with(root, Some(kept));
        Indexed {
            root: root.to_owned(),
            paths: tree.listing(),
            sources: tree.sources().to_vec(),
            known: tree.known(),
            kept: Some(kept.to_owned()),
        }
    }

    fn has(disk: &Indexed, word: &str) -> Vec<String> {
        let found = disk.open_at(later()).mentioning(&[vec![word.to_owned()]]);
        found.into_iter().map(|n| disk.path(n as usize).to_owned()).collect()
    }

    fn later() -> u128 {
        now() + 60_000_000_000
    }

    /// What is kept is believed, so another word in it shows that a file was not opened.
    #[test]
    fn an_old_file_is_read_again_only_when_it_looks_different() {
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
        let disk = indexed(root, &kept);
        assert_eq!(has(&disk, "one"), ["a.py", "b.py"]);

        let looks = disk.looks(later());
        let two = [(0, vec![word_hash("two")]), (1, vec![word_hash("two")])];
        std::fs::write(&kept, disk.table(&looks, &disk.before(), &two).bytes()).unwrap();
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
