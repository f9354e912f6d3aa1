//! Tests: names of files in the text of a test.

use super::*;

#[test]
fn a_name_counts_as_a_whole() {
    let text = TextWords::of(
        b"from helpers import check_all\nrequire('./read-file'); x.y.z(); say(\"na\xc3\xafve\")",
    );
    for (name, has) in [
        ("helpers", true),
        ("helper", false),
        ("elpers", false),
        ("check_all", true),
        ("check", false),
        ("read-file", true),
        ("read", true),
        ("ead-file", false),
        ("file-read", false),
        ("y.z", true),
        ("x.z", false),
        ("na\u{ef}ve", true),
        ("", false),
        ("-", false),
        ("unknown-file", false),
    ] {
        assert_eq!(text.has(name.as_bytes()), has, "{name}");
    }
}

/// Two changes of one value would leave the file as it is, and every test in it would seem not to bite.
#[test]
fn a_test_that_two_classes_have_from_a_third_is_changed_once() {
    let text = "import unittest\n\n\nclass Base:\n    def test_a(self):\n        self.assertEqual(f(1), 22)\n        self.assertEqual(f(2), 33)\n\n\nclass One(Base, unittest.TestCase):\n    pass\n\n\nclass Two(Base, unittest.TestCase):\n    pass\n";
    let sources = [("test_a.py".to_owned(), text.as_bytes().to_vec())];
    let required = ["test_a.py::One::test_a", "test_a.py::Two::test_a"].map(str::to_owned);
    for _ in 0..16 {
        let tests = made_tests(&required, &sources);
        assert_eq!(tests.len(), 2);
        let set = MutantSet { script: "pytest".into(), tests, bare: Vec::new(), named: true };
        let [(_, bytes)] = set.files().try_into().unwrap();
        let changed = String::from_utf8(bytes).unwrap();
        let lines = text.lines().zip(changed.lines()).filter(|(was, now)| was != now).count();
        assert_eq!(lines, 1, "{changed}");
    }
}
