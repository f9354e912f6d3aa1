//! Single statements and the wrong versions of each: conditions, comparisons, numbers, constants and calls.

use super::*;

/// The wrong versions of a statement, without the early return of its function: `kind: changed line`.
fn versions(path: &str, (before, behind): (&str, &str), statement: &str) -> Vec<String> {
    let text = format!("{before}{statement}{behind}");
    let all = made(path, &text, &|_| true);
    all.into_iter().filter(|line| !line.starts_with("early return")).collect()
}

#[track_caller]
fn assert_versions(path: &str, frame: (&str, &str), table: &[(&str, &[&str])]) {
    for (statement, expected) in table {
        assert_eq!(versions(path, frame, statement), *expected, "{path}: {statement}");
    }
}

#[test]
fn statements_of_python() {
    assert_versions(
        "a.py",
        ("def f(a, b):\n    ", "\n"),
        &[
            (
                "if a < 3:\n        g()",
                &[
                    "negated condition: if not (a < 3):",
                    "off by one: if a <= 3:",
                    "off by one: if a < 4 :",
                    "dropped call: pass",
                ],
            ),
            (
                "if a <= 3:\n        g()",
                &[
                    "negated condition: if not (a <= 3):",
                    "off by one: if a < 3:",
                    "off by one: if a <= 4 :",
                    "dropped call: pass",
                ],
            ),
            (
                "if a == 3:\n        g()",
                &["negated condition: if not (a == 3):", "off by one: if a == 4 :", "dropped call: pass"],
            ),
            ("if a != b:\n        g()", &["negated condition: if not (a != b):", "dropped call: pass"]),
            ("if a in b:\n        g()", &["negated condition: if not (a in b):", "dropped call: pass"]),
            ("if a is None:\n        g()", &["negated condition: if not (a is None):", "dropped call: pass"]),
            ("if not a:\n        g()", &["negated condition: if not (not a):", "dropped call: pass"]),
            ("if a and b:\n        g()", &["negated condition: if not (a and b):", "dropped call: pass"]),
            ("if a or b:\n        g()", &["negated condition: if not (a or b):", "dropped call: pass"]),
            ("while a:\n        g()", &["negated condition: while not (a):", "dropped call: pass"]),
            ("x = a if b else 1", &["off by one: x = a if b else 2"]),
            ("for x in a:\n        g(x)", &["dropped call: pass"]),
            ("x = 3", &["off by one: x = 4"]),
            ("x = a + 1", &["off by one: x = a + 2"]),
            ("x = a - 1", &["off by one: x = a - 2"]),
            ("x = 0", &["off by one: x = 1"]),
            ("x = 'ab'", &[]),
            ("x = True", &[]),
            ("x = [1, 2]", &["off by one: x = [2 , 2]", "off by one: x = [1, 3 ]"]),
            ("g(a)", &["dropped call: pass"]),
            ("a.append(b)", &["dropped call: pass"]),
            ("return a + b", &[]),
            ("return a[0]", &["off by one: return a[1 ]"]),
            ("raise E(a)", &[]),
            ("assert a", &[]),
            ("del a[0]", &["off by one: del a[1 ]"]),
            ("x = -1", &["off by one: x = -2"]),
            ("x = 1.5", &[]),
            ("with g(a) as h:\n        h.go()", &["dropped call: pass"]),
            ("try:\n        g()\n    except E:\n        h()", &["dropped call: pass", "dropped call: pass"]),
            ("pass", &[]),
            ("a += 1", &["off by one: a += 2"]),
            ("x = lambda y: y + 1", &["off by one: x = lambda y: y + 2"]),
            ("print(a)", &["dropped call: pass"]),
            ("yield a", &[]),
        ],
    );
}

