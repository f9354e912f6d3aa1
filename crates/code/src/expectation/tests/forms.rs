//! The assertions of every language and library, one statement each: what is changed in it, and which statements are left alone.
//!
//! A row is a statement inside a test and its mutants: the changed text, behind `exception`, `part`, `field`, `computed` and `negation`
//! where it is no equality, and `denial` where the whole assertion can be replaced by a failure. An empty row is no assertion.

use super::*;

/// Puts every statement of a table into a test of its own and compares its mutants.
#[track_caller]
pub(super) fn assert_forms(path: &str, (before, behind): (&str, &str), table: &[(&str, &str)]) {
    for (statement, expected) in table {
        let text = format!("{before}{statement}{behind}");
        assert_eq!(shown_mutants(path, &text), *expected, "{path}: {statement}");
    }
}

/// Python: `assert`, `unittest`, `pytest.raises` and numpy.
#[test]
fn forms_of_python() {
    assert_forms(
        "test_a.py",
        ("def test_a(self):\n    ", "\n"),
        &[
            ("assert f(1) == 42", "42, denial"),
            ("assert 42 == f(1)", "42, denial"),
            ("assert f(1) is None", "negation f(1) is None, denial"),
            ("assert f(1) is True", "True, denial"),
            ("assert f(1) == -42", "-42, denial"),
            ("assert f(1) == 4.25", "4.25, denial"),
            ("assert f(1) == 'abcd'", "abcd, denial"),
            ("assert f(1) == b'abcd'", "abcd, denial"),
            ("assert f(1) == [1, 2]", "1, 2, denial"),
            ("assert f(1) == (1, 2)", "1, 2, denial"),
            ("assert f(1) == {'a': 22}", "22, denial"),
            ("assert f(1) == {1, 2}", "1, 2, denial"),
            ("assert f(1) == ('ab' 'cd')", "ab, cd, denial"),
            ("assert f(1) == \"\"", "computed \"\", denial"),
            ("assert f(1) == [g(1), 22]", "22, denial"),
            ("assert f(1) != 42", "negation f(1) != 42, denial"),
            ("assert f(1) > 42", "negation f(1) > 42, denial"),
            ("assert f(1)", "negation f(1), denial"),
            ("assert not f(1)", "negation not f(1), denial"),
            ("assert f(1) in (41, 42)", "41, denial"),
            ("assert f(1) not in (41, 42)", "negation f(1) not in (41, 42), denial"),
            ("assert 'abcd' in f(1)", "part abcd, negation 'abcd' in f(1), denial"),
            ("assert f(1).startswith('abcd')", "part abcd, negation f(1).startswith('abcd'), denial"),
            ("assert isinstance(f(1), int)", "negation isinstance(f(1), int), denial"),
            ("assert len(f(1)) == 42", "42, denial"),
            ("assert 41 < f(1) < 43", "part 41, negation 41 < f(1) < 43, denial"),
            ("self.assertEqual(f(1), 42)", "42, denial"),
            ("self.assertEqual(42, f(1), 'no')", "42, denial"),
            ("self.assertListEqual(f(1), [42])", "42, denial"),
            ("self.assertIs(f(1), None)", "computed None, denial"),
            ("self.assertIsNone(f(1))", "negation self.assertIsNone(f(1)), denial"),
            ("self.assertTrue(f(1) == 42)", "42, denial"),
            (
                "self.assertFalse(f(1) == 42)",
                "negation f(1) == 42, negation self.assertFalse(f(1) == 42), denial",
            ),
            ("self.assertIn('abcd', f(1))", "part abcd, denial"),
            ("self.assertIn(f(1), [41, 42])", "41, denial"),
            ("self.assertRegex(f(1), 'abcd')", "part abcd, denial"),
            ("self.assertAlmostEqual(f(1), 4.25)", "4.25, denial"),
            ("self.assertAlmostEqual(f(1), 4.25, places=0)", "denial"),
            ("f.assert_called_once_with(42, name='abcd')", "42, abcd, denial"),
            ("f.assert_has_calls([42])", "42, denial"),
            ("f.assert_not_called()", "denial"),
            ("f.assert_valid(42)", ""),
            ("self.assertAlmostEqual(f(1), 4.25, delta=3)", "denial"),
            ("self.assertGreater(f(1), 42)", "negation self.assertGreater(f(1), 42), denial"),
            ("self.log(f(1), 42)", ""),
            ("np.testing.assert_equal(f(1), 42)", "42, denial"),
            ("np.testing.assert_allclose(f(1), 4.25, atol=5)", ""),
            ("other.assert_equal(f(1), 42)", ""),
            ("with pytest.raises(ValueError):\n        f(1)", "exception ValueError"),
            ("with pytest.raises(Exception):\n        f(1)", ""),
            (
                "with pytest.raises(ValueError, match='abcd'):\n        f(1)",
                "exception ValueError, exception abcd",
            ),
            ("with pytest.raises(ValueError, match='abc|d'):\n        f(1)", "exception ValueError"),
            (
                "with self.assertRaisesRegex(ValueError, 'abcd'):\n        f(1)",
                "exception ValueError, exception abcd",
            ),
            ("with open('a') as file:\n        f(file)", ""),
            ("self.assertRaises(ValueError, f, 1)", "exception ValueError, denial"),
            ("if f(1) != 42:\n        raise AssertionError", "42, denial"),
            ("if f(1) != 42:\n        pytest.skip('no')", ""),
            (
                "match f(1):\n        case 42:\n            pass\n        case _:\n            raise AssertionError",
                "42, denial",
            ),
        ],
    );
}

