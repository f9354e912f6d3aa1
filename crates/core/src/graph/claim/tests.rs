//! Paths as text: tidying, what a task owns, covers, and the place where a path is named.

use serde_json::json;

use super::*;
use crate::diagnostic::FileIx;

#[test]
fn paths_are_tidied() {
    let table = [
        ("a", "a"),
        ("./a", "a"),
        ("././a/./b", "a/b"),
        ("a//b", "a/b"),
        ("a/.", "a"),
        (" a \r\n", "a"),
        ("src/", "src/"),
        ("./src//", "src/"),
        ("/a", "/a"),
        ("//a", "/a"),
        ("/", "/"),
        (".", ""),
        ("./", ""),
        ("", ""),
        ("   ", ""),
        // Names that only look like `.`, and what is not resolved without a disk.
        (".git", ".git"),
        ("a/.env", "a/.env"),
        ("...", "..."),
        ("..", ".."),
        ("a/../b", "a/../b"),
        ("a\\b", "a\\b"),
        ("A", "A"),
    ];
    for (path, expected) in table {
        assert_eq!(tidy(path), expected, "{path:?}");
        assert_eq!(tidy(&tidy(path)), expected, "tidying twice changes nothing: {path:?}");
    }
}

#[test]
fn a_path_is_owned_once_with_the_first_thing_done_to_it() {
    let table = [
        (json!({}), vec![]),
        (json!({"files": {"read": ["r"]}}), vec![]),
        (
            json!({"files": {"create": ["c"], "modify": ["m"], "delete": ["d"]}, "test": {"file": "t"}}),
            vec![("c", Touch::Create), ("m", Touch::Modify), ("d", Touch::Delete), ("t", Touch::Test)],
        ),
        (
            json!({"files": {"create": ["./x"], "delete": ["x"]}, "test": {"file": "x"}}),
            vec![("x", Touch::Create)],
        ),
        (json!({"files": {"modify": ["", ".", "x"]}}), vec![("x", Touch::Modify)]),
        (json!({"test_code": [{"path": "t", "code": ""}]}), vec![("t", Touch::Test)]),
    ];
    for (value, expected) in table {
        let task: Task = serde_json::from_value(value.clone()).unwrap();
        let found: Vec<(String, Touch)> =
            owned(&task).into_iter().map(|(p, t)| (p.into_owned(), t)).collect();
        let expected: Vec<(String, Touch)> = expected.into_iter().map(|(p, t)| (p.to_owned(), t)).collect();
        assert_eq!(found, expected, "{value}");
    }
}

#[test]
fn directories_and_patterns_cover_other_paths() {
    let table = [
        // path, directory, tail
        ("src/", Some(("src/", ""))),
        ("src/*.py", Some(("src/", ".py"))),
        ("src/**/test_?.py", Some(("src/", ".py"))),
        ("**/*.rs", Some(("", ".rs"))),
        ("src/[ab].py", Some(("src/", ".py"))),
        ("src/{a,b}/x.py", Some(("src/", "/x.py"))),
        ("src/a*", Some(("src/", ""))),
        ("*", Some(("", ""))),
        ("src", None),
        ("src/a.py", None),
        ("a]b}", None),
        ("", None),
    ];
    for (path, expected) in table {
        let cover = Cover::read(path);
        assert_eq!(cover.as_ref().map(|c| (c.dir, c.tail)), expected, "{path}");
    }
}

#[test]
fn a_cover_may_hold_what_ends_alike_and_every_other_cover() {
    let table = [
        ("src/*.py", "src/a.py", true),
        ("src/*.py", "src/deep/a.py", true),
        ("src/*.py", "src/a.rs", false),
        ("src/*.py", "src/sub/", true),
        ("src/*.py", "src/*.rs", true),
        ("src/", "src/a.rs", true),
    ];
    for (cover, path, expected) in table {
        assert_eq!(Cover::read(cover).unwrap().may_hold(path), expected, "{cover} {path}");
    }
}

#[test]
fn a_path_lies_in_every_directory_above_it() {
    let table: [(&str, &[&str]); 5] = [
        ("a", &[""]),
        ("a/b/c", &["", "a/", "a/b/"]),
        ("a/b/", &["", "a/", "a/b/"]),
        ("/a", &["", "/"]),
        ("", &[""]),
    ];
    for (path, expected) in table {
        assert_eq!(dirs(path).collect::<Vec<_>>(), expected, "{path}");
    }
}

#[test]
fn a_finding_points_at_the_entry_that_names_the_path() {
    let at = |start| Span { file: FileIx(0), start, end: start };
    let mut task: Task = serde_json::from_value(json!({
        "files": {"create": ["a", "./b"], "modify": ["m"], "read": ["r"], "delete": ["d"]}, "test": {"file": "t"},
    }))
    .unwrap();
    assert_eq!(span(&task, "a"), None);
    task.places.insert(String::new(), at(1));
    assert_eq!(span(&task, "a"), Some(at(1)));
    task.places.note("files", at(2));
    task.places.note("files.create", at(3));
    task.places.note_item("files.create", 1, at(4));
    task.places.note_item("files.read", 0, at(5));
    task.places.note("test.file", at(6));
    for (path, start) in [("a", 3), ("b", 4), ("m", 2), ("d", 2), ("r", 5), ("t", 6), ("not named", 6)] {
        assert_eq!(span(&task, path), Some(at(start)), "{path}");
    }
}