#[test]
fn statements_of_javascript() {
    assert_versions(
        "a.js",
        ("function f(a, b) {\n  ", "\n}\n"),
        &[
            (
                "if (a < 3) g();",
                &[
                    "negated condition: if (!(a < 3)) g();",
                    "off by one: if (a <= 3) g();",
                    "off by one: if (a < 4 ) g();",
                    "dropped call: if (a < 3) ;",
                ],
            ),
            (
                "if (a >= 3) g();",
                &[
                    "negated condition: if (!(a >= 3)) g();",
                    "off by one: if (a > 3) g();",
                    "off by one: if (a >= 4 ) g();",
                    "dropped call: if (a >= 3) ;",
                ],
            ),
            (
                "if (a === 3) g();",
                &[
                    "negated condition: if (!(a === 3)) g();",
                    "off by one: if (a === 4 ) g();",
                    "dropped call: if (a === 3) ;",
                ],
            ),
            (
                "if (a !== b) g();",
                &["negated condition: if (!(a !== b)) g();", "dropped call: if (a !== b) ;"],
            ),
            ("if (!a) g();", &["negated condition: if (!(!a)) g();", "dropped call: if (!a) ;"]),
            ("if (a && b) g();", &["negated condition: if (!(a && b)) g();", "dropped call: if (a && b) ;"]),
            ("while (a) g();", &["negated condition: while (!(a)) g();", "dropped call: while (a) ;"]),
            (
                "const x = a ? 1 : 2;",
                &[
                    "negated condition: const x = !(a) ? 1 : 2;",
                    "off by one: const x = a ? 2  : 2;",
                    "off by one: const x = a ? 1 : 3 ;",
                ],
            ),
            ("for (const x of a) g(x);", &["dropped call: for (const x of a) ;"]),
            (
                "for (let i = 0; i < 3; i++) g(i);",
                &[
                    "off by one: for (let i = 1 ; i < 3; i++) g(i);",
                    "off by one: for (let i = 0; i <= 3; i++) g(i);",
                    "off by one: for (let i = 0; i < 4 ; i++) g(i);",
                    "dropped call: for (let i = 0; i < 3; i++) ;",
                ],
            ),
            ("let x = 3;", &["off by one: let x = 4 ;"]),
            ("x = 'ab';", &[]),
            ("g(a);", &["dropped call: ;"]),
            ("a.push(b);", &["dropped call: ;"]),
            ("return a + b;", &[]),
            ("return a ?? 0;", &["off by one: return a ?? 1 ;"]),
            ("throw new E(a);", &[]),
            ("x = true;", &[]),
            ("x = [1];", &["off by one: x = [2 ];"]),
            ("x = 10n;", &[]),
            (
                "switch (a) { case 1: g(); break; default: h(); }",
                &[
                    "off by one: switch (a) { case 2 : g(); break; default: h(); }",
                    "dropped call: switch (a) { case 1: ; break; default: h(); }",
                    "dropped call: switch (a) { case 1: g(); break; default: ; }",
                ],
            ),
            ("a++;", &[]),
            ("await g(a);", &[]),
        ],
    );
}

#[test]
fn statements_of_rust() {
    assert_versions(
        "a.rs",
        ("fn f(a: i32, b: i32) {\n    ", "\n}\n"),
        &[
            (
                "if a < 3 { g(); }",
                &[
                    "negated condition: if !(a < 3) { g(); }",
                    "off by one: if a <= 3 { g(); }",
                    "off by one: if a < 4  { g(); }",
                    "dropped call: if a < 3 { ; }",
                ],
            ),
            (
                "if a == b { g(); }",
                &["negated condition: if !(a == b) { g(); }", "dropped call: if a == b { ; }"],
            ),
            (
                "if a != b { g(); }",
                &["negated condition: if !(a != b) { g(); }", "dropped call: if a != b { ; }"],
            ),
            (
                "if !c(a) { g(); }",
                &["negated condition: if !(!c(a)) { g(); }", "dropped call: if !c(a) { ; }"],
            ),
            (
                "if a > 1 && b > 2 { g(); }",
                &[
                    "negated condition: if !(a > 1 && b > 2) { g(); }",
                    "off by one: if a >= 1 && b > 2 { g(); }",
                    "off by one: if a > 2  && b > 2 { g(); }",
                    "off by one: if a > 1 && b >= 2 { g(); }",
                    "off by one: if a > 1 && b > 3  { g(); }",
                    "dropped call: if a > 1 && b > 2 { ; }",
                ],
            ),
            ("if let Some(x) = c(a) { g(x); }", &["dropped call: if let Some(x) = c(a) { ; }"]),
            (
                "while a < 3 { g(); }",
                &[
                    "negated condition: while !(a < 3) { g(); }",
                    "off by one: while a <= 3 { g(); }",
                    "off by one: while a < 4  { g(); }",
                    "dropped call: while a < 3 { ; }",
                ],
            ),
            ("match a { 1 => g(), _ => h() }", &["off by one: match a { 2  => g(), _ => h() }"]),
            (
                "for x in 0..3 { g(x); }",
                &[
                    "off by one: for x in 1 ..3 { g(x); }",
                    "off by one: for x in 0..4  { g(x); }",
                    "dropped call: for x in 0..3 { ; }",
                ],
            ),
            ("let x = 3;", &["off by one: let x = 4 ;"]),
            ("let x = \"ab\";", &[]),
            ("let x = true;", &[]),
            ("g(a);", &["dropped call: ;"]),
            ("v.push(a);", &["dropped call: ;"]),
            ("println!(\"{a}\");", &["dropped call: ;"]),
            ("assert!(a > 0);", &["off by one: assert!(a > 1 );", "dropped call: ;"]),
            ("return;", &[]),
            ("let x = a as u8;", &[]),
            ("let x = 0xff;", &[]),
            ("let x = a + 1;", &["off by one: let x = a + 2 ;"]),
            ("let x = 1_000;", &[]),
        ],
    );
}

