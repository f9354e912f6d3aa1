//! What is taken in from an agent's directory and what is not.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::Command;

use windlass_core::ids::Oid;
use windlass_engine::git::{ChangeKind, Ingest, Ingested, Refusal, RefusalKind, Repo};

use crate::place::{Place, write_files};

struct Bench {
    place: Place,
    repo: Repo,
    base: Oid,
    dir: PathBuf,
    index: PathBuf,
}

impl Bench {
    fn new(files: &[(&str, &str)]) -> Self {
        Self::of(Place::with_files(files))
    }

    fn of(place: Place) -> Self {
        let repo = place.repo();
        let base = repo.tree_of(&place.tip()).unwrap();
        let (dir, index) = (place.path().join("slot"), place.path().join("index"));
        repo.materialise(&base, &dir, &index).unwrap();
        Self { place, repo, base, dir, index }
    }

    fn write(&self, files: &[(&str, &str)]) {
        write_files(&self.dir, files);
    }

    fn ingest_owning(&self, owned: &dyn Fn(&str) -> bool) -> Ingested {
        let ingest = Ingest {
            dir: &self.dir,
            index: &self.index,
            base: &self.base,
            owned,
            max_file_bytes: 1000,
            max_total_bytes: 20_000,
        };
        self.repo.ingest(&ingest).unwrap()
    }

    fn ingest(&self) -> Ingested {
        self.ingest_owning(&|_| false)
    }
}

fn changes(ingested: &Ingested) -> Vec<(&str, ChangeKind)> {
    ingested.changes.iter().map(|change| (change.path.as_str(), change.kind)).collect()
}

fn refused(ingested: &Ingested) -> Vec<(&str, &RefusalKind)> {
    ingested.refused.iter().map(|Refusal { path, why }| (path.as_str(), why)).collect()
}

#[test]
fn an_untouched_directory_gives_the_base_back() {
    let bench = Bench::new(&[("a", "1\r\n"), ("b/c", ""), (".gitignore", "x\n")]);
    let taken = bench.ingest();
    assert_eq!((taken.tree, taken.changes, taken.refused), (bench.base.clone(), vec![], vec![]));
    // Touched but equal is equal.
    bench.write(&[("a", "1\r\n")]);
    assert_eq!(bench.ingest().changes, []);
}

#[test]
fn added_modified_deleted_and_executable() {
    let bench = Bench::new(&[("a", "1\n"), ("b", "2\n"), ("c", "3\n"), ("d/e", "4\n"), ("f", "5\n")]);
    bench.write(&[("a", "9\n"), ("new/deep/x", "n\n"), ("Ä \"q\"", "u\n")]);
    fs::remove_file(bench.dir.join("b")).unwrap();
    fs::set_permissions(bench.dir.join("c"), fs::Permissions::from_mode(0o755)).unwrap();
    // A directory becomes a file, and a file a directory.
    fs::remove_dir_all(bench.dir.join("d")).unwrap();
    fs::remove_file(bench.dir.join("f")).unwrap();
    bench.write(&[("d", "now a file\n"), ("f/g", "now below\n")]);
    let taken = bench.ingest();
    let expected = [
        ("a", ChangeKind::Modified),
        ("b", ChangeKind::Deleted),
        ("c", ChangeKind::Modified),
        ("d", ChangeKind::Added),
        ("d/e", ChangeKind::Deleted),
        ("f", ChangeKind::Deleted),
        ("f/g", ChangeKind::Added),
        ("new/deep/x", ChangeKind::Added),
        ("Ä \"q\"", ChangeKind::Added),
    ];
    assert_eq!(changes(&taken), expected);
    let mode = taken.changes[2].new.as_ref().unwrap().0;
    assert_eq!(mode, 0o100_755);
    assert!(taken.refused.is_empty());
    assert_eq!(bench.repo.read_path(&taken.tree, "a").unwrap().unwrap(), b"9\n");
}

#[test]
fn the_bases_rules_decide_what_is_dropped() {
    let bench = Bench::new(&[
        (".gitignore", "/target/\n*.log\n!important.log\n"),
        ("sub/.gitignore", "gen/\n"),
        ("target_src", "x\n"),
    ]);
    bench.write(&[
        ("target/debug/out", "o\n"),
        ("target/debug/owned.rs", "o\n"),
        ("a.log", "o\n"),
        ("important.log", "kept\n"),
        ("sub/gen/y", "o\n"),
        ("gen/y", "kept\n"),
        // The agent's own rules and excludes hide nothing.
        (".gitignore", "*\n"),
        ("sub/gen.gitignore", "*\n"),
        (".git/info/exclude", "*\n"),
    ]);
    let taken = bench.ingest_owning(&|path| path == "target/debug/owned.rs");
    let expected = [
        (".gitignore", ChangeKind::Modified),
        ("gen/y", ChangeKind::Added),
        ("important.log", ChangeKind::Added),
        ("sub/gen.gitignore", ChangeKind::Added),
        ("target/debug/owned.rs", ChangeKind::Added),
    ];
    assert_eq!(changes(&taken), expected);
    assert!(taken.refused.is_empty());
}

