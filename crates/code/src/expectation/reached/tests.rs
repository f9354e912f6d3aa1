//! What every good run of a test comes by, and what it catches.

use super::super::{ExpectationKind, expectations};

/// The lines of the changed assertions that every good run comes by.
fn straight(path: &str, text: &str) -> Vec<usize> {
    let mut lines: Vec<usize> = expectations(path, text.as_bytes(), &|_| true, 1)
        .iter()
        .flat_map(|test| &test.mutants)
        .filter(|mutant| mutant.straight && mutant.kind == ExpectationKind::Denial)
        .map(|mutant| mutant.line)
        .collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

fn python(body: &str) -> Vec<usize> {
    straight("test_a.py", &format!("def test_a():\n{body}"))
}

#[test]
fn a_loop_over_written_rows_is_run() {
    for list in [
        "[(1, 2)]",
        "range(4)",
        "{'a': 1}.items()",
        "enumerate([3])",
        "zip([1], (2, 3))",
        "zip(f(1), [2])",
        "ROWS",
    ] {
        let text =
            format!("ROWS = [1]\n\n\ndef test_a():\n    for row in {list}:\n        assert f(row) == 3\n");
        assert_eq!(straight("test_a.py", &text), [6], "{list}");
    }
    for list in ["[]", "range(0)", "f(1)", "zip(f(1), g())", "[*f(1)]", "[x for x in f(1)]"] {
        let body = format!("    for row in {list}:\n        assert f(row) == 3\n");
        assert_eq!(python(&body), [] as [usize; 0], "{list}");
    }
}

#[test]
fn a_loop_that_may_be_left_is_not_known_to_be_run() {
    let body =
        "    for row in [1, 2]:\n        if g(row):\n            continue\n        assert f(row) == 3\n";
    assert_eq!(python(body), [] as [usize; 0]);
    let body = "    for row in [1, 2]:\n        if g(row):\n            assert f(row) == 3\n";
    assert_eq!(python(body), [] as [usize; 0]);
}

#[test]
fn contexts_hand_failures_on_unless_they_say_otherwise() {
    assert_eq!(python("    with self.subTest(a=1):\n        assert f(1) == 3\n"), [3]);
    assert_eq!(python("    with Basket() as basket:\n        assert basket.sum() == 3\n"), [3]);
    assert_eq!(python("    with pytest.raises(E):\n        assert f(1) == 3\n"), [] as [usize; 0]);
    assert_eq!(python("    with contextlib.suppress(E):\n        assert f(1) == 3\n"), [] as [usize; 0]);
}

#[test]
fn functions_that_the_test_runs() {
    let run = |last: &str| {
        let body = format!("    async def check():\n        assert await f(1) == 3\n\n    {last}\n");
        python(&body)
    };
    assert_eq!(run("asyncio.run(check())"), [3]);
    assert_eq!(run("asyncio.get_event_loop().run_until_complete(check())"), [3]);
    assert_eq!(run("later(check)"), [] as [usize; 0]);
    assert!(!run("check()").contains(&3));
    let plain = |first: &str| format!("    def check():\n        assert f(1) == 3\n\n    {first}\n");
    assert_eq!(python(&plain("if g():\n        return\n    check()")), [] as [usize; 0]);
    assert!(python(&plain("check()")).contains(&3));
}

#[test]
fn other_languages() {
    let js = |rows: &str| {
        format!(
            "test('a', () => {{\n  {rows}.forEach(([a, b]) => {{\n    assert.equal(f(a), b);\n  }});\n}});\n"
        )
    };
    assert_eq!(straight("a.test.js", &js("[[1, 2]]")), [3]);
    assert_eq!(straight("a.test.js", &js("f(1)")), [] as [usize; 0]);
    let of = "test('a', () => {\n  for (const [a, b] of [[1, 2]]) {\n    assert.equal(f(a), b);\n  }\n});\n";
    assert_eq!(straight("a.test.js", of), [3]);
    let at = "test('a', () => {\n  const want = [3, 4];\n  for (const [at, sum] of f(1).entries()) {\n    assert.equal(sum, want[at]);\n  }\n});\n";
    assert_eq!(straight("a.test.js", at), [4]);
    assert_eq!(straight("a.test.js", &at.replace("[3, 4]", "[]")), [] as [usize; 0]);
    let rust = |list: &str| {
        format!("#[test]\nfn a() {{\n    for (x, y) in {list} {{\n        assert_eq!(f(x), y);\n    }}\n}}\n")
    };
    assert_eq!(straight("tests/a.rs", &rust("[(1, 2)]")), [4]);
    assert_eq!(straight("tests/a.rs", &rust("&[(1, 2)]")), [4]);
    assert_eq!(straight("tests/a.rs", &rust("g().zip([1])")), [4]);
    assert_eq!(straight("tests/a.rs", &rust("g()")), [] as [usize; 0]);
    let go = "package a\n\nfunc TestA(t *testing.T) {\n\tfor _, c := range []struct{ in, want int }{{1, 2}} {\n\t\tt.Run(\"x\", func(t *testing.T) {\n\t\t\tif F(c.in) != c.want {\n\t\t\t\tt.Fatal(c.want)\n\t\t\t}\n\t\t})\n\t}\n}\n";
    assert_eq!(straight("a_test.go", go), [6]);
}

/// `assert f(1)` may pass because `f(1)` throws what is caught: that a denied assertion fails says nothing there.
#[test]
fn what_is_caught_has_no_denial_beside_its_changes() {
    let denials = |path: &str, text: &str| -> Vec<bool> {
        let seen = expectations(path, text.as_bytes(), &|_| true, 1).remove(0);
        let changes = seen.mutants.iter().filter(|m| m.kind != ExpectationKind::Denial);
        changes.map(|m| m.denial.is_some()).collect()
    };
    let caught = "def test_a():\n    try:\n        assert f(1) == 3\n    except ValueError:\n        pass\n    else:\n        assert 0\n";
    assert!(denials("test_a.py", caught).contains(&false));
    let cleaned = "def test_a():\n    try:\n        assert f(1) == 3\n    finally:\n        g()\n";
    assert_eq!(denials("test_a.py", cleaned), [true]);
    let behind =
        "def test_a():\n    try:\n        f(2)\n    except ValueError:\n        pass\n    assert f(1) == 3\n";
    assert_eq!(denials("test_a.py", behind), [true]);
}

#[test]
fn what_a_promise_calls_that_the_test_waits_for() {
    let script = |body: &str| straight("a.test.js", &format!("test('a', {body});\n"));
    for body in [
        "() => f(1).then((x) => {\n  assert.equal(x, 3);\n})",
        "() => {\n  return f(1).then((x) => assert.equal(x, 3));\n}",
        "async () => {\n  await f(1).then((x) => assert.equal(x, 3)).finally(stop);\n}",
    ] {
        assert_eq!(script(body), [2], "{body}");
    }
    for body in [
        "() => {\n  f(1).then((x) => assert.equal(x, 3));\n}",
        "() => {\n  return f(1).then((x) => assert.equal(x, 3), ignore);\n}",
        "() => {\n  return f(1).then((x) => assert.equal(x, 3)).catch(ignore);\n}",
        "() => {\n  return f(1).each((x) => assert.equal(x, 3));\n}",
    ] {
        assert_eq!(script(body), [] as [usize; 0], "{body}");
    }
}

#[test]
fn rows_by_position_in_go() {
    let text = "package a\n\nfunc TestA(t *testing.T) {\n\twant := []int{22, 33}\n\tfor at, got := range f(1) {\n\t\tif got != want[at] {\n\t\t\tt.Errorf(\"%d\", want[at])\n\t\t}\n\t}\n}\n";
    assert_eq!(straight("a_test.go", text), [6]);
}
