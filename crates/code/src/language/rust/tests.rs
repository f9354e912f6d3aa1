//! Rust: what is read of source code, contracts and output, one table per question.

use windlass_core::report::Runner;

use crate::language::Language;
use crate::language::tests::{
    assert_rules, canary_names, cut, errors_in, export_lines, findings, frozen_names, import_list, imported,
    promised, rules_broken, stub_of, test_names,
};
use crate::survey::test_file_for;
use crate::syntax::{parses, same_test};

#[test]
fn functions_with_a_test_attribute() {
    let table = [
        ("", ""),
        ("#[test]\nfn a() {}", "a"),
        ("#[test]\r\nfn a() {}\r\n", "a"),
        ("#[tokio::test(flavor = \"multi_thread\")]\nasync fn a() {}", "a"),
        ("#[test_case(1; \"one\")]\nfn a(n: u8) {}", "a"),
        ("#[should_panic]\n#[test]\nfn a() {}", "a"),
        ("#[test]\n#[ignore = \"slow\"]\nfn a() {}", "a (skipped)"),
        ("#[ignore]\n#[test]\nfn a() {}", "a (skipped)"),
        ("mod a { mod b { #[test] fn c() {} } }", "a::b::c"),
        ("proptest! {\n    #[test]\n    fn holds(x in 0..9u8) {}\n}\n", "holds"),
        // Names and comments make no test.
        ("fn test_a() {}", ""),
        ("#[testing]\nfn a() {}", ""),
        ("// #[test]\nfn a() {}", ""),
        ("#[cfg(test)]\nmod tests;\n", ""),
    ];
    for (text, expected) in table {
        assert_eq!(test_names("src/lib.rs", text), expected, "{text}");
    }
}

#[test]
fn names_as_cargo_reports_them() {
    let table = [
        ("src/lib.rs", "src/lib.rs::tests::a"),
        ("tests/it.rs", "tests/it.rs tests::a"),
        ("tests/it/main.rs", "tests/it/main.rs::tests::a"),
        ("crates/x/tests/it.rs", "crates/x/tests/it.rs::tests::a"),
    ];
    for (path, expected) in table {
        assert_eq!((Language::Rust.row().name_in)(path, "tests::a"), expected);
    }
    let same = [
        ("src/lib.rs@shop cart::tests::a", "src/cart.rs::tests::a", true),
        ("src/lib.rs@shop cart::tests::a", "src/cart/mod.rs::tests::a", true),
        ("src/lib.rs@shop cart::tests::a::case_2", "src/cart.rs::tests::a", true),
        ("src/lib.rs@shop cart::tests::a", "src/line.rs::tests::a", false),
        ("tests/it.rs a", "src/lib.rs::a", false),
        ("tests/it/main.rs cart::a", "tests/it/cart.rs::a", true),
        ("tests/it.rs cart::a", "tests/other.rs::a", false),
    ];
    for (report, item, expected) in same {
        assert_eq!(same_test(report, item), expected, "{report} / {item}");
    }
}

#[test]
fn what_is_compiled_for_tests_only_is_frozen() {
    let table = [
        ("#[cfg(test)]\nmod tests { use super::*; #[test] fn a() {} }", "tests (rest), tests::a"),
        ("#[cfg(all(test, unix))]\nmod tests {}", "tests (rest)"),
        ("#[cfg(any(test, feature = \"x\"))]\nfn helper() {}", "helper (rest)"),
        ("struct A;\n#[cfg(any(test, feature = \"x\"))]\nimpl Read for A { fn read() {} }", ""),
        ("struct A;\n#[cfg(test)]\nimpl A { fn made() {} }", "impl A { fn made() {} } (rest)"),
        ("#[cfg(test)]\nfn helper() {}", "helper (rest)"),
        ("mod a {\n    #[cfg(test)]\n    mod tests {}\n}", "a::tests (rest)"),
        ("#[cfg(not(test))]\nmod real {}", ""),
        ("#[cfg(feature = \"test\")]\nmod x {}", ""),
        ("mod tests {}", ""),
    ];
    for (text, expected) in table {
        assert_eq!(frozen_names("src/lib.rs", text), expected, "{text}");
    }
}

