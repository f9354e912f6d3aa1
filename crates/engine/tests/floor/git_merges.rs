//! Merges of two commits with a common parent, as a table of what each side does.

use windlass_core::ids::Oid;
use windlass_engine::git::{MergeResult, Repo, TreeEdit};

use crate::place::{Place, commit_of};

/// What one side does to a path: new text with a mode, or `None` for a deletion.
type Edit<'a> = (&'a str, Option<(u32, &'a str)>);

const FILE: u32 = 0o100_644;
const EXECUTABLE: u32 = 0o100_755;
const LINK: u32 = 0o120_000;

/// What a merge is expected to give.
enum Expected<'a> {
    /// These paths with these texts, and nothing else.
    Clean(&'a [(&'a str, &'a str)]),
    /// A conflict in these paths.
    Conflict(&'a [&'a str]),
}

fn side(repo: &Repo, base: &Oid, edits: &[Edit<'_>]) -> Oid {
    let edit = |(path, new): &Edit<'_>| TreeEdit {
        path: (*path).to_owned(),
        new: new.map(|(mode, text)| (mode, repo.write_blob(text.as_bytes()).unwrap())),
    };
    let edits: Vec<TreeEdit> = edits.iter().map(edit).collect();
    commit_of(repo, &repo.edit_tree(base, &edits).unwrap(), &[base], "side")
}

fn texts(repo: &Repo, tree: &Oid) -> Vec<(String, String)> {
    let entries = repo.ls_tree(tree).unwrap();
    let read = |path: &str| String::from_utf8(repo.read_path(tree, path).unwrap().unwrap()).unwrap();
    entries.iter().map(|entry| (entry.path.clone(), read(&entry.path))).collect()
}

