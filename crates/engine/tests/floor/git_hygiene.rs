//! Nothing in the user's repository or in an agent's tree runs or changes bytes.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use windlass_engine::git::{ExpectedRef, Ingest, MergeResult, Repo, TreeEdit};

use crate::place::{Place, commit_of, listing};

const TEXT: &str = "one\r\ntwo $Id$ secret\n";

/// A repository whose configuration, hooks and attributes leave a mark whenever git listens to them.
fn hostile() -> (Place, std::path::PathBuf) {
    let place = Place::with_files(&[("f.txt", TEXT), ("g", "g\n")]);
    let mark = place.path().join("mark");
    let trap = place.path().join("trap");
    fs::write(&trap, format!("#!/bin/sh\necho \"$0 $*\" >> {}\ncat\n", mark.display())).unwrap();
    fs::set_permissions(&trap, fs::Permissions::from_mode(0o755)).unwrap();
    let hooks = place.user().join(".git/hooks");
    for hook in ["reference-transaction", "pre-commit", "post-checkout", "post-index-change", "update"] {
        fs::create_dir_all(&hooks).unwrap();
        fs::copy(&trap, hooks.join(hook)).unwrap();
    }
    let attributes = "* filter=evil text eol=crlf ident merge=evil diff=evil\n";
    let commit_quietly = ["-c", "core.hooksPath=/dev/null"];
    fs::write(place.user().join(".gitattributes"), attributes).unwrap();
    place.git(&[&commit_quietly[..], &["add", ".gitattributes"]].concat());
    place.git(&[&commit_quietly[..], &["commit", "-q", "-m", "trap"]].concat());
    fs::create_dir_all(place.user().join(".git/info")).unwrap();
    fs::write(place.user().join(".git/info/attributes"), attributes).unwrap();
    let trap = trap.to_str().unwrap();
    for key in [
        "filter.evil.clean",
        "filter.evil.smudge",
        "merge.evil.driver",
        "diff.evil.textconv",
        "diff.external",
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
    ] {
        place.git(&["-c", "core.hooksPath=/dev/null", "config", key, trap]);
    }
    place.git(&["config", "core.autocrlf", "true"]);
    let global = format!("[core]\n\thooksPath = {}\n\tattributesFile = {}\n", hooks.display(), trap);
    let config = fs::read_to_string(place.home().join(".gitconfig")).unwrap() + &global;
    fs::write(place.home().join(".gitconfig"), config).unwrap();
    (place, mark)
}

fn own_text(repo: &Repo, tree: &windlass_core::ids::Oid, path: &str) -> String {
    String::from_utf8(repo.read_path(tree, path).unwrap().unwrap()).unwrap()
}

#[test]
fn hooks_filters_and_attributes_have_no_effect() {
    let (place, mark) = hostile();
    let tip = place.tip();
    fs::remove_file(&mark).ok();
    let repo = place.repo();
    let dir = place.path().join("slot");
    let index = place.path().join("index");
    repo.materialise(&tip, &dir, &index).unwrap();
    assert_eq!(fs::read_to_string(dir.join("f.txt")).unwrap(), TEXT);
    assert!(repo.changed_since(&dir, &index).unwrap().is_empty());

    fs::write(dir.join("f.txt"), format!("{TEXT}three\r\n")).unwrap();
    let tree = repo.tree_of(&tip).unwrap();
    let ingest = Ingest {
        dir: &dir,
        index: &index,
        base: &tree,
        owned: &|_| true,
        max_file_bytes: 1 << 20,
        max_total_bytes: 1 << 20,
    };
    let taken = repo.ingest(&ingest).unwrap();
    assert_eq!(own_text(&repo, &taken.tree, "f.txt"), format!("{TEXT}three\r\n"));

    let ours = commit_of(&repo, &taken.tree, &[&tip], "ours");
    let blob = repo.write_blob(b"zero\r\none\r\ntwo $Id$ secret\n").unwrap();
    let edit = TreeEdit { path: "f.txt".to_owned(), new: Some((0o100_644, blob)) };
    let theirs = commit_of(&repo, &repo.edit_tree(&tip, &[edit]).unwrap(), &[&tip], "theirs");
    let merged = repo.merge(&ours, &theirs).unwrap();
    assert!(matches!(merged, MergeResult::Clean { .. }), "{merged:?}");
    assert!(!repo.patch(&tip, &ours).unwrap().is_empty());
    repo.update_ref("refs/heads/windlass/p", &ours, ExpectedRef::Absent, "t").unwrap();
    repo.fetch_into_private(&tip, &dir).unwrap();
    assert_eq!(fs::read_to_string(&mark).unwrap_or_default(), "");
}

