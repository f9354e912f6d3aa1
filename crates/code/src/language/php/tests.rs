//! PHP: what is read of source code, contracts and output, one table per question.

use windlass_core::report::Runner;

use crate::language::Language;
use crate::language::tests::{
    canary_names, cut, errors_in, export_lines, findings, import_list, imported, promised, stub_of,
    test_names,
};
use crate::syntax::{contract_offset, facts};

#[test]
fn methods_that_phpunit_runs() {
    let table = [
        ("", ""),
        (
            "class CartTest extends TestCase { public function testAdds(): void {} function helper() {} }",
            "CartTest::testAdds",
        ),
        ("class CartTest { #[Test] public function adds(): void {} }", "CartTest::adds"),
        ("class CartTest { /** @test */ public function adds(): void {} }", "CartTest::adds"),
        // By its base, whatever its name.
        ("class CartSpec extends WebTestCase { public function testAdds(): void {} }", "CartSpec::testAdds"),
        ("class Cart { public function testAdds(): void {} }", ""),
        ("namespace A { class CartTest { public function testA(): void {} } }", "CartTest::testA"),
        ("function testAdds() {}", ""),
    ];
    for (text, expected) in table {
        assert_eq!(test_names("tests/CartTest.php", &format!("<?php\n{text}\n")), expected, "{text}");
    }
}