#[test]
fn what_two_sides_give_together() {
    use Expected::{Clean, Conflict};
    let place = Place::with_files(&[("a", "1\n2\n3\n4\n5\n"), ("b", "b\n")]);
    let repo = place.repo();
    let base = place.tip();
    let table: [(&str, &[Edit<'_>], &[Edit<'_>], Expected<'_>); 14] = [
        ("neither side does anything", &[], &[], Clean(&[("a", "1\n2\n3\n4\n5\n"), ("b", "b\n")])),
        (
            "different files",
            &[("a", Some((FILE, "x\n")))],
            &[("b", Some((FILE, "y\n")))],
            Clean(&[("a", "x\n"), ("b", "y\n")]),
        ),
        (
            "different ends of one file",
            &[("a", Some((FILE, "0\n1\n2\n3\n4\n5\n")))],
            &[("a", Some((FILE, "1\n2\n3\n4\n5\n6\n")))],
            Clean(&[("a", "0\n1\n2\n3\n4\n5\n6\n"), ("b", "b\n")]),
        ),
        (
            "the same change",
            &[("a", Some((FILE, "same\n")))],
            &[("a", Some((FILE, "same\n")))],
            Clean(&[("a", "same\n"), ("b", "b\n")]),
        ),
        (
            "the same new file",
            &[("n", Some((FILE, "n\n")))],
            &[("n", Some((FILE, "n\n")))],
            Clean(&[("a", "1\n2\n3\n4\n5\n"), ("b", "b\n"), ("n", "n\n")]),
        ),
        (
            "a new file with different texts",
            &[("n", Some((FILE, "one\n")))],
            &[("n", Some((FILE, "two\n")))],
            Conflict(&["n"]),
        ),
        (
            "the same line",
            &[("a", Some((FILE, "1\n2\nx\n4\n5\n")))],
            &[("a", Some((FILE, "1\n2\ny\n4\n5\n")))],
            Conflict(&["a"]),
        ),
        (
            "a line end counts as a change",
            &[("a", Some((FILE, "1\r\n2\r\n3\r\n4\r\n5\r\n")))],
            &[("a", Some((FILE, "1\n2\nx\n4\n5\n")))],
            Conflict(&["a"]),
        ),
        ("both delete", &[("b", None)], &[("b", None)], Clean(&[("a", "1\n2\n3\n4\n5\n")])),
        ("one deletes, one changes", &[("b", None)], &[("b", Some((FILE, "y\n")))], Conflict(&["b"])),
        ("one deletes, one leaves it", &[("b", None)], &[], Clean(&[("a", "1\n2\n3\n4\n5\n")])),
        (
            "a mode and a text",
            &[("b", Some((EXECUTABLE, "b\n")))],
            &[("b", Some((FILE, "y\n")))],
            Clean(&[("a", "1\n2\n3\n4\n5\n"), ("b", "y\n")]),
        ),
        (
            "two links with different targets",
            &[("l", Some((LINK, "a")))],
            &[("l", Some((LINK, "b")))],
            Conflict(&["l"]),
        ),
        (
            "conflicts are sorted, and odd names are names",
            &[("z \"q\"\n", Some((FILE, "1"))), ("-rf", Some((FILE, "1"))), ("é", Some((FILE, "1")))],
            &[("z \"q\"\n", Some((FILE, "2"))), ("-rf", Some((FILE, "2"))), ("é", Some((FILE, "2")))],
            Conflict(&["-rf", "z \"q\"\n", "é"]),
        ),
    ];
    for (what, ours, theirs, expected) in table {
        let (ours, theirs) = (side(&repo, &base, ours), side(&repo, &base, theirs));
        match (repo.merge(&ours, &theirs).unwrap(), expected) {
            (MergeResult::Clean { tree }, Clean(files)) => {
                let files: Vec<(String, String)> =
                    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
                assert_eq!(texts(&repo, &tree), files, "{what}");
                let back = repo.merge(&theirs, &ours).unwrap();
                assert_eq!(back, MergeResult::Clean { tree }, "{what}: the sides may be exchanged");
            }
            (MergeResult::Conflict { paths }, Conflict(expected)) => assert_eq!(paths, expected, "{what}"),
            (merged, _) => panic!("{what}: {merged:?}"),
        }
    }
}

#[test]
fn a_file_and_a_directory_of_one_name_conflict() {
    let place = Place::with_files(&[("a", "1\n")]);
    let repo = place.repo();
    let base = place.tip();
    let file = side(&repo, &base, &[("d", Some((FILE, "x\n")))]);
    let directory = side(&repo, &base, &[("d/x", Some((FILE, "x\n")))]);
    assert!(matches!(repo.merge(&file, &directory).unwrap(), MergeResult::Conflict { .. }));
}

#[test]
fn a_binary_file_that_both_change_conflicts_even_in_different_places() {
    let place = Place::with_files(&[("a", "1\n")]);
    let repo = place.repo();
    let binary = |first: u8, last: u8| {
        let mut bytes = vec![0_u8; 4000];
        bytes[0] = first;
        bytes[3999] = last;
        repo.write_blob(&bytes).unwrap()
    };
    let with = |parent: &Oid, blob: Oid| {
        let edit = TreeEdit { path: "bin".to_owned(), new: Some((FILE, blob)) };
        commit_of(&repo, &repo.edit_tree(parent, &[edit]).unwrap(), &[parent], "side")
    };
    let base = with(&place.tip(), binary(1, 1));
    let (ours, theirs) = (with(&base, binary(2, 1)), with(&base, binary(1, 2)));
    let expected = MergeResult::Conflict { paths: vec!["bin".to_owned()] };
    assert_eq!(repo.merge(&ours, &theirs).unwrap(), expected);
}

#[test]
fn the_users_own_merge_settings_change_nothing() {
    let place = Place::with_files(&[("a", "1\n"), (".gitattributes", "a merge=ours\n")]);
    place.git(&["config", "merge.ours.driver", "true"]);
    place.git(&["config", "merge.renames", "true"]);
    place.git(&["config", "merge.conflictStyle", "diff3"]);
    let repo = place.repo();
    let base = place.tip();
    let ours = side(&repo, &base, &[("a", Some((FILE, "2\n")))]);
    let theirs = side(&repo, &base, &[("a", Some((FILE, "3\n")))]);
    let expected = MergeResult::Conflict { paths: vec!["a".to_owned()] };
    assert_eq!(repo.merge(&ours, &theirs).unwrap(), expected);
}

#[test]
fn a_commit_merged_with_its_ancestor_is_itself() {
    let place = Place::with_files(&[("a", "1\n")]);
    let repo = place.repo();
    let base = place.tip();
    let ahead = side(&repo, &base, &[("a", Some((FILE, "2\n")))]);
    let tree = repo.tree_of(&ahead).unwrap();
    for (ours, theirs) in [(&ahead, &base), (&base, &ahead), (&ahead, &ahead)] {
        assert_eq!(repo.merge(ours, theirs).unwrap(), MergeResult::Clean { tree: tree.clone() });
    }
}
