//! What can be written in each language and with each test framework: the one place that tells them apart.
//!
//! A language has its file in this folder, with a [`LanguageWriter`] and a [`FrameworkForm`] for each of its frameworks.

use windlass_code::survey::{Framework, Language};

use super::{TestRequest, csharp, go, java, native, php, python, ruby, rust, script};
use crate::lint::outcome::ExpectedOutcome;

/// What can be written in a language.
pub(super) struct LanguageWriter {
    /// A file of tests; `None` when unsure.
    pub(super) tests: fn(&TestRequest<'_>) -> Option<String>,
    /// The framework of a project that shows none.
    pub(super) usual: Option<Framework>,
    /// The head of the test of a scenario, from its words and from what a method of a test takes first.
    pub(super) scenario: fn(&ExpectedOutcome, &[&str], &FrameworkForm) -> Option<String>,
}

/// How tests are written with a framework.
pub(super) struct FrameworkForm {
    /// The template of a test file; empty where none is known.
    pub(super) template: &'static str,
    /// The words of the framework that the template needs.
    pub(super) words: &'static [(&'static str, &'static str)],
    /// What the framework itself needs: names outside of a suite, names inside of one, and their module.
    pub(super) imports: &'static [(&'static str, &'static str, &'static str)],
    /// Whether tests always stand in a class or a suite.
    pub(super) grouped: bool,
    /// Whether tests are written before the project has one: its runner says which framework it is.
    pub(super) told_by_runner: bool,
    /// An outcome as one line of test code.
    pub(super) assertion: fn(&ExpectedOutcome) -> Option<String>,
}

impl FrameworkForm {
    /// A framework in which nothing can be written.
    pub(super) const NONE: Self = Self {
        template: "",
        words: &[],
        imports: &[],
        grouped: false,
        told_by_runner: true,
        assertion: |_| None,
    };

    /// A word of the framework; empty where it needs none.
    pub(super) fn word(&self, name: &str) -> &'static str {
        self.words.iter().find(|(known, _)| *known == name).map_or("", |(_, word)| *word)
    }
}

/// What can be written in a language.
pub(super) fn writer(language: Language) -> &'static LanguageWriter {
    match language {
        Language::Python => &python::WRITER,
        Language::Rust => &rust::WRITER,
        Language::JavaScript | Language::TypeScript | Language::Tsx => &script::WRITER,
        Language::Go => &go::WRITER,
        Language::Java => &java::WRITER,
        Language::C | Language::Cpp => &native::WRITER,
        Language::Ruby => &ruby::WRITER,
        Language::CSharp => &csharp::WRITER,
        Language::Php => &php::WRITER,
    }
}

/// How tests are written with a framework.
pub(super) fn form(framework: Framework) -> &'static FrameworkForm {
    match framework {
        Framework::Pytest => &python::PYTEST,
        Framework::Unittest => &python::UNITTEST,
        Framework::Rust => &rust::FORM,
        Framework::Vitest => &script::VITEST,
        Framework::Jest => &script::JEST,
        Framework::NodeTest => &script::NODE_TEST,
        Framework::Mocha => &script::MOCHA,
        Framework::Go => &go::FORM,
        Framework::Junit4 => &java::JUNIT4,
        Framework::Junit5 => &java::JUNIT5,
        Framework::Rspec => &ruby::RSPEC,
        Framework::Minitest => &ruby::MINITEST,
        Framework::Phpunit => &php::FORM,
        Framework::Xunit => &csharp::XUNIT,
        Framework::Nunit => &csharp::NUNIT,
        Framework::Gtest => &native::GTEST,
        Framework::Catch2 => &native::CATCH2,
        Framework::Mstest => &FrameworkForm::NONE,
    }
}

/// The form of the tests of a project in a language.
fn form_in(language: Language, framework: Option<Framework>) -> &'static FrameworkForm {
    framework.or(writer(language).usual).map_or(&FrameworkForm::NONE, form)
}

/// An outcome as one line of test code.
pub(crate) fn assertion_line(
    outcome: &ExpectedOutcome,
    language: Language,
    framework: Option<Framework>,
) -> Option<String> {
    (form_in(language, framework).assertion)(outcome)
}

/// A scenario as the head of a test, in the words of the project's tests.
pub(crate) fn scenario_line(
    scenario: &ExpectedOutcome,
    language: Language,
    framework: Option<Framework>,
) -> Option<String> {
    let ExpectedOutcome::Scenario { given, when, then } = scenario else { return None };
    let whole = format!("{given} {when} then {then}");
    let words: Vec<&str> = whole.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    (writer(language).scenario)(scenario, &words, form_in(language, framework))
}

/// A name as it is written with low lines.
pub(super) fn snake(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

/// A single-quoted string as a double-quoted one.
pub(super) fn double(value: &str) -> String {
    let inner = value.trim_matches('\'').replace("\\'", "'");
    format!("{inner:?}")
}

#[cfg(test)]
mod tests {
    use windlass_core::path_text::FILE_ENDINGS;

    use super::*;

    /// What `core` and `formats` cannot ask the rows for.
    #[test]
    fn every_language_is_known_below_the_rows() {
        for language in Language::ALL {
            let row = language.row();
            let unknown: Vec<_> =
                row.extensions.iter().filter(|ending| !FILE_ENDINGS.contains(ending)).collect();
            assert!(unknown.is_empty(), "`FILE_ENDINGS` of core lacks {unknown:?}");
            assert_eq!(windlass_formats::comment_mark(Some(row.fence)), row.comment, "{language:?}");
        }
    }

    #[test]
    fn every_usual_framework_has_a_template() {
        let usual = Language::ALL.iter().filter_map(|language| writer(*language).usual);
        let without: Vec<Framework> =
            usual.filter(|framework| form(*framework).template.is_empty()).collect();
        assert!(without.is_empty(), "{without:?}");
    }
}
