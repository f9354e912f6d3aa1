//! Tests: what is packed, what stays loose, and what is left of a pack that others took.

use std::process::Command;

use super::*;
use crate::git::{ExpectedRef, TreeEdit};

/// A repository whose user has a loose object that no ref leads to.
struct PackedHome {
    dir: tempfile::TempDir,
    repo: Repo,
}

impl PackedHome {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let repo = Repo::bare(env(), &dir.path().join("repo.git"), false).unwrap();
        let repo = repo.with_own_dir(&dir.path().join("state")).unwrap();
        Self { dir, repo }
    }

    fn git(&self, args: &[&str]) -> String {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=T", "-c", "user.email=t@example.org"]);
        git.args(args).current_dir(self.dir.path().join("repo.git")).env("GIT_CONFIG_GLOBAL", "/dev/null");
        let done = git.output().unwrap();
        assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    /// A tree with one file more than a tree before, under a ref of a run.
    fn task(&self, number: usize, before: &windlass_core::ids::Oid) -> windlass_core::ids::Oid {
        let blob = self.repo.write_blob(format!("file {number}\n").as_bytes()).unwrap();
        let edit = TreeEdit { path: format!("src/f{number}"), new: Some((0o100_644, blob)) };
        let tree = self.repo.edit_tree(before, &[edit]).unwrap();
        let name = format!("refs/windlass/demo/t{number}/1/candidate");
        self.repo.update_ref(&name, &tree, ExpectedRef::Absent, "test").unwrap();
        tree
    }

    fn packs(&self) -> usize {
        let files = fs::read_dir(self.repo.objects_dir().join("pack")).unwrap().flatten();
        files.filter(|file| file.path().extension().is_some_and(|kind| kind == "pack")).count()
    }

    /// How many objects are loose.
    fn loose(&self) -> usize {
        self.git(&["count-objects"]).split(' ').next().unwrap().parse().unwrap()
    }
}

fn env() -> crate::git::GitEnv {
    crate::git::GitEnv { path: std::env::var_os("PATH").unwrap(), home: None, people: Vec::new() }
}

#[test]
fn what_a_run_wrote_is_packed_and_nothing_else() {
    let home = PackedHome::new();
    let stray = home.repo.write_blob(b"no ref leads to it\n").unwrap();
    let mut tree = home.repo.empty_tree().unwrap();
    for number in 0..5 {
        tree = home.task(number, &tree);
    }
    home.git(&["update-ref", "refs/heads/other", &home.git(&["commit-tree", "-m", "x", tree.as_str()])]);
    let before = home.git(&["for-each-ref"]);
    let mut packs = OwnPacks::default();
    home.repo.pack_loose(&["refs/windlass/demo/"], &mut packs).unwrap();
    home.repo.pack_refs("refs/windlass/demo/").unwrap();
    // The stray blob, the empty tree and the commit of the other branch.
    assert_eq!((home.loose(), home.packs()), (3, 1));
    assert_eq!(home.repo.read_blob(&stray).unwrap(), b"no ref leads to it\n");
    assert_eq!(home.repo.ls_tree(&tree).unwrap().len(), 5);
    assert_eq!(home.git(&["for-each-ref"]), before);
    let dir = home.dir.path().join("repo.git");
    assert!(dir.join("refs/heads/other").exists(), "a ref of the user is where it was");
    assert!(!dir.join("refs/windlass/demo/t1/1/candidate").exists());
    home.git(&["fsck", "--strict"]);
    // Nothing new: nothing is written.
    home.repo.pack_loose(&["refs/windlass/demo/"], &mut packs).unwrap();
    assert_eq!((home.loose(), home.packs()), (3, 1));
}

#[test]
fn small_packs_become_one_even_if_the_user_has_repacked_some() {
    let home = PackedHome::new();
    let (mut packs, mut tree) = (OwnPacks::default(), home.repo.empty_tree().unwrap());
    for number in 0..TOGETHER {
        tree = home.task(number, &tree);
        home.repo.pack_loose(&["refs/windlass/demo/"], &mut packs).unwrap();
        if number == 2 {
            home.git(&["repack", "-q", "-a", "-d"]);
        }
    }
    assert_eq!(home.packs(), 2, "the one of the user, and ours");
    assert_eq!(home.repo.ls_tree(&tree).unwrap().len(), TOGETHER);
    home.git(&["fsck", "--strict"]);
}

#[test]
fn what_cannot_be_packed_stays_as_it_is() {
    let home = PackedHome::new();
    let tree = home.task(0, &home.repo.empty_tree().unwrap());
    let blob = home.repo.ls_tree(&tree).unwrap()[0].oid.clone();
    let (dir, file) = blob.as_str().split_at(2);
    fs::remove_file(home.repo.objects_dir().join(dir).join(file)).unwrap();
    let loose = home.loose();
    home.repo.pack_loose(&["refs/windlass/demo/"], &mut OwnPacks::default()).unwrap_err();
    assert_eq!((home.loose(), home.packs()), (loose, 0));
}
