//! What a test looks like with all of its expectations changed.

use crate::expectation::{PrimedCopy, SourceEdit, TestExpectations, expectations, with_edits};

fn first(path: &str, text: &str) -> TestExpectations {
    expectations(path, text.as_bytes(), &|_| true, 1).remove(0)
}

fn rounds(path: &str, text: &str) -> Vec<String> {
    let seen = first(path, text);
    let of = |change: &[SourceEdit]| {
        let bytes = with_edits(text.as_bytes(), &change.iter().collect::<Vec<_>>()).unwrap();
        // The values are drawn.
        String::from_utf8(bytes).unwrap().replace(|c: char| c.is_ascii_digit(), "9")
    };
    seen.together().iter().map(|mutant| of(&mutant.change)).collect()
}

#[test]
fn every_assertion_of_python_is_framed() {
    let text = "def test_a():\n    assert f(1) == 3\n    for a in b:\n        assert f(a) == 5  # five\n";
    let [round] = rounds("test_a.py", text).try_into().unwrap();
    assert_eq!(
        round,
        "def test_a():\n    try:\n     assert f(9) == 9\n    except AssertionError: pass\n    except BaseException: return\n    else: return\n    for a in b:\n        try:\n         assert f(a) == 9\n        except AssertionError: pass\n        except BaseException: return\n        else: return  # five\n    assert 9\n"
    );
}

/// Behind a `return` no failure would be seen, and every honest test would pass.
#[test]
fn a_return_at_the_end_hides_no_failure() {
    let text = "def test_a():\n    assert f(1) == 3\n    assert f(2) == 4\n\n    return\n";
    let [round] = rounds("test_a.py", text).try_into().unwrap();
    assert!(round.ends_with("    else: return\n\n    assert 9\n    return\n"), "{round}");
    let script = "test('a', () => {\n  expect(f(1)).toBe(2);\n  expect(f(2)).toBe(3);\n  return;\n});\n";
    let [round] = rounds("a.test.js", script).try_into().unwrap();
    assert!(round.ends_with("\n  throw 9;\n  return;\n});\n"), "{round}");
}

#[test]
fn parts_of_one_value_are_changed_in_turn() {
    let script = "test('a', () => {\n  expect(f(1)).toEqual([3, 4, 5]);\n});\n";
    assert_eq!(rounds("a.test.js", script).len(), 3);
    let [round] = rounds("test_a.py", "def test_a():\n    assert f(1) == [3, 4]\n").try_into().unwrap();
    let frame = "    except AssertionError: pass\n    except BaseException: return\n    else: return\n";
    assert_eq!(
        round,
        format!(
            "def test_a():\n    try:\n     assert (bites_on := f(9)) == [9, 9]\n{frame}    try:\n     assert bites_on == [9, 9]\n{frame}    assert 9\n"
        )
    );
}

#[test]
fn a_table_is_changed_as_a_whole() {
    let text = "def test_a():\n    for a, b in [(1, 2), (3, 4)]:\n        assert f(a) == b\n";
    let seen = first("test_a.py", text);
    let [one] = seen.together().try_into().unwrap();
    let changed = one.change.iter().filter(|edit| !edit.range.is_empty()).count();
    assert_eq!(changed, 2, "{one:?}");
}

#[test]
fn one_expectation_alone_needs_nothing_more() {
    assert!(rounds("test_a.py", "def test_a():\n    assert f(1) == 3\n").is_empty());
}

#[test]
fn what_has_no_frame_is_left_to_runs_of_its_own() {
    let text = "def test_a():\n    assert f(1) == 3\n    assert f(2) == 4\n    with pytest.raises(ValueError):\n        f(5)\n";
    let seen = first("test_a.py", text);
    assert_eq!((seen.together().len(), seen.apart().len()), (1, 0));
    let whole = "    try:\n     with pytest.raises(EOFError  ):\n        f(9)\n    except BaseException: pass\n    else: return\n";
    let [round] = rounds("test_a.py", text).try_into().unwrap();
    assert!(round.contains(whole), "{round}");
    // What a name is bound to by the block is missing behind it.
    let bound = text.replace("(ValueError):", "(ValueError) as e:");
    assert_eq!(first("test_a.py", &bound).apart().len(), 1);
    let callback = "def test_a():\n    assert f(1) == 3\n    def g():\n        assert f(2) == 4\n    g()\n";
    assert_eq!(first("test_a.py", callback).apart().len(), 1);
}

