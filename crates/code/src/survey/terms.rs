//! The words by which a file can be imported: enough to find the files that may do so without parsing any.
//!
//! Always more than the grammars would find, never fewer; [`imported_by`](super::Survey::imported_by) has the last word.

use super::facts::Language;
use super::place::{below, split};
use super::query::{Reader, Survey};

/// The words of a name: `my-cart.view` has three. A text without any, like `..`, has its dots.
pub fn words(name: &str) -> Vec<String> {
    let found: Vec<String> = name
        .split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    if found.is_empty() { vec![".".to_owned()] } else { found }
}

/// What an import of a file has in it.
pub(super) struct Terms {
    /// Wherever it stands: all words of one of these.
    pub(super) far: Vec<Vec<String>>,
    /// Only below the file's own directory: one of these.
    pub(super) near: Vec<Vec<String>>,
}

/// The terms for a file.
pub(super) fn terms(survey: &Survey, path: &str, language: Language) -> Terms {
    let (dir, name) = split(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let folder = words(split(dir).1);
    let member = survey.member(path).and_then(|m| m.name.as_deref()).map(words);
    let word = |text: &str| vec![text.to_owned()];
    let (mut far, near) = match language {
        Language::Python if stem == "__init__" => (vec![folder], vec![word(".")]),
        Language::JavaScript | Language::TypeScript | Language::Tsx if stem == "index" => {
            (vec![words(stem), folder], vec![word(".")])
        }
        Language::Rust => {
            let own = if stem == "mod" { folder } else { words(stem) };
            (vec![own], vec![word("super"), word("self"), word("crate")])
        }
        // A package is imported by its directory.
        Language::Go => (vec![folder], Vec::new()),
        Language::CSharp => {
            let package = survey.facts(path).and_then(|facts| facts.package.as_deref().map(words));
            (package.into_iter().collect(), Vec::new())
        }
        Language::Python
        | Language::JavaScript
        | Language::TypeScript
        | Language::Tsx
        | Language::Java
        | Language::C
        | Language::Cpp
        | Language::Ruby
        | Language::Php => (vec![words(stem)], Vec::new()),
    };
    if language.is_script() || matches!(language, Language::Rust | Language::Go) {
        far.extend(member);
    }
    Terms { far, near }
}

impl Terms {
    /// The files that may import `path`, sorted; `None` when only reading them all would tell.
    pub(super) fn likely(&self, reader: &dyn Reader, path: &str) -> Option<Vec<String>> {
        let mut found = reader.mentioning(&self.far)?;
        if !self.near.is_empty() {
            let dir = split(path).0;
            let close = reader.mentioning(&self.near)?;
            found.extend(close.into_iter().filter(|other| below(dir, other).is_some()));
            found.sort_unstable();
            found.dedup();
        }
        Some(found)
    }
}
