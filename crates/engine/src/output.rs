//! Output of agents and tests, kept beside the journal and named by content.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use windlass_core::ids::BlobName;

use crate::random_token::process_name;

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
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(dir);
        made.map_err(|source| OutputError::io("cannot make", dir, source))?;
        Ok(Self { dir: dir.to_owned() })
    }

    /// Stores bytes; they are on disk when this returns.
    pub fn put_bytes(&self, bytes: &[u8]) -> Result<BlobName, OutputError> {
        self.put(&mut &*bytes, Path::new("memory"))
    }

    /// Stores a copy of a file of any size; it is on disk when this returns.
    pub(crate) fn put_file(&self, path: &Path) -> Result<BlobName, OutputError> {
        let mut file = File::open(path).map_err(|source| OutputError::io("cannot open", path, source))?;
        self.put(&mut file, path)
    }

    /// Stores the output of a command, which is empty where there is no file of it.
    pub(crate) fn put_output(&self, path: Option<&Path>) -> Result<BlobName, OutputError> {
        path.map_or_else(|| self.put_bytes(b""), |path| self.put_file(path))
    }

    /// At most `max` bytes of an output, from its beginning; checked against the name if that is all of it.
    pub fn read(&self, name: &BlobName, max: u64) -> Result<Vec<u8>, OutputError> {
        let path = self.path(name)?;
        let failed = |source| OutputError::io("cannot read", &path, source);
        let file = File::open(&path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        let mut bytes = Vec::new();
        file.take(max).read_to_end(&mut bytes).map_err(failed)?;
        if size <= max && BlobName::of(&bytes) != *name {
            return Err(OutputError::Damaged { path });
        }
        Ok(bytes)
    }

    /// The file of an output, whether it exists or not.
    pub fn path(&self, name: &BlobName) -> Result<PathBuf, OutputError> {
        let name = name.checked().ok_or(OutputError::BadName)?;
        Ok(self.dir.join(name))
    }

    fn put(&self, from: &mut dyn Read, origin: &Path) -> Result<BlobName, OutputError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let temp = self.dir.join(format!("new-{}-{number}", process_name()));
        let stored = self.copy_and_rename(from, origin, &temp);
        if stored.is_err() {
            // Best effort: the disk may be full.
            let _ = fs::remove_file(&temp);
        }
        stored
    }

    /// Copies, hashing on the way, and gives the copy its name only when it is on disk.
    fn copy_and_rename(
        &self,
        from: &mut dyn Read,
        origin: &Path,
        temp: &Path,
    ) -> Result<BlobName, OutputError> {
        let failed = |source| OutputError::io("cannot write", temp, source);
        let to = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(temp);
        let mut to = to.map_err(failed)?;
        let mut hasher = blake3::Hasher::new();
        let mut buffer = vec![0; 64 << 10];
        loop {
            match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => {
                    hasher.update(&buffer[..n]);
                    to.write_all(&buffer[..n]).map_err(failed)?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => return Err(OutputError::io("cannot read", origin, source)),
            }
        }
        let name = BlobName::from_hash(&hasher.finalize());
        let path = self.path(&name)?;
        if path.exists() {
            fs::remove_file(temp).map_err(failed)?;
            return Ok(name);
        }
        to.sync_all().map_err(failed)?;
        fs::rename(temp, &path).map_err(failed)?;
        File::open(&self.dir).and_then(|dir| dir.sync_all()).map_err(failed)?;
        Ok(name)
    }
}

impl OutputError {
    fn io(what: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { what, path: path.to_owned(), source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, OutputStore) {
        let temp = tempfile::tempdir().unwrap();
        let store = OutputStore::open(&temp.path().join("out")).unwrap();
        (temp, store)
    }

    #[test]
    fn the_same_bytes_are_stored_once() {
        let (temp, store) = store();
        let file = temp.path().join("f");
        fs::write(&file, "hello").unwrap();
        let name = store.put_bytes(b"hello").unwrap();
        assert_eq!(store.put_file(&file).unwrap(), name);
        assert_eq!(name, BlobName::of(b"hello"));
        assert_eq!(fs::read_dir(temp.path().join("out")).unwrap().count(), 1);
        assert_eq!(store.read(&name, 100).unwrap(), b"hello");
        assert_eq!(store.read(&name, 2).unwrap(), b"he");
    }

    #[test]
    fn damage_and_forged_names_are_seen() {
        let (_temp, store) = store();
        let name = store.put_bytes(b"hello").unwrap();
        fs::write(store.path(&name).unwrap(), "hellO").unwrap();
        assert!(matches!(store.read(&name, 100), Err(OutputError::Damaged { .. })));
        let forged: BlobName = serde_json::from_str("\"../../etc/passwd\"").unwrap();
        assert!(matches!(store.read(&forged, 100), Err(OutputError::BadName)));
    }
}
