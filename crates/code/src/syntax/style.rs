//! How the tests of a file are written, from what it imports and how its tests are named.

use crate::survey::{Framework, TestShape, TestStyle};

use super::import::Import;
use super::language::Language;

/// The style of a file with tests; `None` where the file itself does not say which framework runs it.
pub(super) fn style(
    path: &str,
    language: Language,
    text: &str,
    imports: &[Import],
    bases: &[String],
    tests: &[String],
) -> Option<TestStyle> {
    let imported = |start: &str| imports.iter().any(|import| import.module.starts_with(start));
    let nested = |mark: &str| tests.iter().filter(|name| name.contains(mark)).count() * 2 > tests.len();
    let shape_of = |mark: &str, shape| if nested(mark) { shape } else { TestShape::Functions };
    let (framework, shape) = match language {
        Language::Python => {
            let cases = bases.iter().any(|base| base.ends_with("TestCase"));
            let framework =
                if cases && !imported("pytest") { Framework::Unittest } else { Framework::Pytest };
            (framework, shape_of("::", TestShape::Classes))
        }
        Language::Rust => {
            let apart = path.split('/').rev().skip(1).any(|dir| dir == "tests");
            (Framework::Rust, if apart { TestShape::Functions } else { TestShape::Inline })
        }
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            (script_framework(text, imported)?, shape_of(" > ", TestShape::Suites))
        }
        Language::Go => {
            let table = text.contains("[]struct") || text.contains("map[string]struct");
            (Framework::Go, if table { TestShape::Table } else { TestShape::Functions })
        }
        Language::Java => {
            let framework = if imported("org.junit.jupiter") { Framework::Junit5 } else { Framework::Junit4 };
            (framework, TestShape::Classes)
        }
        Language::C | Language::Cpp => {
            let framework =
                if imported("catch2") || imported("catch.") { Framework::Catch2 } else { Framework::Gtest };
            (framework, TestShape::Functions)
        }
        Language::Ruby => {
            let classes = nested("::test_") || bases.iter().any(|base| base.contains("Test"));
            if classes {
                (Framework::Minitest, TestShape::Classes)
            } else {
                (Framework::Rspec, TestShape::Suites)
            }
        }
        Language::CSharp => (csharp_framework(imported), TestShape::Classes),
        Language::Php => (Framework::Phpunit, TestShape::Classes),
    };
    Some(TestStyle { framework, shape })
}

fn script_framework(text: &str, imported: impl Fn(&str) -> bool) -> Option<Framework> {
    if imported("vitest") || text.contains("vi.fn(") {
        Some(Framework::Vitest)
    } else if imported("node:test") {
        Some(Framework::NodeTest)
    } else if imported("@jest/globals") || text.contains("jest.") {
        Some(Framework::Jest)
    } else if imported("mocha") || imported("chai") {
        Some(Framework::Mocha)
    } else {
        None
    }
}

fn csharp_framework(imported: impl Fn(&str) -> bool) -> Framework {
    if imported("NUnit") {
        Framework::Nunit
    } else if imported("Microsoft.VisualStudio.TestTools") {
        Framework::Mstest
    } else {
        Framework::Xunit
    }
}

/// What tests can ask for by name: pytest's fixtures and rspec's `let`.
pub(super) fn fixtures(language: Language, text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut marked = false;
    for line in text.lines() {
        let line = line.trim();
        match language {
            Language::Python if line.starts_with("@pytest.fixture") || line == "@fixture" => marked = true,
            Language::Python if marked => {
                let name = line.strip_prefix("async ").unwrap_or(line).strip_prefix("def ");
                if let Some(name) = name.and_then(|rest| rest.split('(').next()) {
                    out.push(name.to_owned());
                    marked = false;
                }
            }
            Language::Ruby => {
                let named = line.strip_prefix("let(:").or_else(|| line.strip_prefix("let!(:"));
                out.extend(named.and_then(|rest| rest.split(')').next()).map(str::to_owned));
            }
            _ => {}
        }
    }
    out
}