/// JavaScript: Jest, node:assert, Chai and AVA.
#[test]
fn forms_of_javascript() {
    assert_forms(
        "a.test.js",
        ("test('a', () => {\n  ", "\n});\n"),
        &[
            ("expect(f(1)).toBe(42);", "42, denial"),
            ("expect(f(1)).toEqual({ a: 42 });", "42, denial"),
            ("expect(f(1)).toStrictEqual([42]);", "42, denial"),
            ("expect(f(1)).not.toBe(42);", "denial"),
            ("expect(f(1)).toBeNull();", "denial"),
            ("expect(f(1)).toBeUndefined();", "negation expect(f(1)).toBeUndefined();, denial"),
            ("expect(f(1)).toBeTruthy();", "negation expect(f(1)).toBeTruthy();, negation f(1), denial"),
            ("expect(f(1)).toBeCloseTo(4.25);", "4.25, denial"),
            ("expect(f(1)).toBeCloseTo(4.25, 0);", "4.25, denial"),
            ("expect(f(1)).toContain('abcd');", "part abcd, denial"),
            ("expect(f(1)).toMatch(/abcd/);", "part /abcd/, denial"),
            ("expect(f(1)).toHaveLength(42);", "42, denial"),
            ("expect(f(1)).toHaveProperty('abcd', 42);", "42, denial"),
            ("expect(f(1)).toMatchObject({ a: 42 });", "42, denial"),
            ("expect(f(1)).toBeGreaterThan(42);", "negation expect(f(1)).toBeGreaterThan(42);, denial"),
            ("expect(f(1) === 42).toBe(true);", "42, denial"),
            ("expect(f(1) !== 42).toBe(false);", "42, denial"),
            ("expect(() => f(1)).toThrow('abcd');", "exception abcd, denial"),
            ("expect(() => f(1)).toThrow(TypeError);", "exception TypeError, denial"),
            ("expect(() => f(1)).toThrow();", "denial"),
            ("expect(f).toHaveBeenCalledWith(42);", "42, denial"),
            ("expect(f).toHaveBeenCalledTimes(42);", "42, denial"),
            ("expect(f).toHaveBeenNthCalledWith(1, 42);", "42, denial"),
            ("expect(f).to.have.been.calledWith(42);", "42, denial"),
            ("expect(f).to.not.have.been.calledWith(42);", "denial"),
            ("sinon.assert.calledWith(f, 42);", "42, denial"),
            ("assert.equal(f(1), 42);", "42, denial"),
            ("assert.strictEqual(f(1), 42);", "42, denial"),
            ("assert.deepEqual(f(1), [42]);", "42, denial"),
            ("assert.notEqual(f(1), 42);", "negation assert.notEqual(f(1), 42);, denial"),
            ("assert.ok(f(1) === 42);", "42, denial"),
            ("assert(f(1) === 42);", "42, denial"),
            ("assert.match(f(1), /abcd/);", "part /abcd/, denial"),
            ("assert.throws(() => f(1), /abcd/);", "denial"),
            ("assert.throws(() => f(1), { message: 'abcd' });", "abcd, denial"),
            ("assert.throws(() => f(1), TypeError);", "exception TypeError, denial"),
            ("expect(f(1)).to.equal(42);", "42, denial"),
            ("expect(f(1)).to.deep.equal([42]);", "42, denial"),
            ("expect(f(1)).to.eql([42]);", "42, denial"),
            ("expect(f(1)).to.be.true;", ""),
            ("expect(f(1)).to.include('abcd');", "part abcd, denial"),
            ("f(1).should.equal(42);", "42, denial"),
            ("t.is(f(1), 42);", "42, denial"),
            ("t.deepEqual(f(1), [42]);", "42, denial"),
            ("t.true(f(1) === 42);", "42, denial"),
            ("if (f(1) !== 42) throw new Error('no');", "42, denial"),
            ("if (f(1) !== 42) { process.exit(1); }", "42, denial"),
            ("if (f(1) !== 42) return;", ""),
            ("console.log(f(1), 42);", ""),
            ("expect(f(1)).toBe(`abcd`);", "abcd, denial"),
            ("expect(f(1)).toBe(-42);", "-42, denial"),
            ("expect(f(1)).toBe(42n);", "42n, denial"),
            ("expect(f(1)).toBe(undefined);", "computed undefined, denial"),
            ("expect(f(1)).toEqual(new Map([['a', 42]]));", "42, a, denial"),
            ("expect(f(1)).toEqual(g(2));", "computed g(2), denial"),
        ],
    );
}

