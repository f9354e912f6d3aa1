//! Generated tests, run by the real runner: red for the right reason while the code is missing, green once it is there.
//!
//! Needs cargo, node and pytest (in `target/venv`), as `scripts/test` brings them.
#![expect(clippy::unwrap_used, reason = "what a test needs and does not get is its failure")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests run real programs on real files"
)]

mod bench;
mod plans;
mod runners;

use bench::Run;
use windlass_code::red::Red;
use windlass_code::repo::MemoryTree;
use windlass_code::survey::survey;
use windlass_core::plan::CodeBlock;
use windlass_planner::repository::Repository;
use windlass_planner::snippet::{CaseWanted, CodeWanted, SnippetState, TestSnippet, TestWanted};

/// A small repository and what is wanted in it.
struct Wanted {
    files: Vec<(&'static str, &'static str)>,
    test: &'static str,
    subject: &'static str,
    contract: (&'static str, &'static str),
    cases: Vec<(&'static str, &'static str)>,
}

impl Wanted {
    fn tree(&self) -> MemoryTree {
        MemoryTree::new(self.files.iter().copied())
    }

    fn block(&self) -> Vec<CodeBlock> {
        let (language, code) = self.contract;
        vec![CodeBlock { language: Some(language.into()), code: code.into(), ..CodeBlock::default() }]
    }

    fn snippet(&self) -> Option<TestSnippet> {
        let tree = self.tree();
        let repository = Repository::new(&tree, survey(&tree));
        let cases: Vec<CaseWanted<'_>> =
            self.cases.iter().map(|(id, text)| CaseWanted { id, text }).collect();
        let contract = self.block();
        repository.test_snippet(&TestWanted {
            file: self.test,
            subject: self.subject,
            contract: &contract,
            cases: &cases,
        })
    }

    fn frame(&self) -> String {
        let tree = self.tree();
        let repository = Repository::new(&tree, survey(&tree));
        repository
            .code_snippet(&CodeWanted { file: self.subject, contract: &self.block(), said: "" })
            .unwrap()
    }

    /// Runs the test with the detected command, with or without the code.
    fn run(&self, test: &str, code: Option<&str>) -> Run {
        let laid: Vec<(&str, &str)> = code.iter().map(|code| (self.subject, *code)).collect();
        bench::run(&self.files, &laid, (self.test, test), &[self.subject.to_owned()])
    }
}

/// Missing code, and as many tests as there are cases.
#[track_caller]
fn waits_for_code(wanted: &Wanted, run: &Run) {
    match &run.red {
        Red::MissingCode { names, .. } => assert_eq!(names.len(), wanted.cases.len(), "{names:?}"),
        other => panic!("{other:?}\n{}", run.output),
    }
}

/// Red while the code is missing, and green with it, if every case is stated.
#[track_caller]
fn red_then_green(wanted: &Wanted, code: &str) -> TestSnippet {
    let snippet = wanted.snippet().unwrap();
    waits_for_code(wanted, &wanted.run(&snippet.code, None));
    let with = wanted.run(&snippet.code, Some(code));
    assert_eq!(with.passed, snippet.state == SnippetState::Complete, "{}", with.output);
    if snippet.state == SnippetState::Sketch {
        assert!(matches!(with.red, Red::Assertion { .. }), "{:?}\n{}", with.red, with.output);
    }
    snippet
}

