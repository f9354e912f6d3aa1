//! What the tolerant reader makes of good, bad and hostile texts.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::parse;
use windlass_core::diagnostic::{Diagnostic, Severity, Sources};

fn read(text: &str) -> (Option<Value>, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add("t.json", text);
    let mut out = Vec::new();
    let value = parse(&sources.file(file).text, file, &mut out).map(|n| n.to_value());
    (value, out)
}

/// The value, and each finding as `severity line:column message`.
fn shown(text: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add("t.json", text);
    let mut out = Vec::new();
    let value = parse(&sources.file(file).text, file, &mut out).map_or(Value::Null, |n| n.to_value());
    let mut lines = vec![value.to_string()];
    for d in out {
        let at = sources.position(d.span.expect("every finding of the parser has a place"));
        let mark = if d.severity == Severity::Error { "E" } else { "W" };
        lines.push(format!("{mark} {}:{} {}", at.line, at.column, d.message));
    }
    lines.join("\n")
}

#[test]
fn good_json_is_read_as_it_is() {
    for text in [
        r#"{"a": [1, -2.5e3, true, null, "x"], "b": {}}"#,
        r#""åäö \"quoted\" \\ \/ \b\f\n\r\t \u00e9 \ud83d\ude00""#,
        "\u{feff}{\r\n  \"a\": 1\r\n}\r\n",
        "[]",
        "0",
        "18446744073709551615",
    ] {
        let (value, found) = read(text);
        let expected: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).expect("good JSON");
        assert_eq!(value, Some(expected), "{text}");
        assert_eq!(found, [], "{text}");
    }
}

#[test]
fn a_mistake_is_shown_in_place_and_the_rest_is_read() {
    let cases = [
        "{\"a\": 1,}",
        "{\"a\": 1 \"b\": 2}",
        "{\"a\" 1, \"b\": 2}",
        "{\"a\": , \"b\": 2}",
        "{\"a\": oops, \"b\": 2}",
        "{a: 1, 'b': 2, \"c\": 3}",
        "{\"a\": \"open,\n \"b\": 2}",
        "[1, 2",
        r#"{"a": [{"b": 1"#,
        "{\"a\": [1, 2}",
        "[{\"a\": 1]",
        "{\"a\": 1} {\"b\": 2}",
        "// hello\n{\"a\": /* x */ True}",
        "{\"a\": 007, \"b\": \"\\x \\ud800\"}",
        "",
        "[1,,2]",
    ];
    let all: Vec<String> = cases.iter().map(|text| format!("{text}\n=> {}", shown(text))).collect();
    insta::assert_snapshot!(all.join("\n\n"), @r#"
    {"a": 1,}
    => {"a":1}
    W 1:8 the last item has a comma after it

    {"a": 1 "b": 2}
    => {"a":1,"b":2}
    W 1:9 a comma is missing before this

    {"a" 1, "b": 2}
    => {"a":1,"b":2}
    E 1:6 `:` expected after the key `a`

    {"a": , "b": 2}
    => {"a":null,"b":2}
    E 1:7 the key `a` has no value

    {"a": oops, "b": 2}
    => {"a":null,"b":2}
    E 1:7 a value was expected; skipped up to the next comma

    {a: 1, 'b': 2, "c": 3}
    => {"a":1,"c":3}
    W 1:2 the key `a` needs double quotes
    E 1:8 a key in double quotes was expected; skipped up to the next comma

    {"a": "open,
     "b": 2}
    => {"a":"open,","b":2}
    E 1:7 the string is not closed on its line
    W 2:2 a comma is missing before this

    [1, 2
    => [1,2]
    E 1:6 the file ends here, and `[` is never closed

    {"a": [{"b": 1
    => {"a":[{"b":1}]}
    E 1:15 the file ends here, and `{` is never closed

    {"a": [1, 2}
    => {"a":[1,2]}
    E 1:12 `[` is never closed

    [{"a": 1]
    => [{"a":1}]
    E 1:9 `{` is never closed

    {"a": 1} {"b": 2}
    => {"a":1}
    E 1:10 text follows the end of the JSON value

    // hello
    {"a": /* x */ True}
    => {"a":true}
    W 1:1 JSON has no comments; this one is skipped
    W 2:7 JSON has no comments; this one is skipped
    W 2:15 `True` is not JSON; it is read as meant

    {"a": 007, "b": "\x \ud800"}
    => {"a":"007","b":"\\x �"}
    W 1:7 `007` is not a JSON number; it is read as written
    W 1:18 this escape is not JSON; it is read as written
    W 1:21 half of a surrogate pair is not a character; it is replaced by `�`


    => null
    E 1:1 the file is empty, a JSON value was expected

    [1,,2]
    => [1,2]
    W 1:4 this comma is superfluous
    "#);
}

#[test]
fn the_last_of_two_equal_keys_wins_and_the_first_is_named() {
    insta::assert_snapshot!(shown(r#"{"id": "old", "x": 1, "id": "new"}"#), @r#"
    {"x":1,"id":"new"}
    E 1:23 the key `id` is repeated; the first value is not used (it was `old`)
    "#);
    let many: Vec<String> = (0..100).map(|i| format!("\"k{}\": {i}", i % 60)).collect();
    let (value, found) = read(&format!("{{{}}}", many.join(",")));
    assert_eq!(value.expect("an object")["k5"], json!(65));
    assert_eq!(found.len(), 20);
}

#[test]
fn deep_nesting_is_refused_without_a_stack() {
    for open in ["[", "{\"a\":", "[{\"a\":"] {
        let (_, found) = read(&open.repeat(100_000));
        assert!(found.iter().any(|d| d.message.contains("nested more than")), "{open}");
    }
    let fine = format!("{}{}", "[".repeat(100), "]".repeat(100));
    assert_eq!(read(&fine).1, []);
}

#[test]
fn a_file_of_garbage_gives_few_findings() {
    let (_, found) = read(&"{]}[:,\"".repeat(10_000));
    assert!(!found.is_empty() && found.len() <= 100, "{}", found.len());
}

#[test]
fn an_error_behind_many_warnings_is_still_an_error() {
    let odd = "True, ".repeat(60);
    let severities = |text: &str| -> Vec<Severity> { read(text).1.iter().map(|d| d.severity).collect() };
    assert!(severities(&format!("[{odd} 1]")).iter().all(|s| *s == Severity::Warning));
    assert_eq!(severities(&format!("[{odd} {{\"a\" 1}}]")).last(), Some(&Severity::Error));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_without_panic(text in "\\PC*") {
        read(&text);
    }

    #[test]
    fn json_like_soup_is_read_without_panic(parts in prop::collection::vec(
        prop::sample::select(vec!["{", "}", "[", "]", ",", ":", "\"", "\\", "\"a\"", "1", "é", "\n", "nul", "\\u12", "//", "/*"]), 0..60)) {
        read(&parts.concat());
    }

    #[test]
    fn what_serde_writes_is_read_the_same(value in any_json()) {
        let (read, found) = read(&value.to_string());
        prop_assert_eq!(read, Some(value));
        prop_assert_eq!(found, []);
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1.0e9..1.0e9).prop_map(|f: f64| Value::from(f)),
        "\\PC*".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec(("[a-z]{1,6}", inner), 0..30)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

#[test]
fn a_place_never_cuts_a_character() {
    for text in ["{é: 1}", "{\"a\": é}", "[1 é]", "{\"a\" é}", "é", "[\"a\"]é"] {
        let (_, out) = read(text);
        assert!(!out.is_empty(), "{text}");
        for found in out {
            let span = found.span.unwrap();
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{text}: {found:?}");
        }
    }
}
