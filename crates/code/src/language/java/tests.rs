//! Java: what is read of source code, contracts and output, one table per question.

use windlass_core::report::Runner;

use crate::language::Language;
use crate::language::tests::{
    canary_names, cut, errors_in, export_lines, findings, import_list, imported, promised, stub_of, style_of,
    test_names,
};

#[test]
fn methods_with_a_test_annotation() {
    let table = [
        ("", ""),
        ("class A { @Test void a() {} void b() {} }", "A::a"),
        ("class A { @org.junit.Test public void a() {} }", "A::a"),
        ("class A { @Test(timeout = 1) public void a() {} }", "A::a"),
        ("class A { @ParameterizedTest void a(int n) {} @RepeatedTest(2) void b() {} }", "A::a, A::b"),
        ("class A { @Nested class B { @Test void c() {} } }", "A::B::c"),
        ("class A { @Test @Disabled void a() {} }", "A::a (skipped)"),
        ("class A { @Ignore @Test public void a() {} }", "A::a (skipped)"),
        ("@Disabled class A { @Test void a() {} @Test void b() {} }", "A::a (skipped), A::b (skipped)"),
        ("class A { @BeforeEach void a() {} @Testing void b() {} }", ""),
        ("class A { void testAdds() {} }", ""),
    ];
    for (text, expected) in table {
        assert_eq!(test_names("ATest.java", text), expected, "{text}");
    }
}

#[test]
fn exports_are_what_another_class_can_use() {
    let table: [(&str, &[&str]); 6] = [
        ("class Cart {}", &["Type Cart | class Cart"]),
        (
            "public class A { void near() {} protected void b() {} public int c() { return 1; } private void d() {} }",
            &["Type A | public class A", "Method A.b | protected void b()", "Method A.c | public int c()"],
        ),
        (
            "class A { @Override public String toString() { return \"\"; } }",
            &["Type A | class A", "Method A.toString | public String toString()"],
        ),
        (
            "interface S { void save(String id); }",
            &["Interface S | interface S", "Method S.save | void save(String id)"],
        ),
        ("record P(int x) {}", &["Type P | record P(int x)"]),
        ("class A { private class B { public void c() {} } }", &["Type A | class A"]),
    ];
    for (text, expected) in table {
        assert_eq!(export_lines("A.java", text), expected, "{text}");
    }
}

#[test]
fn imports_have_a_package_and_a_name() {
    let table = [
        ("import a.b.C;", "a.b: C"),
        ("import a.b.*;", "a.b: *"),
        ("import static a.B.c;", "a.B: c"),
        ("import a.b.Outer.Inner;", "a.b.Outer: Inner"),
        ("// import a.b.C;", ""),
    ];
    for (text, expected) in table {
        assert_eq!(import_list("A.java", text), expected, "{text}");
    }
}

#[test]
fn code_against_its_contract() {
    assert_eq!(promised("public interface Store { void save(String id); }", "A.java"), "Store, Store.save");
    assert_eq!(stub_of(Language::Java, "public class A {}"), None);
    let contract = "public class A { public int f(int a) { return 1; } }";
    let table = [
        (contract, "public class A { public static int f(final int a) { return 1; } }", ""),
        // One overload that fits is enough.
        (
            contract,
            "public class A { public int f(String a) { return 1; } public int f(int a) { return 1; } }",
            "",
        ),
        (contract, "public class A extends B {}", ""),
        (
            "class A { public int f(List<String> a) { return 1; } }",
            "class A { public int f(java.util.List<String> a) { return 1; } }",
            "",
        ),
        (contract, "public class A { public long f(int a) { return 1; } }", "different A.f"),
        (contract, "public class A { public int f(int b) { return 1; } }", "different A.f"),
        (contract, "public class A { public int f(int a, int b) { return 1; } }", "different A.f"),
        (contract, "public class A {}", "missing A.f"),
        (contract, "public class A { private int f(int a) { return 1; } }", "missing A.f"),
        (contract, "public class B {}", "missing A"),
    ];
    for (contract, code, expected) in table {
        assert_eq!(findings(contract, "A.java", code), expected, "{contract} / {code}");
    }
}

