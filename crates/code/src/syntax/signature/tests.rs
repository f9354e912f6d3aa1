//! Which signatures are the same.

use proptest::prelude::*;

use super::*;

fn differs(language: Language, contract: &str, code: &str) -> bool {
    let (a, b) = (shape(language, contract).unwrap(), shape(language, code).unwrap());
    a.differs_from(&b)
}

#[test]
fn what_is_the_same_and_what_is_not() {
    use Language::{C, CSharp, Go, Java, Php, Python, Ruby, Rust, TypeScript};
    let same = [
        (
            Rust,
            "pub fn f(a: &str, b: Vec<u8>) -> Result<(), E>",
            "pub fn f(a: &str, b: std::vec::Vec<u8>) -> Result<(), E>",
        ),
        (Rust, "fn f<'a>(s: &'a str) -> &'a str", "pub(crate) fn f<'a>(s: &'a str) -> &'a str"),
        (Rust, "fn m(&self, n: u8)", "pub fn m(&mut self, mut n: u8)"),
        (Rust, "pub fn new() -> Self", "pub fn new() -> P"),
        (
            Python,
            "def f(a: int, b: Optional[str] = None) -> List[int]",
            "def f(a: int, b: str | None = None) -> list[int]",
        ),
        (Python, "def f(self, a)", "def f(self, a: int, *, flag: bool = False) -> None"),
        (Python, "def f(x: \"Foo\")", "def f(x: Foo)"),
        (
            TypeScript,
            "export function f(a: string, b?: number): Array<string>",
            "export function f(a: string, b?: number): string[]",
        ),
        (TypeScript, "export const f = (a: A | B): void", "export function f(a: B|A): void"),
        (TypeScript, "f(cb: (x: number) => void): void", "f(cb: (x: number) => void): void"),
        (TypeScript, "export async function f(): Promise<X>", "export function f(): Promise<X>"),
        (Go, "func F(a, b int) (int, error)", "func F(a int, b int) (int, error)"),
        (
            Java,
            "int add(int a, List<String> b)",
            "public static int add(final int a, java.util.List<String> b)",
        ),
        (C, "int add(int, const char *name);", "int add(int a, const char *name)"),
        (C, "void f(void)", "void f()"),
        (CSharp, "Task<int> Add(int a)", "public async Task<int> Add(int a, bool fast = false)"),
        (Php, "function add(int $a, ?string $b = null): int", "public function add(int $a, string $b): int"),
        (Ruby, "def add(a, b:)", "def add(a, b:, c: 1)"),
    ];
    for (language, contract, code) in same {
        assert!(!differs(language, contract, code), "{contract} / {code}");
    }
    let different = [
        (Rust, "pub fn f(a: &str)", "pub fn f(a: String)"),
        (Rust, "pub fn f(a: u8) -> u8", "pub fn f(a: u8) -> u16"),
        (Rust, "pub fn f(a: u8)", "pub fn f(a: u8, b: u8)"),
        (Python, "def f(a: int) -> int", "def f(a: str) -> int"),
        (Python, "def f(a, b)", "def f(a)"),
        (Python, "def f(name)", "def f(title)"),
        (TypeScript, "export function f(a: string): void", "export function f(a: number): void"),
        (TypeScript, "f(a: string): Promise<void>", "f(a: string): void"),
        (Go, "func F(a int) error", "func F(a string) error"),
        (Java, "int add(int a)", "public long add(int a)"),
        (Java, "int add(int a)", "public int add(String a)"),
        (C, "int add(int a)", "int add(int a, int b)"),
        (CSharp, "Task<int> Add(int a)", "public int Add(int a)"),
        (Php, "function add(int $a): int", "function add(int $b): int"),
        (Ruby, "def add(a)", "def add(a, b)"),
    ];
    for (language, contract, code) in different {
        assert!(differs(language, contract, code), "{contract} / {code}");
    }
}

#[test]
fn letters_of_more_than_one_byte_are_fine() {
    for language in Language::ALL.iter().copied() {
        if let Some(found) = shape(language, "add(🟰ￄ״)") {
            assert!(!found.differs_from(&found), "{language:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_text_is_fine(text in "(fn |func |def )?[a-z(){}<>\\[\\]:=,'\"|&*. ?-]{0,60}|\\PC{0,40}") {
        for language in Language::ALL.iter().copied() {
            if let Some(found) = shape(language, &text) {
                prop_assert!(!found.differs_from(&found));
            }
        }
    }
}

#[test]
fn lists_are_split_outside_brackets_and_quotes() {
    let table: [(&str, &[&str]); 7] = [
        ("", &[]),
        (",,a", &["a"]),
        ("a: Map<string, number>, b = [1, 2]", &["a: Map<string, number>", "b = [1, 2]"]),
        ("f: (x) => void, g", &["f: (x) => void", "g"]),
        ("a = ',', b", &["a = ','", "b"]),
        ("x: &'a str, y: u8", &["x: &'a str", "y: u8"]),
        ("f: Fn(u8) -> u8, g", &["f: Fn(u8) -> u8", "g"]),
    ];
    for (text, expected) in table {
        assert_eq!(split(text, ','), expected, "{text}");
    }
}

#[test]
fn defaults_brackets_and_spellings() {
    let defaults = [("b = 1", "b", true), ("b", "b", false), ("cb: (x) => void", "cb: (x) => void", false)];
    for (text, name, has) in defaults {
        assert_eq!(split_default(text), (name.to_owned(), has));
    }
    let brackets =
        [("f(a, (b), \")\")", Some(13)), ("f(a", None), ("f()", Some(2)), ("f(x: &'a str)", Some(12))];
    for (text, expected) in brackets {
        assert_eq!(matching(text, 1), expected, "{text}");
    }
    let segments = [("std::io::Result<a::B>", "Result<B>"), ("Vec<u8>", "Vec<u8>"), ("", "")];
    for (text, expected) in segments {
        assert_eq!(last_segments(text), expected, "{text}");
    }
    let unions = [("B|A", "A|B"), ("Map<B|A>|C", "C|Map<B|A>"), ("A", "A")];
    for (text, expected) in unions {
        assert_eq!(normal_union(text), expected, "{text}");
    }
}