#[test]
fn other_languages_have_their_own_frame() {
    let script = "test('a', () => {\n  expect(f(1)).toBe(2);\n  expect(f(2)).toBe(3);\n});\n";
    let [round] = rounds("a.test.js", script).try_into().unwrap();
    assert!(round.contains("{ let bites = 9; try {\nexpect(f(9)).toBe(9);\n} catch (e) {"), "{round}");
    assert!(round.ends_with("\n  throw 9;\n});\n"), "{round}");
    let ruby = "class ATest < Minitest::Test\n  def test_a\n    assert_equal 1, f(2)\n    assert_equal 3, f(4)\n  end\nend\n";
    let [round] = rounds("test/a_test.rb", ruby).try_into().unwrap();
    assert!(round.contains("begin\nassert_equal 9, f(9)\nrescue Exception => e\nreturn unless "), "{round}");
    let php = "<?php\nclass ATest extends TestCase\n{\n    public function testA(): void\n    {\n        $this->assertSame(1, f(2));\n        $this->assertSame(3, f(4));\n    }\n}\n";
    let [round] = rounds("tests/ATest.php", php).try_into().unwrap();
    assert!(round.contains("$bites = 9; try {\n$this->assertSame(9, f(9));\n} catch"), "{round}");
    let rust = "#[test]\nfn a() {\n    assert_eq!(f(1), 2);\n    assert_eq!(f(3), 4);\n}\n";
    let [round] = rounds("tests/a.rs", rust).try_into().unwrap();
    let frame = "AssertUnwindSafe(|| {\nassert_eq!(f(9), 9)\n})).is_ok() { return };\n";
    assert_eq!(round.matches(frame).count(), 2, "{round}");
    assert!(round.ends_with("\n    panic!();\n}\n"), "{round}");
    let fails = rust.replace("fn a()", "fn a() -> Result<(), E>");
    assert!(rounds("tests/a.rs", &fails)[0].contains("{ return Ok(()) }"));
    assert!(rounds("tests/a.rs", &rust.replace("f(1)", "f(1)?").replace("f(3)", "f(3)?")).is_empty());
    let java =
        "class ATest {\n  @Test void a() {\n    assertEquals(2, f(1));\n    assertEquals(4, f(3));\n  }\n}\n";
    let [round] = rounds("ATest.java", java).try_into().unwrap();
    assert_eq!(
        round.matches("try {\nassertEquals(9, f(9));\nif (true) { return; } } catch").count(),
        2,
        "{round}"
    );
    let go = "package a\n\nfunc TestA(t *testing.T) {\n\tif F(1) != 2 {\n\t\tt.Error()\n\t}\n\tif F(3) != 4 {\n\t\tt.Error()\n\t}\n}\n";
    assert!(rounds("a_test.go", go).is_empty());
}

/// A value that a test takes from elsewhere is changed under its name, before the code could read it there.
#[test]
fn a_name_of_the_tests_own_gets_another_value_where_code_could_read_it() {
    let changed = |text: &str| {
        let seen = first("test_a.py", text);
        let edits: Vec<&SourceEdit> = seen.mutants[0].change.iter().collect();
        let bytes = with_edits(text.as_bytes(), &edits).unwrap();
        let lines = String::from_utf8(bytes).unwrap();
        let short =
            |line: &str| line.split_once("(lambda").map_or(line.to_owned(), |(head, _)| format!("{head}…"));
        lines.lines().skip(1).map(short).collect::<Vec<_>>()
    };
    let unpacked = "def test_a(table):\n    a, b = table[0]\n    got = f(a)\n    assert got == b\n";
    assert_eq!(
        changed(unpacked),
        ["    a, b = table[0]", "    b = …", "    got = f(a)", "    assert got == b"]
    );
    let looped = "def test_a():\n    for a, b in rows():\n        assert f(a) == b\n";
    assert_eq!(changed(looped), ["    for a, b in rows():", "        b = …", "        assert f(a) == b"]);
    let used = "def test_a(table):\n    a, b = table[0]\n    g(b)\n    assert f(a) == b\n";
    assert_eq!(changed(used), ["    a, b = table[0]", "    g(b)", "    b = …", "    assert f(a) == b"]);
    let both = "def test_a(table):\n    b = table[0]\n    assert f(b) == b\n";
    assert_eq!(changed(both), ["    b = table[0]", "    assert f(b) == …"]);
    let outer = "LIMIT = limit()\n\ndef test_a():\n    assert f(1) == LIMIT\n";
    assert_eq!(changed(outer).last().unwrap(), "    assert f(1) == …");
}

#[test]
fn assertions_outside_of_tests_are_found_for_tests_that_are_made() {
    let text = "def make(a, b):\n    def test():\n        assert f(a) == b\n    return test\n\n\ntest_1 = make(1, 2)\n\n\ndef test_other():\n    assert f(1) == 3\n";
    let seen = crate::expectation::loose_expectations("test_a.py", text.as_bytes(), 1).unwrap();
    let lines: Vec<usize> = seen.mutants.iter().map(|mutant| mutant.line).collect();
    assert!(!lines.is_empty() && lines.iter().all(|line| *line < 5), "{lines:?}");
    let plain = "def test_other():\n    assert f(1) == 3\n";
    assert_eq!(crate::expectation::loose_expectations("test_a.py", plain.as_bytes(), 1), None);
}