#[test]
fn bodies_are_cut_out() {
    let table = [
        ("class A { int[] x = {1}; int f() { return 1; } }", "class A { int[] x = {1}; int f() {} }"),
        ("class A { char f() { return '}'; } }", "class A { char f() {} }"),
        ("class A { A() { super(); }\n}", "class A { A() {}\n}"),
        ("class A { void f() {", "none"),
    ];
    for (text, expected) in table {
        assert_eq!(cut("A.java", text), expected, "{text}");
    }
}

#[test]
fn style_and_canaries() {
    let four = "import org.junit.Test;\nclass A { @Test public void a() {} }";
    let five = "import org.junit.jupiter.api.Test;\nclass A { @Test void a() {} }";
    assert_eq!(style_of("ATest.java", four), "JUnit 4 in classes");
    assert_eq!(style_of("ATest.java", five), "JUnit 5 in classes");
    let names = "ATest.java::A::a_qx1, ATest.java::A::a_qx2";
    let table = [
        ("class A { @Test void a() {} }", Runner::Junit, names),
        ("class A {\n    @Test\n    void a() {}\n}", Runner::Junit, names),
        // What the annotation says besides would not hold for the neighbour.
        ("class A { @Test(timeout = 1) void a() {} }", Runner::Junit, "none"),
        ("class A { @ParameterizedTest void a(int n) {} }", Runner::Junit, "none"),
        ("class A { @Test void a() {} }", Runner::Pytest, "none"),
    ];
    for (text, runner, expected) in table {
        assert_eq!(canary_names("ATest.java", text, runner), expected, "{text}");
    }
}

#[test]
fn errors_of_javac_maven_and_gradle() {
    let own: &[&str] = &["src/main/java/shop/text/Text.java"];
    let table: [(&str, &[&str], &str); 14] = [
        ("", own, ""),
        (
            "/w/ATest.java:8: error: cannot find symbol\n  symbol:   method slug(String)\n  location: class Text",
            own,
            "missing slug(String)",
        ),
        (
            "[ERROR] /w/ATest.java:[8,4] cannot find symbol\n[ERROR]   symbol:   class Text\n[ERROR]   location: package shop",
            own,
            "missing Text",
        ),
        // A symbol belongs to the error above it.
        ("  symbol:   class Text", own, ""),
        ("/w/ATest.java:3: error: package shop.text does not exist", own, "missing shop.text"),
        ("/w/ATest.java:3: error: package org.mockito does not exist", own, "foreign"),
        ("/w/ATest.java:3: error: package org.mockito does not exist", &["pom.xml"], "missing org.mockito"),
        ("/w/ATest.java:3: error: ';' expected", own, "syntax"),
        ("/w/ATest.java:9: error: reached end of file while parsing", own, "syntax"),
        ("/w/ATest.java:3: error: incompatible types: int cannot be converted to String", own, "other"),
        ("/w/ATest.java:3: warning: [deprecation] stop() is deprecated", own, ""),
        ("java.lang.NoClassDefFoundError: shop/text/Text", own, "missing shop/text/Text"),
        ("Caused by: java.lang.ClassNotFoundException: shop.text.Text", own, "missing shop.text.Text"),
        ("> Could not resolve all files for configuration ':testCompileClasspath'.", own, "foreign"),
    ];
    for (output, files, expected) in table {
        assert_eq!(errors_in(Language::Java, output, files, &[]), expected, "{output}");
    }
}

#[test]
fn imports_and_the_files_they_mean() {
    let tree = |path, text| {
        [
            ("pom.xml", "<project/>"),
            ("src/main/java/shop/Cart.java", "package shop;\nclass Cart {}"),
            ("src/test/java/shop/Fixtures.java", "package shop;\nclass Fixtures {}"),
            (path, text),
        ]
    };
    let table = [
        ("src/test/java/shop/CartTest.java", "import shop.Cart;", "src/main/java/shop/Cart.java"),
        ("src/test/java/shop/CartTest.java", "import shop.Fixtures;", "src/test/java/shop/Fixtures.java"),
        ("src/main/java/shop/deep/Line.java", "import shop.Cart;", "src/main/java/shop/Cart.java"),
        ("src/main/java/shop/Line.java", "import java.util.List;", ""),
    ];
    for (path, text, expected) in table {
        assert_eq!(imported(&tree(path, text), path), expected, "{path}: {text}");
    }
}
