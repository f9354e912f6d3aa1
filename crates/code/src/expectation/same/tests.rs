//! The same value in other words, per language.

use super::super::{expectations, file_expectations, with_edits};

/// A text with every value of its first test that can be written in another way.
fn other_words(path: &str, text: &str) -> String {
    let seen = expectations(path, text.as_bytes(), &|_| true, 5);
    let edits = seen.iter().flat_map(|test| &test.mutants).flat_map(|mutant| &mutant.same);
    let bytes = with_edits(text.as_bytes(), &edits.collect::<Vec<_>>()).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The line of an assertion, with a word for the other value.
fn line(path: &str, text: &str, other: &str) -> String {
    let restated = other_words(path, text);
    let changed = restated.lines().find(|line| !text.lines().any(|known| known == *line)).unwrap_or_default();
    let (head, tail) = changed.split_once(other).unwrap_or((changed, ""));
    let end = tail.find([' ', ')', '}']).unwrap_or(tail.len());
    if other.is_empty() {
        changed.trim().to_owned()
    } else {
        format!("{}{other}…{}", head.trim(), &tail[end..])
    }
}

#[test]
fn a_number_is_given_by_a_choice_that_is_always_the_same() {
    let cases = [
        (
            "test_a.py",
            "def test_a():\n    assert f(1) == 42\n",
            " else ",
            "assert f(1) == (42 if [1] else …)",
        ),
        (
            "a.test.js",
            "const test = require('node:test');\nconst assert = require('node:assert');\ntest('a', () => {\n  assert.equal(f(1), 42);\n});\n",
            " : ",
            "assert.equal(f(1), ([1] ? 42 : …));",
        ),
        (
            "tests/a.rs",
            "#[test]\nfn a() {\n    assert_eq!(f(1), 42);\n}\n",
            " else { ",
            "assert_eq!(f(1), (if true { 42 } else { … }));",
        ),
        (
            "a_test.rb",
            "class ATest < Minitest::Test\n  def test_a\n    assert_equal 42, f(1)\n  end\nend\n",
            " : ",
            "assert_equal ([1] ? 42 : …), f(1)",
        ),
        (
            "ATest.php",
            "<?php\nclass ATest extends TestCase {\n    public function testA(): void {\n        $this->assertSame(42, f(1));\n    }\n}\n",
            " : ",
            "$this->assertSame(([1] ? 42 : …), f(1));",
        ),
    ];
    for (path, text, other, expected) in cases {
        assert_eq!(line(path, text, other), expected, "{path}");
    }
    let go =
        "package a\n\nfunc TestA(t *testing.T) {\n\tif got := F(1); got != 42 {\n\t\tt.Fatal(got)\n\t}\n}\n";
    assert_eq!(line("a_test.go", go, ""), "if got := F(1); got != (42) {");
}

#[test]
fn a_text_is_taken_whole() {
    let text = "def test_a():\n    assert f(1) == \"abc\"\n";
    let restated = other_words("test_a.py", text);
    let (head, tail) = restated.split_once(" if [1] else ").unwrap();
    assert!(head.ends_with("== (\"abc\""), "{restated}");
    assert!(tail.starts_with('"') && tail.trim_end().ends_with("\")"), "{restated}");
}

#[test]
fn a_part_is_never_taken_for_the_whole() {
    let text = "class T(TestCase):\n    def test_a(self):\n        self.assertIn(\"name\", f(1))\n";
    let restated = other_words("test_a.py", text);
    assert!(restated.contains("assertIn((\"name\" if [1] else \""), "{restated}");
    let pattern = "test('a', () => {\n  assert.match(f(1), /abc/);\n});\n";
    assert_eq!(other_words("a.test.js", pattern), pattern);
    let parts = "def test_a():\n    assert f(1) == f\"a{x}bc\"\n";
    let whole = other_words("test_a.py", parts);
    assert!(whole == parts || whole.contains("(f\"a{x}bc\" if [1] else "), "{whole}");
}

#[test]
fn a_computed_value_carries_what_a_mutant_would_be_made_of() {
    let restated = other_words("test_a.py", "def test_a(xs):\n    assert f(xs) == sum(xs)\n");
    assert!(restated.contains("== (sum(xs) if [1] else (lambda v: "), "{restated}");
}

#[test]
fn a_blank_more_in_a_script() {
    let text = "#!/bin/sh\n[ \"$(f 1)\" = \"4 2\" ] || exit 1\n";
    let seen = file_expectations("a.sh", text.as_bytes(), 1).unwrap();
    let edits = seen.mutants.iter().flat_map(|mutant| &mutant.same).collect::<Vec<_>>();
    let restated = String::from_utf8(with_edits(text.as_bytes(), &edits).unwrap()).unwrap();
    assert_eq!(restated, "#!/bin/sh\n[ \"$(f 1)\" =  \"4 2\" ] || exit 1\n");
}

#[test]
fn texts_that_stand_one_behind_the_other_are_one() {
    let text = "def test_a():\n    assert f(1) == (\n        b\"GET /\" b\"Host\"\n    )\n";
    let seen = expectations("test_a.py", text.as_bytes(), &|_| true, 5);
    for edit in seen.iter().flat_map(|test| &test.mutants).flat_map(|mutant| &mutant.same) {
        assert!(edit.text.starts_with("(b\"GET /\" b\"Host\" if [1] else "), "{}", edit.text);
    }
}

#[test]
fn names_of_cases_are_replaced() {
    let text = "@pytest.mark.parametrize('a', [1, pytest.param(2, id='two is 2')], ids=['one is 1', 'b'])\ndef test_a(a):\n    assert f(a) == a\n";
    let edits = super::other_titles("test_a.py", text.as_bytes());
    let changed = super::super::with_edits(text.as_bytes(), &edits.iter().collect::<Vec<_>>()).unwrap();
    let changed = String::from_utf8(changed).unwrap();
    assert!(!changed.contains(" is ") && changed.contains("id='case_"), "{changed}");
    let looked = text.replace("assert", "print(request.node.name)\n    assert");
    assert_eq!(super::other_titles("test_a.py", looked.as_bytes()), []);
    assert_eq!(super::other_titles("a.test.js", b"test('a', () => f({ id: 'b' }));\n"), []);
}
