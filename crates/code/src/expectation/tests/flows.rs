//! Ways that an expected value takes before it is compared: names, tables, loops, cases of the runner, helpers, blocks.
//!
//! A row is a test file and the values that are changed in it; computed values, opposites and failures stand behind their kind.

use super::*;

#[test]
fn a_name_that_is_bound_once() {
    for (path, text, expected) in [
        ("test_a.py", "def test_a():\n    want = 42\n    assert f(1) == want\n", "42, denial"),
        (
            "a.test.js",
            "test('a', () => {\n  const want = 42;\n  expect(f(1)).toBe(want);\n});\n",
            "42, denial",
        ),
        (
            "tests/a.rs",
            "#[test]\nfn a() {\n    let want = 42;\n    assert_eq!(f(1), want);\n}\n",
            "42, denial",
        ),
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\twant := 42\n\tif f(1) != want { t.Fatal() }\n}\n",
            "42, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn a_name_that_also_goes_into_the_code() {
    for (path, text, expected) in [
        ("test_a.py", "def test_a():\n    want = 42\n    assert f(want) == want\n", "computed want, denial"),
        (
            "a.test.js",
            "test('a', () => {\n  const want = 42;\n  expect(f(want)).toBe(want);\n});\n",
            "computed want, denial",
        ),
        (
            "tests/a.rs",
            "#[test]\nfn a() {\n    let want = 42;\n    assert_eq!(f(want), want);\n}\n",
            "computed want, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn a_name_that_is_bound_twice() {
    for (path, text, expected) in [
        (
            "test_a.py",
            "def test_a():\n    want = 42\n    want = 43\n    assert f(1) == want\n",
            "computed want, denial",
        ),
        (
            "a.test.js",
            "test('a', () => {\n  let want = 42;\n  want = 43;\n  expect(f(1)).toBe(want);\n});\n",
            "computed want, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn a_name_of_the_file() {
    for (path, text, expected) in [
        ("test_a.py", "WANT = 42\n\n\ndef test_a():\n    assert f(1) == WANT\n", "42, denial"),
        ("a.test.js", "const WANT = 42;\ntest('a', () => {\n  expect(f(1)).toBe(WANT);\n});\n", "42, denial"),
        (
            "test_a.py",
            "WANT = 42\n\n\ndef test_a():\n    assert f(1) == WANT\n\n\ndef test_b():\n    assert g(1) == WANT\n",
            "computed WANT, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn the_result_is_bound_first() {
    for (path, text, expected) in [
        ("test_a.py", "def test_a():\n    got = f(1)\n    assert got == 42\n", "42, denial"),
        ("a.test.js", "test('a', () => {\n  const got = f(1);\n  expect(got).toBe(42);\n});\n", "42, denial"),
        ("tests/a.rs", "#[test]\nfn a() {\n    let got = f(1);\n    assert_eq!(got, 42);\n}\n", "42, denial"),
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\tgot := f(1)\n\tif got != 42 { t.Fatal() }\n}\n",
            "42, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn a_loop_over_rows() {
    for (path, text, expected) in [
        (
            "test_a.py",
            "def test_a():\n    for a, b in [(1, 22), (3, 44)]:\n        assert f(a) == b\n",
            "22, 44, denial",
        ),
        (
            "a.test.js",
            "test('a', () => {\n  for (const [a, b] of [[1, 22], [3, 44]]) {\n    expect(f(a)).toBe(b);\n  }\n});\n",
            "22, 44, denial",
        ),
        (
            "tests/a.rs",
            "#[test]\nfn a() {\n    for (a, b) in [(1, 22), (3, 44)] {\n        assert_eq!(f(a), b);\n    }\n}\n",
            "22, 44, denial",
        ),
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\tfor _, c := range []struct{ in, want int }{{1, 22}, {3, 44}} {\n\t\tif f(c.in) != c.want { t.Fatal() }\n\t}\n}\n",
            "22, 44, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn a_loop_over_a_table_that_is_bound_first() {
    for (path, text, expected) in [
        (
            "test_a.py",
            "def test_a():\n    rows = [(1, 22), (3, 44)]\n    for a, b in rows:\n        assert f(a) == b\n",
            "22, 44, denial",
        ),
        (
            "a.test.js",
            "test('a', () => {\n  const rows = [{ a: 1, b: 22 }, { a: 3, b: 44 }];\n  for (const { a, b } of rows) {\n    expect(f(a)).toBe(b);\n  }\n});\n",
            "22, 44, denial",
        ),
        (
            "tests/a.rs",
            "#[test]\nfn a() {\n    let rows = [(1, 22), (3, 44)];\n    for (a, b) in rows {\n        assert_eq!(f(a), b);\n    }\n}\n",
            "22, 44, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn a_table_by_position() {
    for (path, text, expected) in [
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\twant := []int{22, 33}\n\tfor at, got := range f(1) {\n\t\tif got != want[at] { t.Errorf(\"%d\", want[at]) }\n\t}\n}\n",
            "22, 33, denial",
        ),
        (
            "tests/a.rs",
            "#[test]\nfn a() {\n    let want = [22, 33];\n    for (at, got) in f(1).iter().enumerate() {\n        assert_eq!(*got, want[at]);\n    }\n}\n",
            "22, 33, denial",
        ),
        (
            "ATest.java",
            "class ATest {\n  @Test void a() {\n    int[] want = {22, 33};\n    for (int at = 0; at < 2; at++) {\n      assertEquals(want[at], f(at));\n    }\n  }\n}\n",
            "22, 33, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn a_loop_that_compares_what_it_also_gives() {
    for (path, text, expected) in [
        (
            "test_a.py",
            "def test_a():\n    for a in [1, 2]:\n        assert f(a) == a\n",
            "computed a, denial",
        ),
        (
            "a.test.js",
            "test('a', () => {\n  for (const a of [1, 2]) {\n    expect(f(a)).toBe(a);\n  }\n});\n",
            "computed a, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn rows_by_name() {
    for (path, text, expected) in [
        (
            "test_a.py",
            "def test_a():\n    for case in [{'in': 1, 'want': 22}]:\n        assert f(case['in']) == case['want']\n",
            "22, denial",
        ),
        (
            "a.test.js",
            "test('a', () => {\n  for (const c of [{ in: 1, want: 22 }]) {\n    expect(f(c.in)).toBe(c.want);\n  }\n});\n",
            "22, denial",
        ),
        (
            "test_a.py",
            "def test_a():\n    for a, b in {'x': 22, 'y': 44}.items():\n        assert f(a) == b\n",
            "22, 44, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn cases_of_the_runner() {
    for (path, text, expected) in [
        (
            "test_a.py",
            "@pytest.mark.parametrize('a, b', [(1, 22), (3, 44)])\ndef test_a(a, b):\n    assert f(a) == b\n",
            "22, denial",
        ),
        (
            "test_a.py",
            "@pytest.mark.parametrize(('a', 'b'), [pytest.param(1, 22, id='x')])\ndef test_a(a, b):\n    assert f(a) == b\n",
            "22, denial",
        ),
        (
            "test_a.py",
            "ROWS = [(1, 22)]\n\n\n@pytest.mark.parametrize('a, b', ROWS)\ndef test_a(a, b):\n    assert f(a) == b\n",
            "22, denial",
        ),
        (
            "a.test.js",
            "test.each([[1, 22], [3, 44]])('a %i', (a, b) => {\n  expect(f(a)).toBe(b);\n});\n",
            "22, denial",
        ),
        (
            "a.test.js",
            "describe.each([[1, 22]])('x', (a, b) => {\n  it('y', () => {\n    expect(f(a)).toBe(b);\n  });\n});\n",
            "22, denial",
        ),
        (
            "ATest.php",
            "<?php\nclass ATest extends TestCase {\n  /** @dataProvider rows */\n  public function testA($a, $b) {\n    $this->assertSame($b, f($a));\n  }\n  public static function rows() {\n    return [[1, 22], [3, 44]];\n  }\n}\n",
            "22, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn a_helper_of_the_file() {
    for (path, text, expected) in [
        (
            "test_a.py",
            "def check(a, b):\n    assert f(a) == b\n\n\ndef test_a():\n    check(1, 22)\n    check(3, 44)\n",
            "22, 44, denial",
        ),
        (
            "a.test.js",
            "const check = (a, b) => expect(f(a)).toBe(b);\ntest('a', () => {\n  check(1, 22);\n});\n",
            "22, denial",
        ),
        (
            "tests/a.rs",
            "fn check(a: u8, b: u8) {\n    assert_eq!(f(a), b);\n}\n\n#[test]\nfn a() {\n    check(1, 22);\n}\n",
            "22, denial",
        ),
        (
            "a_test.go",
            "package a\n\nfunc check(t *testing.T, a, b int) {\n\tif f(a) != b { t.Fatal() }\n}\n\nfunc TestA(t *testing.T) {\n\tcheck(t, 1, 22)\n}\n",
            "22, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn a_sub_test() {
    for (path, text, expected) in [
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\tt.Run(\"x\", func(t *testing.T) {\n\t\tif f(1) != 42 { t.Fatal() }\n\t})\n}\n",
            "42, denial",
        ),
        (
            "test_a.py",
            "def test_a():\n    with self.subTest('x'):\n        self.assertEqual(f(1), 42)\n",
            "42, denial",
        ),
        (
            "a.test.js",
            "test('a', () => {\n  t.test('x', (t) => {\n    t.is(f(1), 42);\n  });\n});\n",
            "42, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn behind_a_condition_and_inside_an_exception_handler() {
    for (path, text, expected) in [
        ("test_a.py", "def test_a():\n    if flag:\n        assert f(1) == 42\n", "42, denial"),
        (
            "test_a.py",
            "def test_a():\n    try:\n        g()\n    except E as e:\n        assert e.code == 42\n",
            "42, denial",
        ),
        (
            "a.test.js",
            "test('a', () => {\n  if (flag) {\n    expect(f(1)).toBe(42);\n  }\n});\n",
            "42, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn asynchronous_code() {
    for (path, text, expected) in [
        ("test_a.py", "async def test_a():\n    assert await f(1) == 42\n", "42, denial"),
        ("a.test.js", "test('a', async () => {\n  expect(await f(1)).toBe(42);\n});\n", "42, denial"),
        (
            "a.test.js",
            "test('a', async () => {\n  await expect(f(1)).resolves.toBe(42);\n});\n",
            "42, denial",
        ),
        ("tests/a.rs", "#[tokio::test]\nasync fn a() {\n    assert_eq!(f(1).await, 42);\n}\n", "42, denial"),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn blocks_of_ruby() {
    for (path, text, expected) in [
        (
            "a_spec.rb",
            "describe 'a' do\n  [[1, 22], [3, 44]].each do |a, b|\n    it \"b #{a}\" do\n      expect(f(a)).to eq(b)\n    end\n  end\nend\n",
            "22, denial",
        ),
        (
            "a_spec.rb",
            "describe 'a' do\n  let(:want) { 42 }\n  it 'b' do\n    expect(f(1)).to eq(want)\n  end\nend\n",
            "computed want, denial",
        ),
        (
            "test_a.rb",
            "class TestA < Minitest::Test\n  def test_a\n    want = 42\n    assert_equal want, f(1)\n  end\nend\n",
            "42, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn tables_of_c() {
    for (path, text, expected) in [
        (
            "test_a.c",
            "struct row { int in, want; };\nint main(void) {\n  struct row rows[] = {{1, 22}, {3, 44}};\n  for (int i = 0; i < 2; i++) {\n    if (f(rows[i].in) != rows[i].want) return 1;\n  }\n  return 0;\n}\n",
            "22, 44, denial",
        ),
        (
            "test_a.c",
            "int main(void) {\n  int want[] = {22, 44};\n  for (int i = 0; i < 2; i++) assert(f(i) == want[i]);\n  return 0;\n}\n",
            "22, 44, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn classes_and_set_ups() {
    for (path, text, expected) in [
        (
            "test_a.py",
            "class TestA(unittest.TestCase):\n    def setUp(self):\n        self.want = 42\n\n    def test_a(self):\n        self.assertEqual(f(1), self.want)\n",
            "computed self.want, denial",
        ),
        (
            "ATest.java",
            "class ATest {\n  static final int WANT = 42;\n  @Test void a() {\n    assertEquals(WANT, f(1));\n  }\n}\n",
            "42, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn no_assertion_and_a_test_that_is_skipped() {
    for (path, text, expected) in [
        ("test_a.py", "def test_a():\n    f(1)\n", ""),
        ("test_a.py", "@pytest.mark.skip\ndef test_a():\n    assert f(1) == 42\n", ""),
        ("a.test.js", "test.skip('a', () => {\n  expect(f(1)).toBe(42);\n});\n", ""),
        ("tests/a.rs", "#[test]\n#[ignore]\nfn a() {\n    assert_eq!(f(1), 42);\n}\n", ""),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

/// Tables in further forms, each with what must stay as it is.
#[test]
fn rows_in_further_forms() {
    for (path, text, expected) in [
        // A row is taken apart inside the test, or in the head of its loop.
        (
            "test_a.py",
            "def test_a():\n    for case in [(1, 22), (3, 44)]:\n        a, want = case\n        assert f(a) == want\n",
            "22, 44, denial",
        ),
        (
            "test_a.py",
            "def test_a():\n    for case in [(1, 22), (3, 44)]:\n        a, want = case\n        assert f(case) == want\n",
            "computed want, denial",
        ),
        (
            "test_a.py",
            "def test_a():\n    for name, (a, want) in {'x': (1, 22)}.items():\n        assert f(a) == want, name\n",
            "22, denial",
        ),
        (
            "a.test.js",
            "test('a', () => {\n  for (const row of [[1, 22]]) {\n    const [a, want] = row;\n    expect(f(a)).toBe(want);\n  }\n});\n",
            "22, denial",
        ),
        (
            "a.test.js",
            "const cases = { x: { a: 1, want: 22 } };\nfor (const [name, { a, want }] of Object.entries(cases)) {\n  test(name, () => {\n    expect(f(a)).toBe(want);\n  });\n}\n",
            "22, denial",
        ),
        (
            "test_a.py",
            "def test_a():\n    for case in [(1, 2, 22), (3, 44)]:\n        *a, want = case\n        assert f(a) == want\n",
            "computed want, denial",
        ),
        // An entry of a table by name.
        (
            "test_a.py",
            "def test_a():\n    want = {'y': 44, 'z': {'x': 66}, 'x': 22}\n    assert f('x') == want['x']\n    assert f('y') == want['y']\n",
            "22, 44, denial",
        ),
        (
            "test_a.py",
            "WANT = {'x': 22, 'y': 44}\n\n\ndef test_a():\n    assert f('x') == WANT['x']\n",
            "22, denial",
        ),
        (
            "test_a.py",
            "WANT = {'x': 22, 'y': 44}\n\n\ndef test_a():\n    assert f(WANT['y']) == WANT['x']\n",
            "computed WANT['x'], denial",
        ),
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\tfor in, want := range map[string]int{\"x\": 22, \"y\": 44} {\n\t\tif got := f(in); got != want {\n\t\t\tt.Error(got)\n\t\t}\n\t}\n}\n",
            "22, 44, denial",
        ),
        // A table in a template.
        (
            "a.test.js",
            "test.each`\n  a    | want\n  ${1} | ${22}\n  ${3} | ${44}\n`('f $a', ({ a, want }) => {\n  expect(f(a)).toBe(want);\n});\n",
            "22, 44, denial",
        ),
        (
            "a.test.js",
            "table`\n  a | want\n  ${1} | ${22}\n`.forEach(({ a, want }) => {\n  test('a', () => {\n    expect(f(a)).toBe(want);\n  });\n});\n",
            "22, denial",
        ),
        // Records.
        (
            "test_a.py",
            "class Case(NamedTuple):\n    a: int\n    want: int = 0\n\n\ndef case(a, gives):\n    return Case(a, gives)\n\n\ndef test_a():\n    for each in [Case(1, 22), Case(3, want=44), case(5, gives=66)]:\n        assert f(each.a) == each.want, each\n",
            "22, 44, 66, denial",
        ),
        (
            "test_a.py",
            "@dataclass\nclass Case(Other):\n    a: int\n    want: int\n\n\ndef test_a():\n    for each in [Case(1, 22)]:\n        assert f(each.a) == each.want\n",
            "computed each.want, denial",
        ),
        (
            "src/test/java/ATest.java",
            "class ATest {\n  record Case(int a, int want) {}\n  @Test void a() {\n    for (Case each : List.of(new Case(1, 22), new Case(3, 44))) {\n      assertEquals(each.want(), f(each.a()));\n    }\n  }\n}\n",
            "22, 44, denial",
        ),
        (
            "tests/a.rs",
            "impl Case {\n    fn gives(mut self, want: i64) -> Self {\n        self.want = want;\n        self\n    }\n    fn check(&self) {\n        assert_eq!(f(self.a), self.want);\n    }\n}\n#[test]\nfn a() {\n    Case::of(1).gives(22).check();\n    Case { a: 3, want: 44 }.check();\n}\n",
            "22, 44, denial",
        ),
        // What a hook of pytest hands out.
        (
            "test_a.py",
            "CASES = {'x': (1, 22), 'y': (3, 44)}\n\n\ndef pytest_generate_tests(metafunc):\n    metafunc.parametrize('case', CASES.values(), ids=CASES.keys())\n\n\ndef test_a(case):\n    a, want = case\n    assert f(a) == want\n",
            "22, denial",
        ),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}

/// Equalities in further forms.
#[test]
fn equalities_of_elements_lines_and_cases() {
    for (path, text, expected) in [
        ("test_a.py", "def test_a():\n    assert (f(1) == [22, 44]).all()\n", "22, 44, denial"),
        ("test_a.py", "def test_a():\n    assert not (f(1) != [22]).any()\n", "22, denial"),
        ("test_a.py", "def test_a():\n    assert np.all(f(1) == [22])\n", "22, denial"),
        (
            "test_a.py",
            "def test_a():\n    assert (f(1) == 22).any()\n",
            "negation (f(1) == 22).any(), denial",
        ),
        (
            "test_a.py",
            "WANT = 'ab'\n\n\ndef test_a():\n    diff = list(difflib.unified_diff(WANT.splitlines(), f(1).splitlines()))\n    assert not diff\n",
            "ab, denial",
        ),
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\tswitch got := f(1); got {\n\tcase 22:\n\tdefault:\n\t\tt.Fatal(got)\n\t}\n}\n",
            "22",
        ),
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\tswitch f(1) {\n\tcase 22, 33:\n\tdefault:\n\t\tt.Fatal()\n\t}\n}\n",
            "",
        ),
        ("a_test.go", "package a\n\nfunc ExampleF() {\n\tF(1)\n\t// Output: 2\n}\n", "2"),
    ] {
        assert_eq!(shown_mutants(path, text), expected, "{path}: {text}");
    }
}
