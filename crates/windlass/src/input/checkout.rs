//! The files of the checkout that a plan is made for: tracked ones and new ones, as git lists them.

use std::fs;
use std::path::{Path, PathBuf};

use windlass_code::repo::Tree;

use crate::world::World;

/// Files larger than this are not read: nothing a plan needs to know is in them.
const LARGEST: u64 = 4 * 1024 * 1024;

/// A checkout on disk.
#[derive(Debug, Clone, Default)]
pub(crate) struct Checkout {
    root: PathBuf,
    paths: Vec<String>,
}

impl Checkout {
    /// Lists the checkout at `root`; without git, or without a repository, it is empty.
    pub(crate) fn open(world: &World, root: &Path) -> Checkout {
        let args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let listed = world.git_in(root, &args).unwrap_or_default();
        let own = |path: &&str| !path.is_empty() && !path.starts_with("plans/");
        let mut paths: Vec<String> = listed.split('\0').filter(own).map(str::to_owned).collect();
        paths.sort();
        paths.dedup();
        Checkout { root: root.to_owned(), paths }
    }
}

impl Tree for Checkout {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let at = self.root.join(path);
        let meta = fs::metadata(&at).ok()?;
        (meta.is_file() && meta.len() <= LARGEST).then(|| fs::read(&at).ok())?
    }

    fn has(&self, path: &str) -> bool {
        self.paths.binary_search_by(|known| known.as_str().cmp(path)).is_ok()
    }
}