#[test]
fn exports_are_what_is_not_hidden() {
    let table: [(&str, &[&str]); 6] = [
        ("function add(int $a): int { return $a; }", &["Function add | function add(int $a): int"]),
        (
            "class A { function a() {} public function b() {} protected function c() {} private function d() {} }",
            &["Type A | class A", "Method A.a | function a()", "Method A.b | public function b()"],
        ),
        (
            "interface S { public function save(): void; }",
            &["Interface S | interface S", "Method S.save | public function save(): void"],
        ),
        ("trait T { public function go() {} }", &["Type T | trait T", "Method T.go | public function go()"]),
        ("namespace A { function f() {} }", &["Function f | function f()"]),
        ("$x = 1;\necho 'class A {}';", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(export_lines("src/A.php", &format!("<?php\n{text}\n")), expected, "{text}");
    }
}

#[test]
fn imports_namespaces_and_bases() {
    let table = [
        ("use Shop\\Cart;\n", "Shop\\Cart"),
        ("use Shop\\Cart as C;\n", "Shop\\Cart"),
        ("use Shop\\{Cart, Line as L};\n", "Shop\\Cart; Shop\\Line"),
        ("require __DIR__ . '/a.php';\ninclude_once 'b.php';\n", "/a.php; b.php"),
        ("// use Shop\\Cart;\n", ""),
    ];
    for (text, expected) in table {
        assert_eq!(import_list("a.php", &format!("<?php\n{text}")), expected, "{text}");
    }
    let read =
        facts("a.php", b"<?php\nnamespace Shop\\Core;\nclass A extends B implements C, D {}\n").unwrap();
    assert_eq!(
        (read.package.as_deref(), read.bases),
        (Some("Shop\\Core"), vec!["B".into(), "C".into(), "D".into()])
    );
}

#[test]
fn contracts_need_no_opening_tag() {
    let contract = "final class Cart { public function add(int $a): int; }";
    assert_eq!(promised(contract, "src/Cart.php"), "Cart, Cart.add");
    assert_eq!(promised(&format!("<?php\n{contract}"), "src/Cart.php"), "Cart, Cart.add");
    assert_eq!(contract_offset(Language::Php, contract), 1);
    assert_eq!(contract_offset(Language::Php, "<?php\nclass A {}"), 0);
    assert_eq!(stub_of(Language::Php, contract), None);
}

#[test]
fn code_against_its_contract() {
    let table = [
        (
            "class A { public function f(?string $a): void; }",
            "class A { public function f(string $a): void {} }",
            "",
        ),
        (
            "class A { public function f(Money $a): void; }",
            "class A { public function f(\\Shop\\Money $a): void {} }",
            "",
        ),
        (
            "class A { public function f(array $a): void; }",
            "class A { public function f(array &$a): void {} }",
            "",
        ),
        (
            "class A { public function f(int $a): void; }",
            "class A { public function f(int $a, int $b = 1): void {} }",
            "",
        ),
        ("class A { public function f(): void; }", "class A extends B {}", ""),
        ("class A { public function f(): void; }", "class A { public function __call($n, $a) {} }", ""),
        (
            "class A { public function f(int $a): int; }",
            "class A { public function f(int $a): string { return ''; } }",
            "different A.f",
        ),
        (
            "class A { public function f(int $a): int; }",
            "class A { public function f(string $a): int { return 1; } }",
            "different A.f",
        ),
        ("class A { public function f(): void; }", "class A {}", "missing A.f"),
        ("class A { public function f(): void; }", "class B {}", "missing A"),
    ];
    for (contract, code, expected) in table {
        assert_eq!(
            findings(contract, "src/A.php", &format!("<?php\n{code}\n")),
            expected,
            "{contract} / {code}"
        );
    }
}

#[test]
fn bodies_are_cut_out_and_lines_stay() {
    let table = [
        ("function f() { # }\n return 1; }", "function f() {\n}"),
        ("function f() { echo '}\n'; }", "function f() {\n}"),
        (
            "class A { private $x = ['}']; function g() { x(); } }",
            "class A { private $x = ['}']; function g() {} }",
        ),
        ("function f() {", "none"),
    ];
    for (text, expected) in table {
        let expected = if expected == "none" { expected.to_owned() } else { format!("<?php\n{expected}") };
        assert_eq!(cut("a.php", &format!("<?php\n{text}")), expected, "{text}");
    }
}

#[test]
fn canaries_are_named_like_tests() {
    let named =
        "<?php\nclass ATest extends TestCase\n{\n    public function testA(): void\n    {\n    }\n}\n";
    let marked = "<?php\nclass ATest extends TestCase\n{\n    #[Test]\n    public function a(): void\n    {\n    }\n}\n";
    assert_eq!(
        canary_names("ATest.php", named, Runner::Phpunit),
        "ATest.php::ATest::testA_qx1, ATest.php::ATest::testA_qx2"
    );
    assert_eq!(canary_names("ATest.php", marked, Runner::Phpunit), "none");
    assert_eq!(canary_names("ATest.php", named, Runner::Junit), "none");
}

#[test]
fn errors_of_php() {
    let own: &[&str] = &["src/Cart.php"];
    let table: [(&str, &[&str], &[&str], &str); 13] = [
        ("", own, &[], ""),
        (r#"Error: Class "Shop\Cart" not found"#, own, &[], r"missing Shop\Cart"),
        (r#"Error: Interface "Shop\Store" not found"#, own, &[], "foreign"),
        (r#"Error: Interface "Shop\Store" not found"#, own, &["Store"], r"missing Shop\Store"),
        (r#"Error: Class "Mockery" not found"#, &["composer.json"], &[], "missing Mockery"),
        ("Error: Call to undefined function total()", own, &[], "missing total"),
        (r"Error: Call to undefined method Shop\Cart::add()", own, &[], r"missing Shop\Cart::add"),
        (r#"Error: Undefined constant "LIMIT""#, own, &[], "missing LIMIT"),
        ("ParseError: syntax error, unexpected token \"}\"", own, &[], "syntax"),
        ("PHP Fatal error:  Failed opening required '/w/src/Cart.php'", own, &[], "missing Cart.php"),
        (
            "PHP Fatal error:  Failed opening required '/w/tests/../src/Cart.php'",
            own,
            &[],
            "missing Cart.php",
        ),
        ("PHP Fatal error:  Failed opening required '/w/vendor/autoload.php'", own, &[], "foreign"),
        ("Tests: 3, Assertions: 3, Failures: 1.", own, &[], ""),
    ];
    for (output, files, names, expected) in table {
        assert_eq!(errors_in(Language::Php, output, files, names), expected, "{output}");
    }
}

#[test]
fn uses_and_the_files_they_mean() {
    let tree = |path, text| {
        [
            ("composer.json", "{}"),
            ("src/Money.php", "<?php\n"),
            ("app/Models/Line.php", "<?php\n"),
            ("src/boot.php", "<?php\n"),
            (path, text),
        ]
    };
    let table = [
        ("src/Cart.php", "<?php\nuse Shop\\Money;\n", "src/Money.php"),
        ("tests/CartTest.php", "<?php\nuse Shop\\Money;\n", "src/Money.php"),
        ("src/Cart.php", "<?php\nuse App\\Models\\Line;\n", "app/Models/Line.php"),
        ("src/Cart.php", "<?php\nrequire __DIR__ . '/boot.php';\n", "src/boot.php"),
        ("tests/CartTest.php", "<?php\nrequire '../src/boot.php';\n", "src/boot.php"),
        ("src/Cart.php", "<?php\nuse Psr\\Log;\n", ""),
    ];
    for (path, text, expected) in table {
        assert_eq!(imported(&tree(path, text), path), expected, "{path}: {text}");
    }
}
