//! Where canaries are put and how they are named.

use super::super::parses;
use super::*;

fn laid(path: &str, text: &str, runner: Runner) -> CanaryFile {
    with_canaries(path, text.as_bytes(), runner, "qxvjz", &|_| true).unwrap()
}

#[test]
fn canaries_are_tests_of_the_file() {
    let cases = [
        ("tests/test_a.py", "def test_adds():\n    assert True", Runner::Pytest),
        ("tests/a.rs", "#[test]\nfn adds() {}\n", Runner::CargoTest),
        (
            "src/lib.rs",
            "fn f() {}\n#[cfg(test)]\nmod tests {\n  #[test]\n  fn adds() {}\n}\n",
            Runner::CargoTest,
        ),
        ("test/a.test.js", "const test = require('node:test');\ntest('adds', () => {});\n", Runner::NodeTest),
        ("test/a.test.mjs", "import test from 'node:test';\ntest('adds', () => {});\n", Runner::NodeTest),
        ("src/a.test.ts", "import { it } from 'vitest';\nit('adds', () => {});\n", Runner::Vitest),
        ("src/a.spec.ts", "describe('x', () => { it('adds', () => {}); });\n", Runner::Jest),
        (
            "test/a.js",
            "const { test } = require('uvu');\ntest('adds', () => {});\ntest.run();\n",
            Runner::Uvu,
        ),
        ("test/b.js", "import { test } from 'uvu';\ntest('adds', () => {});\ntest.run();\n", Runner::Uvu),
        ("test/c.js", "import test from 'ava';\ntest('adds', t => { t.pass(); });\n", Runner::Ava),
        ("test/d.js", "const t = require('tap');\nt.test('adds', async t => {});\n", Runner::NodeTap),
        ("test/e.js", "const test = require('tape');\ntest('adds', t => { t.end(); });\n", Runner::Tape),
        ("a_test.go", "package a\nimport \"testing\"\nfunc TestAdds(t *testing.T) {}\n", Runner::GoTest),
    ];
    for (path, text, runner) in cases {
        let laid = laid(path, text, runner);
        assert_eq!(parses(language_of(path).unwrap(), &laid.bytes), Ok(()), "{path}");
        let found: Vec<String> = tests(path, &laid.bytes).iter().map(|t| t.name_in(path)).collect();
        let own =
            |name: &String| found.contains(name) || runner != Runner::CargoTest && !path.ends_with(".py");
        assert!(laid.names.len() == 2 && laid.names.iter().all(own), "{path} {:?} {found:?}", laid.names);
    }
}

#[test]
fn an_inline_canary_stands_in_the_module_of_its_neighbours() {
    let text = "fn f() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n}\n";
    assert_eq!(
        laid("src/lib.rs", text, Runner::CargoTest).names,
        ["src/lib.rs::tests::adds_qxvjz1", "src/lib.rs::tests::adds_qxvjz2"]
    );
}

#[test]
fn where_there_is_no_test_there_is_no_canary() {
    assert_eq!(with_canaries("src/lib.rs", b"fn f() {}", Runner::CargoTest, "x", &|_| true), None);
    assert_eq!(with_canaries("tests/run.sh", b"echo ok", Runner::Tap, "x", &|_| true), None);
    let text = b"def test_a(): pass\n";
    assert_eq!(with_canaries("tests/test_a.py", text, Runner::Pytest, "x", &|_| false), None);
}

#[test]
fn canaries_behind_a_test_are_tests_of_the_file() {
    let table = [
        (
            "tests/test_a.py",
            "import unittest\n\n\nclass TestA(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(True)\n",
            Runner::Unittest,
        ),
        (
            "test/a_test.rb",
            "class ATest < Minitest::Test\n  def test_a\n    assert true\n  end\nend\n",
            Runner::Minitest,
        ),
        (
            "spec/a_spec.rb",
            "RSpec.describe A do\n  describe \"#b\" do\n    it \"adds\" do\n      expect(1).to eq(1)\n    end\n  end\nend\n",
            Runner::Rspec,
        ),
        (
            "tests/ATest.php",
            "<?php\nfinal class ATest extends TestCase\n{\n    public function testA(): void\n    {\n    }\n}\n",
            Runner::Phpunit,
        ),
        ("src/test/java/ATest.java", "class ATest {\n    @Test\n    void a() {\n    }\n}\n", Runner::Junit),
        (
            "tests/a_test.cpp",
            "#include <gtest/gtest.h>\n\nTEST(A, B) {\n  EXPECT_EQ(1, 1);\n}\n",
            Runner::Ctest,
        ),
    ];
    let mut shown = String::new();
    for (path, text, runner) in table {
        let laid = with_canaries(path, text.as_bytes(), runner, "qxvjz", &|_| true).unwrap();
        parses(language_of(path).unwrap(), &laid.bytes).unwrap();
        let known: Vec<String> = tests(path, &laid.bytes).iter().map(|item| item.name_in(path)).collect();
        assert!(laid.names.iter().all(|name| known.contains(name)), "{:?} in {known:?}", laid.names);
        shown.push_str(&String::from_utf8(laid.bytes).unwrap());
        shown.push('\n');
    }
    insta::assert_snapshot!(shown, @r##"
        import unittest


        class TestA(unittest.TestCase):
            def test_a(self):
                self.assertTrue(True)

            def test_a_qxvjz1(self):
                self.assertEqual("qxvjz", "")

            def test_a_qxvjz2(self):
                raise ValueError("qxvjz")

        class ATest < Minitest::Test
          def test_a
            assert true
          end

          def test_a_qxvjz1
            assert_equal "qxvjz", ""
          end

          def test_a_qxvjz2
            raise "qxvjz"
          end
        end

        RSpec.describe A do
          describe "#b" do
            it "adds" do
              expect(1).to eq(1)
            end

            it "adds qxvjz1" do
              expect("qxvjz").to eq("")
            end

            it "adds qxvjz2" do
              raise "qxvjz"
            end
          end
        end

        <?php
        final class ATest extends TestCase
        {
            public function testA(): void
            {
            }

            public function testA_qxvjz1(): void
            {
                self::assertSame('qxvjz', '');
            }

            public function testA_qxvjz2(): void
            {
                throw new \RuntimeException('qxvjz');
            }
        }

        class ATest {
            @Test
            void a() {
            }

            @Test
            public void a_qxvjz1() {
                throw new AssertionError("qxvjz");
            }

            @Test
            public void a_qxvjz2() {
                throw new IllegalStateException("qxvjz");
            }
        }

        #include <gtest/gtest.h>

        TEST(A, B) {
          EXPECT_EQ(1, 1);
        }

        TEST(A, B_qxvjz1) {
          EXPECT_STREQ("qxvjz", "");
        }

        TEST(A, B_qxvjz2) {
          FAIL() << "qxvjz";
        }
        "##);
    let catch = "TEST_CASE(\"adds\") { REQUIRE(true); }\n";
    assert_eq!(with_canaries("tests/a_test.cpp", catch.as_bytes(), Runner::Ctest, "x", &|_| true), None);
}

#[test]
fn a_title_with_signs_gives_plain_words() {
    let text =
        "import test from 'ava';\n\ntest('many skips - they cost (a little)', t => { t.is(1, 1); });\n";
    let laid = with_canaries("test.js", text.as_bytes(), Runner::Ava, "qxvjz", &|_| true).unwrap();
    let expected = "test.js > many skips they cost a little qxvjz1";
    assert_eq!(laid.names[0], expected);
}