#[test]
fn statements_of_go() {
    assert_versions(
        "a.go",
        ("package a\n\nfunc F(a int, b int) {\n\t", "\n}\n"),
        &[
            (
                "if a < 3 { g() }",
                &[
                    "negated condition: if !(a < 3) { g() }",
                    "off by one: if a <= 3 { g() }",
                    "off by one: if a < 4  { g() }",
                    "dropped call: if a < 3 {  }",
                ],
            ),
            (
                "if a == b { g() }",
                &["negated condition: if !(a == b) { g() }", "dropped call: if a == b {  }"],
            ),
            (
                "if a != b { g() }",
                &["negated condition: if !(a != b) { g() }", "dropped call: if a != b {  }"],
            ),
            ("if !c { g() }", &["negated condition: if !(!c) { g() }", "dropped call: if !c {  }"]),
            (
                "if a > 1 && b > 2 { g() }",
                &[
                    "negated condition: if !(a > 1 && b > 2) { g() }",
                    "off by one: if a >= 1 && b > 2 { g() }",
                    "off by one: if a > 2  && b > 2 { g() }",
                    "off by one: if a > 1 && b >= 2 { g() }",
                    "off by one: if a > 1 && b > 3  { g() }",
                    "dropped call: if a > 1 && b > 2 {  }",
                ],
            ),
            (
                "if err := g(); err != nil { return }",
                &["negated condition: if err := g(); !(err != nil) { return }"],
            ),
            (
                "for i := 0; i < 3; i++ { g(i) }",
                &[
                    "negated condition: for i := 0; !(i < 3); i++ { g(i) }",
                    "off by one: for i := 1 ; i < 3; i++ { g(i) }",
                    "off by one: for i := 0; i <= 3; i++ { g(i) }",
                    "off by one: for i := 0; i < 4 ; i++ { g(i) }",
                    "dropped call: for i := 0; i < 3; i++ {  }",
                ],
            ),
            ("for _, x := range c { g(x) }", &["dropped call: for _, x := range c {  }"]),
            (
                "switch a { case 1: g() }",
                &["off by one: switch a { case 2 : g() }", "dropped call: switch a { case 1:  }"],
            ),
            ("x := 3", &["off by one: x := 4"]),
            ("x := \"ab\"", &[]),
            ("g(a)", &["dropped call: "]),
            ("c.Push(a)", &["dropped call: "]),
            ("go g(a)", &[]),
            ("defer g(a)", &[]),
            ("return", &[]),
            ("a++", &[]),
        ],
    );
}

