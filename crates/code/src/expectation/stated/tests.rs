//! Examples of criteria: which sentences state one, and how a test holds it.

use super::*;

fn one(call: &str, value: &str) -> Vec<StatedExample> {
    vec![StatedExample { call: call.into(), value: value.into(), raises: false }]
}

#[test]
fn sentences_that_can_be_read_in_one_way_state_examples() {
    assert_eq!(stated_examples("`total([1, 2])` returns `3`"), one("total([1, 2])", "3"));
    assert_eq!(stated_examples("`slug(\"A B\")` -> `'a-b'`."), one("slug(\"A B\")", "'a-b'"));
    assert_eq!(stated_examples("Empty: `total([])` is `0`, as usual"), one("total([])", "0"));
    assert_eq!(stated_examples("`a(1)` gives `2` and `a(2)` gives `4`").len(), 2);
    for none in [
        "`total([1, 2])` raises `an error`",
        "`get(\"a\")` returns `1` after `set(\"a\", 1)`",
        "when empty, `total([])` returns `0`",
        "`total(prices)` returns `3`",
        "`mean([1, 2])` returns `1.5`",
        "`mean([1, 2])` returns `1_000`",
        "`mean([1, 2])` returns `10px`",
        "`slug(\"A\")` returns `a`",
        "`total` returns `3`",
        "`cart.total()` returns `3`",
        "`total([1])` does not return `3`",
        "`total([1])` returns a number",
    ] {
        assert_eq!(stated_examples(none), [], "{none}");
    }
}

fn laid(path: &str, text: &str, code: &str) -> Option<(String, String, String)> {
    let code = [("lib/total.py".to_owned(), code.as_bytes().to_vec())];
    let file = with_examples(path, text.as_bytes(), &one("total([1, 2])", "3"), &code, &|_| true)?;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Some((file.test, text(file.asserted), text(file.named)))
}

#[test]
fn a_test_of_the_file_holds_the_example() {
    let (test, asserted, named) =
        laid("test_a.py", "from total import total\n\n\ndef test_a():\n    assert total([1])\n", "").unwrap();
    assert_eq!(test, "test_a.py::test_a");
    assert!(
        asserted.contains("def test_a():\n    assert total([1, 2]) == 3\n    assert total([1])\n"),
        "{asserted}"
    );
    assert!(named.contains("    (total, [[1, 2]], 3)\n    assert total([1])\n"), "{named}");
    let (_, asserted, _) = laid("a.test.js", "test('a', () => assert.ok(total([1])));\n", "").unwrap();
    assert!(
        asserted.contains("=> { { const v = total([1, 2]);")
            && asserted.contains("return (assert.ok(total([1]))); }"),
        "{asserted}"
    );
    for path in ["a.test.ts", "tests/a.rs", "a_spec.rb"] {
        let text = match path {
            "a.test.ts" => "test('a', () => {\n  assert.ok(total([1]));\n});\n",
            "tests/a.rs" => "#[test]\nfn a() {\n    assert!(total(&[1]) > 0);\n}\n",
            _ => "describe 'a' do\n  it 'b' do\n    expect(total([1])).to be > 0\n  end\nend\n",
        };
        let (_, asserted, named) = laid(path, text, "").unwrap();
        for text in [asserted, named] {
            let parsed = crate::syntax::parses(language_of(path).unwrap(), text.as_bytes());
            assert!(parsed.is_ok(), "{path}\n{text}");
        }
    }
}

#[test]
fn a_test_in_go_holds_the_example() {
    let text = "package a\n\nfunc TestA(t *testing.T) {\n\tif Twice(1) < 0 {\n\t\tt.Fatal()\n\t}\n}\n";
    let file = with_examples("a_test.go", text.as_bytes(), &one("Twice(2)", "4"), &[], &|_| true).unwrap();
    let asserted = String::from_utf8(file.asserted).unwrap();
    assert!(asserted.contains("\tif v := Twice(2); v != 4 { panic(1) }; if Twice(1) < 0 {"), "{asserted}");
    assert_eq!(file.named, text.as_bytes(), "what is not there does not compile");
}

#[test]
fn what_the_test_does_not_import_is_imported_from_the_changed_code() {
    let text = "def test_a():\n    assert open('total.py')\n";
    let (_, asserted, named) = laid("test_a.py", text, "def total(prices):\n    return 0\n").unwrap();
    assert!(asserted.contains("    from total import total; assert total([1, 2]) == 3\n"), "{asserted}");
    assert!(named.contains("    from total import total; (total, [[1, 2]], 3)\n"), "{named}");
    let (_, asserted, _) = laid("test_a.py", text, "").unwrap();
    assert!(!asserted.contains("import"), "{asserted}");
}

#[test]
fn a_test_that_is_expected_to_fail_holds_none() {
    let text = "@pytest.mark.xfail\ndef test_a():\n    assert total([1])\n";
    assert_eq!(laid("test_a.py", text, ""), None);
}

#[test]
fn errors_that_criteria_state() {
    let [example] = &stated_examples("`total([-1])` raises `ValueError`")[..] else { panic!() };
    assert!(example.raises && example.call == "total([-1])" && example.value == "ValueError");
    let lay = |path: &str, text: &str, code: &str| {
        let code = [("lib/total.py".to_owned(), code.as_bytes().to_vec())];
        with_examples(path, text.as_bytes(), std::slice::from_ref(example), &code, &|_| true)
            .map(|file| String::from_utf8(file.asserted).unwrap())
    };
    let python = "from total import total\n\n\ndef test_a():\n    assert total([1])\n";
    let asserted = lay("test_a.py", python, "").unwrap();
    assert!(asserted.contains(".assertRaises(ValueError, lambda: total([-1]))\n"), "{asserted}");
    let script = lay("a.test.js", "test('a', () => {\n  assert.ok(total([1]));\n});\n", "").unwrap();
    assert!(script.contains("try { const v = total([-1]);"), "{script}");
    // What gives its answer later raises later, too; Rust has no such statement.
    assert_eq!(lay("test_a.py", python, "async def total(prices):\n    pass\n"), None);
    assert_eq!(lay("tests/a.rs", "#[test]\nfn a() {\n    assert!(total(&[1]) > 0);\n}\n", ""), None);
}
