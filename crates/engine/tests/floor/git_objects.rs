//! Discovery, objects, trees, differences, merges and history.

use std::fs;

use windlass_core::ids::Oid;
use windlass_engine::git::{ChangeKind, GitEnv, GitError, Head, Identity, MergeResult, Repo, TreeEdit};

use crate::place::{Place, commit_of, search_path};

#[test]
fn discovery_tells_what_kind_of_repository_it_is() {
    let place = Place::with_files(&[("a", "1"), ("sub/b", "2")]);
    let repo = Repo::discover(place.env(), &place.user().join("sub")).unwrap();
    let top = place.user().canonicalize().unwrap();
    assert_eq!(repo.worktree(), Some(top.as_path()));
    assert_eq!(repo.common_dir(), top.join(".git"));
    assert!(!repo.is_bare());
    assert!(repo.git_version().unwrap().starts_with("2."));

    let bare = place.path().join("bare.git");
    place.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    let repo = Repo::discover(place.env(), &bare).unwrap();
    assert!(repo.is_bare());
    assert_eq!(repo.worktree(), None);
    assert!(matches!(repo.head().unwrap(), Head::Branch { .. }));

    let linked = place.path().join("linked");
    place.git(&["worktree", "add", "-q", "-b", "side", linked.to_str().unwrap()]);
    let repo = Repo::discover(place.env(), &linked).unwrap();
    assert_eq!(repo.common_dir(), top.join(".git"));
    assert!(matches!(repo.head().unwrap(), Head::Branch { name, .. } if name == "side"));
    assert_eq!(repo.checkouts_of("refs/heads/side").unwrap(), [linked.canonicalize().unwrap()]);
    assert_eq!(repo.checkouts_of("refs/heads/main").unwrap(), [top]);
    assert!(repo.checkouts_of("refs/heads/other").unwrap().is_empty());
}

#[test]
fn bad_places_are_named() {
    let place = Place::new();
    let outside = Repo::discover(place.env(), &place.user());
    assert!(matches!(outside, Err(GitError::NotARepository { .. })), "{outside:?}");
    let nowhere = Repo::discover(place.env(), &place.path().join("nowhere"));
    assert!(matches!(nowhere, Err(GitError::NotARepository { .. })), "{nowhere:?}");
    let no_git = GitEnv { path: "/nonexistent".into(), home: None, people: Vec::new() };
    assert!(matches!(Repo::discover(no_git, &place.user()), Err(GitError::GitMissing)));

    place.git(&["init", "-q"]);
    let repo = Repo::discover(place.env(), &place.user()).unwrap();
    assert_eq!(repo.head().unwrap(), Head::Unborn { name: "main".to_owned() });
    assert_eq!(repo.resolve("HEAD").unwrap(), None);
    let tree = Oid::new("4b825dc642cb6eb9a060e54bf8d69288fbee4904").unwrap();
    assert!(matches!(repo.edit_tree(&tree, &[]), Err(GitError::NoOwnDir { .. })));
}

#[test]
fn a_detached_head_and_a_missing_identity_are_told() {
    let place = Place::with_files(&[("a", "1")]);
    place.git(&["checkout", "-q", "--detach"]);
    let repo = place.repo();
    assert_eq!(repo.head().unwrap(), Head::Detached { oid: place.tip() });
    assert_eq!(repo.people().unwrap().known().unwrap().name, "Ada");
    assert!(!repo.signing().unwrap().wanted);
    fs::write(place.home().join(".gitconfig"), "[commit]\n\tgpgsign = yes\n[user]\n\tname = Ada\n").unwrap();
    assert_eq!(repo.people().unwrap().known(), None);
    assert!(repo.signing().unwrap().wanted);
    let homeless = GitEnv { path: search_path(), home: None, people: Vec::new() };
    assert_eq!(Repo::discover(homeless, &place.user()).unwrap().people().unwrap().known(), None);
}

