//! What compilers, linkers and CMake say when tests in C and C++ do not build.
//!
//! One missing declaration leads to many errors; where something is missing, the compiler's other complaints are taken
//! for its consequences.

use crate::red::OwnedFiles;
use crate::red::{Errors, Wrong};

/// The errors of a run.
pub(crate) fn read(text: &str, owned: OwnedFiles<'_>) -> Errors {
    let mut errors = Errors::default();
    let mut consequences: Vec<Wrong> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.contains("Cannot find source file") {
            let file = lines.by_ref().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
            file_missing(line, file, owned, &mut errors);
        } else if let Some((_, rest)) = line.split_once("No rule to make target '") {
            target_missing(line, rest.split('\'').next().unwrap_or_default(), owned, &mut errors);
        } else if let Some(name) = undefined_reference(line) {
            errors.missing(name);
        } else if line.contains("Could NOT find ") || line.contains("Could not find a package configuration")
        {
            errors.wrong(Wrong::Foreign(line.trim().to_owned()));
        } else if let Some((_, message)) = line.split_once(" error: ") {
            let below: Vec<&str> =
                lines.clone().take(SHOWN).take_while(|line| !line.contains(" error: ")).collect();
            judge((line.trim(), message, &below), owned, &mut errors, &mut consequences);
        }
    }
    if errors.missing.is_empty() {
        for wrong in consequences {
            errors.wrong(wrong);
        }
    }
    errors
}

/// How many lines of code and notes under a message belong to it.
const SHOWN: usize = 8;

fn judge(
    (line, message, below): (&str, &str, &[&str]),
    owned: OwnedFiles<'_>,
    errors: &mut Errors,
    consequences: &mut Vec<Wrong>,
) {
    const MISSING: [&str; 11] = [
        "was not declared in this scope",
        "has not been declared",
        "use of undeclared identifier",
        "implicit declaration of function",
        "call to undeclared function",
        "unknown type name",
        "does not name a type",
        "is not a member of",
        "has no member named",
        "no member named",
        "undeclared (first use in this function)",
    ];
    let header = message
        .strip_suffix(": No such file or directory")
        .or_else(|| message.strip_suffix(" file not found").map(|name| name.trim_matches('\'')));
    if let Some(header) = header {
        file_missing(line, header, owned, errors);
    } else if MISSING.iter().any(|words| message.contains(words)) {
        errors.missing(name_in(message).unwrap_or(message));
    } else if message.starts_with("expected ") {
        consequences.push(Wrong::Syntax(line.to_owned()));
    } else {
        let about = format!("{message}\n{}", below.join("\n"));
        consequences.push(Wrong::Misfit { line: line.to_owned(), about });
    }
}

fn file_missing(line: &str, file: &str, owned: OwnedFiles<'_>, errors: &mut Errors) {
    if owned.module_file(file, &[]) {
        errors.missing(file.trim_start_matches("../"));
    } else {
        errors.wrong(Wrong::Foreign(line.trim().to_owned()));
    }
}

/// What make cannot build is the file itself, or something that a pattern makes of it and that has its name inside.
fn target_missing(line: &str, target: &str, owned: OwnedFiles<'_>, errors: &mut Errors) {
    let name = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        name.split('.').next().unwrap_or_default().to_owned()
    };
    let built = name(target);
    let inside = |path: &String| built.split(['_', '-']).any(|part| part == name(path));
    if owned.files.iter().any(|path| inside(path) || name(path) == built) {
        errors.missing(target);
    } else {
        errors.wrong(Wrong::Foreign(line.trim().to_owned()));
    }
}

/// The member where there is one, else the first name in quotes.
fn name_in(message: &str) -> Option<&str> {
    let from = message.split_once("member named").map_or(message, |(_, rest)| rest);
    let (_, rest) = from.split_once(['‘', '\''])?;
    rest.split(['’', '\'']).next()
}

/// ``undefined reference to `slug(int)'`` of GNU ld, `undefined symbol: slug(int)` of lld and mold.
fn undefined_reference(line: &str) -> Option<&str> {
    let by = |words: &str| line.split_once(words).map(|(_, rest)| rest);
    let rest = by("undefined reference to ").or_else(|| by("error: undefined symbol: "))?;
    let name = rest.trim_start_matches(['`', '‘', '\'']);
    name.split(['(', '\'', '’']).next()
}

#[cfg(test)]
mod tests;
