//! Parts that must be there, opposites, differences and members: each shape with what it becomes.

use crate::expectation::{ExpectationKind, ExpectationMutant, SourceEdit, expectations, with_edits};
use crate::syntax::{language_of, parses};

/// The test file with each of its mutants of a kind.
fn changed(path: &str, text: &str, kind: ExpectationKind) -> Vec<String> {
    let all = expectations(path, text.as_bytes(), &|_| true, 1);
    assert_eq!(all.len(), 1, "{path}: {text}");
    let of = |mutant: &ExpectationMutant| {
        let edits: Vec<&SourceEdit> = mutant.change.iter().collect();
        let bytes = with_edits(text.as_bytes(), &edits).unwrap();
        let parsed = parses(language_of(path).unwrap(), &bytes);
        let out = String::from_utf8(bytes).unwrap();
        assert!(parsed.is_ok(), "{path}: {mutant}\n{out}");
        out
    };
    all[0].mutants.iter().filter(|mutant| mutant.kind == kind).map(of).collect()
}

/// A text without blanks: a shorter word leaves some.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

fn in_test(path: &str, body: &str) -> String {
    match path {
        "test_a.py" => format!("def test_a():\n    {body}\n"),
        "a.test.js" => format!("test('a', () => {{ {body}; }});\n"),
        "tests/a.rs" => format!("#[test]\nfn a() {{\n    {body};\n}}\n"),
        "a_test.go" => format!("package a\n\nfunc TestA(t *testing.T) {{\n\t{body}\n}}\n"),
        "ATest.php" => format!(
            "<?php\nclass ATest extends TestCase {{\n    public function testA(): void {{ {body}; }}\n}}\n"
        ),
        "ATest.java" => format!("class ATest {{\n    @Test\n    void a() {{ {body}; }}\n}}\n"),
        "a_spec.rb" => format!("describe 'a' do\n  it 'b' do\n    {body}\n  end\nend\n"),
        _ => unreachable!(),
    }
}

#[test]
fn conditions_become_their_opposites_in_plain_words() {
    let cases = [
        ("test_a.py", "assert f(1)", "assert not f(1)"),
        ("test_a.py", "assert not f(1)", "assert     f(1)"),
        ("test_a.py", "assert f(1) > 5", "assert f(1) <= 5"),
        ("test_a.py", "assert f(1) is None", "assert f(1) is not None"),
        ("test_a.py", "assert f(1) != 3", "assert f(1) == 3"),
        ("test_a.py", "self.assertGreater(f(1), 5)", "self.assertLessEqual(f(1), 5)"),
        ("test_a.py", "self.assertTrue(f(1))", "self.assertFalse(f(1))"),
        ("a.test.js", "assert.ok(f(1))", "assert.ok(!f(1))"),
        ("a.test.js", "assert.ok(!f(1))", "assert.ok( f(1))"),
        ("a.test.js", "expect(f(1)).toBeGreaterThan(5)", "expect(f(1)).toBeLessThanOrEqual(5)"),
        ("tests/a.rs", "assert!(f(1) >= 5)", "assert!(f(1) < 5)"),
        ("tests/a.rs", "assert!(!f(1))", "assert!( f(1))"),
        ("tests/a.rs", "assert_ne!(f(1), 5)", "assert_eq!(f(1), 5)"),
        ("a_test.go", "if !F(1) { t.Fatal() }", "if  F(1) { t.Fatal() }"),
        ("a_test.go", "if F(1) { t.Fatal() }", "if !F(1) { t.Fatal() }"),
        ("a_test.go", "if F(1) < 5 { t.Fatal() }", "if F(1) >= 5 { t.Fatal() }"),
        ("ATest.php", "$this->assertTrue(f(1))", "$this->assertFalse(f(1))"),
        ("ATest.java", "assertTrue(F.f(1))", "assertFalse(F.f(1))"),
        ("ATest.java", "assertTrue(F.f(1))", "assertTrue(!F.f(1))"),
        ("ATest.php", "$this->assertTrue(f(1))", "assertTrue(!f(1))"),
        ("test_a.py", "self.assertFalse(f(1))", "self.assertFalse(not f(1))"),
        ("tests/a.rs", "assert!(matches!(f(1), Ok(_)))", "assert!(!matches!(f(1), Ok(_)))"),
        ("a_spec.rb", "expect(f(1)).to be > 5", "expect(f(1)).to be <= 5"),
        ("a_spec.rb", "expect(f(1)).to be_odd", "expect(f(1)).not_to be_odd"),
    ];
    for (path, was, now) in cases {
        let seen = changed(path, &in_test(path, was), ExpectationKind::Negation);
        let found = seen.iter().any(|text| squeezed(text).contains(&squeezed(now)));
        assert!(found, "{path}: {was}: {seen:?}");
    }
}