#[test]
fn an_identity_is_found_where_git_finds_it() {
    let place = Place::with_files(&[("a", "1")]);
    let variables = |set: &[(&str, &str)]| {
        let people = set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let env = GitEnv { people, ..place.env() };
        let people = Repo::discover(env, &place.user()).unwrap().people().unwrap();
        let show = |who: Option<Identity>| who.map(|who| format!("{} <{}>", who.name, who.email));
        [show(people.author), show(people.committer)].map(Option::unwrap_or_default)
    };
    let author = [("GIT_AUTHOR_NAME", "Bob"), ("GIT_AUTHOR_EMAIL", "bob@example.org")];
    let both =
        [author[0], author[1], ("GIT_COMMITTER_NAME", "Cleo"), ("GIT_COMMITTER_EMAIL", "c@example.org")];
    let ada = "Ada <ada@example.org>";
    assert_eq!(variables(&[]), [ada, ada]);
    assert_eq!(variables(&author), ["Bob <bob@example.org>", ada]);
    assert_eq!(variables(&[("GIT_AUTHOR_NAME", " ")]), [ada, ada], "an empty variable says nothing");
    let config = "[user]\n\tname = Ada\n\temail = ada@example.org\n[committer]\n\tname = Desk\n";
    fs::write(place.home().join(".gitconfig"), config).unwrap();
    assert_eq!(variables(&[]), [ada, "Desk <ada@example.org>"]);
    fs::write(place.home().join(".gitconfig"), "").unwrap();
    assert_eq!(variables(&both), ["Bob <bob@example.org>", "Cleo <c@example.org>"]);
    assert_eq!(variables(&author), ["Bob <bob@example.org>", ""], "git would not commit either");
}

#[test]
fn trees_are_made_without_a_work_tree() {
    let place = Place::with_files(&[("a", "1"), ("dir/b", "2"), ("dir/c", "3")]);
    let repo = place.repo();
    let base = place.tip();
    let blob = repo.write_blob(b"new\0bytes").unwrap();
    let edits = [
        TreeEdit { path: "dir/b".to_owned(), new: None },
        TreeEdit { path: "dir/c/deeper".to_owned(), new: Some((0o100_755, blob.clone())) },
        TreeEdit { path: "dir/c".to_owned(), new: None },
        TreeEdit { path: "odd name\n\"é\"".to_owned(), new: Some((0o100_644, blob.clone())) },
    ];
    let tree = repo.edit_tree(&base, &edits).unwrap();
    let paths: Vec<String> = repo.ls_tree(&tree).unwrap().iter().map(|entry| entry.path.clone()).collect();
    assert_eq!(paths, ["a", "dir/c/deeper", "odd name\n\"é\""]);
    assert_eq!(repo.read_path(&tree, "dir/c/deeper").unwrap().unwrap(), b"new\0bytes");
    assert_eq!(repo.read_path(&tree, "dir/c").unwrap(), None);
    assert_eq!(repo.read_path(&tree, "nothing").unwrap(), None);
    assert_eq!(repo.read_blobs(&[blob.clone(), blob.clone()]).unwrap(), [b"new\0bytes", b"new\0bytes"]);
    let bad = [TreeEdit { path: "../out".to_owned(), new: Some((0o100_644, blob)) }];
    assert!(matches!(repo.edit_tree(&base, &bad), Err(GitError::BadPath { .. })));
    assert!(repo.ls_tree(&repo.empty_tree().unwrap()).unwrap().is_empty());

    let kinds: Vec<_> = repo.diff(&base, &tree).unwrap().into_iter().map(|c| (c.path, c.kind)).collect();
    let expected = [
        ("dir/b", ChangeKind::Deleted),
        ("dir/c", ChangeKind::Deleted),
        ("dir/c/deeper", ChangeKind::Added),
        ("odd name\n\"é\"", ChangeKind::Added),
    ];
    assert_eq!(kinds, expected.map(|(path, kind)| (path.to_owned(), kind)));
    let absent = Oid::new(&"1".repeat(40)).unwrap();
    assert!(matches!(repo.read_blob(&absent), Err(GitError::ObjectMissing { .. })));
    assert!(matches!(repo.tree_of(&absent), Err(GitError::ObjectMissing { .. })));
}

