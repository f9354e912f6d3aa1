//! Slots: reuse, crashes, hiding; exports.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use windlass_core::ids::Oid;
use windlass_engine::slot::{BaseAge, Bases, SlotPool, export, export_over};

use crate::place::{Place, listing, write_files};

/// What a process does to a base.
type Harm = fn(&std::path::Path);

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
fn a_damaged_slot_is_made_anew() {
    let place = Place::with_files(&[("a", "1\n"), ("b/c", "2\n"), (".gitignore", "target/\n")]);
    let repo = place.repo();
    let pool = SlotPool::open(&place.path().join("slots")).unwrap();
    let home = place.path().join("slots/1");
    let harm: [(&str, Harm); 4] = [
        ("no index", |home| fs::write(home.join("index"), "not an index").unwrap()),
        ("a cut index", |home| {
            let bytes = fs::read(home.join("index")).unwrap();
            fs::write(home.join("index"), &bytes[..bytes.len() / 2]).unwrap();
        }),
        ("a lock that a killed git left", |home| fs::write(home.join("index.lock"), "").unwrap()),
        ("no files at all", |home| fs::remove_dir_all(home.join("tree")).unwrap()),
    ];
    for (what, harm) in harm {
        let mut slot = pool.acquire().unwrap();
        slot.prepare(&repo, &place.tip(), &[]).unwrap();
        slot.release().unwrap();
        harm(&home);
        let mut slot = pool.acquire().unwrap();
        assert_eq!(slot.number(), 1, "{what}");
        slot.prepare(&repo, &place.tip(), &[]).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(listing(slot.tree()), [".gitignore", "a", "b/c"], "{what}");
        slot.release().unwrap();
    }
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
        assert!(export.changed(&repo).unwrap().is_empty());
        fs::write(dir.join("a"), "2\n").unwrap();
        fs::write(dir.join("untracked"), "build output\n").unwrap();
        fs::set_permissions(dir.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(export.changed(&repo).unwrap(), ["a", "run"]);
    }
    assert!(listing(&place.path().join("exports")).is_empty());
}

/// Everything below a directory with its kind, its bytes and whether it can be executed.
fn shown(dir: &std::path::Path) -> Vec<String> {
    let show = |name: String| {
        let (path, meta) = (dir.join(&name), fs::symlink_metadata(dir.join(&name)).unwrap());
        let content = if meta.is_symlink() {
            format!("-> {}", fs::read_link(path).unwrap().display())
        } else {
            fs::read_to_string(path).unwrap()
        };
        format!("{name} {:o} {content}", meta.permissions().mode() & 0o100)
    };
    listing(dir).into_iter().map(show).collect()
}

