//! Odd names, modes, sizes and refs, as tables.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use windlass_core::ids::Oid;
use windlass_engine::git::{ChangeKind, ExpectedRef, GitError, Ingest, RefMove, RefusalKind, Repo, TreeEdit};
use windlass_engine::slot::SlotPool;

use crate::place::{Place, listing, write_files};

/// A directory with the user's tip checked out, and what becomes of it.
struct Checkout {
    place: Place,
    repo: Repo,
    base: Oid,
}

impl Checkout {
    fn of(files: &[(&str, &str)]) -> Self {
        let place = Place::with_files(files);
        let repo = place.repo();
        let base = repo.tree_of(&place.tip()).unwrap();
        repo.materialise(&base, &place.path().join("slot"), &place.path().join("index")).unwrap();
        Self { place, repo, base }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.place.path().join("slot").join(name)
    }

    fn ingest(&self) -> windlass_engine::git::Ingested {
        let ingest = Ingest {
            dir: &self.place.path().join("slot"),
            index: &self.place.path().join("index"),
            base: &self.base,
            owned: &|_| true,
            max_file_bytes: 1000,
            max_total_bytes: 10_000,
        };
        self.repo.ingest(&ingest).unwrap()
    }
}

#[test]
fn names_are_taken_in_as_they_are_or_refused_by_name() {
    let long = "n".repeat(255);
    let nested = Some(RefusalKind::NestedRepository);
    let table: [(&str, Option<RefusalKind>); 19] = [
        ("plain", None),
        ("with space", None),
        (" leading and trailing ", None),
        ("tab\there", None),
        ("new\nline", None),
        ("carriage\rreturn", None),
        ("quote\"'`", None),
        ("back\\slash", None),
        ("-rf", None),
        ("--help", None),
        ("$(touch x);&|", None),
        ("*?[a]", None),
        ("...", None),
        ("~", None),
        ("cafe\u{301} 🦀", None),
        (&long, None),
        (".gitx/config", None),
        ("sub/.git/config", nested.clone()),
        ("sub/.GIT/config", nested),
    ];
    for (name, refused) in table {
        let checkout = Checkout::of(&[("a", "1\n")]);
        write_files(&checkout.place.path().join("slot"), &[(name, "text\n")]);
        let taken = checkout.ingest();
        match refused {
            None => {
                assert!(taken.refused.is_empty(), "{name:?}: {:?}", taken.refused);
                assert_eq!(taken.changes.len(), 1, "{name:?}");
                assert_eq!(
                    (taken.changes[0].path.as_str(), taken.changes[0].kind),
                    (name, ChangeKind::Added)
                );
                let text = checkout.repo.read_path(&taken.tree, name).unwrap();
                assert_eq!(text.as_deref(), Some(&b"text\n"[..]), "{name:?}");
            }
            Some(why) => {
                assert!(taken.changes.is_empty(), "{name:?}");
                assert_eq!(taken.refused[0].why, why, "{name:?}");
            }
        }
    }
}

#[test]
fn a_mode_is_executable_or_not_and_anything_else_is_refused() {
    let table = [
        (0o644, Some(0o100_644)),
        (0o600, Some(0o100_644)),
        (0o666, Some(0o100_644)),
        (0o755, Some(0o100_755)),
        (0o700, Some(0o100_755)),
        (0o654, Some(0o100_644)),
        (0o4755, None),
        (0o2755, None),
        (0o1755, None),
    ];
    for (mode, expected) in table {
        let checkout = Checkout::of(&[("a", "1\n")]);
        fs::write(checkout.path("new"), "x\n").unwrap();
        fs::set_permissions(checkout.path("new"), fs::Permissions::from_mode(mode)).unwrap();
        let taken = checkout.ingest();
        let taken_mode = taken.changes.first().and_then(|c| c.new.as_ref()).map(|(mode, _)| *mode);
        assert_eq!(taken_mode, expected, "{mode:o}");
        let why: Vec<&RefusalKind> = taken.refused.iter().map(|r| &r.why).collect();
        assert_eq!(why, if expected.is_some() { vec![] } else { vec![&RefusalKind::OddMode] }, "{mode:o}");
    }
}

