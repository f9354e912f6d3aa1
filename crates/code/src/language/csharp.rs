//! C#.

mod expectation;
mod mutation;
mod syntax;
#[cfg(test)]
mod tests;
mod tooling;
mod tricks;

pub(crate) use tooling::csharp_project;

use super::row::{BASE, CLASS_AFFIXES, LanguageRow, RequiredBodies};
use crate::detect::is_class_test;
use crate::language::Language;
use crate::survey::{Framework, ImportForm, ImportTerms, Naming, TestShape, TestStyle, words};
use crate::syntax::signature::{SignatureRules, TYPE_FIRST};
use crate::syntax::skeleton::{BRACES, braces};
use crate::syntax::style::TestFileText;

pub(crate) const ROW: LanguageRow = LanguageRow {
    fence: "csharp",
    extensions: &["cs"],
    names: &["c#"],
    family: Language::CSharp,
    file_names: Naming::Pascal,
    manifests: &["*.csproj"],
    generated: &[".g.cs", ".designer.cs"],
    prose_names: &["C#", "ASP", "Blazor"],
    is_test: is_class_test,
    tooling: tooling::TOOLING,
    static_word: Some("static"),
    bodies: RequiredBodies::Constructors,
    grammar: windlass_grammars::c_sharp,
    exports: syntax::exports,
    imports: syntax::imports,
    tests: syntax::tests,
    package: syntax::package,
    bases: |source, _| syntax::bases(source),
    style: |file| Some(TestStyle { framework: framework(file), shape: TestShape::Classes }),
    skeleton: |bytes| braces(&BRACES, bytes),
    signature: SignatureRules {
        normal_type: |text| text.rsplit('.').next().unwrap_or_default().to_owned(),
        ..TYPE_FIRST
    },
    // The other half of a type may stand in another file.
    hides_exports: |text, _| text.contains("partial "),
    // A namespace is where its files say, not where they stand.
    mutation: mutation::RULES,
    expectation: expectation::RULES,
    tricks: |look| tricks::TABLE.look(look),
    resolve: |survey, _, import| survey.declaring(&import.module, Language::CSharp),
    import_words: &[(b"using", ImportForm::Head), (b"namespace", ImportForm::Head)],
    import_terms: |file| {
        let facts = file.survey.facts(file.path);
        let package = facts.and_then(|facts| facts.package.as_deref().map(words));
        ImportTerms { far: package.into_iter().collect(), near: Vec::new() }
    },
    import_line: |request| Some(format!("using {};", request.as_written?.1.module)),
    test_affixes: CLASS_AFFIXES,
    usual_test: |file| file.mirrored("tests", &["src"], &format!("{}Tests.cs", file.stem)),
    ..BASE
};

fn framework(file: &TestFileText<'_>) -> Framework {
    if file.imports("NUnit") {
        Framework::Nunit
    } else if file.imports("Microsoft.VisualStudio.TestTools") {
        Framework::Mstest
    } else {
        Framework::Xunit
    }
}
