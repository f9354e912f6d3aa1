//! Whether a name in a report is a test found in source code.
//!
//! A report's names are those of [`crate::report`]; an item's name is [`TestItem::name`](super::TestItem), best with
//! its file in front as [`TestItem::name_in`](super::TestItem::name_in) gives it. Parameters (`test[1]`, `test::case_1`,
//! titles with `%s` or `${…}`) are the same test.

use super::language_of;

/// Whether `report_name` is the test that `item_name` names.
pub fn same_test(report_name: &str, item_name: &str) -> bool {
    if report_name == item_name {
        return true;
    }
    let Some((path, name)) = split_file(item_name) else { return same_unqualified(report_name, item_name) };
    language_of(path).is_some_and(|language| (language.row().same_test)(report_name, path, name))
}

/// Splits `path::name`, `path > name` or `path name` where the path is a source file.
fn split_file(item: &str) -> Option<(&str, &str)> {
    let by = |separator: &str| {
        let (path, name) = item.split_once(separator)?;
        language_of(path).map(|_| (path, name))
    };
    by(" > ").or_else(|| by("::")).or_else(|| by(" "))
}

/// Whether one path is the other seen from a directory further in or out.
pub(crate) fn same_path(a: &str, b: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let (a, b) = (a.trim_start_matches("./"), b.trim_start_matches("./"));
    ends(a, b) || ends(b, a)
}

pub(crate) fn without_parameters(name: &str) -> &str {
    name.split_once('[').map_or(name, |(name, _)| name)
}

/// The modules in front when `test` is `name` itself, inside modules, or one case of it.
pub(crate) fn ends_with_path<'a>(test: &'a str, name: &str) -> Option<&'a str> {
    let strip = |test: &'a str| match test.strip_suffix(name)? {
        "" => Some(""),
        rest => rest.strip_suffix("::"),
    };
    // `rstest` and `test_case` append a segment to the function's name.
    strip(test).or_else(|| strip(test.rsplit_once("::")?.0))
}

/// Compares a title with its pattern, in which `%s`, `$name` and `${…}` stand for anything.
pub(crate) fn same_title(title: &str, pattern: &str) -> bool {
    let parts = fixed_parts(pattern);
    let [first, .., last] = parts.as_slice() else { return title == pattern };
    if parts.len() == 1 {
        return title == pattern;
    }
    let Some(mut rest) = title.strip_prefix(first.as_str()) else { return false };
    for part in &parts[1..parts.len() - 1] {
        let Some(at) = rest.find(part.as_str()) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last.as_str())
}

/// The pieces of a pattern between its placeholders; one piece when there is none.
fn fixed_parts(pattern: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        let placeholder = match c {
            '%' => chars.next_if(|next| "sdifjoOp#$c%".contains(*next)).is_some(),
            '$' if chars.peek() == Some(&'{') => {
                skip_braces(&mut chars);
                true
            }
            '$' => {
                let named =
                    chars.peek().is_some_and(|next| next.is_alphabetic() || *next == '_' || *next == '#');
                while named && chars.next_if(|next| next.is_alphanumeric() || "_.#".contains(*next)).is_some()
                {
                }
                named
            }
            _ => false,
        };
        if placeholder {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts
}

fn skip_braces(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let mut depth = 0usize;
    for c in chars.by_ref() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}

pub(crate) fn same_unqualified(report: &str, name: &str) -> bool {
    let report = without_parameters(report);
    let ends =
        [" > ", "::", " ", "/", "."].iter().any(|separator| report.ends_with(&format!("{separator}{name}")));
    ends || report == name || ends_with_path(report, name).is_some() || same_title(report, name)
}

#[cfg(test)]
mod tests {
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
}
