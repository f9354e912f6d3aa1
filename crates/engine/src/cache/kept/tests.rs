//! Freeing caches, and not freeing those in use.

use std::fs;

use super::*;
use crate::cache::CacheClaim;
use crate::paths::Paths;

#[test]
fn a_cache_is_listed_with_its_parts_and_freed_when_nobody_uses_it() {
    let temp = tempfile::tempdir().unwrap();
    let paths = Paths::new(&temp.path().join(".git"), temp.path());
    let claim = CacheClaim::take(&paths).unwrap();
    fs::create_dir_all(paths.slots().join("1")).unwrap();
    fs::write(paths.slots().join("1/big"), vec![1; 1 << 16]).unwrap();
    fs::create_dir_all(paths.exports()).unwrap();
    // Something else in the same directory is not ours to touch.
    fs::create_dir_all(temp.path().join("windlass/notes")).unwrap();
    let listed = || kept_caches(temp.path());
    let all = listed();
    assert_eq!(all.len(), 1);
    assert!(all[0].in_use && !all[0].is_orphaned());
    let names: Vec<String> = all[0].parts().into_iter().map(|part| part.name).collect();
    assert_eq!(names, ["slots", "exports"]);
    assert!(all[0].parts()[0].bytes >= 1 << 16);
    assert!(!free_cache(paths.cache()).unwrap());
    assert!(paths.slots().join("1/big").exists());
    drop(claim);
    assert!(!listed()[0].in_use);
    fs::remove_dir_all(temp.path().join(".git")).unwrap();
    assert!(listed()[0].is_orphaned());
    assert!(free_cache(paths.cache()).unwrap());
    assert!(listed().is_empty() && temp.path().join("windlass/notes").exists());
    drop(CacheClaim::take(&paths).unwrap());
    assert_eq!(listed().len(), 1, "it is made again when it is needed");
}
