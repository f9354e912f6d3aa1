//! Names of tests, and the outline of a test file.

use super::*;
use windlass_core::plan::CodeBlock;

#[test]
fn names_of_tests_are_words_of_the_criterion() {
    let table = [
        ("The cart must have a sum", "cart have sum"),
        // Nothing between backticks is small, and nothing but letters and digits stays.
        ("`the(a)` returns `an`", "the a returns an"),
        ("50 lines at most", "case 50 lines at most"),
        ("one two three four five six seven eight nine", "one two three four five six seven eight"),
        ("Größe ✓", "gr e"),
        ("…", "case"),
        ("", "case"),
    ];
    for (text, expected) in table {
        assert_eq!(words(text).join(" "), expected, "{text}");
    }
}

fn outline(code: &str, cases: &[(&str, &str)]) -> Option<TestOutline> {
    let contract = [CodeBlock { code: code.into(), ..CodeBlock::default() }];
    let cases: Vec<CaseWanted<'_>> = cases.iter().map(|(id, text)| CaseWanted { id, text }).collect();
    let wanted = TestWanted {
        file: "tests/test_cart.py",
        subject: "shop/cart.py",
        contract: &contract,
        cases: &cases,
    };
    TestOutline::read(Language::Python, &wanted)
}

const CONTRACT: &str =
    "class Cart: ...\n\ndef total(cart: Cart) -> int: ...\n\ndef slug(text: str) -> str: ...\n";

#[test]
fn one_criterion_in_several_spellings() {
    let made = outline(CONTRACT, &[("AC-1", "the  cart's\n\"sum\" is `0`")]).unwrap();
    let case = &made.cases[0];
    assert_eq!(case.snake(), "cart_s_sum_is_0");
    assert_eq!(case.pascal(), "CartSSumIs0");
    assert_eq!(case.camel(), "cartSSumIs0");
    assert_eq!(case.says, "AC-1: the cart's \"sum\" is `0`");
    assert_eq!(case.title(), "AC-1: the cart’s sum is 0");
}

#[test]
fn tests_of_the_same_words_have_different_names() {
    let made = outline(CONTRACT, &[("AC-1", "it sums"), ("AC-2", "It sums!"), ("", "it sums")]).unwrap();
    let names: Vec<String> = made.cases.iter().map(TestCase::snake).collect();
    assert_eq!(names, ["it_sums", "it_sums_2", "it_sums_3"]);
    assert_eq!(made.cases[2].says, "it sums");
}

#[test]
fn names_are_imported_as_far_as_they_are_used() {
    let used = |text: &str| outline(CONTRACT, &[("", text)]).unwrap().used().join(" ");
    assert_eq!(used("`slug(\"A\")` returns `\"a\"`"), "slug");
    // A case that is still open may need any of them.
    assert_eq!(used("it sums"), "Cart total slug");
}

#[test]
fn without_criteria_every_function_has_a_case() {
    let made = outline(CONTRACT, &[]).unwrap();
    let names: Vec<String> = made.cases.iter().map(TestCase::snake).collect();
    assert_eq!(names, ["total_does_what_it_is_for", "slug_does_what_it_is_for"]);
    assert_eq!(made.hint(), "def total(cart: Cart) -> int; def slug(text: str) -> str");
    let many: String = (0..9).map(|n| format!("def f{n}(): ...\n")).collect();
    assert_eq!(outline(&many, &[]).unwrap().cases.len(), 5);
}

#[test]
fn a_contract_without_functions_has_no_outline() {
    for code in ["", "class Cart: ...", "LIMIT = 3", "not python ("] {
        assert!(outline(code, &[("AC-1", "it sums")]).is_none(), "{code}");
    }
}

/// Blocks of other languages and of other files are not the contract of this file.
#[test]
fn only_blocks_for_the_subject_count() {
    let read = |language: Option<&str>, path: Option<&str>| {
        let contract = [CodeBlock {
            language: language.map(str::to_owned),
            path: path.map(str::to_owned),
            code: "def total(): ...".into(),
            ..CodeBlock::default()
        }];
        let wanted = TestWanted {
            file: "tests/test_cart.py",
            subject: "shop/cart.py",
            contract: &contract,
            cases: &[],
        };
        TestOutline::read(Language::Python, &wanted).is_some()
    };
    assert!(
        read(Some("python"), Some("shop/cart.py")) && read(Some(""), None) && read(Some("klingon"), None)
    );
    assert!(!read(Some("ts"), None) && !read(None, Some("shop/order.py")));
}
