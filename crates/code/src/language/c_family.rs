//! C and C++.

mod errors;
mod expectation;
mod macro_text;
mod mutation;
mod reach;
mod syntax;
#[cfg(test)]
mod tests;
mod tooling;
mod tricks;

use windlass_core::report::Runner;

use super::beside_canary;
use super::row::{BASE, LanguageRow, NewProjectFiles};
use crate::language::Language;
use crate::survey::{
    Framework, Import, ImportForm, ImportRequest, Survey, TestShape, TestStyle, join, resolve_dots, roots,
    split,
};
use crate::syntax::CanaryRequest;
use crate::syntax::signature::{SignatureRules, TYPE_FIRST, last_segments};
use crate::syntax::skeleton::{BRACES, braces};

pub(crate) const CPP: LanguageRow = LanguageRow {
    fence: "cpp",
    new_project: NewProjectFiles {
        folder: "src",
        setup: &["CMakeLists.txt"],
        package: None,
        entry: Some("src/main.cpp"),
        about: "CMake builds the code of `src`; `enable_testing()` has ctest find the tests.",
    },
    // A header is read as C++, which takes nearly all of C.
    extensions: &["cpp", "cc", "cxx", "h", "hh", "hpp", "hxx"],
    names: &["c++"],
    family: Language::Cpp,
    manifests: &["CMakeLists.txt"],
    manifest_rank: 8,
    prose_names: &["C++"],
    runners: &[Runner::Ctest],
    headers: &[("h", "c"), ("hpp", "cpp"), ("hh", "cpp"), ("hxx", "cpp")],
    tooling: tooling::TOOLING,
    public_label: Some(" public:"),
    class_end: "};",
    grammar: windlass_grammars::cpp,
    exports: syntax::exports,
    imports: syntax::imports,
    tests: syntax::tests,
    bases: |source, _| syntax::bases(source),
    style: |file| {
        let catch = file.imports("catch2") || file.imports("catch.");
        let framework = if catch { Framework::Catch2 } else { Framework::Gtest };
        Some(TestStyle { framework, shape: TestShape::Functions })
    },
    preprocessed: true,
    skeleton: |bytes| braces(&BRACES, bytes),
    signature: SignatureRules {
        normal_type: |text| last_segments(&text.replace("const", "").replace("struct", "")),
        ..TYPE_FIRST
    },
    // Macros make what no text shows.
    hides_exports: |text, _| text.contains("##"),
    same_test,
    canaries,
    errors: Some(|text, owned, _| errors::read(text, owned)),
    mutation: mutation::CPP,
    expectation: expectation::RULES,
    tricks: |look| tricks::TABLE.look(look),
    reaches_out: |scan| scan.has(&reach::REACHING),
    resolve,
    import_words: &[(b"include", ImportForm::Line)],
    import_line,
    usual_test: |file| {
        let ending = if Language::header(file.ending).is_some() { "cpp" } else { file.ending };
        file.below_root(&format!("tests/{}_test.{ending}", file.stem))
    },
    ..BASE
};

pub(crate) const C: LanguageRow = LanguageRow {
    fence: "c",
    new_project: NewProjectFiles { entry: Some("src/main.c"), ..CPP.new_project },
    extensions: &["c"],
    names: &[],
    manifests: &[],
    prose_names: &[],
    public_label: None,
    class_end: "}",
    grammar: || tree_sitter_c::LANGUAGE.into(),
    mutation: mutation::C,
    expectation: expectation::RULES,
    tricks: |look| tricks::TABLE.look(look),
    reaches_out: |scan| scan.has(&reach::REACHING),
    ..CPP
};

/// The file that an `#include` means.
fn resolve(survey: &Survey, path: &str, import: &Import) -> Vec<String> {
    let near = resolve_dots(split(path).0, &import.module);
    let found = near.filter(|p| survey.has(p)).or_else(|| {
        let roots = roots(path, &["include", "src", "lib"]);
        roots.iter().find_map(|root| survey.first([join(root, &import.module)]))
    });
    found.into_iter().collect()
}

/// A header is included from beside it, or from below a root of all.
fn import_line(request: &ImportRequest<'_>) -> Option<String> {
    let (importer, import) = request.uses.by(request.here).or(request.uses.written.first())?;
    let dir = split(importer).0;
    let beside = resolve_dots(dir, &import.module).as_deref() == Some(request.path);
    (!beside || dir == request.here).then(|| format!("#include \"{}\"", import.module))
}

/// googletest puts instances around names; a program whose tests are not known stands for its file.
fn same_test(report: &str, path: &str, name: &str) -> bool {
    let stem = path.rsplit('/').next().and_then(|file| file.split('.').next());
    report == name
        || stem == Some(report)
        || report.split('/').any(|part| part == name)
        || report.strip_suffix(name).is_some_and(|rest| rest.ends_with(['.', ':', ' ']))
}

/// Two tests of the model's suite, with the macro it has; one with parameters would need instances.
fn canaries(request: &CanaryRequest<'_>) -> Option<(String, Vec<String>)> {
    let CanaryRequest { text, model, runner, word } = request;
    if *runner != Runner::Ctest {
        return None;
    }
    let own = text.get(model.range.clone())?;
    let makro = own.split('(').next().filter(|m| matches!(*m, "TEST" | "TEST_F"))?;
    let (suite, name) = model.name.split_once('.')?;
    let one = |n: u8, body: String| {
        let name = format!("{name}_{word}{n}");
        (format!("{makro}({suite}, {name}) {{\n  {body}\n}}"), format!("{suite}.{name}"))
    };
    let equal = one(1, format!("EXPECT_STREQ(\"{word}\", \"\");"));
    beside_canary::behind(request, vec![equal, one(2, format!("FAIL() << \"{word}\";"))])
}
