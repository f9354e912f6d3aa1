//! Which crates of a repository have something to fetch, and which are built apart from those above them.

use super::{DirTree, is_foreign};
use crate::detect::manifest::{cargo_root, dir_of, in_dir, text};

/// Whether a manifest without a lock file, or a member of its workspace, asks for crates.
pub(super) fn needs_crates(here: &DirTree<'_>) -> bool {
    let asks = |path: &str| {
        let manifest = text(here.tree, path).unwrap_or_default();
        manifest.lines().any(|line| line.trim_start().starts_with('[') && line.contains("dependencies"))
    };
    let prefix = in_dir(here.dir, "");
    let own = |path: &&String| {
        path.starts_with(&prefix) && path.ends_with("Cargo.toml") && !is_foreign(dir_of(path))
    };
    !here.has("Cargo.lock") && here.tree.paths().iter().filter(own).any(|path| asks(path))
}

/// Whether a directory below another crate is built by itself: its workspace is its own.
pub(super) fn is_own_root(here: &DirTree<'_>) -> bool {
    let own = in_dir(here.dir, "Cargo.toml");
    cargo_root(here.tree, &own).as_deref() == Some(here.dir)
}