/// Rust: the assertion macros.
#[test]
fn forms_of_rust() {
    assert_forms(
        "tests/a.rs",
        ("#[test]\nfn a() {\n    ", "\n}\n"),
        &[
            ("assert_eq!(f(1), 42);", "42, denial"),
            ("assert_eq!(42, f(1));", "42, denial"),
            ("assert_eq!(f(1), 42, \"no\");", "42, denial"),
            ("assert_eq!(f(1), -42);", "-42, denial"),
            ("assert_eq!(f(1), 42_u8);", "42_u8, denial"),
            ("assert_eq!(f(1), 4.25);", "4.25, denial"),
            ("assert_eq!(f(1), \"abcd\");", "abcd, denial"),
            ("assert_eq!(f(1), 'a');", "a, denial"),
            ("assert_eq!(f(1), Some(42));", "42, denial"),
            ("assert_eq!(f(1), Ok(42));", "42, denial"),
            ("assert_eq!(f(1), None);", "computed None, denial"),
            ("assert_eq!(f(1), vec![42]);", "42, denial"),
            ("assert_eq!(f(1), [1, 42]);", "1, 42, denial"),
            ("assert_eq!(f(1), (1, 42));", "1, 42, denial"),
            ("assert_eq!(f(1), &[42]);", "42, denial"),
            ("assert_eq!(f(1), \"abcd\".to_string());", "abcd, denial"),
            ("assert_eq!(f(1), String::from(\"abcd\"));", "abcd, denial"),
            ("assert_eq!(f(1), Point { x: 42 });", "field 42, computed Point { x: 42 }, denial"),
            ("assert!(f(1).eq(&42));", "&42, denial"),
            ("assert!(f(1).eq(&[42]));", "field 42, denial"),
            ("assert!(f(1).cmp(&42) == Ordering::Equal);", "&42, denial"),
            (
                "assert_eq!(f(1), Colour::Red);",
                "computed Colour::Red, negation assert_eq!(f(1), Colour::Red), denial",
            ),
            ("assert_eq!(f(1), g(2));", "computed g(2), negation assert_eq!(f(1), g(2)), denial"),
            ("assert_ne!(f(1), 42);", "negation assert_ne!(f(1), 42), denial"),
            ("assert!(f(1) == 42);", "42, denial"),
            ("assert!(f(1) != 42);", "negation f(1) != 42, denial"),
            ("assert!(f(1) > 42);", "negation f(1) > 42, denial"),
            ("assert!(f(1));", "negation f(1), denial"),
            ("assert!(!f(1));", "negation !f(1), denial"),
            ("assert!(matches!(f(1), Some(42)));", "42, negation matches!(f(1), Some(42)), denial"),
            ("assert!(f(1).is_err());", "negation f(1).is_err(), denial"),
            ("assert!((f(1) - 4.25).abs() < 1e-9);", "4.25, denial"),
            ("assert!((f(1) - 4.25).abs() < f64::EPSILON);", "4.25, denial"),
            ("assert!((f(1) - 4.25).abs() < 3.0);", "negation (f(1) - 4.25).abs() < 3.0, denial"),
            ("assert!(f(1).contains(\"abcd\"));", "part abcd, negation f(1).contains(\"abcd\"), denial"),
            (
                "assert!(f(1).starts_with(\"abcd\"));",
                "part abcd, negation f(1).starts_with(\"abcd\"), denial",
            ),
            ("debug_assert_eq!(f(1), 42);", ""),
            ("if f(1) != 42 { panic!(); }", "42, denial"),
            ("if f(1) != 42 { return; }", ""),
            ("match f(1) { 42 => {} _ => panic!() }", ""),
            ("println!(\"{} 42\", f(1));", ""),
        ],
    );
}

