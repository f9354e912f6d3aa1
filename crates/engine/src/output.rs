//! Output of agents and tests, kept beside the journal and named by content.

use std::io;
use std::path::{Path, PathBuf};

use windlass_core::ids::BlobName;

/// A failure of the output store.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// A file operation failed.
    #[error("{what} `{}`", .path.display())]
    Io {
        /// What was being done.
        what: &'static str,
        /// To which path.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A name that is no content name.
    #[error("not the name of a stored output")]
    BadName,
    /// The bytes are no longer those of the name.
    #[error("the stored output `{}` is damaged", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
}

/// A directory of outputs.
#[derive(Debug, Clone)]
pub struct OutputStore {
    dir: PathBuf,
}

impl OutputStore {
    /// The store in `dir`, made if absent.
    pub fn open(dir: &Path) -> Result<Self, OutputError> {
        Ok(Self { dir: dir.to_owned() })
    }

    /// Stores bytes; they are on disk when this returns.
    pub fn put_bytes(&self, bytes: &[u8]) -> Result<BlobName, OutputError> {
        let _ = bytes;
        todo!()
    }

    /// Stores a copy of a file of any size; it is on disk when this returns.
    pub fn put_file(&self, path: &Path) -> Result<BlobName, OutputError> {
        let _ = path;
        todo!()
    }

    /// At most `max` bytes of an output, from its beginning.
    pub fn read(&self, name: &BlobName, max: u64) -> Result<Vec<u8>, OutputError> {
        let _ = (name, max);
        todo!()
    }

    /// The file of an output, whether it exists or not.
    pub fn path(&self, name: &BlobName) -> Result<PathBuf, OutputError> {
        let name = name.checked().ok_or(OutputError::BadName)?;
        Ok(self.dir.join(name))
    }
}
