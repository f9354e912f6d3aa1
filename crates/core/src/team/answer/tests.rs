//! JSON objects in prose.

use proptest::prelude::*;
use serde_json::json;

use super::find_object;

#[test]
fn the_last_object_with_the_key_counts() {
    let table = [
        (r#"{"verdict":"APPROVED"}"#, Some(json!({"verdict": "APPROVED"}))),
        ("Fine.\n```json\n{\"verdict\": \"REJECTED\"}\n```\n", Some(json!({"verdict": "REJECTED"}))),
        (r#"{"verdict":1} and then {"verdict":2} {"x":3}"#, Some(json!({"verdict": 2}))),
        (r#"{broken {"verdict":"APPROVED"}"#, Some(json!({"verdict": "APPROVED"}))),
        (r#"{"verdict": "APPRO"#, None),
        ("APPROVED", None),
        ("", None),
    ];
    for (text, expected) in table {
        assert_eq!(find_object(text, "verdict"), expected, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_survived(text in ".{0,200}") {
        if let Some(found) = find_object(&text, "verdict") {
            prop_assert!(found.get("verdict").is_some() && text.contains("verdict"), "{text}: {found}");
        }
    }

    #[test]
    fn an_object_is_found_in_any_prose(before in "[^{}\"\\\\]{0,100}", after in "[^{}\"\\\\]{0,100}") {
        let text = format!("{before}{{\"verdict\": 1}}{after}");
        prop_assert_eq!(find_object(&text, "verdict"), Some(json!({"verdict": 1})), "{}", text);
    }
}

#[test]
fn objects_are_found_in_prose_of_every_kind() {
    let yes = || Some(json!({"verdict": 1}));
    let table = [
        ("{\"verdict\":1}\r\n", yes()),
        ("\u{feff}{\"verdict\":1}", yes()),
        ("日本 {\"verdict\":1} 日本", yes()),
        ("[{\"verdict\":1}]", yes()),
        ("```\n{\"verdict\":1}\n```\n```\n{\"other\":2}\n```", yes()),
        ("{{\"verdict\":1}}", yes()),
        ("{\"a\":\"}{\"} {\"verdict\":1} }}}", yes()),
        // A broken answer at the end does not take back the one before it.
        ("{\"verdict\":1} {\"verdict\":", yes()),
        // Only the keys of the object itself count.
        ("{\"outer\":{\"verdict\":1}}", None),
        ("{\"text\":\"{\\\"verdict\\\":1}\"}", None),
        ("{\"Verdict\":1}", None),
        ("{'verdict':1}", None),
        ("verdict: 1", None),
    ];
    for (text, expected) in table {
        assert_eq!(find_object(text, "verdict"), expected, "{text}");
    }
}

#[test]
fn a_null_is_an_answer_and_deep_nesting_is_none() {
    assert_eq!(find_object("{\"verdict\":null}", "verdict"), Some(json!({"verdict": null})));
    assert_eq!(find_object(&"{\"verdict\":".repeat(2_000), "verdict"), None);
}
