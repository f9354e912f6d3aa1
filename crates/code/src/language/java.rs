//! Java.

mod errors;
mod expectation;
mod mutation;
mod reach;
mod setup;
mod syntax;
#[cfg(test)]
mod tests;
mod tooling;
mod tricks;

use windlass_core::report::Runner;

use super::beside_canary;
use super::row::{BASE, CLASS_AFFIXES, LanguageRow, NewProjectFiles, RequiredBodies};
use crate::detect::is_class_test;
use crate::language::Language;
use crate::survey::{Framework, Import, ImportForm, Naming, Survey, TestShape, TestStyle, join, roots};
use crate::syntax::CanaryRequest;
use crate::syntax::signature::{SignatureRules, TYPE_FIRST};
use crate::syntax::skeleton::{BRACES, braces};

pub(crate) const ROW: LanguageRow = LanguageRow {
    fence: "java",
    extensions: &["java"],
    family: Language::Java,
    file_names: Naming::Pascal,
    source_folder: "src/main/java",
    new_project: NewProjectFiles {
        folder: "src/main/java",
        setup: &["pom.xml"],
        package: None,
        entry: Some("src/main/java/Main.java"),
        about: "Maven's layout; tests are in `src/test/java`, with JUnit 5 unless the documents name another library.",
    },
    manifests: &["pom.xml", "build.gradle", "build.gradle.kts"],
    manifest_rank: 5,
    manifest_names_entry: true,
    prose_names: &["Java", "Spring", "JUnit"],
    is_test: is_class_test,
    tooling: tooling::TOOLING,
    static_word: Some("static"),
    bodies: RequiredBodies::Constructors,
    grammar: || tree_sitter_java::LANGUAGE.into(),
    exports: syntax::exports,
    imports: syntax::imports,
    tests: syntax::tests,
    package: syntax::package,
    bases: |source, _| syntax::bases(source),
    style: |file| {
        let five = file.imports("org.junit.jupiter");
        let framework = if five { Framework::Junit5 } else { Framework::Junit4 };
        Some(TestStyle { framework, shape: TestShape::Classes })
    },
    skeleton: |bytes| braces(&BRACES, bytes),
    signature: SignatureRules {
        normal_type: |text| text.rsplit('.').next().unwrap_or_default().to_owned(),
        ..TYPE_FIRST
    },
    canaries,
    errors: Some(|text, owned, _| errors::read(text, owned)),
    mutation: mutation::RULES,
    expectation: expectation::RULES,
    tricks: |look| tricks::TABLE.look(look),
    reaches_out: |scan| scan.has(&reach::REACHING),
    resolve,
    import_words: &[(b"import", ImportForm::Statement)],
    names_are_files: true,
    import_line: |request| {
        let import = &request.as_written?.1;
        let name = import.names.first().map_or_else(String::new, |name| format!(".{name}"));
        Some(format!("import {}{name};", import.module))
    },
    test_affixes: CLASS_AFFIXES,
    usual_test: |file| {
        file.mirrored("src/test/java", &["src/main/java", "src", ""], &format!("{}Test.java", file.stem))
    },
    ..BASE
};

/// The file that an import means.
fn resolve(survey: &Survey, path: &str, import: &Import) -> Vec<String> {
    let inner = import.module.replace('.', "/");
    let full = match import.names.first().map(String::as_str) {
        Some("*") | None => inner.clone(),
        Some(name) => join(&inner, name),
    };
    let roots = roots(path, &["src/main/java", "src/test/java", "src"]);
    roots.iter().find_map(|root| survey.first([format!("{}.java", join(root, &full))])).into_iter().collect()
}

/// Only a plain `@Test` is copied: other annotations may not fit a neighbouring method.
fn canaries(request: &CanaryRequest<'_>) -> Option<(String, Vec<String>)> {
    let own = request.text.get(request.model.range.clone())?;
    let marked = own.contains("@Test\n") || own.contains("@Test ");
    if !marked || request.runner != Runner::Junit {
        return None;
    }
    beside_canary::in_class(request, |name, word, n| {
        let error = if n == 1 { "AssertionError" } else { "IllegalStateException" };
        format!("@Test\npublic void {name}() {{\n    throw new {error}(\"{word}\");\n}}")
    })
}
