//! Go.

mod errors;
mod expectation;
mod mutation;
mod reach;
mod syntax;
mod test_faults;
#[cfg(test)]
mod tests;
mod tooling;
mod tricks;

use std::fmt::Write as _;

use windlass_core::path_text::dir_of;
use windlass_core::report::Runner;

use super::row::{BASE, LanguageRow, NewProjectFiles, TypeLayout};
use super::stub::with_body;
use crate::language::Language;
use crate::survey::{
    Framework, Import, ImportForm, ImportTerms, Survey, TestShape, TestStyle, below, join, split,
};
use crate::syntax::CanaryRequest;
use crate::syntax::reformatted::FormRules;
use crate::syntax::signature::{NAME_FIRST, Parameter, SignatureRules, matching, split as split_list};
use crate::syntax::skeleton::{BRACES, BraceRules, braces};
use crate::syntax::source::ParsedText;
use crate::syntax::style::TestFileText;

pub(crate) const ROW: LanguageRow = LanguageRow {
    fence: "go",
    extensions: &["go"],
    names: &["golang"],
    family: Language::Go,
    source_folder: "",
    new_project: NewProjectFiles {
        folder: "",
        setup: &["go.mod"],
        package: None,
        entry: Some("main.go"),
        about: "The module is called `{name}`; its code and its tests are one package at the top of the repository.",
    },
    manifests: &["go.mod"],
    manifest_rank: 4,
    generated: &[".pb.go"],
    prose_names: &["Golang"],
    runners: &[Runner::GoTest],
    is_test: |stem, _| stem.ends_with("_test"),
    tooling: tooling::TOOLING,
    literal_words: &["true", "false", "nil"],
    package_clause: true,
    type_layout: TypeLayout::TopLevel,
    declaration: str::to_owned,
    stub: |code| Some(with_body(code, "func ", " {\n\tpanic(\"not implemented\")\n}")),
    grammar: || tree_sitter_go::LANGUAGE.into(),
    exports: syntax::exports,
    imports: syntax::imports,
    tests: syntax::tests,
    package,
    style: |file| Some(style(file)),
    skeleton: |bytes| braces(&SKELETON, bytes),
    signature: SignatureRules {
        opening,
        parameters,
        result: |after| Some(after),
        normal_type: |text| text.replace("interface{}", "any"),
        ..NAME_FIRST
    },
    same_test,
    canaries,
    errors: Some(|text, owned, _| errors::read(text, owned)),
    test_faults: test_faults::read,
    mutation: mutation::RULES,
    expectation: expectation::RULES,
    tricks: |look| tricks::TABLE.look(look),
    reaches_out: |scan| scan.has(&reach::REACHING),
    form: FormRules {
        import_lists: &["import_spec_list"],
        idle_places: Some(|_| Vec::new()),
        ..FormRules::NONE
    },
    resolve: |survey, _, import| resolve(survey, import),
    import_words: &[(b"import", ImportForm::GoImport)],
    // A package is imported by its directory.
    import_terms: |file| ImportTerms {
        far: [file.folder()].into_iter().chain(file.member()).collect(),
        near: Vec::new(),
    },
    import_line: |request| {
        let import = &request.as_written.filter(|_| split(request.path).0 != request.here)?.1;
        Some(format!("import \"{}\"", import.module))
    },
    usual_test: |file| file.beside(&format!("{}_test.go", file.stem)),
    ..BASE
};

const SKELETON: BraceRules = BraceRules {
    is_function: |head| head.words.first().is_some_and(|word| *word == b"func"),
    backticks: true,
    ..BRACES
};

fn package(source: &ParsedText<'_>) -> Option<String> {
    String::from_utf8_lossy(source.bytes)
        .lines()
        .find_map(|line| line.strip_prefix("package "))
        .map(|name| name.split([' ', '/']).next().unwrap_or(name).trim().to_owned())
}

fn style(file: &TestFileText<'_>) -> TestStyle {
    let table = file.text.contains("[]struct") || file.text.contains("map[string]struct");
    let shape = if table { TestShape::Table } else { TestShape::Functions };
    TestStyle { framework: Framework::Go, shape }
}

/// The parenthesis past the receiver of a method.
fn opening(signature: &str) -> Option<usize> {
    let rest = signature.strip_prefix("func ")?;
    let start = signature.len() - rest.len();
    let from = if rest.starts_with('(') { matching(signature, start)? + 1 } else { start };
    signature.get(from..)?.find('(').map(|at| at + from)
}

/// `a, b int, c ...string`: a name without a type has the type of the next one that has.
fn parameters(rules: &SignatureRules, inside: &str) -> Vec<Parameter> {
    let parts = split_list(inside, ',');
    let named = parts.iter().any(|part| part.contains(' '));
    let mut out = Vec::new();
    let mut kind: Option<String> = None;
    for part in parts.iter().rev() {
        let (name, own) = match part.split_once(' ') {
            Some((name, own)) => (name, Some(rules.type_name(own))),
            None if named => (part.as_str(), kind.clone()),
            None => ("", Some(rules.type_name(part))),
        };
        kind.clone_from(&own);
        let rest = part.contains("...");
        out.push(Parameter { name: name.to_owned(), kind: own, optional: rest, rest });
    }
    out.reverse();
    out
}

/// The files of the package that an import means.
fn resolve(survey: &Survey, import: &Import) -> Vec<String> {
    let dir = survey.members.iter().find_map(|m| {
        let rest = below(m.name.as_deref().filter(|name| !name.is_empty())?, &import.module)?;
        Some(join(&m.dir, rest))
    });
    let Some(dir) = dir else { return Vec::new() };
    let prefix = if dir.is_empty() { String::new() } else { format!("{dir}/") };
    let start = survey.paths.partition_point(|p| p.as_str() < prefix.as_str());
    survey.paths[start..]
        .iter()
        .take_while(|p| p.starts_with(&prefix))
        .filter(|p| split(p).0 == dir && p.ends_with(".go") && !p.ends_with("_test.go"))
        .cloned()
        .collect()
}

fn same_test(report: &str, path: &str, name: &str) -> bool {
    let (package, test) = report.rsplit_once(' ').unwrap_or(("", report));
    let top = test.split('/').next().unwrap_or(test);
    let dir = dir_of(path);
    // A module may stand anywhere in the tree, so its own name and that of its directory need not agree.
    let last = |path: &str| path.rsplit('/').next().map(str::to_owned);
    top == name && (dir.is_empty() || package.is_empty() || last(package) == last(dir))
}

fn canaries(request: &CanaryRequest<'_>) -> Option<(String, Vec<String>)> {
    if request.runner != Runner::GoTest {
        return None;
    }
    let word = request.word;
    let name = |n: u8| format!("{}_{word}{n}", request.stem());
    let mut out = request.ended_text();
    for n in [1, 2] {
        let _ = write!(out, "\nfunc {}(t *testing.T) {{ t.Fatal({word:?}) }}\n", name(n));
    }
    Some((out, vec![name(1), name(2)]))
}
