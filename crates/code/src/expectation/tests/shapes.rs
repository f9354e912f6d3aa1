//! Shapes of assertions by language: helpers, conditions, functions that are called back, tolerances. Each must give a changed
//! value, and what looks like it and is no expectation must stay as it is.

use super::*;

/// The changed values of a file's tests, without denials and opposites.
fn values(path: &str, text: &str) -> Vec<String> {
    let all = expectations(path, text.as_bytes(), &|_| true, 1);
    let compared =
        |m: &&ExpectationMutant| !matches!(m.kind, ExpectationKind::Negation | ExpectationKind::Denial);
    let strong = all.iter().flat_map(|test| &test.mutants).filter(compared);
    let mut out: Vec<String> = strong.map(|m| format!("{} {}", m.kind.as_str(), m.was)).collect();
    for mutant in all.iter().flat_map(|test| &test.mutants) {
        let changed = with_edits(text.as_bytes(), &mutant.change.iter().collect::<Vec<_>>()).unwrap();
        let parsed = crate::syntax::parses(language_of(path).unwrap(), &changed);
        assert!(parsed.is_ok(), "{path}: {mutant}\n{}", String::from_utf8_lossy(&changed));
    }
    out.sort();
    out.dedup();
    out
}

#[test]
fn conditions_say_what_is_equal() {
    let python = |body: &str| values("test_a.py", &format!("def test_a():\n    {body}\n"));
    for body in [
        "assert f(1) == 42 and g(2)",
        "assert not f(1) != 42",
        "assert g(1) is None and 42 == f(2)",
        "if f(1) != 42:\n        pytest.fail('no')",
        "if f(1) == 42:\n        pass\n    else:\n        raise AssertionError",
        "self.assertTrue(f(1) == 42)",
        "self.assertFalse(f(1) != 42)",
        "assert all(f(a) == b for a, b in [(1, 42)])",
        "want = 42\n    assert f(1) == want, f'is not {want}'",
        "for a, b in {1: 42}.items():\n        assert f(a) == b",
    ] {
        assert_eq!(python(body), ["equality 42"], "{body}");
    }
    for body in [
        "assert f(1) == 42 or g(2)",
        "assert not (f(1) == 42 and g(2))",
        "assert f(1) != 42",
        "if f(1) != 42:\n        return",
        "assert all(f(a) == 42 for a in g())",
        "assert abs(f(1) - 42.5) < 9",
        "self.assertTrue(f(1) > 42)",
    ] {
        assert_eq!(python(body), [""; 0], "{body}");
    }
    for body in [
        "assert abs(f(1) - 4.25) < 1e-9",
        "assert math.isclose(f(1), 4.25)",
        "assert f(1) == pytest.approx(4.25, abs=1e-6)",
        "self.assertAlmostEqual(f(1), 4.25, places=5)",
        "np.testing.assert_allclose(f(1), 4.25, rtol=0.001)",
    ] {
        assert_eq!(python(body), ["equality 4.25"], "{body}");
    }
}

