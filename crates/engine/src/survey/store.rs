//! Surveys with a cache.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use windlass_code::survey::Survey;
use windlass_code::survey::{assemble, sources};

use super::disk::DiskTree;
use super::index::{IndexedDirectory, file_of};
use super::reader::{FileSource, TreeReader};
use crate::git::Repo;
use crate::git_tree::GitTree;

/// The place of the cache.
#[derive(Debug, Clone, Default)]
pub struct SurveyStore {
    dir: Option<PathBuf>,
}

impl SurveyStore {
    /// Keeps what it finds below this directory.
    pub fn at(dir: &Path) -> Self {
        Self { dir: Some(dir.to_owned()) }
    }

    /// Keeps nothing.
    pub fn forgetful() -> Self {
        Self::default()
    }

    fn facts(&self) -> Option<PathBuf> {
        self.dir.as_ref().map(|dir| dir.join("survey"))
    }

    fn index(&self, root: &Path) -> Option<PathBuf> {
        self.dir.as_deref().map(|dir| file_of(dir, root))
    }

    /// Lists a directory, with the help of the cache.
    pub fn disk(&self, root: &Path) -> DiskTree {
        DiskTree::open_with(root, self.index(root).as_deref())
    }

    /// Surveys a directory.
    pub fn of_disk(&self, tree: &DiskTree) -> Survey {
        let paths = tree.listing();
        let sources = tree.sources().to_vec();
        let place = FileSource::Disk(IndexedDirectory {
            root: tree.root().to_owned(),
            paths: paths.clone(),
            sources: sources.clone(),
            known: tree.known(),
            kept: self.index(tree.root()),
        });
        assemble(tree, paths.clone(), sources, Arc::new(TreeReader::new(place, paths, self.facts())))
    }

    /// Surveys a tree of the repository.
    pub(crate) fn of_git(&self, repo: &Repo, view: &GitTree) -> Survey {
        let files = view.files();
        let paths = files.paths.clone();
        let place = FileSource::Git { repo: repo.clone(), files };
        let reader = TreeReader::new(place, paths.clone(), self.facts());
        assemble(view, paths.clone(), sources(&paths), Arc::new(reader))
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

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

    /// All answers of a survey, as text.
    fn all(survey: &Survey) -> String {
        let mut out = format!("{survey:?}\n");
        for path in survey.sources() {
            let _ = writeln!(
                out,
                "{path}: {:?} {:?} {:?}",
                survey.facts(path),
                survey.imported_by(path),
                survey.importers_of(path, 9)
            );
        }
        out
    }

    #[test]
    fn a_warm_survey_is_the_cold_one() {
        let dir = repository();
        let kept = tempfile::tempdir().unwrap();
        let store = SurveyStore::at(kept.path());
        let disk = || store.disk(dir.path());
        let cold = all(&store.of_disk(&disk()));
        assert_eq!(all(&store.of_disk(&disk())), cold);
        assert_eq!(all(&SurveyStore::forgetful().of_disk(&disk())), cold);
        let survey = store.of_disk(&disk());
        let names: Vec<&str> = survey.sources().filter(|path| survey.facts(path).is_some()).collect();
        assert_eq!(names, ["shop/broken.py", "shop/cart.py", "shop/money.py", "tests/test_cart.py"]);
        assert_eq!(survey.facts("shop/broken.py").unwrap().broken, Some(1));
        assert_eq!(survey.imported_by("shop/cart.py"), ["shop/money.py"]);
        assert_eq!(survey.importers_of("shop/money.py", 5), ["shop/cart.py"]);

        put(dir.path(), "shop/money.py", b"class Coin: ...\n");
        put(dir.path(), "shop/new.py", b"from .money import Coin\n");
        let changed = store.of_disk(&disk());
        assert_eq!(changed.facts("shop/money.py").unwrap().exports[0].name, "Coin");
        assert_eq!(changed.importers_of("shop/money.py", 5), ["shop/cart.py", "shop/new.py"]);
        assert_eq!(all(&changed), all(&SurveyStore::forgetful().of_disk(&disk())));
    }

    /// Old files are not opened again; one that changed is, whatever its size.
    #[test]
    fn what_looks_as_it_did_is_not_read_again() {
        let dir = repository();
        let kept = tempfile::tempdir().unwrap();
        let store = SurveyStore::at(kept.path());
        let past = std::time::SystemTime::now() - std::time::Duration::from_hours(1);
        let stamp = |path: &str, at| {
            std::fs::File::open(dir.path().join(path)).unwrap().set_modified(at).unwrap();
        };
        let users = || store.of_disk(&store.disk(dir.path())).importers_of("shop/money.py", 5);
        stamp("shop/cart.py", past);
        assert_eq!(users(), ["shop/cart.py"]);
        put(dir.path(), "shop/cart.py", b"from shop import moped\ndef total(prices): ...\n");
        stamp("shop/cart.py", past);
        assert_eq!(users(), [""; 0]);
    }

    /// A cache that was cut, changed or is not one at all only costs time.
    #[test]
    fn a_damaged_cache_is_a_cold_one() {
        let dir = repository();
        let kept = tempfile::tempdir().unwrap();
        let store = SurveyStore::at(kept.path());
        let cold = all(&store.of_disk(&store.disk(dir.path())));
        let files: Vec<PathBuf> =
            std::fs::read_dir(kept.path()).unwrap().map(|e| e.unwrap().path()).collect();
        assert_eq!(files.len(), 2);
        for file in files {
            let whole = std::fs::read(&file).unwrap();
            let damaged = |at: usize| {
                let mut bytes = whole.clone();
                bytes[at] ^= 0x55;
                bytes
            };
            let mut texts: Vec<Vec<u8>> = (0..whole.len()).step_by(whole.len() / 20).map(damaged).collect();
            texts.extend((0..whole.len()).step_by(whole.len() / 10).map(|end| whole[..end].to_vec()));
            texts.push(b"something else".to_vec());
            for text in texts {
                std::fs::write(&file, text).unwrap();
                assert_eq!(all(&store.of_disk(&store.disk(dir.path()))), cold);
            }
        }
    }
}
