//! Placeholders, statements, error cases and declarations in the code of a plan.

use super::*;

#[test]
fn placeholders() {
    let table = [
        ("...", Some("...")),
        ("def f():\n    …\n", Some("…")),
        ("a();\n  // ...\n", Some("// ...")),
        ("#...", Some("#...")),
        ("x = /* ... */ 1", Some("x = /* ... */ 1")),
        (concat!("// TO", "DO: sum"), Some(concat!("// TO", "DO: sum"))),
        ("raise Error('FIXME')", Some("raise Error('FIXME')")),
        ("your code here", Some("your code here")),
        ("# implement me", Some("# implement me")),
        ("// rest of the code", Some("// rest of the code")),
        // Dots that are code, and words that only contain a mark.
        ("f(...args)", None),
        ("def f(): ...", None),
        ("for i in 0...3", None),
        ("let TODOS = 1", None),
        ("XXXL", None),
        ("", None),
    ];
    for (code, expected) in table {
        assert_eq!(placeholder(code), expected, "{code}");
    }
}

#[test]
fn statements_in_a_contract() {
    let table = [
        ("function a(): number {\r\n  return 1;\r\n}", Some("return 1;")),
        ("if (x) {", Some("if (x) {")),
        ("raise ValueError", Some("raise ValueError")),
        ("    await load()", Some("await load()")),
        ("// return 1", None),
        ("# if x", None),
        (" * for every line", None),
        ("returned: number;", None),
        ("ifActive(): boolean;", None),
        ("", None),
    ];
    for (code, expected) in table {
        assert_eq!(does_work(code), expected, "{code}");
    }
}

#[test]
fn error_cases() {
    for code in [
        "toThrow()",
        "pytest.raises(X)",
        "assertRaises",
        "is_err()",
        "rejects",
        "404",
        "returns null",
        "NotFound",
    ] {
        assert!(has_error_case(code), "{code}");
    }
    for code in ["", "expect(total()).toBe(3)", "assert add(1, 2) == 3", "200"] {
        assert!(!has_error_case(code), "{code}");
    }
}

fn block(path: Option<&str>, language: Option<&str>, code: &str) -> CodeBlock {
    let (path, language) = (path.map(str::to_owned), language.map(str::to_owned));
    CodeBlock { path, language, code: code.into(), ..CodeBlock::default() }
}

#[test]
fn the_language_of_a_block_decides_what_it_declares() {
    let code = "def total(lines: list[int]) -> int: ...\n";
    let names = |block: &CodeBlock| functions(block).into_iter().map(|f| f.name).collect::<Vec<_>>();
    assert_eq!(names(&block(Some("cart.py"), None, code)), ["total"]);
    assert_eq!(names(&block(None, Some("python"), code)), ["total"]);
    // The fence wins over the path, and a block without either declares nothing.
    assert_eq!(names(&block(Some("cart.ts"), Some("py"), code)), ["total"]);
    assert_eq!(names(&block(None, None, code)), Vec::<String>::new());
    assert_eq!(names(&block(Some("README.md"), None, code)), Vec::<String>::new());
}

#[test]
fn declarations_are_compared_without_spaces_marks_and_visibility() {
    let of = |code: &str| functions(&block(Some("a.ts"), None, code)).pop().map(|f| f.declaration);
    let plain = of("export function add(a: number): number;");
    assert!(plain.is_some());
    assert_eq!(of("export  function add( a: number ): number"), plain);
    assert_eq!(of("export async function add(a: number): number;"), plain);
    assert_ne!(of("export function add(a: string): number;"), plain);
}

#[test]
fn members_are_no_exported_names() {
    let contract = "export class Cart {\n  add(line: Line): void;\n}\nexport function total(): number;\n";
    assert_eq!(exported_names(&block(Some("cart.ts"), None, contract)), ["Cart", "total"]);
}

#[test]
fn an_interface_has_the_language_of_its_contract() {
    let interface = Interface { code: "def total() -> int: ...".into(), ..Interface::default() };
    let python = [block(Some("README.md"), None, ""), block(Some("cart.py"), None, "")];
    let names = |contract: &[CodeBlock]| {
        interface_functions(&interface, contract).into_iter().map(|f| f.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&python), ["total"]);
    assert_eq!(names(&[]), Vec::<String>::new());
}

#[test]
fn tests_are_counted_by_the_file_they_are_for() {
    let code = "def test_a(): pass\n\ndef test_b(): pass\n\ndef helper(): pass\n";
    assert_eq!(tests(&block(Some("tests/test_cart.py"), None, code)), 2);
    assert_eq!(tests(&block(None, Some("python"), code)), 0);
    assert_eq!(tests(&block(Some("tests/test_cart.py"), None, "")), 0);
}