#[test]
fn a_file_may_have_exactly_the_largest_size() {
    for (bytes, refused) in
        [(0, None), (999, None), (1000, None), (1001, Some(RefusalKind::TooLarge { bytes: 1001 }))]
    {
        let checkout = Checkout::of(&[("a", "1\n")]);
        let size = usize::try_from(bytes).unwrap();
        fs::write(checkout.path("new"), vec![b'x'; size]).unwrap();
        let taken = checkout.ingest();
        assert_eq!(taken.refused.into_iter().map(|r| r.why).next(), refused, "{bytes}");
        assert_eq!(taken.changes.len(), usize::from(refused.is_none()), "{bytes}");
    }
}

#[test]
fn bytes_are_taken_in_unconverted_whatever_the_attributes_say() {
    let attributes = "* text=auto eol=crlf\n*.lfs filter=lfs\n*.utf working-tree-encoding=UTF-16\n";
    let checkout = Checkout::of(&[(".gitattributes", attributes), ("a.txt", "1\n")]);
    checkout.place.git(&["config", "filter.lfs.clean", "false"]);
    checkout.place.git(&["config", "filter.lfs.required", "true"]);
    let table: [(&str, &[u8]); 5] = [
        ("a.txt", b"one\r\ntwo\nthree\r"),
        ("new.txt", b"\r\n"),
        ("big.lfs", b"not a pointer"),
        ("x.utf", "ü".as_bytes()),
        ("bin", &[0, 255, 10, 13, 10]),
    ];
    for (name, bytes) in table {
        fs::write(checkout.path(name), bytes).unwrap();
    }
    let taken = checkout.ingest();
    assert!(taken.refused.is_empty(), "{:?}", taken.refused);
    for (name, bytes) in table {
        assert_eq!(checkout.repo.read_path(&taken.tree, name).unwrap().as_deref(), Some(bytes), "{name}");
    }
}

