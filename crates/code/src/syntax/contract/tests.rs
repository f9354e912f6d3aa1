//! What a contract promises and what differs from it.

use super::*;

fn check(contract: &str, hint: Option<&str>, path: &str, code: &str) -> String {
    let files = [(path.to_owned(), code.as_bytes().to_vec())];
    contract_report(contract, hint, &files)
        .findings
        .iter()
        .map(|finding| format!("{finding}\n"))
        .collect::<Vec<_>>()
        .concat()
}

#[test]
fn what_fits_has_no_finding() {
    let table = [
        (
            "// src/a.ts\nexport function add(a: number, b: number): number;",
            Some("ts"),
            "src/a.ts",
            "export function add(a: number,\n  b: number): number { return a + b }",
        ),
        (
            "export interface S { go(x: string): void }\nexport class P { m(): void {} }",
            Some("typescript"),
            "src/a.ts",
            "export interface S { go(x: string): void }\nexport class P extends Q { }",
        ),
        ("export function add(a: number): number;", Some("ts"), "src/a.js", "export const add = (a) => a;"),
        (
            "def add(a: int, b: int) -> int\n\nclass P:\n    def m(self) -> str",
            Some("python"),
            "a.py",
            "def add(a: int, b: int) -> int:\n    return a\nclass P(B):\n    pass\n",
        ),
        ("def add(a): ...", None, "pkg/__init__.py", "from .x import add\n"),
        (
            "pub fn add(a: i32) -> i32;",
            Some("rust"),
            "src/lib.rs",
            "pub mod m { pub fn add(a: i32) -> i32 { a } }",
        ),
        ("pub fn made();", Some("rust"), "src/lib.rs", "make_functions! { made }"),
        ("export function far(): void;", Some("ts"), "src/a.ts", "export * from './far';"),
        ("pub fn add(a: i32) -> i32;", Some("rust"), "a.py", "x = 1\n"),
        ("this is ( not code", Some("ts"), "src/a.ts", "export const a = 1;"),
        ("func Add(a, b int) int", Some("go"), "a.go", "package a\nfunc Add(a, b int) int { return a }"),
    ];
    for (contract, hint, path, code) in table {
        assert_eq!(check(contract, hint, path, code), "", "{contract}");
    }
}

#[test]
fn what_is_missing_or_different_is_said() {
    insta::assert_snapshot!(check(
        "export function add(a: number, b: number): number;\nexport function sub(a: number): number;\nexport const MAX: number = 3;",
        Some("ts"), "src/a.ts", "export function add(a: string, b: number): number { return b }\nfunction sub(a: number) { return a }"),
        @r"
        `add` differs from its contract: expected `export function add(a: number, b: number): number`, found `export function add(a: string, b: number): number` in src/a.ts:1
        `sub` is in the contract but no owned file exports it
        `MAX` is in the contract but no owned file exports it
        ");
    insta::assert_snapshot!(check(
        "class P:\n    def m(self) -> str: ...\n    def n(self): ...\ndef f(a, b): ...\n", None, "a.py",
        "class P:\n    def m(self) -> str:\n        return ''\ndef f(a):\n    pass\n"),
        @r"
        `P.n` is in the contract but no owned file exports it
        `f` differs from its contract: expected `def f(a, b)`, found `def f(a)` in a.py:4
        ");
    insta::assert_snapshot!(check(
        "pub struct P;\nimpl P {\n    pub fn new(x: u8) -> Self;\n}\npub fn go();\n", Some("rust"), "src/p.rs", "pub fn go(now: bool) {}"),
        @r"
        `P` is in the contract but no owned file exports it
        `go` differs from its contract: expected `pub fn go()`, found `pub fn go(now: bool)` in src/p.rs:1
        ");
}

/// Each contract is read in its own language, not as TypeScript.
#[test]
fn names_are_promised_in_every_language() {
    let table = [
        ("def add(a: int) -> int\n", "python", "add"),
        ("pub fn add(a: i32) -> i32;", "rust", "add"),
        ("export function add(a: number): number;", "ts", "add"),
        ("export const add = (a) => a;", "js", "add"),
        ("func Add(a int) int", "go", "Add"),
        ("public class Cart { public int add(int a) { return a; } }", "java", "Cart Cart.add"),
        ("public class Cart { public int Add(int a) => a; }", "csharp", "Cart Cart.Add"),
        ("class Cart\n  def add(a)\n  end\nend\n", "ruby", "Cart Cart.add"),
        ("final class Cart { public function add(int $a): int; }", "php", "Cart Cart.add"),
        ("class Cart {\n public:\n  int add(int a);\n};", "cpp", "Cart Cart::add"),
        ("int add(int a);", "c", "add"),
        ("whatever", "sql", ""),
    ];
    for (contract, hint, expected) in table {
        assert_eq!(promised_names(contract, Some(hint), []).join(" "), expected, "{hint}");
    }
    let unstated = "class Cart\n  def add(a)\n  end\nend\n";
    assert_eq!(promised_names(unstated, None, ["README.md", "lib/cart.rb"]), ["Cart", "Cart.add"]);
    assert_eq!(promised_names(unstated, None, []), [""; 0]);
}
