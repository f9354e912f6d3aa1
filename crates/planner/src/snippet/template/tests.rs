//! Quotes in generated code.

use super::quoted;

#[test]
fn texts_are_quoted_for_code() {
    let table = [
        ("a", None, "\"a\""),
        ("say \"a\"", None, "\"say \\\"a\\\"\""),
        ("it's", Some("'"), "'it\\'s'"),
        ("say \"a\"", Some("'"), "'say \"a\"'"),
        ("C:\\x", None, "\"C:\\\\x\""),
        // A backslash before a quote is escaped first, so the quote stays inside.
        ("\\\"", None, "\"\\\\\\\"\""),
        ("", None, "\"\""),
    ];
    for (text, quote, expected) in table {
        assert_eq!(quoted(text, quote), expected, "{text}");
    }
}
