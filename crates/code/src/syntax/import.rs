//! What a file imports.

use super::language::{Language, language_of};
use super::source::Source;
use super::{go, javascript, python, rust};

/// One import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The module as written.
    pub module: String,
    /// The names taken from it, `*` for all, `default` for a default import; empty when the module itself is taken.
    pub names: Vec<String>,
    /// Its line, counted from 1.
    pub line: usize,
}

/// The imports of one file, in order; none when the language is not known.
pub fn imports(path: &str, bytes: &[u8]) -> Vec<Import> {
    let Some(language) = language_of(path) else { return Vec::new() };
    let Some(source) = Source::parse(language, bytes) else { return Vec::new() };
    match language {
        Language::Python => python::imports(&source),
        Language::Rust => rust::imports(&source),
        Language::JavaScript | Language::TypeScript | Language::Tsx => javascript::imports(&source),
        Language::Go => go::imports(&source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &str, text: &str) -> String {
        imports(path, text.as_bytes())
            .iter()
            .map(|import| format!("{} {} {:?}\n", import.line, import.module, import.names))
            .collect::<Vec<_>>()
            .concat()
    }

    #[test]
    fn imports_of_every_language() {
        insta::assert_snapshot!(shown("a.py", "import os, a.b as c\nfrom .x import y, z as w\nfrom m import *\ndef f():\n    import late\n"), @r#"
        1 os []
        1 a.b []
        2 .x ["y", "z"]
        3 m ["*"]
        5 late []
        "#);
        insta::assert_snapshot!(shown("a.rs", "use std::fmt;\nuse a::{self, b, c::{d, e as f}};\nmod m { use super::*; }\nextern crate x;"), @r#"
        1 std ["fmt"]
        2 a ["self", "b"]
        2 a::c ["d", "f"]
        3 super ["*"]
        4 x []
        "#);
        insta::assert_snapshot!(shown("a.ts", "import d, { a, type B } from './x';\nimport * as n from 'y';\nimport 'side';\nexport { q } from './q';\nexport * from './all';\nconst { r, s: t } = require('z');\nconst u = await import('v');"), @r#"
        1 ./x ["default", "a", "B"]
        2 y ["*"]
        3 side []
        4 ./q ["q"]
        5 ./all ["*"]
        6 z ["r", "s"]
        7 v []
        "#);
        insta::assert_snapshot!(shown("a.go", "package a\nimport \"fmt\"\nimport (\n  x \"a/b\"\n  _ \"c\"\n)\n"), @r"
        2 fmt []
        4 a/b []
        5 c []
        ");
    }
}