#[test]
fn every_value_of_a_list_is_changed_and_every_case_of_a_table() {
    let lists = [
        ("test_a.py", "def test_a():\n    assert f(1) in (42, 43)\n"),
        (
            "test_a.py",
            "class T(unittest.TestCase):\n    def test_a(self):\n        self.assertIn(f(1), [42, 43])\n",
        ),
        ("a.test.js", "test('a', () => { assert.ok([42, 43].includes(f(1))); });\n"),
        ("tests/a.rs", "#[test]\nfn a() {\n    assert!([42, 43].contains(&f(1)));\n}\n"),
    ];
    for (path, text) in lists {
        let seen = expectations(path, text.as_bytes(), &|_| true, 1);
        let mutant = &seen[0].mutants[0];
        assert_eq!((mutant.kind, mutant.change.len()), (ExpectationKind::Equality, 2), "{text}");
        for seed in 0..50 {
            let seen = expectations(path, text.as_bytes(), &|_| true, seed);
            let edits: Vec<&SourceEdit> = seen[0].mutants[0].change.iter().collect();
            let changed = String::from_utf8(with_edits(text.as_bytes(), &edits).unwrap()).unwrap();
            assert!(!changed.contains("42") && !changed.contains("43"), "{changed}");
        }
    }
    let tables = [
        (
            "test_a.py",
            "@pytest.mark.parametrize('a, b', [(1, 42), (2, 43), (3, 44)])\ndef test_a(a, b):\n    assert f(a) == b\n",
            3,
        ),
        (
            "a.test.js",
            "for (const [a, b] of [[1, 42], [2, 43]]) {\n  test(`c ${a}`, () => { assert.equal(f(a), b); });\n}\n",
            2,
        ),
    ];
    for (path, text, rows) in tables {
        let seen = expectations(path, text.as_bytes(), &|_| true, 1);
        let mutant = &seen[0].mutants[0];
        assert_eq!((mutant.every_case, mutant.change.len()), (true, rows), "{text}");
    }
    let php = "<?php\nclass ATest extends TestCase\n{\n    public static function rows(): array\n    {\n        return [[1, 42], 'b' => [2, 43]];\n    }\n\n    /** @dataProvider rows */\n    public function testA(int $a, int $b): void\n    {\n        $this->assertSame($b, f($a));\n    }\n}\n";
    let seen = expectations("tests/ATest.php", php.as_bytes(), &|_| true, 1);
    let mutant = &seen[0].mutants[0];
    assert_eq!((mutant.kind, mutant.every_case, mutant.change.len()), (ExpectationKind::Equality, true, 2));
    // One of the rows cannot be changed, or all rows are one case.
    for text in [
        "@pytest.mark.parametrize('a, b', [(1, 42), (2, g(3))])\ndef test_a(a, b):\n    assert f(a) == b\n",
        "@pytest.mark.parametrize('a, b', [(1, 42), *MORE])\ndef test_a(a, b):\n    assert f(a) == b\n",
        "TABLE = [(1, 42), (2, 43)]\n\n\ndef test_a():\n    for a, b in TABLE:\n        assert f(a) == b\n",
    ] {
        let seen = expectations("test_a.py", text.as_bytes(), &|_| true, 1);
        assert!(seen[0].mutants.iter().all(|mutant| !mutant.every_case), "{text}");
    }
}

#[test]
fn a_condition_that_is_kept_under_a_name_counts() {
    let python = |body: &str| values("test_a.py", &format!("def test_a():\n    {body}\n"));
    assert_eq!(python("ok = f(1) == 42\n    assert ok"), ["equality 42"]);
    assert_eq!(python("ok = f(1) == 42\n    self.assertTrue(ok)"), ["equality 42"]);
    assert_eq!(python("ok = f(1) == 42\n    ok = g()\n    assert ok"), [""; 0]);
    assert_eq!(
        values("a.test.js", "test('a', () => {\n  const ok = f(1) === 42;\n  assert.ok(ok);\n});\n"),
        ["equality 42"]
    );
    assert_eq!(
        values("tests/a.rs", "#[test]\nfn a() {\n    let ok = f(1) == 42;\n    assert!(ok);\n}\n"),
        ["equality 42"]
    );
}

#[test]
fn a_name_in_rust_gets_another_value_when_the_test_runs() {
    let shared = "const WANT: i64 = 42;\n\n#[test]\nfn a() {\n    assert_eq!(f(1), WANT);\n}\n\n#[test]\nfn b() {\n    assert_eq!(f(2), WANT);\n}\n";
    assert_eq!(values("tests/a.rs", shared), ["computed WANT"]);
    // The type of a call may not be known there: such a change comes last.
    let called = "#[test]\nfn a() {\n    assert_eq!(f(1), g().into_iter().sum());\n}\n";
    let seen = expectations("tests/a.rs", called.as_bytes(), &|_| true, 1);
    let order: Vec<(&str, bool)> =
        seen[0].mutants.iter().map(|mutant| (mutant.kind.as_str(), mutant.may_not_compile)).collect();
    assert_eq!(order, [("negation", false), ("denial", false), ("computed", true)]);
}

