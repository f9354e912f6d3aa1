//! What is read of each language: one sample and one test per language.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use windlass_core::report::Runner;

use super::Language;
use crate::red::{OwnedFiles, Wrong};
use crate::repo::MemoryTree;
use crate::survey::{Survey, survey, test_file_for};
use crate::syntax::tricks::{ChangedFile, GoldenFiles, tricks};
use crate::syntax::{
    ContractFinding, contract_report, exports, facts, frozen_items, imports, promised_names, tests,
    with_canaries,
};

/// The names of the tests in a text, in order.
pub(super) fn test_names(path: &str, text: &str) -> String {
    let shown = |item: crate::syntax::TestItem| item.name + if item.skipped { " (skipped)" } else { "" };
    tests(path, text.as_bytes()).into_iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// The public symbols of a text: kind, name and signature.
pub(super) fn export_lines(path: &str, text: &str) -> Vec<String> {
    let shown =
        |export: &crate::syntax::Export| format!("{:?} {} | {}", export.kind, export.name, export.signature);
    exports(path, text.as_bytes()).iter().map(shown).collect()
}

/// The imports of a text: `module` or `module: names`.
pub(super) fn import_list(path: &str, text: &str) -> String {
    let shown = |import: crate::syntax::Import| {
        let names = import.names.join(", ");
        if names.is_empty() { import.module } else { format!("{}: {names}", import.module) }
    };
    imports(path, text.as_bytes()).into_iter().map(shown).collect::<Vec<_>>().join("; ")
}

/// What a contract check reports about one file, without the signatures.
pub(super) fn findings(contract: &str, path: &str, code: &str) -> String {
    let shown = |finding: ContractFinding| match finding {
        ContractFinding::Missing { name } => format!("missing {name}"),
        ContractFinding::Different { name, .. } => format!("different {name}"),
    };
    let files = [(path.to_owned(), code.as_bytes().to_vec())];
    contract_report(contract, None, &files).findings.into_iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// The names that a contract promises for a file of this path.
pub(super) fn promised(contract: &str, path: &str) -> String {
    promised_names(contract, None, [path]).join(", ")
}

/// The errors in an output: each missing name, then the kind of every other error.
pub(super) fn errors_in(language: Language, output: &str, files: &[&str], names: &[&str]) -> String {
    let owned = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
    let (files, names) = (owned(files), owned(names));
    let read = language.row().errors.expect("the language reads errors");
    let errors = read(output, OwnedFiles { files: &files, names: &names, present: &[] }, &[]);
    let kind = |wrong: &Wrong| match wrong {
        Wrong::Syntax(_) => "syntax".to_owned(),
        Wrong::Foreign(_) => "foreign".to_owned(),
        Wrong::Misfit { .. } | Wrong::Other(_) => "other".to_owned(),
    };
    let missing = errors.missing.iter().map(|name| format!("missing {name}"));
    missing.chain(errors.wrong.iter().map(kind)).collect::<Vec<_>>().join(", ")
}

/// The rules that a new file breaks, warnings included.
pub(super) fn rules_broken(path: &str, text: &str) -> String {
    let golden = ["tests/golden/invoice.txt".to_owned()];
    let golden = GoldenFiles::among(&golden, |_| true);
    let found = tricks(&ChangedFile { path, before: None, after: text.as_bytes(), golden: &golden });
    let mut names: Vec<&str> = found.iter().map(|trick| trick.rule.as_str()).collect();
    names.dedup();
    names.join(" ")
}

/// Asserts for each row that the first text breaks the rule and that the second, which looks like it, breaks none.
#[track_caller]
pub(super) fn assert_rules(path: &str, table: &[(&str, &str, &str)]) {
    for (rule, breaks, honest) in table {
        assert_eq!(rules_broken(path, breaks), *rule, "{breaks}");
        assert_eq!(rules_broken(path, honest), "", "{honest}");
    }
}

/// The names of the canaries put into a text; `none` where there are none.
pub(super) fn canary_names(path: &str, text: &str, runner: Runner) -> String {
    let laid = with_canaries(path, text.as_bytes(), runner, "qx", &|_| true);
    laid.map_or_else(|| "none".to_owned(), |laid| laid.names.join(", "))
}

/// The files of a tree that a file imports.
pub(super) fn imported(tree: &[(&str, &str)], path: &str) -> String {
    survey(&MemoryTree::new(tree.iter().copied())).imported_by(path).join(" ")
}

/// The names under which the tests of a text are frozen.
pub(super) fn frozen_names(path: &str, text: &str) -> String {
    frozen_items(path, text.as_bytes()).into_keys().collect::<Vec<_>>().join(", ")
}

/// Framework and shape of the tests in a text.
pub(super) fn style_of(path: &str, text: &str) -> String {
    let style = facts(path, text.as_bytes()).unwrap().style;
    style.map_or_else(|| "none".to_owned(), |s| format!("{} in {}", s.framework.as_str(), s.shape.as_str()))
}

/// The declarations of a contract with bodies that fail.
pub(super) fn stub_of(language: Language, contract: &str) -> Option<String> {
    (language.row().stub)(contract)
}

/// A text without the bodies of its functions; `none` where the whole text has to be parsed.
pub(super) fn cut(path: &str, text: &str) -> String {
    let skeleton = Language::of_path(path).unwrap().row().skeleton;
    skeleton(text.as_bytes()).map_or_else(|| "none".to_owned(), |cut| String::from_utf8(cut).unwrap())
}

/// A source file, a contract for it, and what the tools of the language print.
struct Sample {
    path: &'static str,
    text: &'static str,
    contract: &'static str,
    output: &'static str,
}

/// Everything that is read of a sample, in lines.
fn shown(sample: &Sample) -> String {
    let Sample { path, text, contract, output } = sample;
    let language = Language::of_path(path).unwrap();
    let facts = facts(path, text.as_bytes()).unwrap();
    let mut out = String::new();
    for export in &facts.exports {
        let _ = writeln!(out, "export {} {:?} | {}", export.name, export.kind, export.signature);
    }
    for import in &facts.imports {
        let _ = writeln!(out, "import {} {:?}", import.module, import.names);
    }
    for item in tests(path, text.as_bytes()) {
        let skipped = if item.skipped { " (skipped)" } else { "" };
        let _ = writeln!(out, "test {}{skipped}", item.name_in(path));
    }
    let style = facts.style.map(|style| format!("{} in {}", style.framework.as_str(), style.shape.as_str()));
    let _ = writeln!(out, "style {}", style.as_deref().unwrap_or("none"));
    let _ =
        writeln!(out, "bases {:?}, fixtures {:?}, package {:?}", facts.bases, facts.fixtures, facts.package);
    let _ = writeln!(out, "promised {:?}", promised_names(contract, Some(language.fence()), []));
    for finding in contract_report(contract, None, &[((*path).to_owned(), text.as_bytes().to_vec())]).findings
    {
        let _ = writeln!(out, "finding {finding}");
    }
    let owned = [(*path).to_owned()];
    if let Some(read) = language.row().errors {
        let errors = read(output, OwnedFiles { files: &owned, names: &[], present: &[] }, &[]);
        let _ = writeln!(out, "missing {:?}", errors.missing);
        for wrong in errors.wrong {
            let _ = writeln!(out, "wrong {wrong:?}");
        }
    }
    let test = test_file_for(path, &[], "").map(|test| test.path);
    let _ = writeln!(out, "usual test {}", test.unwrap_or_default());
    out
}

#[test]
fn the_ending_of_a_name_tells_the_language() {
    for language in Language::ALL.iter().copied() {
        for ending in language.row().extensions {
            let first = Language::ALL.iter().find(|other| other.row().extensions.contains(ending));
            assert_eq!(Language::of_path(&format!("src/a.b/x.y.{ending}")).as_ref(), first, "{ending}");
        }
    }
    for other in ["py", "src/py", "a.py/b", "a.", "a.unknown", ""] {
        assert_eq!(Language::of_path(other), None, "{other}");
    }
}

#[test]
fn python() {
    insta::assert_snapshot!(shown(&Sample {
        path: "shop/cart.py",
        text: "import os\nfrom .money import Money\n\nLIMIT: int = 3\n\n\nclass Cart(Base):\n    def add(self, price: int) -> None: ...\n    def _hidden(self): ...\n\n\ndef total(prices, tax=0):\n    return sum(prices)\n\n\n@pytest.fixture\ndef cart(): ...\n\n\n@pytest.mark.skip\ndef test_total(): ...\n",
        contract: "def total(prices, tax, rounding)\ndef refund(order)",
        output: "E   ModuleNotFoundError: No module named 'shop.cart'\nE   ModuleNotFoundError: No module named 'numpy'",
    }), @r#"
    export LIMIT Value | LIMIT: int
    export Cart Type | class Cart(Base)
    export Cart.add Method | def add(self, price: int) -> None
    export total Function | def total(prices, tax=0)
    export cart Function | def cart()
    export test_total Function | def test_total()
    import os []
    import .money ["Money"]
    test shop/cart.py::test_total (skipped)
    style pytest in functions
    bases ["Base"], fixtures ["cart"], package None
    promised ["total", "refund"]
    finding `total` differs from its contract: expected `def total(prices, tax, rounding)`, found `def total(prices, tax=0)` in shop/cart.py:12
    finding `refund` is in the contract but no owned file exports it
    missing []
    wrong Foreign("ModuleNotFoundError: No module named 'numpy'")
    usual test tests/test_cart.py
    "#);
}

#[test]
fn rust() {
    insta::assert_snapshot!(shown(&Sample {
        path: "src/cart.rs",
        text: "use crate::money::{Money, Tax};\n\npub struct Cart { pub lines: Vec<Money> }\n\nimpl Cart {\n    pub fn add(&mut self, price: Money) {}\n    fn hidden(&self) {}\n}\n\nimpl Total for Cart {}\n\npub(crate) fn total(prices: &[u32]) -> u32 { 0 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n    #[test]\n    #[ignore]\n    fn slow() {}\n}\n",
        contract: "pub fn total(prices: &[u64]) -> u64;\npub fn refund(order: u32);",
        output: "error[E0425]: cannot find function `total` in this scope\n --> tests/cart.rs:3:5\nerror[E0433]: failed to resolve: use of undeclared crate or module `serde`\n --> tests/cart.rs:1:5\nerror: expected one of `!` or `::`, found `x`\n",
    }), @r#"
    export Cart Type | pub struct Cart { pub lines: Vec<Money> }
    export Cart::add Method | pub fn add(&mut self, price: Money)
    export total Function | pub(crate) fn total(prices: &[u32]) -> u32
    import crate::money ["Money", "Tax"]
    test src/cart.rs::tests::adds
    test src/cart.rs::tests::slow (skipped)
    style #[test] in a module in the source file
    bases ["Total"], fixtures [], package None
    promised ["total", "refund"]
    finding `total` differs from its contract: expected `pub fn total(prices: &[u64]) -> u64`, found `pub(crate) fn total(prices: &[u32]) -> u32` in src/cart.rs:12
    finding `refund` is in the contract but no owned file exports it
    missing ["total"]
    wrong Foreign("error[E0433]: failed to resolve: use of undeclared crate or module `serde`")
    wrong Syntax("error: expected one of `!` or `::`, found `x`")
    usual test src/cart.rs
    "#);
}

#[test]
fn typescript() {
    insta::assert_snapshot!(shown(&Sample {
        path: "src/cart.ts",
        text: "import { Money, type Tax } from './money';\nexport * from './line';\n\nexport interface Line { price: number }\n\nexport class Cart extends Base {\n  add(line: Line): void {}\n  private hidden() {}\n}\n\nexport const total = (prices: number[]): number => 0;\n",
        contract: "export function total(prices: string[]): number;\nexport class Cart { add(line: Line, count: number): void {} }",
        output: "Error: Cannot find module '../src/cart'\nError: Cannot find package 'lodash' imported from /w/a.ts\nsrc/a.ts(3,9): error TS2305: Module has no exported member 'x'.\nSyntaxError: Unexpected token",
    }), @r#"
    export Line Interface | export interface Line { price: number }
    export Cart Type | export class Cart extends Base
    export Cart.add Method | add(line: Line): void
    export total Function | export const total = (prices: number[]): number
    import ./money ["Money", "Tax"]
    import ./line ["*"]
    style none
    bases ["Base"], fixtures [], package None
    promised ["total", "Cart", "Cart.add"]
    finding `total` differs from its contract: expected `export function total(prices: string[]): number`, found `export const total = (prices: number[]): number` in src/cart.ts:11
    finding `Cart.add` differs from its contract: expected `add(line: Line, count: number): void`, found `add(line: Line): void` in src/cart.ts:7
    missing ["src/cart.ts", "x"]
    wrong Foreign("Error: Cannot find package 'lodash' imported from /w/a.ts")
    wrong Syntax("SyntaxError: Unexpected token")
    usual test src/cart.test.ts
    "#);
}

#[test]
fn tsx() {
    insta::assert_snapshot!(shown(&Sample {
        path: "web/Cart.tsx",
        text: "import React from 'react';\nexport const Cart = ({ lines }: Props) => <b>{lines.length}</b>;\n",
        contract: "export const Cart: () => JSX.Element;",
        output: "",
    }), @r#"
    export Cart Function | export const Cart = ({ lines }: Props)
    import react ["default"]
    style none
    bases [], fixtures [], package None
    promised ["Cart"]
    finding `Cart` differs from its contract: expected `export const Cart: () => JSX.Element`, found `export const Cart = ({ lines }: Props)` in web/Cart.tsx:2
    missing []
    usual test web/Cart.test.tsx
    "#);
}

#[test]
fn javascript() {
    insta::assert_snapshot!(shown(&Sample {
        path: "test/cart.test.js",
        text: "const { test } = require('node:test');\nconst assert = require('node:assert');\n\ntest('adds', () => {});\ntest.skip('slow', () => {});\ndescribe('total', () => { it('sums', () => {}); });\nmodule.exports = { total };\n",
        contract: "export function total(prices) {}",
        output: "TypeError: total is not a function\nReferenceError: x is not defined",
    }), @r#"
    export total Value | total
    import node:test ["test"]
    import node:assert []
    test test/cart.test.js > adds
    test test/cart.test.js > slow (skipped)
    test test/cart.test.js > total > sums
    style node:test in functions
    bases [], fixtures [], package None
    promised ["total"]
    missing ["total"]
    wrong Other("ReferenceError: x is not defined")
    usual test test/cart.test.test.js
    "#);
}

#[test]
fn go() {
    insta::assert_snapshot!(shown(&Sample {
        path: "cart/cart.go",
        text: "package cart\n\nimport (\n\t\"fmt\"\n\tm \"shop/money\"\n)\n\ntype Cart struct{ Lines []int }\n\ntype Adder interface{ Add(int) }\n\nfunc (c *Cart) Add(price int) error { return nil }\n\nfunc Total(a, b int) int { return a }\n\nfunc hidden() {}\n",
        contract: "func Total(a, b int64) int64\nfunc Refund(order int) error",
        output: "cart/cart_test.go:5:9: undefined: Total\ncart/cart_test.go:3:8: no required module provides package github.com/x/y; to add it\ncart/cart_test.go:9:1: syntax error: unexpected }",
    }), @r#"
    export Cart Type | type Cart struct{ Lines []int }
    export Adder Interface | type Adder interface{ Add(int) }
    export Cart.Add Method | func (c *Cart) Add(price int) error
    export Total Function | func Total(a, b int) int
    import fmt []
    import shop/money []
    style none
    bases [], fixtures [], package Some("cart")
    promised ["Total", "Refund"]
    finding `Total` differs from its contract: expected `func Total(a, b int64) int64`, found `func Total(a, b int) int` in cart/cart.go:14
    finding `Refund` is in the contract but no owned file exports it
    missing ["Total"]
    wrong Foreign("cart/cart_test.go:3:8: no required module provides package github.com/x/y; to add it")
    wrong Syntax("cart/cart_test.go:9:1: syntax error: unexpected }")
    usual test cart/cart_test.go
    "#);
}

#[test]
fn java() {
    insta::assert_snapshot!(shown(&Sample {
        path: "src/main/java/shop/Cart.java",
        text: "package shop;\n\nimport java.util.List;\nimport static org.junit.Assert.*;\n\npublic class Cart extends Base implements Adder {\n    public Cart(int size) {}\n    public static int total(List<Integer> prices) { return 0; }\n    private void hidden() {}\n    @Test\n    public void adds() {}\n    @Test\n    @Ignore\n    public void slow() {}\n}\n",
        contract: "public class Cart { public static long total(List<Long> prices) { return 0; } public void refund() {} }",
        output: "[ERROR] /w/src/test/java/shop/CartTest.java:[5,17] cannot find symbol\n[ERROR]   symbol:   class Cart\n[ERROR] /w/src/test/java/shop/CartTest.java:[3,8] package org.other does not exist\n[ERROR] /w/X.java:[9,1] ';' expected",
    }), @r#"
    export Cart Type | public class Cart extends Base implements Adder
    export Cart.Cart Method | public Cart(int size)
    export Cart.total Method | public static int total(List<Integer> prices)
    export Cart.adds Method | public void adds()
    export Cart.slow Method | public void slow()
    import java.util ["List"]
    import org.junit.Assert ["*"]
    test src/main/java/shop/Cart.java::Cart::adds
    test src/main/java/shop/Cart.java::Cart::slow (skipped)
    style JUnit 4 in classes
    bases ["Base", "Adder"], fixtures [], package Some("shop")
    promised ["Cart", "Cart.total", "Cart.refund"]
    finding `Cart.total` differs from its contract: expected `public static long total(List<Long> prices)`, found `public static int total(List<Integer> prices)` in src/main/java/shop/Cart.java:8
    missing ["Cart"]
    wrong Foreign("/w/src/test/java/shop/CartTest.java:[3,8] package org.other does not exist")
    wrong Syntax("/w/X.java:[9,1] ';' expected")
    usual test src/test/java/shop/CartTest.java
    "#);
}

#[test]
fn c() {
    insta::assert_snapshot!(shown(&Sample {
        path: "src/cart.c",
        text: "#include \"cart.h\"\n#include <stdio.h>\n\nstatic int hidden(void) { return 0; }\nint total(const int *prices, int count) { return 0; }\ntypedef struct { int size; } cart;\n#define TWICE(x) ((x) * 2)\n",
        contract: "long total(const long *prices, int count);\nint refund(int order);",
        output: "src/a.c:3:10: fatal error: other.h: No such file or directory\nsrc/a.c:5:3: error: implicit declaration of function 'total'",
    }), @r#"
    export total Function | int total(const int *prices, int count)
    export cart Type | typedef struct { int size; } cart
    export TWICE Macro | #define TWICE(x)
    import cart.h []
    import stdio.h []
    style none
    bases [], fixtures [], package None
    promised ["total", "refund"]
    finding `total` differs from its contract: expected `long total(const long *prices, int count)`, found `int total(const int *prices, int count)` in src/cart.c:5
    finding `refund` is in the contract but no owned file exports it
    missing ["total"]
    wrong Foreign("src/a.c:3:10: fatal error: other.h: No such file or directory")
    usual test tests/cart_test.c
    "#);
}

#[test]
fn cpp() {
    insta::assert_snapshot!(shown(&Sample {
        path: "tests/cart_test.cpp",
        text: "#include <gtest/gtest.h>\n#include \"shop/cart.hpp\"\n\nnamespace shop {\nclass Cart : public Base {\n public:\n  int add(int price);\n private:\n  int size_;\n};\n}\n\nTEST(Cart, Adds) { EXPECT_EQ(1, 1); }\nTEST(Cart, DISABLED_Slow) {}\n",
        contract: "class Cart {\n public:\n  long add(long price);\n};",
        output: "tests/cart_test.cpp:5:3: error: 'total' was not declared in this scope\n/usr/bin/ld: undefined reference to `shop::total(int)'",
    }), @r#"
    export shop::Cart Type | class Cart : public Base
    export shop::Cart::add Method | int add(int price)
    import gtest/gtest.h []
    import shop/cart.hpp []
    test tests/cart_test.cpp::Cart.Adds
    test tests/cart_test.cpp::Cart.DISABLED_Slow (skipped)
    style GoogleTest in functions
    bases ["Base"], fixtures [], package None
    promised ["Cart", "Cart::add"]
    finding `Cart::add` differs from its contract: expected `long add(long price)`, found `int add(int price)` in tests/cart_test.cpp:7
    missing ["total", "shop::total"]
    usual test tests/cart_test_test.cpp
    "#);
}

#[test]
fn ruby() {
    insta::assert_snapshot!(shown(&Sample {
        path: "spec/cart_spec.rb",
        text: "require \"json\"\nrequire_relative \"../lib/cart\"\n\nmodule Shop\n  LIMIT = 3\n  class Cart < Base\n    def self.total(prices, tax: 0)\n    end\n    def add(price)\n    end\n    private\n    def hidden\n    end\n  end\nend\n\nRSpec.describe Shop::Cart do\n  let(:cart) { 1 }\n  it \"adds\" do\n  end\n  xit \"is slow\" do\n  end\nend\n",
        contract: "module Shop\n  class Cart\n    def add(price, count)\n    end\n    def refund(order)\n    end\n  end\nend\n",
        output: "cannot load such file -- nokogiri\nuninitialized constant Shop::Cart\nundefined method 'total' for an instance of Shop::Cart\nx.rb:3: syntax error, unexpected end",
    }), @r#"
    export Shop Module | module Shop
    export Shop::LIMIT Value | LIMIT
    export Shop::Cart Type | class Cart < Base
    export Shop::Cart.total Method | def self.total(prices, tax: 0)
    export Shop::Cart.add Method | def add(price)
    import json []
    import ../lib/cart ["relative"]
    test spec/cart_spec.rb::Shop::Cart adds
    test spec/cart_spec.rb::Shop::Cart is slow (skipped)
    style rspec in describe blocks
    bases ["Base"], fixtures ["cart"], package None
    promised ["Shop", "Shop::Cart", "Shop::Cart.add", "Shop::Cart.refund"]
    finding `Shop::Cart.add` differs from its contract: expected `def add(price, count)`, found `def add(price)` in spec/cart_spec.rb:9
    finding `Shop::Cart.refund` is in the contract but no owned file exports it
    missing ["Shop::Cart", "total"]
    wrong Foreign("cannot load such file -- nokogiri")
    wrong Syntax("x.rb:3: syntax error, unexpected end")
    usual test spec/spec/cart_spec_spec.rb
    "#);
}

#[test]
fn csharp() {
    insta::assert_snapshot!(shown(&Sample {
        path: "tests/CartTests.cs",
        text: "using Xunit;\nusing Shop.Core;\n\nnamespace Shop.Tests;\n\npublic class CartTests : Base\n{\n    public static int Total(int[] prices) => 0;\n    private void Hidden() {}\n    [Fact]\n    public void Adds() {}\n    [Fact(Skip = \"slow\")]\n    public void Slow() {}\n}\n",
        contract: "public class CartTests { public static long Total(long[] prices) => 0; public void Refund() {} }",
        output: "",
    }), @r#"
    export CartTests Type | public class CartTests : Base
    export CartTests.Total Method | public static int Total(int[] prices)
    export CartTests.Adds Method | public void Adds()
    export CartTests.Slow Method | public void Slow()
    import Xunit []
    import Shop.Core []
    test tests/CartTests.cs::CartTests::Adds
    test tests/CartTests.cs::CartTests::Slow (skipped)
    style xUnit in classes
    bases ["Base"], fixtures [], package Some("Shop.Tests")
    promised ["CartTests", "CartTests.Total", "CartTests.Refund"]
    finding `CartTests.Total` differs from its contract: expected `public static long Total(long[] prices)`, found `public static int Total(int[] prices)` in tests/CartTests.cs:8
    usual test tests/tests/CartTestsTests.cs
    "#);
}

#[test]
fn php() {
    insta::assert_snapshot!(shown(&Sample {
        path: "tests/CartTest.php",
        text: "<?php\n\nnamespace Shop\\Tests;\n\nuse Shop\\{Cart, Line};\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class CartTest extends TestCase\n{\n    public static function total(array $prices, int $tax = 0): int { return 0; }\n    private function hidden(): void {}\n    public function testAdds(): void {}\n    #[Test]\n    public function sums(): void {}\n}\n",
        contract: "final class CartTest { public static function total(array $prices): string; public function refund(int $order): void; }",
        output: "Error: Class \"Shop\\Cart\" not found\nError: Call to undefined function total()\nPHP Parse error:  syntax error, unexpected token",
    }), @r#"
    export CartTest Type | final class CartTest extends TestCase
    export CartTest.total Method | public static function total(array $prices, int $tax = 0): int
    export CartTest.testAdds Method | public function testAdds(): void
    export CartTest.sums Method | public function sums(): void
    import Shop\Cart []
    import Shop\Line []
    import PHPUnit\Framework\TestCase []
    test tests/CartTest.php::CartTest::testAdds
    test tests/CartTest.php::CartTest::sums
    style PHPUnit in classes
    bases ["TestCase"], fixtures [], package Some("Shop\\Tests")
    promised ["CartTest", "CartTest.total", "CartTest.refund"]
    finding `CartTest.total` differs from its contract: expected `public static function total(array $prices): string`, found `public static function total(array $prices, int $tax = 0): int` in tests/CartTest.php:10
    missing ["total"]
    wrong Foreign("Error: Class \"Shop\\Cart\" not found")
    wrong Syntax("PHP Parse error:  syntax error, unexpected token")
    usual test tests/tests/CartTestTest.php
    "#);
}

/// Every language is found by its fence, its names, its endings and its manifests; no two share one.
#[test]
fn names_are_unique() {
    let mut seen: BTreeMap<String, Language> = BTreeMap::new();
    for language in Language::ALL.iter().copied() {
        let row = language.row();
        assert_eq!(Language::named(row.fence), Some(language));
        let hints = row.names.iter().chain([&row.fence]);
        for name in hints.chain(row.extensions) {
            let other = seen.insert((*name).to_owned(), language);
            assert!(other.is_none_or(|other| other == language), "{name}");
            assert_eq!(Language::of_hint(&format!("{name} title=\"x\"")), Some(language), "{name}");
        }
        for ending in row.extensions {
            assert_eq!(Language::of_path(&format!("a/b.test.{ending}")), Some(language));
        }
        for manifest in row.manifests {
            assert_eq!(Language::of_manifest(&manifest.replace('*', "x")), Some(language), "{manifest}");
        }
        for word in row.prose_names {
            assert_eq!(Language::of_prose(word), Some(language), "{word}");
        }
        assert!(row.family.row().family == row.family, "{language:?}: a family stands for itself");
    }
    for unknown in ["a.b/c", "run.sh", "Makefile", ""] {
        assert_eq!(Language::of_path(unknown), None, "{unknown}");
    }
}

#[test]
fn families_share_symbols() {
    let same = |a: &str, b: &str| Language::named(a).unwrap().same_family(Language::named(b).unwrap());
    assert!(same("ts", "js") && same("tsx", "js") && same("c", "c++"));
    assert!(!same("java", "js") && !same("c", "c#"));
    assert!(Language::named("tsx").unwrap().is_script() && !Language::named("go").unwrap().is_script());
}

/// The files that the imports of a file mean.
#[test]
fn imports_are_resolved_in_every_language() {
    let table = [
        ("shop/cart.py", "from .money import Tax\nimport os\n", "shop/money.py"),
        ("src/cart.rs", "use crate::money::Tax;\nuse std::fmt;\n", "src/money.rs"),
        ("src/cart.ts", "import { Tax } from './money.js';\nimport React from 'react';\n", "src/money.ts"),
        ("src/main/java/shop/Cart.java", "import shop.Money;\n", "src/main/java/shop/Money.java"),
        ("src/cart.cpp", "#include \"money.h\"\n#include <vector>\n", "src/money.h"),
        ("lib/cart.rb", "require_relative \"money\"\nrequire \"json\"\n", "lib/money.rb"),
        ("src/Cart.php", "<?php\nuse Shop\\Money;\n", "src/Money.php"),
    ];
    for (path, text, expected) in table {
        let facts = [(path.to_owned(), std::sync::Arc::new(facts(path, text.as_bytes()).unwrap()))];
        let paths = vec![path.to_owned(), expected.to_owned()];
        let survey = Survey::of(paths, facts.into_iter().collect());
        assert_eq!(survey.imported_by(path), [expected], "{path}");
    }
}

#[test]
fn some_files_are_manifests() {
    let manifests = "package.json core/Cargo.toml pyproject.toml go.mod Gemfile composer.json \
                     pom.xml requirements.txt setup.py setup.cfg build.gradle";
    for path in manifests.split(' ') {
        assert!(Language::is_manifest(path), "{path}");
    }
    assert!(!Language::is_manifest("Cargo.toml/x.rs") && !Language::is_manifest("my-package.json"));
    // What a build is told is no list of packages.
    assert!(!Language::is_manifest("CMakeLists.txt"));
}