#[test]
fn replaced_objects_are_not_believed() {
    let place = Place::with_files(&[("a", "true\n")]);
    let repo = place.repo();
    let tip = place.tip();
    let tree = repo.tree_of(&tip).unwrap();
    let blob = repo.ls_tree(&tip).unwrap()[0].oid.clone();
    let forged = repo.write_blob(b"forged\n").unwrap();
    place.git(&["replace", blob.as_str(), forged.as_str()]);
    let fake = commit_of(&repo, &repo.empty_tree().unwrap(), &[], "fake");
    place.git(&["replace", tip.as_str(), fake.as_str()]);
    // A new handle: the old one remembers what it has read.
    let repo = place.repo();
    assert_eq!(repo.tree_of(&tip).unwrap(), tree);
    assert_eq!(repo.read_path(&tip, "a").unwrap().unwrap(), b"true\n");
    let dir = place.path().join("slot");
    repo.materialise(&tip, &dir, &place.path().join("index")).unwrap();
    assert_eq!(fs::read_to_string(dir.join("a")).unwrap(), "true\n");
}

#[test]
fn the_users_checkout_index_and_config_are_untouched() {
    let place = Place::with_files(&[("a", "1\n"), ("b", "2\n")]);
    fs::write(place.user().join("a"), "dirty\n").unwrap();
    fs::write(place.user().join("new"), "staged\n").unwrap();
    place.git(&["add", "new"]);
    let snapshot = || {
        let git = place.user().join(".git");
        let read = |name: &str| fs::read(git.join(name)).unwrap();
        (listing(&place.user()), read("index"), read("config"), read("HEAD"), place.git(&["for-each-ref"]))
    };
    let before = snapshot();
    let repo = place.repo();
    let tip = place.tip();
    let dir = place.path().join("slot");
    let index = place.path().join("index");
    repo.materialise(&tip, &dir, &index).unwrap();
    repo.fetch_into_private(&tip, &dir).unwrap();
    fs::write(dir.join("a"), "agent\n").unwrap();
    let tree = repo.tree_of(&tip).unwrap();
    let ingest = Ingest {
        dir: &dir,
        index: &index,
        base: &tree,
        owned: &|_| true,
        max_file_bytes: 100,
        max_total_bytes: 100,
    };
    repo.ingest(&ingest).unwrap();
    assert_eq!(snapshot(), before);
}

#[test]
fn an_agents_repository_has_one_commit_and_leads_nowhere() {
    let place = Place::with_files(&[("a", "1\n"), ("run", "x\n")]);
    place.git(&["update-index", "--chmod=+x", "run"]);
    place.commit(&[("secret", "history\n")]);
    place.git(&["rm", "-q", "secret"]);
    let tip = place.commit(&[("a", "2\n")]);
    let secret = place.git(&["rev-parse", "HEAD~1:secret"]);
    let repo = place.repo();
    let dir = place.path().join("slot");
    repo.materialise(&tip, &dir, &place.path().join("index")).unwrap();
    repo.fetch_into_private(&tip, &dir).unwrap();
    let git = |args: &[&str]| place.git_in(&dir, args);
    assert_eq!(git(&["status", "--porcelain"]), "");
    assert_eq!(git(&["rev-parse", "HEAD"]), tip.as_str());
    assert_eq!(git(&["rev-list", "--all", "HEAD", "--count"]), "1");
    assert_eq!(git(&["remote"]), "");
    assert_eq!(git(&["fsck", "--full"]), "");
    assert!(!place.command(&dir, &["cat-file", "-e", &secret]).status().unwrap().success());
    assert!(!dir.join(".git/objects/info/alternates").exists());
    assert!(!dir.join(".git/hooks").exists());
    git(&["-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", "agents may"]);
    // A second time, over what the agent left: the old one is gone.
    repo.fetch_into_private(&tip, &dir).unwrap();
    assert_eq!(git(&["rev-parse", "HEAD"]), tip.as_str());
}

#[test]
fn a_planted_git_file_does_not_redirect_us() {
    let place = Place::with_files(&[("a", "1\n")]);
    let repo = place.repo();
    let tip = place.tip();
    let dir = place.path().join("slot");
    repo.materialise(&tip, &dir, &place.path().join("index")).unwrap();
    let elsewhere = place.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("keep"), "x").unwrap();
    std::os::unix::fs::symlink(&elsewhere, dir.join(".git")).unwrap();
    repo.fetch_into_private(&tip, &dir).unwrap();
    assert_eq!(listing(&elsewhere), ["keep"]);
    assert!(Path::new(&dir.join(".git/HEAD")).exists());
}
