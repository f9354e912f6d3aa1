//! What `setup.py` and `noxfile.py` say in literals, read without running them.

use super::python_needs::NamedLists;

/// What sessions of nox install whose name has `test` in it.
pub(super) fn nox_installs(text: &str) -> Vec<String> {
    let sessions = text.split("\ndef ").skip(1);
    let of_tests = sessions.filter(|body| body.split('(').next().is_some_and(|name| name.contains("test")));
    let mut found = Vec::new();
    for body in of_tests {
        for call in body.split("session.install(").skip(1) {
            let words = literals(call.split(')').next().unwrap_or_default());
            let mut words = words.into_iter().peekable();
            while let Some(word) = words.next() {
                match (word.as_str(), words.peek()) {
                    ("-r", Some(list)) => found.push(format!("-r {list}")),
                    ("-e", _) => {}
                    _ => found.push(word),
                }
            }
        }
    }
    found
}

/// The string literals of a piece of Python.
fn literals(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'']) {
        let quote = &rest[at..=at];
        let inner = &rest[at + 1..];
        let Some(end) = inner.find(quote) else { break };
        found.push(inner[..end].to_owned());
        rest = &inner[end + 1..];
    }
    found
}

/// The literal behind `key=`.
pub(super) fn string_after(code: &str, key: &str) -> Option<String> {
    let value = after_key(code, key)?;
    value.starts_with(['"', '\'']).then(|| literals(value).into_iter().next()).flatten()
}

/// The literals of the list behind `key=`.
pub(super) fn strings_after(code: &str, key: &str) -> Vec<String> {
    let list = after_key(code, key).and_then(|value| value.strip_prefix(['[', '(']));
    list.map(|inner| literals(inner.split([']', ')']).next().unwrap_or_default())).unwrap_or_default()
}

fn after_key<'a>(code: &'a str, key: &str) -> Option<&'a str> {
    code.match_indices(key).find_map(|(at, _)| {
        let rest = code[at + key.len()..].trim_start();
        Some(rest.strip_prefix('=')?.trim_start()).filter(|rest| !rest.starts_with('='))
    })
}

/// The lists of the dictionary behind `key=`, by their names.
pub(super) fn lists_in(code: &str, key: &str) -> NamedLists {
    let Some(inner) = after_key(code, key).and_then(|value| value.strip_prefix('{')) else {
        return NamedLists::new();
    };
    let mut found = NamedLists::new();
    for part in inner.split('}').next().unwrap_or_default().split(']') {
        let Some((head, list)) = part.split_once('[') else { continue };
        let name = literals(head).pop();
        found.extend(name.map(|name| (name, literals(list))));
    }
    found
}