/// Go: conditions that fail a test, and testify.
#[test]
fn forms_of_go() {
    assert_forms(
        "a_test.go",
        ("package a\n\nfunc TestA(t *testing.T) {\n\t", "\n}\n"),
        &[
            ("if f(1) != 42 { t.Error() }", "42, denial"),
            ("if got := f(1); got != 42 { t.Errorf(\"%d\", got) }", "42, denial"),
            ("if f(1) == 42 { t.Fatal() }", "negation f(1) == 42, denial"),
            ("if f(1) != \"abcd\" { t.Fatal() }", "abcd, denial"),
            ("if f(1) != 'a' { t.Fatal() }", "a, denial"),
            ("if f(1) != -42 { t.Fatal() }", "-42, denial"),
            ("if f(1) != nil { t.Fatal() }", "denial"),
            ("if !f(1) { t.Fatal() }", "negation !f(1), denial"),
            ("if f(1) { t.Fatal() }", "negation f(1)"),
            ("if f(1) != 42 { return }", ""),
            ("if f(1) == 42 { return } else { t.Fail() }", "42, denial"),
            ("if f(1) != 42 { panic(1) }", "42, denial"),
            ("if f(1) != 42 { os.Exit(1) }", "42, denial"),
            ("if f(1).Cmp(42) != 0 { t.Fatal() }", "42, denial"),
            ("if f(1) < 42 { t.Fatal() }", "negation f(1) < 42"),
            ("if f(1) != 42 || g(2) != 7 { t.Fatal() }", "42, 7, denial"),
            ("if f(1) != 42 && g(2) { t.Fatal() }", "negation f(1) != 42 && g(2)"),
            ("if !reflect.DeepEqual(f(1), []int{42}) { t.Fatal() }", "42, denial"),
            ("if diff := cmp.Diff([]int{42}, f(1)); diff != \"\" { t.Fatal(diff) }", "42, denial"),
            ("if !slices.Equal(f(1), []string{\"abcd\"}) { t.Fatal() }", "abcd, denial"),
            (
                "if !strings.Contains(f(1), \"abcd\") { t.Fatal() }",
                "part abcd, negation !strings.Contains(f(1), \"abcd\"), denial",
            ),
            ("if math.Abs(f(1)-4.25) > 1e-9 { t.Fatal() }", "-4.25"),
            ("assert.Equal(t, 42, f(1))", "42"),
            ("require.Equal(t, 42, f(1))", "42"),
            ("assert.Equal(t, map[string]int{\"a\": 42}, f(1))", "42"),
            ("assert.Len(t, f(1), 42)", "42"),
            ("assert.EqualError(t, f(1), \"abcd\")", "abcd"),
            ("assert.Contains(t, f(1), \"abcd\")", "part abcd"),
            ("assert.True(t, f(1) == 42)", "42"),
            ("assert.False(t, f(1) != 42)", "42"),
            ("assert.Nil(t, f(1))", "negation assert.Nil(t, f(1))"),
            ("assert.Greater(t, f(1), 42)", "negation assert.Greater(t, f(1), 42)"),
            ("is.Equal(42, f(1))", "42"),
            ("log.Println(f(1), 42)", ""),
            ("x := other.Equal(42, f(1))", ""),
            ("want := 42\n\tif f(1) != want { t.Fatal() }", "42, denial"),
            (
                "for _, c := range []struct{ in, want int }{{1, 42}} { if f(c.in) != c.want { t.Fatal() } }",
                "42, denial",
            ),
        ],
    );
}