/// What bites in the first turn of a loop need not bite in the next: another error than a failed assertion says nothing.
#[test]
fn every_turn_of_a_loop_must_bite() {
    let text = "def test_a():\n    for n in range(5):\n        assert f(n) == g(n)\n";
    let seen = first("test_a.py", text);
    assert_eq!(seen.together().len(), 1);
    let [turns] = seen.one_by_one().try_into().unwrap();
    let bytes = with_edits(text.as_bytes(), &turns.change.iter().collect::<Vec<_>>()).unwrap();
    let changed = String::from_utf8(bytes).unwrap();
    assert!(
        changed.contains("        except AssertionError: pass\n        else: return\n    assert 0\n"),
        "{changed}"
    );
    assert!(!changed.contains("BaseException"), "{changed}");
    assert!(turns.denial.is_some());
}

/// The test goes on behind a changed copy of its first assertion.
#[test]
fn a_failure_in_front_of_the_first_assertion() {
    let text = "def test_a():\n    x = 1\n    assert f(x) == 3\n    assert f(2) == 4\n";
    let seen = first("test_a.py", text);
    let edits = seen.primed(text.as_bytes(), PrimedCopy::Wrong).unwrap();
    let bytes = with_edits(text.as_bytes(), &edits.iter().collect::<Vec<_>>()).unwrap();
    let frame = "    except AssertionError: pass\n    except BaseException: return\n    else: return\n";
    let changed = String::from_utf8(bytes).unwrap();
    let (head, tail) = changed.split_once(frame).unwrap();
    assert!(
        head.starts_with("def test_a():\n    x = 1\n    try:\n     assert (bites_on := f(x)) == "),
        "{head}"
    );
    // The code may count its calls.
    assert_eq!(tail, "    assert bites_on == 3\n    assert f(2) == 4\n");
    let right = seen.primed(text.as_bytes(), PrimedCopy::Right).unwrap();
    let bytes = with_edits(text.as_bytes(), &right.iter().collect::<Vec<_>>()).unwrap();
    assert!(
        bytes.ends_with(
            b"    assert (bites_on := f(x)) == 3\n    assert bites_on == 3\n    assert f(2) == 4\n"
        )
    );
    let script = "test('a', () => {\n  expect(f(1)).toBe(2);\n});\n";
    assert!(first("a.test.js", script).primed(script.as_bytes(), PrimedCopy::Wrong).is_some());
    let rust = "#[test]\nfn a() {\n    assert_eq!(f(1), 2);\n}\n";
    assert!(first("tests/a.rs", rust).primed(rust.as_bytes(), PrimedCopy::Wrong).is_none());
    let go = "package a\n\nfunc TestA(t *testing.T) {\n\tif F(1) != 2 {\n\t\tt.Error()\n\t}\n}\n";
    assert!(first("a_test.go", go).primed(go.as_bytes(), PrimedCopy::Wrong).is_none());
}

/// Runs are few: an assertion that was not changed at all comes before other values of one that was.
#[test]
fn every_assertion_has_its_turn() {
    let text = "package a\n\nfunc TestA(t *testing.T) {\n\tgot, err := F(1)\n\tif got != [3]int{1, 2, 3} {\n\t\tt.Error(got)\n\t}\n\tif !errors.Is(err, ErrA) {\n\t\tt.Error(err)\n\t}\n}\n";
    let seen = first("a_test.go", text);
    assert_eq!((seen.mutants[0].line, seen.apart()[0].line), (5, 8), "{:?}", seen.apart());
}

/// A failure as the last step shows that a test came to its end, if nothing in it leaves it earlier.
#[test]
fn the_end_of_a_program() {
    let ends = |body: &str| {
        let text = format!("int main(void) {{\n    {body}\n    return 0;\n}}\n");
        let seen = crate::expectation::file_expectations("test_a.c", text.as_bytes(), 1).unwrap();
        let bytes = with_edits(text.as_bytes(), &[&seen.end.unwrap()]).unwrap();
        (seen.ends, String::from_utf8(bytes).unwrap())
    };
    let (comes, text) = ends("for (n = parse(1); n; n = n->next) assert(n->value == 3);");
    assert!(comes && text.ends_with("\n    return 1;\n    return 0;\n}\n"), "{text}");
    assert!(!ends("if (!ready()) return 0;\n    assert(f(1) == 3);").0);
}
