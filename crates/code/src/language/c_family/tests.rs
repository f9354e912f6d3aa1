//! C and C++: what is read of source code, contracts and output, one table per question.

use windlass_core::report::Runner;

use crate::language::Language;
use crate::language::tests::{
    canary_names, cut, errors_in, export_lines, findings, import_list, imported, promised, style_of,
    test_names,
};
use crate::survey::test_file_for;
use crate::syntax::{facts, same_test};

#[test]
fn macros_that_are_tests() {
    let table = [
        ("", ""),
        ("TEST(Cart, Adds) {}\n", "Cart.Adds"),
        ("TEST(Cart, Adds) {\r\n}\r\n", "Cart.Adds"),
        ("TEST_F(CartTest, Adds) {}\nTEST_P(CartTest, Sums) {}\n", "CartTest.Adds, CartTest.Sums"),
        ("TEST(Cart, DISABLED_Slow) {}\n", "Cart.DISABLED_Slow (skipped)"),
        ("TEST_CASE(\"adds two\", \"[cart]\") {}\n", "adds two"),
        ("TEST_CASE(\"slow\", \"[.]\") {}\n", "slow (skipped)"),
        ("SCENARIO(\"a cart\") {}\n", "a cart"),
        ("BOOST_AUTO_TEST_CASE(adds) {}\n", "adds"),
        ("MY_TEST(Cart, Adds) {}\n", ""),
        ("// TEST(Cart, Adds) {}\n", ""),
        ("  TEST(Cart, Adds) {}\n", ""),
    ];
    for (text, expected) in table {
        assert_eq!(test_names("tests/a_test.cpp", text), expected, "{text}");
    }
}

