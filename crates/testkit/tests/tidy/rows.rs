//! Facts of a language stand in its row: no other code names its manifests or the endings of its sources.

use std::collections::BTreeSet;

use crate::tree::{code, none, without_tests};

/// What is known about languages and runners, a file or a folder each; and what can be written in a language.
const ROWS: [&str; 3] =
    ["crates/code/src/language/", "crates/code/src/runner/", "crates/planner/src/snippet/"];

/// Other files that name a manifest or an ending, each with its reason.
const OTHERS: &[(&str, &str)] = &[
    (
        "crates/core/src/path_text.rs",
        "endings that make a word a file; a test of the planner compares them with the rows",
    ),
    (
        "crates/formats/src/taskfile/code.rs",
        "comment marks; a test of the planner compares them with the rows",
    ),
    ("crates/formats/src/homerun/task.rs", "a rule of the dialect about Rust"),
    ("crates/code/src/detect/test_command.rs", "a convention of super-planner about Python"),
    ("crates/code/src/report/rspec.rs", "what the report of one runner says"),
    ("crates/planner/src/derive/module_declarations.rs", "the planner's part about the modules of Rust"),
    ("crates/planner/src/derive/cmake.rs", "the planner's part about CMake"),
    ("crates/planner/src/spec/vocabulary/paths.rs", "`Node.js` in prose is no file"),
    ("crates/windlass/src/installed.rs", "agents are packages of npm"),
    ("crates/windlass/src/web/files.rs", "the files of the page"),
    ("crates/windlass/src/web/routes.rs", "the files of the page"),
];

/// The names that belong to languages.
struct LanguageNames {
    manifests: BTreeSet<String>,
    endings: BTreeSet<String>,
    /// The words for languages, some of which are endings too.
    words: BTreeSet<String>,
}

impl LanguageNames {
    /// Those that the rows state.
    fn of_rows() -> Self {
        let rows: Vec<String> =
            code().into_iter().filter(|(name, _)| name.starts_with(ROWS[0])).map(|(_, text)| text).collect();
        let listed = |field: &str| -> BTreeSet<String> {
            let lines = rows.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with(field));
            lines.flat_map(literals).map(str::to_owned).collect()
        };
        Self {
            manifests: listed("    manifests: &["),
            endings: listed("    extensions: &["),
            words: listed("    fence: "),
        }
    }

    /// Whether a text in code is a manifest, a file or an ending of a language, or a list of such.
    fn has(&self, literal: &str) -> bool {
        let is_path = |word: &str| word.contains('.') || self.manifests.contains(word);
        !literal.is_empty()
            && literal.split_whitespace().all(|word| is_path(word) || literal == word)
            && literal.split_whitespace().any(|word| self.is_named(word))
    }

    fn is_named(&self, word: &str) -> bool {
        let name = word.rsplit('/').next().unwrap_or(word);
        let fits = |known: &String| match known.strip_prefix('*') {
            Some(end) => name.ends_with(end),
            None => name == known,
        };
        let is_ending = |ending: &str| self.endings.contains(ending);
        self.manifests.iter().any(fits)
            || name.rsplit_once('.').is_some_and(|(_, ending)| is_ending(ending))
            || (is_ending(word) && word.len() > 1 && !self.words.contains(word))
    }
}

/// The text literals of a line; one that goes on in the next line ends with this one.
fn literals(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("// ").next().unwrap_or(line);
    code.split('"').skip(1).step_by(2)
}

#[test]
fn facts_of_a_language_stand_in_its_row() {
    let names = LanguageNames::of_rows();
    let sources = code();
    let others = sources.iter().filter(|(name, _)| !ROWS.iter().any(|row| name.starts_with(row)));
    let mut unused: BTreeSet<&str> = OTHERS.iter().map(|(name, _)| *name).collect();
    let mut found = Vec::new();
    for (name, text) in others {
        for (n, line) in without_tests(text).lines().enumerate() {
            // A source of the program that is made a part of it.
            let is_own = line.contains("include_bytes!") || line.contains("include_str!");
            if is_own || !literals(line).any(|literal| names.has(literal)) {
                continue;
            }
            if OTHERS.iter().any(|(other, _)| other == name) {
                unused.remove(name.as_str());
            } else {
                found.push(format!("{name}:{}: {}", n + 1, line.trim()));
            }
        }
    }
    none("facts of a language that stand outside of its row", found);
    none("exceptions that nothing needs", unused.into_iter().map(str::to_owned));
}

#[test]
fn names_of_languages_are_found() {
    let names = LanguageNames::of_rows();
    let named = [
        "Cargo.toml",
        "a/package.json",
        "{dir}/go.mod",
        ".csproj",
        "Gemfile",
        "conftest.py",
        ".d.ts",
        "mts",
        "package.json go.mod Gemfile",
    ];
    for literal in named {
        assert!(names.has(literal), "{literal}");
    }
    for literal in
        ["", "go", "php", "c", "h", "`package.json` lists no runner", "no package.json", "a.toml", ".md"]
    {
        assert!(!names.has(literal), "{literal}");
    }
    let line = "    let names = [\"a.py\", \"b\"]; // \"c.py\"";
    assert_eq!(literals(line).collect::<Vec<_>>(), ["a.py", "b"]);
}