#[test]
fn what_tools_leave_behind_is_not_taken_in() {
    let bench = Bench::new(&[("src/a.py", "x\n"), ("vendored/node_modules/kept.js", "x\n")]);
    bench.write(&[
        ("src/a.py", "changed\n"),
        ("src/__pycache__/a.cpython-311.pyc", "o\n"),
        (".pytest_cache/.gitignore", "# Created by pytest automatically.\n*\n"),
        (".pytest_cache/v/cache/lastfailed", "{}\n"),
        (".coverage", "o\n"),
        ("some-cache/.gitignore", "*\n"),
        ("some-cache/data", "o\n"),
        ("target/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n"),
        ("target/debug/out", "o\n"),
        // The base tracks this one, and the task owns that one.
        ("vendored/node_modules/kept.js", "changed\n"),
        ("some-cache/owned", "o\n"),
    ]);
    fs::create_dir_all(bench.dir.join("node_modules/.bin")).unwrap();
    symlink("../tool.js", bench.dir.join("node_modules/.bin/tool")).unwrap();
    let taken = bench.ingest_owning(&|path| path == "some-cache/owned");
    let expected = [
        ("some-cache/owned", ChangeKind::Added),
        ("src/a.py", ChangeKind::Modified),
        ("vendored/node_modules/kept.js", ChangeKind::Modified),
    ];
    assert_eq!(changes(&taken), expected);
    assert!(taken.refused.is_empty(), "{:?}", taken.refused);
}

#[test]
fn a_tracked_file_that_the_rules_ignore_is_still_tracked() {
    let place = Place::with_files(&[(".gitignore", "*.log\nout/\n")]);
    fs::create_dir(place.user().join("out")).unwrap();
    fs::write(place.user().join("kept.log"), "1\n").unwrap();
    fs::write(place.user().join("out/kept"), "1\n").unwrap();
    place.git(&["add", "-f", "kept.log", "out/kept"]);
    place.commit(&[]);
    let bench = Bench::of(place);
    bench.write(&[("kept.log", "2\n"), ("out/new", "dropped\n")]);
    fs::remove_file(bench.dir.join("out/kept")).unwrap();
    let taken = bench.ingest();
    assert_eq!(changes(&taken), [("kept.log", ChangeKind::Modified), ("out/kept", ChangeKind::Deleted)]);
}

#[test]
fn what_could_lead_elsewhere_is_refused() {
    let place = Place::with_files(&[
        ("file", "x\n"),
        ("dir/inner", "x\n"),
        ("dir/sub/deep", "x\n"),
        (".gitignore", "ok/\n"),
        ("big", "x\n"),
        ("suid", "x\n"),
    ]);
    symlink("file", place.user().join("old-link")).unwrap();
    symlink("file", place.user().join("changed-link")).unwrap();
    place.commit(&[]);
    let bench = Bench::of(place);
    let outside = bench.place.path().join("outside");
    write_files(&outside, &[("inner", "stolen\n"), ("sub/deep", "stolen\n")]);
    let at = |path: &str| bench.dir.join(path);
    symlink("/etc/passwd", at("new-link")).unwrap();
    fs::remove_file(at("changed-link")).unwrap();
    symlink("/etc/passwd", at("changed-link")).unwrap();
    fs::remove_dir_all(at("dir")).unwrap();
    symlink(&outside, at("dir")).unwrap();
    fs::remove_file(at("file")).unwrap();
    symlink("big", at("file")).unwrap();
    assert!(Command::new("git").args(["init", "-q"]).arg(at("nested")).status().unwrap().success());
    bench.write(&[("nested/content", "seen\n"), ("worktree/.git", "gitdir: /x\n"), ("ok/clone/.git/x", "y")]);
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    fs::write(at("big"), vec![b'x'; 1001]).unwrap();
    fs::set_permissions(at("suid"), fs::Permissions::from_mode(0o4755)).unwrap();
    let odd = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"\xff");
    fs::write(bench.dir.join(odd), "x").unwrap();

    let taken = bench.ingest();
    assert_eq!(changes(&taken), [("nested/content", ChangeKind::Added)]);
    let expected = [
        ("\\xff", &RefusalKind::NotUtf8),
        ("big", &RefusalKind::TooLarge { bytes: 1001 }),
        ("changed-link", &RefusalKind::Symlink),
        ("dir", &RefusalKind::Symlink),
        ("file", &RefusalKind::Symlink),
        ("nested/.git", &RefusalKind::NestedRepository),
        ("new-link", &RefusalKind::Symlink),
        ("pipe", &RefusalKind::SpecialFile),
        ("suid", &RefusalKind::OddMode),
        ("worktree/.git", &RefusalKind::NestedRepository),
    ];
    assert_eq!(refused(&taken), expected);
}

