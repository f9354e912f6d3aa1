//! Canaries that stand right behind a real test: methods of its class, examples of its group, macros of its suite.

use std::fmt::Write as _;

use windlass_core::report::Runner;

use super::language::Language;
use super::test_item::TestItem;

/// The text with two canaries behind the model, and their names; `None` where it is not known how.
pub(super) fn lay(
    language: Language,
    text: &str,
    model: &TestItem,
    runner: Runner,
    word: &str,
) -> Option<(String, Vec<String>)> {
    let own = text.get(model.range.clone())?;
    let canaries = match (language, runner) {
        (Language::Python, Runner::Unittest) => in_class(model, word, unittest)?,
        (Language::Ruby, Runner::Minitest) if own.starts_with("def ") => in_class(model, word, minitest)?,
        (Language::Ruby, Runner::Rspec) => rspec(own, model, word)?,
        // Only what makes a method a test here is known to make one of its neighbour.
        (Language::Php, Runner::Phpunit) if model.name.contains("::test") => in_class(model, word, phpunit)?,
        (Language::Java, Runner::Junit) if own.contains("@Test\n") || own.contains("@Test ") => {
            in_class(model, word, junit)?
        }
        (Language::C | Language::Cpp, Runner::Ctest) => googletest(own, model, word)?,
        _ => return None,
    };
    let line = text[..model.range.start].rfind('\n').map_or(0, |at| at + 1);
    let indent: String = text[line..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let mut laid = String::new();
    for (code, _) in &canaries {
        laid.push('\n');
        for line in code.lines() {
            let _ = write!(laid, "\n{indent}{line}");
        }
    }
    let (before, after) = text.split_at(model.range.end);
    Some((format!("{before}{laid}{after}"), canaries.into_iter().map(|(_, name)| name).collect()))
}

type Canary = (String, String);

/// Two methods of the model's class.
fn in_class(model: &TestItem, word: &str, code: fn(&str, &str, u8) -> String) -> Option<Vec<Canary>> {
    let (class, own) = model.name.rsplit_once("::")?;
    let one = |n: u8| {
        let name = format!("{own}_{word}{n}");
        (code(&name, word, n), format!("{class}::{name}"))
    };
    Some(vec![one(1), one(2)])
}

fn unittest(name: &str, word: &str, n: u8) -> String {
    let body = if n == 1 {
        format!("self.assertEqual(\"{word}\", \"\")")
    } else {
        format!("raise ValueError(\"{word}\")")
    };
    format!("def {name}(self):\n    {body}")
}

fn minitest(name: &str, word: &str, n: u8) -> String {
    let body = if n == 1 { format!("assert_equal \"{word}\", \"\"") } else { format!("raise \"{word}\"") };
    format!("def {name}\n  {body}\nend")
}

fn phpunit(name: &str, word: &str, n: u8) -> String {
    let body = if n == 1 {
        format!("self::assertSame('{word}', '');")
    } else {
        format!("throw new \\RuntimeException('{word}');")
    };
    format!("public function {name}(): void\n{{\n    {body}\n}}")
}

fn junit(name: &str, word: &str, n: u8) -> String {
    let error = if n == 1 { "AssertionError" } else { "IllegalStateException" };
    format!("@Test\npublic void {name}() {{\n    throw new {error}(\"{word}\");\n}}")
}

/// Two examples of the model's group, whose titles begin like its own.
fn rspec(own: &str, model: &TestItem, word: &str) -> Option<Vec<Canary>> {
    let quote = own.chars().find(|c| matches!(c, '"' | '\''))?;
    let title = own.split(quote).nth(1)?;
    let prefix = model.name.strip_suffix(title)?;
    if title.contains(['#', '\\']) {
        return None;
    }
    let one = |n: u8, body: String| {
        let name = format!("{title} {word}{n}");
        (format!("it {quote}{name}{quote} do\n  {body}\nend"), format!("{prefix}{name}"))
    };
    Some(vec![one(1, format!("expect(\"{word}\").to eq(\"\")")), one(2, format!("raise \"{word}\""))])
}

/// Two tests of the model's suite, with the macro it has; one with parameters would need instances.
fn googletest(own: &str, model: &TestItem, word: &str) -> Option<Vec<Canary>> {
    let makro = own.split('(').next().filter(|m| matches!(*m, "TEST" | "TEST_F"))?;
    let (suite, name) = model.name.split_once('.')?;
    let one = |n: u8, body: String| {
        let name = format!("{name}_{word}{n}");
        (format!("{makro}({suite}, {name}) {{\n  {body}\n}}"), format!("{suite}.{name}"))
    };
    Some(vec![one(1, format!("EXPECT_STREQ(\"{word}\", \"\");")), one(2, format!("FAIL() << \"{word}\";"))])
}

#[cfg(test)]
mod tests {
    use super::super::canary::with_canaries;
    use super::super::{language_of, parses, tests};
    use super::*;

    #[test]
    fn they_are_tests_of_the_file() {
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
            (
                "src/test/java/ATest.java",
                "class ATest {\n    @Test\n    void a() {\n    }\n}\n",
                Runner::Junit,
            ),
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
}