#[test]
fn a_helper_of_the_file_asserts_for_the_test() {
    let cases = [
        (
            "test_a.py",
            "def check(a, want):\n    assert f(a) == want, f'{want}'\n\n\ndef test_a():\n    check(7, 42)\n",
        ),
        (
            "test_a.py",
            "def same(got, want):\n    if got != want:\n        raise AssertionError(want)\n\n\ndef test_a():\n    same(f(7), want=42)\n",
        ),
        (
            "test_a.py",
            "class T(unittest.TestCase):\n    def check(self, a, want):\n        self.assertEqual(f(a), want)\n\n    def test_a(self):\n        for a, b in [(7, 42)]:\n            self.check(a, b)\n",
        ),
        (
            "a.test.js",
            "const same = (got, want) => assert.deepEqual(got, want);\ntest('a', () => same(f(7), 42));\n",
        ),
        (
            "a.test.ts",
            "describe('a', () => {\n  function check(a: number, want: number) { expect(f(a)).toBe(want); }\n  it('b', async () => { await check(7, 42); });\n});\n",
        ),
        (
            "tests/a.rs",
            "fn check(a: i64, want: i64) {\n    assert_eq!(f(a), want);\n}\n\n#[test]\nfn a() {\n    check(7, 42);\n}\n",
        ),
        (
            "a_test.go",
            "package a\n\nfunc check(t *testing.T, a, want int) {\n\tt.Helper()\n\tif got := F(a); got != want {\n\t\tt.Errorf(\"%d %d\", got, want)\n\t}\n}\n\nfunc TestA(t *testing.T) {\n\tcheck(t, 7, 42)\n}\n",
        ),
        (
            "spec/a_spec.rb",
            "def check(a, want)\n  expect(f(a)).to eq(want)\nend\n\nRSpec.describe 'a' do\n  it('b') { check(7, 42) }\nend\n",
        ),
        (
            "tests/ATest.php",
            "<?php\nclass ATest extends TestCase\n{\n    private function check(int $a, int $want): void { $this->assertSame($want, f($a)); }\n    public function testA(): void { $this->check(7, 42); }\n}\n",
        ),
        (
            "src/test/java/ATest.java",
            "class ATest {\n    void check(int a, int want) { assertEquals(want, F.f(a)); }\n    @Test void a() { check(7, 42); }\n}\n",
        ),
    ];
    for (path, text) in cases {
        assert_eq!(values(path, text), ["equality 42"], "{path}\n{text}");
    }
}

#[test]
fn the_argument_of_a_helper_that_is_an_input_stays_as_it_is() {
    for helper in [
        "assert f(a) == g(want)",
        "assert f(want) == want",
        "if a:\n        assert f(a) == want",
        "print(want)\n    assert f(a)",
    ] {
        let text = format!("def check(a, want):\n    {helper}\n\n\ndef test_a():\n    check(7, 42)\n");
        assert_eq!(values("test_a.py", &text), [""; 0], "{helper}");
    }
    // Two functions of the name: which one is meant is not known.
    let twice = "def check(a):\n    assert f() == a\n\n\nclass A:\n    def check(self, a):\n        assert g() == 1\n\n\ndef test_a():\n    check(42)\n";
    assert_eq!(values("test_a.py", twice), [""; 0]);
}

#[test]
fn a_helper_of_another_file_asserts_for_the_test() {
    let beside =
        vec![("tests/helper.py".to_owned(), b"def same(got, want):\n    assert got == want\n".to_vec())];
    let text = b"from helper import same\n\n\ndef test_a():\n    same(f(7), 42)\n";
    let seen = expectations_beside("tests/test_a.py", text, &beside, &|_| true, 1);
    let words: Vec<String> =
        seen[0].mutants.iter().map(|m| format!("{} {}", m.kind.as_str(), m.was)).collect();
    assert_eq!(words, ["equality 42", "denial same(f(7), 42)"]);
}

