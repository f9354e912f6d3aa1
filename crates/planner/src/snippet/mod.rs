//! Sketches of tests and code in the project's own conventions.
//!
//! Everything comes from the contract, the criteria and what the repository shows; what cannot be known is not made
//! up: a case without values that the criteria state fails until somebody says what has to hold, and where the way to
//! import the code is not clear there is no snippet at all. A snippet that does not parse is never given.

mod case;
mod classes;
mod code;
mod example;
mod go;
mod interface;
mod native;
mod python;
mod rust;
mod script;
mod wanted;

use windlass_code::survey::{Language, Survey};

pub use wanted::{CaseWanted, CodeWanted, SnippetState, TestSnippet, TestWanted};

pub(crate) use code::code_snippet;
pub(crate) use interface::interface_of;

use case::Frame;
use windlass_code::detect::is_test_path;
use windlass_code::repo::Tree;
use windlass_code::syntax::{language_of, parses};

/// What a language's writer needs.
struct Ask<'a> {
    tree: &'a dyn Tree,
    survey: &'a Survey,
    wanted: &'a TestWanted<'a>,
    frame: Frame,
}

/// A test file for code that is still to be written; `None` when unsure.
pub(crate) fn test_snippet(tree: &dyn Tree, survey: &Survey, wanted: &TestWanted<'_>) -> Option<TestSnippet> {
    let language = language_of(wanted.subject)?;
    language_of(wanted.file).filter(|other| other.same_family(language))?;
    let frame = Frame::read(language, wanted)?;
    let complete = frame.cases.iter().all(|case| !case.checks.is_empty());
    let ask = Ask { tree, survey, wanted, frame };
    let code = match language {
        Language::Python => python::write(&ask),
        Language::Rust => rust::write(&ask),
        Language::JavaScript | Language::TypeScript | Language::Tsx => script::write(&ask),
        Language::Go => go::write(&ask),
        Language::Java => classes::java(&ask),
        Language::Ruby => classes::ruby(&ask),
        Language::Php => classes::php(&ask),
        Language::CSharp => classes::csharp(&ask),
        Language::C | Language::Cpp => native::write(&ask),
    }?;
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
