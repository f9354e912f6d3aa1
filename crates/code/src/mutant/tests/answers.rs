//! The value that a function returns early with: by its type, or in a language without types by what it returns.

use super::*;

/// The changed line of the first wrong version that returns early; empty where there is none.
fn early_return(path: &str, text: &str) -> String {
    let all = mutants(path, text.as_bytes(), &|_| true, 50);
    let Some(first) = all.iter().find(|mutant| mutant.kind == MutantKind::EarlyReturn) else {
        return String::new();
    };
    let after = String::from_utf8(first.apply(text.as_bytes())).unwrap();
    let old: Vec<&str> = text.lines().collect();
    after.lines().find(|line| !old.contains(line)).unwrap_or_default().trim().to_owned()
}

/// Puts every type or value of a table into the function and compares what it returns early.
#[track_caller]
fn assert_answers(path: &str, (before, behind): (&str, &str), table: &[(&str, &str)]) {
    for (given, expected) in table {
        let text = format!("{before}{given}{behind}");
        let line = early_return(path, &text);
        let value = line.rsplit("return").next().unwrap_or_default();
        let value = value.trim().trim_end_matches(" }").trim_end_matches(';');
        assert_eq!(value, *expected, "{path}: {given}: {line}");
    }
}

/// Python: by what is returned.
#[test]
fn answers_of_python() {
    assert_answers(
        "a.py",
        ("def f(a):\n    return ", "\n"),
        &[
            ("a", "None"),
            ("1", "0"),
            ("-1", "0"),
            ("0", "1"),
            ("1.5", "0"),
            ("'x'", "''"),
            ("''", "'x'"),
            ("\"x\"", "''"),
            ("f'{a}'", "''"),
            ("[]", "[None]"),
            ("[a]", "[]"),
            ("[x for x in a]", "[]"),
            ("{}", "{'x': None}"),
            ("{'a': 1}", "{}"),
            ("{x: 1 for x in a}", "{}"),
            ("True", "False"),
            ("False", "True"),
            ("None", ""),
            ("not a", "False"),
            ("a == 1", "False"),
            ("a < 2 and a", "None"),
            ("a and 1", "None"),
            ("sum(a)", "0"),
            ("len(a)", "0"),
            ("str(a)", "''"),
            ("a.strip()", "''"),
            ("', '.join(a)", "''"),
            ("sorted(a)", "[]"),
            ("list(a)", "[]"),
            ("a.split()", "[]"),
            ("dict(a)", "{}"),
            ("isinstance(a, int)", "False"),
            ("any(a)", "False"),
            ("a.startswith('x')", "False"),
            ("g(a)", "None"),
            ("a + 1", "0"),
            ("1 + a", "0"),
            ("a * 2", "0"),
            ("'x' + a", "''"),
            ("'x' * 3", "''"),
            ("a % 2", "0"),
            ("a if a else 1", "0"),
            ("1 if a else 2", "0"),
            ("'x' if a else ''", "''"),
            ("(1, 2)", "None"),
            ("lambda: 1", "None"),
        ],
    );
}

/// JavaScript: by what is returned.
#[test]
fn answers_of_javascript() {
    assert_answers(
        "a.js",
        ("function f(a) {\n  return ", ";\n}\n"),
        &[
            ("a", "undefined"),
            ("1", "0"),
            ("0", "1"),
            ("'x'", "''"),
            ("`x`", "''"),
            ("[]", "[null]"),
            ("[a]", "[]"),
            ("{ a: 1 }", "({})"),
            ("true", "false"),
            ("!a", "false"),
            ("a === 1", "false"),
            ("null", "undefined"),
            ("undefined", "undefined"),
            ("Number(a)", "0"),
            ("a.length", "0"),
            ("Math.round(a)", "0"),
            ("String(a)", "''"),
            ("a.trim()", "''"),
            ("a.join(',')", "''"),
            ("a.map((x) => x)", "[]"),
            ("a.split(',')", "[]"),
            ("Object.keys(a)", "undefined"),
            ("Object.fromEntries(a)", "({})"),
            ("a.includes(1)", "false"),
            ("a.some(g)", "false"),
            ("/x/.test(a)", "false"),
            ("g(a)", "undefined"),
            ("a + 1", "0"),
            ("`${a}` + 'x'", "''"),
            ("a - 1", "0"),
            ("a ? 1 : 2", "0"),
            ("a ? 'x' : ''", "''"),
            ("a ?? 1", "undefined"),
        ],
    );
}

