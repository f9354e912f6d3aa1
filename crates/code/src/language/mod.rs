//! The languages that can be read: one file each, collected in one list.
//!
//! A new language is its file here, its grammar in `Cargo.toml` and its line in the list below. Everything else asks
//! [`Language::row`]; few other files distinguish languages, and a tidy test counts those that match on them.

mod beside_canary;
mod c_family;
mod csharp;
mod go;
mod java;
mod php;
mod python;
mod row;
mod ruby;
mod rust;
mod script;
mod stub;
#[cfg(test)]
mod tests;
mod tooling;

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use windlass_core::path_text::file_name;

pub(crate) use csharp::csharp_project;
pub(crate) use python::django_settings;
pub(crate) use rust::{CargoPackage, cargo_package, cargo_root};
pub(crate) use script::{PACKAGE, any_depends_on, depends_on, package};
pub(crate) use tooling::{LikelyProject, Tooling, name_fits};

pub use script::{contract_project, eslint_without_config};

pub use row::{LanguageRow, NewProjectFiles, RequiredBodies, TypeLayout};

/// Declares [`Language`] with a row per variant.
macro_rules! languages {
    ($($(#[$doc:meta])* $name:ident: $row:expr,)*) => {
        /// A language with a grammar.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Language {
            $($(#[$doc])* $name,)*
        }

        impl Language {
            /// Every language.
            pub const ALL: &[Language] = &[$(Language::$name),*];

            /// What is known about the language.
            pub fn row(self) -> &'static LanguageRow {
                static ROWS: &[LanguageRow] = &[$($row),*];
                &ROWS[self as usize]
            }
        }
    };
}

languages! {
    /// Python
    Python: python::ROW,
    /// Rust
    Rust: rust::ROW,
    /// JavaScript, with JSX
    JavaScript: script::JAVASCRIPT,
    /// TypeScript
    TypeScript: script::TYPESCRIPT,
    /// TypeScript with JSX
    Tsx: script::TSX,
    /// Go
    Go: go::ROW,
    /// Java
    Java: java::ROW,
    /// C
    C: c_family::C,
    /// C++
    Cpp: c_family::CPP,
    /// Ruby
    Ruby: ruby::ROW,
    /// C#
    CSharp: csharp::ROW,
    /// PHP
    Php: php::ROW,
}

impl Language {
    /// The languages that stand for those which share their symbols with them, each with its tools.
    pub(crate) fn families() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|language| language.row().family == *language)
    }

    /// The programs that a machine has where these languages are worked with.
    pub fn programs() -> impl Iterator<Item = &'static str> {
        Self::families().flat_map(|language| language.row().tooling.programs).copied()
    }

    /// Variables that say where the tool-chains of these languages lie, each with the usual place below the home.
    pub fn homes() -> impl Iterator<Item = (&'static str, &'static str)> {
        Self::families().flat_map(|language| language.row().tooling.homes).copied()
    }

    /// The same for what their package managers fetched.
    pub fn caches() -> impl Iterator<Item = (&'static str, &'static str)> {
        Self::families().flat_map(|language| language.row().tooling.caches).copied()
    }

    /// Variables that name registries of packages, and the log-ins for them.
    pub fn registries() -> impl Iterator<Item = &'static str> {
        Self::families().flat_map(|language| language.row().tooling.registries).copied()
    }

    /// The language of a file, by the ending of its name.
    pub fn of_path(path: &str) -> Option<Self> {
        let (_, ending) = file_name(path).rsplit_once('.')?;
        Self::of_ending(ending)
    }

    /// The language of files with this ending.
    pub(crate) fn of_ending(ending: &str) -> Option<Self> {
        // Asked of every file of a repository, so a look-up and no search. Of two languages with one ending the first counts.
        static ENDINGS: LazyLock<HashMap<&str, Language>> = LazyLock::new(|| {
            let languages = Language::ALL.iter().copied().rev();
            let endings =
                |language: Language| language.row().extensions.iter().map(move |ending| (*ending, language));
            languages.flat_map(endings).collect()
        });
        ENDINGS.get(ending).copied()
    }

    /// The ending of the sources that use headers with this ending; `None` where it is not that of a header.
    pub(crate) fn header(ending: &str) -> Option<&'static str> {
        let mut headers = Self::families().flat_map(|language| language.row().headers);
        headers.find(|(known, _)| *known == ending).map(|(_, source)| *source)
    }

    /// Whether a file is a header, which is used by others and not compiled on its own.
    pub fn is_header(path: &str) -> bool {
        file_name(path).rsplit_once('.').is_some_and(|(_, ending)| Self::header(ending).is_some())
    }

    /// Whether a file is compiled on its own, in a language with headers.
    pub fn is_compiled(path: &str) -> bool {
        let has_headers = |language: Self| !language.row().headers.is_empty();
        Self::of_path(path).is_some_and(has_headers) && !Self::is_header(path)
    }

    /// What is known about the language of a file; of one in no language, nothing.
    pub fn row_of(path: &str) -> &'static LanguageRow {
        Self::of_path(path).map_or(&row::BASE, Self::row)
    }

    /// Whether the fixtures of a file are those of every test below its folder.
    pub fn holds_fixtures(path: &str) -> bool {
        Self::row_of(path).fixture_file == Some(file_name(path))
    }

    /// Whether a file only makes its folder a package.
    pub fn marks_package(path: &str) -> bool {
        Self::row_of(path).package_mark == Some(file_name(path))
    }

    /// Whether a file hands on what the other files of its folder define.
    pub fn is_index(path: &str) -> bool {
        Self::row_of(path).index_files.contains(&file_name(path))
    }

    /// Whether a file declares the modules beside it.
    pub fn declares_modules(path: &str) -> bool {
        Self::row_of(path).declaring_files.contains(&file_name(path))
    }

    /// Whether a file lists the packages of a project.
    pub fn is_manifest(path: &str) -> bool {
        let has_managers = |language: Self| !language.row().family.row().tooling.managers.is_empty();
        Self::of_manifest(file_name(path)).is_some_and(has_managers)
    }

    /// A language by one of its names or by the ending of its files.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let name = name.as_str();
        Self::find(|row| row.fence == name || row.names.contains(&name))
            .or_else(|| Self::find(|row| row.extensions.contains(&name)))
    }

    /// The language that the info string of a fence names.
    pub fn of_hint(hint: &str) -> Option<Self> {
        Self::named(hint.split([' ', ',', '{']).next().unwrap_or_default())
    }

    /// The language of a project with a manifest of this name.
    pub fn of_manifest(name: &str) -> Option<Self> {
        Self::find(|row| row.manifests.iter().any(|known| name_fits(known, name)))
    }

    /// The language that a word in prose speaks of: its name or something that is always used with it.
    pub fn of_prose(word: &str) -> Option<Self> {
        Self::find(|row| row.prose_names.contains(&word))
    }

    fn find(is_meant: impl Fn(&LanguageRow) -> bool) -> Option<Self> {
        Self::ALL.iter().copied().find(|language| is_meant(language.row()))
    }

    /// The word for it after the three backticks of a fence.
    pub fn fence(self) -> &'static str {
        self.row().fence
    }

    /// Whether two languages share their symbols: JavaScript and TypeScript do, and C and C++.
    pub fn same_family(self, other: Self) -> bool {
        self.row().family == other.row().family
    }

    /// Whether it is JavaScript or TypeScript.
    pub fn is_script(self) -> bool {
        self.row().family == Language::TypeScript
    }
}
