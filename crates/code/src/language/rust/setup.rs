//! Which crates of a repository have something to fetch, and which are built apart from those above them.

use crate::detect::setup::{DirTree, MANAGER, ManagerRow, SetupKind, is_foreign};
use crate::detect::{dir_of, in_dir, text, toml};
use crate::language::cargo_root;

const CARGO: ManagerRow = ManagerRow {
    name: "cargo",
    program: "cargo",
    kind: SetupKind::Cargo,
    tool: Some(("cargo", "cargo")),
    versions: &[("cargo", "--version"), ("rustc", "--version")],
    stands_apart: is_own_root,
    ..MANAGER
};

/// Cargo, with a lock file and without.
pub(crate) const MANAGERS: &[ManagerRow] = &[
    ManagerRow {
        locks: &["Cargo.lock"],
        command: |_, _| "cargo fetch --locked".to_owned(),
        // A lock file of path dependencies alone needs nothing. One that cannot be read is told by the set-up, before the tests.
        applies: |here| {
            let lock = in_dir(here.dir, "Cargo.lock");
            text(here.tree, &lock).is_some_and(|text| text.contains("source = \""))
                || toml(here.tree, &lock).is_none()
        },
        inputs: &["Cargo.toml", "rust-toolchain", "rust-toolchain.toml"],
        ..CARGO
    },
    ManagerRow {
        locks: &["Cargo.toml"],
        by_manifest: true,
        command: |_, _| "cargo fetch".to_owned(),
        applies: needs_crates,
        inputs: &["rust-toolchain", "rust-toolchain.toml"],
        // The versions that were chosen hold for every later command.
        outputs: &["Cargo.lock"],
        ..CARGO
    },
];

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
