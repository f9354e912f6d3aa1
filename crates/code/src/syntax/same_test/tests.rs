//! Names in reports and tests in source code.

use proptest::prelude::*;

use super::*;

#[test]
fn names_of_reports_and_items() {
    let yes = [
        ("tests/test_x.py::test_a", "tests/test_x.py::test_a"),
        ("tests/test_x.py::test_a[x::y]", "tests/test_x.py::test_a"),
        ("test_x.py::TestC::test_a", "pkg/test_x.py::TestC::test_a"),
        ("tests.test_x.TestC::test_a[1]", "tests/test_x.py::TestC::test_a"),
        ("tests/it.rs it_works", "tests/it.rs::it_works"),
        ("tests/it.rs it_works", "crates/a/tests/it.rs::it_works"),
        ("tests/it/main.rs sub::works", "tests/it/sub.rs::works"),
        ("src/lib.rs@mycrate parser::tests::p", "src/parser.rs::tests::p"),
        ("src/lib.rs@mycrate tests::adds", "src/lib.rs::tests::adds"),
        ("src/lib.rs@mycrate a::b::tests::p", "crates/x/src/a/b.rs::tests::p"),
        ("src/lib.rs@mycrate tests::cases::case_1", "src/lib.rs::tests::cases"),
        ("mycrate::it it_works", "tests/it.rs::it_works"),
        ("mycrate::mycrate parser::tests::p", "src/parser.rs::tests::p"),
        ("src/a.test.ts > suite > inner", "src/a.test.ts > suite > inner"),
        ("a.test.ts > each 1 2", "src/a.test.ts > each %i %i"),
        ("a.test.ts > Foo > z 5!", "src/a.test.ts > ${Foo} > z ${n}!"),
        ("suite adds", "test/a.js > suite > adds"),
        ("example.com/lab/calc TestAdd/sub", "calc/calc_test.go::TestAdd"),
        ("example.com/lab TestAdd", "add_test.go::TestAdd"),
        ("example.com/lab/calc TestAdd", "services/lab/calc/calc_test.go::TestAdd"),
        ("tests.test_x.TestC::test_a", "tests/test_x.py::TestC::test_a"),
        ("spec/cart_spec.rb::Cart#total adds 3", "shop/spec/cart_spec.rb::Cart #total adds #{n}"),
        ("spec/cart_spec.rb::Cart is expected to eq 1", "spec/cart_spec.rb::Cart "),
        ("Shop::CartTest::test_adds", "test/cart_test.rb::Shop::CartTest::test_adds"),
        ("Shop Cart #total adds up", "test/cart_test.rb::Shop::Cart #total adds up"),
        ("CartTest::test_adds_up", "test/cart_test.rb::CartTest::adds up"),
        ("Shop.Tests.CartTest::testAdds[#0]", "tests/CartTest.php::CartTest::testAdds"),
        ("shop.CartTest::Inner::deep", "src/test/java/shop/CartTest.java::CartTest::Inner::deep"),
        ("Text.Slug", "tests/text_test.cpp::Text.Slug"),
        ("All/Text.Slug/0", "tests/text_test.cpp::Text.Slug"),
        ("text_test", "tests/text_test.cpp::slugs are short"),
        ("tests/test_x.py::test_a[1]", "test_a"),
        ("src/lib.rs@mycrate tests::adds", "adds"),
    ];
    for (report, item) in yes {
        assert!(same_test(report, item), "{report} is {item}");
    }
    let no = [
        ("tests/test_x.py::test_ab", "tests/test_x.py::test_a"),
        ("tests/test_y.py::test_a", "tests/test_x.py::test_a"),
        ("tests/test_x.py::TestD::test_a", "tests/test_x.py::TestC::test_a"),
        ("tests/other.rs it_works", "tests/it.rs::it_works"),
        ("src/lib.rs@mycrate it_works", "tests/it.rs::it_works"),
        ("src/lib.rs@mycrate lexer::tests::p", "src/parser.rs::tests::p"),
        ("src/lib.rs@mycrate tests::xadds", "src/lib.rs::adds"),
        ("src/b.test.ts > suite > inner", "src/a.test.ts > suite > inner"),
        ("src/a.test.ts > each 1", "src/a.test.ts > every %i"),
        ("example.com/lab/calc TestAddMore", "calc/calc_test.go::TestAdd"),
        ("example.com/lab/other TestAdd", "calc/calc_test.go::TestAdd"),
        ("spec/page_spec.rb::Cart adds", "spec/cart_spec.rb::Cart adds"),
        ("CartTest::test_adds_more", "test/cart_test.rb::CartTest::test_adds"),
        ("Shop.Tests.CartTest::testAddsMore", "tests/CartTest.php::CartTest::testAdds"),
        ("shop.OtherTest::adds", "src/test/java/shop/CartTest.java::CartTest::adds"),
        ("Text.SlugMore", "tests/text_test.cpp::Text.Slug"),
        ("page_test", "tests/text_test.cpp::Text.Slug"),
    ];
    for (report, item) in no {
        assert!(!same_test(report, item), "{report} is not {item}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_names_are_fine(a in "\\PC{0,40}", b in "[a-z$%{}>:. /]{0,30}(\\.ts|\\.py|\\.rs|\\.go)?( > |::)[a-z$%{}]{0,10}") {
        let _ = same_test(&a, &b);
        prop_assert!(same_test(&b, &b));
    }
}

#[test]
fn titles_with_placeholders() {
    let table = [
        ("adds 1 and 2", "adds %i and %i", true),
        ("adds", "adds %i", false),
        ("adds 1 more", "adds %i", true),
        ("100%", "100%", true),
        ("50% done", "50% done", true),
        ("a b c", "a $x c", true),
        ("a 1 c", "a $row.x c", true),
        ("price $5", "price $5", true),
        ("price $6", "price $5", false),
        ("a 1 c", "a ${x.map((y) => { return y })} c", true),
        ("a 1 d", "a ${x} c", false),
    ];
    for (title, pattern, expected) in table {
        assert_eq!(same_title(title, pattern), expected, "{title} / {pattern}");
    }
}

#[test]
fn paths_seen_from_elsewhere() {
    let table = [
        ("./a/b.py", "a/b.py", true),
        ("b.py", "a/b.py", true),
        ("/w/a/b.py", "a/b.py", true),
        ("xb.py", "b.py", false),
        ("a/b.py", "c/b.py", false),
    ];
    for (a, b, expected) in table {
        assert_eq!((same_path(a, b), same_path(b, a)), (expected, expected), "{a} / {b}");
    }
}

#[test]
fn a_document_is_one_test_under_its_own_name() {
    assert!(same_test("tests/a.txt::a.txt", "b/tests/a.txt::a.txt"));
    assert!(!same_test("tests/a.txt::a.txt", "tests/b.txt::b.txt"));
}