#[test]
fn the_listing_of_an_edited_tree_is_that_of_git() {
    let place = Place::with_files(&[("a", "1"), ("a-b", "2"), ("dir/b", "3"), ("dir/c/d", "4"), ("z", "5")]);
    let repo = place.repo();
    let blob = repo.write_blob(b"new").unwrap();
    let paths = ["a", "a-b", "a.c", "b", "dir-x", "dir/a", "dir/b", "dir/c/d", "dir/c/e/f", "dir0", "z", "é"];
    let mut chance = 7_u64;
    let mut below = |n: usize| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(chance >> 33).unwrap() % n
    };
    let mut tree = repo.tree_of(&place.tip()).unwrap();
    for _ in 0..40 {
        repo.ls_tree(&tree).unwrap();
        let edits: Vec<TreeEdit> = (0..=below(4))
            .map(|_| {
                let mode = [0o100_644, 0o100_755, 0o120_000][below(3)];
                let new = (below(3) > 0).then(|| (mode, blob.clone()));
                TreeEdit { path: paths[below(paths.len())].to_owned(), new }
            })
            .collect();
        tree = repo.edit_tree(&tree, &edits).unwrap();
        // Another handle has to ask git.
        assert_eq!(repo.ls_tree(&tree).unwrap(), place.repo().ls_tree(&tree).unwrap(), "{edits:?}");
    }
}

#[test]
fn trees_with_and_without_a_large_directory_are_listed_as_git_lists_them() {
    let many: Vec<String> = (0..100).map(|n| format!("many/f{n}")).collect();
    let files: Vec<(&str, &str)> = many.iter().map(|path| (path.as_str(), "x")).chain([("a", "1")]).collect();
    let place = Place::with_files(&files);
    let repo = place.repo();
    let without: Vec<TreeEdit> = many.iter().map(|path| TreeEdit { path: path.clone(), new: None }).collect();
    let mut whole = repo.tree_of(&place.tip()).unwrap();
    for n in 0..6 {
        let blob = repo.write_blob(format!("{n}").as_bytes()).unwrap();
        let edit = TreeEdit { path: format!("src/{n}"), new: Some((0o100_644, blob)) };
        whole = place.repo().edit_tree(&whole, &[edit]).unwrap();
        // Made by another handle, so that this one has no listing of either.
        let part = place.repo().edit_tree(&whole, &without).unwrap();
        for tree in [&whole, &part, &whole] {
            assert_eq!(repo.ls_tree(tree).unwrap(), place.repo().ls_tree(tree).unwrap(), "{n}");
        }
    }
}

#[test]
fn a_path_that_is_not_text_is_named_in_the_error() {
    let place = Place::with_files(&[("a", "1")]);
    let repo = place.repo();
    let name = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"odd\xff");
    fs::write(place.user().join(name), "x").unwrap();
    let tip = place.commit(&[]);
    let error = repo.ls_tree(&tip).unwrap_err();
    insta::assert_snapshot!(error, @r"the path `odd\xff` is not valid UTF-8");
}