/// TypeScript: whatever the type checker says.
#[test]
fn answers_of_typescript() {
    assert_answers(
        "a.ts",
        ("export function f(a: any): ", " {\n  return g(a);\n}\n"),
        &[
            ("number", "0 as any"),
            ("string", "'' as any"),
            ("boolean", "false as any"),
            ("string[]", "[] as any"),
            ("Record<string, number>", "({}) as any"),
            ("void", "undefined as any"),
            ("Promise<number>", "undefined as any"),
            ("unknown", "undefined as any"),
        ],
    );
}

/// Rust: by the type.
#[test]
fn answers_of_rust() {
    assert_answers(
        "a.rs",
        ("fn f(a: u8) -> ", " {\n    g(a)\n}\n"),
        &[
            ("u8", "Default::default()"),
            ("bool", "Default::default()"),
            ("String", "Default::default()"),
            ("Option<u8>", "Default::default()"),
            ("Vec<u8>", "Default::default()"),
            ("Result<u8, E>", "Ok(Default::default())"),
            ("io::Result<()>", "Ok(Default::default())"),
            ("&'static str", "Default::default()"),
            ("(u8, u8)", "Default::default()"),
            ("impl Iterator<Item = u8>", "Default::default()"),
            ("Self", "Default::default()"),
        ],
    );
}

/// Go: zero values by the type.
#[test]
fn answers_of_go() {
    assert_answers(
        "a.go",
        ("package a\n\nfunc F(a int) ", " {\n\treturn g(a)\n}\n"),
        &[
            ("int", "0"),
            ("uint8", "0"),
            ("float64", "0"),
            ("byte", "0"),
            ("rune", "0"),
            ("string", "\"\""),
            ("bool", "false"),
            ("error", "nil"),
            ("any", "nil"),
            ("*T", "nil"),
            ("[]int", "nil"),
            ("map[string]int", "nil"),
            ("func() int", "nil"),
            ("T", "*new(T)"),
            ("(int, error)", "0, nil"),
            ("(string, bool)", "\"\", false"),
            ("(n int, err error)", ""),
            ("chan int", "*new(chan int)"),
            ("interface{ M() }", "*new(interface{ M() })"),
        ],
    );
}

/// Java: by the type.
#[test]
fn answers_of_java() {
    assert_answers(
        "A.java",
        ("class A {\n  ", " f(int a) {\n    return g(a);\n  }\n}\n"),
        &[
            ("int", "0"),
            ("long", "0"),
            ("byte", "0"),
            ("char", "0"),
            ("double", "0"),
            ("boolean", "false"),
            ("String", "\"\""),
            ("Object", "null"),
            ("List<String>", "null"),
            ("int[]", "null"),
            ("Integer", "null"),
        ],
    );
}

/// C: by the type.
#[test]
fn answers_of_c() {
    assert_answers(
        "a.c",
        ("", " f(int a) {\n  return g(a);\n}\n"),
        &[
            ("int", "0"),
            ("char", "0"),
            ("double", "0"),
            ("unsigned long", "0"),
            ("size_t", "0"),
            ("struct point", "0"),
            ("char *", "0"),
            ("void *", "0"),
            ("static int", "0"),
        ],
    );
}

