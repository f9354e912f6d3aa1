//! Where changed test files are laid: a second export that looks like the first, or the first one.

use std::path::Path;

use windlass_code::repo::Tree as _;

use super::super::gates::Bench;
use super::super::setup::copy_files;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::random_token::export_name;
use crate::slot::{ExportedTree, FileAge};

/// Where a run with changed files goes.
pub(in super::super) enum MutantPlace {
    /// An export of its own, in which nothing has run. The changed file is as old as it was.
    Second(ExportedTree),
    /// The export of the tests, with what they have built. The changed file is new, so that it is built again.
    First,
}

impl MutantPlace {
    pub(super) fn dir<'a>(&'a self, bench: &'a Bench<'_>) -> &'a Path {
        match self {
            Self::Second(export) => export.dir(),
            Self::First => bench.export.dir(),
        }
    }

    /// Lays the changed files. In a second export the other test files are laid as well, as they were for the plain run.
    pub(super) fn lay(&self, bench: &Bench<'_>, files: &[(String, Vec<u8>)]) -> Result<(), EngineError> {
        match self {
            Self::Second(export) => {
                let changed = |name: &str| files.iter().find(|(other, _)| other == name);
                let sources = bench.test_sources();
                let is_source = |name: &str| sources.iter().any(|(source, _)| source == name);
                let more = files.iter().filter(|(name, _)| !is_source(name));
                // In the order of the plain run: the times of files tell nothing.
                sources
                    .iter()
                    .map(|source| changed(&source.0).unwrap_or(source))
                    .chain(more)
                    .try_for_each(|(name, bytes)| lay_file(export, name, bytes, FileAge::Kept))
            }
            Self::First => {
                files.iter().try_for_each(|(name, bytes)| lay_file(&bench.export, name, bytes, FileAge::New))
            }
        }
    }

    /// Restores the files in the export of the tests. A held-out test is removed.
    pub(super) fn restore(&self, bench: &Bench<'_>, files: &[(String, Vec<u8>)]) -> Result<(), EngineError> {
        match self {
            Self::Second(_) => Ok(()),
            Self::First => files.iter().try_for_each(|(name, _)| {
                if let Some(bytes) = bench.tree.read(name) {
                    return lay_file(&bench.export, name, &bytes, FileAge::New);
                }
                let path = bench.export.dir().join(name);
                match std::fs::remove_file(&path) {
                    // The run was without its source.
                    Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                        Err(EngineError::Io { what: "remove", path, source })
                    }
                    Ok(()) | Err(_) => Ok(()),
                }
            }),
        }
    }
}

/// Puts a file into an export.
pub(in super::super) fn lay_file(
    export: &ExportedTree,
    name: &str,
    bytes: &[u8],
    age: FileAge,
) -> Result<(), EngineError> {
    let io = |source| EngineError::Io { what: "write", path: export.dir().join(name), source };
    let there = |dir: &Path| dir.join(name).symlink_metadata().is_ok();
    if there(export.dir()) || export.base().is_some_and(there) {
        return export.replace(name, bytes, age).map_err(io);
    }
    // A held-out test replaces nothing.
    export.put(name, bytes, None).map_err(io)
}

impl Bench<'_> {
    /// Writes the test files over themselves. A run with changed ones has its files from the same hand, so that neither
    /// the device nor the inode or a time of a file tells the two runs apart.
    pub(in super::super) fn lay_tests(&self) -> Result<(), EngineError> {
        if !self.changes_expectations() {
            return Ok(());
        }
        let sources = self.test_sources();
        sources.iter().try_for_each(|(name, bytes)| lay_file(&self.export, name, bytes, FileAge::Kept))
    }

    /// A second export with its dependencies installed, where that needs no checkout.
    pub(super) async fn second_place(&self) -> Result<Option<MutantPlace>, EarlyEnd> {
        let dir = self.input.scratch.path().join(export_name());
        let Some(twin) = self.export.twin(&dir) else { return Ok(None) };
        let twin = twin?;
        self.ctx.machine.setups.stand_on(twin.dir(), twin.base());
        copy_files(self.ctx, twin.dir())?;
        self.set_up_in(twin.dir()).await?;
        Ok(Some(MutantPlace::Second(twin)))
    }
}
