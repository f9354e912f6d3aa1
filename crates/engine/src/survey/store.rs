//! Surveys with what was found before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use windlass_code::repo::Tree;
use windlass_code::survey::{Unread, assemble, read_facts, worth_reading};
use windlass_core::ids::Oid;
use windlass_core::survey::{FileFacts, Survey};

use super::cache::{Cache, Fresh, Key, key};
use super::disk::DiskTree;
use crate::git::{GitError, Repo};
use crate::tree_view::GitTree;

/// How many blobs are taken out of git at once: enough to keep every core busy, few enough to hold in memory.
const BATCH: usize = 512;

/// Where what was found is kept.
#[derive(Debug, Clone, Default)]
pub struct SurveyStore {
    file: Option<PathBuf>,
}

/// What became of one file.
struct Looked {
    path: String,
    place: Key,
    content: Option<Key>,
    facts: Result<Arc<FileFacts>, Unread>,
    fresh: bool,
}

impl SurveyStore {
    /// Keeps what it finds below this directory.
    pub fn at(dir: &Path) -> Self {
        Self { file: Some(dir.join("survey")) }
    }

    /// Keeps nothing.
    pub fn forgetful() -> Self {
        Self::default()
    }

    /// Surveys a directory.
    pub fn of_disk(&self, tree: &DiskTree) -> Survey {
        let cache = Cache::open(self.file.clone());
        let sources: Vec<&String> = tree.paths().iter().filter(|path| tree.look(path).is_some()).collect();
        let looked: Vec<Looked> = sources
            .par_iter()
            .filter_map(|path| {
                let (place, size) = tree.look(path)?;
                let read = || {
                    if Unread::too_large(size) {
                        Err(Unread::TooLarge)
                    } else {
                        tree.read(path).ok_or(Unread::Gone)
                    }
                };
                Some(look(&cache, path, place, read))
            })
            .collect();
        finish(&cache, tree, looked)
    }

    /// Surveys a tree of the repository.
    pub fn of_tree(&self, repo: &Repo, tree: &Oid) -> Result<Survey, GitError> {
        let view = GitTree::open(repo, tree)?;
        self.of_git(repo, &view)
    }

    pub(crate) fn of_git(&self, repo: &Repo, view: &GitTree) -> Result<Survey, GitError> {
        let cache = Cache::open(self.file.clone());
        let sources: Vec<(&String, &Oid)> = view
            .paths()
            .iter()
            .filter(|path| worth_reading(path))
            .filter_map(|path| Some((path, view.blob(path)?)))
            .collect();
        let mut looked = Vec::with_capacity(sources.len());
        let mut open = Vec::new();
        for (path, oid) in sources {
            let place = key(&[b"git", ending(path), oid.as_str().as_bytes()]);
            match cache.content(&place).and_then(|content| Some((content, cache.facts(&content)?))) {
                Some((content, facts)) => looked.push(Looked {
                    path: path.clone(),
                    place,
                    content: Some(content),
                    facts: Ok(Arc::new(facts)),
                    fresh: false,
                }),
                None => open.push((path, place, oid.clone())),
            }
        }
        for batch in open.chunks(BATCH) {
            let oids: Vec<Oid> = batch.iter().map(|(_, _, oid)| oid.clone()).collect();
            let blobs = repo.read_blobs(&oids)?;
            let found: Vec<Looked> = batch
                .par_iter()
                .zip(blobs)
                .map(|((path, place, _), bytes)| look(&cache, path, *place, || Ok(bytes)))
                .collect();
            looked.extend(found);
        }
        Ok(finish(&cache, view, looked))
    }
}

fn ending(path: &str) -> &[u8] {
    path.rsplit('.').next().unwrap_or(path).as_bytes()
}

fn look(cache: &Cache, path: &str, place: Key, read: impl FnOnce() -> Result<Vec<u8>, Unread>) -> Looked {
    let known = cache.content(&place).and_then(|content| Some((content, cache.facts(&content)?)));
    if let Some((content, facts)) = known {
        return Looked {
            path: path.to_owned(),
            place,
            content: Some(content),
            facts: Ok(Arc::new(facts)),
            fresh: false,
        };
    }
    let bytes = match read() {
        Ok(bytes) => bytes,
        Err(why) => {
            return Looked { path: path.to_owned(), place, content: None, facts: Err(why), fresh: false };
        }
    };
    // Where a file stands decides whether it is read as a test.
    let kind: &[u8] = if windlass_code::detect::is_test_path(path) { b"test" } else { b"code" };
    let content = key(&[ending(path), kind, &bytes]);
    let kept = cache.facts(&content);
    let facts = kept.map_or_else(|| read_facts(path, &bytes), Ok).map(Arc::new);
    Looked { path: path.to_owned(), place, content: Some(content), facts, fresh: true }
}