/// C++: by the type.
#[test]
fn answers_of_c_plus_plus() {
    assert_answers(
        "a.cpp",
        ("", " f(int a) {\n  return g(a);\n}\n"),
        &[
            ("int", "{}"),
            ("bool", "{}"),
            ("std::string", "{}"),
            ("std::vector<int>", "{}"),
            ("const char *", "{}"),
            ("auto", "{}"),
        ],
    );
}

/// C#: by the type.
#[test]
fn answers_of_c_sharp() {
    assert_answers(
        "A.cs",
        ("class A {\n  ", " F(int a) {\n    return G(a);\n  }\n}\n"),
        &[
            ("int", "default"),
            ("string", "default"),
            ("bool", "default"),
            ("List<int>", "default"),
            ("Task<int>", "default"),
            ("int?", "default"),
        ],
    );
}

/// PHP: by the type.
#[test]
fn answers_of_php() {
    assert_answers(
        "a.php",
        ("<?php\nfunction f($a): ", " {\n  return g($a);\n}\n"),
        &[
            ("int", "0"),
            ("float", "0.0"),
            ("string", "''"),
            ("array", "[]"),
            ("iterable", "[]"),
            ("bool", "false"),
            ("?int", "null"),
            ("Money", "null"),
            ("mixed", "null"),
        ],
    );
}

/// Ruby: whatever is returned.
#[test]
fn answers_of_ruby() {
    assert_answers(
        "a.rb",
        ("def f(a)\n  ", "\nend\n"),
        &[
            ("a", "nil"),
            ("1", "nil"),
            ("'x'", "nil"),
            ("[]", "nil"),
            ("{ a: 1 }", "nil"),
            ("nil", "nil"),
            ("a + 1", "nil"),
            ("g(a)", "nil"),
        ],
    );
}

/// Functions without a value, methods, arrow functions, and functions with several results.
#[test]
fn answers_of_other_functions() {
    for (path, text, expected) in [
        ("a.rs", "fn f(a: u8) {\n    g(a);\n}\n", "fn f(a: u8) { if true { return; }"),
        ("a.go", "package a\n\nfunc F(a int) {\n\tg(a)\n}\n", "func F(a int) { return;"),
        (
            "A.java",
            "class A {\n  void f(int a) {\n    g(a);\n  }\n}\n",
            "void f(int a) { if (true) { return; }",
        ),
        ("a.c", "void f(int a) {\n  g(a);\n}\n", "void f(int a) { return;"),
        (
            "A.cs",
            "class A {\n  void F(int a) {\n    G(a);\n  }\n}\n",
            "void F(int a) { if (true) { return; }",
        ),
        ("a.php", "<?php\nfunction f($a): void {\n  g($a);\n}\n", "function f($a): void { return;"),
        ("a.js", "const f = (a) => a + 1;\n", "const f = (a) => 0;"),
        ("a.js", "const f = (a) => ({ a });\n", "const f = (a) => ({});"),
        ("a.js", "class A {\n  m(a) {\n    return a * 2;\n  }\n}\n", "m(a) { return 0;"),
        ("a.py", "class A:\n    def m(self):\n        return [1]\n", "return []"),
        ("a.py", "async def f(a):\n    return 1\n", "return 0"),
        ("a.py", "def f(a):\n    yield 1\n", "return None"),
        ("a.py", "def f(a):\n    if a:\n        return 1\n    return 2\n", "return 0"),
        ("a.py", "def f(a):\n    if a:\n        return 'x'\n    return None\n", "return ''"),
        ("a.py", "def f(a):\n    if a:\n        return 1\n    return \"x\"\n", "return None"),
        ("a.rb", "def self.f(a)\n  a\nend\n", "return nil"),
        ("a.rb", "def f(a) = a + 1\n", ""),
        (
            "a.go",
            "package a\n\nfunc (t *T) M() string {\n\treturn t.s\n}\n",
            "func (t *T) M() string { return \"\";",
        ),
    ] {
        assert_eq!(early_return(path, text), expected, "{path}: {text}");
    }
}
