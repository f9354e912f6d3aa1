//! A project that does not exist yet: its name, the manifest that a first unit makes, and the place where a program
//! begins that is called from a command line. The language says which files these are.

use std::collections::BTreeMap;

use super::default_layout::identifier;
use super::unit::{Unit, UnitFile};
use crate::file_kind::FileKind;
use crate::spec::{Operation, Spec};
use crate::words::is_listed;
use windlass_code::survey::Language;

/// Programs that examples call besides the one that is built.
const TOOLS: &str = include_str!("../words/other_programs.txt");

/// A project that does not exist yet.
pub(super) struct PlannedProject {
    /// Its name, as an identifier.
    pub(super) name: String,
    /// What it is called on a command line, if the documents show it there.
    command: Option<String>,
    language: Language,
}

impl PlannedProject {
    /// The project that documents describe. `subject` is what they are about.
    pub(super) fn of(spec: &Spec, language: Language, subject: &str) -> Self {
        let command = command(spec, subject);
        // What the documents call the package is its name, whatever their title is.
        let called = || super::subject::called(&spec.summary).filter(|_| command.is_none());
        let named = command.clone().or_else(called);
        let name = named.map_or_else(|| identifier(subject), |name| name.replace('-', "_"));
        Self { name, command, language }
    }

    /// The folder of its code.
    pub(super) fn folder(&self) -> String {
        self.filled(self.language.row().new_project.folder)
    }

    fn filled(&self, text: &str) -> String {
        text.replace("{name}", &self.name)
    }

    /// Adds what the project needs besides the files of its features: a first unit for the manifest, the file that
    /// makes a package, and the entry point for units whose text, given by `said`, shows a command.
    pub(super) fn complete(&self, units: &mut Vec<Unit>, said: &[String]) {
        let files = &self.language.row().new_project;
        let file = |path: String, kind: FileKind, note: &str| UnitFile {
            path,
            operation: Operation::Unsaid,
            kind,
            note: note.to_owned(),
            lines: None,
        };
        let code = |path: String, note: &str| file(path, FileKind::Code, note);
        for (unit, text) in units.iter_mut().zip(said) {
            let Some(entry) = files.entry.filter(|_| self.is_called(text)).map(|entry| self.filled(entry))
            else {
                continue;
            };
            if !unit.owns(&entry) {
                unit.files.push(code(entry, "where the program begins"));
            }
        }
        let package = files.package.map(|path| self.filled(path));
        match (package, units.first_mut()) {
            // A file that only declares modules is a unit that joins the one which declares them all.
            (Some(path), Some(_)) if super::module_declarations::is_glue(&path) => {
                units.insert(0, Unit { files: vec![code(path, "declares the modules")], ..Unit::default() });
            }
            (Some(path), Some(first)) => first.files.push(code(path, "makes the folder a package")),
            (Some(_) | None, _) => {}
        }
        if !files.setup.is_empty() && !units.is_empty() {
            let mut text = self.filled(files.about);
            if let (Some(command), Some(entry)) = (&self.command, files.entry) {
                text.push_str(&format!(" The program `{command}` begins in `{}`.", self.filled(entry)));
            }
            // A test-writer has to know how a test finds the code.
            for unit in units.iter_mut() {
                unit.rules.push(format!("Layout: {text}"));
            }
            let made = files.setup.iter().map(|path| {
                let path = self.filled(path);
                file(path.clone(), FileKind::of(&path), "")
            });
            let setup = Unit {
                title: format!("Set up the project {}", self.name),
                text,
                files: made.collect(),
                is_setup: true,
                ..Unit::default()
            };
            units.insert(0, setup);
        }
    }

    /// Whether a text calls the program.
    fn is_called(&self, text: &str) -> bool {
        let Some(command) = &self.command else { return false };
        let quoted = text.split('`').skip(1).step_by(2);
        quoted.into_iter().any(|code| called(code).is_some_and(|(word, _)| word == command))
    }
}

/// The program that a code span calls, and whether anything stands behind it: `todo add x`, `$ todo`, `todo --help`.
fn called(code: &str) -> Option<(&str, bool)> {
    let code = code.trim().trim_start_matches("$ ");
    let mut words = code.split_whitespace();
    let first = words.next()?.trim_start_matches("./");
    let plain = first.len() > 1
        && first.len() <= 24
        && first.starts_with(|c: char| c.is_ascii_lowercase())
        && first.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'));
    let next = words.next();
    // `a = b`, `x in y` and `name: value` are no commands.
    let is_argument = next.is_none_or(|word| {
        word.starts_with(|c: char| {
            c.is_alphanumeric() || matches!(c, '-' | '"' | '\'' | '<' | '[' | '/' | '.')
        })
    });
    (plain && is_argument && !is_listed(TOOLS, first)).then_some((first, next.is_some()))
}

/// What the documents call the program in their examples: the word that begins most of them.
fn command(spec: &Spec, subject: &str) -> Option<String> {
    let texts = spec
        .criteria
        .iter()
        .map(|c| c.text.as_str())
        .chain(spec.stories.iter().map(|s| s.text.as_str()))
        .chain([spec.summary.as_str()]);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for code in texts.flat_map(|text| text.split('`').skip(1).step_by(2)) {
        if let Some((word, true)) = called(code) {
            *counts.entry(word).or_default() += 1;
        }
    }
    let about = identifier(subject);
    let is_subject = |word: &str| about.split('_').any(|part| part == word.replace('-', "_"));
    // Where examples begin with many words, these are commands of a program that is already running.
    let all: usize = counts.values().sum();
    let most = counts.into_iter().max_by_key(|(word, count)| (*count, std::cmp::Reverse(*word)))?;
    let is_most = most.1 > 1 && most.1 * 2 >= all;
    (is_most || is_subject(most.0)).then(|| most.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_calls_a_program() {
        let table = [
            ("todo add \"buy milk\"", Some(("todo", true))),
            ("$ todo list --all", Some(("todo", true))),
            ("my-tool", Some(("my-tool", false))),
            ("git commit -m x", None),
            ("count = 3", None),
            ("slug(\"A b\")", None),
            ("TODO x", None),
            ("POST /todos", None),
        ];
        for (code, expected) in table {
            assert_eq!(called(code), expected, "{code}");
        }
    }
}