/// Java: JUnit, AssertJ, Hamcrest.
#[test]
fn forms_of_java() {
    assert_forms(
        "ATest.java",
        ("class ATest {\n  @Test void a() {\n    ", "\n  }\n}\n"),
        &[
            ("assertEquals(42, f(1));", "42, denial"),
            ("assertEquals(f(1), 42);", "42, denial"),
            ("assertEquals(42, f(1), \"no\");", "42, denial"),
            ("assertEquals(4.25, f(1), 0.001);", "4.25, denial"),
            ("assertEquals(4.25, f(1), 3.0);", "negation assertEquals(4.25, f(1), 3.0);, denial"),
            ("assertEquals(\"abcd\", f(1));", "abcd, denial"),
            ("assertEquals(List.of(42), f(1));", "42, denial"),
            ("assertEquals(new int[] {42}, f(1));", "42, denial"),
            ("assertArrayEquals(new int[] {42}, f(1));", "42, denial"),
            ("assertSame(null, f(1));", "negation assertSame(null, f(1));, denial"),
            ("assertTrue(f(1) == 42);", "42, denial"),
            ("assertFalse(f(1) != 42);", "42, denial"),
            ("assertTrue(f(1));", "negation assertTrue(f(1));, negation f(1), denial"),
            ("assertNull(f(1));", "negation assertNull(f(1));, denial"),
            ("assertNotEquals(42, f(1));", "negation assertNotEquals(42, f(1));, denial"),
            ("assertThat(f(1)).isEqualTo(42);", "42, denial"),
            ("assertThat(f(1)).as(\"it\").isEqualTo(42);", "42, denial"),
            ("assertThat(f(1)).containsExactly(42);", "42, denial"),
            ("assertThat(f(1)).hasSize(42);", "42, denial"),
            ("assertThat(f(1)).contains(\"abcd\");", "part abcd, denial"),
            ("assertThat(f(1)).isNotNull();", ""),
            ("assertThat(f(1), is(42));", "42, denial"),
            ("assertThat(f(1), equalTo(42));", "42, denial"),
            ("assertThat(f(1), not(42));", "denial"),
            ("other(f(1)).isEqualTo(42);", ""),
            ("assertThrows(X.class, () -> f(1));", "denial"),
            ("assertAll(() -> assertEquals(42, f(1)));", "42, denial"),
            ("assertTrue(f(1).compareTo(42) == 0);", "42, denial"),
            ("assertEquals(new Money(42), f(1));", "field 42, denial"),
            ("assertEquals(new MoneyError(42), f(1));", "field 42, denial"),
            ("assertTrue(Long.compare(f(1), 42) == 0);", "42, denial"),
            ("assert f(1) == 42;", "42, denial"),
            ("if (f(1) != 42) throw new AssertionError();", "42, denial"),
            ("if (f(1) != 42) { System.exit(1); }", "42, denial"),
            ("if (f(1) != 42) { return; }", ""),
            ("boolean ok = f(1) == 42; if (!ok) throw new AssertionError();", "negation ok, denial"),
            ("System.out.println(42);", ""),
        ],
    );
}

/// C: `assert`, exit codes, Unity, Check and cmocka.
#[test]
fn forms_of_c() {
    assert_forms(
        "test_a.c",
        ("int main(void) {\n  ", "\n  return 0;\n}\n"),
        &[
            ("assert(f(1) == 42);", "42, denial"),
            ("assert(42 == f(1));", "42, denial"),
            ("assert(f(1) != 42);", "negation f(1) != 42, denial"),
            ("assert(f(1) == -42);", "-42, denial"),
            ("assert(f(1));", "negation f(1), denial"),
            ("assert(strcmp(f(1), \"abcd\") == 0);", "abcd, denial"),
            ("assert(f(1) == 42 && g(2) == 7);", "42, 7, denial"),
            ("if (f(1) != 42) return 1;", "42, denial"),
            ("if (f(1) != 42) return 0;", ""),
            ("if (f(1) != 42) { abort(); }", "42, denial"),
            ("if (f(1) != 42) { exit(1); }", "42, denial"),
            ("if (f(1) != 42) failures++;", "42, denial"),
            ("if (f(1) != 42) puts(\"no\");", ""),
            ("if (strcmp(f(1), \"abcd\") != 0) return 1;", "abcd, denial"),
            ("if (f(1) == 42) return 1;", "negation f(1) == 42, denial"),
            ("int ok = f(1) == 42; if (!ok) abort();", "negation ok, denial"),
            ("TEST_ASSERT_EQUAL(42, f(1));", "42"),
            ("TEST_ASSERT_EQUAL_STRING(\"abcd\", f(1));", "abcd"),
            ("ck_assert_int_eq(f(1), 42);", "42"),
            ("assert_int_equal(f(1), 42);", "42"),
            ("printf(\"%d\", 42);", ""),
        ],
    );
}

