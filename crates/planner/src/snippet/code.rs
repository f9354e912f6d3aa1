//! The frame of a file: the contract's declarations with bodies that refuse to work, below the imports that the files
//! beside it share.

use crate::snippet::CodeWanted;
use windlass_code::survey::{Language, Survey};

use super::go::package_of;
use windlass_code::detect::{dir_of, is_test_path, text};
use windlass_code::repo::Tree;
use windlass_code::syntax::{language_of, of_hint, parses, with_bodies};

/// The frame of a file that does not exist yet; `None` when unsure.
pub(crate) fn code_snippet(tree: &dyn Tree, survey: &Survey, wanted: &CodeWanted<'_>) -> Option<String> {
    let language = language_of(wanted.file)?;
    if survey.has(wanted.file) {
        return None;
    }
    let mut parts: Vec<String> = Vec::new();
    for block in wanted.contract {
        let stated = block.language.as_deref().filter(|l| !l.is_empty()).and_then(of_hint);
        if stated.is_some_and(|stated| !stated.same_family(language))
            || block.path.as_deref().is_some_and(|path| path != wanted.file)
        {
            continue;
        }
        parts.push(bodies(language, without_path(&block.code))?);
    }
    if parts.is_empty() {
        return None;
    }
    let shared = shared_imports(tree, survey, wanted.file);
    let head = if shared.is_empty() { String::new() } else { format!("{}\n\n", shared.join("\n")) };
    let head = match language {
        Language::Go if !parts.iter().any(|part| part.starts_with("package ")) => {
            format!("package {}\n\n{head}", package_of(survey, wanted.file)?)
        }
        _ => head,
    };
    let code = format!("{head}{}\n", parts.join("\n\n").trim_end());
    parses(language, code.as_bytes()).ok()?;
    Some(code)
}

/// The first line of a block may be a comment with the path of its file.
pub(super) fn without_path(code: &str) -> &str {
    let (first, rest) = code.split_once('\n').unwrap_or((code, ""));
    if windlass_code::detect::comment_path(first).is_some() { rest } else { code }
}

/// The declarations with bodies.
fn bodies(language: Language, code: &str) -> Option<String> {
    match language {
        Language::Python => Some(with_bodies(code).replace(": ...", ":\n    raise NotImplementedError"))
            .map(|text| indented(&text)),
        Language::Rust => Some(methods(
            &ended(code, "fn ", " {\n    panic!(\"not written yet\")\n}"),
            "fn ",
            " {\n        panic!(\"not written yet\")\n    }",
        )),
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            let whole = ended(
                &code.replace(") {}", ");"),
                "function ",
                " {\n  throw new Error('not implemented');\n}",
            );
            Some(in_classes(&whole, " {\n        throw new Error('not implemented');\n    }"))
        }
        Language::Go => Some(ended(code, "func ", " {\n\tpanic(\"not implemented\")\n}")),
        Language::Java | Language::C | Language::Cpp | Language::Ruby | Language::CSharp | Language::Php => {
            None
        }
    }
}

/// Bodies of methods stand one level further in than `with_bodies` knows.
fn indented(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for line in text.lines() {
        let own = line.len() - line.trim_start().len();
        if line.trim() == "raise NotImplementedError" {
            out.push_str(&format!("{}raise NotImplementedError\n", " ".repeat(depth + 4)));
        } else {
            depth = own;
            out.push_str(line);
            out.push('\n');
        }
    }
    out.trim_end().to_owned()
}

/// A declaration that ends its line without a body gets one.
fn ended(code: &str, word: &str, body: &str) -> String {
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

/// Indented declarations that end in a semicolon get a body.
fn methods(code: &str, word: &str, body: &str) -> String {
    let one = |line: &str| match line.strip_suffix(';') {
        Some(head) if line.starts_with(' ') && head.contains(word) && head.contains('(') => {
            format!("{head}{body}")
        }
        _ => line.to_owned(),
    };
    code.lines().map(one).collect::<Vec<_>>().join("\n")
}

/// Methods of classes that end in a semicolon get a body; those of interfaces have none.
fn in_classes(code: &str, body: &str) -> String {
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

/// Import lines that more than half of at least three files in the same directory have.
fn shared_imports(tree: &dyn Tree, survey: &Survey, file: &str) -> Vec<String> {
    let language = language_of(file);
    let beside: Vec<Vec<String>> = survey
        .sources()
        .filter(|path| dir_of(path) == dir_of(file) && language_of(path) == language && !is_test_path(path))
        .take(12)
        .filter_map(|path| {
            let facts = survey.facts(path)?;
            let text = text(tree, path).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            let own = facts.imports.iter().filter_map(|import| lines.get(import.line.checked_sub(1)?));
            Some(own.map(|line| line.trim().to_owned()).collect())
        })
        .collect();
    if beside.len() < 3 {
        return Vec::new();
    }
    let mut shared: Vec<String> = Vec::new();
    for line in beside.iter().flatten() {
        let count = beside.iter().filter(|lines| lines.contains(line)).count();
        if count * 2 > beside.len() && !shared.contains(line) {
            shared.push(line.clone());
        }
    }
    shared
}
