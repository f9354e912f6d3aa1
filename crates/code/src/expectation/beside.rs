//! A table of cases that stands in another source file among the tests: `from cases import CASES`.
//!
//! The test is read together with that file as if both were one text. What is changed there is laid in a run of its own.

use std::ops::Range;

use tree_sitter::Node;
use windlass_core::path_text::{dir_of, file_name, name_stem};

use super::alter::Choice;
use super::edit::SourceEdit;
use super::find::TestReader;
use super::{ExpectationKind, ExpectationMutant, TestExpectations, with_edits};
use crate::detect::is_test_path;
use crate::language::Language;
use crate::syntax::source::ParsedText;
use crate::syntax::{TestItem, language_of};

/// The most text that is read together.
const LARGEST: usize = 1 << 20;

/// Another file with other expected values in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BesideChange {
    /// The file.
    pub path: String,
    /// Its bytes with the change.
    pub bytes: Vec<u8>,
    /// What is changed, with lines of that file. Its edits are in `bytes` already.
    pub mutant: ExpectationMutant,
}

/// A test file and the file with its table, as one text.
struct JoinedText<'a> {
    path: &'a str,
    bytes: &'a [u8],
    /// Where the second file begins.
    start: usize,
    joined: Vec<u8>,
}

/// Adds the changes of tables in files among the tests to what the tests of a file expect.
pub(super) fn add_tables_beside(
    seen: &mut [TestExpectations],
    (test, language, bytes): (&str, Language, &[u8]),
    items: &[TestItem],
    beside: &[(String, Vec<u8>)],
    choice: &mut Choice,
) {
    for (path, other) in nearest(test, beside) {
        let Some(text) = JoinedText::of(path, bytes, other) else { continue };
        let mut of_item =
            |source: &ParsedText<'_>, item| TestReader::mutants_of_item(source, language, item, choice);
        let found = text
            .parsed(language, |source| items.iter().map(|item| of_item(source, item)).collect::<Vec<_>>());
        for (found, seen) in found.unwrap_or_default().into_iter().zip(seen.iter_mut()) {
            seen.beside.extend(text.first_of(language, found));
        }
    }
}

/// The files among the tests; of several with one name the one that lies nearest to the test.
fn nearest<'b>(test: &str, beside: &'b [(String, Vec<u8>)]) -> Vec<&'b (String, Vec<u8>)> {
    let common = |path: &str| {
        let directories = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
        directories(path).iter().zip(&directories(test)).take_while(|(a, b)| a == b).count()
    };
    let among = || beside.iter().filter(|(path, _)| is_test_path(path) && path != test);
    let is_near = |(path, _): &&(String, Vec<u8>)| {
        let others = among().filter(|(other, _)| other != path && file_name(other) == file_name(path));
        others.into_iter().all(|(other, _)| common(other) < common(path))
    };
    among().filter(is_near).collect()
}

impl<'a> JoinedText<'a> {
    fn of(path: &'a str, bytes: &[u8], other: &'a [u8]) -> Option<Self> {
        let fits = bytes.len() + other.len() < LARGEST;
        fits.then(|| Self {
            path,
            bytes: other,
            start: bytes.len() + 1,
            joined: [bytes, b"\n", other].concat(),
        })
    }