/// C++: GoogleTest and Catch2.
#[test]
fn forms_of_c_plus_plus() {
    assert_forms(
        "a_test.cpp",
        ("TEST(A, a) {\n  ", "\n}\n"),
        &[
            ("EXPECT_EQ(f(1), 42);", "42, denial"),
            ("ASSERT_EQ(42, f(1));", "42, denial"),
            ("EXPECT_STREQ(f(1), \"abcd\");", "abcd, denial"),
            ("EXPECT_DOUBLE_EQ(f(1), 4.25);", "4.25, denial"),
            ("EXPECT_NE(f(1), 42);", "negation EXPECT_NE(f(1), 42), denial"),
            ("EXPECT_GT(f(1), 42);", "negation EXPECT_GT(f(1), 42), denial"),
            ("EXPECT_TRUE(f(1) == 42);", "42, denial"),
            ("EXPECT_FALSE(f(1) == 42);", "negation EXPECT_FALSE(f(1) == 42), negation f(1) == 42, denial"),
            ("EXPECT_FALSE(f(1) != 42);", "42, denial"),
            ("EXPECT_THROW(f(1), X);", ""),
            ("REQUIRE(f(1) == 42);", "42, denial"),
            ("CHECK(f(1) == 42);", "42, denial"),
            ("CHECK_FALSE(f(1) != 42);", "42, denial"),
            ("EXPECT_EQ(f(1), -42);", "-42, denial"),
            ("EXPECT_EQ(f(1), nullptr);", "negation EXPECT_EQ(f(1), nullptr), denial"),
            ("EXPECT_EQ(f(1), (std::vector<int>{42}));", "42, denial"),
            ("EXPECT_EQ(f(1), std::string(\"abcd\"));", "abcd, denial"),
            (
                "EXPECT_EQ(f(1), std::string(\"abcd\", 2));",
                "negation EXPECT_EQ(f(1), std::string(\"abcd\", 2)), denial",
            ),
            ("EXPECT_EQ(f(1), \"abcd\"s);", "abcd, denial"),
            ("EXPECT_EQ(f(1), std::make_pair(42, \"abcd\"));", "42, abcd, denial"),
            ("EXPECT_TRUE(f(1) == (std::map<int, int>{{1, 42}}));", "1, 42, denial"),
            ("EXPECT_EQ(f(1), std::max(42, 41));", "negation EXPECT_EQ(f(1), std::max(42, 41)), denial"),
            ("EXPECT_EQ(f(1), (Money{42}));", "field 42, denial"),
            ("EXPECT_EQ(f(1), g(2));", "negation EXPECT_EQ(f(1), g(2)), denial"),
            ("auto want = 42;\n  EXPECT_EQ(f(1), want);", "42, denial"),
            ("std::cout << 42;", ""),
        ],
    );
}

/// Ruby: Minitest and plain `raise`.
#[test]
fn forms_of_ruby() {
    assert_forms(
        "test_a.rb",
        ("class TestA < Minitest::Test\n  def test_a\n    ", "\n  end\nend\n"),
        &[
            ("assert_equal 42, f(1)", "42, denial"),
            ("assert_equal(42, f(1), 'no')", "42, denial"),
            ("assert_equal [42], f(1)", "42, denial"),
            ("assert_equal({ a: 42 }, f(1))", "42, denial"),
            ("assert_equal :abcd, f(1)", "computed :abcd, denial"),
            ("assert_equal 'abcd', f(1)", "abcd, denial"),
            ("assert_same nil, f(1)", "computed nil, denial"),
            ("assert_nil f(1)", "negation assert_nil f(1), denial"),
            ("assert f(1) == 42", "42, denial"),
            ("assert (f(1) <=> 42) == 0", "42, denial"),
            ("refute f(1) != 42", "42, denial"),
            ("assert f(1)", "negation f(1), denial"),
            ("refute_equal 42, f(1)", "denial"),
            ("assert_in_delta 4.25, f(1)", "4.25, denial"),
            ("assert_in_delta 4.25, f(1), 0.001", "4.25, denial"),
            ("assert_in_delta 4.25, f(1), 3", "denial"),
            ("assert_includes f(1), 'abcd'", "part abcd, denial"),
            ("assert_match(/abcd/, f(1))", "part /abcd/, denial"),
            ("assert_raises(ArgumentError) { f(1) }", ""),
            ("raise 'no' unless f(1) == 42", "42, denial"),
            ("raise 'no' if f(1) != 42", "42, denial"),
            ("puts 'no' if f(1) != 42", ""),
            ("f(1).must_equal 42", "42, denial"),
            ("f(1).should == 42", "42, denial"),
            ("flunk unless f(1) == 42", "42, denial"),
            ("if f(1) != 42\n      flunk\n    end", "42, denial"),
            ("puts f(1), 42", ""),
        ],
    );
}

