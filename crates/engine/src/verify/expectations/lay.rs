//! Where changed test files are laid: a second export that looks like the first, or the first one.

use std::fs::{File, FileTimes};
use std::path::Path;
use std::time::{Duration, SystemTime};

use windlass_code::repo::Tree as _;

use super::super::gates::Bench;
use super::super::setup::copy_files;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::random_token::random_token;
use crate::slot::ExportedTree;

/// Byte code caches and build tools compare whole seconds.
const APART: Duration = Duration::from_secs(2);

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
            Self::Second(export) => put(export, name, bytes, Age::Kept),
            Self::First => put(&bench.export, name, bytes, Age::New),
        })
    }

    /// Restores the files in the export of the tests.
    pub(super) fn restore(&self, bench: &Bench<'_>, files: &[(String, Vec<u8>)]) -> Result<(), EngineError> {
        match self {
            Self::Second(_) => Ok(()),
            Self::First => files
                .iter()
                .try_for_each(|(name, _)| put(&bench.export, name, &bench.original(name), Age::New)),
        }
    }
}

/// The time of a file that is laid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Age {
    /// That of the file in whose place it comes.
    Kept,
    /// Now, and a while after the one before.
    New,
}

fn put(export: &ExportedTree, name: &str, bytes: &[u8], age: Age) -> Result<(), EngineError> {
    let path = export.dir().join(name);
    let io = |source| EngineError::Io { what: "write", path: path.clone(), source };
    let time = |path: &Path| std::fs::symlink_metadata(path).and_then(|meta| meta.modified()).ok();
    let before = time(&path).or_else(|| time(&export.base()?.join(name)));
    let now = SystemTime::now();
    let wanted = match (age, before) {
        (Age::Kept, Some(before)) => before,
        (Age::New, Some(before)) => now.max(before + APART),
        (Age::Kept | Age::New, None) => now,
    };
    export.replace(name, bytes).map_err(io)?;
    let io = |source| EngineError::Io { what: "write", path: path.clone(), source };
    let file = File::options().write(true).open(&path).map_err(io)?;
    file.set_times(FileTimes::new().set_modified(wanted).set_accessed(wanted)).map_err(io)
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
