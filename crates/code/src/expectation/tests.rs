//! Changed expectations by language: what is changed, and what is left alone.

mod asked;
mod flows;
mod forms;
mod macros;
mod shapes;

use super::*;

/// Every mutant of a file as `kind line: was -> now`, sorted.
fn made(path: &str, text: &str) -> Vec<String> {
    let all = expectations(path, text.as_bytes(), &|_| true, 1);
    let words =
        |mutant: &ExpectationMutant| format!("{} {}: {}", mutant.kind.as_str(), mutant.line, mutant.was);
    let mut out: Vec<String> = all.iter().flat_map(|test| test.mutants.iter().map(words)).collect();
    out.sort();
    out.dedup();
    out
}

/// The mutants of a file by kind, in words: the values of equalities alone, and whether there is a denial.
fn shown_mutants(path: &str, text: &str) -> String {
    let all = expectations(path, text.as_bytes(), &|_| true, 1);
    let all = if all.is_empty() && crate::syntax::tests(path, text.as_bytes()).is_empty() {
        file_expectations(path, text.as_bytes(), 1).into_iter().collect()
    } else {
        all
    };
    let mut seen: Vec<(ExpectationKind, &str)> =
        all.iter().flat_map(|test| &test.mutants).map(|mutant| (mutant.kind, mutant.was.as_str())).collect();
    seen.sort_unstable();
    let shown = |(kind, was): &(ExpectationKind, &str)| match kind {
        ExpectationKind::Denial => "denial".to_owned(),
        ExpectationKind::Equality => (*was).to_owned(),
        _ => format!("{} {was}", kind.as_str()),
    };
    let mut shown: Vec<String> = seen.iter().map(shown).collect();
    shown.dedup();
    shown.join(", ")
}

/// The words of the mutants of a test, for every language.
fn check(path: &str, text: &str, expected: &[&str]) {
    for seed in 0..8 {
        for test in expectations(path, text.as_bytes(), &|_| true, seed) {
            for mutant in &test.mutants {
                let edits: Vec<&SourceEdit> = mutant.change.iter().collect();
                let changed = with_edits(text.as_bytes(), &edits).unwrap();
                assert_ne!(changed, text.as_bytes(), "{path}: {mutant}");
                if mutant.kind != ExpectationKind::Denial {
                    let longer = matches!(
                        mutant.kind,
                        ExpectationKind::Computed | ExpectationKind::Negation | ExpectationKind::Part
                    );
                    let sized = longer || mutant.now.starts_with("False") || changed.len() == text.len();
                    assert!(sized, "{path}: {mutant} keeps the size");
                    let parsed = crate::syntax::parses(language_of(path).unwrap(), &changed);
                    assert!(parsed.is_ok(), "{path}: {mutant}\n{}", String::from_utf8_lossy(&changed));
                }
            }
        }
    }
    assert_eq!(made(path, text), expected, "{path}\n{text}");
}