#[test]
fn exports_have_a_visibility() {
    let table: [(&str, &[&str]); 12] = [
        ("fn a() {}\nstruct B;\nconst C: u8 = 1;\nmod d {}\n", &[]),
        ("pub(crate) fn a() {}", &["Function a | pub(crate) fn a()"]),
        ("pub mod m;", &["Module m | pub mod m"]),
        ("pub mod m { fn own() {} pub fn f() {} }", &["Module m | pub mod m", "Function m::f | pub fn f()"]),
        ("mod m { pub fn f() {} }", &[]),
        ("impl A { pub fn new() -> Self { A } fn own() {} }", &["Method A::new | pub fn new() -> Self"]),
        (
            "impl<T> Stack<T> { pub fn push(&mut self, t: T) {} }",
            &["Method Stack::push | pub fn push(&mut self, t: T)"],
        ),
        ("impl Display for A { fn fmt(&self) {} }", &["Method A::fmt | fn fmt(&self)"]),
        (
            "pub trait T { fn a(&self); fn b(&self) {} }",
            &["Interface T | pub trait T", "Method T::a | fn a(&self)", "Method T::b | fn b(&self)"],
        ),
        (
            "pub use a::{b, c as d};",
            &["Value b | pub use a::{b, c as d}", "Value d | pub use a::{b, c as d}"],
        ),
        (
            "pub static X: u8 = 1;\npub union U { a: u8 }\n",
            &["Value X | pub static X: u8", "Type U | pub union U { a: u8 }"],
        ),
        (
            "macro_rules! own { () => {} }\n#[macro_export]\nmacro_rules! open { () => {} }\n",
            &["Macro open | macro_rules! open"],
        ),
    ];
    for (text, expected) in table {
        assert_eq!(export_lines("src/lib.rs", text), expected, "{text}");
    }
}

#[test]
fn imports_are_one_per_path() {
    let table = [
        ("use a::b;", "a: b"),
        ("use a;", "a: a"),
        ("use a::{b, c::{d, e}};", "a: b; a::c: d, e"),
        ("use a::*;", "a: *"),
        ("use a::b as c;", "a: c"),
        ("fn f() { use a::b; }", "a: b"),
        ("extern crate x;", "x"),
        ("// use a::b;\nlet x = \"use a::b;\";", ""),
    ];
    for (text, expected) in table {
        assert_eq!(import_list("src/lib.rs", text), expected, "{text}");
    }
}

#[test]
fn promised_names_of_a_contract() {
    let table = [
        ("pub fn add(a: u8) -> u8;", "add"),
        ("pub struct Cart;\nimpl Cart {\n    pub fn new() -> Self;\n}", "Cart, Cart::new"),
        ("pub trait Total { fn total(&self) -> u32; }", "Total, Total::total"),
        ("fn own();", ""),
        ("", ""),
    ];
    for (contract, expected) in table {
        assert_eq!(promised(contract, "src/lib.rs"), expected, "{contract}");
    }
}

#[test]
fn code_against_its_contract() {
    let table = [
        ("pub fn f(a: &str) -> io::Result<()>;", "pub fn f(a: &str) -> std::io::Result<()> { Ok(()) }", ""),
        ("pub fn f<T>(t: T);", "pub fn f<T>(t: T) where T: Clone {}", ""),
        ("pub fn f(a: impl Into<String>);", "pub fn f(a: String) {}", ""),
        ("pub fn f(a: u8);", "pub(crate) fn f(a: u8) {}", ""),
        ("pub fn f();", "pub use inner::f;", ""),
        ("pub fn f();", "pub use inner::*;", ""),
        ("pub fn f();", "make! { f }", ""),
        ("pub fn f();", "pub mod m { pub fn f() {} }", ""),
        ("pub fn f();", "fn f() {}", "missing f"),
        ("pub fn f(a: u8);", "pub fn f(a: u16) {}", "different f"),
        ("pub fn f(a: u8);", "pub fn f(b: u8) {}", "different f"),
        ("pub fn f() -> u8;", "pub fn f() -> Option<u8> { None }", "different f"),
        ("impl Cart {\n    pub fn add(&self);\n}", "pub struct Cart;\nimpl Cart {}", "missing Cart::add"),
        ("pub struct Cart;\nimpl Cart {\n    pub fn add(&self);\n}", "pub struct Other;", "missing Cart"),
    ];
    for (contract, code, expected) in table {
        assert_eq!(findings(contract, "src/lib.rs", code), expected, "{contract} / {code}");
    }
}

