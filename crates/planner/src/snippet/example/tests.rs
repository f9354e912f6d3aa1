//! Examples in criteria.

use super::*;

#[test]
fn methods_of_a_class_are_called_by_its_name() {
    let calls = [
        ("Text.slug".to_owned(), "public static String slug(String text)".to_owned()),
        ("Text.add".to_owned(), "public String add(String text)".to_owned()),
    ];
    let call = |language, text| called(language, text, &calls).unwrap_or_default();
    assert_eq!(call(Language::Java, "slug(\"A\")"), "Text.slug(\"A\")");
    assert_eq!(call(Language::Java, "Text.slug(\"A\")"), "Text.slug(\"A\")");
    assert_eq!(call(Language::Php, "Text::slug('A')"), "Text::slug('A')");
    assert_eq!(call(Language::Java, "Other.slug(\"A\")"), "");
    assert_eq!(call(Language::Java, "add(\"A\")"), "");
    let ruby = [("Shop::Text.slug".to_owned(), "def self.slug(text)".to_owned())];
    for text in ["slug(1)", "Text.slug(1)", "Shop::Text.slug(1)"] {
        assert_eq!(called(Language::Ruby, text, &ruby).as_deref(), Some("Shop::Text.slug(1)"), "{text}");
    }
}

#[test]
fn examples_are_read_only_when_everything_is_stated() {
    let calls = [("slug".to_owned(), "def slug(text)".to_owned()), ("Cart.total".into(), String::new())];
    let table = [
        ("`slug(\"A b\")` returns `\"a-b\"`", "Equals slug(\"A b\") \"a-b\""),
        ("Given x, `slug('')` is `''`.", "Equals slug('') ''"),
        ("`slug(None)` raises `ValueError`", "Raises slug(None) ValueError"),
        (
            "`slug(\"A\") == \"a\"` and `slug(\"B\") == \"b\"`",
            "Equals slug(\"A\") \"a\"; Equals slug(\"B\") \"b\"",
        ),
        ("`slug(\"A b\")` returns `a-b`", ""),
        ("`slug(\"A b\")` does not return `\"a\"`", ""),
        ("`other(1)` returns `2`", ""),
        ("`cart.total()` returns `2`", ""),
        ("slugs are lower case", ""),
        ("an odd ` backtick", ""),
    ];
    for (text, expected) in table {
        let found: Vec<String> = checks(Language::Python, text, &calls)
            .into_iter()
            .map(|check| match check {
                Check::Equals { call, value } => format!("Equals {call} {value}"),
                Check::Raises { call, error } => format!("Raises {call} {error}"),
            })
            .collect();
        assert_eq!(found.join("; "), expected, "{text}");
    }
}

/// What counts as a value differs between languages.
#[test]
fn values_by_language() {
    let table = [
        (Language::Python, "None True -1 1_000 0.5 'a' [1] {}", "none x 1a - null"),
        (Language::TypeScript, "null undefined true 'a' [1] {}", "None nil"),
        (Language::Rust, "true None Some(1) vec![1] \"a\" 3", "null 'ab' [x Somewhat(1"),
        (Language::Go, "nil true 3 \"a\"", "null None 'a'"),
        (Language::Ruby, "nil true 'a' [1]", "None null"),
        (Language::Java, "null true \"a\" 3", "None 'ab' nil"),
    ];
    for (language, values, others) in table {
        for value in values.split(' ') {
            assert!(is_literal(language, value), "{language:?}: {value}");
        }
        for other in others.split(' ').chain([""]) {
            assert!(!is_literal(language, other), "{language:?}: {other}");
        }
    }
}

#[test]
fn names_in_checks_are_whole_words() {
    let check = Check::Equals { call: "slug(text)".into(), value: "Slug(1)".into() };
    for (name, expected) in [("slug", true), ("text", true), ("Slug", true), ("slu", false), ("", true)] {
        assert_eq!(check.mentions(name), expected, "{name}");
    }
}

#[test]
fn words_between_a_call_and_its_value() {
    let calls = [("f".to_owned(), "def f(x)".to_owned())];
    let count = |between: &str| checks(Language::Python, &format!("`f(1)`{between}`2`"), &calls).len();
    for between in [" returns ", " is ", ", it gives: ", " → ", " => ", " Evaluates to "] {
        assert_eq!(count(between), 1, "{between}");
    }
    for between in [" ", " with ", " is not ", " never returns ", " or is ", " is then in the end "] {
        assert_eq!(count(between), 0, "{between}");
    }
}
