//! Style, bases and fixtures of a file.

use super::*;

fn shown(path: &str, text: &str) -> String {
    let facts = facts(path, text.as_bytes()).unwrap();
    let style = facts.style.map(|s| format!("{} in {}", s.framework.as_str(), s.shape.as_str()));
    format!(
        "style {style:?} bases {:?} fixtures {:?} package {:?} broken {:?}",
        facts.bases, facts.fixtures, facts.package, facts.broken
    )
}

#[test]
fn style_bases_and_fixtures() {
    let table = [
        (
            "tests/test_a.py",
            "import pytest\n@pytest.fixture\ndef cart():\n    return 1\ndef test_a(cart): ...\n",
        ),
        ("tests/test_b.py", "import unittest\nclass A(unittest.TestCase):\n    def test_a(self): ...\n"),
        ("src/a.py", "class A(Base, Generic[T]):\n    pass\n"),
        ("src/a.rs", "impl Display for A {}\n#[cfg(test)]\nmod tests { #[test] fn a() {} }\n"),
        ("tests/a.rs", "#[test]\nfn a() {}\n"),
        ("a.test.ts", "import { it } from 'vitest';\ndescribe('a', () => { it('b', () => {}) });\n"),
        ("a.test.js", "import test from 'node:test';\ntest('b', () => {});\n"),
        ("b.test.js", "test('b', () => { jest.fn() });\n"),
        ("c.test.js", "test('b', () => {});\n"),
        (
            "a_test.go",
            "package a\nimport \"testing\"\nfunc TestA(t *testing.T) { for _, tt := range []struct{ a int }{} { _ = tt } }\n",
        ),
        (
            "ATest.java",
            "package a;\nimport org.junit.jupiter.api.Test;\nclass ATest extends Base { @Test void a() {} }\n",
        ),
        ("spec/a_spec.rb", "RSpec.describe A do\n  let(:cart) { 1 }\n  it('x') { }\nend\n"),
        ("test/a_test.rb", "class ATest < Minitest::Test\n  def test_a; end\nend\n"),
        (
            "ATests.cs",
            "using Xunit;\nnamespace B;\npublic class ATests : Base { [Fact] public void A() {} }\n",
        ),
        ("tests/ATest.php", "<?php\nnamespace B;\nclass ATest extends TestCase { function testA() {} }\n"),
        ("a_test.cpp", "#include <gtest/gtest.h>\nTEST(A, B) {}\n"),
        ("b_test.cpp", "#include <catch2/catch_test_macros.hpp>\nTEST_CASE(\"a\") {}\n"),
        ("bad.py", "def a(:\n  pass\nclass B: ...\n"),
    ];
    let all: String = table.iter().map(|(path, text)| format!("{path}: {}\n", shown(path, text))).collect();
    insta::assert_snapshot!(all, @r##"
        tests/test_a.py: style Some("pytest in functions") bases [] fixtures ["cart"] package None broken None
        tests/test_b.py: style Some("unittest in classes") bases ["unittest.TestCase"] fixtures [] package None broken None
        src/a.py: style None bases ["Base", "Generic[T]"] fixtures [] package None broken None
        src/a.rs: style Some("#[test] in a module in the source file") bases ["Display"] fixtures [] package None broken None
        tests/a.rs: style Some("#[test] in functions") bases [] fixtures [] package None broken None
        a.test.ts: style Some("vitest in describe blocks") bases [] fixtures [] package None broken None
        a.test.js: style Some("node:test in functions") bases [] fixtures [] package None broken None
        b.test.js: style Some("jest in functions") bases [] fixtures [] package None broken None
        c.test.js: style None bases [] fixtures [] package None broken None
        a_test.go: style Some("testing in tables of cases") bases [] fixtures [] package Some("a") broken None
        ATest.java: style Some("JUnit 5 in classes") bases ["Base"] fixtures [] package Some("a") broken None
        spec/a_spec.rb: style Some("rspec in describe blocks") bases [] fixtures ["cart"] package None broken None
        test/a_test.rb: style Some("minitest in classes") bases ["Minitest::Test"] fixtures [] package None broken None
        ATests.cs: style Some("xUnit in classes") bases ["Base"] fixtures [] package Some("B") broken None
        tests/ATest.php: style Some("PHPUnit in classes") bases ["TestCase"] fixtures [] package Some("B") broken None
        a_test.cpp: style Some("GoogleTest in functions") bases [] fixtures [] package None broken None
        b_test.cpp: style Some("Catch2 in functions") bases [] fixtures [] package None broken None
        bad.py: style None bases [] fixtures [] package None broken Some(1)
        "##);
    assert_eq!(facts("a.txt", b"x"), None);
    assert_eq!(facts("a.py", &vec![b'x'; 5 * 1024 * 1024]), None);
}
