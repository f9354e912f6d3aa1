//! How tests are written and files are named: the conventions a new file should follow.

use serde::{Deserialize, Serialize};
use windlass_core::report::Runner;
use windlass_core::worded;

use super::place::TestPlace;
use crate::language::Language;
use crate::runner::row;

worded! {
    /// A test framework, as the test file itself shows it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Framework {
        Pytest = "pytest",
        Unittest = "unittest",
        Rust = "#[test]",
        Vitest = "vitest",
        Jest = "jest",
        NodeTest = "node:test",
        Mocha = "mocha",
        Go = "testing",
        Junit4 = "JUnit 4",
        Junit5 = "JUnit 5",
        Rspec = "rspec",
        Minitest = "minitest",
        Phpunit = "PHPUnit",
        Xunit = "xUnit",
        Nunit = "NUnit",
        Mstest = "MSTest",
        Gtest = "GoogleTest",
        Catch2 = "Catch2",
    }
}

impl Framework {
    /// The framework of a runner whose tests use global names, so that the test file does not show it.
    pub fn with_global_names(runner: Runner) -> Option<Self> {
        row(runner).framework
    }
}

worded! {
    /// The shape of the tests in a file.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum TestShape {
        /// Functions, one per test.
        Functions = "functions",
        /// Methods of a class.
        Classes = "classes",
        /// `describe` and `it`.
        Suites = "describe blocks",
        /// A table of cases in one test.
        Table = "tables of cases",
        /// A test module inside the source file.
        Inline = "a module in the source file",
    }
}

/// How tests are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TestStyle {
    /// The framework.
    pub framework: Framework,
    /// The shape.
    pub shape: TestShape,
}

/// How names are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Naming {
    /// `like_this`
    Snake,
    /// `likeThis`
    Camel,
    /// `LikeThis`
    Pascal,
    /// `like-this`
    Kebab,
}

impl Naming {
    /// The naming that a name shows; `None` where it fits several, as a single word does.
    pub fn of(name: &str) -> Option<Self> {
        let upper = name.chars().any(char::is_uppercase);
        let first_upper = name.chars().next().is_some_and(char::is_uppercase);
        match (name.contains('-'), name.contains('_'), first_upper, upper) {
            (true, false, ..) => Some(Self::Kebab),
            (false, true, _, false) => Some(Self::Snake),
            (false, false, true, true) if name.chars().any(char::is_lowercase) => Some(Self::Pascal),
            (false, false, false, true) => Some(Self::Camel),
            _ => None,
        }
    }

    /// An example of it, for people.
    pub fn example(self) -> &'static str {
        match self {
            Self::Snake => "snake_case",
            Self::Camel => "camelCase",
            Self::Pascal => "PascalCase",
            Self::Kebab => "kebab-case",
        }
    }
}

/// Which quotes a script uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quotes {
    /// `'x'`
    Single,
    /// `"x"`
    Double,
}

/// What the files of one language in one member of the repository have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conventions {
    /// The member's directory, empty for the root.
    pub dir: String,
    /// The language.
    pub language: Language,
    /// How most of its tests are written; `None` without tests.
    pub style: Option<TestStyle>,
    /// Where its tests stand, the most used first.
    pub places: Vec<TestPlace>,
    /// How most of its files are named.
    pub file_names: Option<Naming>,
    /// Which quotes it uses.
    pub quotes: Option<Quotes>,
    /// Whether statements end in a semicolon, where the language leaves that open.
    pub semicolons: Option<bool>,
    /// One step of indentation: `"\t"` or some spaces.
    pub indent: Option<String>,
    /// Whether its tests import the code by a package path (`from shop.cart import …`) and not by a relative one.
    pub absolute_imports: Option<bool>,
    /// Fixtures that tests can use, by name.
    pub fixtures: Vec<String>,
}

#[cfg(test)]
mod tests;
