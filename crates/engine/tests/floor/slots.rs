//! Slots: reuse, crashes, hiding; exports.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use windlass_engine::slot::{SlotPool, export};

use crate::place::{Place, listing, write_files};

#[test]
fn numbers_are_given_out_from_the_lowest() {
    let place = Place::new();
    let pool = SlotPool::open(&place.path().join("slots")).unwrap();
    let one = pool.acquire().unwrap();
    let two = pool.acquire().unwrap();
    // Another process would open the pool anew; the lock is on the file.
    let three = SlotPool::open(&place.path().join("slots")).unwrap().acquire().unwrap();
    assert_eq!((one.number(), two.number(), three.number()), (1, 2, 3));
    two.release().unwrap();
    assert_eq!(pool.acquire().unwrap().number(), 2);
}

#[test]
fn a_slot_comes_back_to_its_commit_and_keeps_its_caches() {
    let place = Place::with_files(&[
        ("src/a", "1\n"),
        ("src/old", "x\n"),
        ("swap", "file\n"),
        (".gitignore", "target/\n*.tmp\n"),
    ]);
    let first = place.tip();
    place.git(&["rm", "-q", "src/old"]);
    let second = place.commit(&[("src/a", "2\n"), ("src/b", "3\n")]);
    let repo = place.repo();
    let pool = SlotPool::open(&place.path().join("slots")).unwrap();
    let mut slot = pool.acquire().unwrap();
    slot.prepare(&repo, &first, &[]).unwrap();
    let tree = slot.tree().to_owned();
    assert_eq!(listing(&tree), [".gitignore", "src/a", "src/old", "swap"]);

    let outside = place.path().join("outside");
    write_files(&outside, &[("keep", "x\n")]);
    write_files(
        &tree,
        &[("target/cache", "warm"), ("deep/x.tmp", "warm"), ("deep/junk", "j"), ("src/a", "9")],
    );
    write_files(&tree, &[("src/b/in-the-way", "j"), (".git/config", "[core]\n\tworktree = /\n")]);
    fs::remove_file(tree.join("swap")).unwrap();
    fs::create_dir(tree.join("swap")).unwrap();
    fs::remove_file(tree.join("src/old")).unwrap();
    symlink(&outside, tree.join("src/old")).unwrap();
    symlink(&outside, tree.join("link")).unwrap();
    fs::set_permissions(tree.join("src"), fs::Permissions::from_mode(0o555)).unwrap();
    slot.release().unwrap();

    let mut slot = pool.acquire().unwrap();
    assert_eq!(slot.number(), 1);
    slot.prepare(&repo, &second, &[]).unwrap();
    assert_eq!(listing(&tree), [".gitignore", "deep/x.tmp", "src/a", "src/b", "swap", "target/cache"]);
    assert_eq!(fs::read_to_string(tree.join("src/a")).unwrap(), "2\n");
    assert_eq!(listing(&outside), ["keep"]);
    assert_eq!(place.git_in(&tree, &["status", "--porcelain"]), "");
    assert_eq!(place.git_in(&tree, &["rev-parse", "HEAD"]), second.as_str());
    assert!(repo.changed_since(&tree, slot.index()).unwrap().is_empty());
}

#[test]
fn a_parent_directory_turned_into_a_link_is_not_followed() {
    let place = Place::with_files(&[("src/a", "1\n"), (".gitignore", "src\n")]);
    place.git(&["add", "-f", "src/a"]);
    place.commit(&[]);
    let repo = place.repo();
    let pool = SlotPool::open(&place.path().join("slots")).unwrap();
    let mut slot = pool.acquire().unwrap();
    slot.prepare(&repo, &place.tip(), &[]).unwrap();
    let outside = place.path().join("outside");
    write_files(&outside, &[("a", "mine\n")]);
    fs::remove_dir_all(slot.tree().join("src")).unwrap();
    symlink(&outside, slot.tree().join("src")).unwrap();
    slot.prepare(&repo, &place.tip(), &[]).unwrap();
    assert_eq!(fs::read_to_string(outside.join("a")).unwrap(), "mine\n");
    assert_eq!(fs::read_to_string(slot.tree().join("src/a")).unwrap(), "1\n");
}