#[test]
fn statements_of_java() {
    assert_versions(
        "A.java",
        ("class A {\n  void f(int a, int b) {\n    ", "\n  }\n}\n"),
        &[
            (
                "if (a < 3) g();",
                &[
                    "negated condition: if (!(a < 3)) g();",
                    "off by one: if (a <= 3) g();",
                    "off by one: if (a < 4 ) g();",
                    "dropped call: if (a < 3) ;",
                ],
            ),
            ("if (a == b) g();", &["negated condition: if (!(a == b)) g();", "dropped call: if (a == b) ;"]),
            ("if (!c) g();", &["negated condition: if (!(!c)) g();", "dropped call: if (!c) ;"]),
            (
                "if (a > 1 && b > 2) g();",
                &[
                    "negated condition: if (!(a > 1 && b > 2)) g();",
                    "off by one: if (a >= 1 && b > 2) g();",
                    "off by one: if (a > 2  && b > 2) g();",
                    "off by one: if (a > 1 && b >= 2) g();",
                    "off by one: if (a > 1 && b > 3 ) g();",
                    "dropped call: if (a > 1 && b > 2) ;",
                ],
            ),
            (
                "while (a < 3) g();",
                &[
                    "negated condition: while (!(a < 3)) g();",
                    "off by one: while (a <= 3) g();",
                    "off by one: while (a < 4 ) g();",
                    "dropped call: while (a < 3) ;",
                ],
            ),
            (
                "int x = c ? 1 : 2;",
                &[
                    "negated condition: int x = !(c) ? 1 : 2;",
                    "off by one: int x = c ? 2  : 2;",
                    "off by one: int x = c ? 1 : 3 ;",
                ],
            ),
            (
                "for (int i = 0; i < 3; i++) g(i);",
                &[
                    "off by one: for (int i = 1 ; i < 3; i++) g(i);",
                    "off by one: for (int i = 0; i <= 3; i++) g(i);",
                    "off by one: for (int i = 0; i < 4 ; i++) g(i);",
                    "dropped call: for (int i = 0; i < 3; i++) ;",
                ],
            ),
            ("int x = 3;", &["off by one: int x = 4 ;"]),
            ("g(a);", &["dropped call: ;"]),
            ("c.add(a);", &["dropped call: ;"]),
            ("throw new E(a);", &[]),
            ("if (c instanceof B b1) g(b1);", &["dropped call: if (c instanceof B b1) ;"]),
            ("return;", &[]),
        ],
    );
}

#[test]
fn statements_of_c() {
    assert_versions(
        "a.c",
        ("void f(int a, int b) {\n  ", "\n}\n"),
        &[
            (
                "if (a < 3) g();",
                &[
                    "negated condition: if (!(a < 3)) g();",
                    "off by one: if (a <= 3) g();",
                    "off by one: if (a < 4 ) g();",
                    "dropped call: if (a < 3) ;",
                ],
            ),
            ("if (a == b) g();", &["negated condition: if (!(a == b)) g();", "dropped call: if (a == b) ;"]),
            ("if (!a) g();", &["negated condition: if (!(!a)) g();", "dropped call: if (!a) ;"]),
            ("if (a && b) g();", &["negated condition: if (!(a && b)) g();", "dropped call: if (a && b) ;"]),
            (
                "while (a < 3) g();",
                &[
                    "negated condition: while (!(a < 3)) g();",
                    "off by one: while (a <= 3) g();",
                    "off by one: while (a < 4 ) g();",
                    "dropped call: while (a < 3) ;",
                ],
            ),
            (
                "int x = a ? 1 : 2;",
                &[
                    "negated condition: int x = !(a) ? 1 : 2;",
                    "off by one: int x = a ? 2  : 2;",
                    "off by one: int x = a ? 1 : 3 ;",
                ],
            ),
            (
                "for (int i = 0; i < 3; i++) g(i);",
                &[
                    "off by one: for (int i = 1 ; i < 3; i++) g(i);",
                    "off by one: for (int i = 0; i <= 3; i++) g(i);",
                    "off by one: for (int i = 0; i < 4 ; i++) g(i);",
                    "dropped call: for (int i = 0; i < 3; i++) ;",
                ],
            ),
            ("int x = 3;", &["off by one: int x = 4 ;"]),
            ("g(a);", &["dropped call: ;"]),
            ("a++;", &[]),
            ("return;", &[]),
            (
                "switch (a) { case 1: g(); break; }",
                &[
                    "off by one: switch (a) { case 2 : g(); break; }",
                    "dropped call: switch (a) { case 1: ; break; }",
                ],
            ),
        ],
    );
}

