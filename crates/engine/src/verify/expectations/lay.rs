//! Where changed test files are laid: a second export that looks like the first, or the first one.

use std::path::Path;

use windlass_code::repo::Tree as _;

use super::super::gates::Bench;
use super::super::setup::copy_files;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::random_token::random_token;
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

    /// Lays the changed files.
    pub(super) fn lay(&self, bench: &Bench<'_>, files: &[(String, Vec<u8>)]) -> Result<(), EngineError> {
        files.iter().try_for_each(|(name, bytes)| match self {
            Self::Second(export) => lay_file(export, name, bytes, FileAge::Kept),
            Self::First => lay_file(&bench.export, name, bytes, FileAge::New),
        })
    }

    /// Restores the files in the export of the tests.
    pub(super) fn restore(&self, bench: &Bench<'_>, files: &[(String, Vec<u8>)]) -> Result<(), EngineError> {
        match self {
            Self::Second(_) => Ok(()),
            Self::First => files
                .iter()
                .try_for_each(|(name, _)| lay_file(&bench.export, name, &bench.original(name), FileAge::New)),
        }
    }
}

/// Replaces a file of an export.
pub(in super::super) fn lay_file(
    export: &ExportedTree,
    name: &str,
    bytes: &[u8],
    age: FileAge,
) -> Result<(), EngineError> {
    let io = |source| EngineError::Io { what: "write", path: export.dir().join(name), source };
    export.replace(name, bytes, age).map_err(io)
}

impl Bench<'_> {
    /// A second export with its dependencies installed, where that needs no checkout.
    pub(super) async fn second_place(&self) -> Result<Option<MutantPlace>, EarlyEnd> {
        let dir = self.input.scratch.path().join(format!("export-{}", random_token()));
        let Some(twin) = self.export.twin(&dir) else { return Ok(None) };
        let twin = twin?;
        self.ctx.machine.setups.stand_on(twin.dir(), twin.base());
        copy_files(self.ctx, twin.dir())?;
        self.set_up_in(twin.dir()).await?;
        Ok(Some(MutantPlace::Second(twin)))
    }

    /// A file as it was exported; a held-out test as it is kept.
    fn original(&self, name: &str) -> Vec<u8> {
        self.tree.read(name).or_else(|| self.held_out_file(name)).unwrap_or_default()
    }
}
