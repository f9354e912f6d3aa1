//! Small questions to JSON that may hold anything, and text cut to what is worth keeping.

use serde_json::Value;

/// The longest text that is kept of one message.
const MESSAGE: usize = 64 << 10;
/// The longest line about a tool.
const BRIEF: usize = 300;

/// A text below a path of keys.
pub(super) fn text<'a>(value: &'a Value, path: &[&str]) -> Option<&'a str> {
    at(value, path)?.as_str()
}

/// A number below a path of keys; 0 where there is none.
pub(super) fn number(value: &Value, path: &[&str]) -> u64 {
    at(value, path).and_then(Value::as_u64).unwrap_or(0)
}

/// Whether a path of keys leads to `true`.
pub(super) fn is_true(value: &Value, path: &[&str]) -> bool {
    at(value, path).and_then(Value::as_bool).unwrap_or(false)
}

/// What lies below a path of keys, nothing included.
pub(super) fn at<'a>(value: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(value, |v, key| v.get(key)).filter(|v| !v.is_null())
}

/// The items of a list below a path of keys.
pub(super) fn items<'a>(value: &'a Value, path: &[&str]) -> &'a [Value] {
    at(value, path).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A message, cut to what is kept.
pub(super) fn message(text: &str) -> String {
    cut(text, MESSAGE).to_owned()
}

/// The first line that says something, cut to a readable length.
pub(super) fn line(text: &str) -> String {
    let first = text.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or("");
    let short = cut(first, BRIEF);
    if short.len() < first.len() { format!("{short}…") } else { short.to_owned() }
}

/// An error in its plainest words: without the brackets around it, and the message out of the JSON it may be.
pub(super) fn plain_error(words: &str) -> String {
    let inner = words.trim().strip_prefix("[API Error: ").unwrap_or(words.trim());
    let inner = inner.lines().next().unwrap_or_default().trim_end_matches(']');
    let json = inner.starts_with('{').then(|| serde_json::from_str::<Value>(inner).ok()).flatten();
    let Some(json) = json else { return line(inner) };
    let Some(message) = text(&json, &["error", "message"]) else { return line(inner) };
    match at(&json, &["error", "code"]) {
        Some(code) => line(&format!("{message} ({})", code.to_string().trim_matches('"'))),
        None => line(message),
    }
}

/// What a tool is used on: the one argument that tells most.
pub(super) fn argument(input: &Value) -> String {
    const TELLING: [&str; 10] = [
        "command",
        "file_path",
        "filePath",
        "path",
        "absolute_path",
        "pattern",
        "query",
        "url",
        "description",
        "prompt",
    ];
    let told = TELLING.iter().find_map(|key| input.get(key)?.as_str());
    match told {
        Some(told) => line(told),
        None if input.as_object().is_none_or(serde_json::Map::is_empty) => String::new(),
        None => line(&input.to_string()),
    }
}

/// The file a tool is about.
pub(super) fn file(input: &Value) -> Option<String> {
    ["file_path", "filePath", "filepath", "notebook_path", "path"]
        .iter()
        .find_map(|k| Some(input.get(k)?.as_str()?.to_owned()))
}

/// At most so many bytes, at a character's edge.
pub(super) fn cut(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_is_cut_between_characters() {
        assert_eq!(cut("aäb", 2), "a");
        assert_eq!(cut("aäb", 3), "aä");
        assert_eq!(line("\n  first \nsecond"), "first");
        assert_eq!(line(&"ä".repeat(400)).chars().count(), 151);
    }

    #[test]
    fn errors_are_told_in_their_plainest_words() {
        let json = r#"{"error":{"code":401,"message":"no such key"}}"#;
        assert_eq!(plain_error(&format!("[API Error: {json}]")), "no such key (401)");
        assert_eq!(plain_error(r#"{"error": {"message": "bad", "code": "400"}}"#), "bad (400)");
        assert_eq!(plain_error("[API Error: 401 no such key]\nmore"), "401 no such key");
        assert_eq!(plain_error("it broke"), "it broke");
        assert_eq!(plain_error("{broken"), "{broken");
        assert_eq!(plain_error(""), "");
    }

    #[test]
    fn the_telling_argument_is_told() {
        assert_eq!(argument(&json!({"command": "ls\nrm x", "timeout": 3})), "ls");
        assert_eq!(argument(&json!({"x": 1})), "{\"x\":1}");
        assert_eq!(argument(&json!({})), "");
        assert_eq!(argument(&json!("text")), "");
    }
}