#[test]
fn a_base_moves_from_tree_to_tree_and_is_what_a_fresh_export_would_be() {
    let place =
        Place::with_files(&[("a", "1\n"), ("dir/x", "x\n"), ("dir/deep/y", "y\n"), ("plans/p", "p\n")]);
    let mut trees = vec![place.tip()];
    fs::remove_dir_all(place.user().join("dir")).unwrap();
    symlink("a", place.user().join("link")).unwrap();
    trees.push(place.commit(&[("dir", "a file now\n"), ("a", "2\n")]));
    fs::set_permissions(place.user().join("a"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::remove_file(place.user().join("dir")).unwrap();
    fs::remove_file(place.user().join("link")).unwrap();
    trees.push(place.commit(&[("dir/z", "z\n"), ("link/inside", "i\n")]));
    trees.extend([trees[0].clone(), trees[2].clone(), trees[1].clone(), trees[1].clone()]);
    let repo = place.repo();
    let bases = Bases::at(&place.path().join("bases"));
    for tree in &trees {
        let over =
            export_over(&bases, &repo, tree, &place.path().join("over"), &["plans"], BaseAge::Kept).unwrap();
        let fresh = export(&repo, tree, &place.path().join("fresh"), &["plans"]).unwrap();
        let base = over.base().unwrap();
        assert!(base.ends_with("1/tree"), "one at a time is enough");
        assert_eq!(shown(base), shown(fresh.dir()));
        assert!(listing(over.dir()).is_empty());
        assert!(over.changed(&repo).unwrap().is_empty());
    }
}

/// Of every file: when it was changed last, by its own word.
fn times(dir: &std::path::Path, files: &[&str]) -> Vec<std::time::SystemTime> {
    files.iter().map(|file| fs::symlink_metadata(dir.join(file)).unwrap().modified().unwrap()).collect()
}

#[test]
fn all_files_of_a_base_have_one_time_which_is_a_new_one_if_it_must_be() {
    let place = Place::with_files(&[("a", "1\n"), ("b/c", "2\n")]);
    let first = place.tip();
    let second = place.commit(&[("b/d", "3\n"), ("a", "4\n")]);
    let (repo, over) = (place.repo(), place.path().join("over"));
    let export = |root: &str, tree: &Oid, age: BaseAge| {
        let bases = Bases::at(&place.path().join(root));
        let over = export_over(&bases, &repo, tree, &over, &[], age).unwrap();
        let base = over.base().unwrap().to_owned();
        let files: &[&str] = if *tree == first { &["a", "b/c"] } else { &["a", "b/c", "b/d"] };
        let times = times(&base, files);
        assert!(times.iter().all(|time| *time == times[0]), "{times:?}");
        assert!(over.changed(&repo).unwrap().is_empty());
        times[0]
    };
    for root in ["one", "two"] {
        let began = export(root, &first, BaseAge::Kept);
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert_eq!(export(root, &second, BaseAge::Kept), began);
        let anew = export(root, &first, BaseAge::Now);
        assert!(anew > began);
        assert_eq!(export(root, &second, BaseAge::Kept), anew);
    }
}

#[test]
fn two_at_a_time_never_share_a_base() {
    let place = Place::with_files(&[("a", "1\n")]);
    let (repo, bases) = (place.repo(), Bases::at(&place.path().join("bases")));
    let one = export_over(&bases, &repo, &place.tip(), &place.path().join("one"), &[], BaseAge::Now).unwrap();
    let two = export_over(&bases, &repo, &place.tip(), &place.path().join("two"), &[], BaseAge::Now).unwrap();
    assert_ne!(one.base(), two.base());
}

#[test]
fn a_base_that_somebody_wrote_to_is_not_used_again() {
    let place = Place::with_files(&[("a", "1\n"), ("b/c", "2\n")]);
    let (repo, bases) = (place.repo(), Bases::at(&place.path().join("bases")));
    let take =
        || export_over(&bases, &repo, &place.tip(), &place.path().join("over"), &[], BaseAge::Kept).unwrap();
    let harm: [(&str, Harm); 5] = [
        ("other bytes", |base| fs::write(base.join("a"), "0\n").unwrap()),
        ("a new file", |base| fs::write(base.join("b/conftest.py"), "").unwrap()),
        ("an empty directory", |base| fs::create_dir(base.join("b/d")).unwrap()),
        ("a file less", |base| fs::remove_file(base.join("b/c")).unwrap()),
        ("another mode", |base| {
            fs::set_permissions(base.join("a"), fs::Permissions::from_mode(0o755)).unwrap();
        }),
    ];
    for (what, harm) in harm {
        let over = take();
        harm(over.base().unwrap());
        assert!(over.changed(&repo).is_err(), "{what}: whoever works on it is not believed");
        drop(over);
        let over = take();
        assert_eq!(shown(over.base().unwrap()), ["a 0 1\n", "b/c 0 2\n"], "{what}");
        assert!(over.changed(&repo).unwrap().is_empty(), "{what}");
    }
}

#[test]
fn a_base_whose_tree_is_gone_from_the_repository_is_made_anew() {
    let place = Place::with_files(&[("a", "1\n")]);
    let bases = Bases::at(&place.path().join("bases"));
    let take = |repo| {
        export_over(&bases, &repo, &place.tip(), &place.path().join("over"), &[], BaseAge::Now).unwrap()
    };
    drop(take(place.repo()));
    // The repository is made anew at the same path: the tree of the base is unknown to it.
    fs::remove_dir_all(place.user().join(".git")).unwrap();
    place.git(&["init", "-q"]);
    place.commit(&[("a", "2\n"), ("b", "3\n")]);
    let over = take(place.repo());
    assert_eq!(shown(over.base().unwrap()), ["a 0 2\n", "b 0 3\n"]);
    assert!(over.changed(&place.repo()).unwrap().is_empty());
}

#[test]
fn what_was_written_over_a_base_is_told_apart_from_what_was_built() {
    let place = Place::with_files(&[("a", "1\n"), ("b/c", "2\n"), ("b/d/e", "3\n")]);
    let (repo, bases) = (place.repo(), Bases::at(&place.path().join("bases")));
    let over =
        export_over(&bases, &repo, &place.tip(), &place.path().join("over"), &[], BaseAge::Now).unwrap();
    let dir = over.dir();
    // Build output, and files that were written and are what they were.
    write_files(dir, &[("target/x.o", "o"), ("b/new", "n"), ("a", "1\n"), ("b/d/e", "3\n")]);
    assert!(over.changed(&repo).unwrap().is_empty());
    write_files(dir, &[("a", "2\n")]);
    fs::set_permissions(dir.join("b/d/e"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(over.changed(&repo).unwrap(), ["a", "b/d/e"]);
    fs::remove_dir_all(dir.join("b")).unwrap();
    symlink("/tmp", dir.join("b")).unwrap();
    assert_eq!(over.changed(&repo).unwrap(), ["a", "b/c", "b/d/e"]);
    fs::remove_file(dir.join("a")).unwrap();
    fs::create_dir(dir.join("a")).unwrap();
    fs::remove_file(dir.join("b")).unwrap();
    assert_eq!(over.changed(&repo).unwrap(), ["a"]);
}

#[test]
fn a_slot_may_lie_on_another_file_system_than_the_repository() {
    use std::os::unix::fs::MetadataExt as _;
    let place = Place::with_files(&[("a", "1\n")]);
    let elsewhere = tempfile::tempdir_in("/dev/shm").unwrap();
    let device = |path: &std::path::Path| fs::metadata(path).unwrap().dev();
    assert_ne!(device(elsewhere.path()), device(place.path()), "this test needs two file systems");
    // A name that means something in a list of directories, too.
    let pool = SlotPool::open(&elsewhere.path().join("sl:ots \"x\"")).unwrap();
    let mut slot = pool.acquire().unwrap();
    slot.prepare(&place.repo(), &place.tip(), &[]).unwrap();
    assert_eq!(place.git_in(slot.tree(), &["log", "--format=%s"]), "work");
    let bases = Bases::at(&elsewhere.path().join("bases"));
    let over =
        export_over(&bases, &place.repo(), &place.tip(), &elsewhere.path().join("over"), &[], BaseAge::Now)
            .unwrap();
    assert_eq!(listing(over.base().unwrap()), ["a"]);
}

/// A repository with so many files, and the same with one of them changed.
fn large(files: usize) -> (Place, Oid, Oid) {
    let text = |n: usize| format!("file {n}\n{}", "a line of ordinary length\n".repeat(20 + n % 200));
    let texts: Vec<(String, String)> =
        (0..files).map(|n| (format!("lib/d{}/f{n}.txt", n / 100), text(n))).collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let place = Place::with_files(&files);
    let first = place.tip();
    let second = place.commit(&[("lib/d0/f0.txt", "changed\n")]);
    place.git(&["repack", "-q", "-a", "-d"]);
    (place, first, second)
}

#[test]
#[ignore = "a measurement; scripts/scale runs it"]
fn how_long_a_slot_of_many_files_takes_against_git_checkout() {
    let files = std::env::var("WINDLASS_SLOT_FILES").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let (place, first, second) = large(files);
    let repo = place.repo();
    let timed = |what: &mut dyn FnMut()| {
        let since = std::time::Instant::now();
        what();
        since.elapsed().as_secs_f64()
    };
    let (mut checkout, mut fresh, mut again) = (f64::MAX, f64::MAX, f64::MAX);
    for round in 0..5 {
        let dir = place.path().join(format!("checkout-{round}"));
        let path = dir.display().to_string();
        // Without the files, so that the next call writes all of them and nothing else.
        place.git(&["worktree", "add", "-q", "--no-checkout", "--detach", &path, first.as_str()]);
        checkout = checkout.min(timed(&mut || drop(place.git_in(&dir, &["reset", "-q", "--hard"]))));
        let pool = SlotPool::open(&place.path().join(format!("slots-{round}"))).unwrap();
        let mut slot = pool.acquire().unwrap();
        fresh = fresh.min(timed(&mut || slot.prepare(&repo, &first, &[]).unwrap()));
        slot.release().unwrap();
        let mut slot = pool.acquire().unwrap();
        again = again.min(timed(&mut || slot.prepare(&repo, &second, &[]).unwrap()));
        for gone in [dir, place.path().join(format!("slots-{round}"))] {
            fs::remove_dir_all(gone).unwrap();
        }
    }
    println!(
        "slots: {files} files, best of 5: `git checkout` {checkout:.3} s, a new slot {fresh:.3} s ({:.2} x), a used one {again:.3} s \
         ({:.2} x)",
        fresh / checkout,
        again / checkout
    );
}