/// Ruby: RSpec.
#[test]
fn forms_of_rspec() {
    assert_forms(
        "a_spec.rb",
        ("describe 'a' do\n  it 'b' do\n    ", "\n  end\nend\n"),
        &[
            ("expect(f(1)).to eq(42)", "42, denial"),
            ("expect(f(1)).to eq 42", "42, denial"),
            ("expect(f(1)).to eql('abcd')", "abcd, denial"),
            ("expect(f(1)).to be(42)", "42, denial"),
            ("expect(f(1)).to be == 42", "42, denial"),
            ("expect(f(1)).to be > 42", "negation be > 42, negation expect(f(1)).to be > 42, denial"),
            ("expect(f(1)).to be_nil", "negation expect(f(1)).to be_nil, denial"),
            ("expect(f(1)).to be true", "true, denial"),
            ("expect(f(1) == 42).to be true", "42, denial"),
            ("expect(f(1) == 42).to be false", "false, denial"),
            ("expect(f(1)).not_to eq(42)", "negation expect(f(1)).not_to eq(42), denial"),
            ("expect(f(1)).to include('abcd')", "part abcd, denial"),
            ("expect(f(1)).to include(a: 42)", "42, denial"),
            ("expect(f(1)).to start_with('abcd')", "part abcd, denial"),
            ("expect(f(1)).to match_array([42])", "42, denial"),
            ("expect(f(1)).to be_within(0.01).of(4.25)", "4.25, denial"),
            (
                "expect(f(1)).to be_within(3).of(4.25)",
                "negation expect(f(1)).to be_within(3).of(4.25), denial",
            ),
            ("expect(f(1)).to be_between(41, 43)", "part 41, denial"),
            ("expect { f(1) }.to raise_error(ArgumentError)", "exception ArgumentError, denial"),
            ("expect { f(1) }.to raise_error('abcd')", "exception abcd, denial"),
            ("expect { f(1) }.to raise_error(ArgumentError, 'abcd')", "exception abcd, denial"),
            ("expect { f(1) }.to raise_error", "negation expect { f(1) }.to raise_error, denial"),
            ("other(f(1)).to eq(42)", ""),
        ],
    );
}

/// PHP: PHPUnit and Pest.
#[test]
fn forms_of_php() {
    assert_forms(
        "ATest.php",
        ("<?php\nclass ATest extends TestCase {\n  public function testA() {\n    ", "\n  }\n}\n"),
        &[
            ("$this->assertSame(42, f(1));", "42, denial"),
            ("$this->assertEquals(42, f(1));", "42, denial"),
            ("self::assertSame(42, f(1), 'no');", "42, denial"),
            ("$this->assertSame('abcd', f(1));", "abcd, denial"),
            ("$this->assertSame([42], f(1));", "42, denial"),
            ("$this->assertSame(['a' => 42], f(1));", "42, denial"),
            ("$this->assertSame(-42, f(1));", "-42, denial"),
            ("$this->assertSame(null, f(1));", "computed null, denial"),
            ("$this->assertCount(42, f(1));", "42, denial"),
            ("$this->assertTrue(f(1) === 42);", "42, denial"),
            ("$this->assertFalse(f(1) !== 42);", "42, denial"),
            ("$this->assertTrue(f(1));", "negation $this->assertTrue(f(1));, negation f(1), denial"),
            ("$this->assertNull(f(1));", "negation $this->assertNull(f(1));, denial"),
            ("$this->assertNotSame(42, f(1));", "negation $this->assertNotSame(42, f(1));, denial"),
            ("$this->assertContains('abcd', f(1));", "part abcd, denial"),
            ("$this->assertStringContainsString('abcd', f(1));", "part abcd, denial"),
            ("$this->assertArrayHasKey('abcd', f(1));", "part abcd, denial"),
            ("$this->assertEqualsWithDelta(4.25, f(1), 0.001);", "4.25, denial"),
            ("$this->assertEqualsWithDelta(4.25, f(1), 3);", "denial"),
            ("$this->assertThat(f(1), $this->equalTo(42));", "42, denial"),
            ("$this->expectExceptionMessage('abcd');", "exception abcd"),
            ("expect(f(1))->toBe(42);", "42, denial"),
            ("expect(f(1))->toEqual([42]);", "42, denial"),
            ("other(f(1))->toBe(42);", ""),
            ("if (f(1) !== 42) { throw new Exception(); }", "42, denial"),
            ("if (f(1) !== 42) { return; }", ""),
            ("assert(f(1) == 42);", "42, denial"),
            ("echo f(1), 42;", ""),
        ],
    );
}