#[test]
fn statements_of_ruby() {
    assert_versions(
        "a.rb",
        ("def f(a, b)\n  ", "\nend\n"),
        &[
            (
                "g if a < 3",
                &["negated condition: g if !(a < 3)", "off by one: g if a <= 3", "off by one: g if a < 4"],
            ),
            ("g unless a == b", &["negated condition: g unless !(a == b)"]),
            ("if a && b\n    g\n  end", &["negated condition: if !(a && b)"]),
            (
                "while a < 3\n    g\n  end",
                &["negated condition: while !(a < 3)", "off by one: while a <= 3", "off by one: while a < 4"],
            ),
            (
                "x = a ? 1 : 2",
                &[
                    "negated condition: x = !(a) ? 1 : 2",
                    "off by one: x = a ? 2  : 2",
                    "off by one: x = a ? 1 : 3",
                ],
            ),
            ("x = 3", &["off by one: x = 4"]),
            ("g(a)", &[]),
            ("a << b", &[]),
            ("return a", &[]),
            ("raise E", &[]),
            ("a.each { |x| g(x) }", &[]),
        ],
    );
}

#[test]
fn statements_of_php() {
    assert_versions(
        "a.php",
        ("<?php\nfunction f($a, $b) {\n  ", "\n}\n"),
        &[
            (
                "if ($a < 3) g();",
                &[
                    "negated condition: if (!($a < 3)) g();",
                    "off by one: if ($a <= 3) g();",
                    "off by one: if ($a < 4 ) g();",
                    "dropped call: if ($a < 3) ;",
                ],
            ),
            (
                "if ($a === $b) g();",
                &["negated condition: if (!($a === $b)) g();", "dropped call: if ($a === $b) ;"],
            ),
            ("if (!$a) g();", &["negated condition: if (!(!$a)) g();", "dropped call: if (!$a) ;"]),
            (
                "while ($a < 3) g();",
                &[
                    "negated condition: while (!($a < 3)) g();",
                    "off by one: while ($a <= 3) g();",
                    "off by one: while ($a < 4 ) g();",
                    "dropped call: while ($a < 3) ;",
                ],
            ),
            (
                "$x = $a ? 1 : 2;",
                &[
                    "negated condition: $x = !($a) ? 1 : 2;",
                    "off by one: $x = $a ? 2  : 2;",
                    "off by one: $x = $a ? 1 : 3 ;",
                ],
            ),
            ("$x = 3;", &["off by one: $x = 4 ;"]),
            ("g($a);", &["dropped call: ;"]),
            ("$a->push($b);", &["dropped call: ;"]),
            ("throw new E($a);", &[]),
            ("return $a + $b;", &[]),
            ("foreach ($a as $x) { g($x); }", &["dropped call: foreach ($a as $x) { ; }"]),
        ],
    );
}

#[test]
fn statements_of_c_sharp() {
    assert_versions(
        "A.cs",
        ("class A {\n  void F(int a, int b) {\n    ", "\n  }\n}\n"),
        &[
            (
                "if (a < 3) G();",
                &[
                    "negated condition: if (!(a < 3)) G();",
                    "off by one: if (a <= 3) G();",
                    "off by one: if (a < 4 ) G();",
                    "dropped call: if (a < 3) ;",
                ],
            ),
            ("if (a == b) G();", &["negated condition: if (!(a == b)) G();", "dropped call: if (a == b) ;"]),
            ("if (!c) G();", &["negated condition: if (!(!c)) G();", "dropped call: if (!c) ;"]),
            (
                "while (a < 3) G();",
                &[
                    "negated condition: while (!(a < 3)) G();",
                    "off by one: while (a <= 3) G();",
                    "off by one: while (a < 4 ) G();",
                    "dropped call: while (a < 3) ;",
                ],
            ),
            (
                "var x = c ? 1 : 2;",
                &[
                    "negated condition: var x = !(c) ? 1 : 2;",
                    "off by one: var x = c ? 2  : 2;",
                    "off by one: var x = c ? 1 : 3 ;",
                ],
            ),
            ("var x = 3;", &["off by one: var x = 4 ;"]),
            ("G(a);", &["dropped call: ;"]),
            ("c.Add(a);", &["dropped call: ;"]),
            ("throw new E(a);", &[]),
            ("if (c is B d) G(d);", &["dropped call: if (c is B d) ;"]),
            ("return;", &[]),
        ],
    );
}
