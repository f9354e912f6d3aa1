//! The keeper's report: which processes were left when the command ended, and which limit was hit.

use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::process::LimitHit;
use crate::sandbox::read_plain;

/// The keeper's report.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct KeeperReport {
    /// The names of leftover processes.
    pub(crate) left: Vec<String>,
    /// The limit that ended the command.
    pub(crate) over: Option<LimitHit>,
}

impl KeeperReport {
    /// Writes the report to a path that was writable inside, after all processes inside have ended.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        crate::removal::remove_any(path)?;
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(&serde_json::to_vec(self)?)
    }

    /// Reads the report; a missing file is an empty report.
    pub(crate) fn read(path: &Path) -> Self {
        let below = path.parent().unwrap_or(path);
        let bytes = read_plain(path, &[below]).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }
}