#[test]
fn every_part_of_a_conjunction_is_turned_alone() {
    let seen =
        changed("test_a.py", &in_test("test_a.py", "assert 5 < f(1) and g(2)"), ExpectationKind::Negation);
    assert_eq!(seen.len(), 2);
    assert!(seen.iter().any(|text| text.contains("assert 5 >= f(1) and g(2)")), "{seen:?}");
    assert!(seen.iter().any(|text| text.contains("assert 5 < f(1) and not g(2)")), "{seen:?}");
    let seen = changed("test_a.py", &in_test("test_a.py", "assert 5 < f(1) < 7"), ExpectationKind::Negation);
    assert_eq!(seen.len(), 2);
    for now in ["5 >= f(1) < 7", "5 < f(1) >= 7"] {
        assert!(seen.iter().any(|text| text.contains(now)), "{seen:?}");
    }
    // One of two is enough there: the whole is turned.
    let seen = changed("a.test.js", &in_test("a.test.js", "assert(f(1) || g(2))"), ExpectationKind::Negation);
    assert!(seen[0].contains("!(f(1) || g(2))"), "{seen:?}");
}

#[test]
fn what_must_be_a_part_becomes_what_no_result_contains() {
    let cases = [
        ("test_a.py", "assert 'sum: 3' in f(1)"),
        ("test_a.py", "assert f(1).startswith('sum: 3')"),
        ("test_a.py", "assert re.search(r'sum: \\d', f(1))"),
        ("test_a.py", "self.assertIn('sum: 3', f(1))"),
        ("test_a.py", "part = 'sum: 3'\n    assert part in f(1)"),
        ("a.test.js", "assert.ok(f(1).includes('sum: 3'))"),
        ("a.test.js", "assert.match(f(1), /sum: 3/)"),
        ("a.test.js", "expect(f(1)).toContain('sum: 3')"),
        ("tests/a.rs", "assert!(f(1).contains(\"sum: 3\"))"),
        ("a_test.go", "if !strings.Contains(F(1), \"sum: 3\") { t.Fatal() }"),
        ("ATest.php", "$this->assertStringContainsString('sum: 3', f(1))"),
        ("ATest.java", "assertTrue(f(1).startsWith(\"sum: 3\"))"),
        ("a_spec.rb", "expect(f(1)).to include('sum: 3')"),
    ];
    for (path, body) in cases {
        let seen = changed(path, &in_test(path, body), ExpectationKind::Part);
        // Where it holds a number, an answer of the same form comes first.
        let [near @ .., strange] = seen.as_slice() else { panic!("{path}: {body}") };
        assert!(!strange.contains("sum"), "{path}: {strange}");
        let same = ["sum: 3'", "sum: 3\"", "sum: 3/"];
        let another = |text: &String| text.contains("sum: ") && !same.iter().any(|same| text.contains(same));
        assert!(
            near.len() == usize::from(!body.contains("\\d")) && near.iter().all(another),
            "{path}: {near:?}"
        );
    }
    let seen = changed(
        "a_spec.rb",
        &in_test("a_spec.rb", "expect(f(1)).to be_between(3, 5)"),
        ExpectationKind::Part,
    );
    let numbers: Vec<i64> =
        seen[0].split(['(', ')', ',']).filter_map(|word| word.trim().parse().ok()).collect();
    assert!(numbers.len() == 3 && numbers[1] > 5 && numbers[2] == numbers[1] + 2, "{seen:?}");
    for (path, body) in [
        ("test_a.py", "assert 3 <= f(1) <= 5"),
        ("test_a.py", "assert f(1) >= 3\n    assert f(1) <= 5"),
        ("tests/a.rs", "let got = f(1); assert!(got >= 3 && got <= 5)"),
        ("a_spec.rb", "expect(f(1)).to be >= 3\n    expect(f(1)).to be <= 5"),
    ] {
        let seen = changed(path, &in_test(path, body), ExpectationKind::Part);
        assert_eq!(seen.len(), 1, "{path}: {body}");
        let words = seen[0].split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok());
        let numbers: Vec<i64> = words.filter(|number| *number > 1).collect();
        assert!(numbers.len() == 2 && numbers[0] > 5 && numbers[1] > numbers[0], "{}", seen[0]);
    }
    // Bounds of different values say nothing about each other.
    let body = "assert f(1) >= 3\n    assert f(2) <= 5";
    assert_eq!(changed("test_a.py", &in_test("test_a.py", body), ExpectationKind::Part), [""; 0]);
    // What must not be there, one letter, and what is computed are left alone.
    for body in ["assert 'sum' not in f(1)", "assert g(2) in f(1)", "assert f('sum') in g(1)"] {
        assert_eq!(
            changed("test_a.py", &in_test("test_a.py", body), ExpectationKind::Part),
            [""; 0],
            "{body}"
        );
    }
}

