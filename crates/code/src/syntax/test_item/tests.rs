//! Which tests are found in each language.

use super::*;

fn shown(path: &str, text: &str) -> String {
    tests(path, text.as_bytes())
        .iter()
        .map(|item| {
            let first = text[item.range.clone()].lines().next().unwrap_or_default();
            let skipped = if item.skipped { " (skipped)" } else { "" };
            format!("{} {}{skipped} | {first}\n", item.line, item.name)
        })
        .collect::<Vec<_>>()
        .concat()
}

#[test]
fn python_tests() {
    let text = r#"
import pytest

def helper(): pass

def test_add():
    assert True

@pytest.mark.parametrize("a", [1, 2])
@pytest.mark.slow
def test_p(a): assert a

@pytest.mark.skip(reason="no")
def test_s(): pass

@pytest.mark.skipif(True, reason="no")
async def test_cond(): pass

class TestC:
    def setup_method(self): pass
    def test_m(self): pass
    class TestIn:
        def test_n(self): pass

class Suite(unittest.TestCase):
    @unittest.skip("x")
    def testOld(self): pass

class Helper:
    def test_not(self): pass
"#;
    insta::assert_snapshot!(shown("tests/test_x.py", text), @r#"
        6 test_add | def test_add():
        11 test_p | @pytest.mark.parametrize("a", [1, 2])
        14 test_s (skipped) | @pytest.mark.skip(reason="no")
        17 test_cond | @pytest.mark.skipif(True, reason="no")
        21 TestC::test_m | def test_m(self): pass
        23 TestC::TestIn::test_n | def test_n(self): pass
        27 Suite::testOld (skipped) | @unittest.skip("x")
        "#);
}

#[test]
fn rust_tests() {
    let text = r#"
pub fn add() {}

/// says
#[test]
fn top() {}

#[cfg(test)]
mod tests {
    use super::*;
    fn helper() {}
    #[test]
    #[should_panic(expected = "x")]
    fn adds() { add() }
    #[tokio::test]
    async fn waits() {}
    #[test]
    #[ignore = "slow"]
    fn later() {}
    mod deep {
        #[rstest]
        #[case(1)]
        fn cases(#[case] n: u32) {}
    }
    proptest! {
        #[test]
        fn holds(x in 0..10u32) { prop_assert!(x < 10); }
    }
}
"#;
    insta::assert_snapshot!(shown("src/lib.rs", text), @r"
        6 top | /// says
        14 tests::adds | #[test]
        16 tests::waits | #[tokio::test]
        19 tests::later (skipped) | #[test]
        23 tests::deep::cases | #[rstest]
        27 tests::holds | #[test]
        ");
}

#[test]
fn javascript_tests() {
    let text = r#"
import { describe, it, test } from 'vitest';
test('adds', () => {});
describe('suite', () => {
  it("inner's", async () => { helper('x'); });
  describe.each([1, 2])('deep %i', (n) => { it(`z ${n}`, () => {}) });
  it.skip('not now', () => {});
  it.todo('later');
});
test.each([[1, 2]])('each %i %i', (a, b) => {});
describe(Foo, function () { it('works', () => {}); });
for (const n of [1]) { test.concurrent('loop ' + n, () => {}); }
xit('old', () => {});
notATest('x', () => {});
"#;
    insta::assert_snapshot!(shown("src/a.test.ts", text), @r#"
        3 adds | test('adds', () => {})
        5 suite > inner's | it("inner's", async () => { helper('x'); })
        6 suite > deep %i > z ${n} | it(`z ${n}`, () => {})
        7 suite > not now (skipped) | it.skip('not now', () => {})
        8 suite > later (skipped) | it.todo('later')
        10 each %i %i | test.each([[1, 2]])('each %i %i', (a, b) => {})
        11 ${Foo} > works | it('works', () => {})
        12 ${'loop ' + n} | test.concurrent('loop ' + n, () => {})
        13 old (skipped) | xit('old', () => {})
        "#);
}

#[test]
fn go_tests() {
    let text = "package calc\nimport \"testing\"\n// says\nfunc TestAdd(t *testing.T) {}\nfunc Testing() {}\nfunc helper(t *testing.T) {}\nfunc FuzzX(f *testing.F) {}\nfunc (s S) TestM(t *testing.T) {}\n";
    insta::assert_snapshot!(shown("calc/calc_test.go", text), @r"
        4 TestAdd | // says
        7 FuzzX | func FuzzX(f *testing.F) {}
        ");
}

#[test]
fn tests_of_the_other_languages() {
    let java = "class CartTest {\n  @Test void adds() {}\n  @Disabled @Test void later() {}\n  @ParameterizedTest(name = \"x\") void many(int a) {}\n  void helper() {}\n  @Nested class Inner { @Test void deep() {} }\n}\n";
    insta::assert_snapshot!(shown("CartTest.java", java), @r#"
        2 CartTest::adds | @Test void adds() {}
        3 CartTest::later (skipped) | @Disabled @Test void later() {}
        4 CartTest::many | @ParameterizedTest(name = "x") void many(int a) {}
        6 CartTest::Inner::deep | @Test void deep() {}
        "#);
    let cpp = "#include <gtest/gtest.h>\nTEST(CartTest, Adds) {\n  EXPECT_EQ(1, 1);\n}\nTEST_F(CartTest, DISABLED_Later) {}\nTEST_CASE(\"adds two\", \"[cart]\") { REQUIRE(true); }\n";
    insta::assert_snapshot!(shown("cart_test.cpp", cpp), @r#"
        2 CartTest.Adds | TEST(CartTest, Adds) {
        5 CartTest.DISABLED_Later (skipped) | TEST_F(CartTest, DISABLED_Later) {}
        6 adds two | TEST_CASE("adds two", "[cart]") { REQUIRE(true); }
        "#);
    let rspec = "RSpec.describe Cart do\n  let(:cart) { Cart.new }\n  describe '#total' do\n    it 'adds' do\n      expect(1).to eq(1)\n    end\n    xit('later') { }\n  end\nend\n";
    insta::assert_snapshot!(shown("spec/cart_spec.rb", rspec), @"
        4 Cart #total adds | it 'adds' do
        7 Cart #total later (skipped) | xit('later') { }
        ");
    let minitest =
        "class CartTest < Minitest::Test\n  def setup; end\n  def test_adds\n    assert true\n  end\nend\n";
    insta::assert_snapshot!(shown("test/cart_test.rb", minitest), @"3 CartTest::test_adds | def test_adds");
    let csharp = "namespace A;\npublic class CartTests\n{\n    [Fact]\n    public void Adds() { }\n    [Theory]\n    [InlineData(1)]\n    public void Many(int a) { }\n    [Fact(Skip = \"later\")]\n    public void Later() { }\n    public void Helper() { }\n}\n";
    insta::assert_snapshot!(shown("CartTests.cs", csharp), @r#"
        4 CartTests::Adds | [Fact]
        6 CartTests::Many | [Theory]
        9 CartTests::Later (skipped) | [Fact(Skip = "later")]
        "#);
    let php = "<?php\nfinal class CartTest extends TestCase\n{\n    public function testAdds(): void {}\n    #[Test]\n    public function it_works(): void {}\n    private function helper(): void {}\n}\n";
    insta::assert_snapshot!(shown("tests/CartTest.php", php), @"
        4 CartTest::testAdds | public function testAdds(): void {}
        5 CartTest::it_works | #[Test]
        ");
}

/// What is remembered of a text is not taken for another one, whatever its path.
#[test]
fn texts_are_told_apart() {
    let text = |n: usize| format!("def test_{n}():\n    assert f({n})\n");
    for n in (0..12).chain(0..12) {
        assert_eq!(shown("test_a.py", &text(n % 7)).matches(&format!(" test_{} ", n % 7)).count(), 1, "{n}");
    }
    assert_eq!(shown("a.test.ts", &text(1)), "", "no test of another language");
}