#[test]
fn stubs_panic_until_the_code_is_written() {
    let table = [
        ("pub fn add(a: u8) -> u8;", "pub fn add(a: u8) -> u8 {\n    panic!(\"not written yet\")\n}"),
        (
            "impl Cart {\n    pub fn add(&mut self);\n}",
            "impl Cart {\n    pub fn add(&mut self) {\n        panic!(\"not written yet\")\n    }\n}",
        ),
        ("pub struct Cart {\n    pub lines: Vec<u8>,\n}", "pub struct Cart {\n    pub lines: Vec<u8>,\n}"),
        ("pub fn done() {}", "pub fn done() {}"),
    ];
    for (contract, expected) in table {
        let stub = stub_of(Language::Rust, contract).unwrap();
        assert_eq!(stub, expected, "{contract}");
        assert_eq!(parses(Language::Rust, stub.as_bytes()), Ok(()));
    }
}

#[test]
fn bodies_are_cut_out_and_lines_stay() {
    let table = [
        ("fn f() -> char { '}' }", "fn f() -> char {}"),
        ("fn f<'a>(s: &'a str) {\n    g(s)\n}\n", "fn f<'a>(s: &'a str) {\n\n}\n"),
        ("const S: &str = r#\"fn f() { \"#;\nfn g() { x }", "const S: &str = r#\"fn f() { \"#;\nfn g() {}"),
        ("struct P { x: u8 }", "struct P { x: u8 }"),
        ("fn f() { \"}\"", "none"),
        // Tests need their bodies.
        ("#[test]\nfn a() { x }", "none"),
        ("#[tokio::test]\nasync fn a() { x }", "none"),
    ];
    for (text, expected) in table {
        assert_eq!(cut("src/lib.rs", text), expected, "{text}");
    }
}

#[test]
fn canaries_stand_in_the_module_of_the_model() {
    let inner = "mod tests {\n    #[test]\n    fn a() {}\n}\n";
    let property = "mod tests {\n    proptest! {\n        #[test]\n        fn a(x in 0..9u8) {}\n    }\n}\n";
    let table = [
        ("tests/it.rs", "#[test]\nfn a() {}\n", Runner::CargoTest, "tests/it.rs a_qx1, tests/it.rs a_qx2"),
        ("src/lib.rs", inner, Runner::Nextest, "src/lib.rs::tests::a_qx1, src/lib.rs::tests::a_qx2"),
        // Inside a macro there is no place for a function.
        ("src/lib.rs", property, Runner::CargoTest, "src/lib.rs::a_qx1, src/lib.rs::a_qx2"),
        ("src/lib.rs", inner, Runner::Pytest, "none"),
    ];
    for (path, text, runner, expected) in table {
        assert_eq!(canary_names(path, text, runner), expected, "{text}");
    }
}

/// What a macro of the task makes does not compile yet; what another macro makes is no work of the task.
#[test]
fn code_that_a_macro_of_the_task_makes() {
    let said = "error[E0004]: non-exhaustive patterns: type `&Empty` is non-empty\n --> tests/it.rs:1:1\n  = note: this error \
                originates in the derive macro `EnumCount` (in Nightly builds, run with -Z macro-backtrace for more info)\n";
    let read = |file: &str| errors_in(Language::Rust, said, &[file], &[]);
    assert_eq!(read("kinds/src/enum_count.rs"), "missing EnumCount");
    assert_eq!(read("kinds_macros/src/helpers.rs"), "missing EnumCount");
    assert_eq!(read("src/cart.rs"), "other");
}