#[test]
fn yes_and_no_are_values() {
    let cases = [
        ("test_a.py", "assert f(1) is True", "is False"),
        ("test_a.py", "assert f(1) == {'ok': True}", "{'ok': False}"),
        ("a.test.js", "expect(f(1)).toBe(false)", "toBe(true)"),
        ("a.test.js", "assert.strictEqual(f(1), true)", "strictEqual(f(1), false)"),
        ("tests/a.rs", "assert_eq!(f(1), true)", "assert_eq!(f(1), false)"),
        ("ATest.java", "assertEquals(true, f(1))", "assertEquals(false, f(1))"),
        ("a_spec.rb", "expect(f(1)).to eq(true)", "eq(false)"),
    ];
    for (path, was, now) in cases {
        let seen = changed(path, &in_test(path, was), ExpectationKind::Equality);
        let found = squeezed(&seen[0]).contains(&squeezed(now));
        assert!(seen.len() == 1 && found, "{path}: {was}: {seen:?}");
    }
}

#[test]
fn differences_cases_and_members_are_compared_values() {
    let cases = [
        ("test_a.py", "wrong = [a for a, b in [(1, 42)] if f(a) != b]\n    assert not wrong"),
        ("test_a.py", "wrong = [a for a, b in [(1, 42)] if f(a) != b]\n    assert wrong == []"),
        ("test_a.py", "assert not any(f(a) != b for a, b in [(1, 42)])"),
        ("a.test.js", "const wrong = [[1, 42]].filter(([a, b]) => f(a) !== b); assert.deepEqual(wrong, [])"),
        ("a.test.js", "assert.ok(![[1, 42]].some(([a, b]) => f(a) !== b))"),
        (
            "test_a.py",
            "match f(1):\n        case 42:\n            pass\n        case _:\n            raise AssertionError",
        ),
        ("tests/a.rs", "assert!(matches!(f(1), Some(42)))"),
        ("tests/a.rs", "assert!([42, 43].iter().any(|want| f(1) == *want))"),
        ("a.test.js", "assert.ok([42, 43].some((want) => f(1) === want))"),
    ];
    for (path, body) in cases {
        let seen = changed(path, &in_test(path, body), ExpectationKind::Equality);
        assert!(seen.len() == 1 && !seen[0].contains("42"), "{path}: {body}: {seen:?}");
    }
    let both = "assert!(matches!(f(3), Size::Small)); g(Size::Large)";
    let seen = changed("tests/a.rs", &in_test("tests/a.rs", both), ExpectationKind::Equality);
    assert!(seen[0].contains("matches!(f(3), Size::Large)"), "{seen:?}");
    let seen = changed(
        "test_a.py",
        &in_test("test_a.py", "assert f(1) == Color.RED\n    g(Color.BLUE)"),
        ExpectationKind::Equality,
    );
    assert!(seen[0].contains("AssertionError()))(Color.BLUE, Color.RED)"), "{seen:?}");
    let limits = in_test("tests/a.rs", "assert_eq!(f(1), Limits::MAX); g(Limits::USUAL)");
    assert_eq!(
        changed("tests/a.rs", &limits, ExpectationKind::Equality),
        [""; 0],
        "constants may be the same"
    );
    // A member of another type, and a value that the code itself has, are no members of the expected one's type.
    let other = in_test("test_a.py", "assert f(1) == Color.RED\n    g(Size.BLUE, shop.RED)");
    assert_eq!(changed("test_a.py", &other, ExpectationKind::Equality), [""; 0]);
}

#[test]
fn a_fixture_that_gives_a_function_is_followed() {
    let text = "@pytest.fixture\ndef check():\n    def inner(a, want):\n        assert f(a) == want\n    return inner\n\n\ndef test_a(check):\n    check(1, 42)\n";
    let seen = changed("test_a.py", text, ExpectationKind::Equality);
    assert!(seen.len() == 1 && seen[0].contains("check(1, ") && !seen[0].contains("42"), "{seen:?}");
}