#[test]
fn a_slot_is_what_its_commit_says_whatever_the_last_user_left() {
    type Mess = fn(&std::path::Path);
    let table: [(&str, Mess); 9] = [
        ("a changed file", |dir| fs::write(dir.join("a"), "9\n").unwrap()),
        ("a file of the same size and other bytes", |dir| fs::write(dir.join("a"), "0\n").unwrap()),
        ("a deleted directory", |dir| fs::remove_dir_all(dir.join("d")).unwrap()),
        ("an untracked file", |dir| fs::write(dir.join("new"), "x").unwrap()),
        ("an empty directory", |dir| fs::create_dir_all(dir.join("e/f")).unwrap()),
        ("another mode", |dir| {
            fs::set_permissions(dir.join("a"), fs::Permissions::from_mode(0o755)).unwrap();
        }),
        ("a directory instead of a file", |dir| {
            fs::remove_file(dir.join("a")).unwrap();
            fs::create_dir(dir.join("a")).unwrap();
            fs::write(dir.join("a/b"), "x").unwrap();
        }),
        ("a repository of its own", |dir| {
            fs::create_dir_all(dir.join("vendored/.git")).unwrap();
            fs::write(dir.join("vendored/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        }),
        ("rules, hooks and attributes in .git", |dir| {
            let git = dir.join(".git");
            let _ = fs::remove_file(&git);
            let _ = fs::remove_dir_all(&git);
            write_files(
                &git,
                &[
                    ("info/exclude", "*\n"),
                    ("info/attributes", "* text\n"),
                    ("hooks/post-checkout", "exit 1\n"),
                ],
            );
        }),
    ];
    let place = Place::with_files(&[("a", "1\n"), ("d/x", "x\n"), (".gitignore", "cache/\n")]);
    let repo = place.repo();
    let pool = SlotPool::open(&place.path().join("slots")).unwrap();
    for (what, mess) in table {
        let mut slot = pool.acquire().unwrap();
        slot.prepare(&repo, &place.tip(), &[]).unwrap();
        write_files(slot.tree(), &[("cache/kept", "warm")]);
        mess(slot.tree());
        slot.release().unwrap();
        let mut slot = pool.acquire().unwrap();
        assert_eq!(slot.number(), 1, "{what}: the same slot");
        slot.prepare(&repo, &place.tip(), &[]).unwrap();
        assert_eq!(listing(slot.tree()), [".gitignore", "a", "cache/kept", "d/x"], "{what}");
        assert_eq!(fs::read_to_string(slot.tree().join("a")).unwrap(), "1\n", "{what}");
        let mode = fs::metadata(slot.tree().join("a")).unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0, "{what}");
        assert_eq!(place.git_in(slot.tree(), &["status", "--porcelain"]), "", "{what}");
        assert!(!slot.tree().join(".git/hooks/post-checkout").exists(), "{what}");
        slot.release().unwrap();
    }
}

#[test]
fn a_ref_that_git_has_packed_is_moved_and_deleted_like_any_other() {
    let place = Place::with_files(&[("a", "1")]);
    let repo = place.repo();
    let one = place.tip();
    let two = place.commit(&[("a", "2")]);
    let name = "refs/windlass/demo/a/1/red";
    repo.update_ref(name, &one, ExpectedRef::Absent, "t").unwrap();
    place.git(&["pack-refs", "--all"]);
    let steps = [
        (ExpectedRef::Absent, RefMove::Mismatch { actual: Some(one.clone()) }),
        (ExpectedRef::Is(two.clone()), RefMove::Mismatch { actual: Some(one.clone()) }),
        (ExpectedRef::Is(one.clone()), RefMove::Moved),
        (ExpectedRef::Is(one.clone()), RefMove::Mismatch { actual: Some(two.clone()) }),
    ];
    for (expected, moved) in steps {
        assert_eq!(repo.update_ref(name, &two, expected.clone(), "t").unwrap(), moved, "{expected:?}");
    }
    place.git(&["pack-refs", "--all"]);
    assert_eq!(repo.delete_ref(name, ExpectedRef::Is(two)).unwrap(), RefMove::Moved);
    assert_eq!(repo.refs("refs/windlass/").unwrap(), []);
    assert_eq!(repo.delete_ref(name, ExpectedRef::Is(one)).unwrap(), RefMove::Mismatch { actual: None });
}

#[test]
fn a_symbolic_ref_is_replaced_and_what_it_points_at_stays() {
    let place = Place::with_files(&[("a", "1")]);
    let repo = place.repo();
    let one = place.tip();
    let two = place.commit(&[("a", "2")]);
    place.git(&["branch", "target", one.as_str()]);
    place.git(&["symbolic-ref", "refs/heads/link", "refs/heads/target"]);
    repo.update_ref("refs/heads/link", &two, ExpectedRef::Anything, "t").unwrap();
    assert_eq!(repo.resolve("refs/heads/link").unwrap(), Some(two));
    assert_eq!(repo.resolve("refs/heads/target").unwrap(), Some(one));
}

#[test]
fn the_log_of_a_branch_says_why_it_moved_in_one_line() {
    let place = Place::with_files(&[("a", "1")]);
    let repo = place.repo();
    let tip = place.tip();
    let name = "refs/heads/windlass/demo";
    repo.update_ref(name, &tip, ExpectedRef::Absent, "windlass: start\nof\0it").unwrap();
    let log = place.git(&["log", "-g", "-1", "--format=%gs by %gn", "windlass/demo"]);
    assert_eq!(log, "windlass: start of it by windlass");
}

#[test]
fn a_ref_to_an_object_that_is_not_there_is_refused() {
    let place = Place::with_files(&[("a", "1")]);
    let repo = place.repo();
    let absent = Oid::new(&"1".repeat(40)).unwrap();
    let moved = repo.update_ref("refs/heads/windlass/demo", &absent, ExpectedRef::Absent, "t");
    assert!(moved.is_err(), "{moved:?}");
    assert_eq!(repo.refs("refs/heads/windlass/").unwrap(), []);
}

#[test]
fn refs_are_listed_below_a_whole_part_of_their_name() {
    let place = Place::with_files(&[("a", "1")]);
    let repo = place.repo();
    for name in ["refs/windlass/demo/b", "refs/windlass/demo/a", "refs/windlass/demo2/a", "refs/heads/é"] {
        repo.update_ref(name, &place.tip(), ExpectedRef::Absent, "t").unwrap();
    }
    let names = |prefix: &str| -> Vec<String> {
        repo.refs(prefix).unwrap().into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names("refs/windlass/demo/"), ["refs/windlass/demo/a", "refs/windlass/demo/b"]);
    assert_eq!(names("refs/windlass/demo"), ["refs/windlass/demo/a", "refs/windlass/demo/b"]);
    assert_eq!(names("refs/heads/é"), ["refs/heads/é"]);
    assert_eq!(names("refs/none/"), [""; 0]);
}

#[test]
fn a_revision_is_a_commit_or_nothing() {
    let place = Place::with_files(&[("a", "1")]);
    let repo = place.repo();
    let tip = place.tip();
    place.git(&["tag", "-a", "-m", "v", "v1"]);
    let blob = place.git(&["rev-parse", "HEAD:a"]);
    for (revision, found) in [
        ("HEAD", true),
        ("main", true),
        ("refs/heads/main", true),
        ("v1", true),
        (tip.as_str(), true),
        (blob.as_str(), false),
        ("HEAD:a", false),
        ("HEAD~5", false),
        ("", false),
        ("-h", false),
        ("--all", false),
        ("a\0b", false),
        ("main..main", false),
    ] {
        assert_eq!(repo.resolve(revision).unwrap(), found.then(|| tip.clone()), "{revision:?}");
    }
}

#[test]
fn edits_of_a_tree_are_complete_or_refused() {
    let place = Place::with_files(&[("a", "1"), ("d/x", "2")]);
    let repo = place.repo();
    let base = place.tip();
    let blob = repo.write_blob(b"new").unwrap();
    let paths = |edits: &[(&str, bool)]| -> Result<Vec<String>, GitError> {
        let edits: Vec<TreeEdit> = edits
            .iter()
            .map(|(path, is_new)| TreeEdit {
                path: (*path).to_owned(),
                new: is_new.then(|| (0o100_644, blob.clone())),
            })
            .collect();
        let tree = repo.edit_tree(&base, &edits)?;
        Ok(repo.ls_tree(&tree)?.iter().map(|entry| entry.path.clone()).collect())
    };
    type EditRow<'a> = (&'a [(&'a str, bool)], &'a [&'a str]);
    let table: [EditRow<'_>; 6] = [
        (&[], &["a", "d/x"]),
        (&[("a", false)], &["d/x"]),
        (&[("a", false), ("d/x", false)], &[]),
        (&[("absent", false)], &["a", "d/x"]),
        (&[("d/x", false), ("d", true)], &["a", "d"]),
        (&[("a", false), ("a/b/c", true)], &["a/b/c", "d/x"]),
    ];
    for (edits, expected) in table {
        assert_eq!(paths(edits).unwrap(), expected, "{edits:?}");
    }
    for bad in ["", "/a", "a/", "a//b", ".", "../a", "a/./b", ".git", ".Git/config", "x/.git/y", "nul\0"] {
        let refused = paths(&[("fine", true), (bad, true)]);
        assert!(matches!(refused, Err(GitError::BadPath { .. })), "{bad:?}: {refused:?}");
    }
}