    fn parsed<T>(&self, language: Language, read: impl FnOnce(&ParsedText<'_>) -> T) -> Option<T> {
        let prepared = (language.row().expectation.prepare)(&self.joined);
        ParsedText::parse_prepared(language, &prepared, &self.joined).map(|source| read(&source))
    }

    /// The first of these mutants that changes a table of the second file, and nothing else.
    fn first_of(&self, language: Language, mutants: Vec<ExpectationMutant>) -> Option<BesideChange> {
        let there = |m: &ExpectationMutant| {
            let told = matches!(m.kind, ExpectationKind::Equality | ExpectationKind::Part);
            told && !m.change.is_empty() && m.change.iter().all(|edit| edit.range.start >= self.start)
        };
        let known = |m: &ExpectationMutant| {
            self.parsed(language, |source| self.is_imported(source, language, m)).unwrap_or_default()
        };
        mutants.into_iter().filter(there).find(known).and_then(|mutant| self.changed(mutant))
    }

    /// The change in the second file alone.
    fn changed(&self, mutant: ExpectationMutant) -> Option<BesideChange> {
        let moved = |edit: &SourceEdit| {
            let range = edit.range.start - self.start..edit.range.end - self.start;
            SourceEdit::new(range, edit.text.clone())
        };
        let edits: Vec<SourceEdit> = mutant.change.iter().map(moved).collect();
        let bytes = with_edits(self.bytes, &edits.iter().collect::<Vec<_>>())?;
        let before = &self.bytes[..edits.first()?.range.start];
        let line = before.split(|byte| *byte == b'\n').count();
        let mutant = ExpectationMutant {
            line,
            straight: false,
            change: Vec::new(),
            same: Vec::new(),
            framed: None,
            ..mutant
        };
        Some(BesideChange { path: self.path.to_owned(), bytes, mutant })
    }

    /// Whether the test file takes the table that a mutant changes from this file.
    fn is_imported(&self, source: &ParsedText<'_>, language: Language, mutant: &ExpectationMutant) -> bool {
        let Some(place) = mutant.change.first().map(|edit| edit.range.clone()) else { return false };
        if !language.row().expectation.imports_by_name {
            return true;
        }
        let Some(name) = bound_name(source, language, &place) else { return false };
        let stem = stem_of(self.path);
        let test = source.slice(0..self.start);
        let text = String::from_utf8_lossy(test);
        let has = |text: &str, word: &str| {
            text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).any(|part| part == word)
        };
        let member = [format!("{stem}.{name}"), format!("{stem}::{name}")];
        let taken = |part: &str| {
            let imports = ["import", "require", "use "].iter().any(|word| part.contains(word));
            imports && has(part, stem) && (has(part, &name) || name == WHOLE)
        };
        member.iter().any(|member| text.contains(member.as_str()))
            || statements(source, self.start).iter().any(|part| taken(part))
    }
}

/// The changes of tables in other files of a file that is one test.
pub fn tables_beside(path: &str, bytes: &[u8], beside: &[(String, Vec<u8>)], seed: u64) -> Vec<BesideChange> {
    let Some(language) = language_of(path) else { return Vec::new() };
    let mut choice = Choice::new(seed, path);
    let of = |(path, other): &(String, Vec<u8>)| {
        let text = JoinedText::of(path, bytes, other)?;
        let seen = super::find::of_file(path, language, &text.joined, &mut choice)?;
        text.first_of(language, seen.mutants)
    };
    let same = |(path, _): &&(String, Vec<u8>)| language_of(path) == Some(language);
    nearest(path, beside).into_iter().filter(same).filter_map(of).collect()
}

/// The name of a table that is all that its module exports.
const WHOLE: &str = "module.exports";

/// The name of a module by its path.
fn stem_of(path: &str) -> &str {
    match name_stem(path) {
        "mod" | "index" | "__init__" if path.contains('/') => file_name(dir_of(path)),
        stem => stem,
    }
}

/// The statements of the first file.
fn statements(source: &ParsedText<'_>, end: usize) -> Vec<String> {
    let all = crate::syntax::source::named_children(source.root()).into_iter();
    all.filter(|node| node.start_byte() < end).map(|node| source.text(node)).collect()
}

