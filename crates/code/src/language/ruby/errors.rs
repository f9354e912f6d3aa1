//! Errors that Ruby prints when code is missing.

use windlass_core::path_text::file_name;

use crate::red::OwnedFiles;
use crate::red::{Errors, Wrong, quoted};

/// The errors of a run.
pub(crate) fn read(text: &str, owned: OwnedFiles<'_>) -> Errors {
    Errors::by_line(text, owned, judge)
}

fn judge(line: &str, owned: OwnedFiles<'_>, errors: &mut Errors) {
    if let Some((_, file)) = line.split_once("cannot load such file -- ") {
        let file = file.split(" (").next().unwrap_or(file).trim();
        if owned.module_file(file, &["rb"]) || owned.has_file(&["Gemfile", "Gemfile.lock"]) {
            errors.missing(file_name(file));
        } else {
            errors.wrong(Wrong::Foreign(line.to_owned()));
        }
    } else if let Some((_, rest)) = line.split_once("uninitialized constant ") {
        errors.missing(rest.split([' ', '(']).next().unwrap_or(rest));
    } else if let Some((_, rest)) = line.split_once("undefined local variable or method ") {
        errors.missing(first_name(rest));
    } else if let Some((_, rest)) = line.split_once("undefined method ") {
        errors.missing(first_name(rest));
    } else if line.contains("SyntaxError") || line.contains(": syntax error") {
        errors.wrong(Wrong::Syntax(line.to_owned()));
    } else if line.starts_with("Could not find gem")
        || line.contains("Bundler::GemNotFound")
        || (line.starts_with("Could not find ") && line.contains(" in "))
    {
        errors.wrong(Wrong::Foreign(line.to_owned()));
    }
}

/// Ruby quotes names with a backtick in front, or with two single quotes from 3.4 on.
fn first_name(rest: &str) -> &str {
    let new = quoted(rest, "");
    let old = rest.strip_prefix('`').and_then(|rest| rest.split('\'').next());
    old.or(new).unwrap_or(rest)
}

#[cfg(test)]
mod tests;