#[test]
fn assertions_in_functions_that_are_called_back_count() {
    let script = |body: &str| values("a.test.js", &format!("test('a', async (t) => {{\n  {body}\n}});\n"));
    for body in [
        "[[1, 42]].forEach(([a, b]) => { assert.equal(f(a), b); });",
        "for (const { a, b } of [{ a: 1, b: 42 }]) { assert.equal(f(a), b); }",
        "await f(1).then((value) => assert.equal(value, 42));",
        "assert.ok(f(1) === 42);",
        "assert([[1, 42]].every(([a, b]) => f(a) === b));",
        "if (f(1) !== 42) throw new Error('no');",
        "expect(f(1) === 42).toBe(true);",
        "expect(f).toHaveBeenCalledWith(42);",
    ] {
        assert_eq!(script(body), ["equality 42"], "{body}");
    }
    let each = "describe.each([{ a: 1, b: 42 }])('$a', ({ a, b }) => {\n  it('c', () => { expect(f(a)).toBe(b); });\n});\n";
    assert_eq!(values("a.test.js", each), ["equality 42"]);
    let rust = "#[test]\nfn a() {\n    [(1, 42)].iter().for_each(|(a, b)| assert_eq!(f(a), *b));\n}\n";
    assert_eq!(values("tests/a.rs", rust), ["equality 42"]);
    let cases = "#[rstest]\n#[case(1, 42)]\nfn a(#[case] a: i64, #[case] want: i64) {\n    assert_eq!(f(a), want);\n}\n";
    assert_eq!(values("tests/a.rs", cases), ["equality 42"]);
    let java = "class ATest {\n    @Test void a() { assertAll(() -> assertEquals(42, F.f(1))); }\n}\n";
    assert_eq!(values("src/test/java/ATest.java", java), ["equality 42"]);
    let rows = "package a\n\nfunc TestA(t *testing.T) {\n\tfor _, c := range []struct{ in, want int }{{1, 42}} {\n\t\tif F(c.in) != c.want {\n\t\t\tt.Fail()\n\t\t}\n\t}\n}\n";
    assert_eq!(values("a_test.go", rows), ["equality 42"]);
}

#[test]
fn a_function_of_a_script_compares() {
    let text = "#!/bin/sh\ncheck() {\n  [ \"$1\" = \"$2\" ] || {\n    echo wrong\n    exit 1\n  }\n}\ncheck \"$(f 1 2)\" 42\n";
    let seen = file_expectations("tests/a.sh", text.as_bytes(), 1).unwrap();
    let found: Vec<(&str, &str, bool)> =
        seen.mutants.iter().map(|m| (m.kind.as_str(), m.was.as_str(), m.straight)).collect();
    assert_eq!(found, [("equality", "42", true), ("denial", "check \"$(f 1 2)\" 42", true)]);
    // One that only prints is no assertion.
    let prints = text.replace("exit 1", "echo no");
    let seen = file_expectations("tests/a.sh", prints.as_bytes(), 1);
    assert!(seen.is_none_or(|seen| seen.mutants.iter().all(|m| m.was != "42")));
    // So does one that ends the script, behind a comparison.
    let fails =
        "#!/bin/sh\nfail() {\n  echo \"$1\"\n  exit 1\n}\n[ \"$(f 1)\" = 42 ] || fail 'not 42'\necho ok\n";
    for (text, straight) in [(fails.to_owned(), true), (fails.replace("exit 1", "exit 0"), false)] {
        let seen = file_expectations("tests/a.sh", text.as_bytes(), 1).unwrap();
        assert_eq!((seen.mutants[0].was.as_str(), seen.mutants[0].straight), ("42", straight));
    }
}

#[test]
fn a_helper_that_is_given_a_condition_asserts_it() {
    let java = "public class ATest {\n    static void check(boolean ok) {\n        if (!ok) throw new AssertionError();\n    }\n\n    public static void main(String[] args) {\n        check(A.f(1).equals(42));\n    }\n}\n";
    let seen = file_expectations("test/ATest.java", java.as_bytes(), 1).unwrap();
    assert_eq!((seen.mutants[0].kind, seen.mutants[0].was.as_str()), (ExpectationKind::Equality, "42"));
    let python =
        |said: &str| format!("def check(ok):\n    assert ok\n\n\ndef test_a():\n    check({said})\n");
    assert_eq!(values("test_a.py", &python("f(1) == 42")), ["equality 42"]);
    assert_eq!(values("test_a.py", &python("'abcd' in f(1)")), ["part abcd"]);
    let all = expectations("test_a.py", python("f(1) > 42").as_bytes(), &|_| true, 1);
    assert_eq!(
        (all[0].mutants[0].kind, all[0].mutants[0].was.as_str()),
        (ExpectationKind::Negation, "f(1) > 42")
    );
}

