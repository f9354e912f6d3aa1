//! The errors of a run, in any language.

use windlass_core::report::Runner;

use super::owned::OwnedFiles;
use crate::language::Language;
use crate::syntax::language_of;

/// An error that code of the task cannot fix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// Something does not parse.
    Syntax(String),
    /// A module or package is missing that no owned file provides.
    Foreign(String),
    /// A use that does not fit what is there, such as an argument too many.
    Misfit {
        /// The line with the error.
        line: String,
        /// Where it says what does not fit: the message, and the code that it shows.
        about: String,
    },
    /// Anything else.
    Other(String),
}

impl Wrong {
    /// The line with the error.
    pub(crate) fn line(&self) -> &str {
        match self {
            Self::Syntax(line) | Self::Foreign(line) | Self::Misfit { line, .. } | Self::Other(line) => line,
        }
    }

    /// The first of these names that does not fit its use.
    pub(super) fn unfit<'a>(&self, names: &'a [String]) -> Option<&'a str> {
        let Self::Misfit { about, line } = self else { return None };
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let words: Vec<&str> =
            [line, about].into_iter().flat_map(|text| text.split(|c: char| !is_part(c))).collect();
        names.iter().map(String::as_str).find(|name| !name.is_empty() && words.contains(name))
    }
}

/// Every error of a run, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Errors {
    /// Names and modules that the task is to provide.
    pub(crate) missing: Vec<String>,
    /// Everything else.
    pub(crate) wrong: Vec<Wrong>,
}

impl Errors {
    /// The errors of a run where each line is judged alone.
    pub(crate) fn by_line(
        text: &str,
        owned: OwnedFiles<'_>,
        judge: fn(&str, OwnedFiles<'_>, &mut Errors),
    ) -> Self {
        let mut errors = Self::default();
        for line in text.lines() {
            judge(line.trim(), owned, &mut errors);
        }
        errors
    }

    pub(crate) fn missing(&mut self, name: impl Into<String>) {
        let name = name.into();
        if !self.missing.contains(&name) {
            self.missing.push(name);
        }
    }

    pub(crate) fn wrong(&mut self, wrong: Wrong) {
        if !self.wrong.contains(&wrong) && self.wrong.len() < 20 {
            self.wrong.push(wrong);
        }
    }
}

/// The languages whose errors a run can print: those of the runner, else those of the test files; one per family.
pub(super) fn languages_of(runner: Option<Runner>, test_files: &[(String, Vec<u8>)]) -> Vec<Language> {
    let mut known: Vec<Language> = Language::ALL
        .iter()
        .copied()
        .filter(|language| runner.is_some_and(|runner| language.row().runners.contains(&runner)))
        .collect();
    if known.is_empty() {
        known.extend(test_files.iter().filter_map(|(path, _)| language_of(path)));
    }
    let mut out: Vec<Language> = Vec::new();
    for language in known {
        if !out.iter().any(|other| other.same_family(language)) {
            out.push(language);
        }
    }
    out
}

/// Reads the errors of a language out of plain text.
pub(super) fn read_errors(
    language: Language,
    text: &str,
    owned: OwnedFiles<'_>,
    test_files: &[(String, Vec<u8>)],
) -> Errors {
    language.row().errors.map_or_else(Errors::default, |read| read(text, owned, test_files))
}

/// The text between the first pair of quotes after `before`.
pub(crate) fn quoted<'a>(text: &'a str, before: &str) -> Option<&'a str> {
    let rest = text.split_once(before)?.1;
    let rest = rest.trim_start_matches([' ', '\\']);
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"' | '`'))?;
    rest[1..].split_once(quote).map(|(inside, _)| inside)
}

#[cfg(test)]
mod tests;