#[test]
fn a_slot_that_was_not_given_back_is_wiped() {
    let place = Place::with_files(&[("a", "1\n"), (".gitignore", "target/\n")]);
    let repo = place.repo();
    let pool = SlotPool::open(&place.path().join("slots")).unwrap();
    let mut slot = pool.acquire().unwrap();
    slot.prepare(&repo, &place.tip(), &[]).unwrap();
    write_files(slot.tree(), &[("target/cache", "poisoned?"), ("a", "2\n")]);
    // A crash: the lock goes with the process, the marker was never written. A killed git leaves its lock too.
    fs::write(slot.index().with_file_name("index.lock"), "").unwrap();
    drop(slot);
    let mut slot = pool.acquire().unwrap();
    assert_eq!(slot.number(), 1);
    assert!(listing(slot.tree()).is_empty());
    slot.prepare(&repo, &place.tip(), &[]).unwrap();
    assert_eq!(listing(slot.tree()), [".gitignore", "a"]);
}

#[test]
fn a_failed_preparation_is_not_given_back_as_clean() {
    let place = Place::with_files(&[("a", "1\n"), (".gitignore", "target/\n")]);
    let repo = place.repo();
    let pool = SlotPool::open(&place.path().join("slots")).unwrap();
    let mut slot = pool.acquire().unwrap();
    write_files(slot.tree(), &[("target/cache", "x")]);
    let absent = windlass_core::ids::Oid::new(&"1".repeat(40)).unwrap();
    assert!(slot.prepare(&repo, &absent, &[]).is_err());
    slot.release().unwrap();
    assert!(listing(pool.acquire().unwrap().tree()).is_empty());
}

#[test]
fn hidden_paths_are_in_neither_the_files_nor_the_repository() {
    let place = Place::with_files(&[("a", "1\n"), ("plans/p/held-out", "secret\n")]);
    let secret = place.git(&["rev-parse", "HEAD:plans/p/held-out"]);
    let tip = place.commit(&[("a", "2\n")]);
    let repo = place.repo();
    let pool = SlotPool::open(&place.path().join("slots")).unwrap();
    let mut slot = pool.acquire().unwrap();
    slot.prepare(&repo, &tip, &["plans/"]).unwrap();
    let git = |args: &[&str]| place.git_in(slot.tree(), args);
    assert_eq!(listing(slot.tree()), ["a"]);
    assert_eq!(git(&["status", "--porcelain"]), "");
    assert_eq!(git(&["log", "--format=%s %an"]), "work Ada");
    assert_eq!(git(&["ls-files"]), "a");
    assert_eq!(git(&["fsck"]), "");
    assert!(!place.command(slot.tree(), &["cat-file", "-e", &secret]).status().unwrap().success());
}

#[test]
fn an_export_is_fresh_and_leaves_nothing() {
    let place = Place::with_files(&[("a", "1\n"), ("run", "x\n"), ("plans/x", "y\n")]);
    let repo = place.repo();
    let dir = place.path().join("exports/1");
    write_files(&dir, &[("left/over", "from a crash")]);
    {
        let export = export(&repo, &place.tip(), &dir, &["plans"]).unwrap();
        assert_eq!(listing(export.dir()), ["a", "run"]);
        assert!(repo.changed_since(export.dir(), export.index()).unwrap().is_empty());
        fs::write(dir.join("a"), "2\n").unwrap();
        fs::write(dir.join("untracked"), "build output\n").unwrap();
        fs::set_permissions(dir.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(repo.changed_since(export.dir(), export.index()).unwrap(), ["a", "run"]);
    }
    assert!(listing(&place.path().join("exports")).is_empty());
}
