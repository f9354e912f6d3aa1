//! The journals and outputs of plans, which are no cache: they are removed only when a person names them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::paths::Paths;
use crate::removal::remove_any;
use crate::sandbox::disk_usage;

/// What a plan's runs left in the state directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptJournal {
    /// The plan.
    pub plan: String,
    /// Where it lies.
    pub dir: PathBuf,
    /// What it takes up on disk.
    pub bytes: u64,
    /// When something was last written to it.
    pub last_used: SystemTime,
}

/// The journals of a repository, by plan.
pub fn kept_journals(paths: &Paths) -> Vec<KeptJournal> {
    let kept = |entry: fs::DirEntry| {
        let dir = entry.path();
        let parts = fs::read_dir(&dir).ok()?.flatten().map(|part| part.path());
        let changed = |path: PathBuf| fs::metadata(path).and_then(|meta| meta.modified()).ok();
        let last_used = parts.chain([dir.clone()]).filter_map(changed).max()?;
        let plan = entry.file_name().to_string_lossy().into_owned();
        Some(KeptJournal { plan, bytes: disk_usage(&dir), last_used, dir })
    };
    let mut found: Vec<KeptJournal> =
        fs::read_dir(paths.plans()).into_iter().flatten().flatten().filter_map(kept).collect();
    found.sort_by(|a, b| a.plan.cmp(&b.plan));
    found
}

/// Removes the journal and the outputs of a plan. The caller holds the coordinator's lock. Branches and the refs with the
/// evidence are not touched.
pub fn free_journal(dir: &Path) -> io::Result<()> {
    remove_any(dir)
}
