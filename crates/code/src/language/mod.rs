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

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use windlass_core::path_text::file_name;

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
    /// The language of a file, by the ending of its name.
    pub fn of_path(path: &str) -> Option<Self> {
        // Asked of every file of a repository, so a look-up and no search. Of two languages with one ending the first counts.
        static ENDINGS: LazyLock<HashMap<&str, Language>> = LazyLock::new(|| {
            let languages = Language::ALL.iter().copied().rev();
            let endings =
                |language: Language| language.row().extensions.iter().map(move |ending| (*ending, language));
            languages.flat_map(endings).collect()
        });
        let name = file_name(path);
        let (_, ending) = name.rsplit_once('.')?;
        ENDINGS.get(ending).copied()
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
        Self::find(|row| {
            row.manifests.iter().any(|known| match known.strip_prefix('*') {
                Some(ending) => name.ends_with(ending),
                None => name == *known,
            })
        })
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