/// The name that the outermost binding around a place gives its value.
fn bound_name(source: &ParsedText<'_>, language: Language, place: &Range<usize>) -> Option<String> {
    let node = source.root().descendant_for_byte_range(place.start, place.end)?;
    let bindings = language.row().expectation.bindings;
    let name = |node: Node<'_>| {
        if node.kind() == "export_statement" && node.child_by_field_name("value").is_some() {
            return Some(WHOLE.to_owned());
        }
        let (_, names, _) = bindings.iter().find(|(kind, ..)| *kind == node.kind())?;
        source.field(node, names)
    };
    let name = std::iter::successors(Some(node), Node::parent).filter_map(name).last()?;
    let own = name.strip_prefix("module.exports.").or_else(|| name.strip_prefix("exports."));
    Some(own.map(str::to_owned).unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::super::expectations_beside;

    /// The lines of the file beside a test that are changed.
    fn changed(test: (&str, &str), beside: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<(String, Vec<u8>)> =
            beside.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
        let seen = expectations_beside(test.0, test.1.as_bytes(), &files, &|_| true, 1);
        let mut out = Vec::new();
        for change in seen.iter().flat_map(|test| &test.beside) {
            let (_, right) = beside.iter().find(|(path, _)| *path == change.path).unwrap();
            let text = String::from_utf8_lossy(&change.bytes).into_owned();
            let lines = right.lines().zip(text.lines());
            out.extend(lines.filter(|(was, now)| was != now).map(|(was, _)| was.trim().to_owned()));
        }
        out
    }

    #[test]
    fn tables_in_other_files_of_the_tests() {
        let python =
            "@pytest.mark.parametrize('a, want', CASES)\ndef test_a(a, want):\n    assert f(a) == want\n";
        let rows = "CASES = [\n    (1, 22),\n    (3, 44),\n]\n";
        let by_name = format!("from cases import CASES\n\n\n{python}");
        let both: &[&str] = &["(1, 22),", "(3, 44),"];
        assert_eq!(changed(("tests/test_a.py", &by_name), &[("tests/cases.py", rows)]), both);
        let by_module = format!("import cases\n\n\n{}", python.replace("CASES", "cases.CASES"));
        assert_eq!(changed(("tests/test_a.py", &by_module), &[("tests/cases.py", rows)]), both);
        let far = &[("tests/cases.py", rows), ("other/tests/cases.py", "CASES = [\n    (5, 66),\n]\n")];
        assert_eq!(changed(("tests/test_a.py", &by_name), far), both);
        let renamed =
            by_name.replace("import CASES", "import CASES as rows").replace("want', CASES", "want', rows");
        assert_eq!(changed(("tests/test_a.py", &renamed), &[("tests/cases.py", rows)]), both);
        // Code of the project, another module of that name, an input.
        assert_eq!(changed(("tests/test_a.py", &by_name), &[("shop/cases.py", rows)]), [] as [&str; 0]);
        let other = by_name.replace("from cases", "from shop.prices");
        assert_eq!(changed(("tests/test_a.py", &other), &[("tests/cases.py", rows)]), [] as [&str; 0]);
        let input = by_name.replace("f(a)", "f(want)");
        assert_eq!(changed(("tests/test_a.py", &input), &[("tests/cases.py", rows)]), [] as [&str; 0]);
    }

    #[test]
    fn tables_of_other_languages() {
        let script = "for (const { a, want } of cases) {\n  test(`f ${a}`, () => {\n    assert.equal(f(a), want);\n  });\n}\n";
        let rows = "[\n  { a: 1, want: 22 },\n];\n";
        for (head, table) in [
            ("const cases = require('./cases.js');\n", "module.exports = "),
            ("const { cases } = require('./cases.js');\n", "exports.cases = "),
            ("import { cases } from './cases.js';\n", "export const cases = "),
            ("import cases from './cases.js';\n", "export default "),
        ] {
            let test = format!("{head}{script}");
            let beside = format!("{table}{rows}");
            let seen = changed(("test/a.test.js", &test), &[("test/cases.js", &beside)]);
            assert_eq!(seen, ["{ a: 1, want: 22 },"], "{head}");
        }
        let rust = "mod cases;\n\n#[test]\nfn a() {\n    for (a, want) in cases::CASES {\n        assert_eq!(f(*a), *want);\n    }\n}\n";
        let table = "pub const CASES: &[(i64, i64)] = &[\n    (1, 22),\n];\n";
        assert_eq!(changed(("tests/a.rs", rust), &[("tests/cases/mod.rs", table)]), ["(1, 22),"]);
        let go = "package a\n\nfunc TestA(t *testing.T) {\n\tfor _, c := range cases {\n\t\tif got := f(c.in); got != c.want {\n\t\t\tt.Error(got)\n\t\t}\n\t}\n}\n";
        let table = "package a\n\nvar cases = []struct{ in, want int }{\n\t{1, 22},\n}\n";
        assert_eq!(changed(("a_test.go", go), &[("cases_test.go", table)]), ["{1, 22},"]);
    }
}
