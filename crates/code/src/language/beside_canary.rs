//! Canaries that stand right behind a real test: methods of its class, examples of its group, macros of its suite.

use std::fmt::Write as _;

use crate::syntax::CanaryRequest;

/// The code of a canary and its name.
pub(crate) type Canary = (String, String);

/// The text with these canaries behind the model, indented like it, and their names.
pub(crate) fn behind(request: &CanaryRequest<'_>, canaries: Vec<Canary>) -> Option<(String, Vec<String>)> {
    let (text, model) = (request.text, request.model);
    text.get(model.range.clone())?;
    let line = text[..model.range.start].rfind('\n').map_or(0, |at| at + 1);
    let indent: String = text[line..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let mut laid = String::new();
    for (code, _) in &canaries {
        laid.push('\n');
        for line in code.lines() {
            let _ = write!(laid, "\n{indent}{line}");
        }
    }
    let (before, after) = text.split_at(model.range.end);
    Some((format!("{before}{laid}{after}"), canaries.into_iter().map(|(_, name)| name).collect()))
}

/// Two methods of the model's class; `code` writes one from its name, the word and its number.
pub(crate) fn in_class(
    request: &CanaryRequest<'_>,
    code: fn(&str, &str, u8) -> String,
) -> Option<(String, Vec<String>)> {
    let (class, own) = request.model.name.rsplit_once("::")?;
    let word = request.word;
    let one = |n: u8| {
        let name = format!("{own}_{word}{n}");
        (code(&name, word, n), format!("{class}::{name}"))
    };
    behind(request, vec![one(1), one(2)])
}
