//! Go: what is read of source code, contracts and output, one table per question.

use windlass_core::report::Runner;

use crate::language::Language;
use crate::language::tests::{
    canary_names, cut, errors_in, export_lines, findings, import_list, imported, promised, stub_of, style_of,
    test_names,
};
use crate::syntax::{facts, parses, same_test};

#[test]
fn functions_that_go_runs() {
    let table = [
        ("", ""),
        ("func TestAdd(t *testing.T) {}", "TestAdd"),
        ("func Test_add(t *testing.T) {}", "Test_add"),
        ("func Test(t *testing.T) {}", "Test"),
        ("func FuzzAdd(f *testing.F) {}", "FuzzAdd"),
        // A lower-case letter behind the word makes it another word.
        ("func Testing(t *testing.T) {}", ""),
        ("func testAdd(t *testing.T) {}", ""),
        ("func TestAdd() {}", ""),
        ("func (s Suite) TestAdd(t *testing.T) {}", ""),
        // It runs the tests and is none.
        ("func TestMain(m *testing.M) {}", ""),
        ("func TestMain(t *testing.T) {}", "TestMain"),
        ("func BenchmarkAdd(b *testing.B) {}", ""),
    ];
    for (text, expected) in table {
        assert_eq!(test_names("a_test.go", &format!("package a\n{text}\n")), expected, "{text}");
    }
}

#[test]
fn exports_begin_with_a_capital() {
    let table: [(&str, &[&str]); 8] = [
        ("func add() {}\ntype cart struct{}\nvar limit = 1\n", &[]),
        ("type (\n\tA struct{}\n\tb int\n)", &["Type A | type A struct{}"]),
        ("type Alias = Other", &["Type Alias | type Alias = Other"]),
        ("type Store interface{ Save() }", &["Interface Store | type Store interface{ Save() }"]),
        ("func (c *Cart) Add(p int) {}", &["Method Cart.Add | func (c *Cart) Add(p int)"]),
        ("func (c cart) Add() {}\nfunc (c Cart) add() {}", &[]),
        ("var A, B = 1, 2", &["Value A | A, B = 1, 2", "Value B | A, B = 1, 2"]),
        ("const (\n\tX = iota\n\tY\n)", &["Value X | X = iota", "Value Y | Y"]),
    ];
    for (text, expected) in table {
        assert_eq!(export_lines("a.go", &format!("package a\n{text}\n")), expected, "{text}");
    }
}

#[test]
fn imports_and_packages() {
    let table = [
        ("import \"fmt\"\n", "fmt"),
        ("import (\n\tm \"shop/money\"\n\t_ \"embed\"\n\t. \"strings\"\n)\n", "shop/money; embed; strings"),
        ("import `raw`\n", "raw"),
        ("// import \"fmt\"\n", ""),
    ];
    for (text, expected) in table {
        assert_eq!(import_list("a.go", &format!("package a\n{text}")), expected, "{text}");
    }
    let package = |text: &str| facts("a.go", text.as_bytes()).unwrap().package;
    assert_eq!(package("// Package cart sums.\npackage cart // note\n").as_deref(), Some("cart"));
    assert_eq!(package("func F() {}\n"), None);
}

#[test]
fn code_against_its_contract() {
    assert_eq!(promised("func Add(a int) int\nfunc own()\ntype Cart struct{}", "a.go"), "Add, Cart");
    let table = [
        ("func Add(a, b int) int", "func Add(a int, b int) int { return a }", ""),
        ("func Add(int, int) int", "func Add(a, b int) int { return a }", ""),
        ("func F(a interface{})", "func F(a any) {}", ""),
        ("func F(a ...string)", "func F(a []string) {}", ""),
        ("func (c *Cart) Add(p int) error", "func (cart *Cart) Add(p int) error { return nil }", ""),
        ("func (c *Cart) Add(p int) error", "func (c *Cart) Add(p int) {}\n", ""),
        (
            "func (c *Cart) Add(p int) error",
            "func (c *Cart) Add(p string) error { return nil }",
            "different Cart.Add",
        ),
        ("func F() (int, error)", "func F() int { return 1 }", "different F"),
        ("func F(a int)", "func F(a, b int) {}", "different F"),
        ("func (c *Cart) Add(p int)", "type Cart struct{}", "missing Cart.Add"),
        ("func F()", "func f() {}", "missing F"),
    ];
    for (contract, code, expected) in table {
        assert_eq!(
            findings(contract, "a.go", &format!("package a\n{code}\n")),
            expected,
            "{contract} / {code}"
        );
    }
}

#[test]
fn stubs_panic_until_the_code_is_written() {
    let table = [
        ("func Add(a int) int", "func Add(a int) int {\n\tpanic(\"not implemented\")\n}"),
        ("func (c *Cart) Add(p int)", "func (c *Cart) Add(p int) {\n\tpanic(\"not implemented\")\n}"),
        ("type Cart struct {\n\tLines []int\n}", "type Cart struct {\n\tLines []int\n}"),
    ];
    for (contract, expected) in table {
        let stub = stub_of(Language::Go, contract).unwrap();
        assert_eq!(stub, expected, "{contract}");
        assert_eq!(parses(Language::Go, format!("package a\n{stub}\n").as_bytes()), Ok(()));
    }
}

