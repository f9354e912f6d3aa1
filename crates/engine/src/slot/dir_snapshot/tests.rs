//! Tests: snapshots of a base.

use super::*;

#[test]
fn files_at_a_path_and_below_it() {
    let look = FileStamp { inode: 1, mode: 0o100_644, size: 0, modified: (0, 0), changed: (0, 0) };
    let names = ["a", "a-b", "a/b", "a/c/d", "ab", "b"];
    let picture =
        DirSnapshot { files: names.map(|n| (n.to_owned(), look)).into(), dirs: BTreeSet::default() };
    assert_eq!(picture.below("a").collect::<Vec<_>>(), ["a", "a/b", "a/c/d"]);
    assert_eq!(picture.below("a/c").collect::<Vec<_>>(), ["a/c/d"]);
    assert_eq!(picture.below("").count(), names.len());
    assert_eq!(picture.below("none").count(), 0);
}

#[test]
fn a_touched_file_is_seen_and_all_files_have_one_time() {
    let temp = tempfile::tempdir().unwrap();
    fs::create_dir(temp.path().join("d")).unwrap();
    for name in ["a", "d/b"] {
        fs::write(temp.path().join(name), name).unwrap();
    }
    let picture = DirSnapshot::take_fresh(temp.path()).unwrap();
    assert_eq!(picture.files["a"].modified, picture.files["d/b"].modified);
    assert!(picture.is_unchanged(temp.path()));
    let kept = serde_json::to_vec(&picture).unwrap();
    assert_eq!(serde_json::from_slice::<DirSnapshot>(&kept).unwrap(), picture);
    // The same bytes and times: the change is still seen.
    fs::write(temp.path().join("a"), "a").unwrap();
    let (seconds, nanos) = picture.files["a"].modified;
    touch(&temp.path().join("a"), Timespec { tv_sec: seconds, tv_nsec: nanos }).unwrap();
    assert!(!picture.is_unchanged(temp.path()));
}
