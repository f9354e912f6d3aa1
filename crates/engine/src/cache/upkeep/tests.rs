//! What is dropped by itself, and what is not.

use std::fs::{self, File};

use super::*;
use crate::cache::CacheClaim;

/// Makes a file or directory look as if it was last changed so long ago.
fn age(path: &Path, age: Duration) {
    File::open(path).unwrap().set_modified(SystemTime::now() - age).unwrap();
}

/// The cache of a repository that was last used so long ago.
fn used(temp: &Path, name: &str, ago: Duration) -> Paths {
    let paths = Paths::new(&temp.join(name), temp);
    drop(CacheClaim::take(&paths).unwrap());
    age(&paths.cache().join("owner.json"), ago);
    paths
}

#[test]
fn caches_that_nobody_uses_are_dropped_and_others_stay() {
    let temp = tempfile::tempdir().unwrap();
    let old = used(temp.path(), "old", CACHE_AGE + DAY);
    let busy = used(temp.path(), "busy", CACHE_AGE + DAY);
    let recent = used(temp.path(), "recent", CACHE_AGE.checked_sub(DAY).unwrap());
    let orphan = used(temp.path(), "orphan", ORPHAN_AGE + DAY);
    let young_orphan = used(temp.path(), "young", DAY);
    for gone in ["orphan", "young"] {
        fs::remove_dir_all(temp.path().join(gone)).unwrap();
    }
    let claim = CacheClaim::take(&busy).unwrap();
    age(&busy.cache().join("owner.json"), CACHE_AGE + DAY);
    let own = used(temp.path(), "own", CACHE_AGE + DAY);
    drop_unused(&own, SystemTime::now());
    let there = [&old, &busy, &recent, &orphan, &young_orphan, &own].map(|paths| paths.cache().exists());
    assert_eq!(there, [false, true, true, false, true, true]);
    drop(claim);
}

#[test]
fn slots_that_nobody_used_for_days_are_dropped() {
    let temp = tempfile::tempdir().unwrap();
    let paths = Paths::new(&temp.path().join("repo"), temp.path());
    let pool = crate::slot::SlotPool::open(&paths.slots()).unwrap();
    let slots: Vec<_> = (0..3).map(|_| pool.acquire().unwrap()).collect();
    let mut slots = slots.into_iter();
    let (old, busy, fresh) = (slots.next().unwrap(), slots.next().unwrap(), slots.next().unwrap());
    old.release().unwrap();
    fresh.release().unwrap();
    for part in ["1/tree", "1", "1.clean", "2/tree", "2"] {
        age(&paths.slots().join(part), SLOT_AGE + DAY);
    }
    drop_unused(&paths, SystemTime::now());
    let there = |part: &str| paths.slots().join(part).exists();
    assert!(!there("1") && !there("1.clean") && there("2") && there("3") && there("3.clean"));
    drop(busy);
}