#[test]
fn a_submodule_stays_what_it_was_unless_filled() {
    let place = Place::with_files(&[("a", "1\n")]);
    let commit = place.tip();
    place.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{commit},sub")]);
    place.git(&["commit", "-q", "-m", "submodule"]);
    let bench = Bench::of(place);
    assert!(bench.dir.join("sub").is_dir());
    assert_eq!(changes(&bench.ingest()), []);
    fs::remove_dir(bench.dir.join("sub")).unwrap();
    assert_eq!(changes(&bench.ingest()), []);
    bench.write(&[("sub/x", "content\n"), ("sub/.git/config", "[core]\n\tfsmonitor = /bin/false\n")]);
    let taken = bench.ingest();
    assert_eq!(changes(&taken), []);
    assert_eq!(refused(&taken), [("sub", &RefusalKind::Gitlink)]);
}

#[test]
fn index_tricks_and_forged_times_hide_nothing() {
    let bench = Bench::new(&[("test", "assert true\n"), ("other", "x\n")]);
    bench.repo.fetch_into_private(&bench.place.tip(), &bench.dir).unwrap();
    bench.place.git_in(&bench.dir, &["update-index", "--skip-worktree", "test"]);
    bench.place.git_in(&bench.dir, &["update-index", "--assume-unchanged", "other"]);
    let path = bench.dir.join("test");
    let old = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, "assert fals\n").unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
    bench.write(&[("other", "y\n")]);
    let taken = bench.ingest();
    assert_eq!(changes(&taken), [("other", ChangeKind::Modified), ("test", ChangeKind::Modified)]);
}

#[test]
fn hidden_paths_are_neither_deleted_nor_hiding_places() {
    let place = Place::with_files(&[("src/a", "1\n"), ("plans/p/plan.toml", "x\n"), ("plansx", "y\n")]);
    let repo = place.repo();
    let base = repo.tree_of(&place.tip()).unwrap();
    let export = windlass_engine::slot::export(&repo, &base, &place.path().join("out"), &["plans/"]).unwrap();
    assert!(!export.dir().join("plans").exists());
    assert!(export.dir().join("plansx").exists());
    let ingest = Ingest {
        dir: export.dir(),
        index: &place.path().join("out.index"),
        base: &base,
        owned: &|_| true,
        max_file_bytes: 100,
        max_total_bytes: 100,
    };
    assert_eq!(changes(&repo.ingest(&ingest).unwrap()), []);
    write_files(export.dir(), &[("plans/p/plan.toml", "forged\n"), ("plans/new", "z\n")]);
    let taken = repo.ingest(&ingest).unwrap();
    assert_eq!(
        changes(&taken),
        [("plans/new", ChangeKind::Added), ("plans/p/plan.toml", ChangeKind::Modified)]
    );
}

#[test]
fn a_thousand_files_and_the_limit_on_their_sum() {
    let bench = Bench::new(&[("a", "1\n")]);
    for n in 0..1000 {
        bench.write(&[(&format!("d{}/f{n}", n % 7), &format!("{n:010}\n"))]);
    }
    let taken = bench.ingest();
    assert_eq!((taken.changes.len(), taken.refused.len()), (1000, 0));
    assert_eq!(bench.repo.read_path(&taken.tree, "d0/f700").unwrap().unwrap(), b"0000000700\n");
    let big = "x".repeat(999);
    for n in 0..10 {
        bench.write(&[(&format!("z{n}"), &big)]);
    }
    let taken = bench.ingest();
    let expected = [("z9", &RefusalKind::TotalTooLarge { bytes: 999 })];
    assert_eq!(refused(&taken), expected);
}

#[test]
fn a_second_ingest_continues_from_the_same_base() {
    let bench = Bench::new(&[("a", "1\n")]);
    bench.write(&[("test", "t\n")]);
    let red = bench.ingest();
    bench.write(&[("a", "2\n")]);
    let green = bench.ingest();
    assert_eq!(changes(&red), [("test", ChangeKind::Added)]);
    assert_eq!(changes(&green), [("a", ChangeKind::Modified), ("test", ChangeKind::Added)]);
    // Against another tree than the one laid down: only what differs from that one.
    let base = red.tree;
    let ingest = Ingest {
        dir: &bench.dir,
        index: &bench.index,
        base: &base,
        owned: &|_| false,
        max_file_bytes: 100,
        max_total_bytes: 100,
    };
    assert_eq!(changes(&bench.repo.ingest(&ingest).unwrap()), [("a", ChangeKind::Modified)]);
}
