//! The JSON object in what an agent said. Agents wrap their answers in prose and fences.

use serde_json::Value;

/// The last object in the text that has this key, or `None`. Whatever stands around it is ignored.
pub fn find_object(text: &str, key: &str) -> Option<Value> {
    // From the back: the last word counts. An object that does not parse is skipped, not repaired.
    let mut found = None;
    let mut at = 0;
    while let Some(offset) = text[at..].find('{') {
        let start = at + offset;
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                at = start + stream.byte_offset().max(1);
                if value.get(key).is_some() {
                    found = Some(value);
                }
            }
            Some(Err(_)) | None => at = start + 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
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
            find_object(&text, "verdict");
        }
    }
}