#[test]
fn python_changes_what_is_expected_and_nothing_else() {
    let test = |body: &str| format!("def test_a():\n{body}\n");
    let cases: [(&str, &[&str]); 17] = [
        ("    assert f(1) == 42", &["denial 2: assert f(1) == 42", "equality 2: 42"]),
        ("    assert 42 == f(1)", &["denial 2: assert 42 == f(1)", "equality 2: 42"]),
        ("    assert 1 == 2", &["denial 2: assert 1 == 2"]),
        ("    assert f(1) == g(2)", &["computed 2: g(2)", "denial 2: assert f(1) == g(2)"]),
        ("    assert f(1) != 2", &["denial 2: assert f(1) != 2", "negation 2: f(1) != 2"]),
        ("    assert f(1) in [2, 3]", &["denial 2: assert f(1) in [2, 3]", "equality 2: 2"]),
        (
            "    assert f(1) == 2 or True",
            &["denial 2: assert f(1) == 2 or True", "negation 2: f(1) == 2 or True"],
        ),
        (
            "    assert f('a') == ['b', {'k': g(1)}]",
            &["denial 2: assert f('a') == ['b', {'k': g(1)}]", "equality 2: b"],
        ),
        ("    want = 7\n    assert f(1) == want", &["denial 3: assert f(1) == want", "equality 2: 7"]),
        (
            "    want = 7\n    assert f(want) == want",
            &["computed 3: want", "denial 3: assert f(want) == want"],
        ),
        (
            "    want = 7\n    want = 8\n    assert f(1) == want",
            &["computed 4: want", "denial 4: assert f(1) == want"],
        ),
        (
            "    for a, b in [(1, 22), (3, 44)]:\n        assert f(a) == b",
            &["denial 3: assert f(a) == b", "equality 2: 22", "equality 2: 44"],
        ),
        (
            "    assert f(1) == pytest.approx(3.25)",
            &["denial 2: assert f(1) == pytest.approx(3.25)", "equality 2: 3.25"],
        ),
        (
            "    assert f(1) == pytest.approx(3.25, abs=9)",
            &[
                "denial 2: assert f(1) == pytest.approx(3.25, abs=9)",
                "negation 2: f(1) == pytest.approx(3.25, abs=9)",
            ],
        ),
        (
            "    with pytest.raises(ValueError, match='no such price'):\n        assert f(1) == 3",
            &["exception 2: ValueError", "exception 2: such"],
        ),
        (
            "    assert {'a': f(1), 'b': [1]} == {'a': 42, 'b': [1]}",
            &["denial 2: assert {'a': f(1), 'b': [1]} == {'a': 42, 'b': [1]}", "equality 2: 42"],
        ),
        ("    assert f(1) == ''", &["computed 2: ''", "denial 2: assert f(1) == ''"]),
    ];
    for (body, expected) in cases {
        // Which letter of a text is changed is a matter of chance.
        let made = made("test_a.py", &test(body));
        let same = made.len() == expected.len()
            && made.iter().zip(expected).all(|(a, b)| a == b || a.starts_with("exception 2:"));
        assert!(same, "{body}\n{made:?}\n{expected:?}");
        check("test_a.py", &test(body), &made.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

#[test]
fn tables_of_cases_count_where_they_are_the_tests_own() {
    let own = "@pytest.mark.parametrize('a, want', [(1, 22), (3, 44)])\ndef test_a(a, want):\n    assert f(a) == want\n";
    // Every case has another value; the first of them is named.
    check("test_a.py", own, &["denial 3: assert f(a) == want", "equality 1: 22"]);
    let named = "CASES = [(1, 22)]\n@pytest.mark.parametrize('a, want', CASES)\ndef test_a(a, want):\n    assert f(a) == want\n";
    check("test_a.py", named, &["denial 4: assert f(a) == want", "equality 1: 22"]);
    // A table that others use stays as it is; the value is changed where the test begins.
    let shared = format!("{named}\ndef test_all():\n    assert len(CASES) == f(1)\n");
    let expected = [
        "computed 4: want",
        "computed 7: f(1)",
        "denial 4: assert f(a) == want",
        "denial 7: assert len(CASES) == f(1)",
    ];
    check("test_a.py", &shared, &expected);
    let rebound = &expectations("test_a.py", shared.as_bytes(), &|_| true, 1)[0].mutants[0].change;
    let changed = with_edits(shared.as_bytes(), &rebound.iter().collect::<Vec<_>>()).unwrap();
    let changed = String::from_utf8(changed).unwrap();
    assert!(
        changed.contains("\n    want = (lambda v:") && changed.contains(")(want)\n    assert f(a) == want"),
        "{changed}"
    );
    let each = "test.each([[1, 22], [3, 44]])('%i', (a, want) => {\n  expect(f(a)).toBe(want);\n});\n";
    check("a.test.js", each, &["denial 2: expect(f(a)).toBe(want);", "equality 1: 22"]);
    let around = [
        "for (const [a, want] of [[1, 22], [3, 44]]) {\n  test(`${a} is ${want}`, () => {\n    expect(f(a)).toBe(want);\n  });\n}\n",
        "[[1, 22], [3, 44]].forEach(([a, want]) => {\n  test(`${a} is ${want}`, () => {\n    expect(f(a)).toBe(want);\n  });\n});\n",
        "const rows = [[1, 22], [3, 44]]; for (const [a, want] of rows) {\n  test(`${a} is ${want}`, () => {\n    expect(f(a)).toBe(want);\n  });\n}\n",
    ];
    for text in around {
        check("a.test.js", text, &["denial 3: expect(f(a)).toBe(want);", "equality 1: 22"]);
    }
    let input = "for (const [a, want] of [[1, 22], [3, 44]]) {\n  const b = g(want);\n  test(`${a}`, () => {\n    expect(f(a, b)).toBe(want);\n  });\n}\n";
    check("a.test.js", input, &["computed 4: want", "denial 4: expect(f(a, b)).toBe(want);"]);
    let spec = "describe 'f' do\n  [[1, 22], [3, 44]].each do |a, want|\n    it \"#{a}\" do\n      expect(f(a)).to eq(want)\n    end\n  end\nend\n";
    check("a_spec.rb", spec, &["denial 4: expect(f(a)).to eq(want)", "equality 2: 22"]);
}

#[test]
fn tests_whose_failure_is_expected_are_left_alone() {
    for text in [
        "@pytest.mark.xfail\ndef test_a():\n    assert f(1) == 2\n",
        "class TestA(unittest.TestCase):\n    @unittest.expectedFailure\n    def test_a(self):\n        self.assertEqual(f(1), 2)\n",
    ] {
        let all = expectations("test_a.py", text.as_bytes(), &|_| true, 1);
        assert!(all.iter().all(|test| test.marked && test.mutants.is_empty()), "{all:?}");
    }
    let rust = "#[test]\n#[should_panic]\nfn a() {\n    assert_eq!(f(1), 2);\n}\n";
    assert!(expectations("a.rs", rust.as_bytes(), &|_| true, 1).iter().all(|test| test.mutants.is_empty()));
}

#[test]
fn scripts_change_what_is_expected_and_nothing_else() {
    let test = |body: &str| format!("test('a', async () => {{\n  {body}\n}});\n");
    let cases: [(&str, &[&str]); 12] = [
        ("assert.strictEqual(f(1), 42);", &["denial 2: assert.strictEqual(f(1), 42);", "equality 2: 42"]),
        (
            "assert.deepEqual(f(1), [g(2), { a: 42 }]);",
            &["denial 2: assert.deepEqual(f(1), [g(2), { a: 42 }]);", "equality 2: 42"],
        ),
        ("expect(f(1)).toBe(42);", &["denial 2: expect(f(1)).toBe(42);", "equality 2: 42"]),
        ("expect(f(1)).not.toBe(42);", &["denial 2: expect(f(1)).not.toBe(42);"]),
        ("expect(f(1)).to.equal(42);", &["denial 2: expect(f(1)).to.equal(42);", "equality 2: 42"]),
        ("expect(f(1)).toBe(true);", &["denial 2: expect(f(1)).toBe(true);", "equality 2: true"]),
        (
            "expect(f(1)).toBeCloseTo(0.25, 1);",
            &["denial 2: expect(f(1)).toBeCloseTo(0.25, 1);", "equality 2: 0.25"],
        ),
        (
            "expect(() => f(1)).toThrow(RangeError);",
            &["denial 2: expect(() => f(1)).toThrow(RangeError);", "exception 2: RangeError"],
        ),
        ("expect(f(1)).resolves.toBe(42);", &[]),
        (
            "await expect(f(1)).resolves.toBe(42);",
            &["denial 2: await expect(f(1)).resolves.toBe(42);", "equality 2: 42"],
        ),
        (
            "const want = 42;\n  assert.equal(f(1), want);",
            &["denial 3: assert.equal(f(1), want);", "equality 2: 42"],
        ),
        ("list.forEach((x) => assert.equal(x, 42));", &["denial 2: assert.equal(x, 42)", "equality 2: 42"]),
    ];
    for (body, expected) in cases {
        check("a.test.ts", &test(body), expected);
    }
}

#[test]
fn rust_changes_what_is_expected_and_nothing_else() {
    let test = |body: &str| format!("#[test]\nfn a() {{\n    {body}\n}}\n");
    let cases: [(&str, &[&str]); 9] = [
        ("assert_eq!(f(1), 42);", &["denial 3: assert_eq!(f(1), 42)", "equality 3: 42"]),
        (
            "assert_eq!(f(1), vec![255u8, g(1)]);",
            &["denial 3: assert_eq!(f(1), vec![255u8, g(1)])", "equality 3: 255u8"],
        ),
        (
            "assert_eq!(f(1), Some(\"b\".to_string()));",
            &["denial 3: assert_eq!(f(1), Some(\"b\".to_string()))", "equality 3: b"],
        ),
        ("assert!(f(1) == 42);", &["denial 3: assert!(f(1) == 42)", "equality 3: 42"]),
        ("assert!(f(1) > 42);", &["denial 3: assert!(f(1) > 42)", "negation 3: f(1) > 42"]),
        ("assert_ne!(f(1), 42);", &["denial 3: assert_ne!(f(1), 42)", "negation 3: assert_ne!(f(1), 42)"]),
        (
            "let want = [42];\n    assert_eq!(f(1), want);",
            &["denial 4: assert_eq!(f(1), want)", "equality 3: 42"],
        ),
        (
            "for (a, b) in [(1, 22), (3, 44)] {\n        assert_eq!(f(a), b);\n    }",
            &["denial 4: assert_eq!(f(a), b)", "equality 3: 22", "equality 3: 44"],
        ),
        (
            "assert_eq!(f(1), Point::new(1, 2));",
            &[
                "computed 3: Point::new(1, 2)",
                "denial 3: assert_eq!(f(1), Point::new(1, 2))",
                "equality 3: 1",
                "field 3: 1",
                "field 3: 2",
            ],
        ),
    ];
    for (body, expected) in cases {
        check("a.rs", &test(body), expected);
    }
    let panics = "#[test]\n#[should_panic(expected = \"overflow\")]\nfn a() {\n    f(1);\n}\n";
    check("a.rs", panics, &["exception 2: overflow"]);
}

#[test]
fn shell_scripts_are_one_test() {
    let seen = |text: &str| {
        let all = file_expectations("tests/run.sh", text.as_bytes(), 1);
        let words = |m: &ExpectationMutant| format!("{} {} {}", m.kind.as_str(), m.line, m.straight);
        all.map(|test| test.mutants.iter().map(words).collect::<Vec<_>>()).unwrap_or_default()
    };
    assert_eq!(seen("[ \"$(./a 1)\" = 6 ] || exit 1\n"), ["equality 1 true", "denial 1 true"]);
    assert_eq!(seen("set -e\n[ \"$(./a)\" = 6 ]\necho\n"), ["equality 2 true", "denial 2 true"]);
    assert_eq!(seen("[ \"$(./a)\" = 6 ]\necho\n"), ["equality 1 false"]);
    assert_eq!(
        seen("if [ \"$(./a)\" != 6 ]; then\n  echo no\n  exit 1\nfi\n"),
        ["equality 1 true", "denial 1 true"]
    );
    assert_eq!(seen("if [ \"$(./a)\" = 6 ]; then\n  exit 1\nfi\n"), ["equality 1 false"]);
    assert_eq!(seen("echo hello\n"), Vec::<String>::new());
    let bats = "@test \"adds\" {\n  run ./a 1\n  [ \"$output\" = 6 ]\n}\n";
    let all = expectations("tests/a.bats", bats.as_bytes(), &|name| name == "adds", 1);
    assert_eq!(
        all[0].mutants.iter().map(|m| m.was.as_str()).collect::<Vec<_>>(),
        ["6", "[ \"$output\" = 6 ]"]
    );
}

#[test]
fn the_choice_depends_on_the_seed_and_stays_in_range() {
    let text = "def test_a():\n    assert f(1) == 'abcdefgh'\n    assert f(2) == 255\n    assert f(3) == 0\n";
    let all = |seed| expectations("test_a.py", text.as_bytes(), &|_| true, seed);
    let firsts: std::collections::BTreeSet<String> =
        (0..40).map(|seed| all(seed)[0].mutants[0].to_string()).collect();
    assert!(firsts.len() > 10, "{firsts:?}");
    for seed in 0..200 {
        for mutant in all(seed).iter().flat_map(|test| &test.mutants).filter(|m| m.was == "255") {
            let now: u16 = mutant.now.parse().unwrap();
            assert!((250..255).contains(&now), "{now}");
        }
    }
}

#[test]
fn every_other_language_changes_what_is_expected_and_nothing_else() {
    let cases: [(&str, &str, &[&str]); 13] = [
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\tif got := F(1); got != 42 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n",
            &["equality 4: 42"],
        ),
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\tcases := []struct{ in, want int }{\n\t\t{in: 1, want: 22},\n\t\t{in: 3, want: 44},\n\t}\n\tfor _, c := range cases {\n\t\tif F(c.in) != c.want {\n\t\t\tt.Fatal(c.want)\n\t\t}\n\t}\n}\n",
            &["equality 5: 22", "equality 6: 44"],
        ),
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\trequire.Equal(t, 42, F(1))\n}\n",
            &["equality 4: 42"],
        ),
        (
            "ATest.java",
            "class ATest {\n  @Test\n  void a() {\n    assertEquals(42, f(1));\n  }\n}\n",
            &["equality 4: 42"],
        ),
        (
            "ATest.java",
            "class ATest {\n  @Test\n  void a() {\n    assertThat(f(1)).isEqualTo(List.of(\"ab\"));\n  }\n}\n",
            &["equality 4: ab"],
        ),
        (
            "a_test.rb",
            "class ATest < Minitest::Test\n  def test_a\n    assert_equal 42, f(1)\n  end\nend\n",
            &["equality 3: 42"],
        ),
        (
            "a_spec.rb",
            "RSpec.describe A do\n  it \"a\" do\n    expect(f(1)).to eq(42)\n  end\nend\n",
            &["equality 3: 42"],
        ),
        (
            "ATest.php",
            "<?php\nclass ATest extends TestCase {\n  public function testA(): void {\n    $this->assertSame(['a' => 42], f(1));\n  }\n}\n",
            &["equality 4: 42"],
        ),
        (
            "ATest.cs",
            "class ATest {\n  [Fact]\n  public void A() {\n    Assert.Equal(42, F(1));\n  }\n}\n",
            &["equality 4: 42"],
        ),
        ("a_test.cpp", "TEST(A, B) {\n  EXPECT_EQ(f(1), 42);\n}\n", &["equality 2: 42"]),
        ("a_test.cpp", "TEST(A, B) {\n  EXPECT_STREQ(f(1), \"ab\");\n}\n", &["equality 2: ab"]),
        ("a_test.cpp", "TEST(A, B) {\n  EXPECT_NE(f(1), 42);\n}\n", &["negation 2: EXPECT_NE(f(1), 42)"]),
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\tif F(1) == 42 {\n\t\tt.Fatal()\n\t}\n}\n",
            &["negation 4: F(1) == 42"],
        ),
    ];
    for (path, text, expected) in cases {
        let strong: Vec<String> = made(path, text).into_iter().filter(|m| !m.starts_with("denial")).collect();
        assert_eq!(strong, expected, "{path}\n{text}");
        let all = made(path, text);
        check(path, text, &all.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

#[test]
fn programs_are_one_test() {
    let seen = |path: &str, text: &str| {
        let all = file_expectations(path, text.as_bytes(), 1);
        let strong = |m: &&ExpectationMutant| m.kind == ExpectationKind::Equality;
        let words = |m: &ExpectationMutant| format!("{} {} {}", m.line, m.was, m.straight);
        let mut lines: Vec<String> =
            all.map(|test| test.mutants.iter().filter(strong).map(words).collect()).unwrap_or_default();
        lines.sort();
        lines
    };
    assert_eq!(seen("a.c", "int main(void) {\n  assert(f(1) == 42);\n  return 0;\n}\n"), ["2 42 true"]);
    assert_eq!(seen("a.c", "int main(void) {\n  if (f(1) != 42) return 1;\n  return 0;\n}\n"), ["2 42 true"]);
    assert_eq!(
        seen(
            "A.java",
            "class A {\n  public static void main(String[] a) {\n    if (f(1) != 42) System.exit(1);\n  }\n}\n"
        ),
        ["3 42 true"]
    );
    assert_eq!(
        seen(
            "a.cpp",
            "static void check(int got, int want) {\n  if (got != want) std::exit(1);\n}\nint main() {\n  check(f(1), 42);\n}\n"
        ),
        ["5 42 true"]
    );
    assert_eq!(seen("a.py", "import b\nassert b.f(1) == 42\n"), ["2 42 true"]);
    assert_eq!(seen("a.py", "def main():\n    assert f(1) == 42\nmain()\n"), ["2 42 false"]);
    assert_eq!(seen("a.js", "const assert = require('assert');\nassert.equal(f(1), 42);\n"), ["2 42 true"]);
}

#[test]
fn a_file_that_says_what_is_not_contained() {
    let table = [
        ("def test_a():\n    assert 'x' in full()\n", false),
        ("    assert 'x' not in some()\n", true),
        ("        self.assertNotIn('x', some())\n", true),
        ("  expect(names).not.toContain('x')\n", true),
        ("    assert!(!range.contains(&4));\n", true),
        ("    assert!(range.contains(&4));\n", false),
    ];
    for (text, wanted) in table {
        assert_eq!(denies_parts(text.as_bytes()), wanted, "{text}");
    }
}
