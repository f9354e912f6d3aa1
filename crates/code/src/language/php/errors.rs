//! Errors that PHP prints when code is missing.

use windlass_core::path_text::file_name;

use crate::red::OwnedFiles;
use crate::red::{Errors, Wrong, quoted};

/// The errors of a run.
pub(crate) fn read(text: &str, owned: OwnedFiles<'_>) -> Errors {
    Errors::by_line(text, owned, judge)
}

fn judge(line: &str, owned: OwnedFiles<'_>, errors: &mut Errors) {
    const KINDS: [&str; 4] = ["Class ", "Interface ", "Trait ", "Enum "];
    let undefined = [
        "Call to undefined function ",
        "Call to undefined method ",
        "Undefined constant ",
        "Call to undefined ",
    ]
    .iter()
    .find_map(|words| Some(line.split_once(words)?.1));
    if line.contains(" not found")
        && let Some(class) = KINDS.iter().find_map(|kind| quoted(line, kind))
    {
        class_missing(line, class, owned, errors);
    } else if let Some(name) = undefined {
        errors.missing(name.split(['(', ' ']).next().unwrap_or(name).trim_matches('"'));
    } else if let Some(path) = quoted(line, "Failed opening required") {
        if owned.has_path(path) {
            errors.missing(file_name(path));
        } else {
            errors.wrong(Wrong::Foreign(line.to_owned()));
        }
    } else if line.contains("Parse error: ") || line.starts_with("ParseError: ") {
        errors.wrong(Wrong::Syntax(line.to_owned()));
    }
}

/// A class is provided by a file of its name, or by a contract that names it.
fn class_missing(line: &str, class: &str, owned: OwnedFiles<'_>, errors: &mut Errors) {
    let own = class.rsplit('\\').next().unwrap_or(class);
    if owned.module_file(own, &["php"]) || owned.promises(own) || owned.has_file(&["composer.json"]) {
        errors.missing(class);
    } else {
        errors.wrong(Wrong::Foreign(line.to_owned()));
    }
}

#[cfg(test)]
mod tests;