#[test]
fn a_patch_goes_there_and_back() {
    let place = Place::with_files(&[("text", "one\ntwo\n"), ("gone", "x\n"), ("mode", "x\n")]);
    let repo = place.repo();
    let base = place.tip();
    let binary = repo.write_blob(&[0, 159, 146, 150, 0, 10]).unwrap();
    let text = repo.write_blob(b"one\r\nthree").unwrap();
    let mode = repo.write_blob(b"x\n").unwrap();
    let edits = [
        TreeEdit { path: "bin".to_owned(), new: Some((0o100_644, binary)) },
        TreeEdit { path: "text".to_owned(), new: Some((0o100_644, text)) },
        TreeEdit { path: "mode".to_owned(), new: Some((0o100_755, mode)) },
        TreeEdit { path: "gone".to_owned(), new: None },
    ];
    let changed = repo.edit_tree(&base, &edits).unwrap();
    let patch = repo.patch(&base, &changed).unwrap();
    assert_eq!(place.patched(&base, &patch), changed);
    let counts = repo.line_counts(&base, &changed).unwrap();
    let expected = [("bin", 0, 0), ("gone", 0, 1), ("mode", 0, 0), ("text", 2, 2)];
    assert_eq!(counts, expected.map(|(path, added, removed)| (path.to_owned(), added, removed)));
}

#[test]
fn lines_of_files_that_come_and_go_are_counted_as_git_counts_them() {
    let place = Place::with_files(&[("gone", "1\n2"), ("stays", "x\n")]);
    let repo = place.repo();
    let base = place.tip();
    let file = |path: &str, bytes: &[u8]| {
        let new = Some((0o100_644, repo.write_blob(bytes).unwrap()));
        TreeEdit { path: path.to_owned(), new }
    };
    let late = [&[b'a'; 9000][..], b"\n\0\n"].concat();
    let edits = [
        TreeEdit { path: "gone".to_owned(), new: None },
        file("empty", b""),
        file("open", b"1\n2"),
        file("ends", b"1\r\n2\n"),
        file("binary", b"1\n\0\n"),
        file("late", &late),
    ];
    let tree = repo.edit_tree(&base, &edits).unwrap();
    let told = place.git(&["diff-tree", "-r", "--numstat", "--no-renames", base.as_str(), tree.as_str()]);
    let told: Vec<String> = told.lines().map(|line| line.replace("-\t-", "0\t0")).collect();
    let counts = repo.line_counts(&base, &tree).unwrap();
    let counts: Vec<String> = counts.iter().map(|(path, new, old)| format!("{new}\t{old}\t{path}")).collect();
    assert_eq!(counts, told);
}

#[test]
fn what_was_made_on_the_tip_alone_is_its_own_merge() {
    let place = Place::with_files(&[("a", "1\n")]);
    let repo = place.repo();
    let (base, blob) = (place.tip(), repo.write_blob(b"2\n").unwrap());
    let edit = TreeEdit { path: "a".to_owned(), new: Some((0o100_644, blob)) };
    let tree = repo.edit_tree(&base, &[edit]).unwrap();
    let side = commit_of(&repo, &tree, &[&base], "side");
    assert_eq!(repo.merge(&base, &side).unwrap(), MergeResult::Clean { tree: tree.clone() });
    let said = place.git(&["merge-tree", "--write-tree", base.as_str(), side.as_str()]);
    assert_eq!(said, tree.as_str());
}

#[test]
fn merges_are_clean_or_name_the_paths() {
    let place = Place::with_files(&[("a", "1\n2\n3\n4\n5\n"), ("b", "x\n")]);
    let repo = place.repo();
    let base = place.tip();
    let with = |path: &str, text: &str| {
        let blob = repo.write_blob(text.as_bytes()).unwrap();
        let edit = TreeEdit { path: path.to_owned(), new: Some((0o100_644, blob)) };
        commit_of(&repo, &repo.edit_tree(&base, &[edit]).unwrap(), &[&base], "side")
    };
    let top = with("a", "one\n2\n3\n4\n5\n");
    let bottom = with("a", "1\n2\n3\n4\nfive\n");
    let other_top = with("a", "eins\n2\n3\n4\n5\n");
    let MergeResult::Clean { tree } = repo.merge(&top, &bottom).unwrap() else { panic!("conflict") };
    assert_eq!(repo.read_path(&tree, "a").unwrap().unwrap(), b"one\n2\n3\n4\nfive\n");
    assert_eq!(repo.merge(&top, &other_top).unwrap(), MergeResult::Conflict { paths: vec!["a".to_owned()] });
    assert!(repo.is_ancestor(&base, &top).unwrap());
    assert!(!repo.is_ancestor(&top, &base).unwrap());
    assert_eq!(repo.merge_base(&top, &bottom).unwrap(), Some(base.clone()));
    let island = commit_of(&repo, &tree, &[], "island");
    assert_eq!(repo.merge_base(&top, &island).unwrap(), None);
}

