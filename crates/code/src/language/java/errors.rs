//! Errors that javac, Maven and Gradle print when tests do not build.

use crate::red::{Errors, Wrong};
use crate::red::{OwnedFiles, ends_with_path};

/// The errors of a run.
pub(crate) fn read(text: &str, owned: OwnedFiles<'_>) -> Errors {
    let mut errors = Errors::default();
    let mut symbol_follows = false;
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let plain = line.trim_start_matches("[ERROR]").trim();
        if let Some(message) = message(plain) {
            symbol_follows = message.starts_with("cannot find symbol");
            judge(plain, message, shown(&lines[index + 1..]), owned, &mut errors);
        } else if let Some(symbol) = plain.strip_prefix("symbol:").filter(|_| symbol_follows) {
            errors.missing(symbol.split_whitespace().nth(1).unwrap_or(symbol.trim()));
            symbol_follows = false;
        } else {
            outside(plain, &mut errors);
        }
    }
    errors
}

/// What follows `…/X.java:[5,17] ` (Maven) or `…/X.java:5: error: ` (javac, Gradle).
fn message(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(".java:").or_else(|| line.split_once(".kt:"))?;
    if let Some(rest) = rest.strip_prefix('[') {
        return rest.split_once("] ").map(|(_, message)| message);
    }
    rest.split_once(": error: ").filter(|(n, _)| n.bytes().all(|b| b.is_ascii_digit())).map(|(_, m)| m)
}

/// The code that javac shows under a message.
fn shown<'a, 'b>(below: &'b [&'a str]) -> &'b [&'a str] {
    const LINES: usize = 6;
    let end = below.iter().take(LINES).take_while(|line| message(line).is_none()).count();
    &below[..end]
}

fn judge(line: &str, message: &str, shown: &[&str], owned: OwnedFiles<'_>, errors: &mut Errors) {
    const BROKEN: [&str; 5] =
        [" expected", "reached end of file", "illegal start of", "not a statement", "unclosed "];
    if message.starts_with("cannot find symbol") {
        return;
    }
    let package = message.strip_prefix("package ").and_then(|rest| rest.strip_suffix(" does not exist"));
    if let Some(package) = package {
        if owned.java_package(package) {
            errors.missing(package);
        } else {
            errors.wrong(Wrong::Foreign(line.to_owned()));
        }
    } else if BROKEN.iter().any(|words| message.contains(words)) {
        errors.wrong(Wrong::Syntax(line.to_owned()));
    } else if !message.starts_with("warning") {
        let about = format!("{message}\n{}", shown.join("\n"));
        errors.wrong(Wrong::Misfit { line: line.to_owned(), about });
    }
}

/// Judges a line without a position in a source file.
fn outside(line: &str, errors: &mut Errors) {
    const FOREIGN: [&str; 6] = [
        "Could not resolve dependencies",
        "Could not find artifact",
        "Non-resolvable ",
        "could not be resolved",
        "Could not resolve all ",
        "Unknown lifecycle phase",
    ];
    let name = |words: &str| line.split_once(words).map(|(_, rest)| rest.trim());
    if FOREIGN.iter().any(|words| line.contains(words)) {
        errors.wrong(Wrong::Foreign(line.to_owned()));
    } else if let Some(class) = name("NoClassDefFoundError: ").or_else(|| name("ClassNotFoundException: ")) {
        errors.missing(class.split_whitespace().next().unwrap_or(class));
    } else if let Some(method) = name("NoSuchMethodError: ") {
        errors.missing(method);
    }
}

impl OwnedFiles<'_> {
    /// A Java package is the directory of an owned file.
    fn java_package(&self, package: &str) -> bool {
        let dir = package.replace('.', "/");
        self.has_file(&["pom.xml", "build.gradle", "build.gradle.kts"])
            || self
                .files
                .iter()
                .filter_map(|path| path.rsplit_once('/'))
                .any(|(owned, _)| ends_with_path(owned, &dir))
    }
}

#[cfg(test)]
mod tests;