/// A type may leave a part of its values out of its equality, but not all of them; and no error is one that was just made.
#[test]
fn equalities_that_belong_to_a_type() {
    let text = "package a\n\nfunc TestA(t *testing.T) {\n\ttests := []struct{ a int; want Point }{{1, Point{22, 33}}, {2, Point{44, 55}}}\n\tfor _, tt := range tests {\n\t\tif got := F(tt.a); !got.Equal(tt.want) {\n\t\t\tt.Error(got)\n\t\t}\n\t}\n}\n";
    let seen = expectations("a_test.go", text.as_bytes(), &|_| true, 1).remove(0);
    let all: Vec<usize> =
        seen.mutants.iter().filter(|m| m.kind.as_str() == "equality").map(|m| m.change.len()).collect();
    assert_eq!(all, [2, 2, 2, 2]);
    let java =
        "class ATest {\n    @Test\n    void a() {\n        assertTrue(f(1).equals(\"abc\"));\n    }\n}\n";
    let seen = expectations("src/test/java/ATest.java", java.as_bytes(), &|_| true, 1).remove(0);
    assert_eq!(seen.mutants[0].kind.as_str(), "equality", "{seen:?}");
    for (line, form) in [
        ("if !errors.Is(err, ErrA) { t.Fatal(err) }", "if !errors.Is(err, func(e error) error"),
        ("assert.ErrorIs(t, err, ErrA)", "assert.ErrorIs(t, err, func(e error) error"),
    ] {
        let text = format!("package a\n\nfunc TestA(t *testing.T) {{\n\t_, err := F(1)\n\t{line}\n}}\n");
        let seen = expectations("a_test.go", text.as_bytes(), &|_| true, 1).remove(0);
        let first = seen.mutants.iter().find(|m| m.kind.as_str() == "computed").unwrap();
        let bytes = crate::expectation::with_edits(text.as_bytes(), &first.change.iter().collect::<Vec<_>>())
            .unwrap();
        assert!(String::from_utf8(bytes).unwrap().contains(form), "{first:?}");
        assert_eq!(first.was, "ErrA");
    }
}

#[test]
fn a_member_becomes_another_one_only_where_both_are_named_like_constants() {
    let test =
        |one: &str, two: &str| format!("def test_a():\n    assert f(1) == {one}\n    assert f(2) == {two}\n");
    let constants = values("test_a.py", &test("Size.LOW", "Size.HIGH"));
    assert_eq!(constants, ["equality Size.HIGH", "equality Size.LOW"]);
    // Attributes of an object are values that nothing is known of.
    let attributes = values("test_a.py", &test("conf.low", "conf.high"));
    assert_eq!(attributes, ["computed conf.high", "computed conf.low"]);
}

/// `values` asserts that the changed text parses: a line before a body on the line of its function would not.
#[test]
fn a_parameter_is_changed_where_the_body_begins() {
    for body in ["\n    assert f(1) == x", " assert f(1) == x", "\n    # why\n    assert f(1) == x"] {
        let text = format!("@pytest.mark.parametrize('x', g())\ndef test_a(x):{body}\n");
        assert_eq!(values("test_a.py", &text), ["computed x"], "{body}");
    }
}

#[test]
fn a_comment_between_rows_is_no_row() {
    for comment in ["", "    # the second one is odd\n"] {
        let rows = format!("[\n    (1, 22),\n{comment}    (3, 44),\n]");
        let text =
            format!("@pytest.mark.parametrize('a,b', {rows})\ndef test_a(a, b):\n    assert f(a) == b\n");
        let all = expectations("test_a.py", text.as_bytes(), &|_| true, 1);
        assert!(all[0].mutants[0].every_case, "{text}");
    }
}

/// A failure in place of an assertion shows that it is reached, unless the test itself catches the failure.
#[test]
fn what_is_caught_cannot_show_that_it_is_reached() {
    let shows = |body: &str| {
        let text =
            format!("class TestA < Minitest::Test\n  def test_a\n    begin\n{body}    end\n  end\nend\n");
        let all = expectations("test_a.rb", text.as_bytes(), &|_| true, 1);
        let equality = all[0].mutants.iter().find(|mutant| mutant.kind == ExpectationKind::Equality);
        equality.unwrap().denial.is_some()
    };
    let assertion = "      assert_equal 42, f(1)\n";
    assert!(!shows(&format!("{assertion}    rescue E\n      g\n")));
    assert!(shows(&format!("      g\n    rescue E\n{assertion}")));
}