#[test]
fn the_first_parent_chain_is_read_with_its_trailers() {
    let place = Place::with_files(&[("a", "1")]);
    let repo = place.repo();
    let base = place.tip();
    let tree = repo.tree_of(&base).unwrap();
    let side = commit_of(&repo, &tree, &[&base], "side");
    let one = commit_of(&repo, &tree, &[&base, &side], "one\n\nbody\n\nWindlass-Task: 001\nOther: a: b\n");
    let two =
        commit_of(&repo, &tree, &[&one], "two\u{1}\n\nWindlass-Task: not a trailer\n\nlast paragraph\n");
    let chain = repo.first_parents(&two, Some(&base)).unwrap();
    assert_eq!(chain.iter().map(|c| &c.oid).collect::<Vec<_>>(), [&two, &one]);
    assert_eq!(chain[0].trailers, []);
    let trailers = [("Windlass-Task", "001"), ("Other", "a: b")];
    assert_eq!(chain[1].trailers, trailers.map(|(k, v)| (k.to_owned(), v.to_owned())));
    assert_eq!(chain[1].parents, [base.clone(), side]);
    assert_eq!(chain[1].tree, tree);
    assert!(chain[1].message.starts_with("one\n\nbody\n"));
    assert_eq!(repo.first_parents(&two, None).unwrap().len(), 3);
    assert!(repo.first_parents(&base, Some(&base)).unwrap().is_empty());
}

#[test]
fn a_shallow_clone_of_the_user_is_no_obstacle() {
    let place = Place::with_files(&[("a", "1")]);
    place.commit(&[("a", "2")]);
    let source = format!("file://{}", place.user().display());
    let shallow = place.path().join("shallow");
    place.git_in(place.path(), &["clone", "-q", "--depth=1", &source, shallow.to_str().unwrap()]);
    let repo = Repo::discover(place.env(), &shallow).unwrap().with_own_dir(&place.state()).unwrap();
    let tip = repo.resolve("HEAD").unwrap().unwrap();
    assert_eq!(repo.first_parents(&tip, None).unwrap().len(), 1);
}

#[test]
fn sha256_repositories_work_the_same() {
    let place = Place::new();
    if !place.command(&place.user(), &["init", "-q", "--object-format=sha256"]).status().unwrap().success() {
        return;
    }
    let base = place.commit(&[("a", "1")]);
    assert_eq!(base.as_str().len(), 64);
    let repo = place.repo();
    let blob = repo.write_blob(b"2").unwrap();
    let edits = [
        TreeEdit { path: "b".to_owned(), new: Some((0o100_644, blob)) },
        TreeEdit { path: "a".to_owned(), new: None },
    ];
    let tree = repo.edit_tree(&base, &edits).unwrap();
    let commit = commit_of(&repo, &tree, &[&base], "next");
    let name = "refs/heads/windlass/x";
    repo.update_ref(name, &commit, windlass_engine::git::ExpectedRef::Absent, "t").unwrap();
    assert_eq!(repo.resolve(name).unwrap(), Some(commit.clone()));
    assert_eq!(repo.diff(&base, &commit).unwrap().len(), 2);
    let dir = place.path().join("slot");
    repo.materialise(&tree, &dir, &place.path().join("index")).unwrap();
    repo.fetch_into_private(&commit, &dir).unwrap();
    assert_eq!(place.git_in(&dir, &["status", "--porcelain"]), "");
    assert_eq!(place.git_in(&dir, &["rev-parse", "HEAD"]), commit.as_str());
}