#[test]
fn exports_of_cpp() {
    let table: [(&str, &[&str]); 9] = [
        (
            "class A { int hidden(); public: int shown(); };",
            &["Type A | class A", "Method A::shown | int shown()"],
        ),
        (
            "struct A { int shown(); private: int hidden(); };",
            &["Type A | struct A", "Method A::shown | int shown()"],
        ),
        ("namespace a::b { int f(); }", &["Function a::b::f | int f()"]),
        ("namespace a { namespace b { int f(); } }", &["Function a::b::f | int f()"]),
        ("extern \"C\" { int f(int a); }", &["Function f | int f(int a)"]),
        ("template <typename T> T twice(T x) { return x; }", &["Function twice | T twice(T x)"]),
        ("class A;\nstruct B;\n", &[]),
        ("static int own() { return 1; }", &[]),
        ("int A::shown() { return 1; }", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(export_lines("a.hpp", text), expected, "{text}");
    }
}

#[test]
fn exports_of_c() {
    let table: [(&str, &[&str]); 6] = [
        ("char *name(int a);", &["Function name | char *name(int a)"]),
        ("static inline int own(void) { return 1; }", &[]),
        ("struct point { int x; };", &["Type point | struct point { int x; }"]),
        ("typedef unsigned long id;", &["Type id | typedef unsigned long id"]),
        ("#ifndef A_H\n#define A_H\nint f(void);\n#endif\n", &["Function f | int f(void)"]),
        ("#define LIMIT 3\n#define TWICE(x) ((x) * 2)\n", &["Macro TWICE | #define TWICE(x)"]),
    ];
    for (text, expected) in table {
        assert_eq!(export_lines("a.c", text), expected, "{text}");
    }
}

#[test]
fn includes_and_bases() {
    let text = "#pragma once\n#include \"a/b.h\"\n#if X\n#include <vector>\n#endif\n// #include \"c.h\"\n";
    assert_eq!(import_list("a.cpp", text), "a/b.h; vector");
    let bases = facts("a.hpp", b"class A : public B, private C {};\nnamespace n { struct D : B {}; }\n")
        .unwrap()
        .bases;
    assert_eq!(bases, ["B", "C"]);
    // Macros can make anything of a text, so an error of the grammar says nothing.
    assert_eq!(facts("a.cpp", b"BEGIN( int f( {").unwrap().broken, None);
}

#[test]
fn code_against_its_contract() {
    assert_eq!(promised("int add(int a);\nstatic int own(void);", "a.c"), "add");
    let table = [
        ("int f(const char *s);", "int f(char *s) { return 0; }", ""),
        ("int f(int, int);", "int f(int a, int b) { return a; }", ""),
        ("void f(void);", "void f() {}", ""),
        ("int f(int a);", "#define MAKE(n) int n##_f(int a)\n", ""),
        ("int f(int a);", "long f(int a) { return a; }", "different f"),
        ("int f(int a);", "int f(int a, int b) { return a; }", "different f"),
        ("int f(int a);", "int g(int a) { return a; }", "missing f"),
        ("int f(int a);", "static int f(int a) { return a; }", "missing f"),
    ];
    for (contract, code, expected) in table {
        assert_eq!(findings(contract, "a.c", code), expected, "{contract} / {code}");
    }
    let class = "class Cart {\n public:\n  int add(int price);\n};";
    let table = [
        ("class Cart {\n public:\n  int add(int amount);\n};", "different Cart::add"),
        ("class Cart {\n public:\n  int size();\n};", "missing Cart::add"),
        // A base class may provide it.
        ("class Cart : public Base {\n public:\n  int size();\n};", ""),
        ("namespace shop {\nclass Cart {\n public:\n  int add(int price);\n};\n}", ""),
    ];
    for (code, expected) in table {
        assert_eq!(findings(class, "cart.hpp", code), expected, "{code}");
    }
}

#[test]
fn bodies_are_cut_out() {
    let table = [
        ("int f(void) { return '}'; }", "int f(void) {}"),
        ("struct s { int x; };", "struct s { int x; };"),
        ("int x[] = { 1, 2 };", "int x[] = { 1, 2 };"),
        ("int f(void) {", "none"),
    ];
    for (text, expected) in table {
        assert_eq!(cut("a.c", text), expected, "{text}");
    }
}

#[test]
fn style_names_and_canaries() {
    assert_eq!(
        style_of("a_test.cpp", "#include <gtest/gtest.h>\nTEST(A, B) {}\n"),
        "GoogleTest in functions"
    );
    assert_eq!(
        style_of("a_test.cpp", "#include \"catch.hpp\"\nTEST_CASE(\"a\") {}\n"),
        "Catch2 in functions"
    );
    let same = [
        ("Cart.Adds", true),
        ("All/Cart.Adds/0", true),
        ("suite: Cart.Adds", true),
        // A program whose tests are not known stands for its file.
        ("cart_test", true),
        ("Cart.AddsMore", false),
        ("line_test", false),
    ];
    for (report, expected) in same {
        assert_eq!(same_test(report, "tests/cart_test.cpp::Cart.Adds"), expected, "{report}");
    }
    let names = "a_test.cpp::Cart.Adds_qx1, a_test.cpp::Cart.Adds_qx2";
    let table = [
        ("TEST(Cart, Adds) {\n}\n", Runner::Ctest, names),
        ("TEST_F(Cart, Adds) {\n}\n", Runner::Ctest, names),
        // A test with parameters would need instances.
        ("TEST_P(Cart, Adds) {\n}\n", Runner::Ctest, "none"),
        ("TEST(Cart, Adds) {\n}\n", Runner::Tap, "none"),
    ];
    for (text, runner, expected) in table {
        assert_eq!(canary_names("a_test.cpp", text, runner), expected, "{text}");
    }
}

#[test]
fn errors_of_compilers_linkers_and_make() {
    let own: &[&str] = &["src/cart.h", "src/cart.c"];
    let table = [
        ("", ""),
        ("t.c:1:10: fatal error: 'cart.h' file not found", "missing cart.h"),
        ("t.c:1:10: fatal error: zlib.h: No such file or directory", "foreign"),
        ("t.c:3:3: error: call to undeclared function 'total'; ISO C99 does not support it", "missing total"),
        ("t.c:3:3: error: unknown type name 'cart'", "missing cart"),
        ("t.cpp:3:3: error: no member named 'size' in 'Cart'", "missing size"),
        ("t.c:(.text+0x5): undefined reference to `total'", "missing total"),
        ("t.c:3:3: error: expected ';' before '}' token", "syntax"),
        ("t.c:3:3: error: conflicting types for 'total'", "other"),
        // Beside something missing, other complaints are its consequences.
        (
            "t.c:3:3: error: unknown type name 'cart'\nt.c:4:3: error: expected ';' before '}' token",
            "missing cart",
        ),
        ("t.c:3:3: warning: unused variable 'x'", ""),
        ("make: *** No rule to make target 'src/cart.o', needed by 'all'.  Stop.", "missing src/cart.o"),
        ("Could NOT find ZLIB (missing: ZLIB_LIBRARY)", "foreign"),
    ];
    for (output, expected) in table {
        assert_eq!(errors_in(Language::Cpp, output, own, &[]), expected, "{output}");
    }
}

#[test]
fn includes_and_the_files_they_mean() {
    let tree = |path, text| {
        [
            ("include/shop/money.h", ""),
            ("include/tax.h", ""),
            ("src/tax.h", ""),
            ("src/deep/line.h", ""),
            (path, text),
        ]
    };
    let table = [
        ("src/cart.c", "#include <shop/money.h>\n", "include/shop/money.h"),
        // What stands beside comes first.
        ("src/cart.c", "#include \"tax.h\"\n", "src/tax.h"),
        ("tests/cart_test.c", "#include \"tax.h\"\n", "include/tax.h"),
        ("src/deep/cart.c", "#include \"../tax.h\"\n", "src/tax.h"),
        ("src/cart.c", "#include <stdio.h>\n", ""),
    ];
    for (path, text, expected) in table {
        assert_eq!(imported(&tree(path, text), path), expected, "{path}: {text}");
    }
    let usual = |path| test_file_for(path, &[], "").unwrap().path;
    assert_eq!(usual("include/cart.h"), "tests/cart_test.cpp");
    assert_eq!(usual("src/cart.cc"), "tests/cart_test.cc");
}
