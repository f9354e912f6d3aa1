//! Assertions about the answer to a question: what stands behind `a.equals(b)`, an order, a difference, a method whose name says
//! that both are the same.

use super::forms::assert_forms;

#[test]
fn the_values_that_a_question_is_about() {
    let test = ("def test_a(self):\n    ", "\n");
    let python = [
        ("assert not f(1) - 42", "42, denial"),
        ("assert f(1) - 42 == 0", "42, denial"),
        ("assert f(1) - 42", "negation f(1) - 42, denial"),
        ("assert compare(f(1), 42) == 0", "42, denial"),
        ("assert compare(f(1), 42) == -1", "-1, denial"),
        ("self.assertEqual(f(1).equals('abcd'), True)", "abcd, denial"),
        ("self.assertEqual(compare(f(1), 'abcd'), 0)", "abcd, denial"),
        ("self.assertEqual(0, f(1).cmp('abcd'))", "abcd, denial"),
        ("self.assertEqual(f(1).ready(), True)", "True, denial"),
        ("self.assertEqual(f(1) == g(1), True)", "computed g(1), denial"),
    ];
    assert_forms("test_a.py", test, &python);
    let script = ("test('a', () => {\n  ", "\n});\n");
    assert_forms(
        "a.test.js",
        script,
        &[
            ("assert.strictEqual(f(1).equals('abcd'), true);", "abcd, denial"),
            ("expect(f(1).equals('abcd')).toBe(true);", "abcd, denial"),
            ("expect(f(1).localeCompare('abcd')).toBe(0);", "abcd, denial"),
            ("assert.throws(() => f(1), (error) => error.code === 'abcd');", "abcd, denial"),
            ("assert.throws(() => f(1), (error) => error.is('abcd'));", "field abcd, denial"),
        ],
    );
}

#[test]
fn the_values_that_a_question_is_about_in_compiled_languages() {
    let rust = ("#[test]\nfn a() {\n    ", "\n}\n");
    assert_forms(
        "tests/a.rs",
        rust,
        &[
            ("assert_eq!(f(1).cmp(&42), Ordering::Equal);", "&42, denial"),
            ("assert!(f(1).cmp(&42).is_eq());", "&42, denial"),
            (
                "assert!(f(1).cmp(&Money::euros(42, 51)).is_eq());",
                "field 42, computed &Money::euros(42, 51), denial",
            ),
            ("assert!(f(1).cmp(&g(42)).is_eq());", "computed &g(42), denial"),
            (
                "assert_eq!(f(1).cmp(&42), Ordering::Less);",
                "computed Ordering::Less, negation assert_eq!(f(1).cmp(&42), Ordering::Less), denial",
            ),
        ],
    );
    let java = ("class ATest {\n  @Test void a() {\n    ", "\n  }\n}\n");
    assert_forms("ATest.java", java, &[("assertEquals(0, f(1).compareTo(\"abcd\"));", "abcd, denial")]);
}

#[test]
fn the_values_that_a_question_is_about_in_php_and_ruby() {
    let php = ("<?php\nclass ATest extends TestCase {\n  public function testA() {\n    ", "\n  }\n}\n");
    assert_forms(
        "ATest.php",
        php,
        &[("$this->assertObjectEquals(new Money(42), f(1));", "field 42, computed new Money(42), denial")],
    );
    let ruby = ("class TestA < Minitest::Test\n  def test_a\n    ", "\n  end\nend\n");
    assert_forms(
        "test_a.rb",
        ruby,
        &[("assert_operator f(1), :==, 42", "42, denial"), ("assert_operator f(1), :<, 42", "denial")],
    );
}

/// An honest method of such a name may take many values for the same: what passes is weak.
#[test]
fn methods_whose_name_says_that_both_are_the_same() {
    let python = ("def test_a():\n    ", "\n");
    let asked = |name: &str| format!("assert f(1).{name}('abcd')");
    for name in ["is_", "same_as", "is_equal_to", "isSameAs", "eq_", "money_is"] {
        let statement = asked(name);
        let shown = format!("field abcd, negation f(1).{name}('abcd'), denial");
        assert_forms("test_a.py", python, &[(statement.as_str(), shown.as_str())]);
    }
    for name in ["accepts", "is_valid", "this", "island"] {
        let statement = asked(name);
        let shown = format!("negation f(1).{name}('abcd'), denial");
        assert_forms("test_a.py", python, &[(statement.as_str(), shown.as_str())]);
    }
    let c = ("int main(void) {\n  ", "\n  return 0;\n}\n");
    assert_forms(
        "test_a.c",
        c,
        &[("assert(money_is(f(1), \"abcd\"));", "field abcd, negation money_is(f(1), \"abcd\"), denial")],
    );
}
