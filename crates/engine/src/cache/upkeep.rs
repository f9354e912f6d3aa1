//! Drops what was not used for a long time, at the end of a run.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::kept::{free_cache, kept_caches};
use crate::paths::Paths;
use crate::slot::drop_idle;

const DAY: Duration = Duration::from_hours(24);
/// How long the cache of a repository is kept without being used.
pub const CACHE_AGE: Duration = Duration::from_secs(30 * DAY.as_secs());
/// How long a cache is kept whose repository is gone.
pub const ORPHAN_AGE: Duration = Duration::from_secs(7 * DAY.as_secs());
/// How long a slot or an export is kept without being used.
pub const SLOT_AGE: Duration = Duration::from_secs(7 * DAY.as_secs());

/// Drops unused slots and exports of this repository, and unused caches of others. What cannot be removed is left for
/// the next time.
pub(crate) fn drop_unused(paths: &Paths, now: SystemTime) {
    let older = |than: Duration| now.checked_sub(than);
    if let Some(before) = older(SLOT_AGE) {
        for root in [paths.slots(), paths.exports()] {
            drop_idle(&root, before);
        }
        drop_files(&paths.cache().join("planning"), before);
    }
    let Some(home) = paths.cache().parent().and_then(Path::parent) else { return };
    for cache in kept_caches(home) {
        let age = if cache.is_orphaned() { ORPHAN_AGE } else { CACHE_AGE };
        let unused = older(age).is_some_and(|before| cache.last_used < before);
        if unused && cache.dir != paths.cache() {
            let _ = free_cache(&cache.dir);
        }
    }
}

/// Drops directories that have not changed since.
fn drop_files(dir: &Path, before: SystemTime) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let changed = entry.metadata().and_then(|meta| meta.modified());
        if changed.is_ok_and(|changed| changed < before) {
            let _ = crate::removal::remove_any(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests;