/// C#: xUnit, NUnit, MSTest, FluentAssertions.
#[test]
fn forms_of_c_sharp() {
    assert_forms(
        "ATests.cs",
        ("class ATests {\n  [Fact] public void A() {\n    ", "\n  }\n}\n"),
        &[
            ("Assert.Equal(42, F(1));", "42, denial"),
            ("Assert.AreEqual(42, F(1));", "42, denial"),
            ("Assert.Same(null, F(1));", "denial"),
            ("Assert.Equal(\"abcd\", F(1));", "abcd, denial"),
            ("Assert.Equal(-42, F(1));", "-42, denial"),
            ("Assert.Equal(new[] { 42 }, F(1));", "42, denial"),
            ("Assert.Equal(new int[] { 42 }, F(1));", "42, denial"),
            ("Assert.True(F(1) == 42);", "42, denial"),
            ("Assert.False(F(1) != 42);", "42, denial"),
            ("Assert.True(F(1));", "negation Assert.True(F(1));, negation F(1), denial"),
            ("Assert.NotEqual(42, F(1));", "negation Assert.NotEqual(42, F(1));, denial"),
            ("Assert.Null(F(1));", "denial"),
            ("Assert.Contains(\"abcd\", F(1));", "part abcd, denial"),
            ("Assert.That(F(1), Is.EqualTo(42));", "42, denial"),
            ("Assert.That(F(1), Is.Not.EqualTo(42));", "denial"),
            ("F(1).Should().Be(42);", "42, denial"),
            ("F(1).Should().NotBe(42);", ""),
            ("if (F(1) != 42) throw new Exception();", "42, denial"),
            ("if (F(1) != 42) { Assert.Fail(\"no\"); }", "42, denial"),
            ("if (F(1) != 42) { return; }", ""),
            ("var want = 42; Assert.Equal(want, F(1));", "42, denial"),
            ("Console.WriteLine(42);", ""),
        ],
    );
}

/// Shell: `[`, `test` and functions that compare.
#[test]
fn forms_of_shell() {
    assert_forms(
        "tests/a.sh",
        ("#!/bin/sh\n", "\n"),
        &[
            ("[ \"$(f 1)\" = 42 ] || exit 1", "42, denial"),
            ("[ \"$(f 1)\" = 42 ] || echo no", "42"),
            ("[ \"$(f 1)\" = \"abcd\" ] || exit 1", "\"abcd\", denial"),
            ("[ \"$(f 1)\" -eq 42 ] || exit 1", "42, denial"),
            ("[ \"$(f 1)\" -eq -42 ] || exit 1", "-42, denial"),
            ("[ 42 = \"$(f 1)\" ] || exit 1", "42, denial"),
            ("[ \"$(f 1)\" != 42 ] && exit 1", "42, denial"),
            ("[ ! \"$(f 1)\" = 42 ] && exit 1", "42, denial"),
            ("test \"$(f 1)\" = 42 || exit 1", "42, denial"),
            ("[[ \"$(f 1)\" == 42 ]] || exit 1", "42, denial"),
            ("[ \"$(f 1)\" -gt 42 ] || exit 1", "denial"),
            ("[ -f out ] || exit 1", "denial"),
            ("[ \"$(f 1)\" = \"$want\" ] || exit 1", "denial"),
            ("[ 1 = 1 ] || exit 1", "denial"),
            ("if [ \"$(f 1)\" != 42 ]; then exit 1; fi", "42, denial"),
            ("if ! [ \"$(f 1)\" = 42 ]; then exit 1; fi", "42, denial"),
            ("if [ \"$(f 1)\" = 42 ]; then echo yes; fi", "42"),
            ("f 1 | grep -q 42 || exit 1", ""),
            ("diff want <(f 1) || exit 1", "denial"),
            ("is() { [ \"$1\" = \"$2\" ] || exit 1; }\nis \"$(f 1)\" 42", "42, denial"),
            ("is-same() { [ \"$1\" = \"$2\" ] || exit 1; }\nis-same \"$(f 1)\" 42", "42, denial"),
            ("function is() {\n  [ \"$1\" = \"$2\" ] || exit 1\n}\nis 42 \"$(f 1)\"", "42, denial"),
            ("is() { [ \"$1\" = \"$2\" ]; }\nis \"$(f 1)\" 42", ""),
            ("echo 42", ""),
        ],
    );
}
