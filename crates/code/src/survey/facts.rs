//! What one file says, as far as it can be told from its text alone: so it can be kept by the hash of that text.

use serde::{Deserialize, Serialize};

use super::style::TestStyle;

/// A language with a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Python
    Python,
    /// Rust
    Rust,
    /// JavaScript, with JSX
    JavaScript,
    /// TypeScript
    TypeScript,
    /// TypeScript with JSX
    Tsx,
    /// Go
    Go,
    /// Java
    Java,
    /// C
    C,
    /// C++
    Cpp,
    /// Ruby
    Ruby,
    /// C#
    CSharp,
    /// PHP
    Php,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 12] = [
        Language::Python,
        Language::Rust,
        Language::JavaScript,
        Language::TypeScript,
        Language::Tsx,
        Language::Go,
        Language::Java,
        Language::C,
        Language::Cpp,
        Language::Ruby,
        Language::CSharp,
        Language::Php,
    ];

    /// The language of a file, by its name.
    pub fn of_path(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let (_, ending) = name.rsplit_once('.')?;
        match ending {
            "py" | "pyi" => Some(Self::Python),
            "rs" => Some(Self::Rust),
            "js" | "mjs" | "cjs" | "jsx" => Some(Self::JavaScript),
            "ts" | "mts" | "cts" => Some(Self::TypeScript),
            "tsx" => Some(Self::Tsx),
            "go" => Some(Self::Go),
            "java" => Some(Self::Java),
            "c" => Some(Self::C),
            // A header is read as C++, which takes nearly all of C.
            "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "hxx" => Some(Self::Cpp),
            "rb" => Some(Self::Ruby),
            "cs" => Some(Self::CSharp),
            "php" => Some(Self::Php),
            _ => None,
        }
    }

    /// A language by what people call it or the ending of its files.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        match name.as_str() {
            "c++" => Some(Self::Cpp),
            "c#" => Some(Self::CSharp),
            "golang" => Some(Self::Go),
            _ => Self::ALL
                .into_iter()
                .find(|language| language.fence() == name)
                .or_else(|| Self::of_path(&format!("x.{name}"))),
        }
    }

    /// The word for it after the three backticks of a fence.
    pub fn fence(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Rust => "rust",
            Self::JavaScript => "javascript",
            Self::TypeScript => "typescript",
            Self::Tsx => "tsx",
            Self::Go => "go",
            Self::Java => "java",
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Ruby => "ruby",
            Self::CSharp => "csharp",
            Self::Php => "php",
        }
    }

    /// Whether two languages share their symbols: JavaScript and TypeScript do, and C and C++.
    pub fn same_family(self, other: Self) -> bool {
        self == other
            || (self.is_script() && other.is_script())
            || (matches!(self, Self::C | Self::Cpp) && matches!(other, Self::C | Self::Cpp))
    }

    /// Whether it is JavaScript or TypeScript.
    pub fn is_script(self) -> bool {
        match self {
            Self::JavaScript | Self::TypeScript | Self::Tsx => true,
            Self::Python
            | Self::Rust
            | Self::Go
            | Self::Java
            | Self::C
            | Self::Cpp
            | Self::Ruby
            | Self::CSharp
            | Self::Php => false,
        }
    }
}

/// What kind of symbol is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportKind {
    /// A function.
    Function,
    /// A method of a type, class, trait or object.
    Method,
    /// A class, struct, enum, union or type alias.
    Type,
    /// A trait or interface.
    Interface,
    /// A constant, a variable, or something passed on from another module.
    Value,
    /// A module.
    Module,
    /// A macro.
    Macro,
}

/// One public symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// Its name; a method is `Owner.name`, in Rust `Owner::name`.
    pub name: String,
    /// Its kind.
    pub kind: ExportKind,
    /// Its declaration without a body, on one line.
    pub signature: String,
    /// Its line, counted from 1.
    pub line: usize,
}

/// One import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The module as written.
    pub module: String,
    /// The names taken from it, `*` for all, `default` for a default import; empty when the module itself is taken.
    pub names: Vec<String>,
    /// Its line, counted from 1.
    pub line: usize,
}

/// What one source file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Its language.
    pub language: Language,
    /// Its public symbols, in order.
    pub exports: Vec<Export>,
    /// Its imports, in order.
    pub imports: Vec<Import>,
    /// Types that its own types extend or implement, as written.
    pub bases: Vec<String>,
    /// The names of its tests.
    pub tests: Vec<String>,
    /// How its tests are written, where it has any.
    pub style: Option<TestStyle>,
    /// Fixtures it defines or sets up (pytest fixtures, `beforeEach`, `@BeforeEach`, `let` of rspec), by name.
    pub fixtures: Vec<String>,
    /// What it declares as its package or namespace.
    pub package: Option<String>,
    /// The first line that does not parse; what could be read stands above all the same.
    pub broken: Option<usize>,
}
