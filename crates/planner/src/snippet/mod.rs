//! Sketches of tests and code in the project's own conventions.
//!
//! Everything comes from the contract, the criteria and what the repository shows; what cannot be known is not made
//! up: a case without values that the criteria state fails until its expectation is filled in, and where the way to
//! import the code is not clear there is no snippet at all. A snippet that does not parse is never given.

mod case;
mod code;
mod csharp;
mod example;
mod go;
mod interface;
mod java;
mod native;
mod php;
mod python;
mod ruby;
mod rust;
mod script;
mod template;
mod wanted;
mod writer;

use windlass_code::survey::{Framework, Language, Survey};
use windlass_core::path_text::name_stem;

pub use wanted::{CaseWanted, CodeWanted, SnippetState, TestSnippet, TestWanted};

pub(crate) use code::{code_snippet, implied_contract};
pub(crate) use interface::interface_of;
pub(crate) use writer::{assertion_line, scenario_line};

use case::TestOutline;
use windlass_code::detect::{dir_of, is_test_path};
use windlass_code::repo::Tree;
use windlass_code::syntax::{language_of, parses};
use writer::writer;

/// What a language's writer needs.
struct TestRequest<'a> {
    tree: &'a dyn Tree,
    survey: &'a Survey,
    wanted: &'a TestWanted<'a>,
    frame: TestOutline,
}

/// A test file for code that is still to be written; `None` when unsure.
pub(crate) fn test_snippet(tree: &dyn Tree, survey: &Survey, wanted: &TestWanted<'_>) -> Option<TestSnippet> {
    let language = language_of(wanted.subject)?;
    language_of(wanted.file).filter(|other| other.same_family(language))?;
    let frame = TestOutline::read(language, wanted)?;
    let complete = frame.cases.iter().all(|case| !case.checks.is_empty());
    let request = TestRequest { tree, survey, wanted, frame };
    let code = (writer(language).tests)(&request)?;
    parses(language_of(wanted.file)?, code.as_bytes()).ok()?;
    let state = if complete { SnippetState::Complete } else { SnippetState::Sketch };
    Some(TestSnippet { code, state })
}

/// How many files are looked at for a habit of the project.
const LOOKED_AT: usize = 200;

/// Files that show how a file would be imported: tests first, for they import what they test, then the nearest.
fn near<'a>(survey: &'a Survey, subject: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<&'a str> {
    let shared = |path: &str| path.bytes().zip(subject.bytes()).take_while(|(a, b)| a == b).count();
    let mut found: Vec<&str> = survey.sources().filter(|path| wanted(path)).collect();
    found.sort_by_cached_key(|path| (!is_test_path(path), std::cmp::Reverse(shared(path))));
    found.truncate(LOOKED_AT);
    found
}

fn framework(request: &TestRequest<'_>) -> Option<Framework> {
    request.survey.conventions_for(request.wanted.file).and_then(|c| c.style).map(|style| style.framework)
}

/// The package or namespace of the subject's directory, by its neighbours.
fn package(request: &TestRequest<'_>, language: Language) -> Option<String> {
    let dir = dir_of(request.wanted.subject);
    request
        .survey
        .sources()
        .filter(|path| Language::of_path(path) == Some(language) && dir_of(path) == dir)
        .find_map(|path| request.survey.facts(path)?.package.clone())
}

/// The tests in the directory of the wanted one and in those above it, the nearest first.
fn beside<'a>(request: &TestRequest<'a>, endings: &[&str]) -> Vec<&'a str> {
    let dir = dir_of(request.wanted.file);
    let is_test = |path: &&str| {
        let helper = name_stem(path).ends_with("_helper");
        endings.iter().any(|ending| path.ends_with(ending)) && is_test_path(path) && !helper
    };
    let above = |path: &&str| dir.starts_with(dir_of(path));
    let mut found: Vec<&str> = request.survey.sources().filter(is_test).filter(above).collect();
    found.sort_by_key(|path| std::cmp::Reverse(dir_of(path).len()));
    found
}

/// A file as seen from a directory.
fn from(dir: &str, file: &str) -> String {
    let parts = |path: &str| path.split('/').filter(|p| !p.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (dir, file) = (parts(dir), parts(file));
    let shared = dir.iter().zip(&file).take_while(|(a, b)| a == b).count();
    format!("{}{}", "../".repeat(dir.len() - shared), file[shared..].join("/"))
}