#[test]
fn errors_of_rustc_and_cargo() {
    let own: &[&str] = &["src/cart.rs"];
    let table: [(&str, &[&str], &str); 21] = [
        ("", own, ""),
        ("error[E0425]: cannot find value `a`\nerror[E0425]: cannot find value `a`\n", own, "missing a"),
        ("error[E0603]: function `total` is private\n", own, "missing total"),
        ("error[E0609]: no field `size` on type `Cart`\n", own, "missing size"),
        (
            "error[E0599]: the method `go` exists for struct `S`, but its trait bounds were not satisfied\n",
            own,
            "other",
        ),
        // A consequence of an error elsewhere.
        ("error[E0282]: type annotations needed\n", own, ""),
        ("error[E0308]: mismatched types\n", own, "other"),
        ("error[E0583]: file not found for module `line`\n", own, "foreign"),
        ("error[E0583]: file not found for module `cart`\n", own, "missing cart"),
        ("error[E0433]: failed to resolve: use of undeclared crate or module `serde`\n", own, "foreign"),
        (
            "error[E0433]: failed to resolve: use of undeclared crate or module `serde`\n",
            &["Cargo.toml"],
            "missing serde",
        ),
        (
            "error: couldn't read `tests/data/a.txt`: No such file or directory\n",
            &["tests/data/a.txt"],
            "missing tests/data/a.txt",
        ),
        ("error: couldn't read `tests/data/a.txt`: No such file or directory\n", own, "other"),
        ("error: no test target named `cart`\n", own, ""),
        (
            "error: failed to load manifest for workspace member `/w/crates/sums`\n",
            &["crates/sums/Cargo.toml"],
            "missing /w/crates/sums",
        ),
        ("error: failed to load manifest for workspace member `/w/crates/sums`\n", own, "other"),
        ("error: could not compile `shop` (lib test) due to 1 previous error\n", own, ""),
        ("error: unterminated double quote string\n", own, "syntax"),
        ("error: expected one of `!` or `::`, found `x`\n", own, "syntax"),
        ("  error[E0425]: cannot find value `a`\n", own, ""),
        ("warning: unused variable: `a`\n", own, ""),
    ];
    for (output, files, expected) in table {
        assert_eq!(errors_in(Language::Rust, output, files, &[]), expected, "{output}");
    }
}

#[test]
fn each_rule_and_what_only_looks_like_it() {
    assert_rules(
        "src/lib.rs",
        &[
            ("exit", "fn f() { std::process::exit(0) }", "fn f() { std::process::exit(3) }"),
            ("exit", "fn f() { libc::_exit(0) }", "fn main() { std::process::exit(0) }"),
            ("sniffs-place", "fn f() { std::thread::current(); }", "fn f() { std::thread::sleep(d); }"),
            (
                "sniffs-test",
                "fn f() -> bool { exe().contains(\"/deps/\") }",
                "fn f() -> bool { exe().contains(\"/depths/\") }",
            ),
            ("sniffs-test", "fn f() -> bool { cfg!(test) }", "fn f() -> bool { cfg!(unix) }"),
            ("at-exit", "fn f() { unsafe { libc::atexit(g); } }", "fn f() { register(g); }"),
            ("constructor", "#[ctor]\nfn a() {}", "#[inline]\nfn a() {}"),
            ("constructor", "core::arch::global_asm!(\"nop\");", "println!(\"asm\");"),
            ("constructor", "#[no_mangle]\npub fn exit() {}", "#[no_mangle]\npub fn shop_total() {}"),
            ("patches", "macro_rules! assert { () => {} }", "macro_rules! assert_close { () => {} }"),
            (
                "catches-all",
                "fn f() { match std::panic::catch_unwind(g) { _ => h() } }",
                "fn f() { match unwind(g) { _ => h() } }",
            ),
            (
                "catches-assertion",
                "fn f() { let _ = std::panic::catch_unwind(g); }",
                "fn f() { let _ = caught(g); }",
            ),
            (
                "reads-golden",
                "#[path = \"../tests/cart.rs\"]\nmod cart;",
                "#[path = \"unix/cart.rs\"]\nmod cart;",
            ),
            (
                "always-equal",
                "struct A(u8);\nimpl PartialEq for A { fn eq(&self, other: &A) -> bool { true } }",
                "struct A(u8);\nimpl PartialEq for A { fn eq(&self, other: &A) -> bool { self.0 == other.0 } }",
            ),
        ],
    );
    for path in ["src/main.rs", "build.rs", "src/bin/tool.rs", "examples/a.rs", "src/cli.rs"] {
        assert_eq!(rules_broken(path, "fn f() { std::process::exit(0) }"), "", "{path}");
    }
}

