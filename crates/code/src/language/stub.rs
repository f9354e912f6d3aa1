//! Bodies for the declarations of a contract, so that they can stand in a file until the code is written.

/// The code with a body for each declaration that ends its line without one.
pub(crate) fn with_body(code: &str, word: &str, body: &str) -> String {
    let one = |line: &str| {
        let text = line.trim_end();
        let declares = text.split_whitespace().any(|w| w.trim_start_matches("pub(crate)") == word.trim());
        let open = text.ends_with(['{', '}', ',', '(']);
        if !declares || open || line.starts_with([' ', '\t', '/', '#']) {
            return text.to_owned();
        }
        format!("{}{body}", text.trim_end_matches(';').trim_end())
    };
    code.lines().map(one).collect::<Vec<_>>().join("\n")
}

/// The code with a body for each indented declaration that ends in a semicolon.
pub(crate) fn with_method_bodies(code: &str, word: &str, body: &str) -> String {
    let one = |line: &str| match line.strip_suffix(';') {
        Some(head) if line.starts_with(' ') && head.contains(word) && head.contains('(') => {
            format!("{head}{body}")
        }
        _ => line.to_owned(),
    };
    code.lines().map(one).collect::<Vec<_>>().join("\n")
}

/// The code with a body for each method of a class that ends in a semicolon; those of interfaces have none.
pub(crate) fn with_class_bodies(code: &str, body: &str) -> String {
    let mut inside = false;
    let one = |line: &str| {
        if !line.starts_with(' ') {
            inside = line.contains("class ");
        }
        match line.strip_suffix(';') {
            Some(head) if inside && line.starts_with(' ') && head.contains('(') => format!("{head}{body}"),
            _ => line.to_owned(),
        }
    };
    code.lines().map(one).collect::<Vec<_>>().join("\n")
}
