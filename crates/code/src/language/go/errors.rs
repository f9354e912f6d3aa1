//! What the go command says when tests do not build.

use crate::red::{Errors, Wrong};
use crate::red::{OwnedFiles, ends_with_path};

/// Messages about a wrong use: arguments, results, types.
const MISFITS: [&str; 5] = [
    "too many arguments in call to ",
    "not enough arguments in call to ",
    "assignment mismatch: ",
    "cannot use ",
    "mismatched types",
];

/// The errors of a run.
pub(crate) fn read(text: &str, owned: OwnedFiles<'_>) -> Errors {
    let mut errors = Errors::default();
    for line in text.lines() {
        if let Some(message) = message(line) {
            judge(line, message, owned, &mut errors);
        } else if let Some((_, dir)) = line.split_once(": no non-test Go files in ") {
            // Every file of the package but its tests is still to be written.
            match owned.go_directory(dir.trim()) {
                Some(own) => errors.missing(own),
                None => errors.wrong(Wrong::Foreign(line.to_owned())),
            }
        } else if line.starts_with("no required module provides package")
            || line.starts_with("package ") && line.contains(" is not in ")
        {
            package(line, line, owned, &mut errors);
        } else if line.starts_with("go: ")
            && !line.starts_with("go: downloading")
            && !line.starts_with("go: warning")
        {
            let wrong = if is_not_fetched(line) { Wrong::Foreign } else { Wrong::Other };
            errors.wrong(wrong(line.to_owned()));
        }
    }
    // The note stands under errors only: an older Go does not know what the module uses.
    let wanted = text.lines().find_map(|line| line.strip_prefix("note: module requires Go "));
    if let Some(version) = wanted.filter(|_| !errors.wrong.is_empty()) {
        let said = format!("go.mod asks for Go {}, and an older Go is installed", version.trim());
        errors.wrong = vec![Wrong::Foreign(said)];
    }
    errors
}

/// Whether the go command lacks a module that a set-up would have fetched.
fn is_not_fetched(message: &str) -> bool {
    message.contains("module lookup disabled by ") || message.contains("missing go.sum entry")
}

/// What follows `path.go:line:column: ` (or `path.go:line: `), unless it is a test's own output, which is indented.
fn message(line: &str) -> Option<&str> {
    if line.starts_with([' ', '\t']) {
        return None;
    }
    let (_, rest) = line.split_once(".go:")?;
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest.strip_prefix(':')?;
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if digits.len() < rest.len() { digits.strip_prefix(':').unwrap_or(rest) } else { rest };
    rest.strip_prefix(' ')
}

fn judge(line: &str, message: &str, owned: OwnedFiles<'_>, errors: &mut Errors) {
    if let Some(name) = message.strip_prefix("undefined: ") {
        errors.missing(name.trim());
    } else if let Some((name, rest)) = message.split_once(" undefined (") {
        // `p.Go undefined (type P has no field or method Go)`
        if rest.contains("has no field or method") {
            errors.missing(name);
        } else {
            errors.wrong(Wrong::Other(line.to_owned()));
        }
    } else if message.starts_with("unknown field ") {
        errors.missing(message.trim_start_matches("unknown field ").split(' ').next().unwrap_or_default());
    } else if message.contains("missing method ") {
        errors.missing(message.rsplit("missing method ").next().unwrap_or_default().trim_end_matches(')'));
    } else if message.contains("provides package ")
        || message.contains("providing package ")
        || (message.starts_with("package ") && message.contains(" is not in "))
        || message.starts_with("no required module")
    {
        package(line, message, owned, errors);
    } else if is_not_fetched(message) {
        errors.wrong(Wrong::Foreign(line.to_owned()));
    } else if message.starts_with("syntax error") || message.starts_with("expected ") {
        errors.wrong(Wrong::Syntax(line.to_owned()));
    } else if MISFITS.iter().any(|words| message.contains(words)) {
        errors.wrong(Wrong::Misfit { line: line.to_owned(), about: message.to_owned() });
    } else if message != "too many errors" {
        errors.wrong(Wrong::Other(line.to_owned()));
    }
}

fn package(line: &str, message: &str, owned: OwnedFiles<'_>, errors: &mut Errors) {
    let after = message.split_once("package ").map_or("", |(_, rest)| rest);
    let import = after.split([' ', ':', ';']).next().unwrap_or_default();
    if owned.go_package(import) {
        errors.missing(import);
    } else {
        errors.wrong(Wrong::Foreign(line.to_owned()));
    }
}

impl OwnedFiles<'_> {
    /// The owned Go file in a directory that a tool printed.
    fn go_directory(&self, printed: &str) -> Option<&str> {
        let mut files = self.files.iter().filter(|path| path.ends_with(".go") && !path.ends_with("_test.go"));
        let inside = |path: &&String| match path.rsplit_once('/') {
            Some((dir, _)) => ends_with_path(printed, dir),
            None => true,
        };
        files.find(inside).map(String::as_str)
    }

    /// A Go package is the directory of an owned file.
    fn go_package(&self, import: &str) -> bool {
        self.has_file(&["go.mod"])
            || self
                .files
                .iter()
                .filter_map(|path| path.strip_suffix(".go")?.rsplit_once('/'))
                .any(|(dir, _)| ends_with_path(import, dir))
    }
}

#[cfg(test)]
mod tests;
