//! Tests: what is made of single directories is what git makes with an index.

use super::*;
use crate::git::{GitEnv, TreeEdit};

fn bare(dir: &std::path::Path) -> Repo {
    let env = GitEnv { path: std::env::var_os("PATH").unwrap(), home: None, people: Vec::new() };
    Repo::bare(env, &dir.join("repo.git"), false).unwrap().with_own_dir(&dir.join("state")).unwrap()
}

/// Numbers that look drawn at random, always the same.
fn drawn() -> impl FnMut(usize) -> usize {
    let mut chance = 11_u64;
    move |n| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(chance >> 33).unwrap() % n
    }
}

#[test]
fn edits_and_differences_are_those_of_git() {
    const PATHS: [&str; 14] = [
        "a", "a-b", "a.c", "a0", "d", "d-x", "d/a", "d/b/c", "d/b/d", "d/b", "d0/e", "d/b-c", "z/y/x/w", "é",
    ];
    let temp = tempfile::tempdir().unwrap();
    let repo = bare(temp.path());
    let blobs = ["1", "2"].map(|text| repo.write_blob(text.as_bytes()).unwrap());
    let mut below = drawn();
    let (mut tree, mut alone) = (repo.empty_tree().unwrap(), 0);
    for _ in 0..60 {
        let edits: Vec<TreeEdit> = (0..=below(4))
            .map(|_| {
                let mode = [0o100_644, 0o100_755, SYMLINK][below(3)];
                let new = (below(3) > 0).then(|| (mode, blobs[below(2)].clone()));
                TreeEdit { path: PATHS[below(PATHS.len())].to_owned(), new }
            })
            .collect();
        let by_git = repo.edit_with_index(&tree, &edits).unwrap();
        if let Some(made) = repo.edit_directories(&tree, &edits).unwrap() {
            assert_eq!(made, by_git, "{edits:?}");
            alone += 1;
        }
        let seen = repo.differences(&tree, &by_git).unwrap();
        assert_eq!(seen, repo.diff_by_git(&tree, &by_git).unwrap(), "{edits:?}");
        for path in PATHS {
            let here = repo.node_at(&by_git, path).unwrap().filter(|node| !node.is_dir());
            let listed = repo.ls_tree(&by_git).unwrap().iter().find(|e| e.path == path).cloned();
            assert_eq!(here.map(|node| node.file()), listed.map(|e| (e.mode, e.oid)), "{path}");
        }
        tree = by_git;
    }
    assert!(alone > 30, "only {alone} of 60 were made of single directories");
}

#[test]
fn a_pruned_path_is_gone_with_everything_below() {
    let temp = tempfile::tempdir().unwrap();
    let repo = bare(temp.path());
    let blob = repo.write_blob(b"x").unwrap();
    let file = |path: &str| TreeEdit { path: path.to_owned(), new: Some((0o100_644, blob.clone())) };
    let empty = repo.empty_tree().unwrap();
    let files = ["plans/a/b", "plans/c", "src/x", "src/plans/y", "plansx"].map(file);
    let tree = repo.edit_tree(&empty, &files).unwrap();
    let pruned = |paths: &[&str]| {
        let edits: BTreeMap<&str, PathEdit<'_>> = paths.iter().map(|path| (*path, PathEdit::Prune)).collect();
        let left = repo.edited_tree(&tree, &edits).unwrap();
        repo.ls_tree(&left).unwrap().iter().map(|entry| entry.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(pruned(&["plans"]), ["plansx", "src/plans/y", "src/x"]);
    assert_eq!(pruned(&["plans", "src/x", "nothing/here"]), ["plansx", "src/plans/y"]);
    assert_eq!(pruned(&["plans/a/b", "plans/a", "src", "plansx"]), ["plans/c"]);
    assert!(pruned(&["plans", "src", "plansx"]).is_empty());
}

#[test]
fn an_object_that_is_not_there_gets_into_no_tree() {
    let temp = tempfile::tempdir().unwrap();
    let repo = bare(temp.path());
    let empty = repo.empty_tree().unwrap();
    let absent = Oid::new(&"1".repeat(40)).unwrap();
    let edit = TreeEdit { path: "a".into(), new: Some((0o100_644, absent.clone())) };
    assert!(repo.edit_tree(&empty, &[edit]).is_err());
    let module = TreeEdit { path: "a".into(), new: Some((GITLINK, absent)) };
    let tree = repo.edit_tree(&empty, &[module]).unwrap();
    assert_eq!(repo.ls_tree(&tree).unwrap()[0].mode, GITLINK);
}

#[test]
fn what_was_pruned_meanwhile_gets_into_no_commit() {
    let temp = tempfile::tempdir().unwrap();
    let repo = bare(temp.path());
    let file = |path: &str, text: &[u8]| TreeEdit {
        path: path.to_owned(),
        new: Some((0o100_644, repo.write_blob(text).unwrap())),
    };
    let empty = repo.empty_tree().unwrap();
    let before = repo.edit_tree(&empty, &[file("a/b", b"1"), file("c", b"2")]).unwrap();
    let after = repo.edit_tree(&before, &[file("a/d", b"3"), file("e/f", b"4")]).unwrap();
    assert_eq!(repo.missing_since(Some(&before), &after), None);
    let store = temp.path().join("repo.git/objects");
    let of = |path: &str| repo.node_at(&after, path).unwrap().unwrap().oid;
    for gone in [of("a/d"), of("e/f"), of("e"), of("a"), after.clone()] {
        let path = store.join(&gone.as_str()[..2]).join(&gone.as_str()[2..]);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(repo.missing_since(Some(&before), &after), Some(gone.clone()));
        std::fs::write(&path, bytes).unwrap();
    }
    assert_eq!(repo.missing_since(Some(&before), &after), None);
}

#[test]
fn what_is_no_directory_is_not_read_as_one() {
    let id = [7_u8; 20];
    let entry = |head: &[u8]| [head, &id].concat();
    let read = |bytes: &[u8]| parse_nodes(bytes, ObjectFormat::Sha1);
    let nodes = read(&[entry(b"100664 a\0"), entry(b"40000 b\0"), entry(b"160000 c\0")].concat()).unwrap();
    let modes: Vec<u32> = nodes.iter().map(|node| node.mode).collect();
    assert_eq!(modes, [0o100_644, DIRECTORY, GITLINK]);
    assert_eq!(nodes[0].oid.as_str(), "07".repeat(20));
    for odd in [&b"100644 a"[..], b"100644 a\0short", b"mode a\0", b"100644 \xff\0"] {
        assert!(read(&entry(odd)[..odd.len() + 3]).is_none(), "{odd:?}");
    }
}