fn finish(cache: &Cache, tree: &dyn Tree, looked: Vec<Looked>) -> Survey {
    let keep = |one: &Looked, with_facts: bool| {
        let facts = one.facts.as_ref().ok()?;
        Some(Fresh { place: one.place, content: one.content?, facts: with_facts.then(|| facts.clone()) })
    };
    let fresh: Vec<Fresh> = looked
        .iter()
        .filter(|one| one.fresh)
        .filter_map(|one| keep(one, one.content.is_some_and(|content| !cache.has_facts(&content))))
        .collect();
    let all = || looked.iter().filter_map(|one| keep(one, true)).collect();
    cache.keep(&fresh, &all, looked.len());
    let mut files = BTreeMap::new();
    let mut unread = Vec::new();
    for one in looked {
        match one.facts {
            Ok(facts) => {
                files.insert(one.path, facts);
            }
            Err(why) => unread.push((one.path, why.to_string())),
        }
    }
    assemble(tree, files, unread)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, path: &str, text: &[u8]) {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn repository() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        put(root, "pyproject.toml", b"[project]\nname = \"shop\"\n");
        put(root, "shop/cart.py", b"from shop import money\ndef total(prices): ...\n");
        put(root, "shop/money.py", b"class Money: ...\n");
        put(root, "tests/test_cart.py", b"def test_total(): ...\n");
        put(root, "shop/broken.py", b"def (:\n");
        put(root, "shop/data.py", b"\x00\x01\x02 binary");
        put(root, "huge.js", &vec![b';'; 5 * 1024 * 1024]);
        put(root, ".gitignore", b"made/\n");
        put(root, "made/x.py", b"def made(): ...\n");
        put(root, "node_modules/a/index.js", b"export const a = 1;\n");
        dir
    }

    #[test]
    fn a_warm_survey_is_the_cold_one() {
        let dir = repository();
        let kept = tempfile::tempdir().unwrap();
        let store = SurveyStore::at(kept.path());
        let cold = store.of_disk(&DiskTree::open(dir.path()));
        assert_eq!(store.of_disk(&DiskTree::open(dir.path())), cold);
        assert_eq!(SurveyStore::forgetful().of_disk(&DiskTree::open(dir.path())), cold);
        let names: Vec<&str> = cold.files.keys().map(String::as_str).collect();
        assert_eq!(names, ["shop/broken.py", "shop/cart.py", "shop/money.py", "tests/test_cart.py"]);
        assert_eq!(cold.facts("shop/broken.py").unwrap().broken, Some(1));
        assert_eq!(cold.imported_by("shop/cart.py"), ["shop/money.py"]);
        let unread: Vec<String> = cold.unread.iter().map(|(path, why)| format!("{path}: {why}")).collect();
        assert_eq!(unread, ["huge.js: it is too large to be source code", "shop/data.py: it is not text"]);

        put(dir.path(), "shop/money.py", b"class Coin: ...\n");
        let changed = store.of_disk(&DiskTree::open(dir.path()));
        assert_eq!(changed.facts("shop/money.py").unwrap().exports[0].name, "Coin");
        assert_eq!(changed, SurveyStore::forgetful().of_disk(&DiskTree::open(dir.path())));
    }

    /// A cache that was cut, changed or is not one at all only costs time.
    #[test]
    fn a_damaged_cache_is_a_cold_one() {
        let dir = repository();
        let kept = tempfile::tempdir().unwrap();
        let store = SurveyStore::at(kept.path());
        let cold = store.of_disk(&DiskTree::open(dir.path()));
        let file = kept.path().join("survey");
        let whole = std::fs::read(&file).unwrap();
        let damaged = |at: usize| {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            bytes
        };
        let mut texts: Vec<Vec<u8>> = (0..whole.len()).step_by(7).map(damaged).collect();
        texts.extend((0..whole.len()).step_by(11).map(|end| whole[..end].to_vec()));
        texts.push(b"something else".to_vec());
        for text in texts {
            std::fs::write(&file, text).unwrap();
            assert_eq!(store.of_disk(&DiskTree::open(dir.path())), cold);
        }
    }
}
