//! What the keeper of a sandbox saw: who was left when the command had ended, and what was used up.

use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::process::LimitHit;
use crate::sandbox::read_plain;

/// What the keeper saw.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct KeeperReport {
    /// The names of the processes that had to be ended.
    pub(crate) left: Vec<String>,
    /// The limit for which everybody was ended.
    pub(crate) over: Option<LimitHit>,
}

impl KeeperReport {
    /// Writes it to a place that those inside could write to, when they are gone.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        crate::removal::remove_any(path)?;
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(&serde_json::to_vec(self)?)
    }

    /// Reads it; nothing is what a keeper that has nothing to say leaves.
    pub(crate) fn read(path: &Path) -> Self {
        let below = path.parent().unwrap_or(path);
        let bytes = read_plain(path, &[below]).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }
}
