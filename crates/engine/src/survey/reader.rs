//! The facts of files, read on demand and cached by content.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;
use windlass_code::detect::is_test_path;
use windlass_code::survey::{FactReader, FileFacts};
use windlass_code::survey::{Unread, read_facts};
use windlass_core::ids::Oid;

use super::cache::{FactCache, SurveyKey, key};
use super::index::{ImportIndex, IndexedDirectory};
use crate::git::{Repo, TreeFiles};

/// The source of the bytes.
pub(super) enum FileSource {
    /// A directory.
    Disk(IndexedDirectory),
    /// A tree of a repository.
    Git { repo: Repo, files: TreeFiles },
}

/// The result of reading a file.
#[derive(Clone)]
enum Looked {
    Says(Arc<FileFacts>),
    Nothing,
}

impl Looked {
    fn facts(self) -> Option<Arc<FileFacts>> {
        match self {
            Looked::Says(facts) => Some(facts),
            Looked::Nothing => None,
        }
    }
}

/// Reads the files of one tree.
pub(super) struct TreeReader {
    place: FileSource,
    paths: Arc<Vec<String>>,
    file: Option<PathBuf>,
    cache: OnceLock<FactCache>,
    index: OnceLock<ImportIndex>,
    seen: Mutex<HashMap<String, Looked>>,
    fresh: Mutex<Vec<(SurveyKey, Arc<FileFacts>)>>,
}

impl TreeReader {
    pub(super) fn new(place: FileSource, paths: Arc<Vec<String>>, file: Option<PathBuf>) -> Self {
        Self {
            place,
            paths,
            file,
            cache: OnceLock::new(),
            index: OnceLock::new(),
            seen: Mutex::default(),
            fresh: Mutex::default(),
        }
    }

    fn cache(&self) -> &FactCache {
        self.cache.get_or_init(|| FactCache::open(self.file.clone()))
    }

    fn seen(&self, path: &str) -> Option<Looked> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
    }

    fn has(&self, path: &str) -> bool {
        self.paths.binary_search_by(|known| known.as_str().cmp(path)).is_ok()
    }

    /// The facts behind a key, read now if they are not kept.
    fn look(
        &self,
        path: &str,
        key: SurveyKey,
        bytes: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<Arc<FileFacts>> {
        if let Some(facts) = self.cache().facts(&key) {
            return Some(Arc::new(facts));
        }
        let facts = Arc::new(read_facts(path, &bytes()?).ok()?);
        self.fresh.lock().unwrap_or_else(PoisonError::into_inner).push((key, facts.clone()));
        Some(facts)
    }

    fn remember(&self, found: impl IntoIterator<Item = (String, Option<Arc<FileFacts>>)>) {
        let looked =
            found.into_iter().map(|(path, facts)| (path, facts.map_or(Looked::Nothing, Looked::Says)));
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).extend(looked);
    }

    fn of_disk(&self, root: &std::path::Path, path: &str) -> Option<Arc<FileFacts>> {
        let mut file = File::open(root.join(path)).ok()?;
        if Unread::too_large(file.metadata().ok()?.len()) {
            return None;
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        self.look(path, key(&[b"text", ending(path), kind(path), &bytes]), || Some(bytes))
    }

    /// Reads these blobs in one go, as far as their facts are not kept.
    fn of_git(&self, repo: &Repo, wanted: &[(&str, &Oid)]) {
        let keyed = wanted.iter().map(|(path, oid)| {
            (*path, *oid, key(&[b"blob", ending(path), kind(path), oid.as_str().as_bytes()]))
        });
        let (kept, open): (Vec<_>, Vec<_>) = keyed
            .map(|(path, oid, key)| (path, oid, key, self.cache().facts(&key)))
            .partition(|one| one.3.is_some());
        self.remember(kept.into_iter().map(|(path, _, _, facts)| (path.to_owned(), facts.map(Arc::new))));
        let oids: Vec<Oid> = open.iter().map(|(_, oid, ..)| (*oid).clone()).collect();
        // A blob that cannot be read says nothing.
        let Ok(blobs) = repo.read_blobs(&oids) else { return };
        let found: Vec<(String, Option<Arc<FileFacts>>)> = open
            .par_iter()
            .zip(blobs)
            .map(|((path, _, key, _), bytes)| ((*path).to_owned(), self.look(path, *key, || Some(bytes))))
            .collect();
        self.remember(found);
    }
}

/// The language is told by the ending.
fn ending(path: &str) -> &[u8] {
    path.rsplit('.').next().unwrap_or(path).as_bytes()
}

/// Where a file stands decides whether it is read as a test.
fn kind(path: &str) -> &'static [u8] {
    if is_test_path(path) { b"test" } else { b"code" }
}

impl FactReader for TreeReader {
    fn facts(&self, path: &str) -> Option<Arc<FileFacts>> {
        if let Some(known) = self.seen(path) {
            return known.facts();
        }
        if !self.has(path) {
            return None;
        }
        match &self.place {
            FileSource::Disk(disk) => {
                let found = self.of_disk(&disk.root, path);
                self.remember([(path.to_owned(), found.clone())]);
                found
            }
            FileSource::Git { repo, files } => {
                self.of_git(repo, &[(path, files.blob(path)?)]);
                self.seen(path).and_then(Looked::facts)
            }
        }
    }

    fn mentioning(&self, terms: &[Vec<String>]) -> Option<Vec<String>> {
        let FileSource::Disk(disk) = &self.place else { return None };
        Some(self.index.get_or_init(|| disk.open()).mentioning(terms))
    }

    fn prepare(&self, paths: &[&str]) {
        let open: Vec<&str> =
            paths.iter().copied().filter(|path| self.has(path) && self.seen(path).is_none()).collect();
        match &self.place {
            FileSource::Disk(disk) => {
                let read = |path: &&str| ((*path).to_owned(), self.of_disk(&disk.root, path));
                let found: Vec<(String, Option<Arc<FileFacts>>)> = open.par_iter().map(read).collect();
                self.remember(found);
            }
            FileSource::Git { repo, files } => {
                let wanted: Vec<(&str, &Oid)> =
                    open.into_iter().filter_map(|path| Some((path, files.blob(path)?))).collect();
                self.of_git(repo, &wanted);
            }
        }
    }
}

impl Drop for TreeReader {
    fn drop(&mut self) {
        let fresh = std::mem::take(self.fresh.get_mut().unwrap_or_else(PoisonError::into_inner));
        if let Some(cache) = self.cache.get_mut() {
            cache.keep(&fresh);
        }
        if let (FileSource::Disk(disk), None) = (&self.place, self.index.get()) {
            disk.keep_listing();
        }
    }
}