#[test]
fn bodies_are_cut_out_and_lines_stay() {
    let table = [
        ("func F() int {\n\treturn 1\n}\n", "func F() int {\n\n}\n"),
        ("var x = []int{1}\n", "var x = []int{1}\n"),
        ("func F() { s := `}` }\n", "func F() {}\n"),
        ("type P struct { X int }\n", "type P struct { X int }\n"),
        ("func F() {\n", "none"),
    ];
    for (text, expected) in table {
        assert_eq!(cut("a.go", text), expected, "{text}");
    }
}

#[test]
fn style_names_and_canaries() {
    let one = "package a\nfunc TestA(t *testing.T) {}\n";
    let table = "package a\nfunc TestA(t *testing.T) { for range []struct{ a int }{} {} }\n";
    assert_eq!(style_of("a_test.go", one), "testing in functions");
    assert_eq!(style_of("a_test.go", table), "testing in tables of cases");
    assert_eq!(
        canary_names("a/a_test.go", one, Runner::GoTest),
        "a/a_test.go::TestA_qx1, a/a_test.go::TestA_qx2"
    );
    assert_eq!(canary_names("a/a_test.go", one, Runner::Pytest), "none");
    let same = [
        ("example.com/shop/cart TestA", true),
        ("example.com/shop/cart TestA/one_case", true),
        ("TestA", true),
        ("example.com/shop/line TestA", false),
        ("example.com/shop/cart TestAB", false),
    ];
    for (report, expected) in same {
        assert_eq!(same_test(report, "cart/cart_test.go::TestA"), expected, "{report}");
    }
}

#[test]
fn errors_of_the_go_command() {
    let own: &[&str] = &["cart/cart.go"];
    let table: [(&str, &[&str], &str); 16] = [
        ("", own, ""),
        ("a_test.go:11:2: module lookup disabled by GOPROXY=off", own, "foreign"),
        ("go: github.com/x/y@v1.0.0: module lookup disabled by GOPROXY=off", own, "foreign"),
        ("cart/a_test.go:3:4: undefined: Total", own, "missing Total"),
        ("cart/a_test.go:3: undefined: Total", own, "missing Total"),
        ("a_test.go:3:4: unknown field Size in struct literal of type Cart", own, "missing Size"),
        (
            "a_test.go:3:4: cannot use c (variable of type *Cart) as Adder value: *Cart does not implement Adder (missing method Add)",
            own,
            "missing Add",
        ),
        ("a_test.go:3:4: c.size undefined (cannot refer to unexported field size)", own, "other"),
        ("a_test.go:3:4: too many errors", own, ""),
        ("a_test.go:3:4: syntax error: unexpected }", own, "syntax"),
        ("a_test.go:2:2: package example.com/shop/cart is not in std", own, "missing example.com/shop/cart"),
        ("a_test.go:2:2: no required module provides package github.com/x/y; to add it:", own, "foreign"),
        (
            "a_test.go:2:2: no required module provides package github.com/x/y; to add it:",
            &["go.mod"],
            "missing github.com/x/y",
        ),
        ("go: go.mod file not found in current directory or any parent directory", own, "other"),
        ("go: downloading github.com/x/y v1.0.0", own, ""),
        // A test's own output is indented.
        ("    a_test.go:9: undefined: in a message", own, ""),
    ];
    for (output, files, expected) in table {
        assert_eq!(errors_in(Language::Go, output, files, &[]), expected, "{output}");
    }
}

#[test]
fn an_import_means_the_files_of_a_package() {
    fn tree(text: &str) -> [(&str, &str); 6] {
        [
            ("go.mod", "module example.com/shop\n"),
            ("money/money.go", "package money\n"),
            ("money/tax.go", "package money\n"),
            ("money/money_test.go", "package money\n"),
            ("money/deep/deep.go", "package deep\n"),
            ("cart/cart.go", text),
        ]
    }
    let table = [
        ("import \"example.com/shop/money\"", "money/money.go money/tax.go"),
        ("import \"example.com/shop/money/deep\"", "money/deep/deep.go"),
        ("import \"example.com/shopping/money\"", ""),
        ("import \"fmt\"", ""),
    ];
    for (import, expected) in table {
        let text = format!("package cart\n{import}\n");
        assert_eq!(imported(&tree(&text), "cart/cart.go"), expected, "{import}");
    }
}

/// A skip that only the platform, the environment or the options decide.
#[test]
fn conditions_of_skips() {
    let text = "package a\nimport \"testing\"\nfunc TestPlain(t *testing.T) {}\n\
        func TestUnix(t *testing.T) {\n\tif runtime.GOOS == \"windows\" {\n\t\tt.Skip(\"no\")\n\t}\n}\n\
        func TestLong(t *testing.T) {\n\tif testing.Short() {\n\t\tt.SkipNow()\n\t}\n}\n\
        func TestOwn(t *testing.T) {\n\tif !Fast {\n\t\tt.Skip()\n\t}\n}\n";
    let found: Vec<String> = crate::syntax::tests("a_test.go", text.as_bytes())
        .into_iter()
        .filter(|item| item.condition.is_some())
        .map(|item| item.name)
        .collect();
    assert_eq!(found, ["TestUnix", "TestLong"]);
}