#[test]
fn manifests_that_turn_tests_off() {
    let table = [
        ("[package]\nautotests = false\n", "tests-off"),
        ("[package]\nautotests = true\n", ""),
        ("[lib]\ntest = false\n", "tests-off"),
        ("[lib]\ndoctest = false\n", ""),
        ("[[test]]\nname = 'a'\nharness = false\n", "tests-off"),
        ("[[test]]\nname = 'a'\nrequired-features = ['x']\n", "tests-off"),
        ("[[bench]]\nname = 'a'\nharness = false\n", ""),
        ("[profile.test]\ndebug-assertions = false\n", "tests-off"),
        ("[profile.release]\ndebug-assertions = false\n", ""),
        ("this is not toml", ""),
    ];
    for (text, expected) in table {
        assert_eq!(rules_broken("crates/a/Cargo.toml", text), expected, "{text}");
    }
    assert_eq!(rules_broken("other.toml", "[lib]\ntest = false\n"), "");
}

#[test]
fn imports_and_the_files_they_mean() {
    let tree = |path, text| {
        [
            ("Cargo.toml", "[package]\nname = \"shop\"\n"),
            ("src/lib.rs", ""),
            ("src/cart/mod.rs", ""),
            ("src/cart/line.rs", ""),
            ("src/money.rs", ""),
            ("crates/core/Cargo.toml", "[package]\nname = \"shop-core\"\n"),
            ("crates/core/src/lib.rs", ""),
            ("crates/core/src/tax.rs", ""),
            (path, text),
        ]
    };
    let table = [
        ("src/a.rs", "use crate::money::Money;\n", "src/money.rs"),
        ("src/a.rs", "use crate::cart::line::Line;\n", "src/cart/line.rs"),
        ("src/a.rs", "use crate::cart::line;\n", "src/cart/line.rs"),
        ("src/a.rs", "use crate::Config;\n", "src/lib.rs"),
        ("src/cart/total.rs", "use super::line::Line;\n", "src/cart/line.rs"),
        ("src/cart/total.rs", "use super::super::money::Money;\n", "src/money.rs"),
        ("src/a.rs", "use shop_core::tax::Tax;\n", "crates/core/src/tax.rs"),
        ("src/a.rs", "use std::fmt;\nuse serde::Serialize;\n", ""),
    ];
    for (path, text, expected) in table {
        assert_eq!(imported(&tree(path, text), path), expected, "{path}: {text}");
    }
}

#[test]
fn unit_tests_stand_in_the_file() {
    for path in ["src/cart.rs", "src/main.rs", "build.rs"] {
        let file = test_file_for(path, &[], "").unwrap();
        assert_eq!((file.path.as_str(), file.inline), (path, true));
    }
    assert_eq!(test_file_for("examples/a.rs", &[], ""), None);
    assert_eq!(test_file_for("benches/a.rs", &[], ""), None);
}

#[test]
fn tests_that_the_build_may_leave_out() {
    let text = "#[test]\nfn plain() {}\n#[cfg(windows)]\n#[test]\nfn windows() {}\n\
        #[test]\n#[cfg_attr(miri, ignore)]\nfn slow() {}\n#[cfg_attr(test, allow(unused))]\n#[test]\nfn allowed() {}\n\
        #[cfg(test)]\nmod tests {\n    #[test]\n    fn inner() {}\n}\n\
        #[cfg(all(test, feature = \"x\"))]\nmod more {\n    #[test]\n    fn featured() {}\n}\n";
    let conditional = |text: &str| -> Vec<String> {
        let items = crate::syntax::tests("tests/a.rs", text.as_bytes()).into_iter();
        items.filter(|item| item.condition.is_some()).map(|item| item.name).collect()
    };
    assert_eq!(conditional(text), ["windows", "slow", "more::featured"]);
    assert_eq!(conditional("#![cfg(unix)]\n#[test]\nfn all() {}\n"), ["all"]);
}
