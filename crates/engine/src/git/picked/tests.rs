//! Tests: what a rule picks of a tree is the same whether it is made from another tree or from all files.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::git::{GitEnv, TreeEdit};

static ASKED: AtomicUsize = AtomicUsize::new(0);

fn is_toml(path: &str) -> bool {
    ASKED.fetch_add(1, Ordering::Relaxed);
    path.ends_with(".toml")
}

const TOML: NameRule = NameRule { name: "toml", fits: is_toml };

#[test]
fn what_is_picked_follows_from_the_tree_before() {
    let temp = tempfile::tempdir().unwrap();
    let env = GitEnv { path: std::env::var_os("PATH").unwrap(), home: None, people: Vec::new() };
    let repo = Repo::bare(env, &temp.path().join("repo.git"), false).unwrap();
    let repo = repo.with_own_dir(&temp.path().join("state")).unwrap();
    let blob = repo.write_blob(b"x").unwrap();
    let edit = |path: &str, mode: u32| TreeEdit { path: path.to_owned(), new: Some((mode, blob.clone())) };
    let gone = |path: &str| TreeEdit { path: path.to_owned(), new: None };
    let many = (0..500).map(|n| edit(&format!("src/f{n}.rs"), 0o100_644));
    let many: Vec<TreeEdit> = many.chain([edit("b.toml", 0o100_644), edit("a/c.toml", 0o100_644)]).collect();
    let first = repo.edit_tree(&repo.empty_tree().unwrap(), &many).unwrap();
    assert_eq!(repo.picked(&first, &TOML).unwrap()[..], ["a/c.toml", "b.toml"]);
    assert_eq!(ASKED.swap(0, Ordering::Relaxed), 502, "all files are looked at once");
    for (edits, expected) in [
        (
            vec![edit("a/d.toml", 0o100_755), edit("src/new.rs", 0o100_644)],
            vec!["a/c.toml", "a/d.toml", "b.toml"],
        ),
        (vec![gone("b.toml"), edit("z.toml", 0o100_644)], vec!["a/c.toml", "z.toml"]),
        // A link is no file, and what lies below a directory that takes the place of a file is new.
        (vec![edit("a/c.toml", 0o120_000), gone("src/f1.rs")], vec!["b.toml"]),
        (vec![gone("b.toml"), edit("b.toml/x.toml", 0o100_644)], vec!["a/c.toml", "b.toml/x.toml"]),
    ] {
        let next = repo.edit_tree(&first, &edits).unwrap();
        let picked = repo.picked(&next, &TOML).unwrap();
        let all = repo.files_of(&next).unwrap();
        let all: Vec<&String> = all.paths.iter().filter(|path| path.ends_with(".toml")).collect();
        assert_eq!(picked.iter().collect::<Vec<_>>(), all);
        assert_eq!(picked[..], expected);
        assert!(ASKED.swap(0, Ordering::Relaxed) <= 4, "only what differs is looked at");
    }
    assert_eq!(repo.picked(&first, &TOML).unwrap().len(), 2, "known");
    assert_eq!(ASKED.load(Ordering::Relaxed), 0);
}
