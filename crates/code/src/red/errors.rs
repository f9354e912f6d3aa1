//! What the errors of a run amount to, whatever language they are in.

use windlass_core::report::Runner;

use super::owned::Owned;
use super::{
    c_errors, go_errors, java_errors, php_errors, python_errors, ruby_errors, rust_errors, script_errors,
};
use crate::syntax::{Language, language_of};

/// An error that code of the task cannot mend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wrong {
    /// Something does not parse.
    Syntax(String),
    /// A module or package is missing that no owned file provides.
    Foreign(String),
    /// Anything else.
    Other(String),
}

impl Wrong {
    /// The line that says so.
    pub(super) fn line(&self) -> &str {
        match self {
            Self::Syntax(line) | Self::Foreign(line) | Self::Other(line) => line,
        }
    }
}

/// Every error of a run, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Errors {
    /// Names and modules that the task is to provide.
    pub(super) missing: Vec<String>,
    /// Everything else.
    pub(super) wrong: Vec<Wrong>,
}

impl Errors {
    /// The errors of a run where each line speaks for itself.
    pub(super) fn by_line(text: &str, owned: Owned<'_>, judge: fn(&str, Owned<'_>, &mut Errors)) -> Self {
        let mut errors = Self::default();
        for line in text.lines() {
            judge(line.trim(), owned, &mut errors);
        }
        errors
    }

    pub(super) fn missing(&mut self, name: impl Into<String>) {
        let name = name.into();
        if !self.missing.contains(&name) {
            self.missing.push(name);
        }
    }

    pub(super) fn wrong(&mut self, wrong: Wrong) {
        if !self.wrong.contains(&wrong) && self.wrong.len() < 20 {
            self.wrong.push(wrong);
        }
    }
}

/// Which language's errors to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speech {
    Python,
    Rust,
    Script,
    Go,
    Ruby,
    Php,
    Java,
    C,
}

impl Speech {
    /// The language that a runner speaks, or else those of the test files.
    pub(super) fn of(runner: Option<Runner>, test_files: &[(String, Vec<u8>)]) -> Vec<Self> {
        match runner {
            Some(Runner::Pytest | Runner::Unittest) => vec![Self::Python],
            Some(Runner::CargoTest | Runner::Nextest) => vec![Self::Rust],
            Some(Runner::Vitest | Runner::Jest | Runner::NodeTest) => vec![Self::Script],
            Some(Runner::GoTest) => vec![Self::Go],
            Some(Runner::Rspec | Runner::Minitest) => vec![Self::Ruby],
            Some(Runner::Phpunit) => vec![Self::Php],
            Some(Runner::Ctest) => vec![Self::C],
            Some(Runner::Junit | Runner::Tap) | None => {
                let mut out = Vec::new();
                for speech in
                    test_files.iter().filter_map(|(path, _)| language_of(path)).filter_map(Self::of_language)
                {
                    if !out.contains(&speech) {
                        out.push(speech);
                    }
                }
                out
            }
        }
    }

    /// What the tools of C# say is not read: exit codes have to do.
    fn of_language(language: Language) -> Option<Self> {
        match language {
            Language::Python => Some(Self::Python),
            Language::Rust => Some(Self::Rust),
            Language::JavaScript | Language::TypeScript | Language::Tsx => Some(Self::Script),
            Language::Go => Some(Self::Go),
            Language::Java => Some(Self::Java),
            Language::C | Language::Cpp => Some(Self::C),
            Language::Ruby => Some(Self::Ruby),
            Language::Php => Some(Self::Php),
            Language::CSharp => None,
        }
    }

    /// Reads the errors out of plain text.
    pub(super) fn read(self, text: &str, owned: Owned<'_>, test_files: &[(String, Vec<u8>)]) -> Errors {
        match self {
            Self::Python => python_errors::read(text, owned, test_files),
            Self::Rust => rust_errors::read(text, owned),
            Self::Script => script_errors::read(text, owned),
            Self::Go => go_errors::read(text, owned),
            Self::Ruby => ruby_errors::read(text, owned),
            Self::Php => php_errors::read(text, owned),
            Self::Java => java_errors::read(text, owned),
            Self::C => c_errors::read(text, owned),
        }
    }
}

/// The text between the first pair of quotes after `before`.
pub(super) fn quoted<'a>(text: &'a str, before: &str) -> Option<&'a str> {
    let rest = text.split_once(before)?.1;
    let rest = rest.trim_start_matches([' ', '\\']);
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"' | '`'))?;
    rest[1..].split_once(quote).map(|(inside, _)| inside)
}