#[test]
fn python_with_pytest() {
    let wanted = Wanted {
        files: vec![
            ("pyproject.toml", "[tool.pytest.ini_options]\n"),
            ("shop/__init__.py", ""),
            ("shop/cart.py", "def total(prices):\n    return sum(prices)\n"),
            (
                "tests/test_cart.py",
                "from shop.cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
            ),
        ],
        test: "tests/test_text.py",
        subject: "shop/text.py",
        contract: ("python", "def slug(text: str) -> str: ..."),
        cases: vec![
            ("AC-1", "`slug(\"Hello World\")` returns `\"hello-world\"`"),
            ("AC-2", "`slug(None)` raises `ValueError`"),
        ],
    };
    let code = "def slug(text):\n    if text is None:\n        raise ValueError\n    return text.lower().replace(' ', '-')\n";
    let snippet = red_then_green(&wanted, code);
    insta::assert_snapshot!(snippet.code, @r#"
    import pytest

    from shop.text import slug


    def test_slug_hello_world_returns_hello_world():
        assert slug("Hello World") == "hello-world"


    def test_slug_none_raises_valueerror():
        with pytest.raises(ValueError):
            slug(None)
    "#);
    insta::assert_snapshot!(wanted.frame(), @"
    def slug(text: str) -> str:
        raise NotImplementedError
    ");

    let open = Wanted { cases: vec![("AC-3", "slugs are never empty")], ..wanted };
    insta::assert_snapshot!(red_then_green(&open, code).code, @r#"
    from shop.text import slug


    def test_slugs_are_never_empty():
        # def slug(text: str) -> str
        raise AssertionError("AC-3: slugs are never empty")
    "#);
}

#[test]
fn python_with_unittest() {
    let wanted = Wanted {
        files: vec![
            ("shop/__init__.py", ""),
            ("shop/cart.py", "def total(prices):\n    return sum(prices)\n"),
            (
                "tests/test_cart.py",
                "import unittest\n\nfrom shop.cart import total\n\n\nclass TestCart(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([1]), 1)\n",
            ),
        ],
        test: "tests/test_text.py",
        subject: "shop/text.py",
        contract: ("python", "def slug(text: str) -> str"),
        cases: vec![("AC-1", "`slug(\"A\")` is `\"a\"`")],
    };
    let snippet = red_then_green(&wanted, "def slug(text):\n    return text.lower()\n");
    insta::assert_snapshot!(snippet.code, @r#"
    import unittest

    from shop.text import slug


    class TestText(unittest.TestCase):
        def test_slug_a_is_a(self):
            self.assertEqual(slug("A"), "a")
    "#);
}

#[test]
fn rust_with_cargo_test() {
    let wanted = Wanted {
        files: vec![
            ("Cargo.toml", "[package]\nname = \"word-shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
            ("src/lib.rs", "pub mod text;\npub fn total(prices: &[u32]) -> u32 { prices.iter().sum() }\n"),
            (
                "tests/total.rs",
                "use word_shop::total;\n\n#[test]\nfn adds() { assert_eq!(total(&[1]), 1); }\n",
            ),
        ],
        test: "tests/text.rs",
        subject: "src/text.rs",
        contract: ("rust", "pub fn slug(text: &str) -> String;\npub fn is_slug(text: &str) -> bool;"),
        cases: vec![
            ("AC-1", "`slug(\"Hello World\")` returns `\"hello-world\"`"),
            ("AC-2", "`is_slug(\"A b\")` is `false`"),
        ],
    };
    let code = "pub fn slug(text: &str) -> String { text.to_lowercase().replace(' ', \"-\") }\npub fn is_slug(text: &str) -> bool { slug(text) == text }\n";
    let snippet = red_then_green(&wanted, code);
    insta::assert_snapshot!(snippet.code, @r#"
    use word_shop::text::{slug, is_slug};

    #[test]
    fn slug_hello_world_returns_hello_world() {
        assert_eq!(slug("Hello World"), "hello-world");
    }

    #[test]
    fn is_slug_a_b_is_false() {
        assert!(!is_slug("A b"));
    }
    "#);
    insta::assert_snapshot!(wanted.frame(), @r#"
    pub fn slug(text: &str) -> String {
        panic!("not written yet")
    }
    pub fn is_slug(text: &str) -> bool {
        panic!("not written yet")
    }
    "#);
}

#[test]
fn javascript_with_node() {
    let wanted = Wanted {
        files: vec![
            ("package.json", "{\"type\":\"module\",\"scripts\":{\"test\":\"node --test\"}}"),
            (
                "src/cart.js",
                "export function total(prices) {\n  return prices.reduce((a, b) => a + b, 0);\n}\n",
            ),
            (
                "src/cart.test.js",
                "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { total } from './cart.js';\n\ntest('adds', () => {\n  assert.equal(total([1]), 1);\n});\n",
            ),
        ],
        test: "src/text.test.js",
        subject: "src/text.js",
        contract: ("js", "export function slug(text) {}"),
        cases: vec![
            ("AC-1", "`slug('Hello World')` returns `'hello-world'`"),
            ("AC-2", "`slug(null)` throws `TypeError`"),
        ],
    };
    let code = "export function slug(text) {\n  return text.toLowerCase().replace(' ', '-');\n}\n";
    let snippet = red_then_green(&wanted, code);
    insta::assert_snapshot!(snippet.code, @"
    import { test } from 'node:test';
    import assert from 'node:assert/strict';
    import { slug } from './text.js';

    test('AC-1: slug(’Hello World’) returns ’hello-world’', () => {
      assert.deepEqual(slug('Hello World'), 'hello-world');
    });

    test('AC-2: slug(null) throws TypeError', () => {
      assert.throws(() => slug(null), { name: 'TypeError' });
    });
    ");
}

/// The node that `scripts/agents` installs takes types away by itself.
#[test]
fn typescript_with_node() {
    let strips_types =
        std::process::Command::new("node").args(["--experimental-strip-types", "-e", "0"]).output();
    if !strips_types.is_ok_and(|output| output.status.success()) {
        println!(
            "NOT EXECUTED: typescript_with_node, because the node of this machine cannot strip types (22.6 can)"
        );
        return;
    }
    let wanted = Wanted {
        files: vec![
            ("package.json", "{\"type\":\"module\",\"scripts\":{\"test\":\"node --test\"}}"),
            ("tsconfig.json", "{\"compilerOptions\":{\"strict\":true,\"allowImportingTsExtensions\":true}}"),
            (
                "src/cart.ts",
                "export function total(prices: number[]): number {\n  return prices.reduce((a, b) => a + b, 0);\n}\n",
            ),
            (
                "src/cart.test.ts",
                "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { total } from './cart.ts';\n\ntest('adds', () => {\n  assert.equal(total([1]), 1);\n});\n",
            ),
        ],
        test: "src/text.test.ts",
        subject: "src/text.ts",
        contract: ("ts", "export function slug(text: string): string;"),
        cases: vec![
            ("AC-1", "`slug('Hello World')` returns `'hello-world'`"),
            ("AC-2", "`slug(null)` throws `TypeError`"),
        ],
    };
    let code =
        "export function slug(text: string): string {\n  return text.toLowerCase().replace(' ', '-');\n}\n";
    let snippet = red_then_green(&wanted, code);
    insta::assert_snapshot!(snippet.code, @r"
    import { test } from 'node:test';
    import assert from 'node:assert/strict';
    import { slug } from './text.ts';

    test('AC-1: slug(’Hello World’) returns ’hello-world’', () => {
      assert.deepEqual(slug('Hello World'), 'hello-world');
    });

    test('AC-2: slug(null) throws TypeError', () => {
      assert.throws(() => slug(null), { name: 'TypeError' });
    });
    ");
}

/// What other tool-chains would run, where the project shows less than it could; `runners` has them run it.
#[test]
fn the_other_languages_in_their_own_hand() {
    let show = |wanted: &Wanted| match wanted.snippet() {
        Some(snippet) => format!("{:?}\n{}", snippet.state, snippet.code),
        None => "none".to_owned(),
    };
    let vitest = Wanted {
        files: vec![
            ("package.json", "{\"devDependencies\":{\"vitest\":\"1\"}}"),
            ("src/cart.ts", "export const total = (prices: number[]): number => 0\n"),
            (
                "src/__tests__/cart.spec.ts",
                "import { describe, expect, it } from \"vitest\"\nimport { total } from \"../cart\"\n\ndescribe(\"cart\", () => {\n    it(\"adds\", () => {\n        expect(total([])).toBe(0)\n    })\n})\n",
            ),
        ],
        test: "src/__tests__/text.spec.ts",
        subject: "src/text.ts",
        contract: ("ts", "export function slug(text: string): string;"),
        cases: vec![("AC-1", "`slug(\"A\")` returns `\"a\"`"), ("AC-2", "empty texts are refused")],
    };
    insta::assert_snapshot!(show(&vitest), @r#"
    Sketch
    import { describe, expect, it } from "vitest"
    import { slug } from "../text"

    describe("text", () => {
        it("AC-1: slug(A) returns a", () => {
            expect(slug("A")).toEqual("a")
        })

        it("AC-2: empty texts are refused", () => {
            // export function slug(text: string): string
            throw new Error("AC-2: empty texts are refused")
        })
    })
    "#);
    let go = Wanted {
        files: vec![
            ("go.mod", "module example.com/shop\n"),
            ("text/cart.go", "package text\n\nfunc Total() int { return 0 }\n"),
        ],
        test: "text/slug_test.go",
        subject: "text/slug.go",
        contract: ("go", "func Slug(text string) string"),
        cases: vec![("AC-1", "`Slug(\"A\")` returns `\"a\"`")],
    };
    insta::assert_snapshot!(show(&go), @r#"
    Complete
    package text

    import "testing"

    func TestSlugAReturnsA(t *testing.T) {
    	if got := Slug("A"); got != "a" {
    		t.Errorf("%s = %v", "Slug(\"A\")", got)
    	}
    }
    "#);
    let table = Wanted {
        files: vec![
            ("go.mod", "module example.com/shop\n"),
            ("text/cart.go", "package text\n\nfunc Total() int { return 0 }\n"),
            (
                "text/cart_test.go",
                "package text\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\ttests := []struct{ a int }{}\n\t_ = tests\n}\n",
            ),
        ],
        ..go
    };
    insta::assert_snapshot!(show(&table), @r#"
    Complete
    package text

    import "testing"

    func TestSlug(t *testing.T) {
    	tests := []struct {
    		name string
    		got  string
    		want string
    	}{
    		{"AC-1: `Slug(\"A\")` returns `\"a\"`", Slug("A"), "a"},
    	}
    	for _, tt := range tests {
    		t.Run(tt.name, func(t *testing.T) {
    			if tt.got != tt.want {
    				t.Errorf("got %v, want %v", tt.got, tt.want)
    			}
    		})
    	}
    }
    "#);
    let java = Wanted {
        files: vec![
            ("pom.xml", "<project/>"),
            ("src/main/java/shop/Cart.java", "package shop;\npublic class Cart {}\n"),
            (
                "src/test/java/shop/CartTest.java",
                "package shop;\nimport org.junit.jupiter.api.Test;\nclass CartTest { @Test void a() {} }\n",
            ),
        ],
        test: "src/test/java/shop/TextTest.java",
        subject: "src/main/java/shop/Text.java",
        contract: ("java", "public class Text { public static String slug(String text) { return null; } }"),
        cases: vec![("AC-1", "slugs are lower case")],
    };
    insta::assert_snapshot!(show(&java), @r#"
    Sketch
    package shop;

    import static org.junit.jupiter.api.Assertions.*;

    import org.junit.jupiter.api.Test;

    class TextTest {
        @Test
        void slugsAreLowerCase() {
            // public static String slug(String text)
            fail("AC-1: slugs are lower case");
        }
    }
    "#);
    let ruby = Wanted {
        files: vec![("lib/cart.rb", "class Cart\nend\n")],
        test: "spec/text_spec.rb",
        subject: "lib/text.rb",
        contract: ("ruby", "def slug(text)\nend"),
        cases: vec![("AC-1", "`slug('A')` returns `'a'`")],
    };
    insta::assert_snapshot!(show(&ruby), @r#"
    Complete
    require_relative "../lib/text"

    RSpec.describe "slug" do
      it "AC-1: slug(’A’) returns ’a’" do
        expect(slug('A')).to eq('a')
      end
    end
    "#);
    let php = Wanted {
        files: vec![("src/Cart.php", "<?php\nnamespace Shop;\nclass Cart {}\n")],
        test: "tests/TextTest.php",
        subject: "src/Text.php",
        contract: (
            "php",
            "final class Text { public static function slug(string $text): string { return ''; } }",
        ),
        cases: vec![("AC-1", "slugs are lower case")],
    };
    insta::assert_snapshot!(show(&php), @r#"
    Sketch
    <?php

    declare(strict_types=1);

    use PHPUnit\Framework\TestCase;
    use Shop\Text;

    final class TextTest extends TestCase
    {
        public function testSlugsAreLowerCase(): void
        {
            // public static function slug(string $text): string
            self::fail("AC-1: slugs are lower case");
        }
    }
    "#);
    let csharp = Wanted {
        files: vec![
            ("src/Cart.cs", "namespace Shop;\npublic class Cart {}\n"),
            (
                "tests/CartTests.cs",
                "using Xunit;\nnamespace Shop.Tests;\npublic class CartTests { [Fact] public void A() {} }\n",
            ),
        ],
        test: "tests/TextTests.cs",
        subject: "src/Text.cs",
        contract: ("csharp", "public static class Text { public static string Slug(string text) => text; }"),
        cases: vec![("AC-1", "slugs are lower case")],
    };
    insta::assert_snapshot!(show(&csharp), @r#"
    Sketch
    using Xunit;
    using Shop;

    public class TextTests
    {
        [Fact]
        public void SlugsAreLowerCase()
        {
            // public static string Slug(string text)
            Assert.Fail("AC-1: slugs are lower case");
        }
    }
    "#);
}

/// Nothing is made up where something is not known.
#[test]
fn nothing_when_unsure() {
    let base = || Wanted {
        files: vec![],
        test: "tests/test_a.py",
        subject: "pkg/a.py",
        contract: ("python", "def f(): ..."),
        cases: vec![("", "it works")],
    };
    let none = |wanted: Wanted, why: &str| assert_eq!(wanted.snippet(), None, "{why}");
    assert!(base().snippet().is_some());
    none(Wanted { contract: ("python", ""), ..base() }, "no contract");
    none(Wanted { contract: ("python", "def f(: ..."), ..base() }, "a contract that does not parse");
    none(Wanted { contract: ("rust", "pub fn f();"), ..base() }, "a contract in another language");
    none(Wanted { subject: "src/a.py", ..base() }, "a root that nothing shows");
    none(Wanted { subject: "my-pkg/a.py", ..base() }, "a directory that cannot be imported");
    none(Wanted { test: "tests/a.test.js", ..base() }, "a test in another language");
    none(
        Wanted { test: "tests/a.cpp", subject: "src/a.cpp", contract: ("cpp", "int f();"), ..base() },
        "a language whose tests are built in a hundred ways",
    );
}
