//! Texts without the bodies of their functions.

use super::*;
use crate::syntax::{Language, exports, imports};

/// What is read from the skeleton is what is read from the text.
fn same(path: &str, text: &str) {
    let long = format!("{text}\n{}", " ".repeat(WORTH));
    let language = Language::of_path(path).unwrap();
    let cut = (language.row().skeleton)(long.as_bytes()).unwrap();
    assert_eq!(exports(path, &cut), exports(path, long.as_bytes()), "{}", String::from_utf8_lossy(&cut));
    assert_eq!(imports(path, &cut), imports(path, long.as_bytes()), "{path}");
    let lines = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').count();
    assert_eq!(lines(&cut), lines(long.as_bytes()));
    assert!(!String::from_utf8_lossy(&cut).contains("inner_word"), "{}", String::from_utf8_lossy(&cut));
}

#[test]
fn the_interface_survives_the_cut() {
    same(
        "a.py",
        "import os\nX = {'a': 1}\ndef f(a: int,\n      b=\"x:\") -> int:\n    inner_word = 1\n\n    def g(): ...\n    return 1\nclass A(B):\n    \"\"\"def no(): x\"\"\"\n    y: int = 1\n    def m(self):\n        inner_word = '''\ndef not_me():\n'''\n    async def n(self, x): ...\n    @property\n    def p(self) -> str:\n        # inner_word\n        return ''\ndef last(): return 1\n",
    );
    same(
        "a.rs",
        "use a::b;\n/// {\npub fn f<'a>(x: &'a str) -> char { let inner_word = '{'; '}' }\npub struct P { pub x: u8 }\nimpl P {\n    pub fn new() -> Self { let s = r#\"inner_word } \"#; \"}\"; loop {} }\n    pub const N: u8 = 1;\n}\npub trait T { fn m(&self) -> u8 { 1 } fn n(&self); }\npub const X: P = P { x: 1 };\npub enum E { A { x: u8 }, B(u8) }\n#[derive(Debug)]\npub mod deep { pub fn g() where u8: Sized { inner_word() } }\n",
    );
    same(
        "a.ts",
        "import { a } from './a';\nexport function f(a: { x: number }): void { const inner_word = `${'}'}`; }\nexport const g = (a: number): number => { return '{'.length };\nexport const svc: S = { go(x: string): void { inner_word } };\nexport class P extends Q { private x = 1; m(a = {}): void { if (a) { inner_word } } static of() { } }\nexport interface I { go(x: string): void }\nexport type T = { a: string };\nexport default class { }\n",
    );
    same(
        "a.go",
        "package a\nimport \"fmt\"\ntype P struct { X int }\ntype R interface { M() }\nfunc Add(a, b int) int { s := \"}\"; inner_word(s); return a }\nfunc (p *P) M(x map[string]int) error { return nil }\nvar X = []int{1}\n",
    );
    same(
        "A.java",
        "package a;\nimport b.C;\n@X({\"}\"})\npublic class A extends B {\n  private int[] x = {1};\n  public A() { super(); inner_word(); }\n  public int f(int a) throws E { if (a > 1) { return '}'; } return 1; }\n  public enum K { P, Q; public int n() { return 1; } }\n}\ninterface I { void g(String a); }\n",
    );
    same(
        "a.cpp",
        "#include \"b.h\"\n#define X(a) { a }\nnamespace n {\nclass C : public D {\n public:\n  explicit C(int n) : n_(n) { inner_word(); }\n  int t() const;\n private:\n  int n_;\n};\nint f(int a) { return '}'; }\nstruct S { int x; };\n}\n",
    );
    same(
        "A.cs",
        "using S;\nnamespace N;\npublic class A : B\n{\n    public A(int n) { inner_word(); }\n    public string Name { get; set; }\n    public int F(int a) { return 1; }\n}\npublic interface I { void G(string a); }\n",
    );
    same(
        "a.php",
        "<?php\nnamespace N;\nuse A\\B;\nclass C extends D\n{\n    private array $x = ['}'];\n    public function f(int $a): int { if ($a) { inner_word(); } return 1; }\n}\nfunction g(string $x): void { echo \"}\"; }\n",
    );
}

#[test]
fn doubtful_texts_are_parsed_whole() {
    let pad = " ".repeat(WORTH);
    for (path, text) in [("a.ts", "function f() { /[{]/ "), ("a.py", "x = (1\n"), ("a.rb", "def f\nend\n")] {
        let language = Language::of_path(path).unwrap();
        assert_eq!((language.row().skeleton)(format!("{text}{pad}").as_bytes()), None, "{path}");
    }
}
