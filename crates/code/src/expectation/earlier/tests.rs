//! A change finds its place in another version of the file, or none.

use super::super::{expectations, file_expectations, with_edits};
use super::*;

const OLD: &str = "from a import f\n\n\ndef test_old():\n    assert f(1) == 10\n";
const NEW: &str = "from a import f, g\n\n\ndef test_new():\n    assert g(1) == 20\n\n\ndef test_old():\n    assert f(1) == 10\n";

fn change_of(test: &str, text: &str) -> (String, Vec<SourceEdit>) {
    let all = expectations("tests/test_a.py", text.as_bytes(), &|name| name.ends_with(test), 7);
    (all[0].test.clone(), all[0].mutants[0].change.clone())
}

#[test]
fn a_test_with_the_same_text_is_changed_in_the_same_way() {
    let (test, change) = change_of("test_old", NEW);
    let there =
        in_earlier_version("tests/test_a.py", &test, &change, NEW.as_bytes(), OLD.as_bytes()).unwrap();
    let here = with_edits(NEW.as_bytes(), &change.iter().collect::<Vec<_>>()).unwrap();
    let earlier = with_edits(OLD.as_bytes(), &there.iter().collect::<Vec<_>>()).unwrap();
    let last = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().last().unwrap().to_owned();
    assert_ne!(last(&earlier), "    assert f(1) == 10");
    assert_eq!(last(&earlier), last(&here));
}

#[test]
fn a_test_that_is_new_or_was_another_one_has_no_earlier_version() {
    let earlier = |test: &str, old: &str| {
        let (test, change) = change_of(test, NEW);
        in_earlier_version("tests/test_a.py", &test, &change, NEW.as_bytes(), old.as_bytes())
    };
    assert_eq!(earlier("test_new", OLD), None);
    assert_eq!(earlier("test_old", &OLD.replace("f(1)", "f(2)")), None);
    assert_eq!(earlier("test_old", ""), None);
}

#[test]
fn of_a_file_that_is_one_test_a_line_is_found_if_it_stands_there_once() {
    let new = "#!/bin/sh\n. ./b.sh\n[ \"$(b 1)\" = 2 ] || exit 1\n[ \"$(a 1)\" = 3 ] || exit 1\n";
    let old = "#!/bin/sh\n[ \"$(a 1)\" = 3 ] || exit 1\n";
    let seen = file_expectations("tests/a.sh", new.as_bytes(), 3).unwrap();
    let at = |line: usize| {
        let mutant = seen.mutants.iter().find(|m| m.line == line).unwrap();
        in_earlier_version("tests/a.sh", "tests/a.sh", &mutant.change, new.as_bytes(), old.as_bytes())
    };
    assert_eq!(at(3), None);
    let there = at(4).unwrap();
    let changed = with_edits(old.as_bytes(), &there.iter().collect::<Vec<_>>()).unwrap();
    assert_ne!(changed, old.as_bytes());
    let twice = format!("{old}{}", old.lines().last().unwrap());
    let mutant = seen.mutants.iter().find(|m| m.line == 4).unwrap();
    assert_eq!(
        in_earlier_version("tests/a.sh", "tests/a.sh", &mutant.change, new.as_bytes(), twice.as_bytes()),
        None
    );
}

#[test]
fn a_line_that_is_a_part_of_another_one_is_not_that_line() {
    let place = |text: &str| only_place(text.as_bytes(), b"x = 1");
    for (text, wanted) in [
        ("x = 1", Some(0)),
        ("x = 12\nx = 1\r\n", Some(7)),
        ("xx = 1\n  x = 1\nx = 1\n", Some(15)),
        ("x = 1\nx = 1\n", None),
        ("x = 12", None),
        ("", None),
    ] {
        assert_eq!(place(text), wanted, "{text:?}");
    }
}
