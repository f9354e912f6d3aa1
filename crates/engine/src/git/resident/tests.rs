//! Tests: processes that stay, and what happens when they do not.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::*;
use crate::git::{CommitSpec, ExpectedRef, GitEnv, Identity, RefMove, Signing};

fn bare(dir: &Path, path: std::ffi::OsString) -> Repo {
    let env = GitEnv { path, home: None, people: Vec::new() };
    Repo::bare(env, &dir.join("repo.git"), false).unwrap().with_own_dir(&dir.join("state")).unwrap()
}

fn path() -> std::ffi::OsString {
    std::env::var_os("PATH").unwrap()
}

/// A git in front of the real one that writes down what it is called for.
fn counting(dir: &Path) -> std::ffi::OsString {
    let bin = dir.join("bin");
    std::fs::create_dir(&bin).unwrap();
    let real = std::env::split_paths(&path()).map(|d| d.join("git")).find(|git| git.exists()).unwrap();
    let text = format!("#!/bin/sh\necho x >>{}/calls\nexec {} \"$@\"\n", dir.display(), real.display());
    std::fs::write(bin.join("git"), text).unwrap();
    std::fs::set_permissions(bin.join("git"), PermissionsExt::from_mode(0o755)).unwrap();
    let mut all = bin.into_os_string();
    all.push(":");
    all.push(path());
    all
}

fn commit(repo: &Repo, tree: &Oid, message: &str, date: Option<&str>) -> Oid {
    let who =
        Identity { name: "Ada L".into(), email: "ada@example.org".into(), date: date.map(str::to_owned) };
    let spec = CommitSpec {
        tree: tree.clone(),
        parents: Vec::new(),
        message: message.into(),
        author: who.clone(),
        committer: who,
        sign: Signing::No,
    };
    repo.commit_tree(&spec).unwrap()
}

#[test]
fn many_questions_start_few_processes() {
    let temp = tempfile::tempdir().unwrap();
    let repo = bare(temp.path(), counting(temp.path()));
    let calls = || std::fs::read_to_string(temp.path().join("calls")).unwrap().lines().count();
    let empty = repo.empty_tree().unwrap();
    let before = calls();
    for n in 0..20 {
        let blob = repo.write_blob(format!("{n}").as_bytes()).unwrap();
        let edit = crate::git::TreeEdit { path: format!("d/{n}"), new: Some((0o100_644, blob)) };
        let tree = repo.edit_tree(&empty, &[edit]).unwrap();
        let kept = commit(&repo, &tree, "x\n", Some("@1700000000 +0000"));
        let name = format!("refs/windlass/p/{n}");
        let moved = repo.update_ref(&name, &kept, ExpectedRef::Absent, "x").unwrap();
        assert_eq!(moved, RefMove::Moved);
        assert_eq!(repo.tree_of(&kept).unwrap(), tree);
        assert_eq!(repo.diff(&empty, &tree).unwrap().len(), 1);
    }
    assert_eq!(calls() - before, 5, "one process for each duty");
    assert_eq!(repo.refs("refs/windlass/").unwrap().len(), 20);
}

#[test]
fn a_commit_written_at_once_is_the_one_git_writes() {
    let temp = tempfile::tempdir().unwrap();
    let repo = bare(temp.path(), path());
    let tree = repo.empty_tree().unwrap();
    for message in ["x", "x\n\nlonger\n", "", "é\n\n\n"] {
        let ours = commit(&repo, &tree, message, Some("@1700000000 +0130"));
        // Git reads this form of the same date, and we leave it to git.
        let theirs = commit(&repo, &tree, message, Some("1700000000 +0130"));
        assert_eq!(ours, theirs, "{message:?}");
    }
}

#[test]
fn a_process_that_has_ended_is_replaced() {
    let temp = tempfile::tempdir().unwrap();
    let repo = bare(temp.path(), path());
    let blob = repo.write_blob(b"1").unwrap();
    let kill_all = || {
        let mut idle = repo.inner.residents.idle.lock().unwrap();
        assert!(!idle.is_empty());
        for (_, resident) in idle.iter_mut() {
            resident.child.kill().unwrap();
            resident.child.wait().unwrap();
        }
    };
    assert!(repo.read_object(blob.as_str()).unwrap().is_some());
    kill_all();
    assert_eq!(repo.write_blob(b"2").unwrap(), repo.write_blob(b"2").unwrap());
    assert_eq!(repo.read_blob(&blob).unwrap(), b"1");
}

#[test]
fn a_process_that_was_killed_is_told_from_one_that_refused() {
    let temp = tempfile::tempdir().unwrap();
    let repo = bare(temp.path(), path());
    let killed = repo.answer_of(Duty::Read, |git| {
        git.child.kill()?;
        git.line()
    });
    assert_eq!(killed, Err(LostAnswer::Killed));
    let refused = repo.answer_of(Duty::Refs, |git| {
        git.ask(b"nonsense\n")?;
        git.line()
    });
    assert_eq!(refused, Err(LostAnswer::Refused));
}

#[test]
fn a_ref_that_is_not_what_was_expected_stays() {
    let temp = tempfile::tempdir().unwrap();
    let repo = bare(temp.path(), path());
    let tree = repo.empty_tree().unwrap();
    let [one, two] = ["1", "2"].map(|text| commit(&repo, &tree, text, Some("@1700000000 +0000")));
    let name = "refs/windlass/p/t/1/red";
    let put = |new: &Oid, expect: ExpectedRef| repo.update_ref(name, new, expect, "x").unwrap();
    assert_eq!(put(&one, ExpectedRef::Anything), RefMove::Moved);
    let is_one = RefMove::Mismatch { actual: Some(one.clone()) };
    assert_eq!(put(&two, ExpectedRef::Absent), is_one);
    assert_eq!(put(&two, ExpectedRef::Is(two.clone())), is_one);
    assert_eq!(put(&one, ExpectedRef::Is(two.clone())), is_one, "that it is there already is no move");
    assert_eq!(put(&two, ExpectedRef::Is(one)), RefMove::Moved);
    let clash = repo.update_ref("refs/windlass/p/t/1", &two, ExpectedRef::Anything, "x");
    assert!(matches!(clash, Err(GitError::RefClash { .. })), "{clash:?}");
}
